import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog, pushedDocuments } from '@/db/schema'
import type { Assign } from '@/model/assign'
import type { Kind } from '@/model/kind'
import { isLibrary } from '@/model/registry'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { type DocumentRow, isDamaged, mustBeCurrent, openRow } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import { pathOf } from '@/server/networks/groups/groups'
import { deleteDocuments, saveDocument } from '@/server/networks/settings/documents'
import { saveSingle } from '@/server/networks/settings/singles'
import { mustEdit } from '../plan/authority'
import { documentsOf, type LastPush, lastPushes } from '../plan/deployments'
import { assignedRows, type NetworkDocuments, networkDocuments } from '../plan/desired'
import { type Engine, findDevice, type ListedDevice } from '../plan/plan'
import { portalRows } from '../plan/ssid-portals'
import type { SyncStatus } from '../plan/sync-cache'

// What was pushed of each document, and the way back to it. Not by time: a push records the revisions it was planned
// from, and a copy of each is kept, so that "not pushed yet" is a comparison of revisions.

/** Every stored row that a device's plan is made of: the documents it is given, and the singles of its scopes. */
export function sourceRows(network: NetworkDocuments, device: ListedDevice): DocumentRow[] {
  const path = pathOf(network.groups, device.group)
  const applies = ({ scope, scopeId }: DocumentRow) =>
    scope === 'network' || (scope === 'group' ? path.includes(scopeId) : scopeId === device.id)
  const given = assignedRows(network, device)
  const asked = network.gateways.some(one => one.id === device.id) ? portalRows(network, given) : []
  return [...given, ...asked, ...network.singles.filter(applies)]
}
const allRows = (network: NetworkDocuments) => [...network.rows, ...network.singles]

/** Copies kept of a document; the oldest go first. */
const copiesKept = 10

/** Keeps a copy of each of these documents as it is saved. */
export function keepCopies(db: Db, network: number, rows: readonly DocumentRow[], documents: NetworkDocuments): void {
  for (const row of rows) {
    const copy = { document: row.id, revision: row.revision, network }
    const { changes } = db
      .insert(pushedDocuments)
      .values({ ...copy, row: JSON.stringify(row), assign: JSON.stringify(documents.assigns.get(row.id) ?? null) })
      .onConflictDoNothing()
      .run()
    if (changes === 0) continue
    const own = eq(pushedDocuments.document, row.id)
    keepNewest(db, pushedDocuments, own, copiesKept, { by: [pushedDocuments.revision] })
  }
}

/** Keeps a copy of each document that a push is planned from; returns their revisions as the push records them. */
export function keepAppliedRevisions(db: Db, device: ListedDevice, documents: NetworkDocuments): string {
  const rows = sourceRows(documents, device)
  keepCopies(db, device.network, rows, documents)
  return JSON.stringify(Object.fromEntries(rows.map(row => [row.id, row.revision])))
}

/** `assign` is null for a single. */
export type Copy = { row: DocumentRow; assign: Assign | null }
export function copyOf(db: Db, document: string, revision: number): Copy | undefined {
  const own = and(eq(pushedDocuments.document, document), eq(pushedDocuments.revision, revision))
  const found = db.select().from(pushedDocuments).where(own).get()
  return found && { row: JSON.parse(found.row) as DocumentRow, assign: JSON.parse(found.assign) as Assign | null }
}

