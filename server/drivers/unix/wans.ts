import { ipv6Groups } from '@/model/addresses'
import { hasIpv6, wan as kind, type Wan } from '@/model/internet/wan'
import type { DesiredDocument, Warning } from '../driver'
import type { Observation } from '../observation'
import { documentsOf } from './documents'
import type { LanNetwork } from './lans'

export type Uplink = Wan & { id: string }

/** Ways to the internet by rank; their place is their number on the device. */
export const wans = (documents: readonly DesiredDocument[]): Uplink[] =>
  documentsOf({ id: kind.id, fields: kind.fields }, documents, one => Number(one.metric)) as Uplink[]

/** Name servers that are set for the ways, each once. */
export const nameServers = (all: readonly Uplink[]): string[] => [
  ...new Set(
    all.flatMap(one => (one.connection === 'kept' ? [] : [one.dns1, one.dns2])).filter(one => one !== undefined),
  ),
]

/** Rule P13: a gateway has no more ways than ports. None where it does not tell its ports. */
export function portWarnings(all: readonly Uplink[], ports: Observation['ports']): Warning[] {
  const last = all.at(-1)
  if (!last || !ports?.length || all.length <= ports.length) return []
  const values = { ports: ports.length, wans: all.length }
  return [{ code: 'wanPorts', kind: kind.id, document: last.id, values, blocks: true }]
}

/** Rule P8: the way that has IPv6. */
export const ipv6Mode = (all: readonly Uplink[]): Uplink | undefined => all.find(hasIpv6)

/** Rule P7 lets a LAN have more than a /64; what clients are told is a /64 of it (RFC 4862 5.5.3), on every system. */
export const prefixWarnings = (way: Uplink | undefined, all: readonly LanNetwork[]): Warning[] =>
  way === undefined || way.pdLength >= 64
    ? []
    : all
        .filter(one => one.ipv6 === 'delegated')
        .map(({ id, name }) => ({
          code: 'lanPrefixWide',
          kind: 'lan',
          document: id,
          values: { lan: name, length: way.pdLength },
        }))

/** The first 64 bits, as text without an end: `2001:db8:1:14`. */
const prefixText = (bits: bigint) =>
  [48n, 32n, 16n, 0n].map(shift => ((bits >> shift) & 0xffffn).toString(16)).join(':')

/**
 * Parts of a fixed prefix for the LANs that want one, by their ids: each the part of its VLAN's number, or the next that
 * is free. None where the way's prefix is told by the provider.
 */
export function lanPrefixes(way: Uplink | undefined, all: readonly LanNetwork[]): Map<string, string> {
  const [address = '', length = ''] = (way?.ipv6 === 'static' ? way.delegated : undefined)?.split('/') ?? []
  const groups = ipv6Groups(address)
  if (!groups) return new Map()
  const base = groups.slice(0, 4).reduce((sum, group) => (sum << 16n) | BigInt(group), 0n)
  const size = 2 ** Math.min(12, 64 - Number(length))
  const taken = new Set<number>()
  const found = new Map<string, string>()
  for (const { id, vlan } of all.filter(one => one.ipv6 === 'delegated').slice(0, size)) {
    let part = vlan % size
    while (taken.has(part)) part = (part + 1) % size
    taken.add(part)
    found.set(id, prefixText(base | BigInt(part)))
  }
  return found
}

/** Servers that speak the dyndns2 protocol. */
const services: Record<Exclude<Wan['ddns'], 'off' | 'custom'>, string> = {
  dyn: 'https://members.dyndns.org/nic/update',
  noIp: 'https://dynupdate.no-ip.com/nic/update',
}

/** Where an address is told: `host` with its port where it has one, `path` without a query. */
export function updateServer({ ddns, ddnsServer }: Pick<Wan, 'ddns' | 'ddnsServer'>) {
  const { host, pathname, protocol } = new URL(
    ddns === 'dyn' || ddns === 'noIp' ? services[ddns] : (ddnsServer ?? services.dyn),
  )
  return { host, path: pathname === '/' ? '/nic/update' : pathname, secure: protocol === 'https:' }
}
