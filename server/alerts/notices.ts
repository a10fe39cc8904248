import { and, asc, count, desc, eq, gt, inArray, lte, max, ne, or } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { alerts, mails, notices } from '@/db/schema'
import words from '@/locales/en/alerts.json'
import codeTexts from '@/locales/en/codes.json'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { fail, isRefusal } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { queueMail } from '@/server/mail/queue'
import { oneLine, render } from '@/server/mail/render'
import { readMailServer } from '@/server/mail/server'
import { faultOf, reasonOf, sendLetter } from '@/server/mail/transport'
import { sharedWith } from '@/server/networks/access'
import type { AlertLevel, NewAlert } from './raise'
import { sentence } from './sentence'

// Alerts leave the manager by mail, where an administrator chose so; webhooks (server/webhooks) hear of them besides.

/** Through the manager's mail server (server/mail). */
export const mailShape = z.strictObject({ to: z.array(email).min(1, 'required').max(20) })
export const noticeShape = z.strictObject({
  mode: z.enum(['off', 'mail']).default('off'),
  /** Only alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
  level: z.union([z.literal(5), z.literal(10), z.literal(15)]).default(15),
  mail: mailShape.optional(),
})
export type Notice = z.output<typeof noticeShape>

const noticePlace = (organization: number) => `notices:${organization}:sealed`
const linesInOne = 50

const rowOf = (db: Db, organization: number) =>
  db.select().from(notices).where(eq(notices.organization, organization)).get()

const opened = ({ secrets }: Runtime, { organization, sealed }: typeof notices.$inferSelect): Notice =>
  noticeShape.parse(JSON.parse(secrets.open(sealed, noticePlace(organization))))

export function readNotice(runtime: Runtime, organization: number): Notice {
  const row = rowOf(runtime.db, organization)
  return row ? opened(runtime, row) : noticeShape.parse({})
}

export const newestAlert = (db: Db): number =>
  db
    .select({ id: max(alerts.id) })
    .from(alerts)
    .get()?.id ?? 0

/** Alerts from before they were told by mail are not sent, unless `mailed` says from where on. */
export function saveNotice(runtime: Runtime, organization: number, notice: Notice, mailed?: number): void {
  const { db, secrets } = runtime
  const before = rowOf(db, organization)
  const told = before && opened(runtime, before).mode === 'mail' ? before.mailed : newestAlert(db)
  const row = { sealed: secrets.seal(JSON.stringify(notice), noticePlace(organization)), mailed: mailed ?? told }
  db.insert(notices)
    .values({ organization, ...row })
    .onConflictDoUpdate({ target: notices.organization, set: row })
    .run()
}

const levels = { 5: words.levels.emergency, 10: words.levels.warning, 15: words.levels.notice } as const

type Told = Pick<NewAlert, 'type' | 'level' | 'values'> & { at: number }
const lineOf = (alert: Told) =>
  `${new Date(alert.at).toISOString()}  ${levels[alert.level]}: ${oneLine(sentence(alert))}`

/** Values of the letter `alerts`: the first ones line by line, and how many there are besides. */
function lettered(told: readonly Told[], total: number) {
  const [first] = told
  const more = total - told.length
  return {
    what: total === 1 && first ? sentence(first) : `${total} ${words.many}`,
    lines: [...told.map(lineOf), ...(more > 0 ? [`+ ${more}`] : [])],
  }
}

/** The organization's alerts since its last letter, at least as grave as asked: of its networks, and those shared with it. */
function waiting(db: Db, { organization, mailed }: typeof notices.$inferSelect, level: AlertLevel) {
  const theirs = or(eq(alerts.organization, organization), inArray(alerts.network, sharedWith(db, organization)))
  const where = and(gt(alerts.id, mailed), lte(alerts.level, level), theirs)
  const rows = db.select().from(alerts).where(where).orderBy(asc(alerts.id)).limit(linesInOne).all()
  const total = db.select({ n: count() }).from(alerts).where(where).get()?.n ?? 0
  const told = rows.map(row => ({
    ...{ type: row.type as NewAlert['type'], level: row.level as AlertLevel, at: row.at },
    values: JSON.parse(row.values) as Record<string, string | number>,
  }))
  return { told, total }
}

const ownLetters = (organization: number) => and(eq(mails.organization, organization), eq(mails.template, 'alerts'))

/** One company's letters must not fill the queue of all. */
function hasRoom(db: Db, organization: number): boolean {
  const own = and(ownLetters(organization), ne(mails.state, 'failed'))
  const n = db.select({ n: count() }).from(mails).where(own).get()?.n ?? 0
  return n < limits.alertLettersWaiting
}

/** False: they wait in the list of alerts until letters of before have left. */
function queueOf(runtime: Runtime, row: typeof notices.$inferSelect, newest: number): boolean {
  const { db } = runtime
  const { organization } = row
  const { mode, level, mail } = opened(runtime, row)
  if (mode !== 'mail' || newest <= row.mailed) return true
  if (!hasRoom(db, organization)) return false
  db.transaction(tx => {
    const { told, total } = waiting(db, row, level)
    const values = lettered(told, total)
    const locale = readGeneral(db).language
    for (const to of total ? (mail?.to ?? []) : [])
      queueMail(runtime, tx, { organization, to, locale, template: 'alerts', values })
    tx.update(notices).set({ mailed: newest }).where(eq(notices.organization, organization)).run()
  })
  return true
}

/**
 * Puts the alerts that no letter told of yet into the queue of letters, one for each recipient of each organization. What
 * was raised is told once, also when the manager ended in between. Refuses with mailQueueFull, and answers false where
 * letters have no room; those alerts do not count as told.
 */
export function queueAlerts(runtime: Runtime): boolean {
  const newest = newestAlert(runtime.db)
  return runtime.db
    .select()
    .from(notices)
    .all()
    .map(row => queueOf(runtime, row, newest))
    .every(Boolean)
}

/** How the last letter fared that went wrong, of an organization that does not look after the mail server itself. */
export function lastFailure(db: Db, organization: number) {
  const failed = and(ownLetters(organization), ne(mails.error, ''))
  const row = db.select().from(mails).where(failed).orderBy(desc(mails.id)).limit(1).get()
  return row ? { at: row.createdAt, ok: false, error: row.recipient } : null
}

/** Sends one letter now by these settings; rejects with what went wrong, without secrets. */
export async function sendTest(runtime: Runtime, notice: Notice): Promise<void> {
  const server = readMailServer(runtime)
  if (!server) fail('mailNotSet')
  const { name, language } = readGeneral(runtime.db)
  const sample = { type: 'noticeTest', level: 15, at: Date.now() } as const
  const letter = await render('alerts', language, { manager: name, ...lettered([sample], 1) })
  await sendLetter(server, { to: notice.mail?.to ?? [], ...letter })
}

const codeWords: Record<string, string> = codeTexts

/** As `cause`, for who does not look after the mail server: what it says of the letter, and nothing of where it stands. */
export const causeOfLetter = (runtime: Runtime, error: unknown): string =>
  isRefusal(error) || faultOf(error) !== 'server' ? cause(runtime, error) : words.serverFault

/** In words without the secrets that a library may have put into its message. */
export const cause = (runtime: Runtime, error: unknown): string =>
  isRefusal(error)
    ? (codeWords[String(error.retCode)] ?? error.code)
    : reasonOf(error, [readMailServer(runtime)?.password ?? ''])
