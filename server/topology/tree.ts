import type { Topology, TopologyLink, TopologyNode } from './graph'
import type { Drawn } from './links'

// Which way is up: towards the gateway.

type Link = Drawn['links'][number]

/** Two that tell of the same connection are one. */
function merged(links: readonly Link[]): Link[] {
  const byNodes = new Map<string, Link[]>()
  const fits = (a: string | undefined, b: string | undefined) => a === undefined || b === undefined || a === b
  for (const link of links) {
    const turned = link.upper.node > link.lower.node
    const one = turned ? { ...link, upper: link.lower, lower: link.upper } : link
    const key = `${one.upper.node} ${one.lower.node}`
    const held = byNodes.get(key) ?? []
    byNodes.set(key, held)
    const same = held.find(
      other => fits(other.upper.interface, one.upper.interface) && fits(other.lower.interface, one.lower.interface),
    )
    if (!same) {
      held.push({ ...one })
      continue
    }
    same.upper = { ...one.upper, ...same.upper }
    same.lower = { ...one.lower, ...same.lower }
    same.evidence = [...same.evidence, ...one.evidence]
    if (one.certainty === 'certain') same.certainty = 'certain'
    if (one.ssid !== undefined) same.ssid = one.ssid
  }
  return [...byNodes.values()].flat().map(link => ({ ...link, evidence: onceEach(link.evidence) }))
}

const onceEach = (evidence: Link['evidence']) => [
  ...new Map(evidence.map(one => [`${one.kind} ${one.device}`, one])).values(),
]

type Neighbours = Map<string, { link: number; node: string }[]>

function neighboursOf(links: readonly Link[]): Neighbours {
  const found: Neighbours = new Map()
  const add = (from: string, node: string, link: number) => {
    const held = found.get(from)
    if (held) held.push({ link, node })
    else found.set(from, [{ link, node }])
  }
  for (const [at, { upper, lower }] of links.entries()) {
    add(upper.node, lower.node, at)
    add(lower.node, upper.node, at)
  }
  return found
}

const rank = (node: TopologyNode, degree: number) =>
  (node.kind === 'device' && node.gateway ? 1_000_000 : 0) + (node.kind === 'device' ? 1000 : 0) + Math.min(degree, 999)

/** Nodes in the order in which one comes to them from the gateway, each with the link it was come by. */
function walk(nodes: readonly TopologyNode[], near: Neighbours): Map<string, number | undefined> {
  const reached = new Map<string, number | undefined>()
  const degree = (node: TopologyNode) => near.get(node.id)?.length ?? 0
  const roots = nodes.toSorted((a, b) => rank(b, degree(b)) - rank(a, degree(a)))
  for (const root of roots) {
    if (reached.has(root.id)) continue
    reached.set(root.id, undefined)
    const queue = [root.id]
    for (const id of queue)
      for (const { link, node } of near.get(id) ?? []) {
        if (reached.has(node)) continue
        reached.set(node, link)
        queue.push(node)
      }
  }
  return reached
}

/** Each node's part: nodes that links hold together have the same. */
export function partsOf({ nodes, links }: Drawn): Map<string, number> {
  const near = neighboursOf(links)
  const part = new Map<string, number>()
  let count = 0
  for (const [id, link] of walk([...nodes.values()], near)) {
    const from = link === undefined ? undefined : links[link]
    const known = from && (from.upper.node === id ? from.lower.node : from.upper.node)
    part.set(id, known === undefined ? count++ : (part.get(known) ?? 0))
  }
  return part
}

/** Turns every link so that its upper end is nearer to the gateway; what leads on no way from there is `extra`. */
export function treeOf(drawn: Drawn): Topology {
  const nodes = [...drawn.nodes.values()]
  const links = merged(drawn.links)
  const reached = walk(nodes, neighboursOf(links))
  const order = new Map([...reached.keys()].map((id, at) => [id, at]))
  const used = new Set(reached.values())
  const turned = links.map((link, at): TopologyLink => {
    const down = (order.get(link.upper.node) ?? 0) <= (order.get(link.lower.node) ?? 0)
    const way = down ? link : { ...link, upper: link.lower, lower: link.upper }
    return used.has(at) ? way : { ...way, extra: true }
  })
  const uplinks = [...reached].flatMap(([id, link]) => (link === undefined ? [] : [[id, link] as const]))
  return { nodes, links: turned, uplinks: Object.fromEntries(uplinks) }
}
