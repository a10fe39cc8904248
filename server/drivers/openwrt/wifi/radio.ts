import { check } from '@/model/kind'
import { merged } from '@/model/single'
import { type Band, listenSeconds } from '@/model/wifi/channels'
import { bandOf, radio as kind, type RadioFields } from '@/model/wifi/radio'
import { changedFields } from '../../changed-fields'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Radio } from '../../observation'
import { countrySet, radioSettings } from '../../unix/radio'
import type { ImportedItem, ImportProposal } from '../../unmanaged'
import { type ImportableOf, isOnAir, only, says } from '../uci/importable'
import { formerValues, importedBlock, type OptionValues, seenItem } from '../uci/imported'
import type { Section } from '../uci/sections'

// A radio's section is the system's: settings say of it what a person took over.

const bands: Readonly<Record<string, Band>> = { '2g': '2g', '5g': '5g', '6g': '6g', '11g': '2g', '11a': '5g' }

/** The kind of modulation and the width: `HE80`, `VHT160`, `HT40+`; without one the radio uses 20 MHz. */
const mode = /^(HT|VHT|HE|EHT)(20|40|80|160|320)[+-]?$/
const widthIn = (htmode: string | undefined) => mode.exec(htmode ?? '')?.[2]

const channelIn = (channel: string | undefined): number | undefined =>
  channel === 'auto' || channel === '0' ? 0 : /^\d{1,3}$/.test(channel ?? '') ? Number(channel) : undefined

type Read = (option: string) => string | undefined

/** The factory's word on a radio of 6 GHz; hostapd refuses its whole file for it. */
const noCountry = '00'

