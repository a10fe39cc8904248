import { intern, internText } from '@/server/kernel/intern'
import type { Counters, Interface } from '../../observation'
import type { Mib, RowsOf } from '../protocol/table'
import {
  duplex,
  type ifHigh,
  type ifLow,
  ifNames,
  ifStack,
  type ifState,
  ifTable,
  ipAddressTable,
  ipAddrTable,
  lagPorts,
} from './mibs'

// IF-MIB and IP-MIB into interfaces. Pure.

type Type = Interface['type']

/** IANAifType numbers that say what it is by themselves. 6 and 1 say little: then the name decides. */
const types: Record<number, Type> = {
  7: 'ethernet',
  23: 'tunnel',
  24: 'loopback',
  26: 'ethernet',
  53: 'virtual',
  54: 'lag',
  62: 'ethernet',
  69: 'ethernet',
  71: 'wifi',
  117: 'ethernet',
  131: 'tunnel',
  135: 'vlan',
  136: 'vlan',
  142: 'virtual',
  150: 'tunnel',
  157: 'wifi',
  161: 'lag',
  209: 'bridge',
}

const names: readonly (readonly [RegExp, Type])[] = [
  [/^(lo|loopback|inloopback)\d*$/i, 'loopback'],
  [/^(vl|vlan|vlanif|vlan-interface|ve|irb|svi|bvi)[ ._-]?\d*$|vlan\d*$|^vlan\b|802\.1q/i, 'vlan'],
  [/^(eth|en|wan|lan|ath|wlan|bond|br|ra|ge|xe|et)[\w/:-]*\.\d+$|^[\w/-]*ethernet[\d/]+\.\d+$/i, 'vlan'],
  [/^(br|bridge|virbr|br-\w+|ovs-br|docker)\d*$/i, 'bridge'],
  [
    /^(po|port-?channel|bond|team|lag|ae|trk|eth-trunk|bridge-aggregation|aggr?|ag|link aggregate|lacp|ch)[ _-]?\d+/i,
    'lag',
  ],
  [
    /^(tun|tap|gre|sit|ipip|wg|ppp|vti|erspan|ip6tnl|gretap|l2tp|pptp|pppoe|vxlan|ipsec)[-_.]?\d+|^tunnel|^ssl\.|teredo|isatap|6to4|wan miniport/i,
    'tunnel',
  ],
  [/^(ath|wlan|wifi|ra|rai|apcli|wl|dot11radio|radio|vap|wbr)\d/i, 'wifi'],
  [
    /^(null|nu|cpu|dummy|ifb|imq|teql|vnet|vqos|miireg|bcm|modem|console|async|con|aux|stack-?port|stack)[\d/ ._-]*$|^(veth|switch cpu|npu\d?_?vlink)|loopback pseudo|-(qos|wfp|ndis|npcap)\b|packet (filter|scheduler)|lightweight filter|kernel debug/i,
    'virtual',
  ],
]

export function typeOf(name: string, description: string, ifType: number | undefined): Type {
  const certain = types[ifType ?? 0]
  const vague = certain === undefined || certain === 'virtual' || certain === 'ethernet'
  if (!vague) return certain
  const byName = names.find(([pattern]) => pattern.test(name) || (description !== '' && pattern.test(description)))?.[1]
  if (byName) return byName
  if (ifType === 6) return 'ethernet'
  return certain ?? 'other'
}

/** What seldom changes: kept between readings. `connector` and `notPresent` are for the panel. */
export type Shape = Pick<
  Interface,
  'key' | 'name' | 'alias' | 'mac' | 'type' | 'mtu' | 'master' | 'addresses' | 'duplex'
> & {
  ifType?: number
  connector?: boolean
  notPresent?: boolean
  description: string
}

const noMac = '00:00:00:00:00:00'

function shapeOf(
  key: string,
  row: RowsOf<typeof ifTable>[number] | undefined,
  x: RowsOf<typeof ifNames>[number] | undefined,
) {
  const description = internText(row?.descr ?? '')
  const name = internText((x?.name || description || key).slice(0, 255))
  const shape: Shape = {
    key: internText(key),
    name,
    description,
    type: typeOf(name, description, row?.type),
    ifType: row?.type,
  }
  if (x?.alias) shape.alias = internText(x.alias)
  if (row?.mac && row.mac !== noMac) shape.mac = row.mac
  if (row?.mtu && row.mtu > 0) shape.mtu = row.mtu
  if (x?.connector) shape.connector = x.connector === 1
  if (row?.operStatus === notPresent) shape.notPresent = true
  return shape
}

