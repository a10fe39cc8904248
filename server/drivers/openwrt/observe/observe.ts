import { DeviceError } from '../../driver'
import type { Health } from '../../hardware'
import type { Facts, Host, Interface, Lease, LldpNeighbour, Observation } from '../../observation'
import { joinHosts } from '../../unix/hosts'
import { isLight } from '../../unix/leds'
import { readPath } from '../../unix/path'
import {
  cpuPercent,
  parseArp,
  parseCpu,
  parseHealth,
  parseLeases,
  parseLldp,
  parseNeighbours,
  unmanagedQueues,
} from '../../unix/tables'
import { clean, json, lines, list, mac, number, present, record } from '../../unix/text'
import { rolesOf } from '../uci/network-roles'
import { readProbe } from '../uci/probe'
import { sectionsOf } from '../uci/sections'
import type { OpenwrtSession } from '../uci/session'
import { parseSections, type Section, valuesOf } from '../uci/show'
import { openReader, type Reader } from '../uci/ubus'
import { readWatch } from '../uplinks/mwan3'
import { readFacts } from './facts'
import { boardPorts, bridgeHosts, bridgeVlans, deviceSections, readInterfaces, vlanBridges } from './interfaces'
import { readWifi, type Wifi } from './read-wifi'
import { reservationsOf } from './reservations'

type Table = Record<string, unknown>

const processor = ['cat', '/proc/loadavg', '/proc/meminfo', '/proc/stat']

async function readHealth(session: OpenwrtSession, reader: Reader, info: Table | undefined): Promise<Health> {
  const first = await reader.run(...processor)
  let now = parseCpu(first)
  let before = session.cpu
  if (!before && now) {
    before = now
    await new Promise(resolve => setTimeout(resolve, 300))
    now = parseCpu(await reader.run(...processor))
  }
  session.cpu = now
  const root = record(info?.root)
  const kilobytes = (value: unknown) => {
    const known = number(value)
    return known === undefined ? undefined : known * 1024
  }
  return present<Health>({
    ...parseHealth(first, first),
    cpuPercent: cpuPercent(before, now),
    storageTotalBytes: kilobytes(root.total),
    storageUsedBytes: kilobytes(root.used),
  })
}

const usualLeases = '/tmp/dhcp.leases'

/** dnsmasq's file (its place is an option), else what LuCI makes of it. Absent where no DHCP server keeps one. */
async function readLeases(reader: Reader, dhcp: readonly Section[], now: number): Promise<Lease[] | undefined> {
  const configured = dhcp.find(section => section.type === 'dnsmasq')?.options.leasefile
  const path = typeof configured === 'string' && configured.startsWith('/') ? configured : usualLeases
  const reserved = new Set(
    dhcp
      .filter(section => section.type === 'host')
      .flatMap(section => valuesOf(section, 'mac'))
      .flatMap(text => mac(text) ?? []),
  )
  const text = await reader.run('cat', path)
  const leases = text === undefined ? await luciLeases(reader, now) : parseLeases(text)
  return leases?.map(lease => (reserved.has(lease.mac) ? { ...lease, static: true } : lease))
}

async function luciLeases(reader: Reader, now: number): Promise<Lease[] | undefined> {
  const answer = await reader.ubus('luci-rpc', 'getDHCPLeases')
  if (!answer) return undefined
  return list(answer.dhcp_leases, 20_000)
    .map(record)
    .flatMap(entry => {
      const owner = mac(entry.macaddr)
      const address = clean(entry.ipaddr, 64)
      const seconds = number(entry.expires, 1)
      if (!owner || !address) return []
      const expiresAt = seconds && now + seconds * 1000
      return [present<Lease>({ mac: owner, address, hostname: clean(entry.hostname, 63), expiresAt })]
    })
}

/** Port names by number: `/sys/class/net/BRIDGE/brif/PORT/port_no:0x1` lines, as the numbers brctl writes. */
async function portNumbers(reader: Reader, bridge: string, members: Interface[]): Promise<Map<string, string>> {
  const files = members.map(member => `/sys/class/net/${bridge}/brif/${member.name}/port_no`)
  const text = files.length > 0 ? await reader.run('grep', '-H', '.', ...files.slice(0, 200)) : undefined
  const found = new Map<string, string>()
  for (const line of lines(text)) {
    const match = /\/([^/]+)\/port_no:(0x[0-9a-f]+)$/.exec(line)
    if (match?.[1] && match[2]) found.set(String(Number(match[2])), match[1])
  }
  return found
}

