import { randomBytes } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { accounts, apiKeys } from '@/db/schema'
import { isForKeys, keyAuthorities, keyMark, keyShown, keyStart } from '@/model/api-keys'
import { type Authority, withinReach } from '@/model/authority'
import { limits } from '@/model/limits'
import { type Api, api } from '@/model/manager/api'
import type { Actor, AnyCall, BaseContext, OrganizationContext } from '@/server/kernel/call'
import { fail, requirePrivate } from '@/server/kernel/fail'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import { part } from '@/server/kernel/part'
import { sha256 } from '@/server/kernel/secrets'
import { takeFormer } from '@/server/kernel/settings'
import { type Bucket, takeFrom } from '@/server/kernel/token-bucket'
import { type AccountRow, actorOf, isHostOrganization, storedAuthorities } from '@/server/people/accounts/actor'
import { mayEnter } from '@/server/people/accounts/whitelist'
import { beginPresence } from './presence'

/** Whether keys may call. */
export const apiOn = (db: Db): boolean => readOwnOrDefaults(db, api).enabled

/** The API is on or off for all companies on the manager: its own one's super administrator decides. */
export const mayTurn = ({ runtime, actor }: Pick<OrganizationContext, 'runtime' | 'actor'>): boolean =>
  actor.authorities.has('organization_api_edit') && isHostOrganization(runtime.db, actor.organization)

export const apiSettings: OwnSettings<Api> = {
  kind: api,
  judge(context) {
    if (!mayTurn(context)) fail('noAuthority')
    return {}
  },
  storing({ now }, tx, next, before) {
    if (next.presence) beginPresence(tx, before.presence, now)
  },
  former: ({ db }) => takeFormer(db, 'api'),
}

export type KeyRow = typeof apiKeys.$inferSelect

const noteEveryMs = 60_000

/** A new key in clear, given this once, with what is kept of it. */
export function newKey(): { key: string; digest: string; prefix: string } {
  const key = `${keyStart}${randomBytes(32).toString('base64url')}`
  return { key, digest: sha256(key), prefix: key.slice(0, keyShown) }
}

/** Stores a key; its number. */
export const addKey = (db: Db, row: typeof apiKeys.$inferInsert): { id: number } =>
  db.insert(apiKeys).values(row).returning({ id: apiKeys.id }).get()

/** It holds from the next call on. */
export const deleteKey = (db: Db, id: number): void => void db.delete(apiKeys).where(eq(apiKeys.id, id)).run()

/** Networks a key was made for; null: all that its account enters. */
export const storedNetworks = ({ networks }: Pick<KeyRow, 'networks'>): number[] | null =>
  networks === null ? null : (JSON.parse(networks) as number[])

const keepNetworks = (db: Db, { id }: KeyRow, networks: readonly number[]) =>
  db
    .update(apiKeys)
    .set({ networks: JSON.stringify(networks) })
    .where(eq(apiKeys.id, id))
    .run()

/** Lets a key that is for single networks into one more. */
export function addNetworkToKey(db: Db, id: number, network: number): void {
  const row = db.select().from(apiKeys).where(eq(apiKeys.id, id)).get()
  const made = row && storedNetworks(row)
  if (made) keepNetworks(db, row, [...made, network])
}

/** Takes a network that an organization has no more off the keys of its people. */
export function removeNetworkFromKeys(db: Db, organization: number, network: number): void {
  const people = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.organization, organization))
  for (const row of db.select().from(apiKeys).where(inArray(apiKeys.account, people)).all()) {
    const made = storedNetworks(row)
    if (made?.includes(network))
      keepNetworks(
        db,
        row,
        made.filter(id => id !== network),
      )
  }
}

/** What a key may do now: never more than it was made for, nor than its account may do. */
export function keyRights(db: Db, row: KeyRow, account: AccountRow) {
  const owner = actorOf(db, account, { id: '', network: null })
  const made = keyAuthorities(storedAuthorities(row.authorities))
  const authorities = new Set<Authority>(made.filter(name => owner.authorities.has(name)))
  const wanted = storedNetworks(row)
  const { networks: entered } = owner
  const networks: Actor['networks'] =
    wanted === null ? entered : new Set(wanted.filter(id => entered === 'all' || entered.has(id)))
  return { owner, authorities: withinReach(authorities, networks), networks }
}

export const isExpired = ({ expiresAt }: Pick<KeyRow, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

/** The key of a request's `Authorization: Bearer …`; undefined where none is sent. Other schemes are a proxy's business. */
export function bearerOf(request: Request): string | undefined {
  const header = request.headers.get('authorization')?.trim() ?? ''
  return /^Bearer(\s|$)/i.test(header) ? header.slice('Bearer'.length).trim() : undefined
}

function findKey({ runtime, address, now }: BaseContext, key: string) {
  const { db } = runtime
  const found = prepared(db, 'key', () =>
    db
      .select()
      .from(apiKeys)
      .innerJoin(accounts, eq(accounts.id, apiKeys.account))
      .where(eq(apiKeys.digest, sql.placeholder('digest')))
      .prepare(),
  ).get({ digest: sha256(key) })
  if (found?.accounts.state !== 'active' || isExpired(found.api_keys, now)) return undefined
  return mayEnter(runtime, found.accounts.organization, address) ? found : undefined
}

/** Last use is written once a minute, and when it is from somewhere else. */
function noteUse({ runtime, address, now }: BaseContext, row: KeyRow): void {
  if (now - row.usedAt < noteEveryMs && row.usedFrom === address) return
  runtime.db.update(apiKeys).set({ usedAt: now, usedFrom: address }).where(eq(apiKeys.id, row.id)).run()
}

/** Calls of each key (by its number), in memory. */
const keyBuckets = part('keyBuckets', () => new Map<number, Bucket>())
const callRate = { burst: limits.apiBurst, perSecond: limits.apiPerSecond }

/** Who acts by a key: its account, named with the key, and as much of its rights as the key has. Refuses else. */
export function actorByKey(context: BaseContext, call: AnyCall, key: string): { actor: Actor } {
  requirePrivate(context)
  const found = findKey(context, key)
  if (!found) fail('keyInvalid')
  const { api_keys: row, accounts: account } = found
  if (!apiOn(context.runtime.db)) fail('apiOff')
  const retryAfter = takeFrom(keyBuckets.of(context.runtime), row.id, context.now, callRate)
  if (retryAfter > 0) fail('rateLimited', { retryAfter })
  noteUse(context, row)
  if (!isForKeys(call)) fail('personOnly')
  const { owner, authorities, networks } = keyRights(context.runtime.db, row, account)
  return { actor: { ...owner, account: `${owner.account}${keyMark}${row.name}`, authorities, networks, key: row.id } }
}
