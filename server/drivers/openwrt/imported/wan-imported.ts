import { hasIpv6, wan as kind, type Wan } from '@/model/internet/wan'
import { check } from '@/model/kind'
import { changedFields } from '../../changed-fields'
import type { Adopted, NativeBlock, RenderInput, Warning } from '../../driver'
import { nameFor } from '../../unix/documents'
import { marked, unmarked } from '../../unix/secret'
import { nameServers, type Uplink, wans } from '../../unix/wans'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '../../unmanaged'
import type { WarningCode } from '../../words'
import { type ImportableOf, isOn, only, says } from '../uci/importable'
import { formerValues, importedBlock, type OptionValues, seenItem } from '../uci/imported'
import { lanOf } from '../uci/network-roles'
import { listOf, type Section } from '../uci/sections'
import { translates, zoneWith } from '../uci/zone-imported'
import { addressIn, addressOptions, sectionIn, vlanOf } from './lan-imported'

// The system's own way to the internet: its interface, and the translation of addresses in its zone.

const optionFields = {
  proto: 'connection',
  device: 'interface',
  ipaddr: 'address',
  netmask: 'prefix',
  gateway: 'gateway',
  username: 'user',
  password: 'password',
  service: 'service',
  mtu: 'mtu',
  dns: 'dns1',
  peerdns: 'dns1',
  metric: 'metric',
} as const satisfies Record<string, keyof Wan>
type Option = keyof typeof optionFields

/** Fields without which a way cannot be said. */
const needed: readonly string[] = [
  ...['name', 'interface', 'vlan', 'connection', 'address', 'prefix', 'gateway', 'user', 'password'],
]

type Read = (option: string) => string[] | undefined

/** `eth1`, or `eth1.7` where it is a VLAN. */
function placeIn(device: string | undefined): { interface?: string; vlan?: number } {
  const [, name, tag] = /^([A-Za-z0-9_-]+)(?:\.(\d{1,4}))?$/.exec(device ?? '') ?? []
  return { ...(name && { interface: name }), ...(tag && { vlan: Number(tag) }) }
}

/** netifd takes a way without a metric for the best; ours begin at 1. */
const rankOf = (metric: string | undefined) => Number(metric ?? 0) || 1

/** Name servers that replace those of the provider; undefined where the two options disagree. */
function serversIn(read: Read): Pick<Wan, 'dns1' | 'dns2'> | undefined {
  const [dns1, dns2, ...more] = read('dns') ?? []
  const replaced = read('proto')?.[0] === 'static' ? dns1 !== undefined : !isOn(read('peerdns')?.[0], true)
  return more.length === 0 && replaced === (dns1 !== undefined) ? { dns1, dns2 } : undefined
}

const said = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** What the options of an interface say, the wrong and the missing too. */
function fieldsOf(read: Read): Record<string, unknown> {
  const one = (option: Option) => (read(option)?.length === 1 ? read(option)?.[0] : undefined)
  const connection = one('proto')
  const [address, prefix] = addressIn(one('ipaddr'), one('netmask'))?.split('/') ?? []
  const own: Record<string, Record<string, unknown>> = {
    static: { address, prefix: prefix === undefined ? undefined : Number(prefix), gateway: one('gateway') },
    pppoe: {
      user: one('username'),
      password: one('password') === undefined ? undefined : unmarked(one('password') ?? ''),
      service: one('service') || undefined,
      mtu: one('mtu') === undefined ? undefined : Number(one('mtu')),
    },
  }
  return said({
    ...placeIn(one('device')),
    connection,
    ...own[connection ?? ''],
    ...serversIn(read),
    metric: one('metric') === undefined ? undefined : rankOf(one('metric')),
  })
}

type Sayable = { fields: Record<string, unknown>; wrong: string[] }

/** The fields that settings can say, and the names of the others; undefined where no way can be said without these. */
function sayable(section: Section, name: string): Sayable | undefined {
  const read: Read = option => listOf(section, option)
  const fields: Record<string, unknown> = { name, ...fieldsOf(read) }
  const judged = check(kind, fields)
  const wrong = 'data' in judged ? [] : Object.keys(judged.fields).map(path => path.split('.')[0] ?? '')
  const left = Object.fromEntries(Object.entries(fields).filter(([key]) => !wrong.includes(key)))
  if (wrong.some(key => needed.includes(key)) || !('data' in check(kind, left))) return undefined
  if (!serversIn(read)) wrong.push('dns1')
  // The interface's own size of packets is no setting of a way without a login.
  if (fields.connection !== 'pppoe' && section.options.has('mtu')) wrong.push('mtu')
  return { fields: left, wrong }
}

