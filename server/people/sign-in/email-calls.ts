import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts } from '@/db/schema'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { call, type Logging, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields, requirePrivate } from '@/server/kernel/fail'
import { withinRate } from '@/server/kernel/rate'
import { queueMail } from '@/server/mail/queue'
import { mailReady } from '@/server/mail/server'
import type { AccountRow } from '@/server/people/accounts/actor'
import { notifyOwner } from '@/server/people/accounts/notices'
import { endTokens, issueCode, takeCode, waitingCode } from '@/server/people/accounts/tokens'
import { checkEmail } from '@/server/people/users/changes'
import { confirmPassword, mustBeLocal, ownAccount } from './attempts'

const own = {
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  topics: ['sessions'],
  changelog: 'entry',
  send: 'each',
} as const
const perHour = 5
const hourMs = 3_600_000

/** Stores the address; the former one is told, and links that lie there are worth nothing any more. */
function change({ runtime, actor, log }: OrganizationContext & Logging, next: string): void {
  runtime.db.transaction(tx => {
    const account = ownAccount({ runtime, actor })
    checkEmail(tx, account.organization, next, account.id)
    tx.update(accounts).set({ email: next }).where(eq(accounts.id, account.id)).run()
    endTokens(tx, account.id, 'resetPassword')
    log({ action: 'edit', object: 'account', name: account.account, fields: { email: [account.email, next] } })
    notifyOwner(runtime, tx, account, { template: 'emailChanged' })
  })
}

const codeSeconds = limits.codeMinutes * 60

/** A code to the address that it shall prove; at most some an hour. */
function sendCode({ runtime, actor, now }: OrganizationContext, account: AccountRow, email: string): void {
  if (!withinRate(runtime, `email ${actor.id}`, perHour, hourMs, now)) fail('rateLimited', { minutes: 60 })
  runtime.db.transaction(tx => {
    const issue = { account: account.id, purpose: 'email', seconds: codeSeconds, data: { email }, now } as const
    const code = issueCode(runtime, tx, issue)
    queueMail(runtime, tx, {
      organization: account.organization,
      to: email,
      locale: account.locale,
      template: 'emailCode',
      values: { account: account.account, code },
      seconds: codeSeconds,
    })
  })
}

const save = call({
  ...own,
  path: 'account/email/save',
  changelog: 'elsewhere',
  send: 'once',
  input: z.strictObject({ email, password: z.string().min(1, 'required').max(limits.textCharacters, 'tooLong') }),
  /**
   * {code: true}: a code was sent to the new address, which counts once `account/email/confirm` has it; from `resendFrom`
   * (unix ms) on `code/generate-code` sends another. Without a mail
   * server there is no way to prove an address: it counts at once.
   */
  async run(context, input) {
    requirePrivate(context)
    const { runtime, now } = context
    const account = ownAccount(context)
    mustBeLocal(account, 'password')
    await confirmPassword(context, account, input.password, 'password')
    checkEmail(runtime.db, account.organization, input.email, account.id)
    if (!mailReady(runtime)) {
      change(context, input.email)
      return { code: false, resendFrom: undefined }
    }
    sendCode(context, account, input.email)
    return { code: true, resendFrom: now + limits.resendSeconds * 1000 }
  },
})

const generateCode = call({
  ...own,
  path: 'code/generate-code',
  changelog: 'own',
  send: 'once',
  input: z.strictObject({}),
  /**
   * Another code to the new address that waits for one, a minute after the last at the earliest; the one before is worth
   * nothing from then on: {email, resendFrom}. Refuses where none waits.
   */
  run(context) {
    requirePrivate(context)
    const { runtime, actor, now } = context
    const waiting = waitingCode(runtime.db, { account: actor.id, purpose: 'email', now })
    if (!waiting) return failFields({ code: 'codeGone' }, 'emailCodeWrong')
    const left = waiting.expiresAt - codeSeconds * 1000 + limits.resendSeconds * 1000 - now
    if (left > 0) fail('resendTooSoon', { seconds: Math.ceil(left / 1000) })
    const email = String(waiting.data.email)
    sendCode(context, ownAccount(context), email)
    return { email, resendFrom: now + limits.resendSeconds * 1000 }
  },
})

const confirm = call({
  ...own,
  path: 'account/email/confirm',
  input: z.strictObject({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, 'sixDigits'),
  }),
  /** Refuses with the field `code`; after three wrong ones another has to be asked for. */
  run(context, { code }) {
    const { runtime, actor, now } = context
    const taken = takeCode(runtime, runtime.db, { account: actor.id, purpose: 'email', code, now })
    if ('left' in taken) return failFields({ code: taken.left > 0 ? 'codeWrong' : 'codeGone' }, 'emailCodeWrong')
    change(context, String(taken.data.email))
    return {}
  },
})

export const emailCalls = [save, generateCode, confirm] as const
