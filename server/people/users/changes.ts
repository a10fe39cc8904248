import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts } from '@/db/schema'
import { type Authorities, entersAll, mayGive } from '@/model/authority'
import { limits } from '@/model/limits'
import { type AccountType, accountType } from '@/model/users'
import type { Actor, Logging, OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { accessibleNetworks, type NetworkReach, setNetworks } from '@/server/people/access/access'
import { type AccountRow, roleAuthorities } from '@/server/people/accounts/actor'
import { unlock } from '@/server/people/accounts/lock'
import { notifyOwner } from '@/server/people/accounts/notices'
import { changeable, ownRoles, type Person } from '@/server/people/accounts/people'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { endTokens } from '@/server/people/accounts/tokens'
import { invite, uninvite } from './invitation'
import { endSignUp, findSignUp } from './sign-ups'

type Rights = { role: string; allNetworks: boolean; networks: number[] }
type Place = { address?: string | undefined; type?: AccountType | undefined }
/** `address` and `type` stay as they are where they are not said. */
export type UserFields = Rights & { username: string; email: string; company: string } & Place

/** A role that `actor` may give, or a refusal at its field. */
export function givenRole(db: Db, actor: Actor, role: string): { id: string; authorities: Authorities } {
  const found = { id: role, authorities: roleAuthorities(db, actor.organization, role) }
  if (!found.authorities.size) failFields({ role: 'notFound' })
  return mayGive(actor, found) ? found : failFields({ role: 'aboveOwn' })
}

/** Where somebody with this role shall work: never where `actor` does not. */
export function givenNetworks(db: Db, actor: Actor, fields: Rights): 'all' | number[] {
  if (fields.allNetworks || entersAll(fields.role))
    return actor.networks === 'all' ? 'all' : failFields({ allNetworks: 'networksAbove' })
  const own = new Set(accessibleNetworks(db, actor).map(network => network.id))
  const wanted = [...new Set(fields.networks)]
  return wanted.every(id => own.has(id)) ? wanted : failFields({ networks: 'notFound' })
}

/** Rule A8: an address stands for one person of the organization, or a forgotten name would be sent to another's. */
export function checkEmail(db: Db, organization: number, email: string, except?: number): void {
  if (!email) return
  const same = and(
    eq(accounts.organization, organization),
    eq(sql`lower(${accounts.email})`, email.toLowerCase()),
    ...(except === undefined ? [] : [ne(accounts.id, except)]),
  )
  if (db.select({ id: accounts.id }).from(accounts).where(same).get())
    failFields({ email: 'emailTaken' }, 'emailInvalid')
}

/** What the changelog says of a person. */
export function changelogFields(db: Db, actor: NetworkReach, fields: UserFields): Record<string, string> {
  const names = new Map(accessibleNetworks(db, actor).map(network => [network.id, network.name]))
  const { username, email, company, address = '', type = '', role } = fields
  return {
    ...{ username, email, company, address, type },
    role: ownRoles(db, actor.organization).find(one => one.id === role)?.name ?? role,
    networks:
      fields.allNetworks || entersAll(role) ? '*' : fields.networks.map(id => names.get(id) ?? String(id)).join(', '),
  }
}

/** Somebody's fields as they are. */
export const fieldsOf = (person: Omit<Person, 'authorities' | 'underDefault' | 'roleName'>): UserFields => ({
  username: person.username,
  email: person.email ?? '',
  company: person.company,
  address: person.address,
  type: accountType.catch('').parse(person.type),
  role: person.role,
  allNetworks: person.networks === 'all',
  networks: person.networks === 'all' ? [] : [...person.networks].sort((a, b) => a - b),
})

type Made = Pick<AccountRow, 'password' | 'state' | 'locale'> & { account: string; invitation?: string }

/** One more account, of whoever is let in or invited; refuses what `actor` may not give. */
function makeUser(context: OrganizationContext & Logging, tx: Db, fields: UserFields, made: Made): AccountRow {
  const { actor, now } = context
  const { organization } = actor
  const { id: role } = givenRole(tx, actor, fields.role)
  const networks = givenNetworks(tx, actor, fields)
  const all = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.organization, organization)).all()
  if (all.length >= limits.accounts) fail('userLimit', { limit: limits.accounts })
  if (tx.select().from(accounts).where(eq(accounts.account, made.account)).get())
    failFields({ account: 'nameExists' }, 'accountExists')
  checkEmail(tx, organization, fields.email)
  const row = tx
    .insert(accounts)
    .values({
      ...{ ...made, organization, role, username: fields.username },
      ...{ company: fields.company, email: fields.email || null },
      ...{ address: fields.address ?? '', type: fields.type ?? '' },
      allNetworks: networks === 'all',
      passwordChangedAt: now,
      createdBy: actor.id,
      createdAt: now,
    })
    .returning()
    .get()
  setNetworks(tx, row.id, networks)
  const entry = Object.entries(changelogFields(tx, actor, fields)).filter(([, value]) => value !== '')
  context.log({
    action: 'add',
    object: 'user',
    name: made.account,
    fields: Object.fromEntries(entry.map(([key, value]) => [key, [null, value]])),
  })
  return row
}

/** Adds somebody who has yet to set a password (its hash is `password`); the link, where no mail carries it. */
export function addUser(
  context: OrganizationContext & Logging,
  fields: UserFields & { account: string; locale: string },
  password: string,
): { id: number; link: string } {
  const { account, locale } = fields
  return context.runtime.db.transaction(tx => {
    const row = makeUser(context, tx, fields, { account, locale, password, state: 'inactivated' })
    return { id: row.id, link: invite(context, tx, row) ?? '' }
  })
}