/** `hints`: names that LuCI knows besides, which take longer. */
async function readHosts(
  reader: Reader,
  interfaces: Interface[],
  leases: Lease[] | undefined,
  hints: Table | undefined,
): Promise<Host[]> {
  const bridges = interfaces.filter(one => one.type === 'bridge').slice(0, 32)
  const learnt = await Promise.all(
    bridges.map(async bridge => {
      const members = interfaces.filter(one => one.master === bridge.name)
      const [macs, numbers] = await Promise.all([
        reader.run('brctl', 'showmacs', bridge.name),
        portNumbers(reader, bridge.name, members),
      ])
      return bridgeHosts(macs, numbers, members)
    }),
  )
  const neighbours = await reader.run('ip', 'neigh')
  const known =
    neighbours === undefined ? parseArp(await reader.run('cat', '/proc/net/arp')) : parseNeighbours(neighbours)
  const names = new Map(leases?.map(lease => [lease.mac, lease.hostname]))
  for (const [address, hint] of Object.entries(hints ?? {})) {
    const owner = mac(address)
    // LuCI adds the local domain to names from the lease file.
    const name = clean(record(hint).name, 255)?.replace(/\.(lan|local)$/, '')
    if (owner && name && !names.get(owner)) names.set(owner, name)
  }
  const own = new Set(interfaces.flatMap(one => one.mac ?? []))
  return joinHosts(known, learnt.flat(), own).map(host => present({ ...host, hostname: names.get(host.mac) }))
}

async function readLeds(reader: Reader): Promise<string[]> {
  const told = await reader.ubus('luci', 'getLEDs')
  const names = told ? Object.keys(told) : lines(await reader.run('ls', '/sys/class/leds'))
  return names.filter(isLight).slice(0, 64)
}

async function readLldp(reader: Reader): Promise<LldpNeighbour[] | undefined> {
  return parseLldp(await reader.run('lldpcli', '-f', 'json0', 'show', 'neighbors'))
}

/** The variable is sshd's; dropbear sets it too. */
async function readWay(reader: Reader, interfaces: Interface[], hosts: Host[]) {
  const connection = await reader.run('sh', '-c', 'echo "$SSH_CONNECTION"')
  const peer = /^[^% ]+/.exec(connection ?? '')?.[0]
  const route = peer && (await reader.run('ip', 'route', 'get', peer))
  return readPath(connection, route, interfaces, hosts)
}

type Full = Pick<
  Observation,
  | 'facts'
  | 'leds'
  | 'ports'
  | 'vlanBridges'
  | 'networkRoles'
  | 'hosts'
  | 'leases'
  | 'neighbours'
  | 'path'
  | 'portals'
  | 'reservations'
>

async function readRest(
  reader: Reader,
  interfaces: Interface[],
  wifi: Wifi | undefined,
  dump: Table | undefined,
): Promise<Full> {
  const [board, boardText, features, dhcpText, network, firewall, leds, probe, protocols] = await Promise.all([
    reader.ubus('system', 'board'),
    reader.run('cat', '/etc/board.json'),
    reader.ubus('luci', 'getFeatures'),
    reader.run('uci', 'show', 'dhcp'),
    reader.run('uci', 'show', 'network'),
    reader.run('uci', 'show', 'firewall'),
    readLeds(reader),
    readProbe(reader),
    reader.ubus('network', 'get_proto_handlers'),
  ])
  if (!board) throw new DeviceError('unsupported', 'the system does not say what board it is')
  const boardJson = record(json(boardText))
  const dhcp = parseSections(dhcpText)
  const own = parseSections(network)
  const ports = boardPorts(boardJson, interfaces, bridgeVlans(own), deviceSections(own))
  const leases = await readLeases(reader, dhcp, Date.now())
  const told = { board, boardJson, features, dump, dhcp, probe, protocols, interfaces, leds, objects: reader.objects }
  const hosts = await readHosts(reader, interfaces, leases, await reader.ubus('luci-rpc', 'getHostHints'))
  return {
    facts: readFacts({ ...told, radios: wifi?.radios.length ?? 0, ports: ports?.length ?? 0 }),
    leds,
    ports,
    ...(probe && probe.portals.length > 0 && { portals: probe.portals }),
    ...(network !== undefined && {
      vlanBridges: vlanBridges(own),
      networkRoles: rolesOf(sectionsOf([network, dhcpText, firewall].join('\n'))),
    }),
    leases,
    ...(dhcpText !== undefined && { reservations: reservationsOf(dhcp) }),
    hosts,
    path: await readWay(reader, interfaces, hosts),
    neighbours: await readLldp(reader),
  }
}

