import type { MailServer } from '@/model/mail/server'
import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { lastLetter } from './last'
import {
  allLater,
  allNow,
  comeBack,
  endMail,
  giveUp,
  type MailRow,
  type MailSender,
  mailRetryMs,
  takeDue,
  tryLater,
  valuesPlace,
} from './queue'
import { type MailValues, render } from './render'
import { readMailServer } from './server'
import { faultOf, reasonOf, sendLetter } from './transport'

/** A timer can be no longer, and a clock that is set is noticed. */
const longestWaitMs = 60_000

async function letterOf(runtime: Runtime, row: MailRow) {
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
    lastLetter.change(db, { last: { at: Date.now(), ok: false, error: reason } })
  })
}

/** Sends what waits in the queue, one letter after the other, the oldest first; wakes by itself for what is to be tried again. */
export function startMail(runtime: Runtime, retryMs: readonly number[] = mailRetryMs): void {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = false

  const sendOne = async (row: MailRow, server: MailServer): Promise<void> => {
    if (row.expiresAt <= Date.now()) return giveUp(runtime.db, row.id, row.error || 'expired')
    const letter = await letterOf(runtime, row).catch(error => giveUp(runtime.db, row.id, reasonOf(error, [])))
    if (!letter) return
    try {
      await sendLetter(server, letter)
    } catch (error) {
      // Otherwise the database may be closed by now; the letter counts as on its way and goes again.
      if (!stopped) failed(runtime, row, error, server, retryMs)
      return
    }
    if (!runtime.sqlite.open) return
    runtime.db.transaction(() => {
      endMail(runtime.db, row.id)
      lastLetter.change(runtime.db, { last: { at: Date.now(), ok: true, error: '' } })
    })
  }
  const drain = async (): Promise<void> => {
    while (!stopped) {
      const server = readMailServer(runtime)
      const next = server && takeDue(runtime.db, Date.now())
      if (!next) return
      if ('at' in next) {
        timer = setTimeout(() => wake(), Math.min(next.at - Date.now(), longestWaitMs))
        timer.unref()
        return
      }
      await sendOne(next, server)
      if (!stopped) runtime.bus.emit({ topic: 'mail' })
    }
  }
  const wake = (all = false): void => {
    if (stopped) return
    if (all) allNow(runtime.db)
    again = true
    if (running) return
    clearTimeout(timer)
    running = (async () => {
      try {
        while (again && !stopped) {
          again = false
          await drain()
        }
      } catch (error) {
        console.error('mail:', error)
      } finally {
        // In the same turn as the loop's last look at `again`: a wake in between would be lost.
        running = undefined
      }
    })()
  }
  comeBack(runtime.db)
  runtime.parts.set('mail', { wake } satisfies MailSender)
  runtime.closers.push(async () => {
    stopped = true
    clearTimeout(timer)
    await running
  })
  wake()
}
