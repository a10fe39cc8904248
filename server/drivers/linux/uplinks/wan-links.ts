import { hasIpv6 } from '@/model/internet/wan'
import type { NativeBlock, RenderInput } from '../../driver'
import { linkName } from '../../unix/link-name'
import { marked } from '../../unix/secret'
import { uplinks } from '../../unix/uplinks'
import { nameServers, type Uplink, wans } from '../../unix/wans'
import type { ImportedItem } from '../../unmanaged'
import { fileBlock } from '../area/area'
import { forwardingBlock } from '../area/forwarding'
import { importedLink, linkBlock } from '../area/imported'
import { startPath } from '../base/oneshot'
import type { Addressing } from '../unmanaged/links'

export const wanPath = (name: string): string => `/etc/systemd/network/05-lanward-wan-${name}.network`
export const vlanPath = (name: string): string => `/etc/systemd/network/05-lanward-wan-${name}.netdev`
export const pppoePath = (name: string): string => `/etc/lanward/pppoe-${name}.conf`
export const pppoeUnit = (name: string): string => `lanward-pppoe@${name}.service`
export const pppoeUnitPath = '/etc/systemd/system/lanward-pppoe@.service'

/** What carries the frames: the interface, or the VLAN on it, whose link's name has both: two providers may use one number. */
const carrierOf = ({ interface: name, vlan }: Pick<Uplink, 'interface' | 'vlan'>): string =>
  vlan === undefined ? name : linkName('wan', `${vlan}-${name}`)

/** The link that pppd makes over a carrier. */
export const pppoeLink = (carrier: string): string => linkName('pppoe-', carrier)

/** The interface that carries the traffic. */
export const linkOf = (one: Pick<Uplink, 'interface' | 'vlan' | 'connection'>): string =>
  one.connection === 'pppoe' ? pppoeLink(carrierOf(one)) : carrierOf(one)

const head = '# Written by Lanward. Changes made here are replaced.'
const text = (...lines: string[]) => `${[head, ...lines].join('\n')}\n`
const match = (name: string) => ['[Match]', `Name=${name}`, '', '[Link]', 'RequiredForOnline=no', '', '[Network]']

// Behind every route that somebody else set: which way is taken is decided by the script's own table.
const metricOf = ({ metric }: Uplink) => 1024 + metric

/** Sections beside [Network], by name; a line in them is `Key=value`. */
type Sections = Record<string, string[]>

/** The IPv6 half: `network` are lines of [Network]. */
function ipv6Of(one: Uplink): { network: string[]; sections: Sections } {
  if (!hasIpv6(one)) return { network: [], sections: {} }
  if (one.ipv6 === 'static')
    return {
      network: ['LinkLocalAddressing=ipv6', 'IPv6AcceptRA=no', `Address=${one.address6}/${one.prefix6}`],
      sections: { Route: [`Gateway=${one.gateway6}`, 'GatewayOnLink=yes', `Metric=${metricOf(one)}`] },
    }
  return {
    network: ['LinkLocalAddressing=ipv6', 'IPv6AcceptRA=yes'],
    sections: {
      // Many a provider's router announces itself without the flag that sends clients to DHCPv6.
      IPv6AcceptRA: ['DHCPv6Client=always', `RouteMetric=${metricOf(one)}`],
      DHCPv6: [`PrefixDelegationHint=::/${one.delegatedLength}`, 'WithoutRA=solicit'],
    },
  }
}

const sectionLines = (sections: Sections) =>
  Object.entries(sections).flatMap(([name, lines]) => ['', `[${name}]`, ...lines])

/** DHCP= takes one word for both versions; a fixed way asks nobody for IPv4. */
function dhcpWord(one: Uplink): string[] {
  const v4 = one.connection === 'dhcp'
  const v6 = hasIpv6(one) && one.ipv6 === 'auto'
  return v4 && v6 ? ['DHCP=yes'] : v4 ? ['DHCP=ipv4'] : v6 ? ['DHCP=ipv6'] : []
}

