import { ipv4Number, ipv4Text, mask4, prefixOfMask, type Segment4, segment4 } from '@/model/addresses'
import { check } from '@/model/kind'
import { lan as kind } from '@/model/lan/lan'
import type { Adopted, DesiredDocument, NativeBlock, RenderInput } from '../driver'
import { type DhcpOption, dhcpOptions, optionWords } from '../unix/dhcp-options'
import { type Announced, isAnnouncement } from '../unix/gate-api'
import { addressing, type LanNetwork } from '../unix/lans'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '../unmanaged'
import { type ImportableOf, isOn, only, says } from './importable'
import { formerValues, importedBlock, type OptionValues, seenItem } from './imported'
import { managementSays } from './management'
import { optionSet, spanSeconds } from './meaning'
import { lanOf } from './network-roles'
import { listOf, type Section, valuesOf } from './sections'
import { isolationOf, isShut, wallBlock, wallOptions, zoneWith } from './zone-imported'

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

/** dnsmasq's lease time in minutes; undefined where it is no whole number of them. */
export function leaseMinutes(text: string | undefined): number | undefined {
  const minutes = (spanSeconds(text ?? '12h') ?? Number.NaN) / 60
  return Number.isInteger(minutes) ? minutes : undefined
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
  const fields = network && fieldsOf(network, section, all)
  if (!network || !fields) return undefined
  return {
    area: 'dhcp',
    says: says('lan', {
      start: 'poolStart',
      limit: 'poolEnd',
      leasetime: 'lease',
      dhcpv4: 'dhcp',
      ignore: 'dhcp',
      dhcp_option: 'options',
    }),
    about: aboutLan(network, all),
  }
}

/** Zones of one of those interfaces: whether it is shut in. */
export const lanZoneOffers: ImportableOf = (section, all) => {
  const network = all.find(one => isLan(one, all) && zoneWith(one.name, all) === section)
  if (!network || isolationOf(section, all) === undefined) return undefined
  const fields = Object.fromEntries(wallOptions.map(option => [option, 'isolation']))
  const about = { ...aboutLan(network, all), 'is.name': only(section, 'name') ?? '' }
  return { area: 'firewall', says: says('lan', fields), about }
}

const serves = (ignore: string | undefined, dhcpv4: string | undefined) => !isOn(ignore, false) && dhcpv4 !== 'disabled'

