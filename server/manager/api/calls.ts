import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts, apiKeys } from '@/db/schema'
import { keyAuthorities, keyFeatures, keyName } from '@/model/api-keys'
import { type Authority, authorities } from '@/model/authority'
import { limits } from '@/model/limits'
import { api } from '@/model/manager/api'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields, requirePrivate } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { readOwnOrDefaults, saveOwn } from '@/server/kernel/own-settings'
import { id } from '@/server/kernel/shapes'
import { accessibleNetworks } from '@/server/people/access/access'
import {
  addKey,
  apiOn,
  apiSettings,
  deleteKey,
  isExpired,
  type KeyRow,
  keyRights,
  mayTurn,
  newKey,
} from '@/server/people/keys/keys'
import { presenceAt } from '@/server/people/keys/presence'
import { confirmPassword, ownAccount } from '@/server/people/sign-in/attempts'

const own = { tag: 'api', scope: 'organization', authority: 'organization_api' } as const
const dayMs = 86_400_000

type Context = Pick<OrganizationContext, 'runtime' | 'actor'>

const get = call({
  ...own,
  path: 'developer-api/get',
  changes: false,
  input: z.strictObject({}),
  /**
   * Whether keys may call, and what the asker may put into one: `areas` of features, `networks` by name. `presence`: whether
   * the Presence API answers, when it was asked last, and when it turns itself off; unix ms.
   */
  run({ runtime, actor, now }) {
    const may = (name: Authority) => actor.authorities.has(name)
    const mine = keyFeatures
      .filter(one => may(one.name))
      .map(({ name, edits, area }) => ({ area, read: name, edits: (edits as readonly Authority[]).filter(may) }))
    const areas = [...new Set(mine.map(one => one.area))].map(area => ({
      area,
      features: mine
        .filter(one => one.area === area)
        .map(({ read, edits }) => ({ read, edits, mayRead: true, mayEdit: edits.length > 0 })),
    }))
    return {
      enabled: apiOn(runtime.db),
      presence: presenceAt(runtime.db, now),
      mayTurn: mayTurn({ runtime, actor }),
      /** Whether a key is made with one's password. */
      password: ownAccount({ runtime, actor }).password !== '',
      areas,
      networks: accessibleNetworks(runtime.db, actor).map(network => ({ id: network.id, name: network.name })),
    }
  },
})

const save = call({
  path: 'developer-api/save',
  topics: ['keys'],
  tag: 'api',
  scope: 'organization',
  authority: 'organization_api_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ enabled: z.boolean().optional(), presence: z.boolean().optional() }),
  /** What is absent stays as it is. Turned on, the Presence API goes on for a week after each request. */
  run(context, { enabled, presence }) {
    const { db } = context.runtime
    // One whose week is over is off, and is turned on anew.
    const now = { ...readOwnOrDefaults(db, api), presence: presenceAt(db, context.now).enabled }
    const fields = {
      ...now,
      ...(enabled !== undefined && { enabled }),
      ...(presence !== undefined && { presence }),
    }
    saveOwn(context, apiSettings, { fields })
    return {}
  },
})

/** One's own keys; who turns the API on and off knows of everybody's. */
function rowsFor({ runtime, actor }: Context) {
  const all = actor.authorities.has('organization_api_edit')
  return runtime.db
    .select()
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.account))
    .where(and(eq(accounts.organization, actor.organization), all ? undefined : eq(accounts.id, actor.id)))
    .orderBy(asc(accounts.account), asc(apiKeys.name))
    .all()
    .map(found => ({ key: found.api_keys, account: found.accounts }))
}

type Found = ReturnType<typeof rowsFor>[number]

/** Moments are unix ms; 0: never. `state`: `off` while its account may not sign in. */
function viewOf({ runtime, actor }: Context, { key, account }: Found, now: number) {
  const { authorities: held, networks } = keyRights(runtime.db, key, account)
  const names = accessibleNetworks(runtime.db, actor).map(network => ({ id: network.id, name: network.name }))
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    owner: account.account,
    mine: account.id === actor.id,
    authorities: [...held],
    allNetworks: networks === 'all',
    networks: networks === 'all' ? [] : names.filter(network => networks.has(network.id)),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? 0,
    usedAt: key.usedAt,
    usedFrom: key.usedFrom,
    state: isExpired(key, now)
      ? ('expired' as const)
      : account.state === 'active'
        ? ('active' as const)
        : ('off' as const),
  }
}