/** Revisions a device was last given. Where they were not kept: all that had been saved when that push began. */
export function givenTo(
  push: Pick<LastPush, 'documents' | 'startedAt'> | undefined,
  network: NetworkDocuments,
): Record<string, number> {
  if (!push) return {}
  const known = documentsOf(push)
  if (known) return known
  const older = allRows(network).filter(row => row.changedAt <= (push.startedAt ?? 0))
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
  return JSON.stringify(assign) === JSON.stringify(nowAssign ?? null) && content(row) === content(now)
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

function deletion(runtime: Runtime, network: number, { organization, kind, name }: DocumentRow) {
  const within = and(eq(changelog.organization, organization), eq(changelog.network, network))
  const own = and(within, eq(changelog.object, kind), eq(changelog.name, name))
  const last = runtime.db.select().from(changelog).where(own).orderBy(desc(changelog.id)).limit(1).get()
  return { by: last?.account ?? '', at: last?.at ?? 0 }
}

/** A single has no name of its own: it is known by the group or device it is of; empty for the whole network. */
function scopeName(engine: Engine, { groups }: NetworkDocuments, { scope, scopeId }: DocumentRow): string {
  if (scope === 'group') return groups.find(group => group.id === scopeId)?.name ?? ''
  return scope === 'device' ? (findDevice(engine.runtime, scopeId)?.name ?? '') : ''
}

type State = { engine: Engine; network: NetworkDocuments; newest: ReadonlyMap<string, number>; id: number }

/** One document that a device was given as `before` (absent: never) and should have as it is now, or no more. */
function changeOf(state: State, id: string, before: number | undefined, wanted: DocumentRow | undefined) {
  const { engine, network, newest } = state
  const now = wanted ?? allRows(network).find(row => row.id === id)
  // A single that sets nothing is the same as none.
  if (now?.data === '{}' && before === undefined) return undefined
  // What refers to it no more is the change.
  if (now && !wanted && isLibrary(now.kind)) return undefined
  const copy = before === undefined ? undefined : copyOf(engine.runtime.db, id, before)
  if (now && copy && wanted && sameContent(engine, copy, now, network.assigns.get(id))) return undefined
  const row = now ?? copy?.row
  if (!row) return undefined
  // What exists once is there from the beginning: its first own value is a change.
  const isNew = before === undefined && !engine.kinds.get(row.kind)?.single
  const action = now ? (isNew ? 'add' : 'edit') : 'delete'
  const told = now ? { by: now.changedBy, at: now.changedAt } : deletion(engine.runtime, state.id, row)
  const discard = now ? newest.get(id) !== now.revision : true
  const name = row.name || scopeName(engine, network, row)
  return { id, revision: now?.revision ?? 0, kind: row.kind, name, action, ...told, discard } as SavedChange
}

/** A device, and what of the settings given to it no push would bring there. */
type Waiting = { device: ListedDevice; standing: Pick<SyncStatus, 'leftOut' | 'unfit'> }

const storedNow = (db: Db, network: number) => ({
  documents: networkDocuments(db, network),
  pushes: lastPushes(db, network),
})

/**
 * What these devices of a network have not been given yet, newest first, once for each document. `stored`: what is saved
 * and what was pushed, where the caller has read that already.
 */
export function waitingChanges(
  engine: Engine,
  network: number,
  devices: readonly Waiting[],
  { documents, pushes } = storedNow(engine.runtime.db, network),
): SavedChange[] {
  const state = { engine, network: documents, newest: newestGiven(pushes, documents), id: network }
  const byDevice = new Map(pushes.map(push => [push.device, push]))
  // Most devices stand alike: each pair of revisions is looked at once.
  const looked = new Map<string, SavedChange | undefined>()
  const kinds = new Map(allRows(documents).map(row => [row.id, row.kind]))
  for (const { device, standing } of devices) {
    const given = givenTo(byDevice.get(device.id), documents)
    const wanted = new Map(sourceRows(documents, device).map(row => [row.id, row]))
    const never = new Set(standing.leftOut.flatMap(one => (one.effect === 'part' ? [] : [one.document])))
    for (const id of new Set([...Object.keys(given), ...wanted.keys()])) {
      const kind = kinds.get(id) ?? ''
      // No push would bring it to this device: there it waits for nothing.
      if (standing.unfit.includes(kind)) continue
      if (given[id] === undefined && (never.has(id) || never.has(kind))) continue
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
export function discardChange(engine: Engine, context: NetworkContext & Logging, id: string, revision: number): void {
  const { db } = context.runtime
  const documents = networkDocuments(db, context.network.id)
  const now = allRows(documents).find(row => row.id === id)
  const pushed = newestGiven(lastPushes(db, context.network.id), documents).get(id)
  if (!now && pushed === undefined) fail('changeNotFound', { id })
  if (now) mustBeCurrent(revision, now.revision, () => ({ id, revision: now.revision }))
  if (now && now.revision === pushed) fail('nothingToDiscard', { name: now.name })
  const noted: NetworkContext & Logging = { ...context, log: entry => context.log({ ...entry, action: 'discard' }) }
  if (now && engine.kinds.get(now.kind)?.single) {
    mustEdit(context, now.kind)
    discardSingle(engine, noted, now, pushed)
    return
  }
  if (now && pushed === undefined) {
    mustEdit(context, now.kind)
    deleteDocuments(noted, engine.kinds.get(now.kind) as Kind, [id])
    return
  }
  const copy = pushed === undefined ? undefined : copyOf(db, id, pushed)
  if (!copy) fail('discardImpossible', { name: now?.name ?? '' })
  putBack(engine, noted, copy, now)
}

/** Saves a document as its copy is, over `now`; without that it comes back under its id. */
function putBack(
  engine: Engine,
  context: NetworkContext & Logging,
  { row, assign }: Copy,
  now: DocumentRow | undefined,
): void {
  const { db, secrets } = context.runtime
  mustEdit(context, row.kind)
  const kind = engine.kinds.get(row.kind)
  const opened = kind && openRow(secrets, kind, row)
  if (!kind || !assign || !opened || isDamaged(opened)) fail('discardImpossible', { name: row.name })
  const own = now ? { id: row.id, revision: now.revision } : {}
  const back = now ? {} : { bringBack: { id: row.id, revision: newestCopy(db, row.id) } }
  saveDocument(context, kind, { ...opened.data, ...own, ...(!isLibrary(kind.id) && { assign }) }, back)
}

/** What was pushed last of a single's scope; nothing of its own where nothing was. */
function discardSingle(
  engine: Engine,
  context: NetworkContext & Logging,
  now: DocumentRow,
  pushed: number | undefined,
): void {
  const { db, secrets } = context.runtime
  const kind = engine.kinds.get(now.kind) as Kind
  const copy = pushed === undefined ? undefined : copyOf(db, now.id, pushed)
  const opened = copy ? openRow(secrets, kind, copy.row) : { data: {} }
  if ((pushed !== undefined && !copy) || isDamaged(opened)) fail('discardImpossible', { name: now.name })
  const scope = now.scope === 'network' ? {} : { [now.scope]: now.scopeId }
  saveSingle(context, kind, { scope, revision: now.revision, fields: opened.data })
}

const newestCopy = (db: Db, document: string): number =>
  db
    .select({ revision: sql<number>`max(${pushedDocuments.revision})` })
    .from(pushedDocuments)
    .where(eq(pushedDocuments.document, document))
    .get()?.revision ?? 0
