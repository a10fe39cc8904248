import { mask4 } from '@/model/addresses'
import { hasIpv6 } from '@/model/internet/wan'
import type { NativeBlock, RenderInput } from '../../driver'
import { linkName } from '../../unix/link-name'
import { marked } from '../../unix/secret'
import { nameServers, type Uplink, wans } from '../../unix/wans'
import { type ImportedWan, importedWan } from '../imported/wan-imported'
import { prefix } from '../uci/package'
import { type Options, safe, uciBlock } from '../uci/uci'

type Seen = RenderInput['observation']
type Place = Pick<Uplink, 'interface' | 'vlan'>
export const deviceOf = ({ interface: name, vlan }: Place) => (vlan === undefined ? name : `${name}.${vlan}`)
/** Interface of a login over it: the section's name would be longer than the kernel takes. */
const pppName = (one: Place) => linkName('ppp-', deviceOf(one))
/** The interface of netifd that a way of ours is. */
const networkOf = (one: Place) => `${prefix}wan_${safe(deviceOf(one))}`
const network6Of = (one: Place) => `${prefix}wan6_${safe(deviceOf(one))}`

/** A way with what it is on the device: a part of ours, or the system's own that was imported. */
export type DeviceUplink = Uplink & {
  /** The interface of netifd; for a way that is as the device has it, where it is known. */
  network?: string
  imported?: ImportedWan
}

/** Ways by rank. */
export const uplinksOf = ({
  documents,
  imported,
  observation,
}: Pick<RenderInput, 'documents' | 'imported' | 'observation'>) =>
  wans(documents).map((one): DeviceUplink => {
    const own = importedWan(one, imported)
    if (own) return { ...one, network: own.network, imported: own }
    const kept = observation?.networks?.find(other => other.device === deviceOf(one))?.name
    return { ...one, network: one.connection === 'kept' ? kept : networkOf(one) }
  })

/** It is made here, not somebody else's that stays as it is, nor the system's that was imported. */
export const isOurs = (one: DeviceUplink): boolean => one.connection !== 'kept' && !one.imported

/** The device that packets of a way come and go by. */
export function linkOf(one: DeviceUplink): string {
  if (one.connection !== 'pppoe') return deviceOf(one)
  return one.imported ? `pppoe-${one.imported.network}` : pppName(one)
}

const addressed = (one: Uplink): Options =>
  one.connection === 'pppoe'
    ? [
        ['username', one.user],
        ['password', marked(one.password ?? '')],
        ['service', one.service || undefined],
        ['mtu', String(one.mtu)],
        ['pppname', pppName(one)],
        // With `auto` netifd would make an IPv6 interface of its own beside ours.
        ['ipv6', hasIpv6(one) ? '1' : '0'],
      ]
    : one.connection === 'static'
      ? [
          ['ipaddr', one.address],
          ['netmask', one.prefix === undefined ? undefined : mask4(one.prefix)],
          ['gateway', one.gateway],
        ]
      : []

function tagBlock(one: Uplink, about: Partial<NativeBlock>): NativeBlock {
  const device = deviceOf(one)
  return uciBlock(
    `network.${prefix}vlan_${safe(device)}`,
    'device',
    [
      ['type', '8021q'],
      ['ifname', one.interface],
      ['vid', String(one.vlan)],
      ['name', device],
      ['egress_qos_mapping', one.vlanPriority === undefined ? [] : [`0:${one.vlanPriority}`]],
    ],
    about,
  )
}

/** IPv6 is an interface of its own on the same device, or over the login. */
function ipv6Block(one: Uplink, about: Partial<NativeBlock>): NativeBlock {
  const options: Options =
    one.ipv6 === 'static'
      ? [
          ['proto', 'static'],
          ['ip6addr', `${one.address6}/${one.prefix6}`],
          ['ip6gw', one.gateway6],
          ['ip6prefix', one.delegated],
        ]
      : [
          ['proto', 'dhcpv6'],
          ['reqaddress', 'try'],
          ['reqprefix', String(one.delegatedLength)],
        ]
  const device = one.connection === 'pppoe' ? `@${networkOf(one)}` : deviceOf(one)
  return uciBlock(
    `network.${network6Of(one)}`,
    'interface',
    [['device', device], ...options, ['metric', String(one.metric)]],
    about,
  )
}

