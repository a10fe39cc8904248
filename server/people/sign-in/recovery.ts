import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts } from '@/db/schema'
import { limits } from '@/model/limits'
import type { BaseContext } from '@/server/kernel/call'
import { appendLog } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { limitRate, withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { queueMail } from '@/server/mail/queue'
import { mailReady, publicLink } from '@/server/mail/server'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { afterAnswer } from '@/server/people/accounts/after-answer'
import { unlock } from '@/server/people/accounts/lock'
import { notifyOwner } from '@/server/people/accounts/notices'
import { hashPassword } from '@/server/people/accounts/passwords'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { type Ending, endStanding, type Standing, standingOf, tellStanding } from '@/server/people/accounts/standing'
import { findToken, issueToken, takeToken } from '@/server/people/accounts/tokens'

type Account = typeof accounts.$inferSelect

/** Refuses one who asks too often, whatever for; enough for an office behind one router. */
const admit = (context: BaseContext) => limitRate(context, 'recovery', 20, 10)
/** To one account: nobody's mailbox is filled, and a link that was just sent stays good for a while. */
const perAccount = { most: 3, windowMs: 3_600_000 }
const accountsOfOneAddress = 10

/** Who gets a letter: active accounts with a password, by sign-in name, or by mail address. */
function activeBy(db: Db, field: 'account' | 'email', value: string): Account[] {
  const same = eq(sql`lower(${accounts[field]})`, value.trim().toLowerCase())
  return db
    .select()
    .from(accounts)
    .where(and(same, eq(accounts.state, 'active'), eq(accounts.source, 'local'), isNotNull(accounts.email)))
    .limit(accountsOfOneAddress)
    .all()
}

function sendLink(runtime: Runtime, account: Account, now: number): void {
  if (!withinRate(runtime, `reset ${account.id}`, perAccount.most, perAccount.windowMs, now)) return
  const seconds = limits.resetMinutes * 60
  runtime.db.transaction(tx => {
    const token = issueToken(tx, { account: account.id, purpose: 'resetPassword', seconds, now })
    queueMail(runtime, tx, {
      organization: account.organization,
      to: account.email ?? '',
      locale: account.locale,
      template: 'resetPassword',
      values: {
        account: account.account,
        minutes: limits.resetMinutes,
        link: publicLink(runtime, '/login/reset-password', token),
      },
      seconds,
    })
  })
}

/** Sends a link by which a new password is set, to the account of this name or to those of this mail address. */
export function forgotPassword(context: BaseContext, name: string): void {
  const { runtime, now } = context
  if (!mailReady(runtime)) fail('mailNotSet')
  admit(context)
  afterAnswer(runtime, () => {
    const found = activeBy(runtime.db, name.includes('@') ? 'email' : 'account', name)
    for (const account of found) sendLink(runtime, account, now)
  })
}

/** Tells the accounts of a mail address, there. */
export function forgotUsername(context: BaseContext, address: string): void {
  const { runtime, now } = context
  if (!mailReady(runtime)) fail('mailNotSet')
  admit(context)
  afterAnswer(runtime, () => {
    const found = activeBy(runtime.db, 'email', address)
    const [first] = found
    if (!first?.email) return
    if (!withinRate(runtime, `names ${address.toLowerCase()}`, perAccount.most, perAccount.windowMs, now)) return
    queueMail(runtime, runtime.db, {
      organization: first.organization,
      to: first.email,
      locale: first.locale,
      template: 'forgotUsername',
      values: { accounts: found.map(each => each.account).join(', ') },
    })
  })
}

const accountOf = (db: Db, token: string, now: number): Account | undefined => {
  const found = findToken(db, { token, purpose: 'resetPassword', now })
  const account = found && db.select().from(accounts).where(eq(accounts.id, found.account)).get()
  return account?.state === 'active' ? account : undefined
}

/** What goes on after a reset by this link unless it is ended with it. Refuses with resetLinkInvalid. */
export function accessByLink(context: BaseContext, token: string): Standing {
  const { runtime, now } = context
  admit(context)
  const account = accountOf(runtime.db, token, now)
  return account ? standingOf(runtime.db, account.id, now) : fail('resetLinkInvalid')
}

/**
 * Sets a password by a link's token, which is worth nothing afterwards. Every session ends, locks of the sign-in are
 * lifted; a second factor stays, and of API keys and webhooks what is not named. Refuses with resetLinkInvalid.
 */
export async function resetPassword(
  context: BaseContext,
  token: string,
  password: string,
  ending: Ending,
): Promise<void> {
  const { runtime, now, address } = context
  admit(context)
  const account = accountOf(runtime.db, token, now)
  if (!account) fail('resetLinkInvalid')
  const hash = await hashPassword(passwordDigest(password))
  const fields = runtime.db.transaction(tx => {
    // Two with the same link: the other one was faster.
    if (!takeToken(tx, { token, purpose: 'resetPassword', now })) fail('resetLinkInvalid')
    tx.update(accounts).set({ password: hash, passwordChangedAt: now }).where(eq(accounts.id, account.id)).run()
    unlock(tx, account.account)
    const ended = endStanding(tx, account.id, ending, now)
    appendLog(tx, runtime.secrets, {
      organization: account.organization,
      network: null,
      at: now,
      account: account.account,
      address,
      action: 'resetPassword',
      object: 'account',
      name: account.account,
      fields: ended,
    })
    endOtherSessions(runtime, account)
    return ended
  })
  tellStanding(runtime, account, fields)
  notifyOwner(runtime, runtime.db, account, { template: 'passwordChanged', values: { address } })
}
