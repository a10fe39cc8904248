import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { fail, requirePrivate } from '@/server/kernel/fail'
import { endOtherSessions, sessionCookie } from '@/server/people/accounts/sessions'
import { removeAccount } from '@/server/people/users/changes'
import { confirmPassword, mustBeLocal, ownAccount } from './attempts'

const remove = call({
  path: 'account/delete',
  unheard: 'leaves',
  tag: 'account',
  authority: 'session',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ password: z.string().min(1, 'required').max(64, 'tooLong') }),
  /** Ends one's own account for good. The super administrator stays: without one nobody could let anybody in. */
  async run(context, { password }) {
    requirePrivate(context)
    const { runtime, actor, log } = context
    const own = ownAccount(context)
    if (own.role === 'superAdministrator') fail('userNotYours', { why: 'superAdministrator' })
    mustBeLocal(own, 'password')
    await confirmPassword(context, own, password, 'password')
    runtime.db.transaction(tx => {
      removeAccount(tx, own)
      log({ action: 'delete', object: 'user', name: own.account })
    })
    endOtherSessions(runtime, actor)
    context.clearCookie(sessionCookie(context.secure))
    runtime.bus.emit({ topic: 'users', organization: actor.organization })
    return {}
  },
})

export const ownAccountCalls = [remove] as const