/** What a section says, by the fields of its band; undefined where a field cannot. */
function fieldsOf(band: Band, read: Read): Record<string, unknown> {
  const country = read('country') === noCountry ? undefined : read('country')
  const power = read('txpower')
  const fields = {
    country,
    [`enabled${band}`]: !isOnAir(read('disabled')),
    [`channel${band}`]: channelIn(read('channel')),
    [`width${band}`]: widthIn(read('htmode')),
    [`power${band}`]: power === undefined ? undefined : Number(power),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const optionFields = (band: Band): Readonly<Record<string, string>> => ({
  country: 'country',
  disabled: `enabled${band}`,
  channel: `channel${band}`,
  htmode: `width${band}`,
  txpower: `power${band}`,
})

const bandIn = (section: Section): Band | undefined => bands[only(section, 'band') ?? only(section, 'hwmode') ?? '']

/** Options whose present value settings can say; one that is not set can be where its absence can be said too. */
export const radioOffers: ImportableOf = section => {
  const band = bandIn(section)
  if (section.config !== 'wireless' || section.type !== 'wifi-device' || !band) return undefined
  const fields = fieldsOf(band, option => only(section, option))
  const wrong =
    'fields' in check(kind, fields) ? (check(kind, fields) as { fields: Record<string, string> }).fields : {}
  const absent = new Set(['country', 'disabled', 'txpower'])
  const offered = Object.entries(optionFields(band)).filter(
    ([option, field]) =>
      !(field in wrong) && (section.options.has(option) ? sayable(section, option) : absent.has(option)),
  )
  return { area: 'wireless', says: says(kind.id, Object.fromEntries(offered)), about: { band } }
}

function sayable(section: Section, option: string): boolean {
  const value = only(section, option)
  if (option === 'channel') return channelIn(value) !== undefined
  if (option === 'htmode') return widthIn(value) !== undefined
  return value !== undefined
}

const first = (item: ImportedItem, option: string) => formerValues(item, option)?.[0]

/** 320 MHz is of IEEE 802.11be (EHT) alone, and hostapd refuses the whole radio where it is asked of another. */
const widestOf = (former: string | undefined): number => (mode.exec(former ?? '')?.[1] === 'EHT' ? 320 : 160)

/** The widest of a kind of modulation; a wider one needs another, which every radio of that band has. */
function modeFor(former: string | undefined, width: number): string {
  const [, family = 'HT'] = mode.exec(former ?? '') ?? []
  return `${family === 'HT' && width > 40 ? 'VHT' : family}${width}`
}

function optionsOf(item: ImportedItem, band: Band, set: RadioFields): OptionValues {
  const { enabled, channel, width: asked, power } = bandOf(set, band)
  const width = Math.min(asked, widestOf(first(item, 'htmode')))
  const off = isOnAir(first(item, 'disabled'))
  const country = set.country === undefined ? {} : { country: set.country }
  if (!enabled) return { ...(off ? {} : { disabled: '1' }), ...country }
  const same = (option: string, value: unknown, former: unknown, words: string | null) =>
    value === former ? {} : { [option]: words }
  return {
    ...(off ? { disabled: '0' } : {}),
    ...country,
    ...same('channel', channel, channelIn(first(item, 'channel')), channel === 0 ? 'auto' : String(channel)),
    ...same('htmode', width, Number(widthIn(first(item, 'htmode'))), modeFor(first(item, 'htmode'), width)),
    ...same('txpower', String(power), String(first(item, 'txpower')), power === undefined ? null : String(power)),
  }
}

const importedRadios = (imported: RenderInput['imported'] = []) =>
  imported.flatMap(item => {
    const band = bands[item.about?.band ?? '']
    return item.about?.type === 'wifi-device' && band ? [{ item, band }] : []
  })

/** Whether an option of a radio is decided by settings. */
export const ownsRadio = (key: string, option: string, imported: RenderInput['imported']): boolean =>
  importedRadios(imported).some(({ item }) => item.id === `uci:wireless.${key}` && option in item.options)

/** What a radio's section says after the push: what settings put there, else what it has. */
const configured = (radio: Radio, input: RenderInput): string | undefined =>
  (ownsRadio(radio.key, 'country', input.imported) ? countrySet(input) : undefined) ?? radio.configuredCountry

/** The radio whose section decides: the ucode scripts write the last country that they find into every radio's file. */
const decides = (radio: Radio, input: RenderInput): Radio =>
  (input.facts.capabilities.includes('ucodeWifi')
    ? input.observation?.radios?.findLast(one => configured(one, input) !== undefined)
    : undefined) ?? radio

/** The country that a radio has after the push. */
export const countryOf = (radio: Radio, input: RenderInput): string | undefined =>
  configured(decides(radio, input), input) ?? radio.country

/** The radios, of those that are to send, or for their sake another, that would take them off the air by their country. */
export const withoutCountry = (sending: readonly Radio[], input: RenderInput): Radio[] =>
  [...new Set(sending.map(radio => decides(radio, input)))].filter(radio => configured(radio, input) === noCountry)

/** A radio that is set up anew listens for radar again where the channel that it keeps asks for it. */
function listensAgain(item: ImportedItem, band: Band, { observation }: RenderInput): number {
  const { channel, widthMhz } = observation?.radios?.find(one => item.id === `uci:wireless.${one.key}`) ?? {}
  return channel === undefined ? 0 : listenSeconds(band, channel, widthMhz ?? 20)
}

type Wanted = { options: OptionValues; slow: number; warnings?: Warning[] }

/** Without settings for the radios their country alone is decided: it is the network's. */
function wantedOf(item: ImportedItem, band: Band, input: RenderInput): Wanted | undefined {
  const own = radioSettings(input.documents)
  const country = countrySet(input)
  if (!own && country === undefined) return undefined
  const isOther = country !== undefined && 'country' in item.options && country !== first(item, 'country')
  if (!own) return { options: { country }, slow: isOther ? listensAgain(item, band, input) : 0 }
  const set = { ...own, ...(country !== undefined && { country }) }
  const options = optionsOf(item, band, set)
  const { enabled, channel, width } = bandOf(set, band)
  const starts = enabled && Object.keys(options).length > 0
  const can = widestOf(first(item, 'htmode'))
  const about = { radio: item.id.slice('uci:wireless.'.length), asked: width, width: can }
  const narrow = enabled && 'htmode' in item.options && width > can
  return {
    options,
    slow: starts && channel !== 0 ? listenSeconds(band, channel, width) : 0,
    warnings: narrow ? [{ code: 'radioWidth', kind: kind.id, values: about }] : [],
  }
}

function render(input: RenderInput): Rendered {
  const about = { kind: kind.id, document: kind.id }
  const made = importedRadios(input.imported).flatMap(({ item, band }) => {
    const wanted = wantedOf(item, band, input)
    return wanted ? [{ ...wanted, block: importedBlock(item, wanted.options, about) }] : []
  })
  const warnings = made.flatMap(one => one.warnings ?? [])
  return { blocks: made.map(one => one.block), warnings, slowSeconds: Math.max(0, ...made.map(one => one.slow)) }
}

function proposes(chosen: readonly ImportedItem[]): ImportProposal[] {
  return importedRadios(chosen).map(({ item, band }) => {
    const fields = fieldsOf(band, option => first(item, option))
    // What was not chosen is not decided: its field stays as it is inherited.
    const chosen = Object.entries(optionFields(band)).filter(([option]) => option in item.options)
    const said = Object.fromEntries(chosen.flatMap(([, field]) => (field in fields ? [[field, fields[field]]] : [])))
    return { kind: kind.id, fields: 'data' in check(kind, said) ? said : {}, items: [item.id] }
  })
}

/** What a radio says now and its settings say otherwise. */
const adopt: NonNullable<Renderer['adopt']> = (seen, planned, documents, imported) => {
  const radio = importedRadios(imported).find(({ item }) => item.id === seen.item)
  const document = documents.find(one => one.id === planned.document)
  if (!radio || !document) return undefined
  const said = (block: NativeBlock) => fieldsOf(radio.band, option => first(seenItem(block), option))
  const fields = changedFields(said(planned), said(seen))
  // A field that is said no more is inherited, whatever that makes of it: no setting says that there is none.
  if (Object.values(fields).includes(undefined)) return undefined
  const whole = merged(kind, {}, { ...document.data, ...fields })
  return 'data' in check(kind, whole) ? [{ document: document.id, fields }] : undefined
}

export const radioRenderer: Renderer = {
  kinds: [kind.id],
  render,
  fits: facts => facts.capabilities.includes('wifi'),
  adopt,
  proposes,
}
