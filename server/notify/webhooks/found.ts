import type { OrganizationContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { type Hook, hooksOf } from './hooks'

export type Context = Pick<OrganizationContext, 'runtime' | 'actor'>

/** What a webhook is told is told in its maker's name: nobody else says what, and where to. */
export const ownHooks = ({ runtime, actor }: Context): Hook[] => hooksOf(runtime.db, actor.organization, actor.id)

/** One's own; who turns the API on and off knows of everybody's. */
export const visibleHooks = (context: Context): Hook[] => {
  const { runtime, actor } = context
  return actor.authorities.has('organization_api_edit') ? hooksOf(runtime.db, actor.organization) : ownHooks(context)
}

/** The one that is meant, or refuses. */
export const oneOf = (hooks: readonly Hook[], id: number): Hook =>
  hooks.find(({ hook }) => hook.id === id) ?? fail('webhookNotFound')