/** `6,1.1.1.1,9.9.9.9` and `15,"lan.test"` as fields; any other is an option as it stands. */
function optionFields(values: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const options: { code: number; type: string; value: string }[] = []
  for (const value of values) {
    const [, code = '', content = ''] = /^(\d{1,3}),(.*)$/s.exec(value) ?? []
    const text = content.replace(/^"(.*)"$/s, '$1')
    const servers = content.split(',')
    if (code === '6' && servers.length <= 2) [fields.dns1, fields.dns2] = servers
    else if (code === '15') fields.domain = text
    else if (/^[\d.]+(,[\d.]+)*$/.test(content) && content.includes('.'))
      options.push({ code: Number(code), type: 'address', value: content })
    else options.push({ code: Number(code), type: 'text', value: text.replace(/\\(["\\])/g, '$1') })
  }
  return { ...fields, options }
}

/** What a pool says of a network's addresses; what is no number is refused by its field. */
function poolFields(segment: Segment4 | undefined, pool: Section): Record<string, unknown> | undefined {
  if (!segment) return undefined
  if (!serves(only(pool, 'ignore'), only(pool, 'dhcpv4'))) return { dhcp: false }
  const start = segment.first + Number(only(pool, 'start') ?? 100)
  return {
    dhcp: true,
    poolStart: ipv4Text(start),
    poolEnd: ipv4Text(start + Number(only(pool, 'limit') ?? 150) - 1),
    lease: leaseMinutes(only(pool, 'leasetime')) ?? Number.NaN,
    ...optionFields(listOf(pool, 'dhcp_option') ?? []),
  }
}

/** The document that says what an interface and its pool are; undefined where it cannot say it. */
function fieldsOf(network: Section, pool: Section | undefined, all: readonly Section[]) {
  const address = addressIn(only(network, 'ipaddr'), only(network, 'netmask'))
  const served = pool && poolFields(segment4(address ?? ''), pool)
  const isolation = isolationOf(zoneWith(network.name, all), all) ?? false
  const own = { name: network.name, vlan: vlanOf(network, all), address, isolation, dhcp: false }
  const checked = check(kind, { ...own, ...served })
  return 'data' in checked ? checked.data : undefined
}

export const sectionIn = (item: UnmanagedItem): Section => ({
  config: item.id.replace(/^uci:(\w+)\..*/, '$1'),
  name: item.id.replace(/^uci:\w+\./, ''),
  type: item.about?.type ?? '',
  options: new Map(item.options.flatMap(({ option, value }) => (value ? [[option, valuesOf(value)] as const] : []))),
})

/** The taken interface, pool and firewall zone that a document decides. */
export type TakenLan = {
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

export function takenLan(
  one: Pick<LanNetwork, 'id' | 'vlan'>,
  taken: RenderInput['imported'] = [],
): TakenLan | undefined {
  const own = taken.filter(item => item.document === one.id && isOf(item, one))
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

/** What dnsmasq tells by itself: the gateway, and itself as name server. */
const isImplied = (own: string) => (option: DhcpOption) =>
  (option.code === 3 || option.code === 6) && option.addresses?.join() === own

function optionList(one: LanNetwork, announced: Announced | undefined): string[] {
  const options = dhcpOptions(one, announced && [announced.option]).filter(
    option => !isImplied(addressing(one).own)(option),
  )
  const domain = one.domain && !options.some(option => option.code === 15) ? [`15,"${one.domain}"`] : []
  return [...domain, ...options.map(optionWords)]
}

function poolOptions(item: ImportedItem, one: LanNetwork, announced: Announced | undefined): OptionValues {
  const served = serves(former(item, 'ignore'), former(item, 'dhcpv4'))
  if (!one.dhcp) return served ? { dhcpv4: 'disabled' } : {}
  const { first } = addressing(one)
  const [start = 0, end = 0] = [one.poolStart, one.poolEnd].map(text => ipv4Number(text ?? '') ?? 0)
  const list = optionList(one, announced)
  return {
    ...(served ? {} : { ignore: null, dhcpv4: 'server' }),
    start: start - first === Number(former(item, 'start') ?? 100) ? undefined : String(start - first),
    limit: end - start + 1 === Number(former(item, 'limit') ?? 150) ? undefined : String(end - start + 1),
    leasetime: leaseMinutes(former(item, 'leasetime')) === one.lease ? undefined : `${one.lease}m`,
    dhcp_option: optionSet(list) === optionSet(formerValues(item, 'dhcp_option') ?? []) ? undefined : list,
  }
}

/** What is owned of a network's own sections, as its document says it. */
export function takenLanBlocks(
  one: LanNetwork,
  { network, pool, wall }: TakenLan,
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

/** What an imported interface, pool or zone says now, of the document that decides it. */
export function adoptLan(
  seen: NativeBlock,
  planned: NativeBlock,
  documents: readonly DesiredDocument[],
): Adopted[] | undefined {
  const document = documents.find(one => one.id === planned.document)
  const item = seenItem(seen)
  if (!seen.item || !document) return undefined
  if (seen.id.startsWith('uci:network.')) {
    const address = addressIn(former(item, 'ipaddr'), former(item, 'netmask'))
    return address ? [{ document: document.id, fields: { address } }] : undefined
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
  if (fields && Array.isArray(fields.options))
    fields.options = fields.options.filter(one => !isAnnouncement(one, document.id))
  return seen.id.startsWith('uci:dhcp.') && fields ? [{ document: document.id, fields }] : undefined
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
    const pool = sections.find(one => one.type === 'dhcp' && only(one, 'interface') === name)
    const fields = network && fieldsOf(network, pool, sections)
    return fields ? [{ kind: 'lan', fields, items: ids }] : []
  })
}
