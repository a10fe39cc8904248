import type { CallOutput } from '@/app/_api/client'

// What the page knows of a network's wiring, read from the call's answer. Pure.

export type Wiring = CallOutput<'topology/get'>
export type WiringNode = Wiring['nodes'][number]
export type DeviceNode = Extract<WiringNode, { kind: 'device' }>
export type WiringLink = Wiring['links'][number]
export type LinkEnd = WiringLink['upper']
/** A link with a name of its own, which stays while the network does: places in the list do not. */
export type NamedLink = WiringLink & { key: string; uplink: boolean }

/** The node or the link that is looked at. */
export type Chosen = { node: string } | { link: string } | undefined

const endKey = ({ node, interface: port }: LinkEnd) => `${node}:${port ?? ''}`

/** Links by their ends; of several between the same ports each gets a number. */
export function namedLinks({ links, uplinks }: Pick<Wiring, 'links' | 'uplinks'>): NamedLink[] {
  const ups = new Set(Object.values(uplinks))
  const counts = new Map<string, number>()
  return links.map((link, at) => {
    const ends = [endKey(link.upper), endKey(link.lower)].toSorted().join(' ')
    const count = (counts.get(ends) ?? 0) + 1
    counts.set(ends, count)
    return { ...link, key: count === 1 ? ends : `${ends} ${count}`, uplink: ups.has(at) }
  })
}

/** What a node is called; undefined for what tells nothing of itself. */
export function nodeName(node: WiringNode): string | undefined {
  if (node.kind === 'device') return node.shown.name
  if (node.kind === 'unmanaged') return undefined
  return node.name ?? node.address ?? node.mac ?? node.id.slice(1)
}

/** The slower of what both ends say, bit/s; undefined where neither does. */
export function speedOf({ upper, lower }: Pick<WiringLink, 'upper' | 'lower'>): number | undefined {
  const told = [upper.speed, lower.speed].filter(speed => speed !== undefined)
  return told.length > 0 ? Math.min(...told) : undefined
}

/** An end says that its port has no link. */
export const isDown = ({ upper, lower }: Pick<WiringLink, 'upper' | 'lower'>): boolean =>
  upper.up === false || lower.up === false

/** The VLANs that both ends carry; of an end that tells none, those of the other. Undefined where neither tells. */
export function vlansOf({ upper, lower }: Pick<WiringLink, 'upper' | 'lower'>): number[] | undefined {
  if (!upper.vlans || !lower.vlans) return upper.vlans ?? lower.vlans
  return upper.vlans.filter(vlan => lower.vlans?.includes(vlan))
}

/** Whether a link carries a VLAN; undefined where no end tells its VLANs. */
export const carries = (link: WiringLink, vlan: number): boolean | undefined => vlansOf(link)?.includes(vlan)

/** When the youngest piece of evidence was read, Unix ms; undefined where there is none. */
export const readAt = ({ evidence }: Pick<WiringLink, 'evidence'>): number | undefined =>
  evidence.length > 0 ? Math.max(...evidence.map(one => one.at)) : undefined

/** A node's links, the one towards the gateway first. */
export function linksAt(links: readonly NamedLink[], node: string): NamedLink[] {
  const own = links.filter(({ upper, lower }) => upper.node === node || lower.node === node)
  const isUp = (link: NamedLink) => link.uplink && link.lower.node === node
  return own.toSorted((a, b) => Number(isUp(b)) - Number(isUp(a)))
}
