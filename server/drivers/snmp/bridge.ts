import type { Host } from '../observation'
import { inetAddress } from './interfaces'
import {
  basePorts,
  fdb,
  ipNetToMedia,
  ipNetToPhysical,
  portVlans,
  vlanCurrent,
  vlanFdb,
  vlanFdb2,
  vlanStatic,
} from './mibs'
import type { Mib } from './table'

// BRIDGE-MIB, Q-BRIDGE-MIB and the ARP tables: which VLAN on which port, which MAC behind it. Pure.

/** ifIndex of each bridge port. */
export const bridgePorts = (mib: Mib): Map<number, string> =>
  new Map(mib.rows(basePorts).flatMap(row => (row.ifIndex ? [[Number(row.index), String(row.ifIndex)] as const] : [])))

/** Numbers of the ports in a PortList (RFC 4363): the first port is the first byte's highest bit. */
export function portList(bits: Buffer | undefined): number[] {
  const ports: number[] = []
  for (const [i, byte] of (bits ?? []).entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) ports.push(i * 8 + bit + 1)
  return ports
}

export type PortVlans = { native?: number; tagged: Set<number> }

/** VLANs by interface key: PVID, and the tagged ones from the current table, or from the static one without it. */
export function vlansByInterface(mib: Mib): Map<string, PortVlans> {
  const ports = bridgePorts(mib)
  const found = new Map<string, PortVlans>()
  const of = (port: number): PortVlans | undefined => {
    const key = ports.get(port)
    if (key === undefined) return undefined
    const known = found.get(key) ?? { tagged: new Set<number>() }
    found.set(key, known)
    return known
  }
  for (const { index, pvid } of mib.rows(portVlans)) {
    const vlans = of(Number(index))
    if (vlans && pvid !== undefined && pvid >= 0 && pvid <= 4094) vlans.native = pvid
  }
  for (const { vlan, egress, untagged } of memberships(mib)) {
    const plain = new Set(portList(untagged))
    for (const port of portList(egress)) if (!plain.has(port)) of(port)?.tagged.add(vlan)
  }
  return found
}

function memberships(mib: Mib) {
  const rows = mib.rows(vlanCurrent)
  const source = rows.length > 0 ? rows : mib.rows(vlanStatic)
  return source
    .map(row => ({ vlan: Number(row.index.split('.').at(-1)), egress: row.egress, untagged: row.untagged }))
    .filter(each => each.vlan >= 1 && each.vlan <= 4094)
}

/** The VLAN of a filtering database: by the current table, or the same number where such a VLAN exists. */
function vlanOfFdb(mib: Mib): (fdbId: number) => number | undefined {
  const byFdb = new Map<number, number>()
  const shared = new Set<number>()
  for (const { index, fdbId } of mib.rows(vlanCurrent)) {
    if (fdbId === undefined) continue
    if (byFdb.has(fdbId)) shared.add(fdbId)
    byFdb.set(fdbId, Number(index.split('.').at(-1)))
  }
  const vlans = new Set(memberships(mib).map(each => each.vlan))
  return id => (shared.has(id) ? undefined : (byFdb.get(id) ?? (vlans.has(id) ? id : undefined)))
}

/** MAC address of six numbers of an index. Group addresses and zero are no hosts. */
export function macOf(parts: number[]): string | undefined {
  if (parts.length !== 6 || parts.some(each => !(each >= 0 && each <= 255))) return undefined
  if (((parts[0] ?? 0) & 1) === 1 || parts.every(each => each === 0)) return undefined
  return parts.map(each => each.toString(16).padStart(2, '0')).join(':')
}

export type Learned = { mac: string; vlan?: number; port?: string }

const learnedStatus = 3
const managedStatus = 5

/** An entry of a forwarding table, unless it is the bridge's own or no host's. */
export function learnedEntry(
  parts: string[],
  status: number | undefined,
  port: string | undefined,
  vlan?: number,
): Learned[] {
  const mac = macOf(parts.map(Number))
  const mine = status !== undefined && status !== learnedStatus && status !== managedStatus
  return mac && !mine ? [{ mac, vlan, port }] : []
}