/** ifOperStatus of a place that is empty: a cage, or a unit of a stack. */
const notPresent = 6

const duplexes: Record<number, Interface['duplex']> = { 2: 'half', 3: 'full' }

/** Every interface of ifTable and ifXTable, by ifIndex. */
export function shapes(mib: Mib): Shape[] {
  const known = new Map(mib.rows(ifTable).map(row => [row.index, row]))
  const named = new Map(mib.rows(ifNames).map(row => [row.index, row]))
  const duplexOf = new Map(mib.rows(duplex).map(row => [row.index, duplexes[row.status ?? 0]]))
  const masters = mastersOf(mib)
  const addresses = addressesOf(mib)
  const keys = [...new Set([...known.keys(), ...named.keys()])].sort((a, b) => Number(a) - Number(b))
  const found = keys.map(key => shapeOf(key, known.get(key), named.get(key)))
  const nameOf = new Map(found.map(each => [each.key, each.name]))
  for (const each of found) {
    const own = addresses.get(each.key)
    if (own) each.addresses = own
    const half = duplexOf.get(each.key)
    if (half) each.duplex = half
    const master = masters.get(each.key)
    if (master && master !== each.key && nameOf.has(master)) each.master = nameOf.get(master)
  }
  return found
}

/** What a poll needs of them: a full reading holds the rest, and most devices then share one list. */
export const polledShapes = (found: readonly Shape[]): readonly Shape[] =>
  intern(
    found.map(({ key, name, type, duplex }) =>
      intern<Shape>({ key, name, type, description: '', ...(duplex && { duplex }) }),
    ),
  )

// A port stacked directly below a LAG or bridge belongs to it; IEEE8023-LAG-MIB says it plainly where it exists.
function mastersOf(mib: Mib): Map<string, string> {
  const masters = new Map<string, string>()
  const kinds = new Map(mib.rows(ifTable).map(row => [row.index, row.type]))
  for (const { index } of mib.rows(ifStack)) {
    const [higher = '0', lower = '0'] = index.split('.')
    const kind = kinds.get(higher)
    if (higher !== '0' && lower !== '0' && (kind === 161 || kind === 54 || kind === 209)) masters.set(lower, higher)
  }
  for (const { index, attached } of mib.rows(lagPorts)) if (attached) masters.set(index, String(attached))
  return masters
}

/** Bits of a mask, undefined when it is no mask. */
export function prefixOf(mask: string): number | undefined {
  const value = mask.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const bits = value.toString(2).padStart(32, '0')
  const zeros = bits.indexOf('0')
  return /^1*0*$/.test(bits) ? (zeros < 0 ? 32 : zeros) : undefined
}

function addressesOf(mib: Mib): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  const put = (ifIndex: number | undefined, address: string) => {
    if (!ifIndex || address.startsWith('0.0.0.0') || /^::(\/|$)/.test(address)) return
    const key = String(ifIndex)
    found.set(key, (found.get(key) ?? new Set()).add(address))
  }
  for (const { index, ifIndex, mask } of mib.rows(ipAddrTable)) {
    const bits = mask === undefined ? undefined : prefixOf(mask)
    put(ifIndex, bits === undefined ? index : `${index}/${bits}`)
  }
  const v4 = new Set(mib.rows(ipAddrTable).map(row => row.index))
  for (const { index, ifIndex, type, prefix } of mib.rows(ipAddressTable)) {
    const address = inetAddress(index)
    // type 1 unicast; anycast and broadcast are not the interface's own.
    if (!address || (type !== undefined && type !== 1) || v4.has(address)) continue
    const bits = prefix && prefix !== '0.0' ? prefix.split('.').at(-1) : undefined
    put(ifIndex, bits === undefined ? address : `${address}/${bits}`)
  }
  return new Map([...found].map(([key, set]) => [key, [...set]]))
}

