import { check } from '@/model/kind'
import { ssid as kind, type SsidFields } from '@/model/wifi/ssid'
import { changedFields } from '../../changed-fields'
import type { Adopted, DesiredDocument, NativeBlock, RenderInput, Warning } from '../../driver'
import { fieldsOf as documentFields } from '../../unix/documents'
import { type Ssid, wepHex } from '../../unix/ssid'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '../../unmanaged'
import type { UnmanagedWhy, WarningCode } from '../../words'
import { sectionIn } from '../imported/lan-imported'
import { meaningOf } from '../options/meaning'
import { fieldsIn, importedFields, rawOption, wepKey, wifiFields } from '../options/wifi-fields'
import { type ImportableOf, isOnAir, only, says } from '../uci/importable'
import { addressOf, formerValues, importedBlock, type OptionValues } from '../uci/imported'
import { lanOf } from '../uci/network-roles'
import { listOf, type Section } from '../uci/sections'
import { fieldsOf } from './wifi-back'

// Wireless networks that are on a device already, once a person took them over.

/** netifd parts an option's value at its blanks, a list's not, and what is shown of one value does not tell which it is. */
const isPlain = ({ options }: Section): boolean => {
  const [one = '', ...more] = options.get(rawOption) ?? []
  return more.length > 0 || !/\s/.test(one)
}

const radiusOptions = importedFields.flatMap(({ field, option }) => (field === 'radius' ? [option] : []))
/** Those without which enterprise security asks nobody. */
const demanded = ['encryption', 'auth_server', 'auth_port', 'auth_secret']

const meaning = (option: string, values: readonly string[] | undefined) => meaningOf('wireless', option, values)

/** Whether two values of an option say the same in a section of this security. */
function isSame(option: string, security: string, a: readonly string[] = [], b: readonly string[] = []): boolean {
  if (option !== 'key' || security !== 'wep-open') return meaning(option, a) === meaning(option, b)
  const [one, other] = [a, b].map(([key]) => key && wepHex(wepKey(key)))
  return one === other
}

/** The VLAN of a network that a wireless network is in: none for the plain LAN, undefined where it is another thing. */
function vlanOf(network: string, all: readonly Section[]): { vlan?: number } | undefined {
  if (network === lanOf(all)?.name) return {}
  const found = all.find(one => one.config === 'network' && one.type === 'interface' && one.name === network)
  const vlan = Number(/^[A-Za-z0-9_-]+\.(\d{1,4})$/.exec((found && only(found, 'device')) ?? '')?.[1])
  return Number.isInteger(vlan) ? { vlan } : undefined
}

const fieldsOn = (section: Section, band: string) => ({
  ...fieldsIn(option => listOf(section, option), importedFields),
  bands: [band],
})

/** Fields that settings can say, without those that they cannot; undefined where a network needs one of these. */
function sayable(fields: Record<string, unknown>): { fields: Record<string, unknown>; wrong: string[] } | undefined {
  const judged = check(kind, fields)
  if ('data' in judged) return { fields, wrong: [] }
  const wrong = Object.keys(judged.fields).map(path => path.split('.')[0] ?? '')
  const left = Object.fromEntries(Object.entries(fields).filter(([key]) => !wrong.includes(key)))
  const needed = ['name', 'security', 'key', 'bands'].some(key => wrong.includes(key))
  return needed || !('data' in check(kind, left)) ? undefined : { fields: left, wrong }
}

const bandOf = (radio: Section | undefined) => (radio && (only(radio, 'band') ?? only(radio, 'hwmode'))) ?? ''
const bandNames: Readonly<Record<string, string>> = { '11g': '2g', '11b': '2g', '11a': '5g' }

const unsaid: readonly [encryption: RegExp, why: UnmanagedWhy][] = [
  [/^wep/, 'wep'],
  [/^(wpa|eap)/, 'enterprise'],
  [/^psk(?!2)|^psk2\+.*tkip/, 'oldSecurity'],
]

