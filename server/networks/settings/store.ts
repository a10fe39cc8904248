import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { assignments, documents } from '@/db/schema'
import type { Assign } from '@/model/assign'
import { type FieldErrors, parseFields } from '@/model/field-errors'
import { type Data, hiddenFields, type Kind } from '@/model/kind'
import { isShared } from '@/model/registry'
import { ownFields } from '@/model/single'
import type { Secrets } from '@/server/kernel/secrets'

export type DocumentRow = typeof documents.$inferSelect
/** A stored document: its values in clear, or what is wrong with them. */
export type Opened = { data: Data } | { damaged: FieldErrors }

export const isDamaged = (opened: Opened): opened is { damaged: FieldErrors } => 'damaged' in opened

const place = (id: string, field: string) => `documents:${id}:${field}`

/** Values as they are stored: JSON with the secrets sealed for this document and field. */
export function sealData(secrets: Secrets, kind: Kind, id: string, data: Data): string {
  const sealed = kind.secrets.filter(key => typeof data[key] === 'string')
  const entries = sealed.map(key => [key, secrets.seal(String(data[key]), place(id, key))] as const)
  return JSON.stringify({ ...data, ...Object.fromEntries(entries) })
}

/** The sealed secrets of a row among these fields, as the changelog keeps them for a way back. */
export function sealedSecrets(kind: Kind, row: Pick<DocumentRow, 'data'>, fields: object): Record<string, string> {
  const stored = parseStored(row.data) ?? {}
  const changed = kind.secrets.filter(key => Object.hasOwn(fields, key) && typeof stored[key] === 'string')
  return Object.fromEntries(changed.map(key => [key, String(stored[key])]))
}

/** Opens what `sealedSecrets` gave; throws where it is of another document or damaged. */
export const openSecret = (secrets: Secrets, id: string, field: string, sealed: string): string =>
  secrets.open(sealed, place(id, field))

function parseStored(text: string): Data | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Data) : undefined
  } catch {
    return undefined
  }
}

/** Without the defaults of fields that do not exist with these values: what is read can be saved again as it is. */
function existing(kind: Kind, data: Data): Data {
  const hidden = kind.single ? [] : hiddenFields(kind, data)
  return Object.fromEntries(Object.entries(data).filter(([key]) => !hidden.includes(key)))
}

/** Never defaulted, never dropped: what does not parse comes back as damaged with its field errors. */
export function openRow(secrets: Secrets, kind: Kind, row: Pick<DocumentRow, 'id' | 'data'>): Opened {
  const stored = parseStored(row.data)
  if (!stored) return { damaged: { '': 'brokenJson' } }
  const clear: Data = { ...stored }
  for (const key of kind.secrets) {
    if (stored[key] === undefined) continue
    try {
      clear[key] = secrets.open(String(stored[key]), place(row.id, key))
    } catch {
      return { damaged: { [key]: 'damagedSecret' } }
    }
  }
  const parsed = parseFields(kind.single ? ownFields(kind) : kind.fields, clear)
  return 'data' in parsed ? { data: existing(kind, parsed.data as Data) } : { damaged: parsed.fields }
}

/** Those that are not damaged, with their values. */
export const openedRows = (secrets: Secrets, kind: Kind, rows: readonly DocumentRow[]) =>
  rows.flatMap(row => {
    const one = openRow(secrets, kind, row)
    return isDamaged(one) ? [] : [{ row, data: one.data }]
  })

/** Secrets leave the manager as `{set: true}`. */
export function mask(kind: Kind, data: Data): Data {
  const set = kind.secrets.filter(key => data[key] !== undefined).map(key => [key, { set: true }] as const)
  return { ...data, ...Object.fromEntries(set) }
}

export const kindRows = (db: Db, network: number, kind: string): DocumentRow[] =>
  db
    .select()
    .from(documents)
    .where(and(eq(documents.scope, 'network'), eq(documents.scopeId, network), eq(documents.kind, kind)))
    .orderBy(asc(documents.position), asc(documents.createdAt))
    .all()

/** Assignments by document, for any number of documents in one query. */
export function assignsOf(db: Db, ids: readonly string[]): Map<string, Assign> {
  const made = new Map<string, Assign>(ids.map(id => [id, { all: false, groups: [], devices: [] }]))
  if (!ids.length) return made
  const rows = db
    .select()
    .from(assignments)
    .where(inArray(assignments.document, [...ids]))
    .all()
  for (const { document, target, targetId } of rows) {
    const assign = made.get(document)
    if (!assign) continue
    if (target === 'all') assign.all = true
    else assign[target === 'group' ? 'groups' : 'devices'].push(targetId)
  }
  return made
}

export function writeAssign(db: Db, id: string, assign: Assign): void {
  db.delete(assignments).where(eq(assignments.document, id)).run()
  const rows = [
    ...(assign.all ? [{ document: id, target: 'all' as const, targetId: 0 }] : []),
    ...(assign.all ? [] : assign.groups.map(targetId => ({ document: id, target: 'group' as const, targetId }))),
    ...(assign.all ? [] : assign.devices.map(targetId => ({ document: id, target: 'device' as const, targetId }))),
  ]
  if (rows.length) db.insert(assignments).values(rows).run()
}

/** A document as calls answer it: its own fields flat beside these, secrets masked. */
export type DocumentView = Data & {
  id: string
  revision: number
  position: number
  changedAt: number
  changedBy: string
  /** Absent where the kind is not given to devices. */
  assign?: Assign
  /** Field errors of a stored value that no longer parses; absent when all is well. */
  damaged?: FieldErrors
}

export function viewOf(secrets: Secrets, kind: Kind, row: DocumentRow, assign: Assign): DocumentView {
  const opened = openRow(secrets, kind, row)
  const shown = isDamaged(opened)
    ? { ...mask(kind, parseStored(row.data) ?? {}), [kind.title]: row.name, damaged: opened.damaged }
    : mask(kind, opened.data)
  const { id, revision, position, changedAt, changedBy } = row
  const given = isShared(kind.id) ? {} : { assign }
  return { ...shown, id, revision, position, changedAt, changedBy, ...given }
}
