import type { NativeBlock } from '../../driver'
import type { Observation } from '../../observation'
import type { LanNetwork } from '../../unix/lans'
import { vlanNetwork } from '../ports/vlans'
import { neighbourRule } from '../uci/neighbours'
import { safe, uciBlock } from '../uci/uci'

// Zones of the LAN's networks, and what passes between them.

/** Zones of the system's own firewall configuration: that of the LAN, and those that lead out. */
export function systemZones(seen: Observation | undefined): { lan: string[]; wan: string[] } {
  const { lan, zones = {}, wanZones = [] } = seen?.networkRoles ?? {}
  return { lan: lan === undefined ? [] : [zones[lan] ?? []].flat(), wan: wanZones }
}

/** Name of a network, its pool and its zone. */
export const lanZone = ({ vlan }: Pick<LanNetwork, 'vlan'>) => vlanNetwork(vlan)

/** What an isolated network still needs of the gateway: addresses and names; with IPv6 neighbours, too. */
export const serviceBlocks = (one: LanNetwork, zone: string): NativeBlock[] => {
  const about = { kind: 'lan', document: one.id }
  const six = one.ipv6 !== 'off'
  const names = uciBlock(
    `firewall.${lanZone(one)}_dhcp`,
    'rule',
    [
      ['name', `${zone} DHCP and DNS`],
      ['src', zone],
      ['proto', ['tcp', 'udp']],
      ['dest_port', six ? '53 67 547' : '53 67'],
      ['target', 'ACCEPT'],
    ],
    about,
  )
  const neighbours = neighbourRule(`${lanZone(one)}_icmpv6`, `${zone} ICMPv6`, zone, about)
  return six ? [names, neighbours] : [names]
}

/** Ways between a network's zone and others, each from one to another. */
export const forwardingBlocks = (
  one: LanNetwork,
  zone: string,
  ways: readonly (readonly [string, string])[],
): NativeBlock[] =>
  ways.map(([src, dest]) =>
    uciBlock(
      `firewall.${lanZone(one)}_${src === zone ? 'to' : 'from'}_${safe(src === zone ? dest : src)}`,
      'forwarding',
      [
        ['src', src],
        ['dest', dest],
      ],
      { kind: 'lan', document: one.id },
    ),
  )

/** From a zone to others and back; `to`: to those only, which see to the way back themselves. */
export const between = (zone: string, others: readonly string[], to: readonly string[] = []) => [
  ...[...others, ...to].map(other => [zone, other] as const),
  ...others.map(other => [other, zone] as const),
]

type Around = {
  /** Networks beside this one. */
  others: readonly LanNetwork[]
  /** Open zones of the system's own. */
  open: readonly string[]
  /** Zones of its own that lead out. */
  out: readonly string[]
}
export function zoneBlocks(one: LanNetwork, { others, open, out }: Around): NativeBlock[] {
  const name = lanZone(one)
  const zone = uciBlock(
    `firewall.${name}`,
    'zone',
    [
      ['name', name],
      ['network', [name]],
      ['input', one.isolation ? 'REJECT' : 'ACCEPT'],
      ['output', 'ACCEPT'],
      ['forward', one.isolation ? 'REJECT' : 'ACCEPT'],
    ],
    { kind: 'lan', document: one.id },
  )
  const next = others.filter(other => !other.isolation).map(lanZone)
  const ways = [...between(name, [], out), ...(one.isolation ? [] : between(name, open, next))]
  return [zone, ...(one.isolation ? serviceBlocks(one, name) : []), ...forwardingBlocks(one, name, ways)]
}
