import { and, asc, count, eq, gt, lte, max } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { alerts } from '@/db/schema'
import words from '@/locales/en/alerts.json'
import codeTexts from '@/locales/en/codes.json'
import { email } from '@/model/email'
import { hostOf } from '@/server/accounts/actor'
import { fail, isRefusal } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { getSetting, setSetting } from '@/server/kernel/settings'
import { queueMail } from '@/server/mail/queue'
import { oneLine, render } from '@/server/mail/render'
import { readMailServer } from '@/server/mail/server'
import { reasonOf, sendLetter } from '@/server/mail/transport'
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

export const noticePlace = 'settings:notices:sealed'
const linesInOne = 50

export function readNotice(runtime: Runtime): Notice {
  const { sealed } = getSetting(runtime.db, 'notices')
  return noticeShape.parse(sealed ? JSON.parse(runtime.secrets.open(sealed, noticePlace)) : {})
}

export const newestAlert = (db: Db): number =>
  db
    .select({ id: max(alerts.id) })
    .from(alerts)
    .get()?.id ?? 0

/** Alerts from before the first notice are not sent. */
export function saveNotice(runtime: Runtime, notice: Notice, before?: Notice): void {
  const { db, secrets } = runtime
  const sealed = secrets.seal(JSON.stringify(notice), noticePlace)
  setSetting(db, 'notices', { sealed, ...(before?.mode !== 'mail' && { mailed: newestAlert(db) }) })
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

/** The alerts since the last letter, at least as grave as asked: those of the company whose manager it is. */
function waiting(db: Db, after: number, level: AlertLevel) {
  const organization = hostOf(db)
  const where = and(gt(alerts.id, after), lte(alerts.level, level), eq(alerts.organization, organization ?? 0))
  const rows = db.select().from(alerts).where(where).orderBy(asc(alerts.id)).limit(linesInOne).all()
  const total = db.select({ n: count() }).from(alerts).where(where).get()?.n ?? 0
  const told = rows.map(row => ({
    ...{ type: row.type as NewAlert['type'], level: row.level as AlertLevel, at: row.at },
    values: JSON.parse(row.values) as Record<string, string | number>,
  }))
  return { told, total, organization }
}

/**
 * Puts the alerts that no letter told of yet into the queue of letters, one for each recipient. What was raised is told
 * once, also when the manager ended in between. Refuses with mailQueueFull; then nothing counts as told.
 */
export function queueAlerts(runtime: Runtime): void {
  const { db } = runtime
  const { mode, level, mail } = readNotice(runtime)
  const newest = newestAlert(db)
  const { mailed = newest } = getSetting(db, 'notices')
  if (mode !== 'mail' || newest <= mailed) return
  db.transaction(tx => {
    const { told, total, organization } = waiting(db, mailed, level)
    const values = lettered(told, total)
    const locale = getSetting(db, 'manager').language
    for (const to of total ? (mail?.to ?? []) : [])
      queueMail(runtime, tx, { organization, to, locale, template: 'alerts', values })
    setSetting(db, 'notices', { mailed: newest })
  })
}

/** Sends one letter now by these settings; rejects with what went wrong, without secrets. */
export async function sendTest(runtime: Runtime, notice: Notice): Promise<void> {
  const server = readMailServer(runtime)
  if (!server) fail('mailNotSet')
  const { name, language } = getSetting(runtime.db, 'manager')
  const sample = { type: 'noticeTest', level: 15, at: Date.now() } as const
  const letter = await render('alerts', language, { manager: name, ...lettered([sample], 1) })
  await sendLetter(server, { to: notice.mail?.to ?? [], ...letter })
}

const codeWords: Record<string, string> = codeTexts

/** In words without the secrets that a library may have put into its message. */
export const cause = (runtime: Runtime, error: unknown): string =>
  isRefusal(error)
    ? (codeWords[String(error.retCode)] ?? error.code)
    : reasonOf(error, [readMailServer(runtime)?.password ?? ''])
