import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts } from '@/db/schema'
import { limits } from '@/model/limits'
import type { BaseContext } from '@/server/kernel/call'
import { requirePrivate } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { sha256 } from '@/server/kernel/secrets'
import { queueMail } from '@/server/mail/queue'
import { mailReady, publicLink } from '@/server/mail/server'
import type { AccountRow } from '@/server/people/accounts/actor'
import { hashPassword } from '@/server/people/accounts/passwords'
import { endTokens, findToken, issueToken } from '@/server/people/accounts/tokens'

/** The page that an invitation's link opens. */
const page = '/login/activate'
const daySeconds = 86_400

let unknown: Promise<string> | undefined

/**
 * The hash of a password that nobody knows: it costs at sign-in what any other does. Made once: who adds people waits in no
 * queue in which their own rights could end.
 */
export function unknownPassword(): Promise<string> {
  unknown ??= hashPassword(randomBytes(32).toString('hex')).catch(error => {
    unknown = undefined
    throw error
  })
  return unknown
}

type Invited = Pick<AccountRow, 'id' | 'organization' | 'account' | 'email' | 'locale'>

/** Is there a way to send this person a letter? */
const mailed = <P extends { email: string | null }>(runtime: Runtime, person: P): person is P & { email: string } =>
  !!person.email && mailReady(runtime)

/**
 * A new link with which somebody sets their password; the former one is worth nothing from now on. It goes out by mail, or,
 * where no mail server is set, comes back to be handed over: a path, the token behind `#`.
 */
export function invite(
  context: Pick<BaseContext, 'runtime' | 'now' | 'secure' | 'loopback'>,
  tx: Db,
  person: Invited,
): string | undefined {
  const { runtime, now } = context
  const seconds = limits.activationDays * daySeconds
  const token = issueToken(tx, { account: person.id, purpose: 'activation', seconds, now })
  tx.update(accounts)
    .set({ invitedAt: now, invitation: sha256(token) })
    .where(eq(accounts.id, person.id))
    .run()
  if (!mailed(runtime, person)) {
    requirePrivate(context)
    return `${page}#${token}`
  }
  queueMail(runtime, tx, {
    organization: person.organization,
    to: person.email,
    locale: person.locale ?? readGeneral(runtime.db).language,
    template: 'invitation',
    values: { account: person.account, days: limits.activationDays, link: publicLink(runtime, page, token) },
    seconds,
  })
  return undefined
}

/** Takes an invitation back. */
export function uninvite(tx: Db, account: number): void {
  endTokens(tx, account, 'activation')
  tx.update(accounts).set({ invitation: null }).where(eq(accounts.id, account)).run()
}

export type LinkState = 'valid' | 'invalid' | 'expired' | 'done'

/** What a link of an invitation is worth, and whose it is where it is worth something or was. */
export function linkState(db: Db, token: string, now: number): { state: LinkState; account?: AccountRow } {
  const mine = db
    .select()
    .from(accounts)
    .where(eq(accounts.invitation, sha256(token)))
    .get()
  if (!mine || mine.state === 'disabled') return { state: 'invalid' }
  if (mine.state === 'active') return { state: 'done', account: mine }
  const open = findToken(db, { token, purpose: 'activation', now })
  return { state: open?.account === mine.id ? 'valid' : 'expired', account: mine }
}
