import { randomBytes } from 'node:crypto'
import { and, asc, count, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts, signUps } from '@/db/schema'
import { limits } from '@/model/limits'
import { available, localeOf } from '@/model/locales'
import type { Actor, BaseContext } from '@/server/kernel/call'
import { appendLog } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { limitRate, withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { sha256 } from '@/server/kernel/secrets'
import { queueMail } from '@/server/mail/queue'
import type { MailTemplate, MailValues } from '@/server/mail/render'
import { mailReady, publicLink } from '@/server/mail/server'
import { hostOrganization } from '@/server/people/accounts/actor'
import { readSecurity } from '@/server/people/accounts/security'

export type SignUp = typeof signUps.$inferSelect
export type Asked = { account: string; username: string; email: string; company: string }

const hourMs = 3_600_000
const goodMs = limits.activationDays * 24 * hourMs
const perMailbox = 3
const perAddress = { most: 10, minutes: 60 }

/** Whether strangers may ask for an account: only where an administrator opened it, and mails can prove addresses. */
export const signUpOpen = (runtime: Runtime): boolean => readSecurity(runtime.db).signUp && mailReady(runtime)

const languageOf = ({ runtime, cookie }: BaseContext): string => {
  const wanted = localeOf(cookie('locale'))
  return cookie('locale') && available.includes(wanted) ? wanted : readGeneral(runtime.db).language
}

/** To one mailbox only so often, whoever asks. */
const mayWrite = (runtime: Runtime, email: string, now: number) =>
  withinRate(runtime, `sign-up mails to ${email}`, perMailbox, hourMs, now)

type MailInput = { to: string; locale: string; template: MailTemplate; values?: MailValues; seconds?: number }

const write = (runtime: Runtime, tx: Db, organization: number, { values = {}, ...mail }: MailInput) =>
  queueMail(runtime, tx, { organization, values, ...mail })

/** Refuses one who asks too often, and everybody when many do: no answer says whether a mail follows. */
export function admitSignUp(context: BaseContext): void {
  limitRate(context, 'signUp', perAddress.most, perAddress.minutes)
  const { runtime, now } = context
  if (!withinRate(runtime, 'sign-ups', limits.signUpLettersPerHour, hourMs, now))
    fail('rateLimited', { minutes: perAddress.minutes })
}

/** Drops requests whose link ran out; where there are too many, the oldest unproven one. False: all are proven. */
function makeRoom(tx: Db, now: number): boolean {
  const unproven = eq(signUps.provenAt, 0)
  tx.delete(signUps)
    .where(and(unproven, lte(signUps.sentAt, now - goodMs)))
    .run()
  const all = tx.select({ n: count() }).from(signUps).get()?.n ?? 0
  if (all < limits.signUps) return true
  const oldest = tx.select().from(signUps).where(unproven).orderBy(asc(signUps.sentAt)).limit(1).get()
  if (oldest) tx.delete(signUps).where(eq(signUps.id, oldest.id)).run()
  return oldest !== undefined
}

/** A new link that proves the address; the former one is worth nothing from now on. */
function sendLink(
  runtime: Runtime,
  tx: Db,
  row: Pick<SignUp, 'id' | 'organization' | 'email' | 'locale'>,
  now: number,
) {
  const token = randomBytes(32).toString('base64url')
  tx.update(signUps)
    .set({ link: sha256(token), sentAt: now })
    .where(eq(signUps.id, row.id))
    .run()
  write(runtime, tx, row.organization, {
    to: row.email,
    locale: row.locale,
    template: 'signUp',
    values: { days: limits.activationDays, link: publicLink(runtime, '/login/activate', token) },
    seconds: goodMs / 1000,
  })
}

const byEmail = (db: Db, email: string): SignUp | undefined =>
  db.select().from(signUps).where(eq(signUps.email, email)).get()

/** Writes to who has an account already, and to whose request waits; true where that is so. */
function answerKnown(runtime: Runtime, organization: number, email: string, locale: string): boolean {
  const same = and(eq(accounts.organization, organization), eq(sql`lower(${accounts.email})`, email))
  const account = runtime.db.select().from(accounts).where(same).get()
  if (account?.state === 'active')
    write(runtime, runtime.db, organization, {
      to: account.email ?? email,
      locale: account.locale ?? locale,
      template: 'signUpKnown',
      values: { account: account.account, link: publicLink(runtime, '/login/forgot-password') },
    })
  if (account) return true
  const waits = (byEmail(runtime.db, email)?.provenAt ?? 0) > 0
  if (waits) write(runtime, runtime.db, organization, { to: email, locale, template: 'signUpWaits' })
  return waits
}

/** Keeps a request and sends the mail that proves its address. Called when its answer has gone. */
export function takeSignUp(context: BaseContext, asked: Asked): void {
  const { runtime, now } = context
  const email = asked.email.toLowerCase()
  if (!signUpOpen(runtime) || !mayWrite(runtime, email, now)) return
  const locale = languageOf(context)
  // Who asks becomes one of the manager's own organization.
  const organization = hostOrganization(runtime.db)
  if (organization === null) return
  if (answerKnown(runtime, organization, email, locale)) return
  runtime.db.transaction(tx => {
    if (!makeRoom(tx, now)) return
    const values = { ...asked, organization, email, locale, link: '', sentAt: now }
    const row = tx
      .insert(signUps)
      .values(values)
      .onConflictDoUpdate({ target: signUps.email, set: values })
      .returning()
      .get()
    sendLink(runtime, tx, row, now)
  })
}

/** Another mail to whose address is not proven yet, a minute after the last one at the earliest (rule S9). */
export function sendSignUpAgain({ runtime, now }: BaseContext, address: string): void {
  if (!signUpOpen(runtime)) return
  const row = byEmail(runtime.db, address.toLowerCase())
  if (!row || row.provenAt > 0 || row.sentAt > now - limits.resendSeconds * 1000) return
  if (mayWrite(runtime, row.email, now)) runtime.db.transaction(tx => sendLink(runtime, tx, row, now))
}

/** The request behind a mail's link; refuses one that ran out, and one that was proven already. */
export function signUpOf({ runtime, now }: BaseContext, token: string): SignUp | undefined {
  if (!signUpOpen(runtime)) return undefined
  const row = runtime.db
    .select()
    .from(signUps)
    .where(eq(signUps.link, sha256(token)))
    .get()
  if (row && row.provenAt > 0) fail('signUpWaits')
  if (row && row.sentAt <= now - goodMs) fail('activationExpired')
  return row
}

/** Tells those who let people in, by mail, and the changelog. */
function tellAdministrators({ runtime, address, now }: BaseContext, tx: Db, row: SignUp): void {
  const { organization } = row
  const supers = and(
    eq(accounts.organization, organization),
    eq(accounts.role, 'superAdministrator'),
    eq(accounts.state, 'active'),
    ne(accounts.email, ''),
  )
  for (const { email, locale } of tx.select().from(accounts).where(supers).all())
    write(runtime, tx, organization, {
      to: email ?? '',
      locale: locale ?? readGeneral(tx).language,
      template: 'signUpAsks',
      values: { name: row.username, email: row.email, link: publicLink(runtime, '/organization/users?tab=requests') },
    })
  // The name is a wish of a stranger: nobody's deed is written under it, which may be another's.
  const entry = { organization, network: null, at: now, account: '', address, object: 'signUp' } as const
  appendLog(tx, runtime.secrets, {
    ...{ ...entry, action: 'activate', name: row.account },
    fields: { username: [null, row.username], email: [null, row.email] },
  })
  setImmediate(() => runtime.bus.emit({ topic: 'users', organization }))
}

/** The address is proven by who chose this password (its hash); an administrator has the word. */
export function proveSignUp(
  context: BaseContext,
  token: string,
  { username, password }: { username: string; password: string },
): { account: string; waits: true } {
  const { runtime, now } = context
  return runtime.db.transaction(tx => {
    const found = signUpOf(context, token) ?? fail('activationInvalid')
    const row = { ...found, username, password, provenAt: now }
    tx.update(signUps).set({ username, password, provenAt: now }).where(eq(signUps.id, row.id)).run()
    tellAdministrators(context, tx, row)
    return { account: row.account, waits: true }
  })
}

/** Requests whose address is proven. They lie in no network, so who works in single ones does not see them. */
export const waitingSignUps = (db: Db, actor: Actor): SignUp[] =>
  actor.networks === 'all'
    ? db
        .select()
        .from(signUps)
        .where(and(eq(signUps.organization, actor.organization), gt(signUps.provenAt, 0)))
        .orderBy(asc(signUps.provenAt), asc(signUps.id))
        .all()
    : []

export const findSignUp = (db: Db, actor: Actor, id: number): SignUp & { password: string } => {
  const row = waitingSignUps(db, actor).find(one => one.id === id)
  return row?.password ? { ...row, password: row.password } : fail('signUpNotFound')
}

/** Ends a request; who asked hears what became of it, where mails can be sent. */
export function endSignUp(runtime: Runtime, tx: Db, row: SignUp, account: string | undefined): void {
  tx.delete(signUps).where(eq(signUps.id, row.id)).run()
  if (!mailReady(runtime)) return
  write(runtime, tx, row.organization, {
    to: row.email,
    locale: row.locale,
    ...(account === undefined
      ? { template: 'signUpRefused' }
      : { template: 'signUpAccepted', values: { account, link: publicLink(runtime, '/login') } }),
  })
}
