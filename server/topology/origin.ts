import { deviceNode, type Topology } from './graph'
import type { Sight } from './sight'

/**
 * The device that somebody with one of these MACs hangs at: it has one behind a port from which no link leads to another
 * managed device. Undefined where none has, or several do.
 */
export function originOf(sights: readonly Sight[], { links }: Pick<Topology, 'links'>, macs: readonly string[]) {
  const wanted = new Set(macs.map(mac => mac.toLowerCase()))
  const linked = new Set(links.flatMap(({ upper, lower }) => [upper, lower]).map(end => `${end.node} ${end.interface}`))
  const found = sights.filter(({ device, fdb = [] }) =>
    fdb.some(({ mac, port }) => wanted.has(mac) && !linked.has(`${deviceNode(device)} ${port}`)),
  )
  return found.length === 1 ? found[0]?.device : undefined
}
