import { asc, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts, networkOffers, networks, organizations } from '@/db/schema'
import type { Actor, Logging, OrganizationContext } from '@/server/kernel/call'
import { appendLog, type LogAction } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { type AccessibleNetwork, leaveNetwork, type Network } from '@/server/people/access/access'
import { deactivateNetwork } from '@/server/people/accounts/sessions'
import { removeNetworkFromKeys } from '@/server/people/keys/keys'

// Networks between organizations: what one offers to another, as a share or for good.

export type Invitation = typeof networkOffers.$inferSelect
export type Kind = Invitation['kind']
/** An offer with what its people call the parts of it. `from` and `to` are organizations. */
export type InvitationView = Invitation & { name: string; owner: number; from: string; to: string }

export type ShareStatus = {
  shareStatus: 0 | 1 | 2
  access: AccessibleNetwork['access']
  companies: string[]
  transfer: boolean
}

export function organizationNames(db: Db): ReadonlyMap<number, string> {
  const rows = db.select().from(organizations).all()
  return new Map(rows.map(row => [row.id, row.name]))
}

/** All offers and shares, oldest first. */
export function invitationViews(db: Db): InvitationView[] {
  const names = organizationNames(db)
  return db
    .select({ offer: networkOffers, name: networks.name, owner: networks.organization })
    .from(networkOffers)
    .innerJoin(networks, eq(networks.id, networkOffers.network))
    .orderBy(asc(networkOffers.id))
    .all()
    .map(({ offer, name, owner }) => ({
      ...{ ...offer, name, owner },
      ...{ from: names.get(owner) ?? '', to: names.get(offer.organization) ?? '' },
    }))
}

/** May this person answer what is offered to their organization? */
export const mayAccept = ({ networks: own, authorities }: Pick<Actor, 'networks' | 'authorities'>): boolean =>
  own === 'all' && authorities.has('organization_network_add')

/** What waits for an answer of this person's organization. */
export const openInvitations = (db: Db, actor: Actor): InvitationView[] =>
  mayAccept(actor)
    ? invitationViews(db).filter(offer => offer.organization === actor.organization && !offer.accepted)
    : []

/** One of them, or refuses. */
export const findInvitation = (db: Db, actor: Actor, network: number): InvitationView =>
  openInvitations(db, actor).find(offer => offer.network === network) ?? fail('networkNotOffered')

export const invitationsOf = (db: Db, network: number): Invitation[] =>
  db.select().from(networkOffers).where(eq(networkOffers.network, network)).all()

/** Rules S2, S3: a network in sharing or transfer is neither the default nor deleted. */
export function refuseInvited(db: Db, network: Pick<Network, 'id' | 'name'>): void {
  const names = organizationNames(db)
  const to = invitationsOf(db, network.id).map(offer => names.get(offer.organization) ?? '')
  if (to.length) fail('networkOffered', { name: network.name, companies: to.join(', ') })
}

type Told = { action: LogAction; network: number; name: string; fields?: Record<string, [unknown, unknown]> }

/** Writes to both organizations' changelogs; `network` is known to its owner. */
export function logBoth(
  context: OrganizationContext & Logging,
  tx: Db,
  offer: Pick<Invitation, 'organization'>,
  told: Told,
): void {
  const { runtime, actor, now: at, address } = context
  const { network, ...rest } = told
  const entry = { object: 'network' as const, fields: {}, ...rest }
  const byOwner = offer.organization !== actor.organization
  context.log({ ...entry, ...(byOwner && { network }) })
  const owner = tx.select().from(networks).where(eq(networks.id, network)).get()
  const other = byOwner
    ? { organization: offer.organization, network: null }
    : { organization: owner?.organization ?? null, network }
  appendLog(tx, runtime.secrets, { ...entry, ...other, at, address, account: actor.account })
}

/** Both organizations hear of it, after the transaction. */
export function notifyBoth({ runtime }: OrganizationContext, organizations: Iterable<number>): void {
  for (const organization of new Set(organizations)) runtime.bus.emit({ topic: 'networks', organization })
}

/** What stands in the way of offering a network, as a code of the catalogue; undefined where nothing does. */
export function problemOf(db: Db, network: Network, kind: Kind): 'networkOfferDefault' | 'networkOffered' | undefined {
  if (network.isDefault) return 'networkOfferDefault'
  const others = invitationsOf(db, network.id)
  const refused = kind === 'transfer' ? others.length > 0 : others.some(offer => offer.kind === 'transfer')
  return refused ? 'networkOffered' : undefined
}

/** An offer as the changelog tells of it. */
export function toldOf(db: Db, { network, organization, kind }: Invitation): Omit<Told, 'action'> {
  const row = db.select().from(networks).where(eq(networks.id, network)).get()
  const names = organizationNames(db)
  return {
    network,
    name: row?.name ?? '',
    fields: {
      company: [names.get(row?.organization ?? 0) ?? '', names.get(organization) ?? ''],
      access: [null, kind],
    },
  }
}

/** Nobody of that organization is in the network any more, nor any key of theirs. */
export function leave(tx: Db, organization: number, network: number): void {
  const people = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.organization, organization))
  leaveNetwork(tx, network, people)
  removeNetworkFromKeys(tx, organization, network)
  deactivateNetwork(tx, network, people)
}

/** Ends an offer or a share, whoever wants it; `action` is what the changelog calls that. */
export function endInvitation(
  context: OrganizationContext & Logging,
  tx: Db,
  ended: Invitation,
  action: LogAction,
): void {
  logBoth(context, tx, ended, { action, ...toldOf(tx, ended) })
  tx.delete(networkOffers).where(eq(networkOffers.id, ended.id)).run()
  leave(tx, ended.organization, ended.network)
}

/**
 * How a network stands between organizations, as the asker's sees it: `shareStatus` 0 own, 1 shared out (offered or accepted),
 * 2 shared in; `companies` are the others; `transfer`: offered to one of them for good.
 */
export function shareStatuses(db: Db, actor: Pick<Actor, 'organization'>): (network: AccessibleNetwork) => ShareStatus {
  const all = invitationViews(db)
  const names = organizationNames(db)
  return ({ id, access, organization }) => {
    if (access !== 'own') return { shareStatus: 2, access, companies: [names.get(organization) ?? ''], transfer: false }
    const out = all.filter(one => one.network === id && one.owner === actor.organization)
    return {
      ...{ shareStatus: out.some(one => one.kind !== 'transfer') ? 1 : 0, access },
      ...{ companies: out.map(one => one.to), transfer: out.some(one => one.kind === 'transfer') },
    }
  }
}
