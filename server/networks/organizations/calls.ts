import { and, asc, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { accounts, devices, networks, organizations } from '@/db/schema'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { accountName, company, postalAddress, userName } from '@/model/users'
import { belongings, dropRows } from '@/server/kernel/belonging'
import { call, type Logging, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { removeNetwork } from '@/server/networks/networks/networks'
import { associatedWith, endAssociation, setAssociated } from '@/server/networks/sharing/associations'
import { invitationViews } from '@/server/networks/sharing/invitations'
import { isHostOrganization } from '@/server/people/accounts/actor'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { removeAccount } from '@/server/people/users/changes'
import { invite, unknownPassword } from '@/server/people/users/invitation'

// Companies: organizations on this manager that know nothing of each other but what they share.

const reading = { tag: 'users', scope: 'organization', authority: 'organization_companies', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_companies_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const

const companyName = company.min(1, 'required')

const findCompany = (db: Db, company: number) =>
  db.select().from(organizations).where(eq(organizations.id, company)).get() ?? fail('companyNotFound')

const supers = (db: Db, company: number) =>
  db
    .select()
    .from(accounts)
    .where(and(eq(accounts.organization, company), eq(accounts.role, 'superAdministrator')))
    .orderBy(asc(accounts.id))
    .all()

const countIn = (rows: readonly { organization: number }[], company: number) =>
  rows.filter(row => row.organization === company).length

const list = call({
  ...reading,
  path: 'companies/list',
  input: z.strictObject(wholeListInput),
  /** The manager's own first. `waits`: its super administrator has not followed the invitation yet. */
  run({ runtime: { db } }, input) {
    const own = {
      networks: db.select({ organization: networks.organization }).from(networks).all(),
      devices: db.select({ organization: devices.organization }).from(devices).all(),
      users: db.select({ organization: accounts.organization }).from(accounts).all(),
    }
    const rows = db.select().from(organizations).orderBy(asc(organizations.id)).all()
    const result = rows.map(row => {
      const heads = supers(db, row.id)
      return {
        id: row.id,
        name: row.name,
        address: row.address,
        associated: associatedWith(db, row.id),
        host: isHostOrganization(db, row.id),
        account: heads.map(one => one.account).join(', '),
        waits: heads.some(one => one.state === 'inactivated'),
        networks: countIn(own.networks, row.id),
        devices: countIn(own.devices, row.id),
        users: countIn(own.users, row.id),
        createdAt: row.createdAt,
      }
    })
    return listed(result, input, {
      text: ({ name, account, address }) => [name, account, address],
      sort: {
        name: one => one.name,
        account: one => one.account,
        networks: one => one.networks,
        devices: one => one.devices,
        users: one => one.users,
        createdAt: one => one.createdAt,
      },
    })
  },
})

function checkName(db: Db, name: string, except?: number): void {
  const others = db
    .select()
    .from(organizations)
    .where(ne(organizations.id, except ?? 0))
    .all()
  if (others.some(other => other.name.toLowerCase() === name.toLowerCase()))
    failFields({ name: 'nameExists' }, 'companyNameExists')
}

type Fields = { name: string; address: string; account: string; username?: string | undefined; email: string }

/** A company with its super administrator, who has yet to set a password; the link, where no mail carries it. */
function open(context: OrganizationContext & Logging, fields: Fields, password: string) {
  const { runtime, now } = context
  return runtime.db.transaction(tx => {
    checkName(tx, fields.name)
    const held = tx.select({ id: organizations.id }).from(organizations).all().length
    if (held >= limits.companies) fail('companyLimit', { limit: limits.companies })
    if (tx.select().from(accounts).where(eq(accounts.account, fields.account)).get())
      failFields({ account: 'nameExists' }, 'accountExists')
    const made = tx
      .insert(organizations)
      .values({ name: fields.name, address: fields.address, createdAt: now })
      .returning()
      .get()
    const person = tx
      .insert(accounts)
      .values({
        ...{ organization: made.id, role: 'superAdministrator', register: 1, state: 'inactivated', password },
        ...{ account: fields.account, username: fields.username ?? fields.account, email: fields.email || null },
        ...{ company: fields.name, locale: readGeneral(tx).language },
        ...{ passwordChangedAt: now, createdAt: now },
      })
      .returning()
      .get()
    context.log({ action: 'add', object: 'company', name: fields.name, fields: { account: [null, fields.account] } })
    return { id: made.id, link: invite(context, tx, person) ?? '' }
  })
}

const tell = ({ runtime, actor }: OrganizationContext) =>
  runtime.bus.emit({ topic: 'users', organization: actor.organization })

const add = call({
  ...changing,
  path: 'companies/add',
  topics: ['users'],
  send: 'once',
  input: z.strictObject({
    name: companyName,
    address: postalAddress.default(''),
    account: accountName,
    username: userName.optional(),
    email: z.union([z.literal(''), email]).default(''),
  }),
  async run(context, input) {
    const made = open(context, input, await unknownPassword())
    tell(context)
    return made
  },
})

const edit = call({
  ...changing,
  path: 'companies/edit',
  topics: ['users'],
  /** `address`: as it was where it is not said. */
  input: z.strictObject({ id, name: companyName, address: postalAddress.optional() }),
  run(context, { id: company, ...change }) {
    context.runtime.db.transaction(tx => {
      const before = findCompany(tx, company)
      const after = { name: change.name, address: change.address ?? before.address }
      checkName(tx, after.name, company)
      tx.update(organizations).set(after).where(eq(organizations.id, company)).run()
      const fields = {
        ...(before.name !== after.name && { name: [before.name, after.name] as [string, string] }),
        ...(before.address !== after.address && { address: [before.address, after.address] as [string, string] }),
      }
      if (Object.keys(fields).length) context.log({ action: 'edit', object: 'company', name: after.name, fields })
    })
    tell(context)
    return {}
  },
})

const inviteHead = call({
  ...changing,
  path: 'companies/invite',
  topics: ['users'],
  input: z.strictObject({ id }),
  /** A new link for the company's super administrator, a minute after the last one at the earliest (rule S9). */
  run(context, input) {
    const sent = context.runtime.db.transaction(tx => {
      const { name } = findCompany(tx, input.id)
      const waiting = supers(tx, input.id).find(one => one.state === 'inactivated')
      if (!waiting) return fail('userState', { state: 'active' })
      const left = waiting.invitedAt + limits.resendSeconds * 1000 - context.now
      if (left > 0) fail('resendTooSoon', { seconds: Math.ceil(left / 1000) })
      context.log({ action: 'invite', object: 'company', name })
      return { account: waiting.account, link: invite(context, tx, waiting) ?? '' }
    })
    tell(context)
    return sent
  },
})

/** An organization's last network is its default one, which nobody deletes: only devices keep a company. */
function refuseManaged(db: Db, company: number): void {
  const names = db
    .selectDistinct({ name: networks.name })
    .from(networks)
    .innerJoin(devices, eq(devices.network, networks.id))
    .where(eq(networks.organization, company))
    .limit(5)
    .all()
  if (names.length) fail('companyHasNetworks', { names: names.map(network => network.name).join(', ') })
}

const remove = call({
  ...changing,
  path: 'companies/delete',
  topics: ['users'],
  send: 'once',
  input: z.strictObject({ id }),
  /** With its people and networks. Refused for the manager's own, and while devices are in its networks. */
  run(context, input) {
    const { runtime, log } = context
    const ended = runtime.db.transaction(tx => {
      const found = findCompany(tx, input.id)
      if (isHostOrganization(tx, found.id)) fail('companyKept')
      refuseManaged(tx, found.id)
      const people = tx.select().from(accounts).where(eq(accounts.organization, found.id)).all()
      const others = invitationViews(tx)
        .filter(one => one.organization === found.id || one.owner === found.id)
        .map(one => (one.owner === found.id ? one.organization : one.owner))
      const own = tx.select().from(networks).where(eq(networks.organization, found.id)).all()
      for (const network of own) removeNetwork(runtime, network.id)
      for (const person of people) removeAccount(tx, person)
      dropRows(belongings.of(runtime), tx, 'organization', [found.id])
      tx.delete(organizations).where(eq(organizations.id, found.id)).run()
      log({ action: 'delete', object: 'company', name: found.name })
      return { people, others, own }
    })
    for (const person of ended.people) endOtherSessions(runtime, person)
    for (const network of ended.own) runtime.bus.emit({ topic: 'networkGone', network: network.id })
    for (const organization of new Set(ended.others)) runtime.bus.emit({ topic: 'networks', organization })
    tell(context)
    return {}
  },
})

/** Both of a pair, or refuses: two that are on this manager and not the same. */
function pairOf(db: Db, { id: one, otherId }: { id: number; otherId: number }) {
  if (one === otherId) failFields({ otherId: 'notAllowed' })
  return [findCompany(db, one), findCompany(db, otherId)] as const
}
const pair = z.strictObject({ id, otherId: id })

type Relate = (tx: Db, one: number, other: number) => boolean

/**
 * Makes two organizations know of each other, or ends it: `relate` tells whether anything changed. People of both hear of
 * it: their lists of whom to share with are others.
 */
function relatePair(
  context: OrganizationContext & Logging,
  input: z.output<typeof pair>,
  action: 'associate' | 'disassociate',
  relate: Relate,
): void {
  const both = context.runtime.db.transaction(tx => {
    const companies = pairOf(tx, input)
    const [one, other] = companies
    const company: [string | null, string | null] = action === 'associate' ? [null, other.name] : [other.name, null]
    if (relate(tx, one.id, other.id)) context.log({ action, object: 'company', name: one.name, fields: { company } })
    return companies
  })
  for (const { id: organization } of both) context.runtime.bus.emit({ topic: 'networks', organization })
  tell(context)
}

const associate = call({
  ...changing,
  path: 'companies/associate',
  topics: ['networks', 'users'],
  input: pair,
  /** Two organizations know of each other from now on: people of each may offer networks to the other by its name. */
  run(context, input) {
    relatePair(context, input, 'associate', (tx, one, other) => setAssociated(tx, one, other, context.now))
    return {}
  },
})

const disassociate = call({
  ...changing,
  path: 'companies/disassociate',
  topics: ['networks', 'users'],
  input: pair,
  /** They know of each other no longer. Networks that are shared between them stay shared until that is ended. */
  run(context, input) {
    relatePair(context, input, 'disassociate', endAssociation)
    return {}
  },
})

export const companyCalls = [list, add, edit, inviteHead, remove, associate, disassociate] as const
