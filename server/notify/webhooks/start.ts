import { eq } from 'drizzle-orm'
import { webhooks } from '@/db/schema'
import { limits } from '@/model/limits'
import { testType } from '@/model/webhooks'
import { limiter } from '@/server/kernel/limiter'
import { startOutbox } from '@/server/kernel/outbox'
import type { Runtime } from '@/server/kernel/runtime'
import { notifyChangelog } from './events'
import { type About, type Hook, mayCarry, openSecret } from './hooks'
import { type Due, forgetOld, hookOutbox, hookRetryMs, hookTable, jittered, noteTry, type Told, takeDue } from './queue'
import { type Outcome, sendOnce } from './send'
import { type Lookup, segmentsFor, systemLookup } from './targets'

/** Webhooks that are told at the same time, each of one thing: one that answers slowly keeps no other waiting. */
const atOnce = 4
/** Asking a name server holds one of the process's few threads, which files and passwords need, too. */
const asksAtOnce = 2
const cleanMs = 3_600_000
/** The receiver wants no more (RFC 9110 section 15.5.11). */
const gone = 410

/** Told of a webhook that is sent nothing more, and of what somebody decided about it then. */
export type HookNews = { paused: Told; decided: Told }

type Ways = { lookup: Lookup; retryMs: readonly number[]; limitMs: number; lookMs: number }
const usual: Ways = {
  ...{ lookup: systemLookup, retryMs: hookRetryMs },
  ...{ limitMs: limits.webhookSeconds * 1000, lookMs: 2000 },
}

function pause(runtime: Runtime, { hook, account }: Hook, { paused }: HookNews): void {
  runtime.db.update(webhooks).set({ state: 'paused' }).where(eq(webhooks.id, hook.id)).run()
  paused(runtime, { id: hook.id, name: hook.name, organization: account.organization })
}

/** A receiver that takes nothing, or says that it wants no more, is not tried for ever. */
function countFailure(runtime: Runtime, due: Due, code: number, news: HookNews): void {
  const { db } = runtime
  const now = db.select().from(webhooks).where(eq(webhooks.id, due.hook.id)).get()
  if (!now) return
  const failures = now.failures + 1
  db.update(webhooks).set({ failures }).where(eq(webhooks.id, now.id)).run()
  if (now.state === 'on' && (code === gone || failures >= limits.webhookFailures)) pause(runtime, due, news)
}

/** Not the receiver's fault: nothing was sent. */
const ownFaults = ['notAllowed', 'damagedSecret']

function settle(
  runtime: Runtime,
  due: Due,
  outcome: Outcome,
  { retryMs }: Pick<Ways, 'retryMs'>,
  news: HookNews,
): void {
  const { db } = runtime
  const { row, hook } = due
  const now = Date.now()
  const isTest = row.type === testType
  const wait = isTest || outcome.code === gone || ownFaults.includes(outcome.error) ? undefined : retryMs[row.tries - 1]
  db.transaction(() => {
    noteTry(db, row, outcome, now, outcome.error && wait !== undefined ? now + jittered(wait) : undefined)
    if (isTest || ownFaults.includes(outcome.error)) return
    if (outcome.error === '') db.update(webhooks).set({ failures: 0 }).where(eq(webhooks.id, hook.id)).run()
    else if (wait === undefined) countFailure(runtime, due, outcome.code, news)
  })
}

const refused = (error: string): Outcome => ({ code: 0, ms: 0, answer: '', error })

/** One try of a delivery, if its maker may still see what it says. */
async function attempt(runtime: Runtime, due: Due, { lookup, limitMs }: Ways, stop: AbortSignal): Promise<Outcome> {
  const { row, hook } = due
  const { topic, network } = row
  if (!mayCarry(runtime.db, due, { topic, network } as About)) return refused('notAllowed')
  let secret: string
  try {
    secret = openSecret(runtime, hook)
  } catch {
    return refused('damagedSecret')
  }
  const request = { url: hook.url, body: row.body, secret, now: Date.now() }
  return sendOnce(request, { allowed: segmentsFor(runtime, due.account.organization), lookup, limitMs, stop })
}

/** Sends what waits in the queue, and looks for what the changelog has to tell. */
export function startWebhooks(runtime: Runtime, news: HookNews, own: Partial<Ways> = {}): void {
  const asking = limiter(asksAtOnce)
  const { lookup: ask, ...rest } = { ...usual, ...own }
  const ways: Ways = { ...rest, lookup: host => asking.run(() => ask(host)) }
  const outbox = startOutbox(runtime, {
    name: 'webhooks',
    atOnce,
    keyOf: ({ hook }: Due) => hook.id,
    comeBack: () => hookTable.comeBack(runtime.db),
    next: (now, busy) => takeDue(runtime.db, now, busy),
    async send(due, stop) {
      const outcome = await attempt(runtime, due, ways, stop)
      // What was cut off counts as on its way, and goes again when the manager comes back.
      if (stop.aborted) return
      settle(runtime, due, outcome, ways, news)
      runtime.bus.emit({ topic: 'webhooks', organization: due.account.organization })
    },
  })
  hookOutbox.start(runtime, { wake: outbox.wake, lookup: ways.lookup, decided: news.decided })
  runtime.jobs.start({ id: 'webhookLog', every: ways.lookMs, run: notifyChangelog })
  runtime.jobs.start({ id: 'webhookTrim', every: cleanMs, run: () => void forgetOld(runtime.db, Date.now()) })
}
