import * as z from 'zod'
import { parseFields } from '@/model/field-errors'
import { findNetwork } from '@/server/networks/access'
import type { Actor, AnyCall, BaseContext, OrganizationContext } from './call'
import { appendLog } from './changelog'
import { fail } from './fail'
import type { Runtime } from './runtime'
import { unlogged } from './unlogged'

/** Who asks, by whatever they came in. */
export type Asker = { actor: Actor }

/** Refuses by `fail()` who may not make this call. */
export function checkAuthority(call: AnyCall, asker: Asker | undefined): void {
  if (call.authority === 'open') return
  if (!asker) fail('sessionExpired')
  if (call.authority !== 'session' && !asker.actor.authorities.has(call.authority)) fail('noAuthority')
}

function networkOf(runtime: Runtime, actor: Actor, wanted: unknown) {
  // A script that forgot to name the network must not change another one.
  if (wanted === undefined && actor.key !== undefined) fail('invalidInput', { fields: { networkId: 'required' } })
  if (wanted === undefined) return findNetwork(runtime.db, actor, actor.network)
  const parsed = z.coerce.number().int().safeParse(wanted)
  if (!parsed.success) fail('invalidInput', { fields: { networkId: 'wrongType' } })
  return findNetwork(runtime.db, actor, parsed.data)
}

function parseInput(call: AnyCall, input: Record<string, unknown>): unknown {
  const parsed = parseFields(call.input, input)
  return 'data' in parsed ? parsed.data : fail('invalidInput', parsed)
}

/** network → input → run, after `checkAuthority`. `body`: the call's input, with `networkId` where its scope is a network. */
export async function runCall(
  call: AnyCall,
  context: BaseContext,
  asker: Asker | undefined,
  body: Record<string, unknown>,
): Promise<unknown> {
  const { runtime } = context
  const { networkId, ...input } = body
  const full: Record<string, unknown> = { ...context, actor: asker?.actor }
  if (asker && call.scope === 'network') full.network = networkOf(runtime, asker.actor, networkId)
  let logged = false
  const log: OrganizationContext['log'] = entry => {
    logged = true
    appendLog(runtime.db, runtime.secrets, {
      organization: asker?.actor.organization ?? null,
      network: entry.network ?? (full.network as { id: number } | undefined)?.id ?? null,
      at: context.now,
      account: asker?.actor.account ?? '',
      address: context.address,
      action: entry.action,
      object: entry.object,
      name: entry.name,
      fields: entry.fields ?? {},
      document: entry.document,
      kept: entry.kept,
    })
  }
  full.log = log
  const answer = await call.run(full as never, parseInput(call, call.scope === 'network' ? input : body) as never)
  // No change goes unlogged because somebody forgot it. What is open writes its own: else anybody could fill the log.
  if (call.changes && call.authority !== 'open' && !logged && !Object.hasOwn(unlogged, call.path))
    log({ action: 'call', object: call.path, name: '' })
  return answer
}
