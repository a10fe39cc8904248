import { randomUUID } from 'node:crypto'
import { and, count, eq, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { mails } from '@/db/schema'
import { limits } from '@/model/limits'
import { fail } from '@/server/kernel/fail'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Outbox } from '@/server/kernel/outbox'
import { outboxTable } from '@/server/kernel/outbox-table'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import type { MailTemplate, MailValues } from './render'

export type QueuedMail = {
  organization: number | null
  to: string
  /** The reader's language; English where there are no words in it. */
  locale: string | null
  /** Key of locales/en/mail.json; `values` stand for its {braces}, `{manager}` is always known. */
  template: MailTemplate
  values: MailValues
  /** After this time the letter is worth nothing (a code): it is given up. Else after a day. */
  seconds?: number
}

/** How long until the next try, by the number of tries so far; the last one goes on. */
export const mailRetryMs = [30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const

export const valuesPlace = (message: string) => `mails:${message}:values`

/**
 * Puts a letter into the queue, in the caller's transaction: it goes out if and only if that holds, also when the manager
 * ends in between. Sent at least once; a second time carries the same Message-ID. Refuses with mailQueueFull.
 */
export function queueMail(runtime: Runtime, tx: Db, mail: QueuedMail, now = Date.now()): void {
  const waiting = tx.select({ n: count() }).from(mails).where(ne(mails.state, 'failed')).get()?.n ?? 0
  if (waiting >= limits.mailsWaiting) fail('mailQueueFull')
  const message = randomUUID()
  tx.insert(mails)
    .values({
      message,
      organization: mail.organization,
      recipient: mail.to,
      locale: mail.locale ?? '',
      template: mail.template,
      values: runtime.secrets.seal(JSON.stringify(mail.values), valuesPlace(message)),
      state: 'waiting',
      createdAt: now,
      nextAt: now,
      expiresAt: now + (mail.seconds ?? limits.mailHours * 3600) * 1000,
    })
    .run()
  // After the caller's transaction, which is synchronous.
  setImmediate(() => wakeMail(runtime))
}

export type MailRow = typeof mails.$inferSelect

export const mailOutbox = part<Pick<Outbox<never, void>, 'wake'>>('mail')
/** `all`: also what would be tried again later only. */
export function wakeMail(runtime: Runtime, all = false): void {
  const outbox = mailOutbox.find(runtime)
  if (outbox && all && runtime.sqlite.open) allNow(runtime.db)
  outbox?.wake()
}

export const mailTable = outboxTable(mails, 'attempts')

export const endMails = (db: Db, ids: readonly number[]) =>
  db
    .delete(mails)
    .where(inArray(mails.id, [...ids]))
    .run()

/** Gives a letter up with its reason, and forgets the oldest ones that were. */
export function giveUp(db: Db, id: number, error: string): void {
  db.update(mails).set({ state: 'failed', error }).where(eq(mails.id, id)).run()
  keepNewest(db, mails, eq(mails.state, 'failed'), limits.mailsFailed)
}

export const tryLater = (db: Db, id: number, error: string, nextAt: number) =>
  db.update(mails).set({ state: 'waiting', error, nextAt }).where(eq(mails.id, id)).run()

/** The server takes nothing: the others need not find out one by one. */
export const allLater = (db: Db, error: string, nextAt: number) =>
  db
    .update(mails)
    .set({ error, nextAt })
    .where(and(eq(mails.state, 'waiting'), lt(mails.nextAt, nextAt)))
    .run()

/** What is tried again later is tried now. */
const allNow = (db: Db) => db.update(mails).set({ nextAt: 0 }).where(eq(mails.state, 'waiting')).run()
/** Now instead of later; letters that were given up get a whole new time. */
export function retryMails(db: Db, ids: readonly number[], now: number): void {
  const again = { state: 'waiting', nextAt: now, attempts: 0, expiresAt: now + limits.mailHours * 3600_000 } as const
  const those = inArray(mails.id, [...ids])
  db.update(mails)
    .set(again)
    .where(and(those, eq(mails.state, 'failed')))
    .run()
  db.update(mails)
    .set({ nextAt: now })
    .where(and(those, eq(mails.state, 'waiting')))
    .run()
}
