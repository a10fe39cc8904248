import { and, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { voucherGroups, vouchers } from '@/db/schema'
import { limitBytes, type VoucherState, voucherStates } from '@/model/guests/voucher'
import { resetsOf } from '@/model/reset-cycle'
import type { NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import type { GroupRow } from './make'

export function findGroup(db: Db, network: number, id: number): GroupRow {
  const own = and(eq(voucherGroups.network, network), eq(voucherGroups.id, id))
  return db.select().from(voucherGroups).where(own).get() ?? fail('voucherGroupNotFound')
}

/** What a group's vouchers are judged by at a moment: `zone`: the network's. */
export type Judged = { group: GroupRow; zone: string; now: number }
export const lastReset = ({ group, zone, now }: Judged): number | undefined => resetsOf(group, zone, now)?.last

const dayMs = 86_400_000

/** `stateOf` of model/guests/voucher.ts for the rows of one group, told to SQLite: lists of thousands are counted there. */
export function stateColumn(judged: Judged): SQL<VoucherState> {
  const { group, now } = judged
  const { unused, inUse, used, expired } = voucherStates
  const counts = sql`coalesce(${vouchers.countedAt}, 0) >= ${lastReset(judged) ?? 0}`
  const most = group.bytesPer === 'voucher' ? limitBytes(group) : undefined
  const bytes = most === undefined ? sql`` : sql` OR ${vouchers.usedBytes} >= ${most}`
  return sql<VoucherState>`CASE
    WHEN ${vouchers.validFrom} <= ${now - group.validityDays * dayMs} THEN ${expired}
    WHEN ${vouchers.firstUsedAt} IS NULL THEN ${unused}
    WHEN ${counts} AND (${vouchers.usedSeconds} >= ${group.seconds} + ${vouchers.addedSeconds}${bytes}) THEN ${used}
    ELSE ${inUse} END`
}

export type StateCounts = { unused: number; inUse: number; used: number; expired: number; total: number }
const names = ['unused', 'inUse', 'used', 'expired'] as const

export function stateCounts(db: Db, judged: Judged): StateCounts {
  const state = stateColumn(judged)
  const rows = db
    .select({ state, n: count() })
    .from(vouchers)
    .where(eq(vouchers.group, judged.group.id))
    .groupBy(state)
    .all()
  const counts = { unused: 0, inUse: 0, used: 0, expired: 0, total: 0 }
  for (const row of rows) {
    counts[names[row.state]] = row.n
    counts.total += row.n
  }
  return counts
}

/** Ids of a group's vouchers that let somebody in already: whose sessions end or change with them. */
export const usedIn = (db: Db, groups: readonly number[]): number[] =>
  db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(and(inArray(vouchers.group, [...groups]), sql`${vouchers.firstUsedAt} IS NOT NULL`))
    .all()
    .map(row => row.id)

/** Pages hear that there is news, and the manager which vouchers' sessions it is about. */
export function tellVouchers({ runtime: { bus }, actor, network }: NetworkContext, ids: readonly number[] = []): void {
  const place = { organization: actor.organization, network: network.id }
  bus.emit({ topic: 'vouchers', ...place })
  if (ids.length) bus.emit({ topic: 'vouchersChanged', ...place, ids })
}
