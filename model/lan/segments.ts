import { contains4, overlap, type Segment4, segment4, segmentOf } from '../addresses'
import type { Data } from '../kind'

// Networks that a gateway has by settings of several kinds. Packets to an address of two of them take one way alone.

type Placed = { field: string; of(data: Data): Segment4 | undefined }

/** By kind: the field that says the network, and which one that is; undefined where it is none, or wrong. */
const placed: Readonly<Record<string, Placed>> = {
  lan: { field: 'address', of: ({ address }) => segment4(String(address)) },
  wan: {
    field: 'address',
    of: ({ connection, address, prefix }) =>
      connection === 'static' ? segmentOf(String(address), Number(prefix)) : undefined,
  },
  staticRoute: {
    field: 'destination',
    of: ({ enabled, destination }) => (enabled === false ? undefined : segment4(String(destination))),
  },
}

/** The field at which a kind says its network; undefined for a kind without one. */
export const segmentField = (kind: string): string | undefined => placed[kind]?.field

export type SegmentOwner = { kind: string; data: Data }

/**
 * Whether a LAN network and a WAN's network, or what a static route leads to, exclude each other; LAN networks among
 * themselves are judged by a rule of their kind. A route to more than the LAN is none: the longer prefix decides.
 */
export function segmentsClash(a: SegmentOwner, b: SegmentOwner): boolean {
  const [inner, outer] = a.kind === 'lan' ? [a, b] : [b, a]
  if (inner.kind !== 'lan' || outer.kind === 'lan') return false
  const [own, theirs] = [inner, outer].map(one => placed[one.kind]?.of(one.data))
  if (!own || !theirs) return false
  return outer.kind === 'staticRoute'
    ? theirs.prefix >= own.prefix && contains4(own, theirs.first)
    : overlap(own, theirs)
}
