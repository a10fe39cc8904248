import { ipv4Number, ipv4Text, mask4, prefixOfMask, segment4 } from '@/model/addresses'
import { check } from '@/model/kind'
import { lan as kind } from '@/model/lan/lan'
import type { Adopted, DesiredDocument, NativeBlock, RenderInput } from '../../driver'
import { type Announced, isAnnouncement } from '../../unix/gate-api'
import { addressing, type LanNetwork } from '../../unix/lans'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '../../unmanaged'
import { type ImportableOf, only, says } from '../uci/importable'
import { formerValues, importedBlock, type OptionValues, seenItem } from '../uci/imported'
import { lanOf } from '../uci/network-roles'
import { type Section, valuesOf } from '../uci/sections'
import { isolationOf, isShut, wallBlock, wallOptions, zoneWith } from '../uci/zone-imported'
import { managementSays } from './management'
import { clipped, neededOfPool, poolFields, poolOptionFields, poolOptions } from './pool-imported'

// The system's own LAN: its interface, its pool and its zone, once a person took them over.

/** The VLAN of a network of the LAN's bridge: 1 is the bridge itself. */
export function vlanOf(section: Section, all: readonly Section[]): number | undefined {
  const lan = lanOf(all)
  const bridge = lan && only(lan, 'device')?.replace(/\.\d+$/, '')
  const [, base, tag] = /^([A-Za-z0-9_-]+)(?:\.(\d{1,4}))?$/.exec(only(section, 'device') ?? '') ?? []
  return base !== undefined && base === bridge ? Number(tag ?? 1) : undefined
}

/** `192.168.1.1` with its netmask, or both in one. */
export function addressIn(ipaddr: string | undefined, netmask: string | undefined): string | undefined {
  const text = ipaddr?.includes('/') ? ipaddr : `${ipaddr}/${prefixOfMask(netmask ?? '') ?? ''}`
  return segment4(text) ? text : undefined
}

const isLan = (section: Section, all: readonly Section[]): boolean =>
  section.config === 'network' &&
  section.type === 'interface' &&
  only(section, 'proto') === 'static' &&
  vlanOf(section, all) !== undefined &&
  addressIn(only(section, 'ipaddr'), only(section, 'netmask')) !== undefined

const nothing: Section = { config: '', name: '', type: '', options: new Map() }

function aboutLan(network: Section, all: readonly Section[]): Record<string, string> {
  const zone = zoneWith(network.name, all)
  const [name, isolated] = [zone && only(zone, 'name'), isolationOf(zone, all)]
  return {
    network: network.name,
    vlan: String(vlanOf(network, all)),
    ...(name !== undefined && { zone: name }),
    ...(isolated !== undefined && { isolated: String(isolated) }),
  }
}

/** Interfaces with a fixed address on the LAN's bridge. */
export const lanOffers: ImportableOf = (section, all) =>
  isLan(section, all)
    ? {
        area: 'network',
        says: { ...says('lan', { ipaddr: 'address', netmask: 'address' }), ...managementSays(section, all) },
        about: aboutLan(section, all),
      }
    : undefined

/** Pools of those interfaces. */
export const poolOffers: ImportableOf = (section, all) => {
  if (section.config !== 'dhcp' || section.type !== 'dhcp') return undefined
  const network = all.find(one => one.name === only(section, 'interface') && isLan(one, all))
  const about = network && aboutLan(network, all)
  const found = network && about && sayable(network, section, about)
  if (!found || found.left.includes('dhcpv4')) return undefined
  const offered = Object.entries(poolOptionFields).filter(([option]) => !found.left.includes(option))
  const fields = Object.fromEntries(offered.map(([option, [field = '']]) => [option, field]))
  return { area: 'dhcp', says: says('lan', fields), left: found.left, about }
}

