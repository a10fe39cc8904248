import type { Db } from '@/db/client'
import { limits } from '@/model/limits'
import { type AccountType, accountType, type WhyNot, whyNotChange } from '@/model/users'
import type { Actor } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { accessibleNetworks } from '@/server/people/access/access'
import { lockedAccounts, type Person, peopleSeen } from '@/server/people/accounts/people'

export const userStates = ['active', 'inactivated', 'locked', 'disabled'] as const
export type UserState = (typeof userStates)[number]

/** One line of the list of users; moments are unix ms, 0: not so. */
export type UserRow = {
  id: number
  account: string
  username: string
  email: string
  company: string
  address: string
  type: AccountType
  role: string
  roleName: string
  allNetworks: boolean
  /** Those that the reader enters, too. */
  networks: { id: number; name: string }[]
  state: UserState
  lockedUntil: number
  mfa: boolean
  /** Who says who this is: the password kept here, the identity provider, or the directory. */
  source: Person['source']
  lastSignInAt: number
  createdAt: number
  /** Until when the invitation's link is good, and from when another may be sent. */
  invitedUntil: number
  resendFrom: number
  /** Why the reader may not change this person; '' where they may. */
  why: WhyNot | ''
}

const dayMs = 86_400_000

function rowOf(actor: Actor, person: Person, networks: readonly { id: number; name: string }[], lockedUntil: number) {
  const waits = person.state === 'inactivated'
  const row: UserRow = {
    id: person.id,
    account: person.account,
    username: person.username,
    email: person.email ?? '',
    company: person.company,
    address: person.address,
    type: accountType.catch('').parse(person.type),
    role: person.role,
    roleName: person.roleName,
    allNetworks: person.networks === 'all',
    networks: networks.filter(({ id }) => person.networks !== 'all' && person.networks.has(id)),
    state: person.state === 'active' && lockedUntil > 0 ? 'locked' : person.state,
    lockedUntil,
    mfa: person.mfa !== null,
    source: person.source,
    lastSignInAt: person.lastSignInAt ?? 0,
    createdAt: person.createdAt,
    invitedUntil: waits ? person.invitedAt + limits.activationDays * dayMs : 0,
    resendFrom: waits ? person.invitedAt + limits.resendSeconds * 1000 : 0,
    why: whyNotChange(actor, person) ?? '',
  }
  return row
}

/** Everybody whom this person may know of. */
export function userRows(db: Db, actor: Actor, now: number): UserRow[] {
  const networks = accessibleNetworks(db, actor).map(({ id, name }) => ({ id, name }))
  const locked = lockedAccounts(db, now)
  return peopleSeen(db, actor).map(person => rowOf(actor, person, networks, locked.get(person.account) ?? 0))
}

export type UserFilter = { search?: string; role?: string; state?: UserState }

export function filterUsers(rows: readonly UserRow[], { search = '', role, state }: UserFilter): UserRow[] {
  const wanted = search.trim().toLowerCase()
  const texts = (row: UserRow) => [
    row.account,
    row.username,
    row.email,
    row.company,
    row.address,
    ...row.networks.map(network => network.name),
  ]
  return rows
    .filter(row => texts(row).some(text => text.toLowerCase().includes(wanted)))
    .filter(row => (!role || row.role === role) && (!state || row.state === state))
}

const keys = [
  'username',
  'account',
  'email',
  'company',
  'address',
  'type',
  'role',
  'state',
  'lastSignInAt',
  'createdAt',
] as const

export function sortUsers(rows: readonly UserRow[], sort?: { field: string; direction: 'asc' | 'desc' }): UserRow[] {
  const key = keys.find(name => name === (sort?.field ?? 'username'))
  if (!key) return failFields({ 'sort.field': 'notAllowed' })
  const sign = sort?.direction === 'desc' ? -1 : 1
  return rows.toSorted(
    (a, b) => sign * String(a[key]).localeCompare(String(b[key]), undefined, { numeric: true }) || a.id - b.id,
  )
}
