import { type DhcpOption, dhcpOptions, optionWords } from '../../unix/dhcp-options'
import type { Announced } from '../../unix/gate-api'
import { pageAddress } from '../../unix/gate-page'
import { addressing, type LanNetwork, uniqueLocalPrefix } from '../../unix/lans'

export const dhcpPath = (name: string) => `/etc/lanward/dhcp-${name}.conf`
export const dhcpUnitPath = '/etc/systemd/system/lanward-dhcp@.service'
export const dhcpUnit = (name: string) => `lanward-dhcp@${name}.service`

/**
 * One process a network: bound to one interface it shares the ports with any other server that does so too. The
 * condition keeps a start that was queued at boot from running on files that were put back a moment before.
 */
export const dhcpUnitText = `[Unit]
Description=DHCP and DNS on %i, as set in Lanward
After=network.target lanward-vlans.service
ConditionPathExists=/etc/lanward/dhcp-%i.conf
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/sbin/dnsmasq --keep-in-foreground --conf-file=/etc/lanward/dhcp-%i.conf
Restart=on-failure
RestartSec=2
`

const optionLine = (option: DhcpOption): string => `dhcp-option=${optionWords(option)}`

const hostLine = ({ mac, address, name }: LanNetwork['leases'][number]) =>
  `dhcp-host=${[mac, address, ...(name ? [name] : [])].join(',')}`

function dhcpLines(network: LanNetwork, announced: Announced | undefined): string[] {
  const { mask } = addressing(network)
  return [
    `dhcp-range=${network.poolStart},${network.poolEnd},${mask},${network.lease}m`,
    'dhcp-authoritative',
    ...(network.domain ? [`domain=${network.domain}`] : []),
    ...dhcpOptions(network, announced && [announced.option]).map(optionLine),
    ...network.leases.map(hostLine),
  ]
}

/** Whether clients of the network are given anything. */
export const isServed = (network: LanNetwork): boolean => network.dhcp || network.ipv6 !== 'off'

/** Clients always make addresses of their own (RFC 4862); `dhcp6`: they may ask for one, too. */
function ipv6Lines(network: LanNetwork, name: string): string[] {
  if (network.ipv6 === 'off') return []
  const own = network.ipv6 === 'ula'
  // A prefix that may change is taken from the interface.
  const at = (end: string) => (own ? `${uniqueLocalPrefix(network)}::${end}` : `::${end}`)
  const from = own ? '' : `,constructor:${name}`
  const range = network.dhcp6
    ? `${at('1000')},${at('1fff')}${from},slaac,64,${network.lease}m`
    : `${at('')}${from},ra-stateless,64`
  return ['enable-ra', `dhcp-range=${range}`]
}

/** A name that is known here alone: whoever answers for it elsewhere may mean another machine. */
const nameLines = ({ name, address }: Pick<Announced, 'name' | 'address'>) => [
  `host-record=${name},${address}`,
  `local=/${name}/`,
]

/** `servers`: where names come from, without any from the system's resolver. */
type Told = {
  servers: readonly string[]
  /** Lines by which it tells the packet filter what it answers. */
  follow?: readonly string[]
  announced?: Announced | undefined
  /** By which name guests find their page. */
  page?: string | undefined
  /** What clients ask for is logged, with who asks. */
  recorded?: boolean
}

/** A log that stands still does not hold up the answers: lines are lost instead, and counted. */
const recordLines = ['log-queries=extra', 'log-async=100']

/** dnsmasq's configuration for one network on its interface. */
export function dnsmasqConf(
  network: LanNetwork,
  name: string,
  { servers, follow = [], announced, page, recorded }: Told,
): string {
  const lines = [
    '# Written by Lanward. Changes made here are replaced.',
    `interface=${name}`,
    'except-interface=lo',
    'bind-dynamic',
    `pid-file=/run/lanward-dhcp-${name}.pid`,
    `dhcp-leasefile=/var/lib/misc/lanward-${name}.leases`,
    ...(network.dhcp ? dhcpLines(network, announced) : []),
    ...(servers.length > 0 ? ['no-resolv', ...servers.map(server => `server=${server}`)] : []),
    ...ipv6Lines(network, name),
    ...(announced ? nameLines(announced) : []),
    ...(page === undefined ? [] : nameLines({ name: page, address: pageAddress })),
    ...follow,
    ...(recorded ? recordLines : []),
  ]
  return `${lines.join('\n')}\n`
}
