import { type Steps, solveDirections } from './directions'
import { deviceNode, type Topology } from './graph'
import { endOf, groupsOf, type Parts } from './groups'
import { type Heard, heardBy } from './heard'
import { type Drawn, deviceEnd, drawGroup, drawLoose, drawStations } from './links'
import { bridgeBehind, placesOf } from './places'
import { findSegments, type PortId, portId } from './segments'
import type { Sight } from './sight'
import { ownersOf, type Tables, tablesOf } from './tables'
import { partsOf, treeOf } from './tree'

/** More bridges than these are not compared with each other: then only what devices tell of themselves is drawn. */
const mostBridges = 2500

function byDevice(heard: readonly Heard[]): Map<number, Heard[]> {
  const found = new Map<number, Heard[]>()
  for (const one of heard) {
    const held = found.get(one.device)
    if (held) held.push(one)
    else found.set(one.device, [one])
  }
  return found
}

/** What is told of two bridges: the numbers of their ports. */
type Told = { one: number; other: number; here: Set<number>; there: Set<number> }

/** What is heard between bridges, by pairs of them. */
function toldBetween(tables: Tables, bridges: ReadonlyMap<number, number>, heard: readonly Heard[]): Told[] {
  const told = new Map<string, Told>()
  for (const each of heard) {
    const [from, to] = [bridges.get(each.device), 'other' in each ? bridges.get(each.other) : undefined]
    if (!('other' in each) || from === undefined || to === undefined) continue
    const [one, other] = [Math.min(from, to), Math.max(from, to)]
    const pair = told.get(`${one} ${other}`) ?? { one, other, here: new Set(), there: new Set() }
    told.set(`${one} ${other}`, pair)
    const [own, far] = from === one ? [pair.here, pair.there] : [pair.there, pair.here]
    if (each.port !== undefined) own.add(tables.portNumber(from, each.port))
    if (each.otherPort !== undefined) far.add(tables.portNumber(to, each.otherPort))
  }
  return [...told.values()]
}

/** Takes what LLDP and CDP tell into the tables. Returns the pairs of ports that look at each other. */
function takeHeard(tables: Tables, told: readonly Told[]): (readonly [PortId, PortId])[] {
  const { at, ends } = tables
  return told.flatMap(({ one, other, here, there }) => {
    // Several links between two: which of them frames take is the forwarding tables' to say.
    if (here.size > 1 || there.size > 1) return []
    const [ours, theirs] = [one * ends.length + other, other * ends.length + one]
    for (const port of here) at[ours] = port
    for (const port of there) at[theirs] = port
    const [x, y] = [at[ours] ?? 0, at[theirs] ?? 0]
    return x !== 0 && y !== 0 ? [[portId(one, x), portId(other, y)] as const] : []
  })
}

function newDrawn(sights: readonly Sight[]): Drawn {
  const nodes = sights.map(({ device, gateway }) => {
    const id = deviceNode(device)
    return [id, { id, kind: 'device' as const, device, ...(gateway && { gateway: true as const }) }] as const
  })
  return { nodes: new Map(nodes), links: [] }
}

/** What no link reaches, and that somebody has behind a port. */
function drawSomewhere(drawn: Drawn, parts: Parts): void {
  const part = partsOf(drawn)
  const { tables, places, sights } = parts
  const seen = [
    ...tables.bridges.map((one, at) => ({ device: one.device, port: bridgeBehind(tables, at) })),
    ...[...places].map(([end, { port }]) => ({ device: tables.ends[end]?.device, port })),
  ]
  const joined = new Set<string>()
  for (const { device, port } of seen) {
    if (device === undefined || port === undefined) continue
    const upper = endOf(parts, port)
    const [own, other] = [part.get(deviceNode(device)) ?? -1, part.get(deviceNode(upper.device)) ?? -1]
    if (own === other || joined.has(`${own} ${other}`) || joined.has(`${other} ${own}`)) continue
    joined.add(`${own} ${other}`)
    const evidence = [{ kind: 'fdb' as const, device: upper.device, at: upper.at }]
    const from = deviceEnd(sights.get(upper.device), upper.device, upper.key)
    drawn.links.push({ upper: from, lower: deviceEnd(undefined, device), certainty: 'somewhere', evidence })
  }
}

/**
 * How a network is wired, by what its devices tell. Drawn is what an end says itself or what forwarding tables leave no
 * other choice for; what stands in between and tells nothing is inferred and said to be; the rest stays unknown.
 */
export function* topologySteps(sights: readonly Sight[]): Steps<Topology> {
  const owners = ownersOf(sights)
  const heard = heardBy(sights, owners)
  const few = sights.filter(one => one.fdb).length <= mostBridges
  const read = few ? sights : sights.map(({ fdb, ...one }) => one)
  const tables = tablesOf(read, owners)
  const bridges = new Map(tables.bridges.map(({ device }, at) => [device, at]))
  const sure = takeHeard(tables, toldBetween(tables, bridges, heard))
  yield* solveDirections(tables)
  const segments = yield* findSegments(tables, sure)
  const places = yield* placesOf(tables, segments)
  const known = new Map(sights.map(one => [one.device, one]))
  const parts: Parts = { sights: known, tables, bridges, segments, heard, heardOf: byDevice(heard), places }
  const drawn = newDrawn(sights)
  const { groups, loose } = groupsOf(parts)
  for (const group of groups) drawGroup(drawn, parts, group)
  for (const one of loose) drawLoose(drawn, parts, one.heard)
  drawStations(drawn, parts, owners)
  drawSomewhere(drawn, parts)
  return treeOf(drawn)
}

/** `topologySteps` at once. */
export function topologyOf(sights: readonly Sight[]): Topology {
  const steps = topologySteps(sights)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
