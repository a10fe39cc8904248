import { and, asc, count, desc, eq, gt, inArray, lte, max, ne, or, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { alerts, mails, notices as sentNotices } from '@/db/schema'
import words from '@/locales/en/alertTypes.json'
import codeTexts from '@/locales/en/codes.json'
import { email } from '@/model/email'
import type { Data } from '@/model/kind'
import { limits } from '@/model/limits'
import { type AlertLevel, type AlertType, levelOf } from '@/model/notify/catalogue'
import { type Notices, notices } from '@/model/notify/notices'
import { fail, isRefusal } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { queueMail } from '@/server/mail/queue'
import { oneLine, render } from '@/server/mail/render'
import { readMailServer } from '@/server/mail/server'
import { faultOf, reasonOf, sendMail } from '@/server/mail/transport'
import { sharedWith } from '@/server/people/access/access'
import { forgetHeld, holdQuiet, isDigestDue, tellable } from './quiet'
import { sentence } from './sentence'

// Alerts leave the manager by mail, where an administrator chose so; webhooks (server/notify/webhooks) hear of them besides.

/** As calls take and answer it, which are older than the kind. */
export const noticeShape = z.strictObject({
  mode: z.enum(['off', 'mail']).default('off'),
  /** Only alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
  level: z.union([z.literal(5), z.literal(10), z.literal(15)]).default(15),
  mail: z.strictObject({ to: z.array(email).min(1, 'required').max(limits.noticeRecipients) }).optional(),
})
export type Notice = z.output<typeof noticeShape>

export const noticeFields = ({ mode, level, mail }: Notice): Data => ({
  mode,
  level: String(level),
  ...(mail && { to: mail.to }),
})
export const noticeOf = ({ mode, level, to }: Notices): Notice => ({
  mode,
  level: Number(level) as Notice['level'],
  ...(to?.length && { mail: { to } }),
})
/** What an earlier version stored; what is not understood is off. */
export const noticeValues = (stored: unknown): Data =>
  noticeFields(noticeShape.safeParse(stored).data ?? noticeShape.parse({}))

const linesInOne = 50

const rowOf = (db: Db, organization: number) =>
  db.select().from(sentNotices).where(eq(sentNotices.organization, organization)).get()

export const readNotices = (db: Db, organization: number): Notices => readOwnOrDefaults(db, notices, { organization })

/** Place in the order of telling of the newest alert that was told. */
export const newestAlert = (db: Db): number =>
  db
    .select({ told: max(alerts.told) })
    .from(alerts)
    .get()?.told ?? 0

/** From which alert on mails tell: those of before they were told by mail are not sent. */
export function tellFrom(db: Db, organization: number, mailed: number): void {
  const row = { sealed: '', mailed }
  db.insert(sentNotices)
    .values({ organization, ...row })
    .onConflictDoUpdate({ target: sentNotices.organization, set: row })
    .run()
}

export const noticeSettings: OwnSettings<Notices> = {
  kind: notices,
  judge({ runtime }, { mode }) {
    if (mode === 'mail' && !readMailServer(runtime)) fail('mailNotSet')
    return {}
  },
  storing({ actor: { organization } }, tx, { mode }, before) {
    if (mode === 'off') forgetHeld(tx, { organization, target: null }, Number.MAX_SAFE_INTEGER)
    const row = rowOf(tx, organization)
    tellFrom(tx, organization, row && before.mode === 'mail' ? row.mailed : newestAlert(tx))
  },
  former({ db, secrets }) {
    const rows = db.select().from(sentNotices).where(ne(sentNotices.sealed, '')).all()
    db.update(sentNotices).set({ sealed: '' }).run()
    return rows.map(({ organization, sealed }) => ({
      organization,
      values: noticeValues(JSON.parse(secrets.open(sealed, `notices:${organization}:sealed`))),
    }))
  },
}

const levels = { 5: words.levels.emergency, 10: words.levels.warning, 15: words.levels.notice } as const

type Told = {
  type: AlertType
  level: AlertLevel
  values?: Record<string, string | number>
  at: number
  recoveredAt?: number | null
}
const lineOf = (alert: Told) =>
  `${new Date(alert.at).toISOString()}  ${levels[alert.level]}: ${oneLine(sentence(alert))}${alert.recoveredAt ? ` (${words.resolved})` : ''}`

/** Values of the mail `alerts`: the first ones line by line, and how many there are besides. */
function lettered(told: readonly Told[], total: number, digest = false) {
  const [first] = told
  const more = total - told.length
  const what = total === 1 && first ? sentence(first) : `${total} ${words.many}`
  return {
    what: digest ? `${words.digest}: ${what}` : what,
    lines: [...told.map(lineOf), ...(more > 0 ? [`+ ${more}`] : [])],
  }
}

/** The organization's alerts since its last mail, at least as grave as asked: of its networks, and those shared with it. */
function freshOf(db: Db, { organization, mailed }: typeof sentNotices.$inferSelect, level: AlertLevel) {
  const theirs = or(eq(alerts.organization, organization), inArray(alerts.network, sharedWith(db, organization)))
  return and(gt(alerts.told, mailed), lte(alerts.level, level), theirs)
}

/** The first of them in the order of telling, and how many there are. */
function waiting(db: Db, where: SQL | undefined) {
  const rows = db.select().from(alerts).where(where).orderBy(asc(alerts.told)).limit(linesInOne).all()
  const total = db.select({ n: count() }).from(alerts).where(where).get()?.n ?? 0
  const told = rows.map(row => ({
    ...{ type: row.type as AlertType, level: row.level as AlertLevel, at: row.at, recoveredAt: row.recoveredAt },
    values: JSON.parse(row.values) as Record<string, string | number>,
  }))
  return { told, total }
}

const ownMails = (organization: number) => and(eq(mails.organization, organization), eq(mails.template, 'alerts'))

/** One company's mails must not fill the queue of all. */
function hasRoom(db: Db, organization: number): boolean {
  const own = and(ownMails(organization), ne(mails.state, 'failed'))
  const n = db.select({ n: count() }).from(mails).where(own).get()?.n ?? 0
  return n < limits.alertLettersWaiting
}

/** False: they wait in the list of alerts until mails of before have left. */
function queueOf(runtime: Runtime, row: typeof sentNotices.$inferSelect, newest: number, now: number): boolean {
  const { db } = runtime
  const { organization } = row
  const { mode, level, to: recipients = [] } = readNotices(db, organization)
  const who = { organization, target: null }
  const digest = isDigestDue(db, who, now)
  if (mode !== 'mail' || (newest <= row.mailed && !digest)) return true
  if (!hasRoom(db, organization)) return false
  db.transaction(tx => {
    const fresh = freshOf(tx, row, Number(level) as AlertLevel)
    holdQuiet(tx, who, fresh, now)
    const { told, total } = waiting(tx, tellable(tx, who, fresh, now))
    const values = lettered(told, total, digest)
    const locale = readGeneral(db).language
    for (const to of total ? recipients : [])
      queueMail(runtime, tx, { organization, to, locale, template: 'alerts', values })
    forgetHeld(tx, who, now)
    tx.update(sentNotices).set({ mailed: newest }).where(eq(sentNotices.organization, organization)).run()
  })
  return true
}

/**
 * Puts the alerts that no mail told of yet into the queue of mails, one for each recipient of each organization. What
 * was raised is told once, also when the manager ended in between. Refuses with mailQueueFull, and answers false where
 * mails have no room; those alerts do not count as told.
 */
export function queueAlerts(runtime: Runtime, now = Date.now()): boolean {
  const newest = newestAlert(runtime.db)
  return runtime.db
    .select()
    .from(sentNotices)
    .all()
    .map(row => queueOf(runtime, row, newest, now))
    .every(Boolean)
}

/** How the last mail fared that went wrong, of an organization that does not look after the mail server itself. */
export function lastFailure(db: Db, organization: number) {
  const failed = and(ownMails(organization), ne(mails.error, ''))
  const row = db.select().from(mails).where(failed).orderBy(desc(mails.id)).limit(1).get()
  return row ? { at: row.createdAt, ok: false, error: row.recipient } : null
}

/** Sends one mail now by these settings; rejects with what went wrong, without secrets. */
export async function sendTest(runtime: Runtime, to: readonly string[]): Promise<void> {
  const server = readMailServer(runtime)
  if (!server) fail('mailNotSet')
  const { name, language } = readGeneral(runtime.db)
  const type = 'noticeTest'
  const sample = { type, level: levelOf(type), at: Date.now() } as const
  const mail = await render('alerts', language, { manager: name, ...lettered([sample], 1) })
  await sendMail(server, { to, ...mail })
}

const codeWords: Record<string, string> = codeTexts

/** As `cause`, for who does not look after the mail server: what it says of the mail, and nothing of where it stands. */
export const causeOfMail = (runtime: Runtime, error: unknown): string =>
  isRefusal(error) || faultOf(error) !== 'server' ? cause(runtime, error) : words.serverFault

/** In words without the secrets that a library may have put into its message. */
export const cause = (runtime: Runtime, error: unknown): string =>
  isRefusal(error)
    ? (codeWords[String(error.retCode)] ?? error.code)
    : reasonOf(error, [readMailServer(runtime)?.password ?? ''])
