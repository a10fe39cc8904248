import { eq, like, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { settings } from '@/db/schema'
import type { FieldError, FieldErrors } from '@/model/field-errors'
import { check, type Data, type Kind, type KindOf } from '@/model/kind'
import { defaultsOf } from '@/model/single'
import type { Logging, OrganizationContext, Topic } from './call'
import { logged } from './changelog'
import {
  difference,
  isDamaged,
  mask,
  mustBeCurrent,
  openRow,
  parseStored,
  sealData,
  sealedSecrets,
  withKept,
} from './documents'
import { fail, requirePrivate } from './fail'
import { isDemanded, without, withoutEmpty, withoutHidden, withoutNothing } from './own-fields'
import type { Runtime } from './runtime'
import type { Secrets } from './secrets'

// Settings of the manager itself and of an organization: one document each, declared as kinds (model/registry.ts).

/** Settings that an earlier version kept elsewhere. */
export type Former = { organization?: number; values: Data }

/** A kind of the manager's or an organization's own settings, with what its area does beside keeping them. */
export type OwnSettings<V extends object = Data> = {
  kind: KindOf<V>
  /** What is old after they were saved, where it is not settings alone. */
  topics?: readonly Topic[]
  /** What the manager alone can judge: message keys at fields, undefined where all is well. It may refuse by `fail()`, too. */
  judge?(context: OrganizationContext, next: V, before: V): Readonly<Record<string, FieldError | undefined>>
  /** In the transaction that stores them. */
  storing?(context: OrganizationContext, tx: Db, next: V, before: V): void
  /** Once they hold: after a save, a removal, an undo. */
  applied?(runtime: Runtime): void
  /** Takes from the database what an earlier version kept there; a transaction is around it. */
  former?(runtime: Runtime): Former[]
}
/** With the type of its values forgotten, as lists of them are handled. */
export type AnyOwnSettings = Omit<OwnSettings<never>, 'kind'> & { kind: Kind }

type Owner = { secrets?: Secrets; organization?: number }

/** Under what name the one document of a kind is kept; the changelog knows it by that. */
export const ownId = ({ id, scope }: Kind, organization = 0): string =>
  scope === 'manager' ? `manager:${id}` : `organization:${organization}:${id}`

/** As it is kept: settings that were removed are without data, and their revision goes on counting. */
type Kept = { data?: string; revision: number; changedAt: number; changedBy: string }
/** A document of settings that are set. */
export type OwnRow = Kept & { id: string; data: string }

const keptOf = (db: Db, id: string): Kept | undefined => {
  const row = prepared(db, 'own settings', () =>
    db
      .select()
      .from(settings)
      .where(eq(settings.key, sql.placeholder('id')))
      .prepare(),
  ).get({ id })
  return row && (JSON.parse(row.value) as Kept)
}

/** The document of that name, where it is set. */
export function ownRow(db: Db, id: string): OwnRow | undefined {
  const kept = keptOf(db, id)
  return kept?.data === undefined ? undefined : { ...kept, id, data: kept.data }
}
const rowOf = (db: Db, kind: Kind, organization?: number) => ownRow(db, ownId(kind, organization))
const revisionOf = (db: Db, kind: Kind, organization?: number): number =>
  keptOf(db, ownId(kind, organization))?.revision ?? 0

function keep(db: Db, id: string, kept: Kept): void {
  const value = JSON.stringify(kept)
  db.insert(settings).values({ key: id, value }).onConflictDoUpdate({ target: settings.key, set: { value } }).run()
}

/** The organizations that have settings of a kind, by their numbers. */
export const organizationsWith = (db: Db, kind: Kind): number[] =>
  prepared(db, 'organizations with own settings', () =>
    db
      .select({ key: settings.key })
      .from(settings)
      .where(like(settings.key, sql.placeholder('keys')))
      .prepare(),
  )
    .all({ keys: `organization:%:${kind.id}` })
    .map(({ key }) => Number(key.split(':')[1]))

/** Without `secrets` those of the settings are left out. */
function opened(kind: Kind, row: OwnRow | undefined, secrets?: Secrets): Data | undefined {
  if (!row) return undefined
  const readable = secrets ? row : { ...row, data: JSON.stringify(without(parseStored(row.data) ?? {}, kind.secrets)) }
  const found = openRow(secrets as Secrets, kind, readable)
  return isDamaged(found) ? undefined : { ...defaultsOf(kind), ...found.data }
}

/** The settings as they are set, with the defaults of what is not; undefined where nobody set them, or they are damaged. */
export const readOwn = <V>(db: Db, kind: KindOf<V>, { secrets, organization }: Owner = {}): V | undefined =>
  opened(kind, rowOf(db, kind, organization), secrets) as V | undefined

/** The same of a kind all of whose fields have defaults: these where nobody set them. */
export const readOwnOrDefaults = <V>(db: Db, kind: KindOf<V>, owner: Owner = {}): V =>
  readOwn(db, kind, owner) ?? (defaultsOf(kind) as V)

/** Settings as a call answers them: secrets masked; `revision` is 0 before the first save. */
export type OwnView = { values: Data; revision: number; damaged?: FieldErrors }

type Viewing = { runtime: Runtime; actor: { organization: number } }

/** What is answered can be saved again as it is: no default of a field that does not exist with the others. */
export function viewOwn({ runtime: { db, secrets }, actor }: Viewing, kind: Kind): OwnView {
  const row = rowOf(db, kind, actor.organization)
  const revision = revisionOf(db, kind, actor.organization)
  if (!row) return { values: withoutHidden(kind, defaultsOf(kind)), revision }
  const found = openRow(secrets, kind, row)
  if (!isDamaged(found)) return { values: mask(kind, found.data), revision }
  const stored = parseStored(row.data) ?? {}
  const unknown = Object.keys(stored).filter(key => !Object.hasOwn(kind.fields.shape, key))
  return { values: mask(kind, without(stored, unknown)), revision, damaged: found.damaged }
}

type Given = {
  fields: Data
  /** The one that was read; without it what is stored meanwhile is written over. */
  revision?: number | undefined
  /**
   * What does not exist with these values, an empty text where there may be none, and a kept secret where there is none,
   * are left out instead of refused: as calls take them that are older than the kinds.
   */
  lenient?: boolean
  /** The values come from the manager itself: no secret among them travelled. */
  local?: boolean
}

/**
 * The settings as they would be stored, kept secrets in clear. Refuses as saving does: secureOnly, staleRevision
 * {current}, invalidInput {fields}, and by what the area judges.
 */
export function judgeOwn<V extends object>(
  context: OrganizationContext,
  { kind, judge }: OwnSettings<V>,
  { fields, revision, lenient, local }: Given,
): { next: V; before: V; row: OwnRow | undefined } {
  const { runtime, actor } = context
  if (!local && kind.secrets.some(key => typeof fields[key] === 'string')) requirePrivate(context)
  const row = rowOf(runtime.db, kind, actor.organization)
  if (revision !== undefined)
    mustBeCurrent(revision, revisionOf(runtime.db, kind, actor.organization), () => viewOwn(context, kind))
  const before = opened(kind, row, runtime.secrets) ?? defaultsOf(kind)
  const given = lenient ? withoutNothing(kind, withoutEmpty(kind, fields), before) : fields
  const { filled, missing } = withKept(kind, given, before)
  const checked = check(kind, lenient ? withoutHidden(kind, filled) : filled)
  const told = 'data' in checked ? { fields: {}, values: {} } : checked
  const wrong = { ...told.fields, ...missing }
  if (!('data' in checked) || Object.keys(wrong).length) return fail('invalidInput', { ...told, fields: wrong })
  const more = Object.entries(judge?.(context, checked.data as V, before as V) ?? {})
  const refused = more.flatMap(([field, problem]) => (problem ? [[field, problem] as const] : []))
  if (refused.length) fail('invalidInput', { fields: Object.fromEntries(refused) })
  return { next: checked.data as V, before: before as V, row }
}

type Storing = { runtime: Runtime; actor: { organization: number; account: string }; now: number }

/** Writes settings that were judged, or need not be; undefined removes them. Returns their revision. */
export function storeOwn<V extends object>(
  { runtime, actor, now }: Storing,
  tx: Db,
  kind: KindOf<V>,
  values: V | undefined,
): number {
  const id = ownId(kind, actor.organization)
  const revision = (keptOf(tx, id)?.revision ?? 0) + 1
  const data = values && sealData(runtime.secrets, kind, id, values as Data)
  keep(tx, id, { ...(data !== undefined && { data }), revision, changedAt: now, changedBy: actor.account })
  return revision
}

/** What names the settings in the changelog. */
const nameOf = ({ title }: Kind, values: Data): string => (title ? String(values[title] ?? '') : '')

/** Judges and stores in one transaction, and tells the changelog. The values that hold from now on, secrets in clear. */
export function saveOwn<V extends object>(
  context: OrganizationContext & Logging,
  own: OwnSettings<V>,
  given: Given,
): { revision: number; values: V } {
  const { runtime, actor } = context
  const { kind } = own
  const saved = runtime.db.transaction(tx => {
    const { next, before, row } = judgeOwn(context, own, given)
    const id = ownId(kind, actor.organization)
    const revision = storeOwn(context, tx, kind, next)
    own.storing?.(context, tx, next, before)
    const fields = difference(kind, before as Data, { ...defaultsOf(kind), ...next })
    const made = !row && isDemanded(kind, kind.title)
    context.log({
      action: made ? 'add' : 'edit',
      object: logged(kind),
      name: nameOf(kind, next as Data),
      fields,
      document: id,
      ...(row && { kept: sealedSecrets(kind, row, fields) }),
    })
    return { revision, values: next }
  })
  own.applied?.(runtime)
  return saved
}

/** Removes settings that are set; false where they are not. */
export function removeOwn<V extends object>(
  context: OrganizationContext & Logging,
  { kind, applied }: OwnSettings<V>,
): boolean {
  const { runtime, actor } = context
  const removed = runtime.db.transaction(tx => {
    const row = rowOf(tx, kind, actor.organization)
    if (!row) return false
    const before = opened(kind, row, runtime.secrets)
    const fields = before ? difference(kind, before, defaultsOf(kind)) : {}
    const name = before ? nameOf(kind, before) : ''
    const kept = sealedSecrets(kind, row, fields)
    storeOwn(context, tx, kind, undefined)
    context.log({ action: 'delete', object: logged(kind), name, fields, document: row.id, kept })
    return true
  })
  if (removed) applied?.(runtime)
  return removed
}

/**
 * Sets what nobody has to be asked about and the changelog need not tell: what an earlier version had, where nothing is
 * set yet. Fields that are empty are left out.
 */
export function adoptOwn<V extends object>(
  runtime: Runtime,
  kind: KindOf<V>,
  { organization = 0, values }: Former,
): void {
  const { db } = runtime
  if (keptOf(db, ownId(kind, organization))) return
  const known = withoutHidden(kind, withoutEmpty(kind, values))
  storeOwn({ runtime, actor: { organization, account: '' }, now: Date.now() }, db, kind, known as V)
}

/**
 * Brings what earlier versions kept elsewhere to where it is kept now; what is set already stays. What cannot be read,
 * as a secret under another key, stays where it is: the manager starts without it.
 */
export function moveFormer(runtime: Runtime, all: readonly AnyOwnSettings[]): void {
  for (const { kind, former } of all)
    try {
      runtime.db.transaction(() => {
        for (const found of former?.(runtime) ?? []) adoptOwn(runtime, kind, found)
      })
    } catch (error) {
      console.error(`settings of an earlier version, ${kind.id}:`, error instanceof Error ? error.message : error)
    }
}
