import { and, count, eq, isNull, ne } from 'drizzle-orm'
import * as z from 'zod'
import { accounts } from '@/db/schema'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { failFields, requirePrivate } from '@/server/kernel/fail'
import { saveOwn } from '@/server/kernel/own-settings'
import { mailReady } from '@/server/mail/server'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { checkNewPassword, newPasswordFields } from '@/server/people/accounts/new-password'
import { notifyOwner } from '@/server/people/accounts/notices'
import { hashPassword } from '@/server/people/accounts/passwords'
import { maySetSecurity, readSecurity, securitySettings } from '@/server/people/accounts/security'
import { endOtherSessions, isNoticeOff, putNoticeOff } from '@/server/people/accounts/sessions'
import { endingFields, endStanding, standingOf, tellStanding } from '@/server/people/accounts/standing'
import { confirmPassword, mustBeLocal, mustStillBeSignedIn, ownAccount } from './attempts'
import { changing, reading } from './call-terms'

const dayMs = 86_400_000
const { sessionTimeoutMinutes: minutes, passwordNoticeDays: days } = limits

const changePassword = call({
  ...changing,
  path: 'account/password',
  topics: ['sessions', 'webhooks', 'keys'],
  input: z
    .strictObject({
      oldPassword: z.string().min(1, 'required').max(64, 'tooLong'),
      ...newPasswordFields,
      ...endingFields,
    })
    .check(checkNewPassword),
  async run(context, input) {
    requirePrivate(context)
    const { runtime, actor, log, address } = context
    if (input.password === input.oldPassword) failFields({ password: 'passwordSame' })
    const account = ownAccount(context)
    mustBeLocal(account, 'oldPassword')
    await confirmPassword(context, account, input.oldPassword, 'oldPassword')
    const password = await hashPassword(passwordDigest(input.password))
    const fields = runtime.db.transaction(tx => {
      mustStillBeSignedIn(context, account)
      tx.update(accounts).set({ password, passwordChangedAt: Date.now() }).where(eq(accounts.id, actor.id)).run()
      const ended = endStanding(tx, actor.id, input, Date.now())
      log({ action: 'changePassword', object: 'account', name: actor.account, fields: ended })
      notifyOwner(runtime, tx, account, { template: 'passwordChanged', values: { address } })
      return ended
    })
    endOtherSessions(runtime, actor, actor.session)
    tellStanding(runtime, actor, fields)
    return {}
  },
})

/** What a new password does not end unless it is asked to. */
const access = call({
  ...reading,
  path: 'account/access',
  input: z.strictObject({}),
  run: ({ runtime, actor, now }) => standingOf(runtime.db, actor.id, now),
})

/** Whether it is time for a new password. */
const passwordNotice = call({
  ...reading,
  path: 'auth/password-notice',
  tag: 'signIn',
  input: z.strictObject({}),
  run(context) {
    const { runtime, actor, now } = context
    const { passwordNoticeDays } = readSecurity(runtime.db)
    const { passwordChangedAt, source } = ownAccount(context)
    const age = Math.floor((now - passwordChangedAt) / dayMs)
    const due = source === 'local' && passwordNoticeDays > 0 && age >= passwordNoticeDays
    return {
      isShowPasswordUpdateNotice: due && !isNoticeOff(runtime, actor.session) ? 1 : 0,
      passwordTimeLimitation: passwordNoticeDays,
      passwordAge: age,
    }
  },
})

/** Puts the notice off until the next sign-in. */
const passwordNoticeLater = call({
  ...changing,
  path: 'auth/password-notice/later',
  unheard: 'unseen',
  tag: 'signIn',
  changelog: 'own',
  input: z.strictObject({}),
  run({ runtime, actor }) {
    putNoticeOff(runtime, actor.session)
    return {}
  },
})

const securityGet = call({
  path: 'account/security/get',
  tag: 'account',
  authority: 'organization_security',
  scope: 'organization',
  changes: false,
  input: z.strictObject({}),
  run({ runtime, actor }) {
    const rules = readSecurity(runtime.db)
    const own = and(
      eq(accounts.organization, actor.organization),
      ne(accounts.source, 'saml'),
      eq(accounts.state, 'active'),
      isNull(accounts.mfa),
    )
    const withoutMfa = runtime.db.select({ n: count() }).from(accounts).where(own).get()?.n ?? 0
    /** `mail`: whether letters can be sent, which signing up needs. */
    return { ...rules, withoutMfa, mail: mailReady(runtime), mayChange: maySetSecurity({ runtime, actor }) }
  },
})

const securitySave = call({
  path: 'account/security/save',
  topics: ['sessions'],
  tag: 'account',
  authority: 'organization_security_edit',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({
    /** Rule A16. */
    sessionTimeout: z.int().min(minutes.min).max(minutes.max),
    syncTimeouts: z.boolean(),
    passwordNoticeDays: z.int().min(0).max(days.max),
    forceMfa: z.boolean(),
    /** Strangers may ask for an account; their addresses are proven by letters. */
    signUp: z.boolean().default(false),
  }),
  run(context, fields) {
    saveOwn(context, securitySettings, { fields })
    return {}
  },
})

export const securityCalls = [
  changePassword,
  access,
  passwordNotice,
  passwordNoticeLater,
  securityGet,
  securitySave,
] as const