/** Zones of one of those interfaces: whether it is shut in. */
export const lanZoneOffers: ImportableOf = (section, all) => {
  const network = all.find(one => isLan(one, all) && zoneWith(one.name, all) === section)
  if (!network || isolationOf(section, all) === undefined) return undefined
  const fields = Object.fromEntries(wallOptions.map(option => [option, 'isolation']))
  const about = { ...aboutLan(network, all), 'is.name': only(section, 'name') ?? '' }
  return { area: 'firewall', says: says('lan', fields), about }
}

type Sayable = { fields: Record<string, unknown>; left: string[] }

/**
 * What settings can say of an interface and its pool, and the pool's options that they cannot; without a pool, or where
 * none can be said, the network has none that settings decide. Undefined where the interface itself cannot be said.
 */
function sayable(network: Section, pool: Section | undefined, about: Record<string, string>): Sayable | undefined {
  const address = addressIn(only(network, 'ipaddr'), only(network, 'netmask'))
  const segment = segment4(address ?? '')
  const own = {
    name: network.name,
    vlan: Number(about.vlan),
    address,
    isolation: about.isolated === 'true',
    dhcp: false,
  }
  const served = pool && poolFields(segment, pool)
  const clip = pool && served?.dhcp ? clipped(segment, pool) : {}
  const fields: Record<string, unknown> = { ...own, ...served, ...clip }
  const judged = check(kind, fields)
  const wrong = 'data' in judged ? [] : Object.keys(judged.fields).map(path => path.split('.')[0] ?? '')
  const said = !wrong.some(field => neededOfPool.includes(field))
  const left = Object.entries(poolOptionFields).flatMap(([option, of]) =>
    !said || of.some(field => wrong.includes(field) || field in clip) ? option : [],
  )
  const dropped = left.flatMap(option => poolOptionFields[option] ?? []).filter(field => !(field in clip))
  const kept = said ? Object.fromEntries(Object.entries(fields).filter(([field]) => !dropped.includes(field))) : own
  const checked = check(kind, kept)
  return 'data' in checked ? { fields: kept, left } : undefined
}

export const sectionIn = (item: UnmanagedItem): Section => ({
  config: item.id.replace(/^uci:(\w+)\..*/, '$1'),
  name: item.id.replace(/^uci:\w+\./, ''),
  type: item.about?.type ?? '',
  options: new Map(item.options.flatMap(({ option, value }) => (value ? [[option, valuesOf(value)] as const] : []))),
})

/** The taken interface, pool and firewall zone that a document decides. */
export type ImportedLan = {
  network?: ImportedItem
  pool?: ImportedItem
  /** Where both its options were imported. */
  wall?: ImportedItem
  name: string
  /** Absent where it could not be told. */
  zone?: string
  /** Whether the zone shut the network in when it was imported. */
  isolated: boolean
}

/** Wireless networks tell of a VLAN, too. */
const isOf = ({ about }: ImportedItem, { vlan }: Pick<LanNetwork, 'vlan'>) =>
  about?.network !== undefined && about.vlan === String(vlan)

export function importedLan(
  one: Pick<LanNetwork, 'id' | 'vlan'>,
  imported: RenderInput['imported'] = [],
): ImportedLan | undefined {
  const own = imported.filter(item => item.document === one.id && isOf(item, one))
  if (own.length === 0) return undefined
  const of = (type: string) => own.find(item => item.about?.type === type)
  const { network: name = '', zone, isolated } = own[0]?.about ?? {}
  const wall = own.find(item => wallOptions.every(option => option in item.options))
  return { network: of('interface'), pool: of('dhcp'), wall, name, zone, isolated: isolated === 'true' }
}

const former = (item: ImportedItem, option: string) => formerValues(item, option)?.[0]

/** An address and its prefix in the way the section says them. */
export function addressOptions(item: ImportedItem, own: string, prefix: number): OptionValues {
  const was = former(item, 'ipaddr')
  if (addressIn(was, former(item, 'netmask')) === `${own}/${prefix}`) return {}
  return was?.includes('/') ? { ipaddr: `${own}/${prefix}`, netmask: null } : { ipaddr: own, netmask: mask4(prefix) }
}

