import { deviceNode, type Topology, type TopologyLink } from './graph'

type Ways = Pick<Topology, 'links' | 'uplinks'>

// What a person knows of the wiring, beside what the devices tell.

export type HandLink = {
  id: number
  /** Devices; `upper` is nearer to the gateway. */
  upper: number
  lower: number
  /** It is the way of `lower` towards the gateway. */
  uplink: boolean
  account: string
  /** Unix ms. */
  at: number
}

/** Whether a node is on the way of another one towards the gateway, or is that one itself. */
export function isAbove({ links, uplinks }: Ways, above: string, node: string): boolean {
  const seen = new Set<string>()
  for (let at: string | undefined = node; at !== undefined && !seen.has(at); ) {
    if (at === above) return true
    seen.add(at)
    at = links[uplinks[at] ?? -1]?.upper.node
  }
  return false
}

const joins = ({ upper, lower }: TopologyLink, one: string, other: string) =>
  (upper.node === one && lower.node === other) || (upper.node === other && lower.node === one)

/** Makes a link the uplink of its lower node; the one it had leads on no way any more. */
function putUp(topology: Ways, at: number, upper: string, lower: string): void {
  const before = topology.uplinks[lower]
  const link = topology.links[at]
  if (!link || before === at) return
  const former = before === undefined ? undefined : topology.links[before]
  if (former && before !== undefined) topology.links[before] = { ...former, extra: true }
  const { extra, ...kept } = link
  const turned = link.upper.node !== upper
  topology.links[at] = turned ? { ...kept, upper: link.lower, lower: link.upper } : kept
  topology.uplinks[lower] = at
}

/**
 * The wiring with what people know: their links where devices tell none, and their uplinks before those that follow from
 * the wiring. What would close a ring of uplinks stays a second link.
 */
export function withHand(nodes: ReadonlySet<string>, told: Ways, hand: readonly HandLink[]): Ways {
  const topology: Ways = { links: [...told.links], uplinks: { ...told.uplinks } }
  for (const { id, account, at, uplink, ...ends } of hand) {
    const [upper, lower] = [deviceNode(ends.upper), deviceNode(ends.lower)]
    if (!nodes.has(upper) || !nodes.has(lower)) continue
    const byHand = { id, account, at, uplink }
    const known = topology.links.findIndex(link => joins(link, upper, lower))
    const held = topology.links[known]
    if (held) topology.links[known] = { ...held, byHand }
    else {
      const link: TopologyLink = {
        upper: { node: upper },
        lower: { node: lower },
        certainty: 'manual',
        evidence: [],
        byHand,
      }
      topology.links.push({ ...link, extra: true })
    }
    const own = held ? known : topology.links.length - 1
    const lonely = !held && topology.uplinks[lower] === undefined
    if ((uplink || lonely) && !isAbove(topology, lower, upper)) putUp(topology, own, upper, lower)
  }
  return topology
}
