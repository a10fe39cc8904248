import type { Sight } from './sight'

// Who is behind which port of which bridge, as numbers: bridges are the managed devices that tell a forwarding table,
// ends all that is seen by one. A forwarding table is never whole (entries age out after minutes of silence), so what it
// does not hold says nothing; what it holds is put together by the rules of a tree (Breitbart et al., "Topology discovery
// in heterogeneous IP networks", 2000; Lowekamp et al., "Topology discovery for large Ethernet networks", 2001).

/** Ports are numbered from 1; 0: not known. */
export type Tables = {
  bridges: Sight[]
  /** By bridge: keys of its ports by number; [0] is none. */
  ports: string[][]
  /** The first ones are the bridges, in their order. */
  ends: End[]
  /** `at[bridge * ends + end]`: the port of the bridge behind which the end is. */
  at: Int16Array
  portNumber(bridge: number, key: string): number
}
/** A managed device, one without a table by each of its MACs; else somebody's MAC. */
export type End = { device?: number; mac?: string }

/** More than so many cells are not filled: the rest of the end devices stays where their device's own count has them. */
const mostCells = 48_000_000

const groupBit = (mac: string) => (Number.parseInt(mac.slice(1, 2), 16) & 1) === 1
/** VRRP, HSRP and CARP: an address that moves between devices. */
const shared = /^00:00:5e:00:0[12]|^00:00:0c:(07:ac|9f:f)/
const isEnd = (mac: string) => mac.length === 17 && !groupBit(mac) && !shared.test(mac) && mac !== '00:00:00:00:00:00'

/** Whose each MAC is; one that two devices claim is nobody's. */
export function ownersOf(sights: readonly Sight[]): Map<string, number> {
  const owners = new Map<string, number>()
  for (const { device, macs } of sights)
    for (const mac of macs.filter(isEnd)) {
      const other = owners.get(mac)
      owners.set(mac, other === undefined || other === device ? device : Number.NaN)
    }
  for (const [mac, device] of owners) if (Number.isNaN(device)) owners.delete(mac)
  return owners
}

/** Everything that a forwarding table holds, numbered: bridges first, then managed devices without a table, then MACs. */
function numberEnds(sights: readonly Sight[], bridges: readonly Sight[], owners: ReadonlyMap<string, number>) {
  const roaming = new Set(sights.flatMap(one => one.stations.map(({ mac }) => mac)))
  const ends: End[] = bridges.map(({ device }) => ({ device }))
  const bridgeNumbers = new Map(bridges.map(({ device }, at) => [device, at]))
  const numbers = new Map<string, number>()
  const most = Math.floor(mostCells / Math.max(1, bridges.length))
  const numberOf = (mac: string) => bridgeNumbers.get(owners.get(mac) ?? Number.NaN) ?? numbers.get(mac)
  const take = (mac: string, device: number | undefined) => {
    if (numberOf(mac) !== undefined || ends.length >= most || (device === undefined && roaming.has(mac))) return
    numbers.set(mac, ends.length)
    ends.push({ mac, ...(device !== undefined && { device }) })
  }
  const seen = new Set(bridges.flatMap(({ fdb = [] }) => fdb.map(({ mac }) => mac)).filter(isEnd))
  for (const mac of seen) if (owners.has(mac)) take(mac, owners.get(mac))
  for (const mac of seen) if (!owners.has(mac)) take(mac, undefined)
  return { ends, numberOf }
}

function fill(tables: Tables, numberOf: (mac: string) => number | undefined): void {
  const { bridges, ends, at } = tables
  for (const [bridge, { fdb = [] }] of bridges.entries()) {
    const row = bridge * ends.length
    const twice = new Set<number>()
    for (const { mac, port } of fdb) {
      const end = numberOf(mac)
      if (end === undefined || end === bridge) continue
      const number = tables.portNumber(bridge, port)
      const held = at[row + end] ?? 0
      if (held !== 0 && held !== number) twice.add(end)
      at[row + end] = number
    }
    // Behind two ports at once, in two VLANs or while it moves: it tells nothing here.
    for (const end of twice) at[row + end] = 0
  }
}

/** The forwarding tables of devices in numbers. */
export function tablesOf(sights: readonly Sight[], owners: ReadonlyMap<string, number>): Tables {
  const bridges = sights.filter(one => one.fdb)
  const { ends, numberOf } = numberEnds(sights, bridges, owners)
  const ports: string[][] = bridges.map(() => [''])
  const numbers = bridges.map(() => new Map<string, number>())
  const portNumber = (bridge: number, key: string): number => {
    const [known, list] = [numbers[bridge], ports[bridge]]
    const held = known?.get(key)
    if (held !== undefined || !known || !list) return held ?? 0
    known.set(key, list.length)
    return list.push(key) - 1
  }
  const tables = { bridges, ports, ends, at: new Int16Array(bridges.length * ends.length), portNumber }
  fill(tables, numberOf)
  return tables
}
