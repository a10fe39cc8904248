import { and, asc, desc, eq, gt } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { noticeDeliveries as deliveries, noticeTargets } from '@/db/schema'
import { type NoticeTarget, noticeTarget } from '@/model/notify/target'
import { isDamaged, openRow, sealData } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'

export type TargetRow = typeof noticeTargets.$inferSelect

/** Under what name a target's secrets are sealed. */
const nameOf = ({ id }: Pick<TargetRow, 'id'>): string => `notice-target:${id}`

export const targetsOf = (db: Db, organization: number): TargetRow[] =>
  db
    .select()
    .from(noticeTargets)
    .where(eq(noticeTargets.organization, organization))
    .orderBy(asc(noticeTargets.name))
    .all()

/** Where and how a target is told, its secrets in clear; undefined where that cannot be read. */
export function openTarget({ secrets }: Runtime, row: Pick<TargetRow, 'id' | 'data'>): NoticeTarget | undefined {
  const found = openRow(secrets, noticeTarget, { id: nameOf(row), data: row.data })
  return isDamaged(found) ? undefined : (found.data as NoticeTarget)
}

export const sealTarget = ({ secrets }: Runtime, id: number, values: NoticeTarget): string =>
  sealData(secrets, noticeTarget, nameOf({ id }), values)

/** Null: all that the organization sees. */
export const networksOf = ({ networks }: Pick<TargetRow, 'networks'>) =>
  networks === null ? null : (JSON.parse(networks) as number[])

/** How the newest try of a target ended. */
export function lastOf({ db }: Runtime, target: number) {
  const { triedAt, code, error, answer, state, nextAt } = deliveries
  return (
    db
      .select({ at: triedAt, code, error, answer, state, nextAt })
      .from(deliveries)
      .where(and(eq(deliveries.target, target), gt(triedAt, 0)))
      .orderBy(desc(triedAt))
      .limit(1)
      .get() ?? null
  )
}
