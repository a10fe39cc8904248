import type { BaseContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import type { Account } from '@/server/people/accounts/mfa'
import { accountOf } from '../people'
import { samlAttempts } from './attempts'
import { somebody } from './people'
import { providerOfOrganization } from './provider'

export const ssoCookie = 'lanward.sso'
export const ssoPlace = (account: number) => `sessions:${account}:sso`

/** Whom the provider proved, and what their session keeps of it (sealed): `ticket` is what sso/acs sent this browser back with, good once. */
export async function accountBySso(context: BaseContext, ticket: string): Promise<{ account: Account; sso: string }> {
  const { runtime, now } = context
  const taken = samlAttempts.of(runtime).take(ticket, context.cookie(ssoCookie), now)
  if (!taken) return fail('ssoNotBegun')
  context.clearCookie(ssoCookie)
  const provider = providerOfOrganization(runtime.db, taken.organization)
  if (!provider?.enabled) return fail('ssoUnknown')
  const account = await accountOf(context, somebody(provider, taken.proven))
  const { nameId, nameIdFormat, sessionIndex } = taken.proven
  const sso = JSON.stringify({ nameId, nameIdFormat, sessionIndex })
  return { account, sso: runtime.secrets.seal(sso, ssoPlace(account.id)) }
}
