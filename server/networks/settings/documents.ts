import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { documents, refs } from '@/db/schema'
import { type Assign, reachesAny } from '@/model/assign'
import { type CodeName, documentCode } from '@/model/codes'
import { type FieldErrors, parseFields } from '@/model/field-errors'
import { check, type Data, type Kind, referredIds } from '@/model/kind'
import { isLibrary } from '@/model/registry'
import type { Logging } from '@/server/kernel/call'
import { logged } from '@/server/kernel/changelog'
import {
  type DocumentRow,
  difference,
  isDamaged,
  mustBeCurrent,
  openedRows,
  openRow,
  sealData,
  sealedSecrets,
  storeRow,
  withKept,
} from '@/server/kernel/documents'
import { fail, failFields } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { assignmentOf, assignShape, overlappingRows, saveAssignment } from './assignment'
import { checkMacLists } from './mac-lists'
import { checkPageName, checkPortals } from './portals'
import { allProblems, passes, titleOf } from './problems'
import { segmentProblems } from './segments'
import { assignsOf, type DocumentView, kindRows, viewOf } from './store'

/** Who changes the settings of which network; every call's context is one. */
export type SettingsContext = {
  runtime: Runtime
  actor: { organization: number; account: string }
  network: { id: number }
  now: number
  log: Logging['log']
}

// Rule W13: lists of MAC addresses that are full have a code of their own, by kind and by what a field says.
const fullKinds: Readonly<Record<string, CodeName>> = { blockedClient: 'blacklistFull' }
const fullMessage = 'macsTotal'

/** What a save of a kind with a list takes beside the kind's own fields. */
export const documentEnvelope = z.strictObject({
  id: z.uuid('notFound').optional(),
  revision: z.int().positive().optional(),
  assign: assignShape.optional(),
  // As it was read, so that what `get` gives can be sent back: the manager says these, and nothing is done by them.
  position: z.int().optional().meta({ readOnly: true }),
  changedAt: z.int().optional().meta({ readOnly: true }),
  changedBy: z.string().optional().meta({ readOnly: true }),
})
type Envelope = z.output<typeof documentEnvelope>

/** Names in a kind's declaration that the envelope of its calls needs. */
export const reservedFields = [
  'scope',
  'id',
  'revision',
  'position',
  'changedAt',
  'changedBy',
  'assign',
  'damaged',
  'networkId',
  // Of what exists once.
  'own',
  'inherited',
  'locked',
  'values',
]

/** Splits the flat input of `settings/<kind>/save` into envelope and fields. */
function split(kind: Kind, input: Data): { meta: Envelope; fields: Data } {
  const { id, revision, assign, position, changedAt, changedBy, ...fields } = input
  if (assign !== undefined && isLibrary(kind.id)) failFields({ assign: 'notUsed' })
  const parsed = parseFields(documentEnvelope, { id, revision, assign, position, changedAt, changedBy })
  if (!('data' in parsed)) fail('invalidInput', parsed)
  return { meta: parsed.data, fields }
}

/** Keeps what a document refers to; that it is there was checked. */
export function writeRefs(db: Db, kind: Kind, id: string, data: Data): void {
  db.delete(refs).where(eq(refs.from, id)).run()
  for (const field of Object.keys(kind.refs)) {
    const wanted = referredIds(data[field])
    if (wanted.length)
      db.insert(refs)
        .values(wanted.map(one => ({ from: id, field, to: one })))
        .run()
  }
}

function findRow(kind: Kind, rows: readonly DocumentRow[], id: string): DocumentRow {
  return rows.find(row => row.id === id) ?? fail(documentCode(kind.id, 'notFound'), { id })
}

function checkRevision(
  { runtime }: Pick<SettingsContext, 'runtime'>,
  db: Db,
  kind: Kind,
  row: DocumentRow,
  revision: number | undefined,
): void {
  mustBeCurrent(revision ?? failFields({ revision: 'required' }), row.revision, () =>
    viewOf(runtime.secrets, kind, row, assignsOf(db, [row.id]).get(row.id) as Assign),
  )
}

/** Files that it names may be gone: it comes from another manager, or from before. */
type Lenient = { goneFiles?: boolean }

