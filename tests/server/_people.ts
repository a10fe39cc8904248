// People of a manager, signed in without a password: what they may do is what counts.
import { accountNetworks, accounts, apiKeys, networkOffers, networks, organizations, roles } from '@/db/schema'
import { api } from '@/model/manager/api'
import { storeOwn } from '@/server/kernel/own-settings'
import { customRole } from '@/server/people/accounts/actor'
import { openSession, sessionCookie } from '@/server/people/accounts/sessions'
import { newKey } from '@/server/people/keys/keys'
import type { Browser, Manager } from './_manager'

export type Person = Browser & { account: { id: number; account: string; organization: number } }
type Who = {
  role: string
  /** Without them, and without `all`, none. */
  networks?: readonly number[]
  all?: boolean
  organization?: number
}

let made = 0

/** An active account with a browser that it is signed in with. */
export async function person({ runtime, browser }: Manager, who: Who): Promise<Person> {
  const { role, all = false, organization = 1 } = who
  made += 1
  const name = `person${made}x`
  const account = runtime.db
    .insert(accounts)
    .values({
      ...{ organization, role, account: name, username: name, password: '', state: 'active', allNetworks: all },
      ...{ passwordChangedAt: Date.now(), createdAt: Date.now() },
    })
    .returning()
    .get()
  for (const network of who.networks ?? [])
    runtime.db.insert(accountNetworks).values({ account: account.id, network }).run()
  return { ...(await signedIn({ runtime, browser } as Manager, account)), account }
}

/** One more browser of an account, signed in. */
export async function signedIn(manager: Manager, account: Person['account'], network: number | null = null) {
  const made = manager.browser()
  const from = { address: '10.0.0.5', agent: 'test', network }
  made.cookies.set(sessionCookie(true), await openSession(manager.runtime, account, from))
  return made
}

const place = { country: 'PT', timezone: 'Europe/Lisbon' }

export const network = ({ runtime }: Manager, name: string, organization = 1): number =>
  runtime.db
    .insert(networks)
    .values({ ...place, organization, name, position: 1, createdAt: Date.now() })
    .returning()
    .get().id

/** A network of `organization` that is shared with `other`, who accepted. */
export function sharedNetwork(
  manager: Manager,
  name: string,
  organization: number,
  other: number,
  kind: 'read' | 'manage',
): number {
  const made = network(manager, name, organization)
  manager.runtime.db
    .insert(networkOffers)
    .values({ network: made, organization: other, kind, accepted: true, by: 'x', recipient: 'y', createdAt: 0 })
    .run()
  return made
}

export const organization = ({ runtime }: Manager, name: string): number =>
  runtime.db.insert(organizations).values({ name, createdAt: Date.now() }).returning().get().id

/** A custom role as accounts name it. */
export const role = ({ runtime }: Manager, name: string, authorities: readonly string[], organization = 1): string =>
  customRole(
    runtime.db
      .insert(roles)
      .values({
        ...{ organization, name, authorities: JSON.stringify(authorities) },
        ...{ createdAt: Date.now(), changedAt: Date.now() },
      })
      .returning()
      .get().id,
  )

export type Keyed = Browser & { key: string; id: number }
type Scope = { authorities: readonly string[]; networks?: readonly number[]; expiresAt?: number }

/** A script with an API key of an account, without a session; the API is on from then on. Its calls are not counted. */
export function keyed({ runtime, browser }: Manager, account: { id: number }, scope: Scope): Keyed {
  storeOwn({ runtime, actor: { organization: 1, account: '' }, now: Date.now() }, runtime.db, api, {
    enabled: true,
    presence: false,
  })
  made += 1
  const { key, ...kept } = newKey()
  const { id } = runtime.db
    .insert(apiKeys)
    .values({
      ...{ ...kept, account: account.id, name: `key ${made}`, createdAt: Date.now() },
      authorities: JSON.stringify(scope.authorities),
      networks: scope.networks ? JSON.stringify(scope.networks) : null,
      expiresAt: scope.expiresAt ?? null,
    })
    .returning()
    .get()
  const plain = browser()
  const own = { authorization: `Bearer ${key}`, 'x-requested-with': '' }
  const fresh = () => void runtime.parts.delete('keyBuckets')
  return {
    ...plain,
    ...{ key, id },
    raw(path, init) {
      fresh()
      return plain.raw(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...own } })
    },
    post(path, body, headers) {
      fresh()
      return plain.post(path, body, { ...headers, ...own })
    },
  }
}