const isUplink = (section: Section, all: readonly Section[]): boolean =>
  section.config === 'network' &&
  section.type === 'interface' &&
  only(section, 'device') !== 'lo' &&
  vlanOf(section, all) === undefined &&
  // Beside a LAN that cannot be told only what translates addresses surely leads out.
  (lanOf(all) !== undefined || translates(zoneWith(section.name, all))) &&
  sayable(section, section.name) !== undefined

function aboutUplink(way: Section, all: readonly Section[]) {
  const zone = zoneWith(way.name, all)
  const name = zone && only(zone, 'name')
  return {
    way: way.name,
    ...(name !== undefined && { wayZone: name }),
    proto: only(way, 'proto') ?? '',
    device: only(way, 'device') ?? '',
    nat: String(translates(zone)),
  }
}

/** Interfaces that lead out. */
export const uplinkOffers: ImportableOf = (section, all) => {
  if (!isUplink(section, all)) return undefined
  const { wrong } = sayable(section, section.name) as Sayable
  const offered = Object.entries(optionFields).filter(([, field]) => !wrong.includes(field))
  return { area: 'network', says: says(kind.id, Object.fromEntries(offered)), about: aboutUplink(section, all) }
}

/** Zones of one such interface: whether they translate addresses. */
export const uplinkZoneOffers: ImportableOf = (section, all) => {
  if (section.config !== 'firewall' || section.type !== 'zone') return undefined
  const networks = listOf(section, 'network') ?? []
  const [way, ...more] = all.filter(one => networks.includes(one.name) && isUplink(one, all))
  if (!way || more.length > 0) return undefined
  const about = { ...aboutUplink(way, all), 'is.name': only(section, 'name') ?? '' }
  return { area: 'firewall', says: says(kind.id, { masq: 'nat' }), about }
}

/** The taken interface and zone that a document decides. */
export type ImportedWan = {
  link?: ImportedItem
  zone?: ImportedItem
  /** The interface of netifd, and the zone that it is in, where that is known. */
  network: string
  zoneName?: string
  about: Record<string, string>
}

export function importedWan(one: Pick<Uplink, 'id'>, imported: RenderInput['imported'] = []): ImportedWan | undefined {
  const own = imported.filter(item => item.document === one.id && item.about?.way !== undefined)
  const about = own[0]?.about
  if (!about) return undefined
  const of = (type: string) => own.find(item => item.about?.type === type)
  const { way: network = '', wayZone: zoneName } = about
  return { link: of('interface'), zone: of('zone'), network, zoneName, about }
}

const deviceOf = ({ interface: name, vlan }: Uplink) => (vlan === undefined ? name : `${name}.${vlan}`)
const first = (item: ImportedItem, option: string) => formerValues(item, option)?.[0]

/** Options that a connection needs, in the order in which a person reads them. */
const demanded: Readonly<Record<string, readonly Option[]>> = {
  static: ['ipaddr', 'netmask', 'gateway'],
  pppoe: ['username', 'password'],
}
const addressed: readonly Option[] = [...Object.values(demanded).flat(), 'service', 'mtu']

/** What a way's connection needs of a section; undefined: as it was. */
function connectionOptions(item: ImportedItem, one: Uplink): OptionValues {
  const same = (option: Option, value: string, otherwise = '') =>
    unmarked(first(item, option) ?? otherwise) === value ? undefined : value
  if (one.connection === 'static') {
    const address = {
      ipaddr: undefined,
      netmask: undefined,
      ...addressOptions(item, one.address ?? '', one.prefix ?? 0),
    }
    return { ...address, gateway: same('gateway', one.gateway ?? '') }
  }
  if (one.connection !== 'pppoe') return {}
  const password = same('password', one.password ?? '')
  return {
    username: same('username', one.user ?? ''),
    password: password === undefined ? undefined : marked(password),
    service: same('service', one.service ?? '') === '' ? null : same('service', one.service ?? ''),
    mtu: same('mtu', String(one.mtu), '1492'),
  }
}

const changes = (one: Uplink, about: Record<string, string>) => one.connection !== about.proto

