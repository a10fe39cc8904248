import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog, pushedDocuments } from '@/db/schema'
import type { Kind } from '@/model/kind'
import type { NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { deleteDocuments, saveDocument } from '@/server/settings/documents'
import { type Assign, type DocumentRow, isDamaged, openRow } from '@/server/settings/store'
import { mustEdit } from './authority'
import { documentsOf, type LastPush, lastPushes } from './deployments'
import { assignedRows, type NetworkDocuments, networkDocuments } from './desired'
import type { DeviceRow, Engine } from './plan'

// What was pushed of each document, and the way back to it. Not by time: a push records the revisions it was planned
// from, and a copy of each is kept, so that "not pushed yet" is a comparison of revisions.

/** Copies kept of a document; the oldest go first. */
const copiesKept = 10

/** Keeps a copy of each document that a push is planned from; returns their revisions as the push records them. */
export function keepSources(
  db: Db,
  network: number,
  rows: readonly DocumentRow[],
  assigns: NetworkDocuments['assigns'],
) {
  for (const row of rows) {
    const copy = { document: row.id, revision: row.revision, network }
    const { changes } = db
      .insert(pushedDocuments)
      .values({ ...copy, row: JSON.stringify(row), assign: JSON.stringify(assigns.get(row.id)) })
      .onConflictDoNothing()
      .run()
    if (changes > 0) trimCopies(db, row.id)
  }
  return JSON.stringify(Object.fromEntries(rows.map(row => [row.id, row.revision])))
}

function trimCopies(db: Db, document: string): void {
  const own = eq(pushedDocuments.document, document)
  const newest = { revision: pushedDocuments.revision }
  const rows = db.select(newest).from(pushedDocuments).where(own).orderBy(desc(pushedDocuments.revision)).all()
  const old = rows.slice(copiesKept).map(row => row.revision)
  if (old.length > 0)
    db.delete(pushedDocuments)
      .where(and(own, inArray(pushedDocuments.revision, old)))
      .run()
}

type Copy = { row: DocumentRow; assign: Assign }
function copyOf(db: Db, document: string, revision: number): Copy | undefined {
  const own = and(eq(pushedDocuments.document, document), eq(pushedDocuments.revision, revision))
  const found = db.select().from(pushedDocuments).where(own).get()
  return found && { row: JSON.parse(found.row) as DocumentRow, assign: JSON.parse(found.assign) as Assign }
}

/** Revisions a device was last given. Where they were not kept: all that had been saved when that push began. */
function givenTo(push: LastPush | undefined, network: NetworkDocuments): Record<string, number> {
  if (!push) return {}
  const known = documentsOf(push)
  if (known) return known
  const older = network.rows.filter(row => row.changedAt <= (push.startedAt ?? 0))
  return Object.fromEntries(older.map(row => [row.id, row.revision]))
}

/** For each document the newest revision that any device of the network was given. */
function newestGiven(pushes: readonly LastPush[], network: NetworkDocuments): Map<string, number> {
  const newest = new Map<string, number>()
  for (const push of pushes)
    for (const [id, revision] of Object.entries(givenTo(push, network)))
      newest.set(id, Math.max(revision, newest.get(id) ?? 0))
  return newest
}

/** Name, values and assignment alike, whatever the revision: somebody changed it there and back. */
function sameContent(engine: Engine, { row, assign }: Copy, now: DocumentRow, nowAssign: Assign | undefined): boolean {
  const kind = engine.kinds.get(now.kind) as Kind
  const content = (one: DocumentRow) => JSON.stringify(openRow(engine.runtime.secrets, kind, one))
  return JSON.stringify(assign) === JSON.stringify(nowAssign) && content(row) === content(now)
}

export type SavedChange = {
  /** The document. */
  id: string
  revision: number
  kind: string
  name: string
  action: 'add' | 'edit' | 'delete'
  by: string
  at: number
  /** No device has it yet: it can be put back to how it was pushed. */
  discard: boolean
}

function deletion(runtime: Runtime, network: number, { kind, name }: DocumentRow) {
  const own = and(eq(changelog.network, network), eq(changelog.object, kind), eq(changelog.name, name))
  const last = runtime.db.select().from(changelog).where(own).orderBy(desc(changelog.id)).limit(1).get()
  return { by: last?.account ?? '', at: last?.at ?? 0 }
}

type State = { engine: Engine; network: NetworkDocuments; newest: ReadonlyMap<string, number>; id: number }

/** One document that a device was given as `before` (absent: never) and should have as it is now, or no more. */
function changeOf(state: State, id: string, before: number | undefined, wanted: DocumentRow | undefined) {
  const { engine, network, newest } = state
  const now = wanted ?? network.rows.find(row => row.id === id)
  const copy = before === undefined ? undefined : copyOf(engine.runtime.db, id, before)
  if (now && copy && wanted && sameContent(engine, copy, now, network.assigns.get(id))) return undefined
  const row = now ?? copy?.row
  if (!row) return undefined
  const action = now ? (before === undefined ? 'add' : 'edit') : 'delete'
  const told = now ? { by: now.changedBy, at: now.changedAt } : deletion(engine.runtime, state.id, row)
  const discard = now ? newest.get(id) !== now.revision : true
  return { id, revision: now?.revision ?? 0, kind: row.kind, name: row.name, action, ...told, discard } as SavedChange
}

/** What these devices of a network have not been given yet, newest first, once for each document. */
export function waitingChanges(engine: Engine, network: number, devices: readonly DeviceRow[]): SavedChange[] {
  const { db } = engine.runtime
  const documents = networkDocuments(db, network)
  const pushes = lastPushes(db, network)
  const state = { engine, network: documents, newest: newestGiven(pushes, documents), id: network }
  const byDevice = new Map(pushes.map(push => [push.device, push]))
  // Most devices stand alike: each pair of revisions is looked at once.
  const looked = new Map<string, SavedChange | undefined>()
  for (const device of devices) {
    const given = givenTo(byDevice.get(device.id), documents)
    const wanted = new Map(assignedRows(documents, device).map(row => [row.id, row]))
    for (const id of new Set([...Object.keys(given), ...wanted.keys()])) {
      const key = `${id} ${given[id]} ${wanted.has(id)}`
      if (wanted.get(id)?.revision === given[id] || looked.has(key)) continue
      looked.set(key, changeOf(state, id, given[id], wanted.get(id)))
    }
  }
  const changes = new Map([...looked.values()].flatMap(one => (one ? [[one.id, one] as const] : [])))
  return [...changes.values()].sort((a, b) => b.at - a.at)
}

/**
 * Puts a document back to how it was pushed last: its values, name and assignment; one that was never pushed is
 * deleted, a deleted one comes back. Refused where it was changed after `revision`, or a device has it already.
 */
export function discardChange(engine: Engine, context: NetworkContext, id: string, revision: number): void {
  const { db, secrets } = context.runtime
  const documents = networkDocuments(db, context.network.id)
  const now = documents.rows.find(row => row.id === id)
  const pushed = newestGiven(lastPushes(db, context.network.id), documents).get(id)
  if (!now && pushed === undefined) fail('documentNotFound', { id })
  if (now && now.revision !== revision) fail('staleRevision', { current: { id, revision: now.revision } })
  if (now && now.revision === pushed) fail('nothingToDiscard', { name: now.name })
  const noted: NetworkContext = { ...context, log: entry => context.log({ ...entry, action: 'discard' }) }
  if (now && pushed === undefined) {
    mustEdit(context, now.kind)
    deleteDocuments(noted, engine.kinds.get(now.kind) as Kind, [id])
    return
  }
  const copy = pushed === undefined ? undefined : copyOf(db, id, pushed)
  if (!copy) fail('discardImpossible', { name: now?.name ?? '' })
  mustEdit(context, copy.row.kind)
  const kind = engine.kinds.get(copy.row.kind)
  const opened = kind && openRow(secrets, kind, copy.row)
  if (!kind || !opened || isDamaged(opened)) fail('discardImpossible', { name: copy.row.name })
  const own = now ? { id, revision } : {}
  const back = now ? {} : { bringBack: { id, revision: newestCopy(db, id) } }
  saveDocument(noted, kind, { ...opened.data, ...own, assign: copy.assign }, back)
}

const newestCopy = (db: Db, document: string): number =>
  db
    .select({ revision: sql<number>`max(${pushedDocuments.revision})` })
    .from(pushedDocuments)
    .where(eq(pushedDocuments.document, document))
    .get()?.revision ?? 0
