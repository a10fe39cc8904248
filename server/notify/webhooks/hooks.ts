import { randomBytes } from 'node:crypto'
import { and, asc, eq, max } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts, changelog, networks, webhooks } from '@/db/schema'
import type { Authority } from '@/model/authority'
import { type HookTopic, hookTopics, secretStart } from '@/model/webhooks'
import type { Actor } from '@/server/kernel/call'
import type { Runtime } from '@/server/kernel/runtime'
import { accessibleNetwork, actorIn } from '@/server/people/access/access'
import { type AccountRow, actorOf } from '@/server/people/accounts/actor'

export type HookRow = typeof webhooks.$inferSelect
/** A webhook with the person in whose name it is told. */
export type Hook = { hook: HookRow; account: AccountRow }

export const topicsOf = ({ topics }: Pick<HookRow, 'topics'>) => JSON.parse(topics) as HookTopic[]
const fromLog: readonly HookTopic[] = ['devices', 'changelog']
/** Is it told of what is read in the changelog? */
export const readsLog = (hook: Pick<HookRow, 'topics'>): boolean =>
  topicsOf(hook).some(topic => fromLog.includes(topic))

/** Null: all that its maker enters. */
export const networksOf = ({ networks }: Pick<HookRow, 'networks'>) =>
  networks === null ? null : (JSON.parse(networks) as number[])

/** Of an organization, by person and name; `account`: one's own alone. */
export const hooksOf = (db: Db, organization: number, account?: number): Hook[] =>
  db
    .select()
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.account))
    .where(and(eq(accounts.organization, organization), account === undefined ? undefined : eq(accounts.id, account)))
    .orderBy(asc(accounts.account), asc(webhooks.name))
    .all()
    .map(row => ({ hook: row.webhooks, account: row.accounts }))

/** The webhook of a delivery, which goes with it. */
export function hookOf(db: Db, id: number): Hook {
  const row = db
    .select()
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.account))
    .where(eq(webhooks.id, id))
    .get()
  if (!row) throw new Error(`webhook ${id} is gone`)
  return { hook: row.webhooks, account: row.accounts }
}

const secretPlace = (id: number) => `webhooks:${id}:secret`
export const newSecret = (): string => `${secretStart}${randomBytes(32).toString('base64url')}`
export const openSecret = (runtime: Runtime, { id, secret }: HookRow): string =>
  runtime.secrets.open(secret, secretPlace(id))

export function storeSecret(runtime: Runtime, id: number, secret: string): void {
  const sealed = runtime.secrets.seal(secret, secretPlace(id))
  runtime.db.update(webhooks).set({ secret: sealed }).where(eq(webhooks.id, id)).run()
}

/** Number of the newest entry of the changelog; 0 where there is none. */
export const newestEntry = (db: Db): number =>
  db
    .select({ id: max(changelog.id) })
    .from(changelog)
    .get()?.id ?? 0

export type NewHook = Pick<HookRow, 'account' | 'name' | 'url' | 'topics' | 'level' | 'networks' | 'state'>

/** In the caller's transaction; returns its number. It is told of what happens from now on. */
export function addHook(runtime: Runtime, made: NewHook, secret: string, now: number): number {
  const { db } = runtime
  const row = { ...made, secret: '', logged: newestEntry(db), createdAt: now }
  const { id } = db.insert(webhooks).values(row).returning({ id: webhooks.id }).get()
  storeSecret(runtime, id, secret)
  return id
}

/** What something is about, as far as it decides who may hear of it. */
export type About = { topic: HookTopic | 'test'; network: number | null }

/** What is told of the manager itself is for those who look after it. */
const needs = ({ topic, network }: About): readonly (Authority | undefined)[] => [
  hookTopics.find(one => one.id === topic)?.authority,
  topic === 'alerts' && network === null ? 'organization_manager' : undefined,
]

const isThere = (db: Db, id: number) =>
  db.select({ id: networks.id }).from(networks).where(eq(networks.id, id)).get() !== undefined

/**
 * May this person see in the console what a webhook is told? A network that is gone is of those who enter all; in one that
 * another company shares, as much as they may see there.
 */
export function maySee(db: Db, actor: Actor, about: About): boolean {
  const { topic, network } = about
  const held = (who: Actor) => needs(about).every(name => name === undefined || who.authorities.has(name))
  if (topic === 'test') return held(actor)
  if (network === null || !isThere(db, network)) return held(actor) && actor.networks === 'all'
  const entered = accessibleNetwork(db, actor, network)
  return entered !== undefined && held(actorIn(actor, entered))
}

/** Is this for the webhook: of a network it was made for, and for its maker's eyes as they are now? */
export function mayCarry(db: Db, { hook, account }: Hook, about: About): boolean {
  if (account.state !== 'active') return false
  const chosen = networksOf(hook)
  const { topic, network } = about
  if (chosen && topic !== 'test' && (network === null || !chosen.includes(network))) return false
  return maySee(db, actorOf(db, account, { id: '', network: null }), about)
}

/** Who looks after the manager longest; undefined before the setup. */
export const managerAdmin = (db: Db): AccountRow | undefined =>
  db
    .select()
    .from(accounts)
    .where(and(eq(accounts.role, 'superAdministrator'), eq(accounts.state, 'active')))
    .orderBy(asc(accounts.organization), asc(accounts.id))
    .limit(1)
    .get()
