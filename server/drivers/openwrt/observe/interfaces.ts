import type { Port } from '../../hardware'
import type { Counters, Host, Interface, Observation } from '../../observation'
import { clean, list, mac, number, present, record } from '../../unix/text'
import type { Vlans } from '../../unix/vlans'
import { prefix } from '../uci/package'
import { type Section, valuesOf } from '../uci/show'

type Table = Record<string, unknown>

const maxInterfaces = 1_000

function counters(statistics: Table): Counters {
  const at = (name: string) => number(statistics[name])
  return present({
    bits: 64 as const,
    inOctets: at('rx_bytes'),
    outOctets: at('tx_bytes'),
    inPackets: at('rx_packets'),
    outPackets: at('tx_packets'),
    inErrors: at('rx_errors'),
    outErrors: at('tx_errors'),
    inDiscards: at('rx_dropped'),
    outDiscards: at('tx_dropped'),
  })
}

/** netifd's `1000F`, `100H`; a link that is down keeps its last figure, so it counts only while the carrier is there. */
function speed(text: unknown): Pick<Interface, 'speed' | 'duplex'> {
  const match = /^(\d{1,7})([FH])$/.exec(typeof text === 'string' ? text : '')
  if (!match) return {}
  return { speed: Number(match[1]) * 1_000_000, duplex: match[2] === 'F' ? 'full' : 'half' }
}

/** Prefix length of a netmask, v4 or v6. */
export function prefixLength(netmask: unknown): number | undefined {
  if (typeof netmask !== 'string') return undefined
  const groups = netmask.includes(':')
    ? netmask.split(':').map(group => Number.parseInt(group || '0', 16).toString(2))
    : netmask.split('.').map(group => Number(group).toString(2))
  const ones = groups.join('').replaceAll('0', '').length
  return ones <= 128 ? ones : undefined
}

/** luci-rpc getNetworkDevices: addresses with netmasks. */
function deviceAddresses(device: Table): string[] {
  return [...list(device.ipaddrs, 64), ...list(device.ip6addrs, 64)].map(record).flatMap(entry => {
    const address = clean(entry.address, 64)
    const length = prefixLength(entry.netmask)
    return address && length !== undefined ? [`${address}/${length}`] : []
  })
}

/** `network.interface dump`: addresses of the logical interfaces by their device; assigned prefixes have their own field. */
function dumpAddresses(dump: Table | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const entry of list(dump?.interface, 256).map(record)) {
    const own = [...list(entry['ipv4-address'], 64), ...list(entry['ipv6-address'], 64)].map(record)
    const delegated = list(entry['ipv6-prefix-assignment'], 64).map(value => record(record(value)['local-address']))
    const device = clean(entry.l3_device, 64)
    for (const { address, mask } of [...own, ...delegated] as Table[]) {
      const text = clean(address, 64)
      if (device && text && typeof mask === 'number')
        found.set(device, [...(found.get(device) ?? []), `${text}/${mask}`])
    }
  }
  return found
}

function typeOf(name: string, device: Table, wireless: ReadonlySet<string>): Interface['type'] {
  if (wireless.has(name) || device.devtype === 'wlan') return 'wifi'
  if (name === 'lo') return 'loopback'
  const known: Record<string, Interface['type']> = {
    bridge: 'bridge',
    bonding: 'lag',
    vlan: 'vlan',
    'VLAN (802.1q)': 'vlan',
    '8021q': 'vlan',
    '8021ad': 'vlan',
    tunnel: 'tunnel',
    wireguard: 'tunnel',
    ppp: 'tunnel',
    veth: 'virtual',
    macvlan: 'virtual',
  }
  const told = known[String(device.devtype)] ?? known[String(device.type)]
  if (told) return told
  if (/^(tun|wg|ppp|gre|sit|ip6tnl|teql|ifb|erspan)/.test(name)) return 'tunnel'
  return device.devtype === 'ethernet' || device.type === 'Network device' ? 'ethernet' : 'other'
}

/**
 * `network.device status` tells link and counters of everything netifd knows; luci-rpc, where LuCI is, the addresses
 * with their masks. `wireless`: the access points' interfaces.
 */
export function readInterfaces(
  status: Table | undefined,
  devices: Table | undefined,
  dump: Table | undefined,
  wireless: ReadonlySet<string>,
): Interface[] {
  const fallback = dumpAddresses(dump)
  const masters = new Map<string, string>()
  for (const [bridge, value] of Object.entries(status ?? {})) {
    for (const member of list(record(value)['bridge-members'], maxInterfaces)) masters.set(String(member), bridge)
  }
  return Object.entries(status ?? {})
    .slice(0, maxInterfaces)
    .filter(([, value]) => record(value).present !== false)
    .map(([key, value]) => {
      const device = record(value)
      const name = clean(key, 64) ?? ''
      const up = typeof device.carrier === 'boolean' ? device.carrier : undefined
      const addressed = devices && key in devices ? deviceAddresses(record(devices[key])) : fallback.get(key)
      return present<Interface>({
        key: name,
        name,
        mac: mac(device.macaddr),
        type: typeOf(name, device, wireless),
        adminUp: typeof device.up === 'boolean' ? device.up : undefined,
        up,
        ...(up && !wireless.has(name) ? speed(device.speed) : {}),
        mtu: number(device.mtu, 1),
        spanningTree: record(device['bridge-attributes']).stp === true || undefined,
        addresses: addressed ?? (devices || dump ? [] : undefined),
        counters: device.statistics ? counters(record(device.statistics)) : undefined,
        master: masters.get(key),
      })
    })
}

