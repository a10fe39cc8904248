import * as z from 'zod'
import { email } from '@/model/email'
import { limits } from '@/model/limits'
import { accountName, accountType, company, postalAddress, userName } from '@/model/users'
import { call } from '@/server/kernel/call'
import { csvFile } from '@/server/kernel/csv'
import { failFields } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { listInput, paginate } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { mailReady } from '@/server/mail/server'
import { accessibleNetworks } from '@/server/people/access/access'
import { rolesOf } from '@/server/people/roles/calls'
import { addUser, checkEmail, deleteUser, disableUser, editUser, inviteAgain, unlockUser } from './changes'
import { unknownPassword } from './invitation'
import { filterUsers, sortUsers, type UserRow, userRows, userStates } from './list'

const reading = { tag: 'users', scope: 'organization', authority: 'organization_users', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_users_edit',
  changes: true,
  topics: ['users'],
  changelog: 'entry',
  send: 'each',
} as const

const role = z.string().min(1, 'required').max(64, 'tooLong')
const filter = { role: role.optional(), state: z.enum(userStates).optional() }
/** What somebody may do, and where. */
export const rightsInput = {
  role,
  allNetworks: z.boolean().default(false),
  networks: z.array(id).max(limits.networks, 'tooMany').default([]),
}
const fields = {
  username: userName,
  email: z.union([z.literal(''), email]).default(''),
  company: company.default(''),
  /** As they were where they are not said. */
  address: postalAddress.optional(),
  type: accountType.optional(),
  ...rightsInput,
}

const list = call({
  ...reading,
  path: 'users/list',
  input: z.strictObject({ ...listInput, filter: z.strictObject(filter).optional() }),
  /** `counts`: how many are in each state, whatever the filter. */
  run({ runtime: { db }, actor, now }, { page, pageSize, search, sort, filter: wanted }) {
    const rows = userRows(db, actor, now)
    const counts = Object.fromEntries(userStates.map(state => [state, rows.filter(row => row.state === state).length]))
    const found = sortUsers(filterUsers(rows, { search, ...wanted }), sort)
    return { ...paginate(found, page, pageSize), counts }
  },
})

/** What the asker may give: roles, and networks to work in. */
const roles = call({
  ...reading,
  path: 'users/role',
  input: z.strictObject({}),
  run: ({ runtime, actor }) => ({
    result: rolesOf({ runtime, actor })
      .filter(one => one.givable)
      .map(one => ({ id: one.id, name: one.name, everywhere: one.everywhere })),
    networks: accessibleNetworks(runtime.db, actor).map(network => ({ id: network.id, name: network.name })),
    allNetworks: actor.networks === 'all',
    /** Whether invitations go out by mail; else their link is given once, to be handed over. */
    mail: mailReady(runtime),
    /** Whether the second factor of who lost it may be taken away. */
    mfa: actor.authorities.has('organization_security_edit'),
  }),
})

const told = (context: Parameters<typeof addUser>[0]) =>
  context.runtime.bus.emit({ topic: 'users', organization: context.actor.organization })

const add = call({
  ...changing,
  path: 'users/add',
  send: 'once',
  input: z.strictObject({ ...fields, username: userName.optional(), account: accountName }),
  /** `link`: where no mail carries it, a path to open on this manager, given this once. */
  async run(context, input) {
    const password = await unknownPassword()
    const locale = readGeneral(context.runtime.db).language
    const made = addUser(context, { ...input, username: input.username ?? input.account, locale }, password)
    told(context)
    return made
  },
})

const edit = call({
  ...changing,
  path: 'users/edit',
  input: z.strictObject({ id, ...fields }),
  run(context, input) {
    const done = editUser(context, input.id, input)
    told(context)
    return done
  },
})

const state = call({
  ...changing,
  path: 'users/disable',
  input: z.strictObject({ id, disabled: z.boolean() }),
  run(context, input) {
    disableUser(context, input.id, input.disabled)
    told(context)
    return {}
  },
})

const open = call({
  ...changing,
  path: 'users/unlock',
  input: z.strictObject({ id }),
  run(context, input) {
    unlockUser(context, input.id)
    told(context)
    return {}
  },
})

const remove = call({
  ...changing,
  path: 'users/delete',
  send: 'once',
  input: z.strictObject({ id }),
  run(context, input) {
    deleteUser(context, input.id)
    told(context)
    return {}
  },
})

const resend = call({
  ...changing,
  path: 'users/resend-invitation',
  input: z.strictObject({ id }),
  run(context, input) {
    const done = inviteAgain(context, input.id)
    told(context)
    return done
  },
})

/** The server's part of rule A8: the address is written as one, and nobody else of the organization has it. */
const check = call({
  ...reading,
  path: 'email/check',
  input: z.strictObject({ email: z.string().max(limits.textCharacters * 2, 'tooLong'), id: id.optional() }),
  run({ runtime, actor }, input) {
    const parsed = email.safeParse(input.email)
    if (!parsed.success) failFields({ email: 'emailFormat' }, 'emailInvalid')
    checkEmail(runtime.db, actor.organization, parsed.data, input.id)
    return { email: parsed.data }
  },
})

const isoTime = (at: number) => (at > 0 ? new Date(at).toISOString() : '')
const exported: [string, (row: UserRow) => string][] = [
  ['username', row => row.username],
  ['account', row => row.account],
  ['email', row => row.email],
  ['company', row => row.company],
  ['address', row => row.address],
  ['type', row => row.type],
  ['role', row => row.roleName || row.role],
  ['networks', row => (row.allNetworks ? 'all' : row.networks.map(network => network.name).join('; '))],
  ['state', row => row.state],
  ['locked until', row => isoTime(row.lockedUntil)],
  ['two-factor', row => (row.mfa ? 'yes' : 'no')],
  ['single sign-on', row => (row.source === 'saml' ? 'yes' : 'no')],
  ['directory', row => (row.source === 'ldap' ? 'yes' : 'no')],
  ['last sign-in', row => isoTime(row.lastSignInAt)],
  ['created', row => isoTime(row.createdAt)],
]

const exportUsers = call({
  ...reading,
  get: true,
  exports: true,
  path: 'exports/users',
  input: z.strictObject({ search: listInput.search, ...filter }),
  /** A CSV file of the users as the list shows them; cells that a spreadsheet would run are defused. */
  run({ runtime, actor, now }, wanted) {
    const rows = sortUsers(filterUsers(userRows(runtime.db, actor, now), wanted))
    return csvFile(
      'users',
      [exported.map(([name]) => name), ...rows.map(row => exported.map(([, of]) => of(row)))],
      now,
    )
  },
})

export const userCalls = [list, roles, add, edit, state, open, remove, resend, check, exportUsers] as const
