import { lan as lanKind } from '@/model/lan/lan'
import { joinText } from '@/model/wifi/join'
import { ssid as ssidKind, vlanOfSsid } from '@/model/wifi/ssid'
import type { NetworkContext } from '@/server/kernel/call'
import { openedRows } from '@/server/kernel/documents'
import { type QrCode, qrOf } from '@/server/kernel/qr'
import { portalOfLan, ssidPortals } from '@/server/networks/settings/portals'
import { kindRows } from '@/server/networks/settings/store'

/** A Wi-Fi network that a guest joins with the phone's camera. */
export type Join = { ssid: string; qr: QrCode }
type Key = { ssid: string; key: string }

/**
 * Wi-Fi networks that a voucher is good for: those that it is a key of, and those without a key behind a portal. One with
 * a key that everybody shares is not told here: it is shown, and written down, in the Wi-Fi settings.
 */
export function joinsOf({ runtime: { db, secrets }, network }: NetworkContext, keys: readonly Key[]): Join[] {
  const opened = (kind: typeof ssidKind | typeof lanKind) =>
    openedRows(secrets, kind, kindRows(db, network.id, kind.id)).map(({ row, data }) => ({ name: row.name, data }))
  const ssids = opened(ssidKind)
  const asked = ssidPortals(ssids)
  const guests = new Set(
    opened(lanKind).flatMap(({ data }) => (portalOfLan(data, asked) === undefined ? [] : [Number(data.vlan)])),
  )
  return ssids.flatMap(({ name, data }) => {
    const { security, hidden, enabled } = data as { security: string; hidden: boolean; enabled?: boolean }
    const key = keys.find(one => one.ssid === name)?.key
    if (enabled === false || (key === undefined && !guests.has(vlanOfSsid(data)))) return []
    const text = joinText({ name, hidden, ...(key === undefined ? { security } : { security: 'wpa2', key }) })
    return text === undefined ? [] : [{ ssid: name, qr: qrOf(text) }]
  })
}
