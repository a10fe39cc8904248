import { rateKbps } from '@/model/rules'
import { type BandwidthValues, bandwidthRule } from '@/model/traffic/bandwidth'
import type { DesiredDocument } from '../driver'

/** Rates in kbit/s of one Wi-Fi network, which is known by its name. */
export type SsidLimit = {
  id: string
  name: string
  network: string
  upload?: number
  download?: number
}

/** Limits of Wi-Fi networks that are switched on, by the network's name; a reference is its document's data here. */
export function ssidLimits(documents: readonly DesiredDocument[]): SsidLimit[] {
  const found = documents
    .filter(document => document.kind === bandwidthRule.id && document.data.target === 'ssid')
    .map(({ id, data: { ssid, ...rest } }) => {
      const { name, enabled, upload, download } = bandwidthRule.fields.parse(rest) as BandwidthValues
      const rates = { ...(upload && { upload: rateKbps(upload) }), ...(download && { download: rateKbps(download) }) }
      const network = String((ssid as { name?: unknown } | undefined)?.name)
      return { enabled, limit: { id, name, network, ...rates } }
    })
  return found.flatMap(({ enabled, limit }) => (enabled ? [limit] : [])).sort((a, b) => (a.id < b.id ? -1 : 1))
}
