import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog, documents, type networks } from '@/db/schema'
import type { Authority } from '@/model/authority'
import { presentFields } from '@/model/former-fields'
import { type Data, isInherited, type Kind, referredIds } from '@/model/kind'
import { authorityOf, isAnyKindId, isKindId, loadKind, type OwnKindId } from '@/model/registry'
import { defaultsOf } from '@/model/single'
import type { Logging, NetworkContext, OrganizationContext } from '@/server/kernel/call'
import { type DocumentRow, isDamaged, mask, openRow, openSecret } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import {
  type AnyOwnSettings,
  type OwnRow,
  type OwnSettings,
  ownRow,
  removeOwn,
  saveOwn,
} from '@/server/kernel/own-settings'
import { deleteDocuments, saveDocument } from '@/server/networks/settings/documents'
import { saveSingle } from '@/server/networks/settings/singles'
import { networkFor } from '@/server/people/access/access'
import type { LogFields } from './query'

export type LogRow = typeof changelog.$inferSelect

/** A field that was changed again after the entry, and the entry that did it. */
export type Later = { field: string; entry: number }
export type NoRevert =
  | 'noSetting'
  | 'noAuthority'
  | 'networkGone'
  | 'documentGone'
  | 'documentDamaged'
  | 'secretGone'
  | 'changedLater'

/** What undoing an entry would do to the settings as they are now. */
export type RevertView =
  | { can: false; reason: NoRevert; later: Later[] }
  | {
      can: true
      /** The document is changed, deleted (the entry made it) or made again (the entry deleted it). */
      does: 'edit' | 'delete' | 'add'
      /** Secrets are {set: true}, null for none. */
      changes: { field: string; now: unknown; becomes: unknown }[]
    }

type Subject = {
  entry: LogRow
  fields: LogFields
  kind: Kind
  /** Undefined for settings of the manager or an organization. */
  network: typeof networks.$inferSelect | undefined
  document: string
}
/** How settings of the manager and of an organization are saved, by their kind. */
export type Own = Readonly<Record<OwnKindId, AnyOwnSettings>>
type Refused = { reason: NoRevert; later?: Later[] }
const refuses = (one: object): one is Refused => 'reason' in one

const assignField = 'assign'
/** What an entry changed, by the names that fields have now. */
const fieldsOf = ({ object, fields }: Pick<LogRow, 'object' | 'fields'>): LogFields =>
  presentFields(object, JSON.parse(fields) as LogFields, ([before, after], value) => [
    before === null ? null : value(before),
    after === null ? null : value(after),
  ])
const isSecret = (kind: Kind, field: string) => kind.secrets.includes(field)
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

async function subjectOf({ runtime, actor }: OrganizationContext, entry: LogRow): Promise<Subject | Refused> {
  const { object, document } = entry
  if (!document || !isAnyKindId(object) || entry.fields === '{}') return { reason: 'noSetting' }
  if (!actor.authorities.has(`${authorityOf(object)}_edit` as Authority)) return { reason: 'noAuthority' }
  const network = isKindId(object) ? networkFor(runtime.db, actor, entry.network) : undefined
  if (isKindId(object) && !network) return { reason: 'networkGone' }
  return { entry, fields: fieldsOf(entry), kind: await loadKind(object), network, document }
}

/** An entry made its document where it gave the name, and deleted it where it took the name. */
function doneBy({ kind, fields }: Subject): 'add' | 'edit' | 'delete' {
  const title = isInherited(kind) ? undefined : fields[kind.title]
  if (!title || (title[0] !== null && title[1] !== null)) return 'edit'
  return title[0] === null ? 'add' : 'delete'
}

/** Entries after this one about the same document, by the fields they changed. */
function laterChanges(db: Db, { entry, document }: Subject): Later[] {
  const rows = db
    .select({ id: changelog.id, object: changelog.object, fields: changelog.fields })
    .from(changelog)
    .where(and(eq(changelog.document, document), gt(changelog.id, entry.id)))
    .orderBy(asc(changelog.id))
    .all()
  const found = rows.flatMap(row => Object.keys(fieldsOf(row)).map(field => [field, { field, entry: row.id }] as const))
  return [...new Map(found).values()]
}

type Target = { row: DocumentRow | OwnRow; values: Data }

/** The document's values with the entry's fields as they were before it; secrets in clear. */
function turnedBack(context: OrganizationContext, subject: Subject, data: Data): { values: Data } | Refused {
  const { kind, fields, entry, document } = subject
  const kept = JSON.parse(entry.kept ?? '{}') as Record<string, string>
  const values = { ...data }
  for (const [field, [before]] of Object.entries(fields)) {
    if (field === assignField || before === null) delete values[field]
    else if (!isSecret(kind, field)) values[field] = before
    else if (kept[field] === undefined) return { reason: 'secretGone' }
    else values[field] = openSecret(context.runtime.secrets, document, field, kept[field])
  }
  return { values }
}

