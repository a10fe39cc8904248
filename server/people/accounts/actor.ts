import { and, eq, min, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { accountNetworks, type accounts, organizations, roles } from '@/db/schema'
import {
  type Authorities,
  asGuest,
  authoritiesOf,
  completed,
  entersAll,
  isBuiltIn,
  withinReach,
} from '@/model/authority'
import type { Actor } from '@/server/kernel/call'

export type AccountRow = typeof accounts.$inferSelect

/** The organization whose manager it is: the first one; null before the setup. */
export const hostOrganization = (db: Db): number | null =>
  prepared(db, 'host', () =>
    db
      .select({ first: min(organizations.id) })
      .from(organizations)
      .prepare(),
  ).get()?.first ?? null

export const isHostOrganization = (db: Db, organization: number): boolean => hostOrganization(db) === organization

/** What a role that holds this gives to people of an organization. */
export const heldIn = (db: Db, organization: number, held: Authorities): Authorities =>
  isHostOrganization(db, organization) ? held : asGuest(held)

/** A custom role's name in `accounts.role`. */
export const customRole = (id: number) => `custom:${id}`
export const customId = (role: string) => Number(/^custom:(\d{1,12})$/.exec(role)?.[1] ?? Number.NaN)

/** Names of a stored role; what does not parse holds nothing. */
export function storedAuthorities(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
  } catch {
    return []
  }
}

const customRow = (db: Db, organization: number, role: string) => {
  const id = customId(role)
  if (Number.isNaN(id)) return undefined
  return prepared(db, 'role', () => {
    const own = and(eq(roles.id, sql.placeholder('id')), eq(roles.organization, sql.placeholder('organization')))
    return db.select().from(roles).where(own).prepare()
  }).get({ id, organization })
}

/** Name of an account's role where it was made here, else ''. */
export const roleName = (db: Db, { organization, role }: Pick<AccountRow, 'organization' | 'role'>): string =>
  customRow(db, organization, role)?.name ?? ''

/** What a role may do; one that is gone, or of another organization, may do nothing. */
export function roleAuthorities(db: Db, organization: number, role: string): Authorities {
  if (isBuiltIn(role)) return heldIn(db, organization, authoritiesOf(role))
  const found = customRow(db, organization, role)
  return heldIn(db, organization, new Set(found && completed(storedAuthorities(found.authorities))))
}

/** The networks an account enters. */
export function networksOfAccount(
  db: Db,
  account: Pick<AccountRow, 'id' | 'role' | 'allNetworks'>,
): 'all' | ReadonlySet<number> {
  if (account.allNetworks || entersAll(account.role)) return 'all'
  const own = prepared(db, 'account networks', () =>
    db
      .select()
      .from(accountNetworks)
      .where(eq(accountNetworks.account, sql.placeholder('account')))
      .prepare(),
  )
  return new Set(own.all({ account: account.id }).map(row => row.network))
}

/** Who acts, with what they may do and where, as it is now. */
export function actorOf(db: Db, account: AccountRow, session: { id: string; network: number | null }): Actor {
  const { id, organization, role } = account
  const networks = networksOfAccount(db, account)
  return {
    id,
    account: account.account,
    organization,
    role,
    authorities: withinReach(roleAuthorities(db, organization, role), networks),
    networks,
    session: session.id,
    network: session.network,
  }
}
