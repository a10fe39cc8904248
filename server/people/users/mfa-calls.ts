import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts } from '@/db/schema'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { id } from '@/server/kernel/shapes'
import { removeMfa } from '@/server/people/accounts/mfa'
import { notifyOwner } from '@/server/people/accounts/notices'
import { changeable } from '@/server/people/accounts/people'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { invite } from './invitation'

const force = call({
  path: 'mfa/force',
  topics: ['users'],
  tag: 'signIn',
  authority: 'organization_security_edit',
  scope: 'organization',
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id }),
  /**
   * Takes a person's second factor away, who lost it. Whoever is active then has to follow a new invitation, with a new
   * password: `link` where no mail carries it.
   */
  run(context, input) {
    const { runtime, actor, log } = context
    const link = runtime.db.transaction(tx => {
      const person = changeable(tx, actor, input.id)
      if (!person.mfa) fail('mfaOff')
      removeMfa(tx, person)
      log({ action: 'removeMfa', object: 'user', name: person.account })
      notifyOwner(runtime, tx, person, { template: 'mfaRemoved' })
      if (person.state !== 'active') return undefined
      tx.update(accounts).set({ state: 'inactivated' }).where(eq(accounts.id, person.id)).run()
      return invite(context, tx, person)
    })
    endOtherSessions(runtime, { id: input.id, organization: actor.organization })
    runtime.bus.emit({ topic: 'users', organization: actor.organization })
    return { link: link ?? '' }
  },
})

export const userMfaCalls = [force] as const
