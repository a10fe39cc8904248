import type { QrChoice } from '@/model/guests/voucher-print'
import type { Template } from '@/model/guests/voucher-template'
import { joinText } from '@/model/wifi/join'
import { ssid as ssidKind } from '@/model/wifi/ssid'
import type { NetworkContext } from '@/server/kernel/call'
import { openedRows } from '@/server/kernel/documents'
import { failFields } from '@/server/kernel/fail'
import { kindRows } from '@/server/networks/settings/store'

/** The Wi-Fi network that stands on vouchers. */
export type Wifi = { name: string; security: string; hidden: boolean; key?: string; vouchers?: boolean }

export const joins = (qr: QrChoice) => qr === 'wifi' || qr === 'both'
/** Each voucher is a key of the network. */
export const isKeyed = (wifi: Wifi | undefined) => wifi?.security === 'ppsk' && wifi.vouchers === true

/**
 * The Wi-Fi network that is named on vouchers or that their code joins; undefined where there is to be none. Refuses at
 * `ssid` a code that joins without a network (required) and one that is gone (notFound), at `qr` a network that nobody joins by
 * a code (noJoinCode).
 */
export function wifiOf(
  { runtime, network }: NetworkContext,
  { ssid, qr }: Pick<Template, 'ssid' | 'qr'>,
): Wifi | undefined {
  if (ssid === undefined) return joins(qr) ? failFields({ ssid: 'required' }) : undefined
  const rows = kindRows(runtime.db, network.id, ssidKind.id).filter(row => row.id === ssid)
  const [found] = openedRows(runtime.secrets, ssidKind, rows)
  if (!found) return failFields({ ssid: 'notFound' })
  const wifi = found.data as Wifi
  return !joins(qr) || isKeyed(wifi) || joinText(wifi) !== undefined ? wifi : failFields({ qr: 'noJoinCode' })
}
