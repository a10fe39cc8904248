import type { Host } from '../../observation'
import type { Mib } from '../protocol/table'
import { inetAddress, type Shape } from './interfaces'
import { macOf } from './mac'
import {
  basePorts,
  basePorts2,
  fdb,
  ipNetToMedia,
  ipNetToPhysical,
  portVlans,
  portVlans2,
  vlanCurrent,
  vlanCurrent2,
  vlanFdb,
  vlanFdb2,
  vlanStatic,
  vlanStatic2,
} from './mibs'
import type { ListRow } from './vendor-lists'

// BRIDGE-MIB, Q-BRIDGE-MIB and the ARP tables: which VLAN on which port, which MAC behind it. Pure.

const lastOf = (index: string) => Number(index.split('.').at(-1))

/** Rows of the first of these tables that has any. */
const firstOf = <T extends { index: string }>(...tables: T[][]): T[] => tables.find(rows => rows.length > 0) ?? []

/** ifIndex of each bridge port. */
export const bridgePorts = (mib: Mib): Map<number, string> =>
  new Map(
    firstOf(mib.rows(basePorts), mib.rows(basePorts2)).flatMap(row =>
      row.ifIndex ? [[lastOf(row.index), String(row.ifIndex)] as const] : [],
    ),
  )

const bridged = new Set<Shape['type']>(['ethernet', 'wifi', 'lag'])

/**
 * The interface of each port number that a table uses, where the numbers are not those of dot1dBasePortTable: TP-Link counts
 * its ports from 1 in the one and by ifIndex in the other. By the number at the end of the name, else by place. Without
 * any dot1dBasePortTable they are ifIndexes, if all are ones of interfaces that a bridge can have.
 */
export function portsOf(mib: Mib, shape: readonly Shape[], used: ReadonlySet<number>): Map<number, string> {
  const base = bridgePorts(mib)
  const numbers = [...used].filter(each => each > 0)
  if (numbers.length === 0 || numbers.some(each => base.has(each))) return base
  const known = new Map(shape.map(each => [each.key, each]))
  if (base.size === 0) {
    const all = numbers.every(each => bridged.has(known.get(String(each))?.type ?? 'other'))
    return all ? new Map(numbers.map(each => [each, String(each)])) : base
  }
  const keys = [...base].sort(([a], [b]) => a - b).map(([, key]) => key)
  if (Math.max(...numbers) > keys.length) return base
  const ending = (number: number) =>
    keys.filter(key => Number(/(\d+)\D*$/.exec(known.get(key)?.name ?? '')?.[1]) === number)
  return new Map(
    numbers.map(number => {
      const [only, ...others] = ending(number)
      return [number, (others.length === 0 && only) || (keys[number - 1] as string)]
    }),
  )
}

/** Numbers of the ports in a PortList (RFC 4363): the first port is the first byte's highest bit. */
export function portList(bits: Buffer | undefined): number[] {
  const ports: number[] = []
  for (const [i, byte] of (bits ?? []).entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) ports.push(i * 8 + bit + 1)
  return ports
}

export type PortVlans = { native?: number; tagged: Set<number> }

/** A vendor's own rows of VLANs and of ports, and the interface that a port of theirs is. */
export type OwnVlans = {
  vlans: readonly ListRow[]
  portVlans: readonly ListRow[]
  place: (port: string) => string | undefined
}

/** Ports of a vendor's text: `1/0/1-4,1/0/9`. */
export function portNames(words: string): string[] {
  return words.split(/[,\s]+/).flatMap(part => {
    const [, path = '', first = '', last] = /^((?:\d+\/)*)(\d+)(?:-(?:\d+\/)*(\d+))?$/.exec(part) ?? []
    if (first === '') return []
    const size = Math.min(512, Number(last ?? first) - Number(first) + 1)
    return Array.from({ length: Math.max(0, size) }, (_, i) => `${path}${Number(first) + i}`)
  })
}

/** Places of a PortList's ports, or of the ports that a text names. */
const placesOf = (list: unknown): string[] => {
  if (!Buffer.isBuffer(list)) return []
  const words = list.toString('latin1')
  return /^[\d/,\s-]*$/.test(words) && words.includes('/') ? portNames(words) : portList(list).map(String)
}