type Given = Pick<UserFields, 'role' | 'allNetworks' | 'networks'> & { account: string }

/** Lets in who asked for an account, under this name to sign in with and with these rights. */
export function acceptUser(context: OrganizationContext & Logging, id: number, { account, ...rights }: Given): void {
  const { runtime, actor } = context
  runtime.db.transaction(tx => {
    const row = findSignUp(tx, actor, id)
    const { username, email, company, locale, password, link } = row
    const made = { account, locale, password, state: 'active', invitation: link } as const
    makeUser(context, tx, { username, email, company, ...rights }, made)
    endSignUp(runtime, tx, row, account)
  })
}

/** What lies in a mailbox that is no longer theirs, or that they are kept from, opens nothing. */
function endMails(tx: Db, account: number): void {
  for (const purpose of ['resetPassword', 'email'] as const) endTokens(tx, account, purpose)
}

/** Changes somebody; what they may do holds at once, since their sessions end. A new address makes older links worthless. */
export function editUser(context: OrganizationContext & Logging, id: number, given: UserFields): { link: string } {
  const { runtime, actor } = context
  const changed = runtime.db.transaction(tx => {
    const person = changeable(tx, actor, id)
    const own = fieldsOf(person)
    const fields = { ...given, address: given.address ?? own.address, type: given.type ?? own.type }
    const { id: role } = givenRole(tx, actor, fields.role)
    const networks = givenNetworks(tx, actor, fields)
    checkEmail(tx, actor.organization, fields.email, id)
    const before = changelogFields(tx, actor, own)
    const after = changelogFields(tx, actor, fields)
    const keys = Object.keys(after).filter(key => before[key] !== after[key])
    if (!keys.length) return { link: '', rights: false }
    tx.update(accounts)
      .set({
        ...{ role, username: fields.username, company: fields.company },
        ...{ address: fields.address, type: fields.type },
        email: fields.email || null,
        allNetworks: networks === 'all',
      })
      .where(eq(accounts.id, id))
      .run()
    setNetworks(tx, id, networks)
    const moved = keys.includes('email')
    if (moved) endMails(tx, id)
    context.log({
      action: 'edit',
      object: 'user',
      name: person.account,
      fields: Object.fromEntries(keys.map(key => [key, [before[key], after[key]]])),
    })
    const again = moved && person.state === 'inactivated'
    if (moved && !again) {
      notifyOwner(runtime, tx, person, { template: 'emailChanged' })
      notifyOwner(runtime, tx, { ...person, email: fields.email }, { template: 'emailSet' })
    }
    const link = again ? invite(context, tx, { ...person, email: fields.email || null }) : undefined
    return { link: link ?? '', rights: keys.includes('role') || keys.includes('networks') }
  })
  if (changed.rights) endOtherSessions(runtime, { id, organization: actor.organization })
  return { link: changed.link }
}

/** Shuts somebody out, or lets them in again. */
export function disableUser(context: OrganizationContext & Logging, id: number, disabled: boolean): void {
  const { runtime, actor } = context
  runtime.db.transaction(tx => {
    const person = changeable(tx, actor, id)
    const [from, to] = disabled ? (['active', 'disabled'] as const) : (['disabled', 'active'] as const)
    if (person.state !== from) fail('userState', { state: person.state })
    tx.update(accounts).set({ state: to }).where(eq(accounts.id, id)).run()
    endMails(tx, id)
    context.log({ action: to === 'disabled' ? 'disable' : 'enable', object: 'user', name: person.account })
  })
  if (disabled) endOtherSessions(runtime, { id, organization: actor.organization })
}

export function unlockUser(context: OrganizationContext & Logging, id: number): void {
  context.runtime.db.transaction(tx => {
    const person = changeable(tx, context.actor, id)
    unlock(tx, person.account)
    context.log({ action: 'unlock', object: 'user', name: person.account })
  })
}

/** Sessions, invitations and keys go with the account; what it made stays, as made by nobody. */
export function removeAccount(tx: Db, account: { id: number; account: string }): void {
  unlock(tx, account.account)
  uninvite(tx, account.id)
  tx.update(accounts).set({ createdBy: 0 }).where(eq(accounts.createdBy, account.id)).run()
  tx.delete(accounts).where(eq(accounts.id, account.id)).run()
}

export function deleteUser(context: OrganizationContext & Logging, id: number): void {
  const { runtime, actor } = context
  runtime.db.transaction(tx => {
    const person = changeable(tx, actor, id)
    removeAccount(tx, person)
    context.log({ action: 'delete', object: 'user', name: person.account })
  })
  endOtherSessions(runtime, { id, organization: actor.organization })
}

/** A new link, a minute after the last one at the earliest (rule S9). */
export function inviteAgain(context: OrganizationContext & Logging, id: number): { link: string; resendFrom: number } {
  const { runtime, actor, now } = context
  const waitMs = limits.resendSeconds * 1000
  return runtime.db.transaction(tx => {
    const person = changeable(tx, actor, id)
    if (person.state !== 'inactivated') fail('userState', { state: person.state })
    const left = person.invitedAt + waitMs - now
    if (left > 0) fail('resendTooSoon', { seconds: Math.ceil(left / 1000) })
    context.log({ action: 'invite', object: 'user', name: person.account })
    return { link: invite(context, tx, person) ?? '', resendFrom: now + waitMs }
  })
}