function serverOptions(item: ImportedItem, one: Uplink): OptionValues {
  const servers = nameServers([one])
  const same = servers.join() === (formerValues(item, 'dns') ?? []).join()
  if (same && !changes(one, item.about ?? {})) return {}
  const replaces = servers.length > 0 && one.connection !== 'static'
  return { dns: same ? undefined : servers, peerdns: replaces ? '0' : null }
}

function linkOptions(item: ImportedItem, one: Uplink): OptionValues {
  // What the former connection was told is not told to another.
  const stale = Object.fromEntries(addressed.map(option => [option, null]))
  return {
    ...(changes(one, item.about ?? {}) && { ...stale, proto: one.connection }),
    ...connectionOptions(item, one),
    ...serverOptions(item, one),
    device: first(item, 'device') === deviceOf(one) ? undefined : deviceOf(one),
    metric: rankOf(first(item, 'metric')) === one.metric ? undefined : String(one.metric),
  }
}

/** Options that a document asks for and nobody took over: half of a connection is none. */
function lacking(one: Uplink, { link, about }: ImportedWan): string[] {
  if (!link) return []
  const wanted = [
    ...(changes(one, about) ? ['proto', ...(demanded[one.connection] ?? [])] : []),
    ...(deviceOf(one) === about.device ? [] : ['device']),
  ]
  return wanted.filter(option => !(option in link.options))
}

/** What is imported of a way's own sections, as its document says it. */
export function importedWanBlocks(one: Uplink, way: ImportedWan): NativeBlock[] {
  const about = { kind: kind.id, document: one.id }
  const asIs = one.connection === 'kept' || lacking(one, way).length > 0
  const masq = String(one.nat) === way.about.nat ? {} : { masq: one.nat ? '1' : '0' }
  return [
    ...(way.link ? [importedBlock(way.link, asIs ? {} : linkOptions(way.link, one), about)] : []),
    ...(way.zone ? [importedBlock(way.zone, masq, about)] : []),
  ]
}

/** What an imported way's document asks for beyond what was imported. */
export function importedWanWarnings(one: Uplink, way: ImportedWan): Warning[] {
  if (one.connection === 'kept') return []
  const warn = (code: WarningCode, values: Warning['values'] = {}): Warning => ({
    code,
    kind: kind.id,
    document: one.id,
    values: { wan: one.name, ...values },
  })
  const missing = lacking(one, way)
  return [
    ...(missing.length > 0 ? [{ ...warn('wanImportedPart', { options: missing.join(', ') }), blocks: true }] : []),
    ...(!way.zone && String(one.nat) !== way.about.nat ? [warn('wanImportedLeft.nat')] : []),
    ...(one.vlan !== undefined && one.vlanPriority !== undefined ? [warn('wanImportedLeft.vlanPriority')] : []),
    ...(hasIpv6(one) ? [warn('importedWan6')] : []),
  ]
}

/** What an imported interface or zone says now, of the document that decides it. */
export function adoptUplink(seen: NativeBlock, planned: NativeBlock): Adopted[] | undefined {
  if (!seen.item || !planned.document) return undefined
  const fields = (block: NativeBlock): Record<string, unknown> => {
    const item = seenItem(block)
    if (block.id.startsWith('uci:firewall.')) return { nat: isOn(first(item, 'masq'), false) }
    return fieldsOf(option => formerValues(item, option))
  }
  return [{ document: planned.document, fields: changedFields(fields(planned), fields(seen)) }]
}

/** One document for an interface and its zone, whichever of them was chosen. */
export function proposeUplinks(
  chosen: readonly ImportedItem[],
  all: readonly UnmanagedItem[],
  input: RenderInput,
): ImportProposal[] {
  const own = chosen.filter(item => item.about?.way !== undefined)
  const sections = all.map(sectionIn)
  return [...new Set(own.map(item => item.about?.way))].flatMap((network): ImportProposal[] => {
    const items = own.filter(item => item.about?.way === network)
    const ids = items.map(item => item.id)
    const section = sections.find(one => one.config === 'network' && one.name === network)
    const found = section && sayable(section, nameFor(input, section.name))?.fields
    if (!found) return []
    const there = wans(input.documents).find(one => one.interface === found.interface && one.vlan === found.vlan)
    if (there) return [{ kind: kind.id, fields: {}, items: ids, document: there.id }]
    return [{ kind: kind.id, fields: { ...found, nat: items[0]?.about?.nat === 'true' }, items: ids }]
  })
}
