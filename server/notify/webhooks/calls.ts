import { and, desc, eq, gt } from 'drizzle-orm'
import * as z from 'zod'
import { webhookDeliveries as deliveries, webhooks } from '@/db/schema'
import { limits } from '@/model/limits'
import { hookName, hookTopics, hookUrl } from '@/model/webhooks'
import { call } from '@/server/kernel/call'
import { fail, failFields, requirePrivate } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { accessibleNetworks } from '@/server/people/access/access'
import { notifyTest } from './events'
import { type Context, oneOf, ownHooks, visibleHooks } from './found'
import { addHook, type Hook, networksOf, newestEntry, newSecret, readsLog, storeSecret, topicsOf } from './hooks'
import { hookOutbox, wakeHooks } from './queue'
import { addressesOf, isBlocked, segmentsFor, systemLookup } from './targets'

const own = { tag: 'api', scope: 'organization', authority: 'organization_api' } as const
const id = z.int().positive()
const resolveLimitMs = 3000

const tell = ({ runtime, actor }: Context): void =>
  runtime.bus.emit({ topic: 'webhooks', organization: actor.organization })

const get = call({
  ...own,
  path: 'webhooks/get',
  changes: false,
  input: z.strictObject({}),
  /** What one may have told, of which networks, and the segments of one's own that are in reach. */
  run: ({ runtime, actor }) => ({
    topics: hookTopics.filter(one => actor.authorities.has(one.authority)).map(one => one.id),
    networks: accessibleNetworks(runtime.db, actor).map(network => ({ id: network.id, name: network.name })),
    segments: segmentsFor(runtime, actor.organization),
  }),
})

const lastOf = ({ db }: Runtime, webhook: number) =>
  db
    .select({ at: deliveries.triedAt, code: deliveries.code, error: deliveries.error })
    .from(deliveries)
    .where(and(eq(deliveries.webhook, webhook), gt(deliveries.triedAt, 0)))
    .orderBy(desc(deliveries.triedAt))
    .limit(1)
    .get() ?? null

/** Moments are unix ms. `state`: `off` also while its person may not sign in; `last`: how the newest try ended. */
function viewOf({ runtime, actor }: Context, { hook, account }: Hook) {
  const mine = account.id === actor.id
  const chosen = networksOf(hook)
  const names = accessibleNetworks(runtime.db, actor)
  return {
    id: hook.id,
    name: hook.name,
    // A service's own token may stand in the path.
    url: mine ? hook.url : new URL(hook.url).origin,
    owner: account.account,
    mine,
    topics: topicsOf(hook),
    level: hook.level as 5 | 10 | 15,
    allNetworks: chosen === null,
    networks: names.filter(one => chosen?.includes(one.id)).map(one => ({ id: one.id, name: one.name })),
    state: account.state === 'active' ? hook.state : ('off' as const),
    createdAt: hook.createdAt,
    last: lastOf(runtime, hook.id),
  }
}

const list = call({
  ...own,
  path: 'webhooks/list',
  changes: false,
  input: z.strictObject(listInput),
  run(context, input) {
    const { result, ...about } = listed(visibleHooks(context), input, {
      text: ({ hook, account }) => [hook.name, account.account],
      sort: {
        name: ({ hook }) => hook.name,
        owner: ({ account }) => account.account,
        url: ({ hook }) => hook.url,
        createdAt: ({ hook }) => hook.createdAt,
      },
    })
    return { ...about, result: result.map(row => viewOf(context, row)) }
  },
})

