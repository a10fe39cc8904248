import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { accountNetworks, accounts, networkOffers, networks } from '@/db/schema'
import { inShared, receivingRoles, type ShareAccess } from '@/model/authority'
import type { Ids } from '@/server/kernel/belonging'
import type { BusEvent } from '@/server/kernel/bus'
import type { Actor } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { isHostOrganization, networksOfAccount } from '@/server/people/accounts/actor'
import { addNetworkToKey } from '@/server/people/keys/keys'

// Which networks a person enters: those of their organization, and those that others share with it. Everything that
// lists or finds what belongs to a network asks here.

export type Network = typeof networks.$inferSelect
/** One that somebody enters; `access`: how far another organization shares it, or that it is their own. */
export type AccessibleNetwork = Network & { access: 'own' | ShareAccess }
/** As much of an actor as decides it. */
export type NetworkReach = Pick<Actor, 'organization' | 'networks'>

/** Is this one of the networks that the person enters? `id` is of a network of their organization, or shared with it. */
export const mayNetwork = ({ networks: own }: NetworkReach, id: number): boolean => own === 'all' || own.has(id)

/** Is this job (of `jobs`, of their organization) theirs to see? One of no known network is so for those who enter all. */
export const mayJob = (actor: NetworkReach, { network }: { network: number | null }): boolean =>
  network === null ? actor.networks === 'all' : mayNetwork(actor, network)

/** How far a network of another is shared with an organization; undefined: not at all. */
function sharedAccess(db: Db, organization: number, network: number): ShareAccess | undefined {
  const row = prepared(db, 'shared network', () => {
    const [its, theirs] = [sql.placeholder('network'), sql.placeholder('organization')]
    const pair = and(eq(networkOffers.network, its), eq(networkOffers.organization, theirs))
    const accepted = and(pair, eq(networkOffers.accepted, true))
    return db.select().from(networkOffers).where(accepted).prepare()
  }).get({ network, organization })
  return row && row.kind !== 'transfer' ? row.kind : undefined
}

const isShared = and(eq(networkOffers.accepted, true), ne(networkOffers.kind, 'transfer'))

/** Numbers of the networks that others share with an organization: a subquery. */
export const sharedWith = (db: Db, organization: number) =>
  db
    .select({ id: networkOffers.network })
    .from(networkOffers)
    .where(and(eq(networkOffers.organization, organization), isShared))

/** Organizations that a network is shared with. */
export const sharedTo = (db: Db, network: number): number[] =>
  db
    .select({ id: networkOffers.organization })
    .from(networkOffers)
    .where(and(eq(networkOffers.network, network), isShared))
    .all()
    .map(one => one.id)

/** Is what happened for this person's ears? What is of no organization is the manager's: its own people hear of it. */
export function mayReceive(db: Db, actor: NetworkReach, { organization, network }: BusEvent): boolean {
  if (network !== undefined && !mayNetwork(actor, network)) return false
  if (organization === undefined) return isHostOrganization(db, actor.organization)
  if (organization === actor.organization) return true
  return network !== undefined && sharedAccess(db, actor.organization, network) !== undefined
}

/** Networks of the organization itself that this person enters, in the organization's order. */
export const ownNetworks = (db: Db, actor: NetworkReach): Network[] =>
  db
    .select()
    .from(networks)
    .where(eq(networks.organization, actor.organization))
    .orderBy(asc(networks.position), asc(networks.id))
    .all()
    .filter(network => mayNetwork(actor, network.id))

/** As `ownNetworks`, and behind them what others share, by name. */
export function accessibleNetworks(db: Db, actor: NetworkReach): AccessibleNetwork[] {
  const shared = db
    .select({ network: networks, kind: networkOffers.kind })
    .from(networkOffers)
    .innerJoin(networks, eq(networks.id, networkOffers.network))
    .where(and(eq(networkOffers.organization, actor.organization), eq(networkOffers.accepted, true)))
    .orderBy(asc(networks.name), asc(networks.id))
    .all()
    .flatMap(({ network, kind }) =>
      kind !== 'transfer' && mayNetwork(actor, network.id) ? [{ ...network, access: kind }] : [],
    )
  return [...ownNetworks(db, actor).map(network => ({ ...network, access: 'own' as const })), ...shared]
}

