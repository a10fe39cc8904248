import { and, eq, lte, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { accounts } from '@/db/schema'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { userName } from '@/model/users'
import { type BaseContext, call } from '@/server/kernel/call'
import { appendLog, type LogAction } from '@/server/kernel/changelog'
import { fail, requirePrivate } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { limitRate } from '@/server/kernel/rate'
import { mailReady } from '@/server/mail/server'
import { passwordDigest } from '@/server/people/accounts/accounts'
import type { AccountRow } from '@/server/people/accounts/actor'
import { checkNewPassword, newPasswordFields } from '@/server/people/accounts/new-password'
import { hashPassword } from '@/server/people/accounts/passwords'
import { takeToken } from '@/server/people/accounts/tokens'
import { invite, linkState } from '@/server/people/users/invitation'
import { proveSignUp, sendSignUpAgain, signUpOf } from '@/server/people/users/sign-ups'

const open = { tag: 'signIn', authority: 'open', scope: 'none' } as const
const token = z.string().trim().min(1, 'required').max(limits.textCharacters, 'tooLong')

// For who looks for a lost letter, not for who sends others some.
const lettersAsked = 5
const lettersMinutes = 10

/** Writes to the changelog what somebody did who is not signed in. */
function told(context: BaseContext, tx: Db, { organization, account }: AccountRow, action: LogAction): void {
  const { runtime, address, now: at } = context
  const own = { organization, network: null, at, account, address, name: account, fields: {} }
  appendLog(tx, runtime.secrets, { ...own, action, object: 'user' })
  // After the transaction, which is synchronous.
  setImmediate(() => runtime.bus.emit({ topic: 'users', organization }))
}

const refusals = { invalid: 'activationInvalid', expired: 'activationExpired', done: 'activationDone' } as const

/** Whose link this is, or refuses: invalid, expired, or used already. */
function invited(context: BaseContext, link: string) {
  const { state, account } = linkState(context.runtime.db, link, context.now)
  if (state !== 'valid' || !account) return fail(refusals[state === 'valid' ? 'invalid' : state])
  return account
}

const info = call({
  ...open,
  path: 'auth/activation',
  changes: false,
  input: z.strictObject({ token }),
  /** What the page of an invitation shows before anything is entered. */
  run(context, input) {
    const asked = signUpOf(context, input.token)
    const { account, username } = asked ?? invited(context, input.token)
    return {
      account,
      username: username === account ? '' : username,
      /** Of somebody who asked for an account: an administrator has the word afterwards. */
      asked: asked !== undefined,
      manager: readGeneral(context.runtime.db).name,
      /** False: a password would travel in clear, so it is refused here. */
      secure: context.secure || context.loopback,
    }
  },
})

const activation = z.strictObject({ token, username: userName, ...newPasswordFields }).check(checkNewPassword)

const activate = call({
  ...open,
  path: 'auth/activate',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: activation,
  /** Sets name and password of who was invited or asked for an account (rules A7, A9); the link is worth nothing afterwards. Nobody is signed in by it. */
  async run(context, input) {
    const { runtime, now } = context
    requirePrivate(context)
    // Before the work of a hash, which a guess is not worth.
    const asked = signUpOf(context, input.token)
    if (!asked) invited(context, input.token)
    const password = await hashPassword(passwordDigest(input.password))
    if (asked) return proveSignUp(context, input.token, { username: input.username, password })
    return runtime.db.transaction(tx => {
      const taken = takeToken(tx, { token: input.token, purpose: 'activation', now })
      const waiting = and(eq(accounts.id, taken?.account ?? 0), eq(accounts.state, 'inactivated'))
      const person = tx
        .update(accounts)
        .set({ state: 'active', username: input.username, password, passwordChangedAt: now })
        .where(waiting)
        .returning()
        .get()
      if (!person) return fail('activationDone')
      told(context, tx, person, 'activate')
      return { account: person.account, waits: false }
    })
  },
})

const resend = call({
  ...open,
  path: 'auth/resend-activation',
  unheard: 'leaves',
  changes: true,
  send: 'each',
  input: z.strictObject({ email }),
  /** Sends those with this address a new link. Answers alike, and as soon, whether there is somebody or not. */
  run(context, input) {
    limitRate(context, 'activation', lettersAsked, lettersMinutes)
    setImmediate(() => {
      try {
        sendAgain(context, input.email)
        sendSignUpAgain(context, input.email)
      } catch (error) {
        console.error('an invitation could not be sent again:', error)
      }
    })
    return { seconds: limits.resendSeconds }
  },
})

function sendAgain(context: BaseContext, address: string): void {
  const { runtime, now } = context
  if (!mailReady(runtime)) return
  const last = now - limits.resendSeconds * 1000
  const waiting = and(eq(accounts.state, 'inactivated'), lte(accounts.invitedAt, last))
  const same = eq(sql`lower(${accounts.email})`, address.toLowerCase())
  for (const person of runtime.db.select().from(accounts).where(and(waiting, same)).all())
    runtime.db.transaction(tx => {
      invite(context, tx, person)
      told(context, tx, person, 'invite')
    })
}

export const activationCalls = [info, activate, resend] as const
