import type { Host } from '../observation'
import { present } from './text'

const maxEntries = 20_000

/** Places by MAC, those of each in a fixed order: a table tells them in another one each time. One MAC has one in each VLAN. */
function placesOf(fdb: readonly Host[]): Map<string, Host[]> {
  const places = new Map<string, Host[]>()
  for (const host of new Map(fdb.map(one => [`${one.mac} ${one.vlan ?? ''}`, one])).values())
    places.set(host.mac, [...(places.get(host.mac) ?? []), host])
  for (const some of places.values()) some.sort((a, b) => (a.vlan ?? 0) - (b.vlan ?? 0))
  return places
}

/** The VLAN of an interface on a bridge, by its name. */
const vlanOf = (port = '') => Number(/\.(\d+)$/.exec(port)?.[1] ?? Number.NaN)

/** One entry for each MAC and address: where it hangs from the forwarding table, its address from the neighbours. */
export function joinHosts(neighbours: Host[], fdb: Host[], own: ReadonlySet<string>): Host[] {
  const places = placesOf(fdb)
  const used = new Set<Host>()
  const joined = neighbours.map(host => {
    const all = places.get(host.mac)
    const place = all?.find(one => one.vlan === vlanOf(host.port)) ?? all?.[0]
    if (!place) return host
    used.add(place)
    const { stale: _, ...seen } = host
    return present<Host>({ ...seen, port: place.port ?? host.port, vlan: place.vlan, source: 'both' })
  })
  const rest = [...places.values()].flat().filter(host => !used.has(host))
  return [...joined, ...rest].filter(host => !own.has(host.mac)).slice(0, maxEntries)
}