/** The fields' values after every check that needs the other documents; what is wrong is told together. */
function validated(
  context: Pick<SettingsContext, 'runtime' | 'network'>,
  db: Db,
  kind: Kind,
  {
    rows,
    fields,
    before,
    assign,
    goneFiles,
  }: { rows: readonly DocumentRow[]; fields: Data; before: DocumentRow | undefined; assign: Assign } & Lenient,
) {
  const { secrets } = context.runtime
  const opened = before && openRow(secrets, kind, before)
  const stored = opened && !isDamaged(opened) ? opened.data : undefined
  const left = rows.filter(row => row.id !== before?.id)
  const others = openedRows(secrets, kind, left)
  const { filled, missing } = withKept(kind, fields, stored)
  const meets = kind.rules.some(one => one.onDevice) ? overlappingRows(db, context.network.id, left, assign) : []
  const near = others.filter(one => meets.includes(one.row)).map(one => one.data)
  const checked = check(kind, filled, { others: others.map(one => one.data), near })
  const more = { more: missing, ...(!goneFiles && { before: stored ?? {} }) }
  const own = allProblems(db, kind, context.network.id, { given: filled, checked, ...more })
  const shared = segmentProblems(db, secrets, context.network.id, kind, { data: filled, assign })
  const wrong = { fields: { ...shared.fields, ...own.fields }, values: { ...shared.values, ...own.values } }
  const name = titleOf(kind, filled)
  const taken: FieldErrors = left.some(row => row.name === name) ? { [kind.title]: 'nameExists' } : {}
  if (Object.keys(wrong.fields).length || !('data' in checked))
    return fail(Object.values(wrong.fields).includes(fullMessage) ? 'blacklistFull' : 'invalidInput', {
      ...wrong,
      fields: { ...taken, ...wrong.fields },
    })
  if (Object.keys(taken).length) failFields(taken, documentCode(kind.id, 'nameExists'))
  return { data: checked.data, stored: stored ?? {}, name: String(name) }
}

type Judging = Pick<SettingsContext, 'runtime' | 'network'>

/** What a save of this input writes, where every check lets it pass; refuses as the save does. */
function judged(context: Judging, tx: Db, kind: Kind, input: Data, lenient: Lenient = {}) {
  const { runtime, network } = context
  const { meta, fields } = split(kind, input)
  const rows = kindRows(tx, network.id, kind.id)
  const before = meta.id === undefined ? undefined : findRow(kind, rows, meta.id)
  if (before) checkRevision(context, tx, kind, before, meta.revision)
  else if (rows.length >= kind.max) fail(fullKinds[kind.id] ?? documentCode(kind.id, 'limit'), { max: kind.max })
  const to = assignmentOf(tx, before, meta.assign)
  const right = validated(context, tx, kind, { rows, fields, before, assign: to.assign, ...lenient })
  checkMacLists(tx, runtime.secrets, network.id, kind, right.data, before?.id)
  checkPortals(tx, runtime.secrets, network.id, kind, right.data, before?.id)
  checkPageName(runtime.config, kind, right.data)
  return { ...right, rows, before, to }
}

/** Whether `saveDocument` would take it; nothing is written. */
export const isSaveable = (context: Judging, kind: Kind, input: Data): boolean =>
  passes(() => judged(context, context.runtime.db, kind, input))

/**
 * Creates (without `id`) or changes one document in one transaction. `input` is flat: the kind's fields, with `id`,
 * `revision` (the one that was read) and `assign`. A new document goes to all devices unless told otherwise.
 * `bringBack`: a deleted document that comes back, with its last revision: devices know it by that id.
 */
export function saveDocument(
  context: SettingsContext,
  kind: Kind,
  input: Data,
  { bringBack, goneFiles = bringBack !== undefined }: Lenient & { bringBack?: { id: string; revision: number } } = {},
): { id: string; revision: number } {
  const { runtime, network, actor, now } = context
  const saved = runtime.db.transaction(tx => {
    const { data, stored, name, rows, before, to } = judged(context, tx, kind, input, { goneFiles })
    const id = before?.id ?? bringBack?.id ?? randomUUID()
    const revision = ((before ?? bringBack)?.revision ?? 0) + 1
    const row = {
      id,
      organization: actor.organization,
      scope: 'network' as const,
      scopeId: network.id,
      kind: kind.id,
      name,
      data: sealData(runtime.secrets, kind, id, data),
      position: Math.max(0, ...rows.map(one => one.position + 1)),
      revision,
    }
    storeRow(tx, !before, row, { account: actor.account, now })
    const given = isLibrary(kind.id) ? undefined : saveAssignment(tx, network.id, id, to)
    writeRefs(tx, kind, id, data)
    const changed = { ...difference(kind, stored, data), ...(given && { assign: given }) }
    const kept = before && sealedSecrets(kind, before, changed)
    const action = before ? 'edit' : 'add'
    context.log({ action, object: logged(kind), name, network: network.id, fields: changed, document: id, kept })
    return { id, revision }
  })
  runtime.bus.emit({ topic: 'settings', id: network.id, organization: actor.organization, network: network.id })
  return saved
}

