import type { MailServer } from '@/model/mail/server'
import { readGeneral } from '@/server/kernel/general'
import { startOutbox } from '@/server/kernel/outbox'
import type { Runtime } from '@/server/kernel/runtime'
import { lastMail } from './last'
import {
  allLater,
  endMails,
  giveUp,
  type MailRow,
  mailOutbox,
  mailRetryMs,
  mailTable,
  tryLater,
  valuesPlace,
} from './queue'
import { type MailValues, render } from './render'
import { readMailServer } from './server'
import { faultOf, reasonOf, sendMail } from './transport'

async function mailOf(runtime: Runtime, row: MailRow) {
  const values = JSON.parse(runtime.secrets.open(row.values, valuesPlace(row.message))) as MailValues
  const manager = readGeneral(runtime.db).name
  return {
    to: row.recipient,
    message: row.message,
    ...(await render(row.template, row.locale, { manager, ...values })),
  }
}

function failed(runtime: Runtime, row: MailRow, error: unknown, server: MailServer, retryMs: readonly number[]): void {
  const { db } = runtime
  const reason = reasonOf(error, [server.password ?? ''])
  const fault = faultOf(error)
  const nextAt = Date.now() + (retryMs[Math.min(row.attempts, retryMs.length) - 1] ?? 0)
  if (reason !== row.error) console.error(`mail ${row.id} (${row.template}): ${reason}`)
  db.transaction(() => {
    if (fault === 'recipient' || nextAt >= row.expiresAt) giveUp(db, row.id, reason)
    else tryLater(db, row.id, reason, nextAt)
    if (fault === 'server') allLater(db, reason, nextAt)
    lastMail.change(db, { last: { at: Date.now(), ok: false, error: reason } })
  })
}

/** A mail that is due, and the server that it goes through. */
type Due = { row: MailRow; server: MailServer }

async function sendOne(runtime: Runtime, { row, server }: Due, retryMs: readonly number[], stop: AbortSignal) {
  if (row.expiresAt <= Date.now()) return giveUp(runtime.db, row.id, row.error || 'expired')
  const mail = await mailOf(runtime, row).catch(error => giveUp(runtime.db, row.id, reasonOf(error, [])))
  if (!mail) return
  try {
    await sendMail(server, mail)
  } catch (error) {
    // Otherwise the database may be closed by now; the mail counts as on its way and goes again.
    if (!stop.aborted) failed(runtime, row, error, server, retryMs)
    return
  }
  if (!runtime.sqlite.open) return
  runtime.db.transaction(() => {
    endMails(runtime.db, [row.id])
    lastMail.change(runtime.db, { last: { at: Date.now(), ok: true, error: '' } })
  })
}

/** Sends what waits in the queue, one mail after the other, the oldest first. */
export function startMail(runtime: Runtime, retryMs: readonly number[] = mailRetryMs): void {
  const { db, bus } = runtime
  const outbox = startOutbox(runtime, {
    name: 'mail',
    atOnce: 1,
    keyOf: ({ row }: Due) => row.id,
    comeBack: () => mailTable.comeBack(db),
    next(now) {
      const server = readMailServer(runtime)
      const next = server && mailTable.take(db, now)
      return next && 'due' in next ? { due: { row: next.due, server } } : next
    },
    async send(due, stop) {
      await sendOne(runtime, due, retryMs, stop)
      if (!stop.aborted) bus.emit({ topic: 'mail' })
    },
  })
  mailOutbox.start(runtime, outbox)
}
