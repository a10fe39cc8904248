import type { SsidFields } from './ssid'

/** Fields of a Wi-Fi network for a purpose; the others stay as they are. */
export type SsidPreset = { id: 'office' | 'guests' | 'iot' | 'enterprise'; fields: Partial<SsidFields> }

const moving = { neighborReports: true, transitionManagement: true } as const

export const ssidPresets: readonly SsidPreset[] = [
  { id: 'office', fields: { security: 'wpa2wpa3', bands: ['2g', '5g'], isolation: false, ...moving } },
  { id: 'guests', fields: { security: 'wpa2wpa3', bands: ['2g', '5g'], isolation: true } },
  // Sensors sleep long, many know neither WPA3 nor 5 GHz, and some stumble over the roaming standards.
  { id: 'iot', fields: { security: 'wpa2', bands: ['2g'], stationTimeout: 3600, fastRoaming: false } },
  {
    id: 'enterprise',
    fields: { security: 'wpa2wpa3Enterprise', bands: ['2g', '5g'], isolation: false, fastRoaming: true, ...moving },
  },
]
