import { and, eq, inArray, lt, ne, notInArray, or } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { webhookDeliveries as deliveries, webhooks } from '@/db/schema'
import { limits } from '@/model/limits'
import { testType } from '@/model/webhooks'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Next, Outbox } from '@/server/kernel/outbox'
import { outboxTable } from '@/server/kernel/outbox-table'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type Hook, hookOf } from './hooks'
import type { Outcome } from './send'
import type { Lookup } from './targets'

export type DeliveryRow = typeof deliveries.$inferSelect
export type NewDelivery = Pick<DeliveryRow, 'webhook' | 'event' | 'topic' | 'type' | 'network' | 'body'>

export type Told = (runtime: Runtime, webhook: { id: number; name: string; organization: number }) => void

/** How long until the next try, by the number of tries so far; after the last one it is given up. */
export const hookRetryMs = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000] as const

/** Up to a fifth sooner or later: receivers that failed together are not asked together again. */
export const jittered = (ms: number, random: () => number = Math.random): number =>
  Math.round(ms * (0.8 + 0.4 * random()))

type HookOutbox = Pick<Outbox<never, void>, 'wake'> & { lookup: Lookup; decided: Told }
export const hookOutbox = part<HookOutbox>('webhooks')
/** After the caller's transaction, which is synchronous. */
export const wakeHooks = (runtime: Runtime) => void setImmediate(() => hookOutbox.find(runtime)?.wake())

/** Puts one into the queue, in the caller's transaction: it goes out if that holds, also when the manager ends in between. */
export function enqueue(runtime: Runtime, row: NewDelivery, now: number): number {
  const { db } = runtime
  const { id } = db
    .insert(deliveries)
    .values({ ...row, state: 'waiting', createdAt: now, nextAt: now })
    .returning({ id: deliveries.id })
    .get()
  // The oldest go, waiting or not.
  const own = and(eq(deliveries.webhook, row.webhook), ne(deliveries.state, 'sending'))
  keepNewest(db, deliveries, own, limits.webhookDeliveries)
  wakeHooks(runtime)
  return id
}

export type Due = Hook & { row: DeliveryRow }

export const hookTable = outboxTable(deliveries, 'tries')

/** The next one that is due, as `hookTable.take`. A webhook that is `busy` is passed by; one that is not on hears of tests. */
export function takeDue(db: Db, now: number, busy: readonly number[]): Next<Due> | undefined {
  const on = db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.state, 'on'))
  const open = or(inArray(deliveries.webhook, on), eq(deliveries.type, testType))
  const next = hookTable.take(db, now, and(open, notInArray(deliveries.webhook, [...busy])))
  if (!next || 'at' in next) return next
  return { due: { row: next.due, ...hookOf(db, next.due.webhook) } }
}

/** Writes down how a try ended. `nextAt`: when the next will be, where there is one. */
export function noteTry(db: Db, { id }: DeliveryRow, outcome: Outcome, now: number, nextAt?: number): void {
  const { ms, code, error, answer } = outcome
  const state = error === '' ? 'done' : nextAt === undefined ? 'failed' : 'waiting'
  const later = nextAt === undefined ? {} : { nextAt }
  db.update(deliveries)
    .set({ ...later, state, ms, code, error, answer, triedAt: now })
    .where(eq(deliveries.id, id))
    .run()
}

/** One that ended goes again, as the same event, with all its tries before it. */
export const sendAgain = (db: Db, id: number, now: number) =>
  db.update(deliveries).set({ state: 'waiting', tries: 0, nextAt: now }).where(eq(deliveries.id, id)).run()

/** Those that ended, and are older than what is kept. */
export const forgetOld = (db: Db, now: number) =>
  db
    .delete(deliveries)
    .where(
      and(
        inArray(deliveries.state, ['done', 'failed']),
        lt(deliveries.createdAt, now - limits.webhookDays * 24 * 3_600_000),
      ),
    )
    .run()