/** Who is there, at each poll: the bridges' tables and neighbours; names where the lease file is at its usual place. */
const readNow = async (reader: Reader, interfaces: Interface[]): Promise<Pick<Full, 'hosts'>> => ({
  hosts: await readHosts(reader, interfaces, parseLeases(await reader.run('cat', usualLeases)), undefined),
})

/** What each network lies on: the port, or the VLAN of one, not the link that is dialled over it. */
const physical = (dump: Table | undefined): Map<string, string> =>
  new Map(
    list(dump?.interface, 256)
      .map(record)
      .flatMap(({ interface: label, device }) => {
        const [name, port] = [clean(label, 64), clean(device, 64)]
        return name && port ? [[name, port] as const] : []
      }),
  )

/** Which part of an observation a call feeds, for `problems`. */
const partOf = (call: string): string =>
  /^(network\.wireless|hostapd|iwinfo)/.test(call) ? 'radios' : call.startsWith('network.') ? 'interfaces' : 'other'

export async function observe(session: OpenwrtSession, depth: 'counters' | 'full'): Promise<Observation> {
  const takenAt = Date.now()
  const reader = await openReader(session.ssh)
  const [info, status, devices, dump, wifi, qdiscs] = await Promise.all([
    reader.ubus('system', 'info'),
    reader.ubus('network.device', 'status'),
    reader.ubus('luci-rpc', 'getNetworkDevices'),
    reader.ubus('network.interface', 'dump'),
    readWifi(reader),
    reader.run('tc', 'qdisc', 'show'),
  ])
  const shapers = unmanagedQueues(qdiscs)
  const interfaces = readInterfaces(status, devices, dump, wifi?.interfaces ?? new Set()).map(one =>
    present({ ...one, shaper: shapers.get(one.name) }),
  )
  const health = await readHealth(session, reader, info)
  const watch = await reader.ubus('mwan3', 'status')
  const networks = list(dump?.interface, 256)
    .map(record)
    .flatMap(({ interface: label, l3_device: l3, device }) => {
      const name = clean(label, 64)
      return name && name !== 'loopback' ? [present({ name, device: clean(l3 ?? device, 64) })] : []
    })
  const rest: Partial<Full> =
    depth === 'full' ? await readRest(reader, interfaces, wifi, dump) : await readNow(reader, interfaces)
  const uptimeSeconds = number(info?.uptime)
  const parts = [...new Set([...reader.failed].map(partOf))]
  return present<Observation>({
    takenAt,
    depth,
    uptimeSeconds,
    interfaces,
    networks: dump && networks,
    radios: wifi?.radios,
    bss: wifi?.bss,
    stations: wifi?.stations,
    health,
    wans: watch && readWatch(watch, physical(dump)),
    ...rest,
    facts: rest.facts && present({ ...rest.facts, uptimeSeconds }),
    login: session.ssh.method,
    problems: parts.length > 0 ? parts.map(part => ({ part, reason: 'commandFailed' })) : undefined,
  })
}

export async function facts(session: OpenwrtSession): Promise<Facts> {
  const seen = await observe(session, 'full')
  if (!seen.facts) throw new DeviceError('malformed', 'the device told nothing about itself')
  // A factory device lets root in without a password.
  const open = session.ssh.method === 'none' ? ['noPassword'] : []
  return { ...seen.facts, capabilities: [...seen.facts.capabilities, ...open] }
}
