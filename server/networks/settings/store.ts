import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { assignments, documents } from '@/db/schema'
import type { Assign } from '@/model/assign'
import type { FieldErrors } from '@/model/field-errors'
import type { Data, Kind } from '@/model/kind'
import { isLibrary } from '@/model/registry'
import { type DocumentRow, isDamaged, mask, openRow, parseStored } from '@/server/kernel/documents'
import type { Secrets } from '@/server/kernel/secrets'

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
  const given = isLibrary(kind.id) ? {} : { assign }
  return { ...shown, id, revision, position, changedAt, changedBy, ...given }
}
