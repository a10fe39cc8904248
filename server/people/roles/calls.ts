import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts, roleLines, roles } from '@/db/schema'
import words from '@/locales/en/roles.json'
import {
  type Authorities,
  type Authority,
  authorities,
  authoritiesOf,
  builtInRoles,
  completed,
  entersAll,
  features,
  holdsAll,
  isSuperOnly,
  mayGive,
} from '@/model/authority'
import { limits } from '@/model/limits'
import { call, type Logging, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { roleName } from '@/server/kernel/shapes'
import { customId, customRole, heldIn, storedAuthorities } from '@/server/people/accounts/actor'
import { peopleSeen } from '@/server/people/accounts/people'
import { endOtherSessions } from '@/server/people/accounts/sessions'

const reading = { tag: 'users', scope: 'organization', authority: 'organization_users', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_users_edit',
  changes: true,
  topics: ['users'],
  changelog: 'entry',
  send: 'once',
} as const

/** `custom:<id>`: a role made here. */
const id = z
  .string()
  .regex(/^custom:\d{1,12}$/, 'notFound')
  .transform(customId)

type Context = Pick<OrganizationContext, 'runtime' | 'actor'>
type Row = typeof roles.$inferSelect

/** `id` as accounts name it; `name` of a built-in role is its id: the words are in locales/en/roles.json. */
export type RoleView = {
  id: string
  name: string
  builtIn: boolean
  authorities: Authority[]
  /** Whoever has it enters every network. */
  everywhere: boolean
  /** How many of the people whom the asker knows of have it. */
  holders: number
  /** May the asker put somebody into it? */
  givable: boolean
  /** May the asker change or delete it? */
  editable: boolean
}

/** Holders of a role made here, whatever their networks: who changes one decides for all of them. */
const mayChange = ({ actor }: Context, role: { id: string; authorities: readonly Authority[] }): boolean =>
  actor.networks === 'all' && mayGive(actor, role)

const customRoles = ({ runtime, actor }: Context): Row[] =>
  runtime.db.select().from(roles).where(eq(roles.organization, actor.organization)).orderBy(asc(roles.name)).all()

/** Values of an identity provider or directory that give a role. */
const mappedTo = ({ runtime, actor }: Context, role: string): string[] =>
  runtime.db
    .select({ source: roleLines.source, value: roleLines.value })
    .from(roleLines)
    .where(and(eq(roleLines.organization, actor.organization), eq(roleLines.role, role)))
    .all()
    .map(row => `${row.source.toUpperCase()}: ${row.value}`)

const heldBy = ({ runtime, actor }: Context, role: string) =>
  runtime.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.organization, actor.organization), eq(accounts.role, role)))
    .all()

const shapeOf = (row: Row) => ({ id: customRole(row.id), authorities: completed(storedAuthorities(row.authorities)) })

const heldHere = ({ runtime, actor }: Context, held: Authorities) => heldIn(runtime.db, actor.organization, held)

/** Every role of the organization, built-in ones first. */
export function rolesOf(context: Context): RoleView[] {
  const people = peopleSeen(context.runtime.db, context.actor)
  const view = (role: { id: string; authorities: Authority[] }, name: string, builtIn: boolean): RoleView => ({
    ...role,
    name,
    builtIn,
    everywhere: entersAll(role.id),
    holders: people.filter(person => person.role === role.id).length,
    givable: mayGive(context.actor, role),
    editable: !builtIn && mayChange(context, role),
  })
  return [
    ...builtInRoles.map(role =>
      view({ id: role, authorities: [...heldHere(context, authoritiesOf(role))] }, role, true),
    ),
    ...customRoles(context).map(row => view(shapeOf(row), row.name, false)),
  ]
}

const list = call({
  ...reading,
  path: 'roles/list',
  input: z.strictObject(wholeListInput),
  run: (context, input) =>
    listed(rolesOf(context), input, {
      text: ({ id, name }) => [name, words.builtIn[id as keyof typeof words.builtIn]],
      sort: { name: role => role.name, holders: role => role.holders, authorities: role => role.authorities.length },
    }),
})

const types = call({
  ...reading,
  path: 'roles/types',
  input: z.strictObject({}),
  /** The roles that the asker may give. */
  run(context) {
    const result = rolesOf(context)
      .filter(role => role.givable)
      .map(({ id: role, name, builtIn, everywhere }) => ({ id: role, name, builtIn, everywhere }))
    return { result, total: result.length }
  },
})

const tree = call({
  ...reading,
  path: 'roles/tree',
  input: z.strictObject({}),
  /**
   * What a role can hold, by area: of each feature the name that reads and those that change, and which of them the asker
   * may give (`mayRead`, `mayEdit`). `mayMake`: whether they may make roles at all.
   */
  run(context) {
    const { actor } = context
    const may = (names: readonly Authority[]) => names.length > 0 && holdsAll(actor.authorities, names)
    const here = heldHere(context, new Set(authorities))
    const shown = features
      .filter(one => one.name !== 'account' && !isSuperOnly(one.name) && here.has(one.name))
      .map(({ name, edits, area, network }) => {
        const changes = (edits as readonly Authority[]).filter(edit => !isSuperOnly(edit))
        return { area, read: name, edits: changes, network, mayRead: may([name]), mayEdit: may(changes) }
      })
    const areas = [...new Set(shown.map(one => one.area))]
    const result = areas.map(area => ({ area, features: shown.filter(one => one.area === area) }))
    return { result, total: result.length, mayMake: mayChange(context, { id: '', authorities: [] }) }
  },
})