/** Refuses a document that its kind keeps, judged by those that would be left. */
function checkKept(context: SettingsContext, kind: Kind, rows: readonly DocumentRow[], ids: readonly string[]): void {
  const { db, secrets } = context.runtime
  const assigns = assignsOf(db, ids)
  const assignOf = (row: DocumentRow) => assigns.get(row.id) as Assign
  const gone = rows.filter(row => ids.includes(row.id) && reachesAny(assignOf(row)))
  const left = rows.filter(row => !ids.includes(row.id))
  const kept = openedRows(secrets, kind, gone).find(({ row, data }) => {
    const near = openedRows(secrets, kind, overlappingRows(db, context.network.id, left, assignOf(row)))
    return kind.keeps?.(
      data,
      near.map(one => one.data),
    )
  })
  if (kept) fail('defaultWanKept', { name: kept.row.name })
}

/** What goes with a document; nothing that can be read where it is damaged. */
function deletedFields({ runtime }: SettingsContext, db: Db, kind: Kind, row: DocumentRow) {
  const opened = openRow(runtime.secrets, kind, row)
  if (isDamaged(opened)) return {}
  const assign: [unknown, unknown] = [assignsOf(db, [row.id]).get(row.id), undefined]
  return { ...difference(kind, opened.data, {}), ...(!isLibrary(kind.id) && { assign }) }
}

/** All or none. A document that others use is refused with their names. */
export function deleteDocuments(context: SettingsContext, kind: Kind, ids: readonly string[]): void {
  const { runtime, network, actor } = context
  runtime.db.transaction(tx => {
    const rows = kindRows(tx, network.id, kind.id)
    if (kind.keeps) checkKept(context, kind, rows, ids)
    for (const id of new Set(ids)) {
      const row = findRow(kind, rows, id)
      const users = tx
        .select({ name: sql<string>`iif(${documents.name} = '', ${documents.kind}, ${documents.name})` })
        .from(refs)
        .innerJoin(documents, eq(documents.id, refs.from))
        .where(eq(refs.to, id))
        .all()
      if (users.length)
        fail(documentCode(kind.id, 'inUse'), { name: row.name, users: users.map(user => user.name).join(', ') })
      const fields = deletedFields(context, tx, kind, row)
      tx.delete(documents).where(eq(documents.id, id)).run()
      const kept = sealedSecrets(kind, row, fields)
      context.log({
        action: 'delete',
        object: logged(kind),
        name: row.name,
        network: network.id,
        fields,
        document: id,
        kept,
      })
    }
  })
  runtime.bus.emit({ topic: 'settings', id: network.id, organization: actor.organization, network: network.id })
}

/** `ids`: every document of the kind, in its new order. */
export function sortDocuments(context: SettingsContext, kind: Kind, ids: readonly string[]): void {
  const { runtime, network } = context
  runtime.db.transaction(tx => {
    const rows = kindRows(tx, network.id, kind.id)
    for (const id of ids) findRow(kind, rows, id)
    if (new Set(ids).size !== ids.length || ids.length !== rows.length) failFields({ ids: 'notAllowed' })
    for (const [position, id] of ids.entries()) tx.update(documents).set({ position }).where(eq(documents.id, id)).run()
    context.log({ action: 'sort', object: logged(kind), name: '', network: network.id })
  })
  runtime.bus.emit({ topic: 'settings', id: network.id, organization: context.actor.organization, network: network.id })
}

export function viewDocuments(runtime: Runtime, network: number, kind: Kind): DocumentView[] {
  const rows = kindRows(runtime.db, network, kind.id)
  const assigns = assignsOf(
    runtime.db,
    rows.map(row => row.id),
  )
  return rows.map(row => viewOf(runtime.secrets, kind, row, assigns.get(row.id) as Assign))
}
