import type { Adopted, Interrupts, NativeBlock } from '../driver'
import type { Observation } from '../observation'
import { unmarked } from '../unix/secret'
import { changedFields, type Ssid } from '../unix/ssid'

// The way back from wifi-iface sections: what they say in terms of settings, and whom a change of one interrupts.

const isSection = (block: NativeBlock) =>
  /^uci:wireless\.lw_/.test(block.id) && /^wireless\.\w+=wifi-iface$/m.test(block.text)

/** Options of a section as `uci show` prints them. */
export function optionsOf(text: string): Map<string, string> {
  const lines = text.split('\n').flatMap(line => {
    const [, option, value] = /^\w+\.\w+\.(\w+)='(.*)'$/.exec(line) ?? []
    return option && value !== undefined ? [[option, value.replaceAll("'\\''", "'")] as const] : []
  })
  return new Map(lines)
}

export const securityOf: Record<string, Ssid['security']> = {
  none: 'open',
  open: 'open',
  owe: 'owe',
  psk2: 'wpa2',
  'sae-mixed': 'wpa2wpa3',
  sae: 'wpa3',
  'wep-open': 'wep',
  wpa2: 'wpa2Enterprise',
  'wpa3-mixed': 'wpa2wpa3Enterprise',
  wpa3: 'wpa3Enterprise',
}

export const filters: Record<string, Ssid['macFilter']> = { allow: 'allow', deny: 'block' }

function fieldsOf(options: ReadonlyMap<string, string>): Record<string, unknown> {
  const key = options.get('key')
  return {
    name: options.get('ssid'),
    security: securityOf[options.get('encryption') ?? 'none'],
    key: key === undefined ? undefined : unmarked(key),
    hidden: options.get('hidden') === '1',
    isolation: options.get('isolate') === '1',
    fastRoaming: options.get('ieee80211r') === '1',
    stationTimeout: Number(options.get('max_inactivity')),
    neighborReports: options.get('ieee80211k') === '1',
    transitionManagement: options.get('bss_transition') === '1',
    macFilter: filters[options.get('macfilter') ?? ''] ?? 'off',
    macList: options.get('maclist')?.split(/[\s']+/),
    dtim: Number(options.get('dtim_period')),
    timeout: Number(options.get('eap_reauth_period') ?? Number.NaN) / 60,
    maxClients: Number(options.get('maxassoc') ?? 0),
  }
}

export function adopt(seen: NativeBlock, planned: NativeBlock): Adopted[] | undefined {
  if (!isSection(seen) || !planned.document) return undefined
  const fields = changedFields(fieldsOf(optionsOf(planned.text)), fieldsOf(optionsOf(seen.text)))
  return [{ document: planned.document, fields }]
}

/** The radio of a section; of one that was imported only some options are at hand. */
function radioOf(block: NativeBlock, options: ReadonlyMap<string, string>, { bss, radios }: Observation) {
  const name = block.id.replace(/^uci:wireless\./, '')
  if (radios?.some(one => one.key === name)) return name
  return options.get('device') ?? bss?.find(one => one.ssid === options.get('ssid'))?.radio
}

/** netifd brings the radio's networks down and up again. */
export function interrupts(block: NativeBlock, observation: Observation): Interrupts | undefined {
  if (!isSection(block) && !(block.item && block.id.startsWith('uci:wireless.'))) return undefined
  const options = optionsOf(block.text)
  const radio = radioOf(block, options, observation)
  const bss = observation.bss?.filter(one => one.radio === radio) ?? []
  return {
    interfaces: bss.flatMap(one => one.interface ?? []),
    ssids: [options.get('ssid') ?? [], ...bss.map(one => one.ssid)].flat(),
  }
}
