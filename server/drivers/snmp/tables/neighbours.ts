import { isIP } from 'node:net'
import type { LldpNeighbour } from '../../observation'
import { clean, type Mib, mac, type RowsOf, text } from '../protocol/table'
import { bridgePorts } from './bridge'
import { inetAddress, type Shape } from './interfaces'
import { cdp, fdp, lldpAddresses, lldpPorts, lldpRemotes, lldpRemotesV2 } from './mibs'

// LLDP-MIB, CISCO-CDP-MIB and Foundry's MIB into neighbours. Pure.

const lldpBits = ['other', 'repeater', 'bridge', 'ap', 'router', 'phone', 'docsis', 'station']

/** Names of the set bits of an LldpSystemCapabilitiesMap (first bit first). */
export const capabilities = (bits: Buffer | undefined): string[] =>
  lldpBits.filter((_, i) => ((bits?.[0] ?? 0) & (0x80 >> i)) !== 0)

const chassis = { mac: 4, network: 5 }
const port = { alias: 1, mac: 3, network: 4, name: 5, local: 7 }

/** Ids come as their subtype says: MAC addresses as bytes, network addresses with their family, else text. */
function idText(subtype: number | undefined, value: Buffer | undefined, macType: number, networkType: number) {
  if (!value || value.length === 0) return undefined
  if (subtype === macType) return mac(value) ?? text(value)
  if (subtype === networkType && value.length === 5 && value[0] === 1) return [...value.subarray(1)].join('.')
  // Some agents put a MAC address under any subtype.
  const words = text(value)
  return /^[\x20-\x7e]*$/.test(words) && words !== '' ? words : (mac(value) ?? words)
}

/** Which interface an lldpLocPortNum is. The MIB leaves the numbering to the maker, so what it says of itself comes first. */
function localPorts(mib: Mib, shape: Shape[]): (number: string) => string | undefined {
  const rows = new Map(mib.rows(lldpPorts).map(row => [row.index, row]))
  const bridge = bridgePorts(mib)
  const keys = new Set(shape.map(each => each.key))
  const unique = (fits: (each: Shape) => boolean) => {
    const found = shape.filter(fits)
    return found.length === 1 ? found[0]?.key : undefined
  }
  const named = (name: string | undefined) =>
    name ? unique(each => each.name === name || each.description === name) : undefined
  const bySubtype: Record<number, (id: string) => string | undefined> = {
    [port.mac]: id => unique(each => each.mac === id),
    [port.alias]: id => unique(each => each.alias === id) ?? named(id),
    [port.local]: id => (keys.has(id) ? id : named(id)),
  }
  const existing = (key: string | undefined) => (key !== undefined && keys.has(key) ? key : undefined)
  return number => {
    const row = rows.get(number)
    const id = row && idText(row.subtype, row.id, port.mac, port.network)
    const told = id === undefined ? undefined : (bySubtype[row?.subtype ?? 0] ?? named)(id)
    return told ?? named(row?.description) ?? existing(bridge.get(Number(number))) ?? existing(number)
  }
}

/** lldpRemManAddrTable: time.port.remote.subtype.length.bytes (RFC-like InetAddress numbers: 1 IPv4, 2 IPv6). */
function managementAddresses(mib: Mib): Map<string, string> {
  const found = new Map<string, string>()
  for (const { index } of mib.rows(lldpAddresses)) {
    const [time, local, remote, ...rest] = index.split('.')
    // Some agents leave the length out.
    const address = inetAddress(rest.join('.')) ?? inetAddress([rest[0], rest.length - 1, ...rest.slice(1)].join('.'))
    const key = `${time}.${local}.${remote}`
    if (address && !found.has(key)) found.set(key, address)
  }
  return found
}

type Remote = RowsOf<typeof lldpRemotes>[number] | RowsOf<typeof lldpRemotesV2>[number]

const neighbourOf = (
  row: Remote,
  localPort: string | undefined,
  managementAddress: string | undefined,
): LldpNeighbour =>
  clean({
    localPort,
    chassisId: idText(row.chassisSubtype, row.chassisId, chassis.mac, chassis.network),
    portId: idText(row.portSubtype, row.portId, port.mac, port.network),
    portDescription: row.portDescription,
    systemName: row.systemName,
    systemDescription: row.systemDescription,
    managementAddress,
    capabilities: row.capabilities ? capabilities(row.capabilities) : undefined,
  })

/** Chassis and port are what a neighbour always tells (IEEE 802.1AB): a row without either is an empty slot. */
const isSomeone = (row: Remote) => (row.chassisId?.length ?? 0) > 0 || (row.portId?.length ?? 0) > 0

