import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts } from '@/db/schema'
import { limits } from '@/model/limits'
import { isMfaCode } from '@/model/mfa'
import { type Actor, type BaseContext, call } from '@/server/kernel/call'
import { appendLog, type LogAction } from '@/server/kernel/changelog'
import { fail, failFields, requirePrivate } from '@/server/kernel/fail'
import { forgetFailures } from '@/server/people/accounts/lock'
import {
  type Account,
  newSecret,
  pendingSecret,
  recoveryLeft,
  removeMfa,
  renewRecoveryCodes,
  sealSecret,
  shownSecret,
  stepOf,
} from '@/server/people/accounts/mfa'
import { notifyOwner } from '@/server/people/accounts/notices'
import { readSecurity } from '@/server/people/accounts/security'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { confirmPassword, ownAccount } from './attempts'
import { changing, reading } from './call-terms'
import { finishSignIn, pendingStage, secondFactor } from './sign-in'

type Asking = BaseContext & { actor?: Actor }

const password = z.string().min(1, 'required').max(64, 'tooLong')
/** Rule A3. */
const code = z.string().max(limits.textCharacters).trim().refine(isMfaCode, 'mfaCode')
const recoveryCode = z.string().trim().min(1, 'required').max(64)

function log(context: BaseContext, account: Account, action: LogAction): void {
  appendLog(context.runtime.db, context.runtime.secrets, {
    organization: account.organization,
    network: null,
    at: context.now,
    account: account.account,
    address: context.address,
    action,
    object: 'account',
    name: account.account,
    fields: {},
  })
}

/** Who sets a second factor up: who is signed in, or who gave the password and must have one before anything else. */
function whose(context: Asking): { account: Account; signedIn: boolean } {
  if (context.actor) return { account: ownAccount({ runtime: context.runtime, actor: context.actor }), signedIn: true }
  const { account, wanted } = pendingStage(context)
  // Somebody set it up meanwhile, in another window.
  if (wanted !== 'setup') fail('mfaOn')
  return { account, signedIn: false }
}

const mfaInfo = call({
  ...reading,
  path: 'auth/mfa-info',
  tag: 'signIn',
  input: z.strictObject({}),
  run({ runtime, actor }) {
    const account = ownAccount({ runtime, actor })
    return {
      enabled: account.mfa !== null,
      since: account.mfaSince,
      recoveryLeft: recoveryLeft(runtime.db, account),
      forced: readSecurity(runtime.db).forceMfa,
    }
  },
})

const setup = call({
  path: 'mfa/setup',
  unheard: 'unseen',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'each',
  input: z.strictObject({ password: password.optional() }),
  async run(context, input) {
    requirePrivate(context)
    const { account, signedIn } = whose(context)
    if (account.mfa) fail('mfaOn')
    if (signedIn) {
      if (input.password === undefined) failFields({ password: 'required' })
      await confirmPassword(context, account, input.password, 'password')
    }
    const { runtime } = context
    const secret = newSecret()
    const sealed = sealSecret(runtime, account, secret)
    runtime.db.update(accounts).set({ mfaPending: sealed }).where(eq(accounts.id, account.id)).run()
    return shownSecret(runtime, account, secret)
  },
})

/** Stores the secret that a code of it proved; gives the recovery codes, in clear this once. */
function turnOn(context: BaseContext, account: Account, step: number): string[] {
  const { runtime, now, address } = context
  return runtime.db.transaction(tx => {
    tx.update(accounts)
      .set({ mfa: account.mfaPending, mfaPending: null, mfaSince: now, mfaStep: step })
      .where(eq(accounts.id, account.id))
      .run()
    log(context, account, 'enableMfa')
    notifyOwner(runtime, tx, account, { template: 'mfaEnabled', values: { address } })
    return renewRecoveryCodes(runtime, tx, account)
  })
}

const enable = call({
  path: 'mfa/enable',
  topics: ['sessions'],
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'each',
  input: z.strictObject({ code }),
  async run(context, input) {
    requirePrivate(context)
    const { account, signedIn } = whose(context)
    if (account.mfa) fail('mfaOn')
    const secret = pendingSecret(context.runtime, account) ?? fail('mfaExpired')
    // Who reads the secret off the same page need not guess it: a wrong code is a slip, and no try at signing in.
    const step = stepOf(secret, input.code, context.now) ?? fail('mfaWrong', { fields: { code: 'mfaCodeWrong' } })
    const recoveryCodes = turnOn(context, account, step)
    endOtherSessions(context.runtime, account, context.actor?.session)
    if (!signedIn) await finishSignIn(context, account)
    return { recoveryCodes }
  },
})

const proof = { password, code: code.optional(), recoveryCode: recoveryCode.optional() }

/** Password and second factor, both again. */
async function proven(context: BaseContext, account: Account, input: z.output<z.ZodObject<typeof proof>>) {
  if (!account.mfa) fail('mfaOff')
  if (input.code === undefined && input.recoveryCode === undefined) failFields({ code: 'required' })
  await confirmPassword(context, account, input.password, 'password')
  const field = input.recoveryCode === undefined ? 'code' : 'recoveryCode'
  secondFactor(context, account, { checkCode: input.code, recoveryCode: input.recoveryCode }, field)
  forgetFailures(context.runtime.db, account.account, context.address)
}

const disable = call({
  ...changing,
  path: 'mfa/disable',
  topics: ['sessions'],
  tag: 'signIn',
  changelog: 'elsewhere',
  input: z.strictObject(proof),
  async run(context, input) {
    requirePrivate(context)
    const account = ownAccount(context)
    if (readSecurity(context.runtime.db).forceMfa) fail('mfaForced')
    await proven(context, account, input)
    context.runtime.db.transaction(tx => {
      removeMfa(tx, account)
      log(context, account, 'disableMfa')
      notifyOwner(context.runtime, tx, account, { template: 'mfaDisabled', values: { address: context.address } })
    })
    endOtherSessions(context.runtime, account, context.actor.session)
    return {}
  },
})

const recovery = call({
  ...changing,
  path: 'mfa/recovery-codes',
  topics: ['sessions'],
  tag: 'signIn',
  changelog: 'elsewhere',
  input: z.strictObject(proof),
  async run(context, input) {
    requirePrivate(context)
    const account = ownAccount(context)
    await proven(context, account, input)
    return context.runtime.db.transaction(tx => {
      log(context, account, 'renewRecoveryCodes')
      return { recoveryCodes: renewRecoveryCodes(context.runtime, tx, account) }
    })
  },
})

export const mfaCalls = [mfaInfo, setup, enable, disable, recovery] as const
