import { randomBytes, randomUUID } from 'node:crypto'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { devices, documents } from '@/db/schema'
import type { FieldErrors, FieldValues } from '@/model/field-errors'
import { check, type Data, hiddenFields, type Kind } from '@/model/kind'
import { singleKindIds } from '@/model/registry'
import {
  checkSingle,
  deviceFields,
  type Inherited,
  inheritedFrom,
  type Layer,
  merged,
  type ScopeName,
  valuesOf,
} from '@/model/single'
import { logged } from '@/server/kernel/changelog'
import {
  type DocumentRow,
  difference,
  isDamaged,
  mask,
  mustBeCurrent,
  openRow,
  sealData,
  sealedSecrets,
  storeRow,
  withKept,
} from '@/server/kernel/documents'
import { fail, failFields } from '@/server/kernel/fail'
import type { Secrets } from '@/server/kernel/secrets'
import { findGroup, networkGroups, pathOf } from '@/server/networks/groups/groups'
import { type SettingsContext, writeRefs } from './documents'
import { allProblems, passes } from './problems'

/** On the wire: the network when both are absent. */
export type ScopeInput = { group?: number | undefined; device?: number | undefined }
type Scope = { scope: ScopeName; id: number; name: string }
type Own = { network: { id: number; name: string } }

/** A single as a call answers it. */
export type SingleView = {
  scope: Scope
  /** What the scope sets itself, secrets masked. */
  own: Data
  /** What each field is without that, and whose value that is. */
  inherited: Inherited
  /** 0 before the first save. */
  revision: number
  /** Field errors of stored values that no longer parse. */
  damaged?: FieldErrors
}

const deviceOf = (db: Db, network: number, id: number) =>
  db
    .select({ id: devices.id, name: devices.name, group: devices.group })
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.network, network)))
    .get() ?? fail('deviceNotFound')

/** The scope asked for and those above it, nearest first. */
function scopesOf(db: Db, { network }: Own, { group, device }: ScopeInput): [Scope, ...Scope[]] {
  if (group !== undefined && device !== undefined) failFields({ 'scope.group': 'notUsed' })
  const whole: Scope = { scope: 'network', id: network.id, name: network.name }
  const rows = networkGroups(db, network.id)
  const groups = (id: number | null): Scope[] =>
    pathOf(rows, id).map(one => ({ scope: 'group', id: one, name: rows.find(row => row.id === one)?.name ?? '' }))
  if (device !== undefined) {
    const found = deviceOf(db, network.id, device)
    return [{ scope: 'device', id: found.id, name: found.name }, ...groups(found.group), whole]
  }
  if (group === undefined) return [whole]
  const [own, ...above] = groups(findGroup(db, network.id, group).id)
  return [own as Scope, ...above, whole]
}

/** Whose settings an address asks for; undefined for the network's, and where nobody by that number is in it. */
export function scopeAt(db: Db, network: number, { group, device }: ScopeInput): Scope | undefined {
  if (device !== undefined) {
    const own = and(eq(devices.id, device), eq(devices.network, network))
    const found = db.select({ id: devices.id, name: devices.name }).from(devices).where(own).get()
    return found && { scope: 'device', ...found }
  }
  const found = networkGroups(db, network).find(({ id }) => id === group)
  return found && { scope: 'group', id: found.id, name: found.name }
}

/** Singles of a network, its groups and its devices. */
export function singleRows(db: Db, network: number, kindIds: readonly string[] = singleKindIds): DocumentRow[] {
  if (!kindIds.length) return []
  const groups = networkGroups(db, network).map(row => row.id)
  const own = db.select({ id: devices.id }).from(devices).where(eq(devices.network, network))
  return db
    .select()
    .from(documents)
    .where(
      and(
        inArray(documents.kind, [...kindIds]),
        or(
          and(eq(documents.scope, 'network'), eq(documents.scopeId, network)),
          and(eq(documents.scope, 'group'), inArray(documents.scopeId, groups)),
          and(eq(documents.scope, 'device'), inArray(documents.scopeId, own)),
        ),
      ),
    )
    .all()
}

const rowAt = (rows: readonly DocumentRow[], kind: string, at: Pick<Scope, 'scope' | 'id'>) =>
  rows.find(row => row.kind === kind && row.scope === at.scope && row.scopeId === at.id)

/** What the scopes set, nearest first. A damaged one sets nothing here: it is told where it is shown. */
function layersOf(secrets: Secrets, kind: Kind, rows: readonly DocumentRow[], scopes: readonly Scope[]): Layer[] {
  return scopes.flatMap(from => {
    const row = rowAt(rows, kind.id, from)
    const opened = row && openRow(secrets, kind, row)
    return opened && !isDamaged(opened) ? [{ data: opened.data, from }] : []
  })
}

function viewAt(
  context: Pick<SettingsContext, 'runtime'>,
  kind: Kind,
  rows: readonly DocumentRow[],
  scopes: [Scope, ...Scope[]],
): SingleView {
  const { secrets } = context.runtime
  const [scope, ...above] = scopes
  const row = rowAt(rows, kind.id, scope)
  const opened = row ? openRow(secrets, kind, row) : { data: {} }
  const inherited = inheritedFrom(kind, layersOf(secrets, kind, rows, above))
  const masked = mask(kind, valuesOf(inherited))
  return {
    scope,
    own: isDamaged(opened) ? {} : mask(kind, opened.data),
    inherited: Object.fromEntries(
      Object.entries(inherited).map(([key, { from }]) => [key, { value: masked[key], from }]),
    ),
    revision: row?.revision ?? 0,
    ...(isDamaged(opened) && { damaged: opened.damaged }),
  }
}

