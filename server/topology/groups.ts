import type { Heard, Stranger } from './heard'
import type { Place } from './places'
import { bridgeOf, type PortId, portId, portOf, type Segments } from './segments'
import type { Sight } from './sight'
import type { Tables } from './tables'

// What hangs together on each segment.

/** A managed device without a forwarding table; `port`: its own, where it is known. */
export type Leaf = { device: number; port?: string; heard?: Heard }
export type Group = {
  ports: PortId[]
  leaves: Map<number, Leaf>
  strangers: Map<string, { stranger: Stranger; heard: Heard }>
  /** MACs of end devices. */
  hosts: string[]
}

export type Parts = {
  sights: ReadonlyMap<number, Sight>
  tables: Tables
  /** Device → number of the bridge. */
  bridges: ReadonlyMap<number, number>
  segments: Segments
  heard: readonly Heard[]
  /** The same by the device that hears. */
  heardOf: ReadonlyMap<number, readonly Heard[]>
  places: ReadonlyMap<number, Place>
}

const keyOf = ({ of }: Segments, port: PortId) => Math.min(...(of.get(port) ?? [port]))

function groupAt(groups: Map<PortId, Group>, segments: Segments, port: PortId): Group {
  const key = keyOf(segments, port)
  const held = groups.get(key)
  if (held) return held
  const made: Group = {
    ports: [...(segments.of.get(port) ?? [port])].toSorted((a, b) => a - b),
    leaves: new Map(),
    strangers: new Map(),
    hosts: [],
  }
  groups.set(key, made)
  return made
}

/** The port of a bridge that takes part in what was heard; undefined where the device is none or its port is not known. */
function bridgePort({ bridges, tables }: Parts, device: number, key: string | undefined): PortId | undefined {
  const bridge = bridges.get(device)
  return bridge === undefined || key === undefined ? undefined : portId(bridge, tables.portNumber(bridge, key))
}

/** What is heard and belongs to no segment of bridges: between devices without tables, or by ports that nobody tells. */
export type Loose = { heard: Heard }

function takeHeard(groups: Map<PortId, Group>, parts: Parts, heard: Heard): Loose[] {
  const { segments, bridges } = parts
  const own = bridgePort(parts, heard.device, heard.port)
  if ('stranger' in heard) {
    if (own === undefined) return [{ heard }]
    groupAt(groups, segments, own).strangers.set(heard.stranger.id, { stranger: heard.stranger, heard })
    return []
  }
  const theirs = bridgePort(parts, heard.other, heard.otherPort)
  if (bridges.has(heard.device) && bridges.has(heard.other)) {
    const same = own !== undefined && theirs !== undefined && keyOf(segments, own) === keyOf(segments, theirs)
    return same ? [] : [{ heard }]
  }
  const [port, leaf] =
    own === undefined
      ? [theirs, { device: heard.device, port: heard.port, heard }]
      : [own, { device: heard.other, port: heard.otherPort, heard }]
  if (port === undefined) return [{ heard }]
  const { leaves } = groupAt(groups, segments, port)
  leaves.set(leaf.device, { ...leaves.get(leaf.device), ...leaf })
  return []
}

function takePlace(groups: Map<PortId, Group>, parts: Parts, place: Place, end: number, known: ReadonlySet<string>) {
  const { device, mac = '' } = parts.tables.ends[end] ?? {}
  if (!place.exact || known.has(mac)) return
  const group = groupAt(groups, parts.segments, place.port)
  if (device === undefined) group.hosts.push(mac)
  else if (!group.leaves.has(device)) {
    const port = parts.sights.get(device)?.ports.filter(one => one.mac === mac)
    group.leaves.set(device, { device, ...(port?.length === 1 && { port: port[0]?.key }) })
  }
}

/** What hangs on each segment and on each port with somebody behind it. */
export function groupsOf(parts: Parts): { groups: Group[]; loose: Loose[] } {
  const groups = new Map<PortId, Group>()
  for (const port of parts.segments.of.keys()) groupAt(groups, parts.segments, port)
  const loose = parts.heard.flatMap(heard => takeHeard(groups, parts, heard))
  const known = new Set(parts.heard.flatMap(one => ('stranger' in one ? (one.stranger.mac ?? []) : [])))
  const pinned = new Set([...groups.values()].flatMap(group => [...group.leaves.keys()]))
  for (const [end, place] of parts.places) {
    const { device } = parts.tables.ends[end] ?? {}
    // What is heard goes before what is learnt.
    if (device === undefined || !pinned.has(device)) takePlace(groups, parts, place, end, known)
  }
  return { groups: [...groups.values()], loose }
}

export const endOf = ({ tables, sights }: Pick<Parts, 'tables' | 'sights'>, port: PortId) => {
  const device = tables.bridges[bridgeOf(port)]?.device ?? 0
  return { device, key: tables.ports[bridgeOf(port)]?.[portOf(port)], at: sights.get(device)?.at ?? 0 }
}
