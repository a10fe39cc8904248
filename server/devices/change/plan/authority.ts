import type { Authority } from '@/model/authority'
import { isKindId, kinds } from '@/model/registry'
import type { NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'

/** Whoever changes settings by way of a push needs the right to change them on their own page. */
export function mustEdit(context: NetworkContext, kind: string): void {
  if (!isKindId(kind)) fail('noAuthority')
  const needed = `${kinds[kind].authority}_edit` as Authority
  if (!context.actor.authorities.has(needed)) fail('noAuthority')
}
