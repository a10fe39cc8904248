import { type Certainty, deviceNode, type Evidence, type LinkEnd, type TopologyLink, type TopologyNode } from './graph'
import { endOf, type Group, type Leaf, type Parts } from './groups'
import type { Heard } from './heard'
import type { Sight } from './sight'

// Links between nodes, of what hangs together.

export type Drawn = { nodes: Map<string, TopologyNode>; links: Omit<TopologyLink, 'extra'>[] }
type Seat = { end: LinkEnd; evidence: Evidence[]; device?: number }

export function deviceEnd(sight: Sight | undefined, device: number, key?: string): LinkEnd {
  const port = key === undefined ? undefined : sight?.ports.find(one => one.key === key)
  return {
    node: deviceNode(device),
    ...(key !== undefined && { interface: key, port: port?.label ?? key }),
    ...(port?.speed !== undefined && { speed: port.speed }),
    ...(port?.up !== undefined && { up: port.up }),
    ...(port?.vlans && { vlans: port.vlans }),
  }
}

const strangerId = (id: string) => `s${id}`
const told = ({ protocol, device, at }: Heard): Evidence => ({ kind: protocol, device, at })

/** Prefixes of network cards that are none: several behind a port are one machine with guests of its own. */
const virtualCards = ['52:54:00', '00:50:56', '00:0c:29', '00:15:5d', '00:16:3e', 'bc:24:11', '02:42:ac', '08:00:27']
const isVirtual = (mac: string) => virtualCards.some(prefix => mac.startsWith(prefix))

function seatsOf(parts: Parts, group: Group): { ports: Seat[]; leaves: Seat[]; strangers: Seat[] } {
  const { sights } = parts
  return {
    ports: group.ports.map(port => {
      const { device, key, at } = endOf(parts, port)
      return { end: deviceEnd(sights.get(device), device, key), evidence: [{ kind: 'fdb', device, at }], device }
    }),
    leaves: [...group.leaves.values()].map(({ device, port, heard }: Leaf) => ({
      end: deviceEnd(sights.get(device), device, port),
      evidence: heard ? [told(heard)] : [],
      device,
    })),
    strangers: [...group.strangers.values()].map(({ stranger, heard }) => ({
      end: { node: strangerId(stranger.id), ...(stranger.port && { port: stranger.port }) },
      evidence: [told(heard)],
    })),
  }
}

const isTold = (evidence: readonly Evidence[]) => evidence.some(one => one.kind !== 'fdb')

function connect(drawn: Drawn, upper: Seat, lower: Seat, least?: Certainty): void {
  const evidence = [...upper.evidence, ...lower.evidence]
  const certainty = least ?? (isTold(evidence) ? 'certain' : 'derived')
  drawn.links.push({ upper: upper.end, lower: lower.end, certainty, evidence })
}

/** What LLDP and CDP tell between two devices. */
const heardBetween = ({ heardOf }: Parts, one: number | undefined, other: number | undefined): Evidence[] =>
  [one, other].flatMap(device =>
    (heardOf.get(device ?? 0) ?? []).flatMap(each =>
      'other' in each && each.other === (device === one ? other : one) ? [told(each)] : [],
    ),
  )

/** What stands in the middle where more than two meet: who of them can be that, or somebody that tells nothing. */
function middleOf(drawn: Drawn, parts: Parts, group: Group, seats: ReturnType<typeof seatsOf>): Seat {
  const others = [...seats.leaves, ...seats.strangers]
  const [only] = others
  if (only && others.length === 1) {
    others.pop()
    return only
  }
  const first = group.ports[0] ?? 0
  const { device, key } = endOf(parts, first)
  const id = `u${device}:${key}`
  drawn.nodes.set(id, { id, kind: 'unmanaged', macs: group.hosts.toSorted() })
  return { end: { node: id }, evidence: [] }
}

function needsMiddle(group: Group): boolean {
  const [ports, known] = [group.ports.length, group.leaves.size + group.strangers.size]
  if (ports + known > 2) return true
  if (ports === 2) return group.hosts.length > 0
  if (known > 0) return false
  return group.hosts.filter(mac => !isVirtual(mac)).length > 1
}

/** Draws what hangs together: two are a link, more meet in a middle. */
export function drawGroup(drawn: Drawn, parts: Parts, group: Group): void {
  const seats = seatsOf(parts, group)
  for (const { stranger } of group.strangers.values())
    drawn.nodes.set(strangerId(stranger.id), { ...stranger, kind: 'stranger', id: strangerId(stranger.id) })
  const all = [...seats.ports, ...seats.leaves, ...seats.strangers]
  if (needsMiddle(group)) {
    const middle = middleOf(drawn, parts, group, seats)
    for (const seat of all) if (seat.end.node !== middle.end.node) connect(drawn, seat, middle, 'inferred')
    return
  }
  const [upper, lower] = all
  if (!upper || !lower) return
  const heard = heardBetween(parts, upper.device, lower.device)
  connect(drawn, { ...upper, evidence: [...upper.evidence, ...heard] }, lower)
}

/** Links that devices tell of and that no forwarding table has. */
export function drawLoose(drawn: Drawn, { sights }: Parts, heard: Heard): void {
  const upper = { end: deviceEnd(sights.get(heard.device), heard.device, heard.port), evidence: [told(heard)] }
  if ('stranger' in heard) {
    const id = strangerId(heard.stranger.id)
    drawn.nodes.set(id, { ...heard.stranger, kind: 'stranger', id })
    const { port } = heard.stranger
    connect(drawn, upper, { end: { node: id, ...(port && { port }) }, evidence: [] })
  } else {
    const { other, otherPort } = heard
    connect(drawn, upper, { end: deviceEnd(sights.get(other), other, otherPort), evidence: [] })
  }
}

/** Access points that are stations of others. */
export function drawStations(drawn: Drawn, { sights }: Parts, owners: ReadonlyMap<string, number>): void {
  for (const { device, at, stations } of sights.values())
    for (const { mac, ssid = '' } of stations) {
      const other = owners.get(mac)
      if (other === undefined || other === device) continue
      const [upper, lower] = [{ node: deviceNode(device) }, deviceEnd(sights.get(other), other)]
      drawn.links.push({ upper, lower, certainty: 'certain', evidence: [{ kind: 'station', device, at }], ssid })
    }
}
