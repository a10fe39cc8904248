import { and, count, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accounts } from '@/db/schema'
import { entersAll } from '@/model/authority'
import { email as emailShape } from '@/model/email'
import { limits } from '@/model/limits'
import { userName } from '@/model/users'
import type { BaseContext } from '@/server/kernel/call'
import { appendLog, type LogAction } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { accessibleNetworks, setNetworks } from '@/server/people/access/access'
import { type AccountRow, networksOfAccount, roleAuthorities } from '@/server/people/accounts/actor'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { changelogFields, fieldsOf, type UserFields } from '@/server/people/users/changes'
import { unknownPassword } from '@/server/people/users/invitation'
import { linesOf, type Source, valueKey } from './role-line-calls'

/** What people from outside may be called here: addresses and the like, too. */
const accountShape = /^[^\s\p{C}]{1,64}$/u

/** Somebody whom an identity provider or directory vouches for. */
export type Somebody = {
  organization: number
  source: Source
  /** Who is meant, for ever: names change hands. */
  subject: string
  /** Sign-in name. */
  account: string
  /** What to call them, and their address; the first that can be used counts. */
  names: readonly string[]
  email: string
  /** What the list of roles is searched for. */
  values: readonly string[]
}
/** Of a call, or of what the manager does by itself. */
type Context = Pick<BaseContext, 'runtime' | 'now' | 'address'>
type Rights = Pick<UserFields, 'role' | 'allNetworks' | 'networks'>

/** What the organization's list of values gives, the first that fits; roles and networks that are gone give nothing. */
function rightsOf(db: Db, { organization, source, values }: Somebody): Rights {
  const held = new Set(values.map(value => valueKey(source, value)))
  const row = linesOf(db, organization, source).find(
    one => held.has(valueKey(source, one.value)) && roleAuthorities(db, organization, one.role).size > 0,
  )
  if (!row || row.role === 'superAdministrator') return fail('ssoNoRole')
  const known = new Set(accessibleNetworks(db, { organization, networks: 'all' }).map(network => network.id))
  const networks = (JSON.parse(row.networks) as number[]).filter(id => known.has(id))
  const allNetworks = row.allNetworks || entersAll(row.role)
  return { role: row.role, allNetworks, networks: allNetworks ? [] : networks }
}

/** An address of another person here is not taken over. */
function emailOf(db: Db, { organization, subject, email }: Somebody): string {
  const parsed = emailShape.safeParse(email)
  if (!parsed.success) return ''
  const others = db
    .select({ email: accounts.email, subject: accounts.subject })
    .from(accounts)
    .where(eq(accounts.organization, organization))
    .all()
  const wanted = parsed.data.toLowerCase()
  const taken = others.some(one => one.subject !== subject && one.email?.toLowerCase() === wanted)
  return taken ? '' : parsed.data
}

function fieldsNow(db: Db, who: Somebody): UserFields {
  const named = [...who.names, who.account].map(name => userName.safeParse(name)).find(one => one.success)
  const username = named?.data ?? who.account
  return { username, email: emailOf(db, who), company: '', ...rightsOf(db, who) }
}

const find = (db: Db, organization: number, subject: string): AccountRow | undefined =>
  db
    .select()
    .from(accounts)
    .where(and(eq(accounts.organization, organization), eq(accounts.subject, subject)))
    .get()

function log(
  context: Context,
  organization: number,
  account: string,
  action: LogAction,
  fields: [string, unknown, unknown][],
) {
  appendLog(context.runtime.db, context.runtime.secrets, {
    ...{ organization, network: null, at: context.now, account, address: context.address, action, object: 'user' },
    name: account,
    fields: Object.fromEntries(fields.map(([key, before, after]) => [key, [before, after]])),
  })
}

function insert(context: Context, tx: Db, who: Somebody, password: string): AccountRow {
  const { organization, source, account, subject } = who
  const fields = fieldsNow(tx, who)
  const [all] = tx.select({ n: count() }).from(accounts).where(eq(accounts.organization, organization)).all()
  if ((all?.n ?? 0) >= limits.accounts) fail('ssoAccount')
  if (tx.select().from(accounts).where(eq(accounts.account, account)).get()) fail('ssoAccount')
  const made = tx
    .insert(accounts)
    .values({
      ...{ organization, account, subject, password, role: fields.role, username: fields.username },
      ...{ source, state: 'active', email: fields.email || null, allNetworks: fields.allNetworks },
      locale: readGeneral(tx).language,
      passwordChangedAt: context.now,
      createdAt: context.now,
    })
    .returning()
    .get()
  setNetworks(tx, made.id, fields.allNetworks ? 'all' : fields.networks)
  const entry = Object.entries(changelogFields(tx, { organization, networks: 'all' }, fields)).filter(
    ([, value]) => value !== '',
  )
  log(
    context,
    organization,
    account,
    'add',
    entry.map(([key, value]) => [key, null, value]),
  )
  return made
}

/** What the provider says now counts now; true where rights are other than they were. */
function update(context: Context, tx: Db, row: AccountRow, fields: UserFields): boolean {
  const seeing = { organization: row.organization, networks: 'all' } as const
  const before = changelogFields(tx, seeing, fieldsOf({ ...row, networks: networksOfAccount(tx, row) }))
  const after = changelogFields(tx, seeing, { ...fields, company: row.company })
  const keys = Object.keys(after).filter(key => before[key] !== after[key])
  if (!keys.length) return false
  tx.update(accounts)
    .set({
      ...{ role: fields.role, username: fields.username, allNetworks: fields.allNetworks },
      email: fields.email || null,
    })
    .where(eq(accounts.id, row.id))
    .run()
  setNetworks(tx, row.id, fields.allNetworks ? 'all' : fields.networks)
  log(
    context,
    row.organization,
    row.account,
    'edit',
    keys.map(key => [key, before[key], after[key]]),
  )
  return keys.includes('role') || keys.includes('networks')
}

/**
 * The account of whom a provider or directory proved, made at the first sign-in and brought up to date at each. Refuses with
 * ssoNoRole, and with ssoAccount where the name is unusable or somebody else's.
 */
export async function accountOf(context: Context, who: Somebody): Promise<AccountRow> {
  const { runtime } = context
  const { organization, subject } = who
  if (!accountShape.test(who.account)) fail('ssoAccount')
  const password = find(runtime.db, organization, subject)?.password ?? (await unknownPassword())
  const { account, rights } = runtime.db.transaction(tx => {
    const row = find(tx, organization, subject)
    if (!row) return { account: insert(context, tx, who, password), rights: false }
    const rights = update(context, tx, row, fieldsNow(tx, who))
    return { rights, account: find(tx, organization, subject) ?? row }
  })
  if (rights) endOtherSessions(runtime, account)
  return account
}

/** Whom the directory does not know any more, or gives no role: nothing is left to do here, until a sign-in gives them rights again. */
export function withoutRights(context: Context, row: AccountRow): void {
  const { runtime } = context
  runtime.db.transaction(tx => {
    const now = fieldsOf({ ...row, networks: networksOfAccount(tx, row) })
    update(context, tx, row, { ...now, role: 'guestEditor', allNetworks: false, networks: [] })
  })
  endOtherSessions(runtime, row)
}