/** Why a network that an access point sends out is not offered: its security, where that is it. */
export function whySsid(section: Section): UnmanagedWhy | undefined {
  if (section.config !== 'wireless' || section.type !== 'wifi-iface' || only(section, 'mode') !== 'ap') return undefined
  return unsaid.find(([encryption]) => encryption.test(only(section, 'encryption') ?? ''))?.[1]
}

/** Networks that access points send out, with security that settings can say. */
export const ssidOffers: ImportableOf = (section, all) => {
  if (section.config !== 'wireless' || section.type !== 'wifi-iface' || only(section, 'mode') !== 'ap') return undefined
  const device = only(section, 'device') ?? ''
  const told = bandOf(all.find(one => one.config === 'wireless' && one.name === device))
  const band = bandNames[told] ?? told
  const found = sayable(fieldsOn(section, band))
  if (!found) return undefined
  const placed = vlanOf(listOf(section, 'network')?.join(' ') ?? '', all)
  const without = [
    ...found.wrong,
    ...(placed ? [] : ['vlan']),
    // What it has of a RADIUS server already no field of it says.
    ...(radiusOptions.some(option => section.options.has(option)) ? ['radius'] : []),
  ]
  const offered = importedFields
    .filter(({ field, option }) => !without.includes(field) && (option !== rawOption || isPlain(section)))
    .map(({ field, option }) => [option, field])
  const about: Record<string, string> = { device, band }
  if (placed?.vlan !== undefined) about.vlan = String(placed.vlan)
  return {
    area: 'wireless',
    label: `${only(section, 'ssid')} (${device})`,
    says: says(kind.id, Object.fromEntries(offered)),
    about,
  }
}

const isIface = (item: Pick<ImportedItem, 'about'>) =>
  item.about?.type === 'wifi-iface' && item.about.device !== undefined

/** The section of the system that a document decides on a radio, and those that it decides on none. */
export const importedSsid = (
  one: Pick<Ssid, 'id'>,
  radio: string,
  imported: RenderInput['imported'] = [],
): ImportedItem | undefined =>
  imported.find(item => isIface(item) && item.document === one.id && item.about?.device === radio)

export const sectionNameOf = (item: Pick<ImportedItem, 'id'>): string => addressOf(item).replace(/^wireless\./, '')

/** Hours are kept by a section's name and its `disabled`. */
export const keepsHours = (item: ImportedItem): boolean =>
  'disabled' in item.options && /^\w+$/.test(sectionNameOf(item))

/** Options that say how a section of ours is made, and those that have a word of their own where they are left out. */
const ofOurs: ReadonlySet<string> = new Set(['device', 'mode', 'ifname', ...radiusOptions])
const ofRoaming = wifiFields.flatMap(({ field, option }) => (field === 'fastRoaming' ? [option] : []))

/** Options that a document asks for, that nobody took over, and that would be another thing than a section without them. */
const leftOptions = ({ vlan }: Ssid, item: ImportedItem, options: readonly (readonly string[])[]): string[] =>
  options
    // Without a VLAN it is in whatever network it is.
    .filter(([option]) => option !== 'network' || vlan !== undefined)
    .filter(([option = '']) => !(option in item.options) && !ofOurs.has(option) && !ofRoaming.includes(option))
    .filter(([option = '', ...values]) => meaning(option, values) !== meaning(option, undefined))
    .map(([option = '']) => option)

/** What an imported section's document asks for beyond what was imported. `options`: what it would be written as. */
export function importedSsidWarnings(
  one: Ssid,
  item: ImportedItem,
  options: readonly (readonly string[])[],
): Warning[] {
  const warn = (code: WarningCode, values: Warning['values'] = {}): Warning => ({
    code,
    kind: kind.id,
    document: one.id,
    values: { ssid: one.name, ...values },
  })
  const missing = one.security.endsWith('Enterprise') ? demanded.filter(option => !(option in item.options)) : []
  const left = leftOptions(one, item, options).filter(option => !missing.includes(option))
  return [
    ...(left.length > 0 ? [warn('ssidImportedLeft.options', { options: left.join(', ') })] : []),
    ...(missing.length > 0 ? [{ ...warn('ssidImportedPart', { options: missing.join(', ') }), blocks: true }] : []),
    ...(one.fastRoaming ? [warn('ssidImportedLeft.fastRoaming')] : []),
    ...(one.schedule && !keepsHours(item) ? [warn('scheduleNotKept')] : []),
  ]
}