/** An InetAddressType and InetAddress in an index (RFC 4001): type.length.bytes. Zones are cut off. */
export function inetAddress(index: string): string | undefined {
  const [type = 0, length = 0, ...bytes] = index.split('.').map(Number)
  if (bytes.length < length) return undefined
  if (type === 1 || type === 3) return length === 4 || length === 8 ? bytes.slice(0, 4).join('.') : undefined
  if (type === 2 || type === 4) return length === 16 || length === 20 ? ipv6(bytes.slice(0, 16)) : undefined
  return undefined
}

/** Canonical text of 16 bytes (RFC 5952). */
export function ipv6(bytes: number[]): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  )
  const zeros = [...groups.join(':').matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length)[0]
  const text = groups.join(':')
  if (!zeros) return text
  const start = zeros.index
  return `${text.slice(0, start)}::${text.slice(start + zeros[0].length).replace(/^:/, '')}`
}

export type State = {
  state: RowsOf<typeof ifState>
  high: RowsOf<typeof ifHigh>
  low: RowsOf<typeof ifLow>
  /** ifLastChange by interface key: in full readings only. */
  changes: Map<string, number | undefined>
}

/** Field by field: a copy without some of them is ten times slower, and this is done for every interface of every poll. */
function interfaceOf({ key, name, type, alias, mac, mtu, master, addresses, duplex }: Shape, up?: boolean): Interface {
  const made: Interface = { key, name, type }
  if (alias) made.alias = alias
  if (mac) made.mac = mac
  if (mtu) made.mtu = mtu
  if (master) made.master = master
  if (addresses) made.addresses = addresses
  if (up && duplex) made.duplex = duplex
  return made
}

/** Interfaces as they are now: what seldom changes, with the state and counters of one reading. */
export function interfaces(shape: readonly Shape[], read: State, upTimeTicks: number | undefined): Interface[] {
  const states = new Map(read.state.map(row => [row.index, row]))
  const highs = new Map(read.high.map(row => [row.index, row]))
  const lows = new Map(read.low.map(row => [row.index, row]))
  return shape.map(known => {
    const state = states.get(known.key)
    const high = highs.get(known.key)
    const low = lows.get(known.key)
    const up = state?.operStatus === undefined ? undefined : state.operStatus === 1
    const made = interfaceOf(known, up)
    if (state?.adminStatus !== undefined) made.adminUp = state.adminStatus === 1
    if (up !== undefined) made.up = up
    const speed = up ? speedOf(high?.speed, low?.speed) : undefined
    if (speed) made.speed = speed
    const change = read.changes.get(known.key)
    if (change !== undefined && upTimeTicks !== undefined && change <= upTimeTicks)
      made.lastChangeSeconds = Math.floor((upTimeTicks - change) / 100)
    const counters = countersOf(state, high, low)
    if (counters) made.counters = counters
    return made
  })
}

// ifHighSpeed counts megabits; ifSpeed stops at 2^32 − 1.
function speedOf(megabits: number | undefined, bits: number | undefined): number | undefined {
  if (megabits && megabits > 0) return megabits * 1e6
  return bits && bits > 0 && bits < 4294967295 ? bits : undefined
}

/** All of them or nothing: a part would tell of fewer than there were. */
const packetsOf = (unicast: number | undefined, other: number | undefined) =>
  unicast === undefined || other === undefined ? undefined : (unicast + other) % 2 ** 32

type Rows = { [K in 'state' | 'high' | 'low']: State[K][number] | undefined }

function countersOf(state: Rows['state'], high: Rows['high'], low: Rows['low']): Counters | undefined {
  const wide = high?.inOctets !== undefined || high?.outOctets !== undefined
  const octets = wide ? high : low
  const counters: Counters = { bits: wide ? 64 : 32 }
  const put = (name: Exclude<keyof Counters, 'bits'>, value: number | undefined) => {
    if (value !== undefined && value >= 0) counters[name] = value
  }
  put('inOctets', octets?.inOctets)
  put('outOctets', octets?.outOctets)
  if (!wide) {
    put('inPackets', packetsOf(low?.inUnicast, low?.inOther))
    put('outPackets', packetsOf(low?.outUnicast, low?.outOther))
  }
  put('inErrors', state?.inErrors)
  put('outErrors', state?.outErrors)
  put('inDiscards', state?.inDiscards)
  put('outDiscards', state?.outDiscards)
  return Object.keys(counters).length > 1 ? counters : undefined
}