/** Learned entries: by VLAN where Q-BRIDGE or the maker (`more`) has them, and the plain table for what those lack. */
export function forwarding(mib: Mib, more: Learned[] = []): Learned[] {
  const ports = bridgePorts(mib)
  const vlanOf = vlanOfFdb(mib)
  // A row without its port aged out while the table was read.
  const whole = (row: { port?: number }) => row.port !== undefined
  const tagged = mib
    .rows(vlanFdb)
    .filter(whole)
    .flatMap(row => {
      const [id, ...parts] = row.index.split('.')
      return learnedEntry(parts, row.status, ports.get(row.port ?? 0), vlanOf(Number(id)))
    })
  const newer = mib
    .rows(vlanFdb2)
    .filter(whole)
    .flatMap(row => {
      const [, id, ...parts] = row.index.split('.')
      return learnedEntry(parts, row.status, ports.get(row.port ?? 0), vlanOf(Number(id)))
    })
  if (tagged.length === 0) tagged.push(...newer)
  const seen = new Set([...more, ...tagged].map(each => each.mac))
  const plain = mib
    .rows(fdb)
    .filter(whole)
    .flatMap(row => learnedEntry(row.index.split('.'), row.status, ports.get(row.port ?? 0)))
    .filter(each => !seen.has(each.mac))
  return [...more, ...tagged, ...plain]
}

type Neighbour = { mac: string; address: string; port: string }

const invalid = 2
const local = 5

/** ARP and neighbour discovery entries, each address once; `port` is the interface they were heard on. */
export function neighbours(mib: Mib): Neighbour[] {
  const found = new Map<string, Neighbour>()
  const put = (ifIndex: string, address: string | undefined, mac: string | undefined) => {
    if (address && mac && macOf(mac.split(':').map(part => Number.parseInt(part, 16))))
      found.set(`${ifIndex} ${address}`, { mac, address, port: ifIndex })
  }
  for (const { index, mac, type } of mib.rows(ipNetToMedia)) {
    const [ifIndex = '', ...address] = index.split('.')
    if (type !== invalid) put(ifIndex, address.join('.'), mac)
  }
  for (const { index, mac, type } of mib.rows(ipNetToPhysical)) {
    const [ifIndex = '', ...rest] = index.split('.')
    if (type !== invalid && type !== local) put(ifIndex, inetAddress(rest.join('.')), mac)
  }
  return [...found.values()]
}

function byMac(resolved: Neighbour[]): Map<string, Neighbour[]> {
  const found = new Map<string, Neighbour[]>()
  for (const each of resolved) {
    const known = found.get(each.mac)
    if (known) known.push(each)
    else found.set(each.mac, [each])
  }
  return found
}

/** Forwarding and address tables joined by MAC. A switch's port is where a host hangs; a router's interface is second best. */
export function hosts(learned: Learned[], resolved: Neighbour[], own: Set<string>): Host[] {
  const known = byMac(resolved)
  const seen = new Set<string>()
  const found: Host[] = []
  for (const { mac, vlan, port } of learned.filter(each => !own.has(each.mac))) {
    const base = { mac, ...(vlan !== undefined && { vlan }), ...(port !== undefined && { port }) }
    const all = known.get(mac) ?? []
    // The addresses are told once, with the first VLAN the MAC was learned in.
    const told = seen.has(mac) ? [] : all.map(each => each.address)
    if (told.length === 0) found.push({ ...base, source: all.length > 0 ? 'both' : 'fdb' })
    for (const address of told) found.push({ ...base, address, source: 'both' })
    seen.add(mac)
  }
  for (const { mac, address, port } of resolved)
    if (!seen.has(mac) && !own.has(mac)) found.push({ mac, address, port, source: 'arp' })
  return found
}