/** `bridge-vlan` sections of /etc/config/network: `lan1:u*` is untagged with PVID, `lan2:t` tagged. */
export function bridgeVlans(network: readonly Section[]): Map<string, Vlans> {
  const found = new Map<string, Vlans>()
  for (const section of network.filter(({ type }) => type === 'bridge-vlan')) {
    const vlan = number(section.options.vlan, 1, 4_094)
    if (vlan === undefined) continue
    for (const text of valuesOf(section, 'ports').slice(0, 256)) {
      const [name = '', flags = ''] = text.split(':')
      const vlans: Vlans = found.get(name) ?? { taggedVlans: [] }
      if (flags.includes('t')) vlans.taggedVlans?.push(vlan)
      else vlans.nativeVlan = vlan
      if (flags.includes('*')) vlans.nativeVlan = vlan
      found.set(name, vlans)
    }
  }
  return found
}

/** Of bridges that tell VLANs apart what the device's own sections say. */
export function vlanBridges(network: readonly Section[]): NonNullable<Observation['vlanBridges']> {
  const own = network.filter(one => one.type === 'bridge-vlan' && !one.name.startsWith(prefix))
  const names = new Set(own.flatMap(one => valuesOf(one, 'device').slice(0, 1)))
  return [...names].slice(0, 32).map(name => {
    const sections = own.filter(one => valuesOf(one, 'device')[0] === name)
    const vlans = sections.flatMap(one => number(one.options.vlan, 1, 4_094) ?? [])
    return { name, vlans: [...new Set(vlans)], ports: Object.fromEntries(bridgeVlans(sections)) }
  })
}

/** Sections of the system's own that set a single device: its address, its speed. By the device's name. */
export const deviceSections = (network: readonly Section[]): Map<string, string> =>
  new Map(
    network
      .filter(one => one.type === 'device' && !one.name.startsWith(prefix) && one.options.type === undefined)
      .flatMap(one => valuesOf(one, 'name').map(name => [name, `network.${one.name}`] as const)),
  )

/** The sockets on the case, LAN first, as /etc/board.json names them. Boards with a swconfig switch name no devices: absent. */
export function boardPorts(
  board: Table,
  interfaces: Interface[],
  vlans: ReadonlyMap<string, Vlans>,
  sections: ReadonlyMap<string, string> = new Map(),
): Port[] | undefined {
  const networks = Object.entries(record(board.network)).map(([role, value]) => ({ role, ...record(value) }))
  const names = networks
    .sort((a, b) => Number(a.role !== 'lan') - Number(b.role !== 'lan'))
    .flatMap(({ role, ...network }) => {
      const { ports, device } = network as Table
      const devices = Array.isArray(ports) ? list(ports, 64) : [device]
      return devices.flatMap(one => (typeof one === 'string' ? [{ name: one, role }] : []))
    })
    .filter(({ name }) => interfaces.some(one => one.name === name && one.type === 'ethernet'))
  if (board.switch !== undefined || names.length === 0) return undefined
  return names.map(({ name, role }, at) =>
    present<Port>({
      number: at + 1,
      interface: name,
      label: /^(lan|wan|port)\d*$/i.test(name) ? name : role === 'lan' ? name : `${role} (${name})`,
      ...vlans.get(name),
      configuredBy: sections.get(name),
    }),
  )
}

/**
 * `brctl showmacs` of one bridge. Port numbers are told by /sys, else by the members' own MACs (`is local? yes`) where
 * no two members share theirs.
 */
export function bridgeHosts(
  showmacs: string | undefined,
  numbers: ReadonlyMap<string, string>,
  members: Interface[],
): Host[] {
  const rows = (showmacs ?? '')
    .split('\n')
    .slice(1, 20_000)
    .map(line => line.trim().split(/\s+/))
  const ports = new Map(numbers)
  for (const [port = '', hardware, local] of rows) {
    const owners = members.filter(member => member.mac === hardware)
    if (local === 'yes' && owners.length === 1 && owners[0] && !ports.has(port)) ports.set(port, owners[0].name)
  }
  return rows.flatMap(([port = '', hardware, local]) => {
    const owner = mac(hardware)
    return owner && local === 'no' ? [present<Host>({ mac: owner, port: ports.get(port), source: 'fdb' })] : []
  })
}