/** Whoever makes a network enters it, and so does the key by which they made it. */
export function grantAccess(db: Db, actor: Pick<Actor, 'id' | 'networks' | 'key'>, network: number): void {
  if (actor.networks === 'all') return
  if (actor.key !== undefined) addNetworkToKey(db, actor.key, network)
  const maker = db.select().from(accounts).where(eq(accounts.id, actor.id)).get()
  if (maker && networksOfAccount(db, maker) !== 'all') enterNetwork(db, network, [actor.id])
}

/** These accounts enter the network, where they do not enter all anyway. */
export function enterNetwork(db: Db, network: number, people: readonly number[]): void {
  for (const account of people) db.insert(accountNetworks).values({ account, network }).run()
}

/** These enter it no more. */
export const leaveNetwork = (db: Db, network: number, people: Ids): void =>
  void db
    .delete(accountNetworks)
    .where(and(eq(accountNetworks.network, network), inArray(accountNetworks.account, people as number[])))
    .run()

/** Where an account works from now on. */
export function setNetworks(db: Db, account: number, own: 'all' | readonly number[]): void {
  db.delete(accountNetworks).where(eq(accountNetworks.account, account)).run()
  if (own !== 'all') for (const network of own) enterNetwork(db, network, [account])
}

/** Where a person lands: the default network where it is theirs, else the first of their own, else of what is shared. */
export function homeNetwork(db: Db, actor: NetworkReach): AccessibleNetwork | undefined {
  const seen = accessibleNetworks(db, actor)
  return seen.find(network => network.isDefault) ?? seen[0]
}

/** The network, or undefined where it does not exist for this person. */
export function accessibleNetwork(db: Db, actor: NetworkReach, id: number | null): AccessibleNetwork | undefined {
  if (id === null || !mayNetwork(actor, id)) return undefined
  const found = prepared(db, 'network', () =>
    db
      .select()
      .from(networks)
      .where(eq(networks.id, sql.placeholder('id')))
      .prepare(),
  ).get({ id })
  if (!found) return undefined
  const access = found.organization === actor.organization ? 'own' : sharedAccess(db, actor.organization, id)
  return access && { ...found, access }
}

/** As `accessibleNetwork`, of those of the organization itself: what is done to a network as a whole is its own people's. */
export function networkFor(db: Db, actor: NetworkReach, id: number | null): Network | undefined {
  const found = accessibleNetwork(db, actor, id)
  return found?.access === 'own' ? found : undefined
}

const gone = (db: Db, actor: NetworkReach): never =>
  fail('networkNotFound', { networkId: homeNetwork(db, actor)?.id ?? null })

/** As `networkFor`, or refuses: 20010 with the network to go to instead, alike for what is not theirs and what is not there. */
export const findNetwork = (db: Db, actor: NetworkReach, id: number | null): Network =>
  networkFor(db, actor, id) ?? gone(db, actor)

/** As `findNetwork`, also of what is shared with the organization. */
export const findAccessible = (db: Db, actor: NetworkReach, id: number | null): AccessibleNetwork =>
  accessibleNetwork(db, actor, id) ?? gone(db, actor)

/**
 * A network that another organization is handing over to this one, by the key of that (`networks/transfer/list`), as it
 * will be: their own. Refuses as `findAccessible`.
 */
export function findTransferred(db: Db, actor: Actor, transferKey: string): AccessibleNetwork {
  const key = /^\d{1,15}$/.test(transferKey) ? Number(transferKey) : 0
  const found = db
    .select({ network: networks })
    .from(networkOffers)
    .innerJoin(networks, eq(networks.id, networkOffers.network))
    .where(
      and(
        eq(networkOffers.id, key),
        eq(networkOffers.organization, actor.organization),
        eq(networkOffers.kind, 'transfer'),
        eq(networkOffers.accepted, false),
      ),
    )
    .get()
  if (!found || !receivingRoles.includes(actor.role)) return gone(db, actor)
  return { ...found.network, access: 'own' }
}

/**
 * Who acts inside a network. In one that another organization shares, a person counts as somebody of that organization
 * who enters this network alone, with as much of their rights as it is shared for.
 */
export function actorIn(actor: Actor, network: AccessibleNetwork): Actor {
  if (network.access === 'own') return actor
  const { organization, id, access } = network
  return { ...actor, organization, networks: new Set([id]), authorities: inShared(actor.authorities, access) }
}