const shape = z.strictObject({
  /** Of one that is there; without it a new one is made. */
  id: id.optional(),
  name: hookName,
  url: hookUrl,
  topics: z
    .array(z.enum(hookTopics.map(one => one.id)))
    .min(1, 'required')
    .max(hookTopics.length, 'tooMany'),
  /** Alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
  level: z.union([z.literal(5), z.literal(10), z.literal(15)]).default(15),
  allNetworks: z.boolean().default(true),
  networks: z.array(id).max(limits.networks, 'tooMany').default([]),
})
type Wanted = z.output<typeof shape>

/** What it will be told, or refuses at the field: never more than its maker may see. */
function checkScope({ runtime, actor }: Context, { topics, allNetworks, networks }: Wanted) {
  const lacking = hookTopics.some(one => topics.includes(one.id) && !actor.authorities.has(one.authority))
  if (lacking) failFields({ topics: 'aboveOwn' })
  if (allNetworks) return null
  if (!networks.length) failFields({ networks: 'required' })
  const chosen = accessibleNetworks(runtime.db, actor).filter(one => networks.includes(one.id))
  if (chosen.length !== new Set(networks).size) failFields({ networks: 'notFound' })
  return JSON.stringify(chosen.map(one => one.id))
}

function checkName(context: Context, wanted: Wanted): void {
  const others = ownHooks(context).filter(({ hook }) => hook.id !== wanted.id)
  if (wanted.id === undefined && others.length >= limits.webhooksPerAccount)
    fail('webhookLimit', { limit: limits.webhooksPerAccount })
  if (others.some(({ hook }) => hook.name.toLowerCase() === wanted.name.toLowerCase()))
    failFields({ name: 'nameExists' }, 'webhookNameExists')
}

/** Says at once what every delivery would say. A name that nobody knows now may be known later. */
async function checkTarget({ runtime, actor }: Context, url: string): Promise<void> {
  const { lookup = systemLookup } = hookOutbox.find(runtime) ?? {}
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(done => {
    timer = setTimeout(done, resolveLimitMs)
  })
  const asked = addressesOf(new URL(url), segmentsFor(runtime, actor.organization), lookup).catch((error: unknown) => {
    if (isBlocked(error) && error.blocked !== 'noAddress') failFields({ url: error.blocked })
  })
  await Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

type Kept = Pick<Hook['hook'], 'name' | 'url' | 'topics' | 'level' | 'networks'>
const shownUrl = (url: string) => new URL(url).origin

/** What is new, for the changelog; an address without what may be a token in it. */
function changed(before: Kept | undefined, next: Kept): Record<string, [unknown, unknown]> {
  const told = (one: Kept | undefined): Record<string, unknown> =>
    one
      ? {
          ...{ name: one.name, url: shownUrl(one.url), topics: topicsOf(one).join(', '), level: one.level },
          networks: one.networks === null ? 'all' : one.networks,
        }
      : {}
  const [was, is] = [told(before), told(next)]
  return Object.fromEntries(
    Object.keys(is).flatMap(key => (was[key] === is[key] ? [] : [[key, [was[key] ?? null, is[key]]]])),
  )
}

const save = call({
  ...own,
  path: 'webhooks/save',
  topics: ['webhooks'],
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: shape,
  /** `secret`, of a new one, is told this once. */
  async run(context, input) {
    const { runtime, actor, now, log } = context
    if (input.id === undefined) requirePrivate(context)
    else oneOf(ownHooks(context), input.id)
    checkScope(context, input)
    checkName(context, input)
    await checkTarget(context, input.url)
    const secret = newSecret()
    const made = runtime.db.transaction(tx => {
      const before = input.id === undefined ? undefined : oneOf(ownHooks(context), input.id).hook
      checkName(context, input)
      const { name, url, level } = input
      const next = { name, url, level, topics: JSON.stringify(input.topics), networks: checkScope(context, input) }
      log({ action: before ? 'edit' : 'add', object: 'webhook', name, fields: changed(before, next) })
      if (!before) return addHook(runtime, { ...next, account: actor.id, state: 'on' }, secret, now)
      // One that heard of none before is told of none that are past.
      const since = readsLog(before) ? {} : { logged: newestEntry(tx) }
      tx.update(webhooks)
        .set({ ...next, ...since })
        .where(eq(webhooks.id, before.id))
        .run()
      return before.id
    })
    tell(context)
    return { id: made, ...(input.id === undefined && { secret }) }
  },
})

/** One that was paused: somebody looked at it. */
const tellDecided = ({ runtime }: Context, { hook, account }: Hook) =>
  hookOutbox.find(runtime)?.decided(runtime, { id: hook.id, name: hook.name, organization: account.organization })

const turn = call({
  ...own,
  path: 'webhooks/switch',
  topics: ['webhooks'],
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id, on: z.boolean() }),
  /** What waits goes out when it is on again; what happens while it is off, or paused, it is not told. */
  run(context, input) {
    const { runtime, log } = context
    runtime.db.transaction(tx => {
      // Anybody's is turned off by who keeps the API; on again in its maker's name by its maker alone.
      const one = oneOf(input.on ? ownHooks(context) : visibleHooks(context), input.id)
      const { hook } = one
      const state = input.on ? 'on' : 'off'
      if (hook.state === state) return
      tellDecided(context, one)
      const fresh = input.on ? { failures: 0, logged: newestEntry(tx) } : {}
      tx.update(webhooks)
        .set({ state, ...fresh })
        .where(eq(webhooks.id, hook.id))
        .run()
      log({ action: 'edit', object: 'webhook', name: hook.name, fields: { state: [hook.state, state] } })
    })
    wakeHooks(runtime)
    tell(context)
    return {}
  },
})

const rotate = call({
  ...own,
  path: 'webhooks/rotate',
  topics: ['webhooks'],
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id }),
  /** A new secret, told this once; the former one signs nothing from now on. */
  run(context, input) {
    requirePrivate(context)
    const { runtime, log } = context
    const secret = newSecret()
    runtime.db.transaction(() => {
      const { hook } = oneOf(ownHooks(context), input.id)
      storeSecret(runtime, hook.id, secret)
      log({ action: 'renewSecret', object: 'webhook', name: hook.name })
    })
    return { secret }
  },
})

const remove = call({
  ...own,
  path: 'webhooks/delete',
  topics: ['webhooks'],
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ id }),
  /** With all that waits, and the log of what was sent. */
  run(context, input) {
    const { runtime, actor, log } = context
    runtime.db.transaction(tx => {
      const one = oneOf(visibleHooks(context), input.id)
      const { hook, account } = one
      tellDecided(context, one)
      tx.delete(webhooks).where(eq(webhooks.id, hook.id)).run()
      const owner: Record<string, [unknown, unknown]> =
        account.id === actor.id ? {} : { owner: [account.account, null] }
      log({ action: 'delete', object: 'webhook', name: hook.name, fields: owner })
    })
    tell(context)
    return {}
  },
})

const test = call({
  ...own,
  path: 'webhooks/test',
  topics: ['webhooks'],
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ id }),
  /** Sends one now, also while it is off, and tries it once; `deliveryId` says where to look how it went. */
  run: (context, input) => ({
    deliveryId: context.runtime.db.transaction(() =>
      notifyTest(context.runtime, oneOf(ownHooks(context), input.id), context.now),
    ),
  }),
})

export const webhookCalls = [get, list, save, turn, rotate, remove, test] as const
