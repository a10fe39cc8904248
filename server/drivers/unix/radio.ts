import { type Band, listenSeconds, parts, widths } from '@/model/wifi/channels'
import { bandOf, radio as kind, type RadioFields } from '@/model/wifi/radio'
import type { DesiredDocument, RenderInput, Warning } from '../driver'
import type { Radio } from '../observation'
import type { WarningCode } from '../words'
import { fieldsOf } from './documents'

// What is set for the radios, made into what one radio can do. Pure.

/** How a radio uses the air. */
export type Air = {
  enabled: boolean
  /** 0: it chooses itself. */
  channel: number
  /** MHz. */
  width: number
  /** dBm; absent: as much as is allowed. */
  power?: number
  country?: string
  /** IEEE 802.11ax. */
  ax: boolean
  /** It listens for radar so long before it sends. */
  listenSeconds: number
  warnings: Warning[]
}

/** What is set for the device's radios; undefined where nobody set anything. */
export function radioSettings(documents: readonly DesiredDocument[]): RadioFields | undefined {
  const found = documents.find(document => document.kind === kind.id)
  return found && (fieldsOf(kind, found.data) as RadioFields)
}

/** The country that settings put on the radios: their own, else the network's. */
export const countrySet = ({ documents, country }: Pick<RenderInput, 'documents' | 'country'>): string | undefined =>
  radioSettings(documents)?.country ?? country

const none: RadioFields = kind.fields.parse({}) as RadioFields
/** Whether radios may be on a band at all. */
export const isSwitchedOn = (documents: readonly DesiredDocument[], band: Band): boolean =>
  bandOf(radioSettings(documents) ?? none, band).enabled
const warn = (code: WarningCode, values: Warning['values']): Warning => ({ code, kind: kind.id, values })

/** A channel that the radio does not have gives way to its first that needs no radar detection. */
function channelOf(asked: number, band: Band, has: readonly number[] | undefined): number {
  if (asked === 0 || !has?.length || has.includes(asked)) return asked
  return has.find(one => listenSeconds(band, one, 20) === 0) ?? has[0] ?? asked
}

/** The widest channel up to what is asked for that the radio can do there. */
function widthOf(asked: number, band: Band, channel: number, can: readonly number[]): number {
  const possible = widths[band].filter(
    one => one <= asked && (one === 20 || can.includes(one)) && (channel === 0 || parts(band, channel, one)),
  )
  return possible.at(-1) ?? 20
}

const quietWidth = (most: number, band: Band, channel: number): number =>
  widths[band].findLast(one => one <= most && listenSeconds(band, channel, one) === 0) ?? 20

/** The channel that settings ask for, else the one chosen for the device, where the radio has it. */
const askedFor = (set: number, chosen: number | undefined, has: readonly number[] | undefined): number =>
  set === 0 && chosen !== undefined && (!has?.length || has.includes(chosen)) ? chosen : set

/** What the settings mean for this radio on `band`; where it cannot follow, the nearest that it can, with a warning. */
export function airOf(radio: Radio, band: Band, input: Pick<RenderInput, 'documents' | 'country' | 'channels'>): Air {
  const set = radioSettings(input.documents)
  const wanted = bandOf(set ?? none, band)
  const country = countrySet(input) ?? radio.country
  const can = radio.can?.[band]
  // Another country has other channels and another power: what the radio says now says nothing of them.
  const known = country === radio.country ? can : undefined
  const asked = askedFor(wanted.channel, input.channels?.[band], known?.channels)
  const channel = channelOf(asked, band, known?.channels)
  const possible = widthOf(wanted.width, band, channel, can?.widths ?? [])
  // Nobody asked for that channel: it brings no radar with it by being wide.
  const width = asked === wanted.channel ? possible : quietWidth(possible, band, channel)
  const power = wanted.power && known?.maxPowerDbm ? Math.min(wanted.power, known.maxPowerDbm) : wanted.power
  const about = { radio: radio.name }
  const warnings = [
    ...(channel === asked
      ? []
      : [warn('radioChannel', { ...about, asked: wanted.channel, channel, country: country ?? '–' })]),
    ...(width === wanted.width ? [] : [warn('radioWidth', { ...about, asked: wanted.width, width })]),
    ...(power === wanted.power ? [] : [warn('radioPower', { ...about, asked: wanted.power ?? 0, power: power ?? 0 })]),
  ]
  return {
    enabled: wanted.enabled,
    channel,
    width,
    ...(power !== undefined && { power }),
    ...(country && { country }),
    ax: can?.ax === true,
    listenSeconds: channel === 0 ? 0 : listenSeconds(band, channel, width),
    // Nobody asked for the defaults: less than those is no news.
    warnings: set && wanted.enabled ? warnings : [],
  }
}
