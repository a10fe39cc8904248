import { above, type Band, centre } from '@/model/wifi/channels'
import type { Radio } from '../../observation'
import { quote } from '../../shell'
import type { Air } from '../../unix/radio'
import { beaconInterval, type Ssid } from '../../unix/ssid'

// What hostapd reads of a radio, before its networks. Pure.

/** IEEE 802.11a and g, in units of 100 kbit/s; b before them. */
const ofdm = [60, 90, 120, 180, 240, 360, 480, 540]
const old = [10, 20, 55, 110]
const modes = { '2g': 'g', '5g': 'a', '6g': 'a' } as const

/** The rates from the least one on; the fastest stays where none would. hostapd's own are left where all are wanted. */
function rateLines(band: Band, oldRates: boolean, minRate: number | undefined): string[] {
  const all = band === '2g' ? [...old, ...ofdm] : ofdm
  const wanted = band === '2g' && !oldRates ? ofdm : all
  const kept = wanted.filter(rate => rate >= (minRate ?? 0) * 10)
  const left = kept.length > 0 ? kept : wanted.slice(-1)
  return left.length === all.length && minRate === undefined
    ? []
    : [`supported_rates=${left.join(' ')}`, `basic_rates=${left[0]}`]
}

/** 20 and 40 MHz are told by the older standards, wider ones by the newer. */
const classOf = (width: number) => (width <= 40 ? 0 : width === 80 ? 1 : 2)

function wideLines(band: '5g' | '6g', standard: 'vht' | 'he', { channel, width }: Air): string[] {
  const chosen = channel === 0 || width === 20
  return [
    `${standard}_oper_chwidth=${classOf(width)}`,
    ...(chosen ? [] : [`${standard}_oper_centr_freq_seg0_idx=${centre(band, channel, width)}`]),
  ]
}

// Global operating classes of IEEE 802.11 annex E for 6 GHz.
const classes6g: Record<number, number> = { 20: 131, 40: 132, 80: 133, 160: 134 }

function widthLines(band: Band, air: Air): string[] {
  const { channel, width, ax } = air
  const high = band === '6g' || ax ? ['ieee80211ax=1'] : []
  const wide40 = width >= 40 && band !== '6g' ? [`ht_capab=[HT40${above(band, channel) ? '+' : '-'}]`] : []
  if (band === '2g') return ['ieee80211n=1', ...wide40, ...high]
  if (band === '6g') return ['ieee80211n=1', ...high, `op_class=${classes6g[width]}`, ...wideLines(band, 'he', air)]
  return [
    'ieee80211n=1',
    ...wide40,
    'ieee80211ac=1',
    ...wideLines(band, 'vht', air),
    ...(width === 160 ? ['vht_capab=[VHT160]'] : []),
    ...(ax ? [...high, ...wideLines(band, 'he', air)] : []),
  ]
}

/** Each network of a radio has its own: one without tells of no client and takes no order. */
export const controlLine = 'ctrl_interface=/run/hostapd'

export type Shared = {
  all: readonly Ssid[]
  air: Air
  oldRates: boolean
  minRssi?: number
  minRate?: number
}

export function radioLines(radio: Radio, band: Band, shared: Shared): string[] {
  const { all, air, minRssi, minRate, oldRates } = shared
  const bare = radio.driver === 'none'
  const lines = [
    `interface=${radio.interface}`,
    `driver=${radio.driver ?? 'nl80211'}`,
    controlLine,
    `hw_mode=${modes[band]}`,
    // Not the channel seen on the air: a plan that followed it would change by itself. Nothing can be chosen without a radio.
    `channel=${bare && air.channel === 0 ? 6 : air.channel}`,
    // One with radar on it may keep the radio silent for ten minutes: it is used where somebody chose it.
    ...(!bare && air.channel === 0 && band === '5g' ? ['acs_exclude_dfs=1'] : []),
    'wmm_enabled=1',
    `beacon_int=${beaconInterval(all)}`,
    ...rateLines(band, oldRates, minRate),
    ...(minRssi === undefined ? [] : [`rssi_reject_assoc_rssi=${minRssi}`, `rssi_ignore_probe_request=${minRssi}`]),
  ]
  // With the driver `none` a country keeps hostapd in COUNTRY_UPDATE for ever.
  if (bare) return lines
  const country = air.country
    ? [`country_code=${air.country}`, 'ieee80211d=1', ...(band === '5g' ? ['ieee80211h=1'] : [])]
    : []
  return [...lines, ...country, ...widthLines(band, air)]
}

export const powerPath = (radio: string) => `/etc/hostapd/lanward-${radio}.power`
/** What sets the power; hostapd itself cannot. `iw` takes hundredths of a dBm. */
export const powerText = (radio: string, dbm: number) => `exec iw phy ${quote(radio)} set txpower limit ${dbm * 100}\n`
