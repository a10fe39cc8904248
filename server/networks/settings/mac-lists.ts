import type { Db } from '@/db/client'
import { blockedClient } from '@/model/firewall/blocked'
import type { Data, Kind } from '@/model/kind'
import { limits } from '@/model/limits'
import { ssid } from '@/model/wifi/ssid'
import { openedRows } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import type { Secrets } from '@/server/kernel/secrets'
import { kindRows } from './store'

// Rule W13: the lists of Wi-Fi networks and the block list of a network hold so many addresses together.

const listed = (data: Data): number => (Array.isArray(data.macList) ? data.macList.length : 0)

/** Refuses a document that would be one address too many; `own`: its id where it is there already. */
export function checkMacLists(db: Db, secrets: Secrets, network: number, kind: Kind, data: Data, own?: string): void {
  if (kind.id !== ssid.id && kind.id !== blockedClient.id) return
  const others = (of: Kind) => kindRows(db, network, of.id).filter(row => row.id !== own)
  const inLists = openedRows(secrets, ssid, others(ssid)).reduce((sum, one) => sum + listed(one.data), 0)
  const added = kind.id === ssid.id ? listed(data) : 1
  if (added === 0 || inLists + others(blockedClient).length + added <= limits.macsPerNetwork) return
  const fields = kind.id === ssid.id ? ({ macList: 'macsTotal' } as const) : undefined
  fail('blacklistFull', { max: limits.macsPerNetwork, ...(fields && { fields }) })
}
