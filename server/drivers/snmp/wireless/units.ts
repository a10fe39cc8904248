import type { Bss, Radio } from '../../observation'
import { clean } from '../protocol/table'

// Bands, channels and names of networks, as every maker's reader needs them. Pure.

export const bandOf = (megahertz: number | undefined): Radio['band'] | undefined => {
  if (!megahertz) return undefined
  if (megahertz >= 2400 && megahertz < 2500) return '2g'
  if (megahertz >= 4900 && megahertz < 5925) return '5g'
  return megahertz >= 5925 && megahertz <= 7125 ? '6g' : undefined
}

/** Channel number of a centre frequency (IEEE 802.11-2020 table E-4). */
export function channelOf(megahertz: number | undefined): number | undefined {
  if (!megahertz) return undefined
  if (megahertz === 2484) return 14
  if (megahertz >= 2412 && megahertz <= 2472) return (megahertz - 2407) / 5
  if (megahertz >= 5950 && megahertz <= 7125) return (megahertz - 5950) / 5
  return megahertz > 5000 && megahertz < 5950 ? (megahertz - 5000) / 5 : undefined
}

// A hidden network has an empty name, not none.
export const named = (bss: Bss): Bss => ({ ...clean(bss), ssid: bss.ssid })