const list = call({
  ...own,
  path: 'developer-api/keys/list',
  changes: false,
  input: z.strictObject(listInput),
  run(context, input) {
    const { result, ...about } = listed(rowsFor(context), input, {
      text: ({ key, account }) => [key.name, key.prefix, account.account],
      sort: {
        name: ({ key }) => key.name,
        owner: ({ account }) => account.account,
        prefix: ({ key }) => key.prefix,
        usedAt: ({ key }) => key.usedAt,
        expiresAt: ({ key }) => key.expiresAt,
        createdAt: ({ key }) => key.createdAt,
      },
    })
    return { ...about, result: result.map(row => viewOf(context, row, context.now)) }
  },
})

type Wanted = { name: string; authorities: readonly string[]; allNetworks: boolean; networks: readonly number[] }

/** What the key will hold, or refuses at the field: never more than its maker. */
function checkScope({ runtime, actor }: Context, wanted: Wanted) {
  if (wanted.authorities.some(name => !authorities.includes(name as Authority)))
    failFields({ authorities: 'notAllowed' })
  const held = keyAuthorities(wanted.authorities)
  const beyond = wanted.authorities.some(name => !held.includes(name as Authority))
  if (beyond || held.some(name => !actor.authorities.has(name))) failFields({ authorities: 'aboveOwn' })
  if (!held.length) failFields({ authorities: 'required' })
  const entered = accessibleNetworks(runtime.db, actor)
  if (wanted.allNetworks) return { held, networks: null, names: [] }
  if (!wanted.networks.length) failFields({ networks: 'required' })
  const chosen = entered.filter(network => wanted.networks.includes(network.id))
  if (chosen.length !== new Set(wanted.networks).size) failFields({ networks: 'notFound' })
  return { held, networks: chosen.map(network => network.id), names: chosen.map(network => network.name) }
}

function checkRoom({ runtime, actor }: Context, name: string): void {
  const mine: KeyRow[] = runtime.db.select().from(apiKeys).where(eq(apiKeys.account, actor.id)).all()
  if (mine.length >= limits.apiKeysPerAccount) fail('keyLimit', { limit: limits.apiKeysPerAccount })
  if (mine.some(key => key.name.toLowerCase() === name.toLowerCase()))
    failFields({ name: 'nameExists' }, 'keyNameExists')
}

async function checkPassword(context: OrganizationContext, password: string): Promise<void> {
  const account = ownAccount(context)
  if (!account.password) return
  if (!password) failFields({ password: 'required' })
  await confirmPassword(context, account, password, 'password')
}

const create = call({
  ...own,
  path: 'developer-api/keys/create',
  topics: ['keys'],
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({
    name: keyName,
    /** Names of developer-api/get; an edit brings what reads it. */
    authorities: z.array(z.string().max(64)).max(200),
    allNetworks: z.boolean().default(false),
    networks: z.array(id).max(limits.networks, 'tooMany').default([]),
    /** Days until it runs out; without them it does not. */
    days: z.int().min(1).max(limits.apiKeyDays).optional(),
    /** One's own, where the account has one: a key outlives the session that made it. */
    password: z.string().max(limits.textCharacters, 'tooLong').default(''),
  }),
  /** `key` is told this once. */
  async run(context, input) {
    requirePrivate(context)
    const { runtime, actor, now } = context
    if (!apiOn(runtime.db)) fail('apiOff')
    checkRoom(context, input.name)
    checkScope(context, input)
    await checkPassword(context, input.password)
    const { key, ...kept } = newKey()
    const made = runtime.db.transaction(tx => {
      const { held, networks, names } = checkScope(context, input)
      checkRoom(context, input.name)
      const expiresAt = input.days === undefined ? null : now + input.days * dayMs
      const row = addKey(tx, {
        ...{ ...kept, account: actor.id, name: input.name, createdAt: now, expiresAt },
        ...{ authorities: JSON.stringify(held), networks: networks && JSON.stringify(networks) },
      })
      const fields: Record<string, [unknown, unknown]> = {
        authorities: [null, held],
        ...(networks && { networks: [null, names.join(', ')] }),
        ...(input.days !== undefined && { days: [null, input.days] }),
      }
      context.log({ action: 'add', object: 'apiKey', name: input.name, fields })
      return row
    })
    return { id: made.id, key }
  },
})

const remove = call({
  ...own,
  path: 'developer-api/keys/delete',
  topics: ['keys'],
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ id }),
  /** Holds from the next call on. */
  run(context, input) {
    const { runtime, actor, log } = context
    runtime.db.transaction(tx => {
      const found = rowsFor(context).find(one => one.key.id === input.id) ?? fail('keyNotFound')
      deleteKey(tx, input.id)
      const owner: Record<string, [unknown, unknown]> =
        found.account.id === actor.id ? {} : { owner: [found.account.account, null] }
      log({ action: 'delete', object: 'apiKey', name: found.key.name, fields: owner })
    })
    return {}
  },
})

export const developerCalls = [get, save, list, create, remove] as const
