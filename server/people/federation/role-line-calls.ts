import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { roleLines } from '@/db/schema'
import { limits } from '@/model/limits'
import { call, type OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { accessibleNetworks } from '@/server/people/access/access'
import { ownRoles } from '@/server/people/accounts/people'
import { givenNetworks, givenRole } from '@/server/people/users/changes'
import { directoryNameKey } from './directory-name'

type Row = typeof roleLines.$inferSelect
export type Source = Row['source']

/** A name or value as an identity provider or directory writes it. */
export const attribute = z
  .string()
  .trim()
  .max(limits.textCharacters, 'tooLong')
  .regex(/^[^\p{C}]*$/u, 'controlCharacters')

/** By what values are compared: a directory writes one name in several ways, an identity provider's are exact. */
export const valueKey = (source: Source, value: string): string => (source === 'ldap' ? directoryNameKey(value) : value)

/** In the order in which they are tried. */
export const linesOf = (db: Db, organization: number, source: Source): Row[] =>
  db
    .select()
    .from(roleLines)
    .where(and(eq(roleLines.organization, organization), eq(roleLines.source, source)))
    .orderBy(asc(roleLines.id))
    .all()

/** Who reads and changes the list: whoever sets up what it belongs to. */
type Need = 'organization_security' | 'organization_directory'
const reading = (authority: Need) => ({ tag: 'users', scope: 'organization', authority, changes: false }) as const

const topicOf = { saml: 'provider', ldap: 'directory' } as const
const changing = (source: Source, need: Need) =>
  ({
    tag: 'users',
    scope: 'organization',
    authority: `${need}_edit`,
    changes: true,
    topics: [topicOf[source]],
    changelog: 'entry',
    send: 'once',
  }) as const

const list = <S extends Source>(source: S, need: Need) =>
  call({
    ...reading(need),
    path: `${source}/roles/list`,
    input: z.strictObject(listInput),
    /** In the order in which they are tried, unless sorted. */
    run({ runtime: { db }, actor }, input) {
      const names = new Map(accessibleNetworks(db, actor).map(network => [network.id, network.name]))
      const custom = new Map(ownRoles(db, actor.organization).map(role => [role.id, role.name]))
      const rows = linesOf(db, actor.organization, source).map(({ id, value, role, allNetworks, networks }) => ({
        ...{ id, value, role, allNetworks, roleName: custom.get(role) ?? '' },
        networks: (JSON.parse(networks) as number[]).flatMap(one => {
          const name = names.get(one)
          return name === undefined ? [] : [{ id: one, name }]
        }),
      }))
      return listed(rows, input, {
        text: one => [one.value],
        sort: { value: one => one.value, role: one => one.roleName || one.role },
      })
    },
  })

const lineInput = z.strictObject({
  id: id.optional(),
  value: attribute.min(1, 'required'),
  role: z.string().min(1, 'required').max(64, 'tooLong'),
  allNetworks: z.boolean().default(false),
  networks: z.array(id).max(limits.networks, 'tooMany').default([]),
})

type Line = z.output<typeof lineInput>

function changed(was: Partial<Row>, is: Row): Record<string, [unknown, unknown]> {
  const keys = (['value', 'role', 'allNetworks', 'networks'] as const).filter(key => was[key] !== is[key])
  return Object.fromEntries(keys.map(key => [key, [was[key] ?? null, is[key]]]))
}

/** The line that `id` names, or undefined for a new one; refuses where there is none, no room, or the value a second time. */
function lineOf(rows: readonly Row[], source: Source, { id, value }: Line): Row | undefined {
  const row = rows.find(one => one.id === id)
  if (id !== undefined && !row) fail('roleLineNotFound')
  if (!row && rows.length >= limits.roleLines) fail('roleLineLimit', { max: limits.roleLines })
  const wanted = valueKey(source, value)
  if (rows.some(one => one.id !== id && valueKey(source, one.value) === wanted)) failFields({ value: 'nameExists' })
  return row
}

function valuesOf(tx: Db, actor: OrganizationContext['actor'], source: Source, line: Line): Omit<Row, 'id'> {
  const { id: role } = givenRole(tx, actor, line.role)
  const networks = givenNetworks(tx, actor, line)
  return {
    ...{ organization: actor.organization, source, value: line.value, role, allNetworks: networks === 'all' },
    networks: JSON.stringify(networks === 'all' ? [] : networks),
  }
}

const save = <S extends Source>(source: S, need: Need) =>
  call({
    ...changing(source, need),
    path: `${source}/roles/save`,
    input: lineInput,
    /** One line; never the super administrator's role. It counts from each person's next sign-in on. */
    run({ runtime, actor, log }, input) {
      return runtime.db.transaction(tx => {
        const row = lineOf(linesOf(tx, actor.organization, source), source, input)
        const values = valuesOf(tx, actor, source, input)
        const saved = row
          ? tx.update(roleLines).set(values).where(eq(roleLines.id, row.id)).returning().get()
          : tx.insert(roleLines).values(values).returning().get()
        log({
          action: row ? 'edit' : 'add',
          object: `${source}Role`,
          name: saved.value,
          fields: changed(row ?? {}, saved),
        })
        return { id: saved.id }
      })
    },
  })

const remove = <S extends Source>(source: S, need: Need) =>
  call({
    ...changing(source, need),
    path: `${source}/roles/delete`,
    input: z.strictObject({ id }),
    run({ runtime, actor, log }, input) {
      runtime.db.transaction(tx => {
        const line = and(eq(roleLines.id, input.id), eq(roleLines.source, source))
        const own = and(line, eq(roleLines.organization, actor.organization))
        const row = tx.delete(roleLines).where(own).returning().get() ?? fail('roleLineNotFound')
        log({ action: 'delete', object: `${source}Role`, name: row.value, fields: { role: [row.role, null] } })
      })
      return {}
    },
  })

/** The list by which an organization's identity provider or directory gives roles. */
export const roleLineCalls = <S extends Source>(source: S, need: Need) =>
  [list(source, need), save(source, need), remove(source, need)] as const