export function viewSingle(context: Own & Pick<SettingsContext, 'runtime'>, kind: Kind, at: ScopeInput): SingleView {
  const { db } = context.runtime
  return viewAt(context, kind, singleRows(db, context.network.id, [kind.id]), scopesOf(db, context, at))
}

/** With a secret of its own for each that is needed, is not given, and that no scope above has. */
function withMade(kind: Kind, own: Data, inherited: Data): Data {
  const all = merged(kind, own, inherited)
  const hidden = hiddenFields(kind, all)
  const missing = kind.made.filter(key => all[key] === undefined && !hidden.includes(key))
  return { ...own, ...Object.fromEntries(missing.map(key => [key, randomBytes(24).toString('base64url')])) }
}

/** What is wrong besides, by what the scope sets itself and by all that then holds there. */
type Beside = (own: Data, whole: Data) => { fields: FieldErrors; values: FieldValues }
type Saving = { scope: ScopeInput; revision: number; fields: Data; beside?: Beside | undefined }

type Judging = Own & Pick<SettingsContext, 'runtime'>

/** What a save of this input writes, where every check lets it pass; refuses as the save does. */
function judged(context: Judging, tx: Db, kind: Kind, input: Saving) {
  const { secrets } = context.runtime
  const rows = singleRows(tx, context.network.id, [kind.id])
  const scopes = scopesOf(tx, context, input.scope)
  const [scope, ...above] = scopes
  const row = rowAt(rows, kind.id, scope)
  mustBeCurrent(input.revision, row?.revision ?? 0, () => viewAt(context, kind, rows, scopes))
  const misplaced = scope.scope === 'device' ? [] : deviceFields(kind).filter(key => input.fields[key] !== undefined)
  const opened = row && openRow(secrets, kind, row)
  const stored = opened && !isDamaged(opened) ? opened.data : {}
  const inherited = valuesOf(inheritedFrom(kind, layersOf(secrets, kind, rows, above)))
  const { filled, missing } = withKept(kind, input.fields, stored)
  const own = withMade(kind, filled, inherited)
  const checked = checkSingle(kind, own, inherited)
  const beside = input.beside?.(own, merged(kind, own, inherited)) ?? { fields: {}, values: {} }
  const more = {
    ...beside.fields,
    ...missing,
    ...Object.fromEntries(misplaced.map(key => [key, 'deviceOnly' as const])),
  }
  const wrong = allProblems(tx, kind, context.network.id, { given: own, checked, more })
  if (Object.keys(wrong.fields).length || !('data' in checked))
    return fail('invalidInput', { ...wrong, values: { ...beside.values, ...wrong.values } })
  return { data: checked.data, stored, row, scope }
}

/** Whether `saveSingle` would take it; nothing is written. */
export const isSingleSaveable = (context: Judging, kind: Kind, input: Saving): boolean =>
  passes(() => judged(context, context.runtime.db, kind, input))

/**
 * Sets what a scope has of its own: fields that are absent are inherited from then on. Judged together with what is
 * inherited. The row stays when nothing is left, so that its revision goes on counting.
 */
export function saveSingle(context: SettingsContext & Own, kind: Kind, input: Saving): { revision: number } {
  const { runtime, network, actor, now } = context
  const saved = runtime.db.transaction(tx => {
    const { data: next, stored, row, scope } = judged(context, tx, kind, input)
    const id = row?.id ?? randomUUID()
    const revision = (row?.revision ?? 0) + 1
    const data = sealData(runtime.secrets, kind, id, next)
    const place = { organization: actor.organization, scope: scope.scope, scopeId: scope.id, kind: kind.id }
    storeRow(tx, !row, { ...place, id, data, revision }, { account: actor.account, now })
    writeRefs(tx, kind, id, next)
    const fields = difference(kind, stored, next)
    const kept = row && sealedSecrets(kind, row, fields)
    context.log({
      action: 'edit',
      object: logged(kind),
      name: scope.name,
      network: network.id,
      fields,
      document: id,
      kept,
    })
    return { revision }
  })
  runtime.bus.emit({ topic: 'settings', id: network.id, organization: actor.organization, network: network.id })
  return saved
}

type Planned = { id: number; path: readonly number[]; network: number }

/**
 * A single as a device should have it; undefined where nobody set anything of it: then the device stays as it is.
 * `contradicts`: the scopes' values do not go together, or one is damaged.
 */
export function desiredSingle(
  secrets: Secrets,
  kind: Kind,
  rows: readonly DocumentRow[],
  device: Planned,
): { data: Data } | { contradicts: true } | undefined {
  const scopes: Scope[] = [
    { scope: 'device', id: device.id, name: '' },
    ...device.path.map(id => ({ scope: 'group' as const, id, name: '' })),
    { scope: 'network', id: device.network, name: '' },
  ]
  const held = scopes.flatMap(scope => rowAt(rows, kind.id, scope) ?? [])
  const opened = held.map(row => openRow(secrets, kind, row))
  if (opened.some(isDamaged)) return { contradicts: true }
  const layers = layersOf(secrets, kind, rows, scopes)
  if (!layers.some(layer => Object.keys(layer.data).length)) return undefined
  const values = merged(kind, {}, valuesOf(inheritedFrom(kind, layers)))
  const checked = check(kind, values)
  return 'data' in checked ? { data: checked.data } : { contradicts: true }
}
