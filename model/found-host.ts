/** What an address most likely is, before anybody logged in to it. */
export const likelyKinds = [
  'computer',
  'phone',
  'printer',
  'camera',
  'media',
  'storage',
  'ap',
  'switch',
  'gateway',
  'firewall',
] as const
export type LikelyKind = (typeof likelyKinds)[number]

export type SnmpVersion = 'v1' | 'v2c' | 'v3'

/** Something that answered a search. `ssh.reason`: why that door did not open. */
export type FoundHost<Reason extends string = string> = {
  address: string
  mac?: string
  /** Whose MAC it is; `privateMac`: one that the device made up. */
  vendor?: string
  privateMac?: true
  name?: string
  model?: string
  /** SNMP's sysObjectID and sysDescr. */
  objectId?: string
  description?: string
  /** What it announces: mDNS, UPnP, WS-Discovery. */
  services?: readonly string[]
  /** What it is by all signs; nobody logged in yet. */
  likely?: LikelyKind
  from: 'sweep' | 'lldp' | 'arp'
  /** The managed device that told of it. */
  device?: number
  ssh?: { port: number; banner?: string; hostKey?: string; reason?: Reason }
  snmp?: { port: number; versions: SnmpVersion[] }
}
