import type { Topology, TopologyNode } from '@/server/topology/graph'

/** The device that another is reached through, and its port there as it is printed. */
export type Parent = { parent: number; port?: string }

type Step = { from: string; to: string; port: string | undefined }

function stepsOf(links: Topology['links']): Map<string, Step[]> {
  const found = new Map<string, Step[]>()
  const add = (step: Step) => {
    const held = found.get(step.from)
    if (held) held.push(step)
    else found.set(step.from, [step])
  }
  for (const { upper, lower } of links) {
    add({ from: upper.node, to: lower.node, port: upper.port })
    add({ from: lower.node, to: upper.node, port: lower.port })
  }
  return found
}

/** First where the manager stands, then gateways, then whoever has nobody above. */
function roots({ nodes, uplinks }: Topology, origin: number | undefined): string[] {
  const devices = nodes.filter(node => node.kind === 'device')
  const first = devices.filter(node => node.device === origin)
  const gateways = devices.filter(node => node.gateway)
  const top = nodes.filter(node => uplinks[node.id] === undefined)
  return [...first, ...gateways, ...top].map(node => node.id)
}

/**
 * Which device each device is reached through, from where the manager stands. What is not managed in between is passed
 * through; links whose ends are known are gone before those of which only the port is. `origin`: the device that the
 * manager hangs at; without it the gateway is taken for it.
 */
export function parentsOf(topology: Topology, origin?: number): Map<number, Parent> {
  const ids = new Map<string, TopologyNode>(topology.nodes.map(node => [node.id, node]))
  const sure = stepsOf(topology.links.filter(link => link.certainty !== 'somewhere'))
  const all = stepsOf(topology.links)
  const above = new Map<string, Parent | undefined>()
  const walk = (queue: string[], steps: ReadonlyMap<string, Step[]>) => {
    for (const id of queue)
      for (const { to, port } of steps.get(id) ?? []) {
        if (above.has(to)) continue
        const node = ids.get(id)
        const own = node?.kind === 'device' ? { parent: node.device, ...(port !== undefined && { port }) } : undefined
        above.set(to, own ?? above.get(id))
        queue.push(to)
      }
  }
  for (const root of roots(topology, origin)) {
    if (above.has(root)) continue
    above.set(root, undefined)
    walk([root], sure)
    walk([...above.keys()], all)
  }
  const told = topology.nodes.flatMap((node): [number, Parent][] => {
    const found = node.kind === 'device' ? above.get(node.id) : undefined
    return node.kind === 'device' && found ? [[node.device, found]] : []
  })
  return new Map(told)
}