/** What a way is in /etc/config/network. */
export function linkBlocks(one: Uplink): NativeBlock[] {
  const about = { kind: 'wan', document: one.id }
  const servers = nameServers([one])
  const own = uciBlock(
    `network.${networkOf(one)}`,
    'interface',
    [
      ['proto', one.connection],
      ['device', deviceOf(one)],
      ...addressed(one),
      ['metric', String(one.metric)],
      ['peerdns', servers.length > 0 && one.connection !== 'static' ? '0' : undefined],
      ['dns', servers],
    ],
    about,
  )
  return [
    ...(one.vlan === undefined ? [] : [tagBlock(one, about)]),
    own,
    ...(hasIpv6(one) ? [ipv6Block(one, about)] : []),
  ]
}

type Zone = { name: string; ways: Uplink[]; masq: string }

/** A DMZ is for what comes in by one way: it has a zone of its own, by its place among them. */
function zonesOf(own: readonly Uplink[]): Zone[] {
  const plain = own.filter(one => one.dmzHost === undefined)
  return [
    { name: `${prefix}wan`, ways: plain.filter(one => one.nat), masq: '1' },
    { name: `${prefix}wan_r`, ways: plain.filter(one => !one.nat), masq: '0' },
    ...own
      .filter(one => one.dmzHost !== undefined)
      .map((one, at) => ({ name: `${prefix}dmz${at + 1}`, ways: [one], masq: one.nat ? '1' : '0' })),
  ].filter(zone => zone.ways.length > 0)
}

/** The zone by which a way comes in: one of ours for those that are made here, others are in the system's, if known. */
export function zoneOfUplink(one: DeviceUplink, all: readonly DeviceUplink[], seen: Seen): string | undefined {
  if (one.imported) return one.imported.zoneName
  const own = zonesOf(all.filter(isOurs)).find(zone => zone.ways.some(way => way.id === one.id))
  return own?.name ?? (one.network && seen?.networkRoles?.zones[one.network])
}

/** RFC 4890 section 4.3; the answers of DHCPv6 come from an address that nothing was sent to. */
const ipv6Rules = (zone: string): NativeBlock[] => [
  uciBlock(
    `firewall.${zone}_dhcpv6`,
    'rule',
    [
      ['name', `${zone} DHCPv6`],
      ['family', 'ipv6'],
      ['src', zone],
      ['proto', ['udp']],
      ['dest_port', '546'],
      ['target', 'ACCEPT'],
    ],
    { kind: 'wan' },
  ),
  uciBlock(
    `firewall.${zone}_icmpv6`,
    'rule',
    [
      ['name', `${zone} ICMPv6`],
      ['family', 'ipv6'],
      ['src', zone],
      ['proto', ['icmp']],
      ['limit', '1000/sec'],
      ['target', 'ACCEPT'],
    ],
    { kind: 'wan' },
  ),
]

/** A zone for the ways that translate addresses, one for those that do not, one for each DMZ; open to every LAN. */
export function zoneBlocks(own: readonly Uplink[], sources: readonly string[]): NativeBlock[] {
  return zonesOf(own).flatMap(({ name, ways, masq }) => [
    uciBlock(
      `firewall.${name}`,
      'zone',
      [
        ['name', name],
        ['network', ways.flatMap(one => [networkOf(one), ...(hasIpv6(one) ? [network6Of(one)] : [])])],
        ['input', 'REJECT'],
        ['output', 'ACCEPT'],
        ['forward', 'REJECT'],
        ['masq', masq],
        ['mtu_fix', '1'],
      ],
      { kind: 'wan' },
    ),
    ...sources.map(source =>
      uciBlock(
        `firewall.${name}_from_${source}`,
        'forwarding',
        [
          ['src', source],
          ['dest', name],
        ],
        { kind: 'wan' },
      ),
    ),
    ...(ways.some(hasIpv6) ? ipv6Rules(name) : []),
  ])
}
