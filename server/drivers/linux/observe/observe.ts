import { DeviceError } from '../../driver'
import type { Facts, Host, Lease, Observation } from '../../observation'
import { command } from '../../shell'
import type { SshSession } from '../../ssh/ssh'
import { joinHosts } from '../../unix/hosts'
import { newMark, type Parts, parseParts } from '../../unix/parts'
import { readPath } from '../../unix/path'
import {
  type CpuSample,
  cpuPercent,
  hottest,
  parseArp,
  parseCpu,
  parseHealth,
  parseLeases,
  parseLldp,
  parseNeighbours,
} from '../../unix/tables'
import { lines, mac, present } from '../../unix/text'
import { parseFilters } from '../base/filters'
import { readServers } from '../base/owners'
import { readUplinks } from '../base/paths'
import { readScript } from '../base/script'
import { frontPorts, readSwitching } from '../base/switching'
import { readFacts, readUptime } from './facts'
import { readInterfaces } from './interfaces'
import { readWifi } from './read-wifi'

export type LinuxSession = {
  ssh: SshSession
  /** Put before every command where the account is not root but may become it. */
  become: string
  /** Processor ticks of the reading before. */
  cpu?: CpuSample
}

/** Runs a POSIX shell script with the rights the session has. */
export const script = (session: LinuxSession, text: string, args: string[] = [], timeoutMs?: number) =>
  session.ssh.exec(`${session.become}${command('sh', '-s', ...args)}`, { input: text, timeoutMs })

async function readParts(session: LinuxSession, depth: 'counters' | 'full'): Promise<Parts> {
  const mark = newMark()
  const words = command('sh', '-s', mark, depth, session.cpu ? '0' : '1')
  // sudo drops the variable: the login's own shell hands it on.
  const line = `${session.become}${words} "$SSH_CONNECTION"`
  return parseParts(await session.ssh.exec(line, { input: readScript, timeoutMs: 60_000 }), mark)
}

function readHealth(session: LinuxSession, parts: Parts): Observation['health'] {
  const first = parseCpu(parts.text('stat'))
  const last = parseCpu(parts.text('stat2')) ?? first
  const cpu = cpuPercent(session.cpu ?? first, last)
  session.cpu = last
  return present({
    ...parseHealth(parts.text('meminfo'), parts.text('loadavg'), parts.text('df')),
    cpuPercent: cpu,
    temperatureCelsius: hottest(parts.text('temperature')),
  })
}

/** Leases of all files; those whose MAC has a reservation in dnsmasq's configuration are marked. Absent without a lease file. */
function readLeases(parts: Parts): Lease[] | undefined {
  const text = parts.text('leases')
  if (!lines(text).includes('file')) return undefined
  const reserved = new Set(
    lines(parts.text('reservations')).flatMap(line =>
      line
        .replace(/^dhcp-host=/, '')
        .split(',')
        .flatMap(word => mac(word) ?? []),
    ),
  )
  return parseLeases(text).map(lease => (reserved.has(lease.mac) ? { ...lease, static: true } : lease))
}

function readHosts(parts: Parts, fdb: Host[], own: ReadonlySet<string>, leases: Lease[] | undefined): Host[] {
  const neighbours = parts.text('neighbours')
  const known = neighbours === undefined ? parseArp(parts.text('arp')) : parseNeighbours(neighbours)
  const names = new Map(leases?.map(lease => [lease.mac, lease.hostname]))
  return joinHosts(known, fdb, own).map(host => present({ ...host, hostname: names.get(host.mac) }))
}

const watched: [part: string, of: string][] = [
  ['neighbours', 'hosts'],
  ['lldp', 'neighbours'],
  ['ovs-interfaces', 'ports'],
  ['addresses', 'interfaces'],
]

/** A tool that is there and fails is a problem; one that is missing is not. */
function problems(parts: Parts): Observation['problems'] {
  const failed = watched.filter(([part]) => (parts.status(part) ?? 0) !== 0)
  return failed.length > 0 ? failed.map(([, part]) => ({ part, reason: 'commandFailed' })) : undefined
}

export async function observe(session: LinuxSession, depth: 'counters' | 'full'): Promise<Observation> {
  const takenAt = Date.now()
  const parts = await readParts(session, depth)
  const switching = readSwitching(parts)
  const interfaces = readInterfaces(parts, switching)
  if (interfaces.length === 0) throw new DeviceError('unsupported', 'no /sys/class/net: this is not a Linux system')
  const wifi = readWifi(parts)
  const leases = readLeases(parts)
  const own = new Set(interfaces.flatMap(one => one.mac ?? []))
  // Between full readings all of them or none: Open vSwitch's, and large ones, are not asked for then.
  const isTold = depth === 'full' || parts.status('neighbours') === 0
  const hosts = isTold ? readHosts(parts, switching.fdb, own, leases) : undefined
  const cheap = {
    takenAt,
    depth,
    uptimeSeconds: readUptime(parts),
    interfaces,
    radios: wifi.radios.length > 0 ? wifi.radios : undefined,
    bss: wifi.radios.length > 0 ? wifi.bss : undefined,
    stations: wifi.radios.length > 0 ? wifi.stations : undefined,
    health: readHealth(session, parts),
    wans: readUplinks(parts.text('ways')),
    hosts,
  }
  if (depth === 'counters') return present<Observation>(cheap)
  const ports = frontPorts(interfaces, switching, new Set(wifi.radios.flatMap(radio => radio.interface ?? [])))
  return present<Observation>({
    ...cheap,
    facts: readFacts(parts, interfaces, wifi.radios.length, ports.length),
    ports,
    account: /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/.exec(parts.text('account')?.trim() ?? '')?.[0],
    login: session.ssh.method,
    path: readPath(parts.text('connection'), parts.text('route'), interfaces, hosts),
    leases,
    filters: parts.text('filters') === undefined ? undefined : parseFilters(parts.text('filters')),
    servers: readServers(parts.text('servers')),
    managementByDhcp: parts.status('option43') === 0 || undefined,
    neighbours: parts.status('lldp') === 0 ? parseLldp(parts.text('lldp')) : undefined,
    problems: problems(parts),
  })
}

export async function facts(session: LinuxSession): Promise<Facts> {
  const seen = await observe(session, 'full')
  if (!seen.facts) throw new DeviceError('malformed', 'the device told nothing about itself')
  const open = session.ssh.method === 'none' ? ['noPassword'] : []
  return { ...seen.facts, capabilities: [...seen.facts.capabilities, ...open] }
}
