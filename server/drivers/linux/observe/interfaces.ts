import type { Counters, Interface } from '../../observation'
import type { Parts } from '../../unix/parts'
import { unmanagedQueues } from '../../unix/tables'
import { clean, lines, mac, number, present } from '../../unix/text'
import { configuredBy } from '../base/owners'
import type { Switching } from '../base/switching'

/** One interface as /sys/class/net shows it. */
export type SysInterface = { name: string; fields: Record<string, string>; has: Set<string> }

const maxInterfaces = 4_000

/** Bridges that container and virtual machine software makes for itself: not the device's network. */
export const containerBridge = /^(docker|br-[0-9a-f]{12}$|virbr|lxc|lxd|cni|podman)/

export function sysInterfaces(text: string | undefined): SysInterface[] {
  const found: SysInterface[] = []
  for (const line of lines(text)) {
    const at = line.indexOf('=')
    const key = line.slice(0, at)
    const value = line.slice(at + 1)
    const last = found.at(-1)
    if (key === 'name') found.push({ name: clean(value, 64) ?? '', fields: {}, has: new Set() })
    else if (key === 'has') last?.has.add(value)
    else if (last) last.fields[key] = value
  }
  return found.filter(entry => entry.name !== '').slice(0, maxInterfaces)
}

/** ARPHRD_ numbers (linux/if_arp.h). */
const hardware: Record<string, Interface['type']> = {
  '772': 'loopback',
  '512': 'tunnel',
  '768': 'tunnel',
  '769': 'tunnel',
  '776': 'tunnel',
  '778': 'tunnel',
  '823': 'tunnel',
  '65534': 'tunnel',
}
const iffTun = 1
const iffUp = 1

function typeOf({ fields, has }: SysInterface, ovsBridge: boolean): Interface['type'] {
  if (has.has('bridge') || ovsBridge) return 'bridge'
  if (has.has('bonding')) return 'lag'
  if (has.has('vlan')) return 'vlan'
  if (has.has('phy80211')) return 'wifi'
  if (fields.tun_flags) return (Number(fields.tun_flags) & 3) === iffTun ? 'tunnel' : 'virtual'
  return fields.type === '1' ? 'ethernet' : (hardware[fields.type ?? ''] ?? 'other')
}

/** /proc/net/dev: 64-bit totals on every kernel since 2.6.36. */
export function parseNetDev(text: string | undefined): Map<string, Counters> {
  const found = new Map<string, Counters>()
  for (const line of lines(text).slice(2)) {
    const at = line.lastIndexOf(':')
    const columns = line
      .slice(at + 1)
      .trim()
      .split(/\s+/)
      .map(column => number(column))
    const [inOctets, inPackets, inErrors, inDiscards] = columns
    const [outOctets, outPackets, outErrors, outDiscards] = columns.slice(8)
    const counters = { inOctets, inPackets, inErrors, inDiscards, outOctets, outPackets, outErrors, outDiscards }
    if (at > 0) found.set(line.slice(0, at).trim(), present({ bits: 64 as const, ...counters }))
  }
  return found
}

/** `ls -ld` of the symbolic links: `… /sys/class/net/eth0/master -> ../br0`. */
export function parseLinks(text: string | undefined, kind: 'master' | 'phy80211'): Map<string, string> {
  const pattern = new RegExp(`/sys/class/net/([^/]+)/${kind} -> .*?([^/\\s]+)$`)
  return new Map(
    lines(text).flatMap(line => {
      const match = pattern.exec(line)
      return match?.[1] && match[2] ? [[match[1], match[2]] as [string, string]] : []
    }),
  )
}

/** `ip -o addr`: `2: eth0    inet 192.0.2.1/24 …`. */
export function parseAddresses(text: string | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of lines(text)) {
    const match = /^\d+:\s+([^\s@]+)(?:@\S+)?\s+inet6?\s+([0-9a-f.:]+(?:\/\d{1,3})?)\s/i.exec(`${line} `)
    if (!match?.[1] || !match[2]) continue
    const cidr = match[2].includes('/') ? match[2] : `${match[2]}/${match[2].includes(':') ? 128 : 32}`
    found.set(match[1], [...(found.get(match[1]) ?? []), cidr].slice(0, 64))
  }
  return found
}

/** `ip -o route show default`: names of the interfaces that it leads out of. */
export const defaultRoutes = (text: string | undefined): Set<string> =>
  new Set(lines(text).flatMap(line => [...line.matchAll(/\bdev (\S+)/g)].map(match => match[1] ?? '')))

function duplexOf(text: string | undefined): 'full' | 'half' | undefined {
  return text === 'full' || text === 'half' ? text : undefined
}

function linkOf(fields: Record<string, string>): Pick<Interface, 'adminUp' | 'up' | 'speed' | 'duplex'> {
  const flags = number(fields.flags)
  const adminUp = flags === undefined ? undefined : (flags & iffUp) === iffUp
  // Reading the carrier of an interface that is set down fails: it is down then.
  const up = fields.carrier === undefined ? (adminUp === false ? false : undefined) : fields.carrier === '1'
  if (!up) return { adminUp, up }
  // The kernel says -1 where there is no speed to tell.
  const megabits = number(fields.speed, 1, 10_000_000)
  return { adminUp, up, speed: megabits && megabits * 1_000_000, duplex: duplexOf(fields.duplex) }
}

const filteringOf = (text: string | undefined) => (text === undefined ? undefined : text === '1')

/** All interfaces, in the kernel's order. */
export function readInterfaces(
  parts: Parts,
  { bridges: ovsBridges, members }: Pick<Switching, 'bridges' | 'members'>,
): Interface[] {
  const counters = parseNetDev(parts.text('netdev'))
  const masters = parseLinks(parts.text('masters'), 'master')
  const addresses = parseAddresses(parts.text('addresses'))
  const known = parts.text('addresses') !== undefined
  const shapers = unmanagedQueues(parts.text('qdiscs'))
  const outward = defaultRoutes(parts.text('routes'))
  const configured = configuredBy(parts.text('configured'))
  return sysInterfaces(parts.text('interfaces'))
    .sort((a, b) => Number(a.fields.ifindex) - Number(b.fields.ifindex))
    .map(entry => {
      const { name, fields } = entry
      return present<Interface>({
        key: name,
        name,
        alias: clean(fields.ifalias),
        mac: mac(fields.address),
        type: typeOf(entry, ovsBridges.has(name)),
        ...linkOf(fields),
        mtu: number(fields.mtu, 1),
        addresses: known ? (addresses.get(name) ?? []) : undefined,
        counters: counters.get(name),
        // The kernel shows a datapath there, or nothing.
        master: members.get(name) ?? masters.get(name),
        shaper: shapers.get(name),
        defaultRoute: outward.has(name) || undefined,
        takesAdvertisements: entry.has.has('accept_ra') || undefined,
        openvswitch: ovsBridges.has(name) || undefined,
        vlanFiltering: filteringOf(fields['bridge/vlan_filtering']),
        configuredBy: configured.get(`name=${name}`) ?? configured.get(`index=${fields.ifindex}`),
      })
    })
}