/** What a section of ours would hold, in an imported one. `options`: each option with its values. */
export function importedSsidBlock(
  item: ImportedItem,
  options: readonly (readonly string[])[],
  document: string,
): NativeBlock {
  const values = new Map(options.map(([option = '', ...rest]) => [option, rest]))
  const security = values.get('encryption')?.[0] ?? ''
  const wanted: Record<string, OptionValues[string]> = {}
  for (const option of Object.keys(item.options)) {
    const value = values.get(option)
    if (option === rawOption) {
      const own = formerValues(item, option) ?? []
      wanted[option] = [...own, ...(value ?? []).filter(line => !own.includes(line))]
      continue
    }
    const same = isSame(option, security, value, formerValues(item, option))
    wanted[option] = same ? undefined : (value ?? null)
  }
  return importedBlock(item, wanted, { kind: kind.id, document })
}

/** A network that its document does not ask for here any more: it is switched off, and stays otherwise as it was. */
export const silencedSsids = (blocks: readonly NativeBlock[], imported: RenderInput['imported'] = []): NativeBlock[] =>
  imported
    .filter(item => isIface(item) && item.document !== undefined && !blocks.some(block => block.item === item.id))
    .map(item =>
      importedBlock(item, isOnAir(formerValues(item, 'disabled')?.[0]) ? {} : { disabled: '1' }, {
        kind: kind.id,
      }),
    )

const bandOrder = ['2g', '5g', '6g'] as const

/** A section that was switched on or off: where its document has other bands, too, it is about this band alone. */
function switched(enabled: boolean, { data }: DesiredDocument, band: string | undefined): Partial<SsidFields> {
  const set = documentFields(kind, data) as SsidFields
  const bands = bandOrder.filter(one => (one === band ? enabled : set.bands.includes(one)))
  return set.enabled && bands.length > 0 && bandOrder.some(one => one === band) ? { bands } : { enabled }
}

/** What an imported section says now, of the document that decides it. */
export function adoptSsid(
  seen: NativeBlock,
  planned: NativeBlock,
  documents: readonly DesiredDocument[],
  imported: readonly ImportedItem[] = [],
): Adopted[] | undefined {
  const item = imported.find(one => one.id === seen.item)
  const document = documents.find(one => one.id === item?.document)
  if (!item || !document) return undefined
  const { enabled, ...fields } = changedFields(fieldsOf(planned), fieldsOf(seen))
  const onAir = typeof enabled === 'boolean' ? switched(enabled, document, item.about?.band) : {}
  return [{ document: document.id, fields: { ...fields, ...onAir } }]
}

/** One document for sections that say the same on several radios. */
export function proposeSsids(chosen: readonly ImportedItem[], all: readonly UnmanagedItem[]): ImportProposal[] {
  const found = new Map<string, ImportProposal>()
  for (const item of chosen.filter(isIface)) {
    const offered = all.find(one => one.id === item.id)
    const { band = '', vlan } = item.about ?? {}
    const said = offered && sayable(fieldsOn(sectionIn(offered), band))
    if (!said) continue
    const fields = { ...said.fields, ...(vlan !== undefined && { vlan: Number(vlan) }) }
    const same = JSON.stringify({ ...fields, bands: [] })
    const before = found.get(same)
    const bands = [...((before?.fields.bands as string[] | undefined) ?? []), band].sort()
    const items = [...(before?.items ?? []), item.id]
    found.set(same, { kind: kind.id, fields: { ...fields, bands: [...new Set(bands)] }, items })
  }
  return [...found.values()]
}
