import { asc, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accountNetworks, accounts, networks } from '@/db/schema'
import { accountSees } from '@/server/accounts/actor'
import { widenKey } from '@/server/developer-api/keys'
import type { BusEvent } from '@/server/kernel/bus'
import type { Actor } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'

// Which networks a person enters. Everything that lists or finds what belongs to a network asks here.

export type Network = typeof networks.$inferSelect
/** As much of an actor as decides it. */
export type Seeing = Pick<Actor, 'organization' | 'networks'>

/** Is this one of the networks that the person enters? `id` is of a network of their organization. */
export const mayNetwork = ({ networks: own }: Seeing, id: number): boolean => own === 'all' || own.has(id)

/** Is this job (of `jobs`, of their organization) theirs to see? One of no known network is so for those who enter all. */
export const mayJob = (actor: Seeing, { network }: { network: number | null }): boolean =>
  network === null ? actor.networks === 'all' : mayNetwork(actor, network)

/** Is what happened for this person's ears? */
export const hears = (actor: Seeing, { organization, network }: BusEvent): boolean =>
  (organization === undefined || organization === actor.organization) &&
  (network === undefined || mayNetwork(actor, network))

/** Networks of the organization that this person enters, in the organization's order. */
export const seenNetworks = (db: Db, actor: Seeing): Network[] =>
  db
    .select()
    .from(networks)
    .where(eq(networks.organization, actor.organization))
    .orderBy(asc(networks.position), asc(networks.id))
    .all()
    .filter(network => mayNetwork(actor, network.id))

/** Whoever makes a network enters it, and so does the key by which they made it. */
export function enter(db: Db, actor: Pick<Actor, 'id' | 'networks' | 'key'>, network: number): void {
  if (actor.networks === 'all') return
  if (actor.key !== undefined) widenKey(db, actor.key, network)
  const maker = db.select().from(accounts).where(eq(accounts.id, actor.id)).get()
  if (maker && accountSees(db, maker) !== 'all') db.insert(accountNetworks).values({ account: actor.id, network }).run()
}

/** Where a person lands: the default network where it is theirs, else the first of their own. */
export function homeNetwork(db: Db, actor: Seeing): Network | undefined {
  const seen = seenNetworks(db, actor)
  return seen.find(network => network.isDefault) ?? seen[0]
}

/** The network, or undefined where it does not exist for this person. */
export function networkFor(db: Db, actor: Seeing, id: number | null): Network | undefined {
  if (id === null || !mayNetwork(actor, id)) return undefined
  const found = db.select().from(networks).where(eq(networks.id, id)).get()
  return found?.organization === actor.organization ? found : undefined
}

/** As `networkFor`, or refuses: 20010 with the network to go to instead, alike for what is not theirs and what is not there. */
export const findNetwork = (db: Db, actor: Seeing, id: number | null): Network =>
  networkFor(db, actor, id) ?? fail('networkNotFound', { networkId: homeNetwork(db, actor)?.id ?? null })
