import * as z from 'zod'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { accountName, company, userName } from '@/model/users'
import { call } from '@/server/kernel/call'
import { fail, requirePrivate } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { isHostOrganization } from '@/server/people/accounts/actor'
import { afterAnswer } from '@/server/people/accounts/after-answer'
import { rightsInput } from './calls'
import { acceptUser } from './changes'
import { admitSignUp, endSignUp, findSignUp, signUpOpen, takeSignUp, waitingSignUps } from './sign-ups'

const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_users_edit',
  changes: true,
  topics: ['users'],
  changelog: 'entry',
  send: 'each',
} as const

const signUp = call({
  path: 'auth/sign-up',
  unheard: 'leaves',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  send: 'each',
  input: z.strictObject({ account: accountName, username: userName, email, company: company.default('') }),
  /** Answers alike, and as soon, whether somebody has this address or name already or not. Closed, there is no such call. */
  run(context, input) {
    if (!signUpOpen(context.runtime)) fail('notFoundCall', { path: 'auth/sign-up' })
    requirePrivate(context)
    admitSignUp(context)
    afterAnswer(context.runtime, () => takeSignUp(context, input))
    return { seconds: limits.resendSeconds, days: limits.activationDays }
  },
})

const list = call({
  path: 'users/sign-ups/list',
  tag: 'users',
  authority: 'organization_users',
  scope: 'organization',
  changes: false,
  input: z.strictObject(listInput),
  run({ runtime, actor }, input) {
    const rows = waitingSignUps(runtime.db, actor).map(row => ({
      id: row.id,
      account: row.account,
      username: row.username,
      email: row.email,
      company: row.company,
      at: row.provenAt,
    }))
    return {
      ...listed(rows, input, {
        text: one => [one.account, one.username, one.email, one.company],
        sort: {
          account: one => one.account,
          username: one => one.username,
          email: one => one.email,
          company: one => one.company,
          at: one => one.at,
        },
      }),
      open: isHostOrganization(runtime.db, actor.organization) && signUpOpen(runtime),
    }
  },
})

const accept = call({
  ...changing,
  path: 'users/sign-ups/accept',
  /** `account` may be another than the wished one, which somebody may have. */
  input: z.strictObject({ id, account: accountName, ...rightsInput }),
  run(context, { id: request, ...given }) {
    acceptUser(context, request, given)
    context.runtime.bus.emit({ topic: 'users', organization: context.actor.organization })
    return {}
  },
})

const refuse = call({
  ...changing,
  path: 'users/sign-ups/refuse',
  input: z.strictObject({ id }),
  run(context, input) {
    const { runtime, actor } = context
    runtime.db.transaction(tx => {
      const row = findSignUp(tx, actor, input.id)
      endSignUp(runtime, tx, row, undefined)
      context.log({ action: 'refuse', object: 'signUp', name: row.account, fields: { email: [row.email, null] } })
    })
    runtime.bus.emit({ topic: 'users', organization: actor.organization })
    return {}
  },
})

export const signUpCalls = [signUp, list, accept, refuse] as const
