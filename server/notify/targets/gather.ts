import { randomUUID } from 'node:crypto'
import { and, asc, count, eq, gt, inArray, isNull, lte, max, notInArray, or, type SQL } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alerts, noticeDeliveries as deliveries, networks, noticeTargets } from '@/db/schema'
import words from '@/locales/en/alertTypes.json'
import { limits } from '@/model/limits'
import { type AlertLevel, type AlertType, overAtOnce } from '@/model/notify/catalogue'
import type { NoticeTarget } from '@/model/notify/target'
import { readGeneral } from '@/server/kernel/general'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import { readMailServer } from '@/server/mail/server'
import { newestAlert } from '@/server/notify/alerts/notices'
import { forgetHeld, holdQuiet, isDigestDue, tellable } from '@/server/notify/alerts/quiet'
import { sentence } from '@/server/notify/alerts/sentence'
import { sharedWith } from '@/server/people/access/access'
import type { Notice, ToldAlert } from './compose'
import { networksOf, openTarget, type TargetRow } from './rows'

/** Alerts that one message tells of by name. */
const inOne = 50
/** Those hear of each alert by itself: none is counted only. */
const onlyEach = (target: NoticeTarget) => target.service === 'syslog' || target.service === 'snmp'

type Row = typeof alerts.$inferSelect

function toldOf(row: Row, network: string, origin: string | undefined): ToldAlert {
  const { id, at } = row
  const [type, level] = [row.type as AlertType, row.level as AlertLevel]
  const values = JSON.parse(row.values) as Record<string, string | number>
  const link = origin && row.network !== null ? `${origin}/network/${row.network}/alerts/detail?id=${id}` : ''
  const text = `${sentence({ type, values })}${row.recoveredAt === null ? '' : ` (${words.resolved})`}`
  return { id, at, level, type, network, link, text, device: String(values.device ?? '') }
}

type Why = { digest?: boolean; minutes?: number | undefined }

/** `[Harbour House] sw1 is offline`, or how many there are; before it why they come now. */
export function noticeOf(
  runtime: Runtime,
  told: readonly ToldAlert[],
  more: number,
  { digest, minutes }: Why = {},
): Notice {
  const [first] = told
  const { name } = readGeneral(runtime.db)
  const many = told.length === 1 && more === 0 && first ? first.text : `${told.length + more} ${words.many}`
  const late = minutes === undefined ? '' : `${words.late.replace('{minutes}', String(minutes))}: `
  const what = `${late}${digest ? `${words.digest}: ` : ''}${many}`
  return { what, subject: `[${name}] ${what}`, alerts: told, more }
}

/** Escalation: told so long ago, open, and nobody has taken it over. */
const leftAlone = (minutes: number, now: number) =>
  and(
    lte(alerts.toldAt, now - minutes * 60_000),
    isNull(alerts.acknowledgedAt),
    isNull(alerts.recoveredAt),
    isNull(alerts.parent),
    notInArray(alerts.type, overAtOnce),
  )

/** The organization's alerts since a target's last message, at least as grave as asked, of the networks it is for. */
function freshOf(db: Db, row: TargetRow, { level, afterMinutes }: NoticeTarget, now: number) {
  const { organization, told } = row
  const chosen = networksOf(row)
  const theirs = or(eq(alerts.organization, organization), inArray(alerts.network, sharedWith(db, organization)))
  const placed = and(theirs, chosen ? inArray(alerts.network, chosen) : undefined)
  const late = afterMinutes === undefined ? undefined : leftAlone(afterMinutes, now)
  return and(gt(alerts.told, told), lte(alerts.level, Number(level)), placed, late)
}

/** Up to which alert a target has been judged by then: of one that is told later those whose time has come. */
const judgedUpTo = (db: Db, { afterMinutes }: NoticeTarget, newest: number, now: number): number =>
  afterMinutes === undefined
    ? newest
    : (db
        .select({ told: max(alerts.told) })
        .from(alerts)
        .where(lte(alerts.toldAt, now - afterMinutes * 60_000))
        .get()?.told ?? 0)

const isBusy = (db: Db, target: number): boolean =>
  db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.target, target), inArray(deliveries.state, ['waiting', 'sending'])))
    .limit(1)
    .get() !== undefined

/** Puts a message into the queue, in the caller's transaction. */
export function enqueue(db: Db, target: number, notice: Notice, now: number): void {
  const row = { target, message: randomUUID(), body: JSON.stringify(notice), state: 'waiting' as const }
  db.insert(deliveries)
    .values({ ...row, createdAt: now, nextAt: now })
    .run()
  keepNewest(db, deliveries, eq(deliveries.target, target), limits.noticeDeliveries)
}

/** What is to be told, the first by name; `last`: the place of the last of these in the order of telling. */
function waiting(runtime: Runtime, where: SQL | undefined) {
  const { db } = runtime
  const found = db
    .select({ alert: alerts, network: networks.name })
    .from(alerts)
    .leftJoin(networks, eq(networks.id, alerts.network))
    .where(where)
    .orderBy(asc(alerts.told))
    .limit(inOne)
    .all()
  const total = db.select({ n: count() }).from(alerts).where(where).get()?.n ?? 0
  const origin = readMailServer(runtime)?.publicUrl
  const told = found.map(({ alert, network }) => toldOf(alert, network ?? '', origin))
  return { told, total, last: found.at(-1)?.alert.told ?? null }
}

function gatherOne(runtime: Runtime, row: TargetRow, newest: number, now: number): boolean {
  const { db } = runtime
  const target = openTarget(runtime, row)
  if (!target?.enabled || isBusy(db, row.id)) return false
  const who = { organization: row.organization, target: row.id }
  const upTo = judgedUpTo(db, target, newest, now)
  const digest = isDigestDue(db, who, now)
  if (upTo <= row.told && !digest) return false
  return db.transaction(tx => {
    const fresh = freshOf(tx, row, target, now)
    // Machines hear of all of it at once.
    if (!onlyEach(target)) holdQuiet(tx, who, fresh, now)
    const { told, total, last } = waiting(runtime, tellable(tx, who, fresh, now))
    const each = onlyEach(target) && total > told.length
    const more = each ? 0 : total - told.length
    if (told.length > 0)
      enqueue(tx, row.id, noticeOf(runtime, told, more, { digest, minutes: target.afterMinutes }), now)
    forgetHeld(tx, who, now)
    const reached = Math.max(row.told, each && last !== null ? last : upTo)
    tx.update(noticeTargets).set({ told: reached }).where(eq(noticeTargets.id, row.id)).run()
    return told.length > 0
  })
}

/**
 * Makes one message for each target of all alerts that it was not told of yet. While one waits there is no other: what
 * is raised meanwhile goes into the next. True: there is something to send.
 */
export function gatherNotices(runtime: Runtime, now = Date.now()): boolean {
  const newest = newestAlert(runtime.db)
  return runtime.db
    .select()
    .from(noticeTargets)
    .all()
    .map(row => gatherOne(runtime, row, newest, now))
    .includes(true)
}
