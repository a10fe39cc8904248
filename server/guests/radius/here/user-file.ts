import * as z from 'zod'
import { limits } from '@/model/limits'
import { type RadiusUserFields, radiusUser } from '@/model/profiles/radius-user'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { csvFile, parseCsv } from '@/server/kernel/csv'
import { openedRows } from '@/server/kernel/documents'
import { failFields } from '@/server/kernel/fail'
import { listInput } from '@/server/kernel/lists'
import { saveDocument } from '@/server/networks/settings/documents'
import { kindRows } from '@/server/networks/settings/store'
import { changing, exporting } from './call-heads'

// RADIUS users from a CSV file and as one. Passwords come in and never go out.

const columns = ['name', 'password', 'vlan', 'on'] as const
type Column = (typeof columns)[number]
type Line = Partial<Record<Column, string>>
export type Numbered = { row: number; line: Line }

const mostCharacters = 1_000_000

/** A spreadsheet's mark against formulas is no part of a value. */
const plain = (text: string) => text.trim().replace(/^'(?=[=+\-@])/, '')

function linesOf(text: string): Numbered[] {
  const [head, ...rows] = parseCsv(text)
  const names = (head?.cells ?? []).map(cell => cell.trim().toLowerCase())
  const unknown = names.find(name => !columns.includes(name as Column))
  if (!names.includes('name') || unknown !== undefined) failFields({ file: 'fileColumns' }, 'importInvalid')
  if (rows.length > limits.radiusUsers) failFields({ file: 'tooManyRows' }, 'importInvalid')
  return rows.map(({ row, cells }) => ({
    row,
    line: Object.fromEntries(
      // A password is as it is typed.
      names.map((name, at) => [name, name === 'password' ? (cells[at] ?? '') : plain(cells[at] ?? '')]),
    ),
  }))
}

const truth: Readonly<Record<string, boolean>> = {
  '': true,
  yes: true,
  true: true,
  1: true,
  no: false,
  false: false,
  0: false,
}

export type Known = ReadonlyMap<string, { id: string; revision: number; data: RadiusUserFields }>
export type RowError = { row: number; field: string; problem: string }
type Read = { row: number; fields: Record<string, unknown>; errors: RowError[] }

/** What a line leaves empty stays as it is of a user who is there; a password that nobody has is no password. */
function readLine({ row, line }: Numbered, known: Known): Read {
  const { name = '', password = '', vlan = '', on = '' } = line
  const held = known.get(name)
  const fields: Record<string, unknown> = {
    name,
    enabled: on === '' && held ? held.data.enabled : (truth[on.toLowerCase()] ?? on),
    ...(password !== '' ? { password } : held?.data.password !== undefined && { password: { set: true } }),
    ...(vlan !== '' && { vlan: /^\d+$/.test(vlan) ? Number(vlan) : vlan }),
  }
  const judged = radiusUser.fields.safeParse({
    ...fields,
    ...(typeof fields.password === 'object' && { password: held?.data.password }),
  })
  const wrong = judged.success ? [] : judged.error.issues
  const errors = wrong.map(issue => {
    const field = String(issue.path[0] ?? 'name')
    return { row, field: field === 'enabled' ? 'on' : field, problem: field === 'enabled' ? 'yesOrNo' : issue.message }
  })
  return { row, fields: { ...fields, ...(held && { id: held.id, revision: held.revision }) }, errors }
}

function doubled(all: readonly Read[]): RowError[] {
  const seen = new Set<unknown>()
  return all.flatMap(({ row, fields: { name } }) => {
    const twice = seen.has(name)
    seen.add(name)
    return twice ? [{ row, field: 'name', problem: 'duplicate' }] : []
  })
}

export function knownOf({ runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>): Known {
  const rows = openedRows(runtime.secrets, radiusUser, kindRows(runtime.db, network.id, radiusUser.id))
  return new Map(
    rows.map(({ row, data }) => [row.name, { id: row.id, revision: row.revision, data: data as RadiusUserFields }]),
  )
}

const saveAll = (context: NetworkContext & Logging, all: readonly Read[]): void =>
  context.runtime.db.transaction(() => {
    for (const { fields } of all) saveDocument(context, radiusUser, fields)
  })

/** What lines say of whom, and what is wrong in which row, in their order. */
export function readUsers(lines: readonly Numbered[], known: Known): { all: Read[]; errors: RowError[] } {
  const all = lines.map(one => readLine(one, known))
  return { all, errors: [...all.flatMap(one => one.errors), ...doubled(all)].sort((a, b) => a.row - b.row) }
}

export const importUsers = call({
  ...changing,
  path: 'radius/users/import',
  topics: ['settings'],
  changelog: 'entry',
  input: z.strictObject({ file: z.string().max(mostCharacters, 'tooLong'), check: z.boolean().default(false) }),
  /**
   * RADIUS users from a CSV file with the columns `name`, `password`, `vlan` and `on`, of which `name` is needed. Who is
   * there by that name is changed, everybody else added, nobody deleted. Nothing is done while a line is wrong, or with
   * `check`: {rows, added, changed, errors: [{row, field, problem}]}.
   */
  run(context, { file, check }) {
    const known = knownOf(context)
    const { all, errors } = readUsers(linesOf(file), known)
    if (all.length === 0) failFields({ file: 'required' }, 'importInvalid')
    const changed = all.filter(one => one.fields.id !== undefined).length
    const added = all.length - changed
    if (known.size + added > limits.radiusUsers) failFields({ file: 'tooManyRows' }, 'importInvalid')
    if (errors.length === 0 && !check) saveAll(context, all)
    return { rows: all.length, added, changed, errors }
  },
})

export const exportUsers = call({
  ...exporting,
  path: 'exports/radius-users',
  input: z.strictObject({ search: listInput.search }),
  /** A CSV file as `radius/users/import` takes it, without the passwords: they leave the manager never. */
  run(context, { search = '' }) {
    const wanted = search.trim().toLowerCase()
    const rows = [...knownOf(context).values()]
      .filter(({ data }) => data.name.toLowerCase().includes(wanted))
      .map(({ data: { name, vlan, enabled } }) => [name, vlan, enabled ? 'yes' : 'no'])
    return csvFile('radius-users', [['name', 'vlan', 'on'], ...rows], context.now)
  },
})
