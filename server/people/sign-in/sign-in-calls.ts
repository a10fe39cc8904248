import * as z from 'zod'
import { bucketOf } from '@/model/addresses'
import type { FieldError } from '@/model/field-errors'
import { limits } from '@/model/limits'
import { isMfaCode } from '@/model/mfa'
import { type BaseContext, call } from '@/server/kernel/call'
import { limitRate } from '@/server/kernel/rate'
import { endSession, sessionCookie } from '@/server/people/accounts/sessions'
import { accountBySso } from '@/server/people/federation/saml/sign-in'
import { graphicalCodes } from './graphical-code'
import { checkFactor, type FirstFactor, finishSignIn, pendingSince, pendingStage, type Stage, signIn } from './sign-in'

const loginValid = call({
  path: 'auth/login-valid',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run: ({ runtime, now, address }) => graphicalCodes.of(runtime).issue(now, bucketOf(address)),
})

/** The same check for who does not see the picture: digits read out, of a code of their own. */
const loginSpoken = call({
  path: 'auth/login-spoken',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run(context) {
    const { runtime, now, address } = context
    // Ten milliseconds of the one thread each, for anybody.
    limitRate(context, 'spoken code', 60, 10)
    return graphicalCodes.of(runtime).issueSpoken(now, bucketOf(address))
  },
})

export const yearSeconds = 365 * 86_400
const optionalText = z.string().max(limits.textCharacters).optional()

const password = {
  userName: z.string().trim().min(1, 'required').max(limits.textCharacters),
  userPwd: z.string().regex(/^[0-9a-f]{64}$/, 'invalidFormat'),
  /** The password itself, for a directory; over https alone, or on this machine. */
  plainPwd: z.string().max(limits.directoryPasswordCharacters, 'tooLong').optional(),
  code: optionalText,
  codeToken: optionalText,
  serverId: optionalText,
  lang: optionalText,
  browserDomain: optionalText,
}
/** Rule A3. */
const mfaCode = z.string().max(limits.textCharacters).trim().refine(isMfaCode, 'mfaCode')
const second = { checkCode: mfaCode.optional(), recoveryCode: z.string().trim().min(1, 'required').max(64).optional() }

/** The spec's check-factor: '0' signs in directly, '1' a code is asked for, '2' there is a second factor already. */
const googleAuth = { nothing: '0', setup: '0', code: '1' } as const

/** Where the browser goes on. The next page is drawn by the server in the account's own theme and language. */
function answer({ setCookie }: BaseContext, { account, wanted }: Stage, isSSO = false) {
  setCookie('theme', String(account.appearance), { maxAgeSeconds: yearSeconds })
  if (account.locale) setCookie('locale', account.locale, { maxAgeSeconds: yearSeconds })
  return {
    url: wanted === 'nothing' ? '' : '/login/mfa',
    googleAuth: googleAuth[wanted],
    mfaSetup: wanted === 'setup',
    isSSO,
    showCode: false,
    lockStatus: 0,
    locale: account.locale ?? '',
    appearance: account.appearance,
  }
}

const login = call({
  path: 'login',
  unheard: 'leaves',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'once',
  input: z
    .strictObject({
      ...password,
      ...second,
      userName: password.userName.optional(),
      userPwd: password.userPwd.optional(),
      checkMFACodeFirst: z.union([z.string().max(8), z.boolean(), z.number()]).optional(),
      ssoToken: optionalText,
    })
    .superRefine(({ userName, userPwd, checkCode, recoveryCode, ssoToken }, context) => {
      const goesOn = checkCode !== undefined || recoveryCode !== undefined || ssoToken !== undefined
      const missing = (path: string) =>
        context.addIssue({ code: 'custom', path: [path], message: 'required' satisfies FieldError, input: undefined })
      if (userName === undefined && (!goesOn || userPwd !== undefined)) missing('userName')
      if (userPwd === undefined && (!goesOn || userName !== undefined)) missing('userPwd')
    }),
  /** `ssoToken`: what sso/acs sent this browser back with, in place of all else. */
  async run(context, input) {
    const { userName, userPwd, plainPwd, code, codeToken, ssoToken } = input
    if (ssoToken !== undefined) {
      const { account, sso } = await accountBySso(context, ssoToken)
      await finishSignIn(context, account, sso)
      return answer(context, { account, wanted: 'nothing' }, true)
    }
    const first: FirstFactor | undefined =
      userName !== undefined && userPwd !== undefined ? { userName, userPwd, plainPwd, code, codeToken } : undefined
    return answer(context, await signIn(context, first, input))
  },
})

const checkFactorCall = call({
  path: 'auth/check-factor',
  unheard: 'leaves',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'each',
  input: z.strictObject(password),
  async run(context, input) {
    const before = pendingSince(context)
    const { account, wanted } = await checkFactor(context, input)
    // This browser was asked to set one up, and that was done in another meanwhile.
    const meanwhile = before?.account === account.id && account.mfa !== null && (account.mfaSince ?? 0) > before.at
    return { googleAuth: meanwhile ? '2' : googleAuth[wanted], mfaSetup: wanted === 'setup' }
  },
})

/** How the sign-in that this browser began stands: its page asks when it is opened. */
const pendingCall = call({
  path: 'auth/pending-factor',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({}),
  run(context) {
    const { account, wanted } = pendingStage(context)
    return { account: account.account, wanted }
  },
})

const logout = call({
  path: 'logout',
  unheard: 'leaves',
  tag: 'signIn',
  authority: 'session',
  scope: 'none',
  changes: true,
  changelog: 'own',
  send: 'each',
  input: z.strictObject({}),
  run({ runtime, actor, secure, clearCookie }) {
    if (actor) endSession(runtime, actor, actor.session)
    clearCookie(sessionCookie(secure))
    return {}
  },
})

export const signInCalls = [loginValid, loginSpoken, login, checkFactorCall, pendingCall, logout] as const
