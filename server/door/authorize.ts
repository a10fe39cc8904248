import * as z from 'zod'
import { parseFields } from '@/model/field-errors'
import type { Actor, AnyCall, BaseContext, Logging } from '@/server/kernel/call'
import { appendLog, type LogObject } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { type AccessibleNetwork, actorIn, findAccessible } from '@/server/people/access/access'

/** Who asks, by whatever they came in. */
export type Requester = { actor: Actor }

/** Refuses by `fail()` who may not make this call. */
export function checkAuthority(call: AnyCall, requester: Requester | undefined): void {
  if (call.authority === 'open') return
  if (!requester) fail('sessionExpired')
  if (!isHeld(call, requester.actor)) fail('noAuthority')
}

const isHeld = ({ authority, also = [], exports }: AnyCall, { authorities }: Actor): boolean =>
  (!exports || authorities.has('exports')) &&
  (authority === 'open' || authority === 'session' || [authority, ...also].some(name => authorities.has(name)))

function networkOf(runtime: Runtime, actor: Actor, wanted: unknown) {
  // A script that forgot to name the network must not change another one.
  if (wanted === undefined && actor.key !== undefined) fail('invalidInput', { fields: { networkId: 'required' } })
  if (wanted === undefined) return findAccessible(runtime.db, actor, actor.network)
  const parsed = z.coerce.number().int().safeParse(wanted)
  if (!parsed.success) fail('invalidInput', { fields: { networkId: 'wrongType' } })
  return findAccessible(runtime.db, actor, parsed.data)
}

function parseInput(call: AnyCall, input: Record<string, unknown>): unknown {
  const parsed = parseFields(call.input, input)
  return 'data' in parsed ? parsed.data : fail('invalidInput', parsed)
}

type Admitted = { actor?: Actor; network?: AccessibleNetwork }

/** Who acts, and where. In a network that is shared less may be done than at home: the authority is asked for again. */
function admitted(call: AnyCall, runtime: Runtime, actor: Actor, wanted: unknown): Admitted {
  if (call.scope !== 'network') return { actor }
  const network = networkOf(runtime, actor, wanted)
  const acting = actorIn(actor, network)
  // Who holds it at home holds it here as far as the network is shared.
  if (!isHeld(call, acting)) fail('notInShared')
  return { actor: acting, network }
}

/** Writes to the changelog of whose the network is; what others did there is told to their own people, too. */
function logOf({ runtime, now: at, address }: BaseContext, person: Actor | undefined, { actor, network }: Admitted) {
  const { db, secrets } = runtime
  const account = person?.account ?? ''
  return (entry: Parameters<Logging['log']>[0]) => {
    const { action, object, name, fields = {}, document, kept } = entry
    const about = { at, account, address, action, object, name }
    appendLog(db, secrets, {
      ...about,
      organization: actor?.organization ?? null,
      network: entry.network ?? network?.id ?? null,
      fields,
      document,
      kept,
    })
    if (person && network && network.access !== 'own')
      appendLog(db, secrets, {
        ...about,
        organization: person.organization,
        network: null,
        fields: { network: [null, network.name] },
      })
  }
}

/** network → input → run, after `checkAuthority`. `body`: the call's input, with `networkId` where its scope is a network. */
export async function runCall(
  call: AnyCall,
  context: BaseContext,
  requester: Requester | undefined,
  body: Record<string, unknown>,
): Promise<unknown> {
  const { runtime } = context
  const { networkId, ...input } = body
  const full: Record<string, unknown> = {
    ...context,
    ...(requester && admitted(call, runtime, requester.actor, networkId)),
  }
  let logged = false
  const write = logOf(context, requester?.actor, full as Admitted)
  const log: Logging['log'] = entry => {
    logged = true
    write(entry)
  }
  full.log = log
  const answer = await call.run(full as never, parseInput(call, call.scope === 'network' ? input : body) as never)
  // No change goes unlogged because somebody forgot it. What is open writes its own: else anybody could fill the log.
  const { changes, authority, changelog = 'entry' } = call
  if (changes && authority !== 'open' && changelog === 'entry' && !logged)
    log({ action: 'call', object: call.path as LogObject, name: '' })
  return answer
}
