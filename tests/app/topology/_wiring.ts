import type { Wiring, WiringNode } from '@/app/(console)/network/[networkId]/insight/topology/_parts/wiring'

// A network as the call tells it, of any size.

const deviceAt = (id: number, kind: 'gateway' | 'switch' | 'ap'): WiringNode => ({
  ...{ id: `d${id}`, kind: 'device', device: id, ...(id === 1 && { gateway: true as const }) },
  shown: {
    ...{ id, name: `${kind}-${id}`, kind, model: 'X', status: 1, statusAt: 0, reason: '', openLogin: false },
    clients: id % 7,
  },
})

/** A gateway, switches below it three levels deep, and access points at the lowest ones: `count` devices. */
export function wiringOf(count: number): Wiring {
  const switches = Math.max(1, Math.floor(count / 6))
  const nodes = Array.from({ length: count }, (_, at) =>
    deviceAt(at + 1, at === 0 ? 'gateway' : at <= switches ? 'switch' : 'ap'),
  )
  const above = (id: number) => (id <= switches + 1 ? Math.max(1, Math.floor(id / 6) + 1) : 2 + ((id * 7) % switches))
  const parent = (id: number) => Math.min(above(id), id - 1)
  const links = nodes.slice(1).map(({ id }, at): Wiring['links'][number] => {
    const own = Number(id.slice(1))
    return {
      upper: {
        node: `d${parent(own)}`,
        port: `${at + 1}`,
        interface: `p${at + 1}`,
        speed: 1e9,
        up: true,
        vlans: [1, 20],
      },
      lower: {
        node: id,
        port: 'up',
        interface: 'up',
        speed: own % 3 ? 1e9 : 1e8,
        up: true,
        vlans: own % 2 ? [1] : [1, 20],
      },
      certainty: own % 9 ? 'certain' : 'derived',
      evidence: [{ kind: 'lldp', device: own, at: 1_700_000_000_000 }],
    }
  })
  return { nodes, links, uplinks: Object.fromEntries(links.map((link, at) => [link.lower.node, at])), places: {} }
}