function addressLines(one: Uplink): string[] {
  const own = nameServers([one])
  const { network, sections } = ipv6Of(one)
  const isStatic = one.connection === 'static'
  return [
    ...dhcpWord(one),
    ...(isStatic ? [`Address=${one.address}/${one.prefix}`] : []),
    // What pppd has set is not networkd's to take away.
    ...(one.connection === 'pppoe' ? ['KeepConfiguration=yes'] : []),
    ...network,
    ...own.map(server => `DNS=${server}`),
    ...(isStatic ? ['', '[Route]', `Gateway=${one.gateway}`, `Metric=${metricOf(one)}`] : []),
    ...(one.connection === 'dhcp'
      ? ['', '[DHCPv4]', `RouteMetric=${metricOf(one)}`, ...(own.length > 0 ? ['UseDNS=no'] : [])]
      : []),
    ...sectionLines(sections),
  ]
}

/** A word of pppd's options file: quotes and backslashes are escaped (pppd(8), OPTIONS FILES). */
const word = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`

/** pppd's options. Debian's plugin keeps its old name beside the new one. */
const pppoeText = (one: Uplink): string =>
  text(
    'plugin rp-pppoe.so',
    ...(one.service ? [`rp_pppoe_service ${word(one.service)}`] : []),
    `nic-${carrierOf(one)}`,
    `ifname ${linkOf(one)}`,
    `user ${word(one.user ?? '')}`,
    `password ${marked(word(one.password ?? ''))}`,
    ...['noauth', 'hide-password', 'noipdefault', 'nodefaultroute', 'persist', 'maxfail 0', 'holdoff 5'],
    ...['lcp-echo-interval 10', 'lcp-echo-failure 3', `mtu ${one.mtu}`, `mru ${one.mtu}`],
    ...['noaccomp', 'nopcomp', 'nobsdcomp', 'nodeflate', 'novj', hasIpv6(one) ? '+ipv6' : 'noipv6'],
  )

/** The condition keeps a start that was queued at boot from running on files that were put back a moment before. */
const pppoeUnitText = `[Unit]
Description=PPPoE on %i, as set in Lanward
After=network.target systemd-networkd.service
ConditionPathExists=/etc/lanward/pppoe-%i.conf
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/sbin/pppd nodetach file /etc/lanward/pppoe-%i.conf
Restart=always
RestartSec=5
`

function pppoeBlocks(one: Uplink, tags: readonly string[], about: Partial<NativeBlock>): NativeBlock[] {
  const carrier = carrierOf(one)
  return [
    fileBlock(pppoePath(carrier), pppoeText(one), about),
    fileBlock(startPath(`lanward-pppoe-${carrier}`), `[Unit]\nWants=${pppoeUnit(carrier)}\n`, about),
    // Up, and nothing more: what is sent on it are pppd's frames.
    fileBlock(wanPath(carrier), text(...match(carrier), ...tags, 'LinkLocalAddressing=no'), about),
    ...(hasIpv6(one)
      ? [fileBlock(wanPath(linkOf(one)), text(...match(linkOf(one)), ...addressLines(one)), about)]
      : []),
  ]
}

/** The carrier as a VLAN of networkd. */
function tagBlocks(one: Uplink, about: Partial<NativeBlock>): NativeBlock[] {
  if (one.vlan === undefined) return []
  const carrier = carrierOf(one)
  // IEEE 802.1p: all that leaves has the kernel's priority 0, which the frame's tag turns into the one wanted.
  const priority = one.vlanPriority === undefined ? [] : [`EgressQOSMaps=0-${one.vlanPriority}`]
  return [
    fileBlock(
      vlanPath(carrier),
      text('[NetDev]', `Name=${carrier}`, 'Kind=vlan', '', '[VLAN]', `Id=${one.vlan}`, ...priority),
      about,
    ),
  ]
}

/** VLANs of ways on the interface of this one, as its file names them. */
const tagsOn = (name: string, all: readonly Uplink[]): string[] =>
  all.filter(one => one.interface === name && one.vlan !== undefined).map(one => `VLAN=${carrierOf(one)}`)

/** An interface that carries tagged ways and is none itself. */
function carriersOf(all: readonly Uplink[]): NativeBlock[] {
  const first = all.filter(
    (one, at) =>
      one.vlan !== undefined &&
      all.findIndex(other => other.interface === one.interface) === at &&
      !all.some(other => other.interface === one.interface && other.vlan === undefined),
  )
  return first.map(one =>
    fileBlock(
      wanPath(one.interface),
      text(...match(one.interface), ...tagsOn(one.interface, all), 'LinkLocalAddressing=no'),
      { kind: 'wan', document: one.id },
    ),
  )
}

/** Somebody else's file for the interface, where it was imported and can say the way. */
export const importedFor = (one: Uplink, imported: RenderInput['imported']): ImportedItem | undefined =>
  one.vlan === undefined && (one.connection === 'dhcp' || one.connection === 'static')
    ? importedLink(imported, one.interface)
    : undefined

const addressingOf = ({ connection, address = '', prefix = 0, gateway }: Uplink): Addressing =>
  connection === 'dhcp' ? { connection } : { connection: 'static', address, prefix, ...(gateway && { gateway }) }

/** A way of ours: how it is addressed, and the VLAN it may be in. */
function linkBlocks(one: Uplink, all: readonly Uplink[], imported: RenderInput['imported']): NativeBlock[] {
  const about = { kind: 'wan', document: one.id }
  const item = importedFor(one, imported)
  if (item) return [linkBlock(item, addressingOf(one), about)]
  const tags = one.vlan === undefined ? tagsOn(one.interface, all) : []
  const own =
    one.connection === 'pppoe'
      ? pppoeBlocks(one, tags, about)
      : [fileBlock(wanPath(linkOf(one)), text(...match(linkOf(one)), ...tags, ...addressLines(one)), about)]
  return [...own, ...tagBlocks(one, about)]
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9._@:-]*$/

/**
 * Ways out on which the kernel itself takes IPv6 from routers: not those that are set here, since networkd does it there and
 * tells the kernel to stop.
 */
export function kernelUplinks({ documents, observation: seen, imported }: RenderInput): string[] {
  const all = wans(documents)
  const kept = all.filter(one => one.connection === 'kept').map(linkOf)
  const ours = all
    .filter(one => one.connection !== 'kept' && !importedFor(one, imported))
    .flatMap(one => [one.interface, carrierOf(one), linkOf(one)])
  const told = (seen?.interfaces ?? []).filter(one => one.takesAdvertisements && plainName.test(one.name))
  const out = [...kept, ...uplinks(seen?.interfaces).filter(name => !ours.includes(name))]
  return told
    .map(one => one.name)
    .filter(name => out.includes(name))
    .toSorted()
}

/** Interfaces behind which nobody sees who of a LAN sends. */
export function translated({ observation, documents }: Pick<RenderInput, 'observation' | 'documents'>): string[] {
  const ways = wans(documents)
  const open = ways.filter(one => !one.nat).map(linkOf)
  return [...uplinks(observation?.interfaces), ...ways.map(linkOf)].filter(one => !open.includes(one))
}

/** Files of the ways that are set here, and of what starts them. */
export function uplinkBlocks(own: readonly Uplink[], input: RenderInput): NativeBlock[] {
  const imported = input.imported
  const about = { kind: 'wan' }
  const ours = own.filter(one => !importedFor(one, imported))
  return [
    ...own.flatMap(one => linkBlocks(one, own, imported)),
    ...carriersOf(own),
    ...(ours.length > 0
      ? [
          fileBlock(startPath('lanward-wan-networkd'), '[Unit]\nWants=systemd-networkd.service\n', about),
          forwardingBlock('wan', ours.some(hasIpv6), kernelUplinks(input)),
        ]
      : []),
    ...(own.some(one => one.connection === 'pppoe') ? [fileBlock(pppoeUnitPath, pppoeUnitText, about)] : []),
  ]
}
