import type { Host } from '../observation'
import { present } from './text'

const maxEntries = 20_000

/** One entry for each MAC and address: where it hangs from the forwarding table, its address from the neighbours. */
export function joinHosts(neighbours: Host[], fdb: Host[], own: ReadonlySet<string>): Host[] {
  const places = new Map(fdb.map(host => [host.mac, host]))
  const joined = neighbours.map(host => {
    const place = places.get(host.mac)
    if (!place) return host
    const { stale: _, ...seen } = host
    return present<Host>({ ...seen, port: place.port ?? host.port, vlan: place.vlan, source: 'both' })
  })
  const addressed = new Set(neighbours.map(host => host.mac))
  const rest = [...places.values()].filter(host => !addressed.has(host.mac))
  return [...joined, ...rest].filter(host => !own.has(host.mac)).slice(0, maxEntries)
}