/** What is imported of a network's own sections, as its document says it. */
export function importedLanBlocks(
  one: LanNetwork,
  { network, pool, wall }: ImportedLan,
  announced: Announced | undefined,
): NativeBlock[] {
  const about = { kind: 'lan', document: one.id }
  const { own, prefix } = addressing(one)
  return [
    ...(network ? [importedBlock(network, addressOptions(network, own, prefix), about)] : []),
    ...(pool ? [importedBlock(pool, poolOptions(pool, one, announced), about)] : []),
    ...(wall ? [wallBlock(wall, one.isolation, about)] : []),
  ]
}

/** A pool begins so far behind the segment's first address: with the segment it moves. */
function movedPool({ address, poolStart, poolEnd }: DesiredDocument['data'], next: string) {
  const [before, after] = [String(address), next].map(segment4)
  const by = (after?.first ?? 0) - (before?.first ?? 0)
  const [start, end] = [poolStart, poolEnd].map(one => ipv4Number(String(one ?? '')))
  return start === undefined || end === undefined || by === 0
    ? {}
    : { poolStart: ipv4Text(start + by), poolEnd: ipv4Text(end + by) }
}

/** What an imported interface, pool or zone says now, of the document that decides it. */
export function adoptLan(
  seen: NativeBlock,
  planned: NativeBlock,
  documents: readonly DesiredDocument[],
  imported: readonly ImportedItem[] = [],
): Adopted[] | undefined {
  const document = documents.find(one => one.id === planned.document)
  const item = seenItem(seen)
  if (!seen.item || !document) return undefined
  if (seen.id.startsWith('uci:network.')) {
    const address = addressIn(former(item, 'ipaddr'), former(item, 'netmask'))
    return address ? [{ document: document.id, fields: { address, ...movedPool(document.data, address) } }] : undefined
  }
  if (seen.id.startsWith('uci:firewall.')) {
    const isolation = isShut(item)
    return isolation === undefined ? undefined : [{ document: document.id, fields: { isolation } }]
  }
  const pool: Section = {
    ...nothing,
    options: new Map(Object.keys(item.options).map(key => [key, formerValues(item, key) ?? []])),
  }
  const fields = poolFields(segment4(String(document.data.address)), pool)
  if (!seen.id.startsWith('uci:dhcp.') || !fields) return undefined
  if (Array.isArray(fields.options)) fields.options = fields.options.filter(one => !isAnnouncement(one, document.id))
  // What was not imported says nothing of the settings.
  const options = Object.keys(imported.find(one => one.id === seen.item)?.options ?? {})
  const ours = options.flatMap(option => poolOptionFields[option] ?? [])
  // A field that the pool says nothing of is one that its document has no more.
  return [{ document: document.id, fields: Object.fromEntries(ours.map(field => [field, fields[field]])) }]
}

const decides = (documents: readonly DesiredDocument[], vlan: string) =>
  documents.find(document => document.kind === 'lan' && String(document.data.vlan) === vlan)

/** One document for an interface, its pool and its zone, whichever of them was chosen. */
export function proposeLan(
  chosen: readonly ImportedItem[],
  all: readonly UnmanagedItem[],
  { documents }: RenderInput,
): ImportProposal[] {
  const own = chosen.filter(item => item.about?.network !== undefined && item.about.vlan !== undefined)
  const sections = all.map(sectionIn)
  return [...new Set(own.map(item => item.about?.network))].flatMap(name => {
    const items = own.filter(item => item.about?.network === name)
    const there = decides(documents, items[0]?.about?.vlan ?? '')
    const ids = items.map(item => item.id)
    if (there) return [{ kind: 'lan', fields: {}, items: ids, document: there.id }]
    const network = sections.find(one => one.config === 'network' && one.name === name)
    const pool = sections.find(one => ids.includes(`uci:dhcp.${one.name}`) && one.type === 'dhcp')
    const found = network && sayable(network, pool, items[0]?.about ?? {})
    return found ? [{ kind: 'lan', fields: found.fields, items: ids }] : []
  })
}
