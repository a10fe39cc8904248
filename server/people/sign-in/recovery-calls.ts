import * as z from 'zod'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { requirePrivate } from '@/server/kernel/fail'
import { checkNewPassword, newPasswordFields } from '@/server/people/accounts/new-password'
import { endingFields } from '@/server/people/accounts/standing'
import { accessByLink, forgotPassword, forgotUsername, resetPassword } from './recovery'

const open = {
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: true,
  unheard: 'leaves',
  send: 'each',
} as const

const password = call({
  ...open,
  path: 'auth/forgot-password',
  /** `account`: the name to sign in with, or the mail address. */
  input: z.strictObject({ account: z.string().trim().min(1, 'required').max(limits.textCharacters, 'tooLong') }),
  /** The same answer whether there is such an account or not. */
  run(context, { account }) {
    forgotPassword(context, account)
    return {}
  },
})

const username = call({
  ...open,
  path: 'auth/forgot-username',
  input: z.strictObject({ email }),
  run(context, input) {
    forgotUsername(context, input.email)
    return {}
  },
})

const token = z.string().min(1, 'required').max(limits.textCharacters)

const access = call({
  path: 'auth/reset-password/access',
  tag: 'signIn',
  authority: 'open',
  scope: 'none',
  changes: false,
  input: z.strictObject({ token }),
  run: (context, input) => accessByLink(context, input.token),
})

const reset = call({
  ...open,
  path: 'auth/reset-password',
  input: z.strictObject({ token, ...newPasswordFields, ...endingFields }).check(checkNewPassword),
  async run(context, input) {
    requirePrivate(context)
    await resetPassword(context, input.token, input.password, input)
    return {}
  },
})

export const recoveryCalls = [password, username, access, reset] as const
