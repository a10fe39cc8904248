import type { Stranger } from './heard'

// The wiring as it is shown.

/** `lldp`, `cdp`, `fdp`: an end says so itself; `station`: the access point has it on the air; `fdb`: forwarding tables tell. */
export type EvidenceKind = 'lldp' | 'cdp' | 'fdp' | 'fdb' | 'station'
/** `device`: which one tells; `at`: Unix ms of its reading. */
export type Evidence = { kind: EvidenceKind; device: number; at: number }

export type TopologyNode =
  | { id: string; kind: 'device'; device: number; gateway?: true }
  /** Tells of itself, and is not managed. */
  | ({ kind: 'stranger' } & Stranger)
  /** Tells nothing: something has to be there. `macs`: whom it connects beside managed devices. */
  | { id: string; kind: 'unmanaged'; macs: string[] }

export type LinkEnd = {
  node: string
  /** As it is printed there; absent where it is not known. */
  port?: string
  /** Key of the device's interface. */
  interface?: string
  /** bit/s */
  speed?: number
  up?: boolean
  vlans?: number[]
}

/**
 * `certain`: an end says so itself; `derived`: forwarding tables leave nothing else; `inferred`: to something that tells
 * nothing of itself; `somewhere`: it is behind that port, and what is in between is not known; `manual`: a person says so,
 * and no device does.
 */
export type Certainty = 'certain' | 'derived' | 'inferred' | 'somewhere' | 'manual'

export type TopologyLink = {
  /** `upper` is nearer to the gateway. */
  upper: LinkEnd
  lower: LinkEnd
  certainty: Certainty
  evidence: Evidence[]
  /** Leads on no way from the gateway: a second link, or one that closes a ring. */
  extra?: true
  /** On the air, by this SSID; '' where it is not told. */
  ssid?: string
  /** What a person said of it: its number, who and when (Unix ms), and whether it is to be the uplink. */
  byHand?: { id: number; account: string; at: number; uplink: boolean }
}

export type Topology = {
  nodes: TopologyNode[]
  links: TopologyLink[]
  /** By node: the index in `links` of its link towards the gateway. */
  uplinks: Record<string, number>
}

export const deviceNode = (device: number): string => `d${device}`

/** `origin`: the device that the manager itself hangs at, where one sees it. */
export type Wiring = Topology & { origin?: number }