/** Time, port and remote (in the newer MIB a destination, too). Some agents' indexes are shorter, and name no port. */
const portAt = (index: string, parts: number) => {
  const numbers = index.split('.')
  return numbers.length === parts ? numbers[1] : undefined
}

/** A name without the serial number that NX-OS puts behind it, and without its domain. */
const plainName = (name: string | undefined): string | undefined => {
  const whole = name?.replace(/\([^()]*\)$/, '').toLowerCase()
  return whole && isIP(whole) === 0 ? whole.split('.')[0] : whole
}

/** What a neighbour is called: CDP's name is the chassis' id, too. */
const nameOf = ({ systemName, chassisId }: LldpNeighbour) => plainName(systemName ?? chassisId)

/** Without the rows that switches put into LLDP's table for what they heard by CDP: the name as chassis, and none beside. */
const withoutEchoes = (all: LldpNeighbour[]): LldpNeighbour[] =>
  all.filter(
    each =>
      each.systemName ||
      !all.some(
        other => other.systemName && other.localPort === each.localPort && plainName(other.systemName) === nameOf(each),
      ),
  )

export function lldpNeighbours(mib: Mib, shape: Shape[]): LldpNeighbour[] {
  const placeOf = localPorts(mib, shape)
  const addresses = managementAddresses(mib)
  const found = mib.rows(lldpRemotes).filter(isSomeone)
  if (found.length > 0)
    return withoutEchoes(
      found.map(row => {
        const number = portAt(row.index, 3)
        return neighbourOf(row, number && placeOf(number), addresses.get(row.index))
      }),
    )
  const keys = new Set(shape.map(each => each.key))
  return mib
    .rows(lldpRemotesV2)
    .filter(isSomeone)
    .map(row => {
      const key = portAt(row.index, 4)
      return neighbourOf(row, key !== undefined && keys.has(key) ? key : undefined, undefined)
    })
}

// CDP's own bits (CISCO-CDP-MIB cdpCacheCapabilities), lowest first.
const cdpBits = ['router', 'bridge', 'bridge', 'bridge', 'station', 'other', 'repeater', 'phone']

function cdpCapabilities(bits: Buffer | undefined): string[] | undefined {
  const low = bits?.at(-1)
  if (low === undefined) return undefined
  return [...new Set(cdpBits.filter((_, i) => low & (1 << i)))]
}

type Told = RowsOf<typeof cdp>[number] | RowsOf<typeof fdp>[number]

/** A row of a table that is numbered by ifIndex and device; 1 is an IPv4 address in both. */
function toldBy(protocol: 'cdp' | 'fdp', row: Told, keys: ReadonlySet<string>): LldpNeighbour {
  const id = row.deviceId ? idText(undefined, row.deviceId, -1, -1) : undefined
  const [key = ''] = row.index.split('.')
  return clean({
    protocol,
    localPort: keys.has(key) ? key : undefined,
    chassisId: id,
    systemName: id && !/^[\da-f]{2}(:[\da-f]{2}){5}$/.test(id) ? id : undefined,
    portId: row.devicePort,
    systemDescription: row.platform || row.version,
    managementAddress: row.addressType === 1 && row.address?.length === 4 ? [...row.address].join('.') : undefined,
  })
}

/** On the same port with the same name, port or address. */
const isSame = (a: LldpNeighbour, b: LldpNeighbour) =>
  a.localPort === b.localPort &&
  [
    a.systemName && plainName(a.systemName) === nameOf(b),
    a.chassisId === b.chassisId,
    a.portId && a.portId === b.portId,
    a.managementAddress && a.managementAddress === b.managementAddress,
  ].some(Boolean)

const unknown = (found: LldpNeighbour[], known: readonly LldpNeighbour[]) =>
  found.filter(each => !known.some(other => isSame(each, other)))

const keysOf = (shape: readonly Shape[]) => new Set(shape.map(each => each.key))

/** CDP neighbours that are not known already. */
export function cdpNeighbours(mib: Mib, shape: Shape[], known: readonly LldpNeighbour[]): LldpNeighbour[] {
  const keys = keysOf(shape)
  const found = mib
    .rows(cdp)
    .map(row => clean({ ...toldBy('cdp', row, keys), capabilities: cdpCapabilities(row.capabilities) }))
  return unknown(found, known)
}

/** snFdpCacheVendorId: whom it hears by the other protocol. */
const heardByCdp = 2

/** FDP neighbours that are not known already. Its capabilities are words of the maker, which say nothing here. */
export function fdpNeighbours(mib: Mib, shape: Shape[], known: readonly LldpNeighbour[]): LldpNeighbour[] {
  const keys = keysOf(shape)
  const found = mib.rows(fdp).map(row => toldBy(row.vendorId === heardByCdp ? 'cdp' : 'fdp', row, keys))
  return unknown(found, known)
}