function addOwnVlans(found: Map<string, PortVlans>, { vlans, portVlans: ports, place }: OwnVlans): void {
  const of = (port: string): PortVlans | undefined => {
    const key = place(port)
    if (key === undefined) return undefined
    const known = found.get(key) ?? { tagged: new Set<number>() }
    found.set(key, known)
    return known
  }
  for (const { index, port, pvid } of ports) {
    const known = of(String(port ?? index))
    if (known && typeof pvid === 'number') known.native = pvid
  }
  for (const { index, id, tagged } of vlans)
    for (const port of placesOf(tagged)) of(port)?.tagged.add(Number(id ?? lastOf(index)))
}

/** VLANs by interface key: PVID, and the tagged ones from the current table, or from the static one without it. */
export function vlansByInterface(mib: Mib, shape: readonly Shape[], own?: OwnVlans): Map<string, PortVlans> {
  const pvids = firstOf(mib.rows(portVlans), mib.rows(portVlans2)).map(row => ({ ...row, port: lastOf(row.index) }))
  const ports = portsOf(mib, shape, new Set(pvids.map(each => each.port)))
  const found = new Map<string, PortVlans>()
  const of = (port: number): PortVlans | undefined => {
    const key = ports.get(port)
    if (key === undefined) return undefined
    const known = found.get(key) ?? { tagged: new Set<number>() }
    found.set(key, known)
    return known
  }
  for (const { port, pvid } of pvids) {
    const vlans = of(port)
    if (vlans && pvid !== undefined && pvid >= 0 && pvid <= 4094) vlans.native = pvid
  }
  for (const { vlan, egress, untagged } of memberships(mib)) {
    const plain = new Set(portList(untagged))
    for (const port of portList(egress)) if (!plain.has(port)) of(port)?.tagged.add(vlan)
  }
  if (own) addOwnVlans(found, own)
  return found
}

function memberships(mib: Mib) {
  return firstOf(mib.rows(vlanCurrent), mib.rows(vlanStatic), mib.rows(vlanCurrent2), mib.rows(vlanStatic2))
    .map(row => ({ vlan: lastOf(row.index), egress: row.egress, untagged: row.untagged }))
    .filter(each => each.vlan >= 1 && each.vlan <= 4094)
}

/** The VLAN of a filtering database: by the current table, or the same number where such a VLAN exists. */
function vlanOfFdb(mib: Mib, own: readonly number[]): (fdbId: number) => number | undefined {
  const byFdb = new Map<number, number>()
  const shared = new Set<number>()
  for (const { index, fdbId } of firstOf(mib.rows(vlanCurrent), mib.rows(vlanCurrent2))) {
    if (fdbId === undefined) continue
    if (byFdb.has(fdbId)) shared.add(fdbId)
    byFdb.set(fdbId, lastOf(index))
  }
  const vlans = new Set([...memberships(mib).map(each => each.vlan), ...own])
  return id => (shared.has(id) ? undefined : (byFdb.get(id) ?? (vlans.has(id) ? id : undefined)))
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
export function forwarding(
  mib: Mib,
  shape: readonly Shape[],
  more: Learned[] = [],
  ownVlans: readonly number[] = [],
): Learned[] {
  const used = new Set([fdb, vlanFdb, vlanFdb2].flatMap(each => mib.rows(each).map(row => row.port ?? 0)))
  const ports = portsOf(mib, shape, used)
  const vlanOf = vlanOfFdb(mib, ownVlans)
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

type Neighbour = { mac: string; address: string; port: string; stale?: true }

const invalid = 2
const local = 5
const staleState = 2

/**
 * ARP and neighbour discovery entries, each address once; `port` is the interface they were heard on. ipNetToMediaTable
 * tells no state: its devices forget by a time of their own.
 */
export function neighbours(mib: Mib): Neighbour[] {
  const found = new Map<string, Neighbour>()
  const put = (ifIndex: string, address: string | undefined, mac: string | undefined, stale = false) => {
    if (address && mac && macOf(mac.split(':').map(part => Number.parseInt(part, 16))))
      found.set(`${ifIndex} ${address}`, { mac, address, port: ifIndex, ...(stale && { stale }) })
  }
  for (const { index, mac, type } of mib.rows(ipNetToMedia)) {
    const [ifIndex = '', ...address] = index.split('.')
    if (type !== invalid) put(ifIndex, address.join('.'), mac)
  }
  for (const { index, mac, type, state } of mib.rows(ipNetToPhysical)) {
    const [ifIndex = '', ...rest] = index.split('.')
    if (type !== invalid && type !== local) put(ifIndex, inetAddress(rest.join('.')), mac, state === staleState)
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
  for (const each of resolved) if (!seen.has(each.mac) && !own.has(each.mac)) found.push({ ...each, source: 'arp' })
  return found
}
