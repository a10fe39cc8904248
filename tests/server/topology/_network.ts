import type { Sight } from '@/server/topology/sight'

// Random networks whose wiring is known, and what their devices would tell of it.

export type Wiring = {
  sights: Sight[]
  /** By managed switch and port (`device:key`): everything on the same segment, unmanaged switches as one cable. */
  segments: Map<string, Segment>
  /** By managed switch and port: the devices behind it. */
  behind: Map<string, Set<number>>
}
export type Segment = { ports: string[]; hosts: string[]; unmanaged: boolean }

type Node = { id: number; managed: boolean; lldp: boolean; floods: boolean; near: { node: number; port: string }[] }

const hex = (value: number) => value.toString(16).padStart(2, '0')
const macOf = (group: number, id: number) =>
  [0x02, group, (id >> 16) & 255, (id >> 8) & 255, id & 255, 1].map(hex).join(':')

export const switchMac = (id: number): string => macOf(1, id)
export const hostMac = (id: number): string => macOf(2, id)

export type Shape = {
  switches: number
  withoutLldp: number
  unmanaged: number
  agedOut: number
  /** Of the unmanaged ones: those that pass LLDP on. */
  floods: number
  hostsEach: number
}

export const hard: Omit<Shape, 'switches'> = {
  withoutLldp: 0.3,
  unmanaged: 0.2,
  agedOut: 0.3,
  floods: 0.5,
  hostsEach: 8,
}

/** A tree of switches with hosts; the first one is managed. */
function grow(random: () => number, { switches, withoutLldp, unmanaged, floods, hostsEach }: Shape) {
  const nodes: Node[] = []
  const hosts: number[] = []
  for (let id = 0; id < switches; id++) {
    const managed = id === 0 || random() >= unmanaged
    nodes.push({ id, managed, lldp: managed && random() >= withoutLldp, floods: random() < floods, near: [] })
    if (id === 0) continue
    // Broad near the root, with some chains.
    const above = Math.floor(random() ** 1.5 * id)
    const parent = nodes[random() < 0.2 ? id - 1 : above]
    const [up, down] = [parent?.near.length ?? 0, nodes[id]?.near.length ?? 0]
    parent?.near.push({ node: id, port: `p${up + 1}` })
    nodes[id]?.near.push({ node: parent?.id ?? 0, port: `p${down + 1}` })
  }
  for (const node of nodes) {
    const count = Math.floor(random() * hostsEach)
    for (let i = 0; i < count; i++) hosts.push(node.id)
  }
  return { nodes, hosts }
}

const wire = (from: number, to: number) => `${from}>${to}`

/** Of each directed edge: who is beyond it. */
function beyondOf(nodes: readonly Node[], hosts: readonly number[]) {
  const hung = nodes.map((): number[] => [])
  for (const [host, node] of hosts.entries()) hung[node]?.push(host)
  const beyond = new Map<string, { switches: number[]; hosts: number[] }>()
  const of = (from: number, to: number): { switches: number[]; hosts: number[] } => {
    const held = beyond.get(wire(from, to))
    if (held) return held
    const made = { switches: [to], hosts: [...(hung[to] ?? [])] }
    for (const { node } of nodes[to]?.near ?? [])
      if (node !== from) {
        const next = of(to, node)
        made.switches.push(...next.switches)
        made.hosts.push(...next.hosts)
      }
    beyond.set(wire(from, to), made)
    return made
  }
  return of
}

/** What is on the segment beyond a port: unmanaged switches in it are passed. */
function segmentAt(nodes: readonly Node[], hung: readonly number[][], from: number, to: number): Segment {
  const found: Segment = { ports: [], hosts: [], unmanaged: false }
  const go = (before: number, here: number) => {
    const node = nodes[here]
    if (!node) return
    if (node.managed) {
      found.ports.push(`${here}:${node.near.find(one => one.node === before)?.port}`)
      return
    }
    found.hosts.push(...(hung[here] ?? []).map(hostMac))
    found.unmanaged = true
    for (const next of node.near) if (next.node !== before) go(here, next.node)
  }
  go(to, from)
  go(from, to)
  found.ports.sort()
  return found
}

/** Whom a switch hears: LLDP passes only unmanaged switches that do not keep the standard. */
function heardAt(nodes: readonly Node[], from: number, to: number): { node: number; port: string }[] {
  const node = nodes[to]
  if (!node) return []
  if (node.managed) return node.lldp ? [{ node: to, port: node.near.find(one => one.node === from)?.port ?? '' }] : []
  return node.floods ? node.near.filter(one => one.node !== from).flatMap(one => heardAt(nodes, to, one.node)) : []
}

export function randomNetwork(random: () => number, shape: Shape): Wiring {
  const { nodes, hosts } = grow(random, shape)
  const hung = nodes.map((): number[] => [])
  for (const [host, node] of hosts.entries()) hung[node]?.push(host)
  const beyond = beyondOf(nodes, hosts)
  const [segments, behind] = [new Map<string, Segment>(), new Map<string, Set<number>>()]
  const kept = () => random() >= shape.agedOut
  const sights = nodes
    .filter(node => node.managed)
    .map((node): Sight => {
      const fdb: { mac: string; port: string }[] = []
      for (const { node: next, port } of node.near) {
        const there = beyond(node.id, next)
        const managed = there.switches.filter(id => nodes[id]?.managed)
        segments.set(`${node.id}:${port}`, segmentAt(nodes, hung, node.id, next))
        behind.set(`${node.id}:${port}`, new Set(managed))
        fdb.push(...managed.filter(kept).map(id => ({ mac: switchMac(id), port })))
        fdb.push(...there.hosts.filter(kept).map(id => ({ mac: hostMac(id), port })))
      }
      const access = (hung[node.id] ?? []).map((host, at) => ({ mac: hostMac(host), port: `h${at + 1}` }))
      fdb.push(...access.filter(kept))
      for (const { mac, port } of access)
        segments.set(`${node.id}:${port}`, { ports: [`${node.id}:${port}`], hosts: [mac], unmanaged: false })
      const ports = [...node.near.map(one => one.port), ...access.map(one => one.port)]
      return {
        ...{ device: node.id, kind: 'switch', name: `sw${node.id}`, address: `10.0.${node.id >> 8}.${node.id & 255}` },
        ...{ at: 1000, macs: [switchMac(node.id)], stations: [], gateway: node.id === 0 },
        ports: ports.map(key => ({ key, label: key, up: true })),
        ...(fdb.length && { fdb }),
        neighbours: !node.lldp
          ? []
          : node.near.flatMap(({ node: next, port }) =>
              heardAt(nodes, node.id, next).map(heard => ({
                localPort: port,
                chassisId: switchMac(heard.node),
                portId: heard.port,
              })),
            ),
      }
    })
  return { sights, segments, behind }
}