function ownRole(context: Context, wanted: number): Row {
  const own = and(eq(roles.id, wanted), eq(roles.organization, context.actor.organization))
  return context.runtime.db.select().from(roles).where(own).get() ?? fail('roleNotFound', { id: wanted })
}

/** The names as the role will hold them, or refuses at their field. */
function checkContent(context: Context, names: readonly string[]): Authority[] {
  if (names.some(name => !authorities.includes(name as Authority))) failFields({ authorities: 'notAllowed' })
  if (names.some(name => isSuperOnly(name as Authority))) failFields({ authorities: 'aboveOwn' }, 'roleAboveOwn')
  const held = completed(names)
  if (!held.some(name => name !== 'account')) failFields({ authorities: 'roleEmpty' })
  if (!mayChange(context, { id: '', authorities: held })) failFields({ authorities: 'aboveOwn' }, 'roleAboveOwn')
  return held
}

/** A role above one's own is nobody's to change. */
function checkOwn(context: Context, row: Row): void {
  if (!mayChange(context, shapeOf(row))) fail('roleAboveOwn')
}

function checkName(context: Context, name: string, except?: number): void {
  const same = (row: Row) => row.id !== except && row.name.toLowerCase() === name.toLowerCase()
  if (customRoles(context).some(same)) failFields({ name: 'nameExists' }, 'roleNameExists')
}

type Input = { name: string; authorities: Authority[] }

function insertRole(context: OrganizationContext & Logging, { name, authorities: names }: Input): number {
  const { runtime, actor, now } = context
  if (customRoles(context).length >= limits.customRoles) fail('roleLimit', { max: limits.customRoles })
  const made = { organization: actor.organization, name, authorities: JSON.stringify(names) }
  const { id: role } = runtime.db
    .insert(roles)
    .values({ ...made, createdAt: now, changedAt: now })
    .returning({ id: roles.id })
    .get()
  context.log({ action: 'add', object: 'role', name, fields: { authorities: [null, names] } })
  return role
}

/** Returns whether its holders may do something else now. */
function updateRole(context: OrganizationContext & Logging, row: Row, { name, authorities: names }: Input): boolean {
  const before = shapeOf(row).authorities
  const other = before.join() !== names.join()
  if (!other && row.name === name) return false
  context.runtime.db
    .update(roles)
    .set({ name, authorities: JSON.stringify(names), changedAt: context.now })
    .where(eq(roles.id, row.id))
    .run()
  const fields: Record<string, [unknown, unknown]> = {
    ...(row.name !== name && { name: [row.name, name] }),
    ...(other && { authorities: [before, names] }),
  }
  context.log({ action: 'edit', object: 'role', name, fields })
  return other
}

const save = call({
  ...changing,
  path: 'roles/save',
  input: z.strictObject({
    /** Without one a new role is made. */
    id: id.optional(),
    name: roleName,
    /** Names of roles/tree; an edit brings what reads it. */
    authorities: z.array(z.string().max(64)).max(200),
  }),
  /** The sessions of those who have the role end when what they may do changes; the asker's own stays. */
  run(context, input) {
    const { runtime } = context
    const saved = runtime.db.transaction(() => {
      const row = input.id === undefined ? undefined : ownRole(context, input.id)
      if (row) checkOwn(context, row)
      const wanted = { name: input.name, authorities: checkContent(context, input.authorities) }
      checkName(context, input.name, row?.id)
      return row
        ? { role: row.id, changed: updateRole(context, row, wanted) }
        : { role: insertRole(context, wanted), changed: false }
    })
    const role = customRole(saved.role)
    if (saved.changed)
      for (const holder of heldBy(context, role)) endOtherSessions(runtime, holder, context.actor.session)
    return { id: role }
  },
})

const remove = call({
  ...changing,
  path: 'roles/delete',
  input: z.strictObject({ id }),
  /** Rule S5: a role in use is kept, and who has it is named. */
  run(context, input) {
    context.runtime.db.transaction(() => {
      const row = ownRole(context, input.id)
      checkOwn(context, row)
      const users = heldBy(context, customRole(row.id)).map(one => one.account)
      const mapped = mappedTo(context, customRole(row.id))
      if (users.length || mapped.length) fail('roleInUse', { name: row.name, users: [...users, ...mapped].join(', ') })
      context.runtime.db.delete(roles).where(eq(roles.id, row.id)).run()
      const before = shapeOf(row).authorities
      context.log({ action: 'delete', object: 'role', name: row.name, fields: { authorities: [before, null] } })
    })
    return {}
  },
})

export const roleCalls = [list, types, tree, save, remove] as const