function targetOf(context: OrganizationContext, db: Db, subject: Subject, does: 'edit' | 'delete'): Target | Refused {
  const { kind, fields, document } = subject
  const row = subject.network
    ? db.select().from(documents).where(eq(documents.id, document)).get()
    : ownRow(db, document)
  if (!row) return { reason: 'documentGone' }
  const opened = openRow(context.runtime.secrets, kind, row)
  if (isDamaged(opened)) return { reason: 'documentDamaged' }
  const changed = laterChanges(db, subject)
  // A secret comes back to where it was sent then, not to where it would be sent by now.
  const about = new Set(Object.keys(fields).flatMap(field => [field, ...(kind.sentTo[field] ?? [])]))
  const later = does === 'edit' ? changed.filter(one => about.has(one.field)) : changed
  const shown = mask(kind, subject.network ? opened.data : { ...defaultsOf(kind), ...opened.data })
  const strange = Object.entries(fields).filter(
    ([field, [, after]]) =>
      field !== assignField && !same(shown[field], after) && !later.some(one => one.field === field),
  )
  if (later.length || strange.length)
    return { reason: 'changedLater', later: [...later, ...strange.map(([field]) => ({ field, entry: 0 }))] }
  if (does === 'delete') return { row, values: {} }
  const back = turnedBack(context, subject, opened.data)
  return refuses(back) ? back : { row, values: back.values }
}

type Plan = { does: 'edit' | 'delete'; target: Target } | { does: 'add'; values: Data }

function planRevert(context: OrganizationContext, db: Db, subject: Subject): Plan | Refused {
  const done = doneBy(subject)
  if (done !== 'delete') {
    const does = done === 'add' ? 'delete' : 'edit'
    const target = targetOf(context, db, subject, does)
    return refuses(target) ? target : { does, target }
  }
  const back = turnedBack(context, subject, {})
  return refuses(back) ? back : { does: 'add', values: back.values }
}

/** What undoing this entry would do, or why it cannot be undone. */
export async function viewRevert(context: OrganizationContext, entry: LogRow): Promise<RevertView> {
  const subject = await subjectOf(context, entry)
  if (refuses(subject)) return { can: false, reason: subject.reason, later: [] }
  const plan = planRevert(context, context.runtime.db, subject)
  if (refuses(plan)) return { can: false, reason: plan.reason, later: plan.later ?? [] }
  const changes = Object.entries(subject.fields).map(([field, [before, after]]) => ({
    field,
    now: after,
    becomes: before,
  }))
  return { can: true, does: plan.does, changes }
}

const scopeOf = ({ scope, scopeId }: DocumentRow) => (scope === 'network' ? {} : { [scope]: scopeId })

/** `lenient`: entries tell the defaults of fields that do not exist with the other values, too. */
function carryOutOwn(context: OrganizationContext & Logging, own: AnyOwnSettings, plan: Plan): void {
  if (plan.does === 'delete') removeOwn(context, own as OwnSettings)
  else {
    const fields = plan.does === 'add' ? plan.values : plan.target.values
    saveOwn(context, own as OwnSettings, { fields, lenient: true, local: true })
  }
}

function carryOut(context: NetworkContext & Logging, { kind, fields }: Subject, plan: Plan): void {
  const [before] = fields[assignField] ?? []
  const assign = before ? { assign: before } : {}
  if (plan.does === 'add') saveDocument(context, kind, { ...plan.values, ...assign }, { goneFiles: true })
  else if (plan.does === 'delete') deleteDocuments(context, kind, [plan.target.row.id])
  else {
    const values = plan.target.values
    const row = plan.target.row as DocumentRow
    if (kind.single) saveSingle(context, kind, { scope: scopeOf(row), revision: row.revision, fields: values })
    else saveDocument(context, kind, { ...values, ...assign, id: row.id, revision: row.revision }, { goneFiles: true })
  }
}

/**
 * Undoes one entry by the settings' own calls, with all their rules; it is an entry of its own. Refuses with
 * revertImpossible {reason, later}, and as saving and deleting settings do.
 */
export async function revertEntry(context: OrganizationContext & Logging, entry: LogRow, own: Own): Promise<void> {
  const subject = await subjectOf(context, entry)
  if (refuses(subject)) return fail('revertImpossible', subject)
  const log: Logging['log'] = one => context.log({ ...one, action: 'revert' })
  context.runtime.db.transaction(tx => {
    const plan = planRevert(context, tx, subject)
    if (refuses(plan)) fail('revertImpossible', plan)
    const { network } = subject
    if (network) carryOut({ ...context, network, log }, subject, plan)
    else carryOutOwn({ ...context, log }, own[subject.kind.id as OwnKindId], plan)
  })
}

/** Names of the documents that the entry's fields refer to, as far as they are there, by their ids. */
export async function referredNames(db: Db, entry: LogRow): Promise<Record<string, string>> {
  if (!isKindId(entry.object)) return {}
  const { refs } = await loadKind(entry.object)
  const fields = JSON.parse(entry.fields) as LogFields
  const ids = Object.keys(refs).flatMap(field => (fields[field] ?? []).flatMap(referredIds))
  if (!ids.length) return {}
  const rows = db
    .select({ id: documents.id, name: documents.name })
    .from(documents)
    .where(inArray(documents.id, ids))
    .all()
  return Object.fromEntries(rows.map(row => [row.id, row.name]))
}
