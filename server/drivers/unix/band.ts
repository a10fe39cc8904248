import type { Band } from '@/model/wifi/channels'
import type { Radio } from '../observation'

/** As every language calls them. */
export const bandNames: Readonly<Record<Band, string>> = { '2g': '2.4 GHz', '5g': '5 GHz', '6g': '6 GHz' }

/** The band a frequency in MHz lies in; 6 GHz begins at channel 1, 5955 MHz. */
export const bandOf = (mhz: number | undefined): Radio['band'] => {
  if (mhz === undefined) return undefined
  if (mhz < 2_500) return '2g'
  return mhz < 5_950 ? '5g' : '6g'
}
