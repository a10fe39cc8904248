import { eq, gt, max } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accountNetworks, accounts, roles, signInLocks } from '@/db/schema'
import {
  type Authorities,
  authoritiesOf,
  type BuiltInRole,
  builtInRoles,
  completed,
  entersAll,
  isBuiltIn,
} from '@/model/authority'
import { seesPerson, whyNotChange } from '@/model/users'
import type { Actor } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { type AccountRow, customRole, heldIn, storedAuthorities } from './actor'

/** An account with what decides who may see and change it. */
export type Person = AccountRow & {
  authorities: Authorities
  networks: 'all' | ReadonlySet<number>
  /** Made by the super administrator. */
  underDefault: boolean
  /** The name of a role of the organization's own; '' for one that is built in. */
  roleName: string
}

function networksByAccount(db: Db, organization: number): Map<number, Set<number>> {
  const rows = db
    .select({ account: accountNetworks.account, network: accountNetworks.network })
    .from(accountNetworks)
    .innerJoin(accounts, eq(accounts.id, accountNetworks.account))
    .where(eq(accounts.organization, organization))
    .all()
  const map = new Map<number, Set<number>>()
  for (const { account, network } of rows) map.set(account, (map.get(account) ?? new Set()).add(network))
  return map
}

/** Roles that the organization made itself. */
export const ownRoles = (db: Db, organization: number): { id: string; name: string; authorities: Authorities }[] =>
  db
    .select()
    .from(roles)
    .where(eq(roles.organization, organization))
    .all()
    .map(role => ({
      id: customRole(role.id),
      name: role.name,
      authorities: heldIn(db, organization, new Set(completed(storedAuthorities(role.authorities)))),
    }))

/** Everybody of an organization. */
export function everybody(db: Db, organization: number): Person[] {
  const rows = db.select().from(accounts).where(eq(accounts.organization, organization)).all()
  const custom = new Map(ownRoles(db, organization).map(role => [role.id, role]))
  const networks = networksByAccount(db, organization)
  const builtIn = Object.fromEntries(
    builtInRoles.map(role => [role, heldIn(db, organization, authoritiesOf(role))]),
  ) as Record<BuiltInRole, Authorities>
  const supers = new Set(rows.filter(row => row.role === 'superAdministrator').map(row => row.id))
  return rows.map(row => {
    const own = custom.get(row.role)
    return {
      ...row,
      authorities: isBuiltIn(row.role) ? builtIn[row.role] : (own?.authorities ?? new Set()),
      networks: row.allNetworks || entersAll(row.role) ? 'all' : (networks.get(row.id) ?? new Set()),
      underDefault: supers.has(row.createdBy),
      roleName: own?.name ?? '',
    }
  })
}

/** Whom this person may know of. */
export const peopleSeen = (db: Db, actor: Actor): Person[] =>
  everybody(db, actor.organization).filter(person => seesPerson(actor, person))

/** One of them, or refuses: who is not seen, or not there, answers alike. */
export const findPerson = (db: Db, actor: Actor, id: number): Person =>
  peopleSeen(db, actor).find(person => person.id === id) ?? fail('userNotFound')

/** One whom `actor` may change, or refuses with the reason. */
export function changeable(db: Db, actor: Actor, id: number): Person {
  const person = findPerson(db, actor, id)
  const why = whyNotChange(actor, person)
  return why ? fail('userNotYours', { why }) : person
}

/** Until when each account is locked somewhere, unix ms, by the name to sign in with. */
export function lockedAccounts(db: Db, now: number): Map<string, number> {
  const rows = db
    .select({ account: signInLocks.account, until: max(signInLocks.until) })
    .from(signInLocks)
    .where(gt(signInLocks.until, now))
    .groupBy(signInLocks.account)
    .all()
  return new Map(rows.map(row => [row.account, row.until ?? 0]))
}
