import { and, eq, inArray, lt, notInArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { noticeDeliveries as deliveries, noticeTargets } from '@/db/schema'
import { limits } from '@/model/limits'
import type { NoticeTarget } from '@/model/notify/target'
import { startOutbox } from '@/server/kernel/outbox'
import { outboxTable } from '@/server/kernel/outbox-table'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert, recoverOwn } from '@/server/notify/alerts/raise'
import { hookRetryMs, jittered } from '@/server/notify/webhooks/queue'
import { type Lookup, segmentsFor, systemLookup } from '@/server/notify/webhooks/targets'
import { type Message, type Told, tellChat } from './chat'
import type { Notice } from './compose'
import { gatherNotices } from './gather'
import { tellMail } from './letters'
import { tellLines } from './lines'
import { openTarget, type TargetRow } from './rows'

type Ways = { lookup: Lookup; retryMs: readonly number[]; limitMs: number; gatherMs: number }
const usual: Ways = {
  ...{ lookup: systemLookup, retryMs: hookRetryMs },
  ...{ limitMs: limits.webhookSeconds * 1000, gatherMs: 3000 },
}
/** Targets that are told at the same time. */
const atOnce = 4
const cleanMs = 3_600_000
/** A service that asks for more is asked again all the same. */
const longestWaitMs = 3_600_000

export const noticeWays = part<Ways>('noticeWays')

const table = outboxTable(deliveries, 'tries')
type Due = { row: typeof deliveries.$inferSelect; target: TargetRow }

/** One try, to where a target's organization may send; resolves however it ends. */
export function tellTarget(
  runtime: Runtime,
  organization: number,
  target: NoticeTarget,
  message: Message,
  stop: AbortSignal = runtime.stopping.signal,
): Promise<Told> {
  if (target.service === 'mail') return tellMail(runtime, target, message)
  const { lookup, limitMs } = noticeWays.find(runtime) ?? usual
  const tell = target.service === 'syslog' || target.service === 'snmp' ? tellLines : tellChat
  return tell(target, message, { allowed: segmentsFor(runtime, organization), lookup, limitMs, stop })
}

/** Whether the message before this one did not arrive either: that was told already. */
const failedBefore = (db: Db, { row, target }: Due): boolean =>
  db
    .select({ state: deliveries.state })
    .from(deliveries)
    .where(
      and(eq(deliveries.target, target.id), lt(deliveries.id, row.id), inArray(deliveries.state, ['done', 'failed'])),
    )
    .all()
    .at(-1)?.state === 'failed'

function settle(runtime: Runtime, due: Due, { waitMs = 0, last, ...told }: Told, { retryMs }: Ways): void {
  const { db } = runtime
  const { row, target } = due
  const now = Date.now()
  const wait = told.error && !last ? retryMs[row.tries - 1] : undefined
  const later = wait === undefined ? {} : { nextAt: now + Math.max(jittered(wait), Math.min(waitMs, longestWaitMs)) }
  const state = told.error === '' ? 'done' : wait === undefined ? 'failed' : 'waiting'
  db.transaction(() => {
    const first = state === 'failed' && !failedBefore(db, due)
    const noted = db
      .update(deliveries)
      .set({ ...told, ...later, state, triedAt: now })
      .where(eq(deliveries.id, row.id))
      .run()
    const { id, organization, name } = target
    const values = { target: name, id }
    // Of a target that was deleted meanwhile there is nothing to say.
    if (first && noted.changes > 0) raiseAlert(runtime, { type: 'noticeFailed', organization, values })
    if (state === 'done') recoverOwn(runtime, 'noticeFailed', { organization, values, same: 'id' })
  })
}

async function send(runtime: Runtime, due: Due, ways: Ways, stop: AbortSignal): Promise<void> {
  const { row, target } = due
  const values = openTarget(runtime, target)
  const message = { id: row.message, notice: JSON.parse(row.body) as Notice }
  const told: Told = values
    ? await tellTarget(runtime, target.organization, values, message, stop)
    : { code: 0, error: 'damagedSecret', answer: '' }
  // What was cut off counts as on its way, and goes again when the manager comes back.
  if (stop.aborted) return
  settle(runtime, due, told, ways)
  runtime.bus.emit({ topic: 'alerts', organization: target.organization })
}

function takeDue(db: Db, now: number, busy: readonly number[]) {
  const next = table.take(db, now, notInArray(deliveries.target, [...busy]))
  if (!next || 'at' in next) return next
  const target = db.select().from(noticeTargets).where(eq(noticeTargets.id, next.due.target)).get()
  if (!target) throw new Error(`target ${next.due.target} is gone`)
  return { due: { row: next.due, target } }
}

const forgetOld = (db: Db, now: number): void =>
  void db
    .delete(deliveries)
    .where(
      and(
        inArray(deliveries.state, ['done', 'failed']),
        lt(deliveries.createdAt, now - limits.noticeDays * 86_400_000),
      ),
    )
    .run()

/** Tells the services that organizations chose, of alerts as they are told. */
export function startNotices(runtime: Runtime, own: Partial<Ways> = {}): void {
  const ways = { ...usual, ...own }
  noticeWays.start(runtime, ways)
  const outbox = startOutbox(runtime, {
    name: 'notices',
    atOnce,
    keyOf: ({ target }: Due) => target.id,
    comeBack: () => table.comeBack(runtime.db),
    next: (now, busy) => takeDue(runtime.db, now, busy),
    send: (due, stop) => send(runtime, due, ways, stop),
  })
  const gather = () => {
    if (gatherNotices(runtime)) outbox.wake()
  }
  runtime.jobs.start({ id: 'notices', every: ways.gatherMs, run: gather })
  runtime.jobs.start({ id: 'noticeTrim', every: cleanMs, run: () => forgetOld(runtime.db, Date.now()) })
}
