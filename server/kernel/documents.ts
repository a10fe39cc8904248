import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '@/db/client'
import { documents } from '@/db/schema'
import { type FieldError, type FieldErrors, parseFields } from '@/model/field-errors'
import { type Data, hiddenFields, isInherited, type Kind } from '@/model/kind'
import { ownFields } from '@/model/single'
import { fail } from './fail'
import type { Secrets } from './secrets'

// Rows of settings, whoever's they are: how they are stored, opened, shown and compared.

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

export function parseStored(text: string): Data | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Data) : undefined
  } catch {
    return undefined
  }
}

/** Without the defaults of fields that do not exist with these values: what is read can be saved again as it is. */
function existing(kind: Kind, data: Data): Data {
  const hidden = isInherited(kind) ? [] : hiddenFields(kind, data)
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
  const parsed = parseFields(isInherited(kind) ? ownFields(kind) : kind.fields, clear)
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

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** {field: [before, after]} of what differs; a changed secret shows as set before and after. */
export function difference(kind: Kind, before: Data, after: Data): Record<string, [unknown, unknown]> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    key => !same(before[key], after[key]),
  )
  const [shownBefore, shownAfter] = [mask(kind, before), mask(kind, after)]
  return Object.fromEntries(keys.map(key => [key, [shownBefore[key], shownAfter[key]] as [unknown, unknown]]))
}

/** Refuses what was decided upon another revision than the stored one, with the current value. */
export function mustBeCurrent(decided: number, stored: number, current: () => object): void {
  if (decided !== stored) fail('staleRevision', { current: current() })
}

/** `{set: true}`: the secret stays as it is stored. */
export const isKept = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  (value as { set?: unknown }).set === true &&
  Object.keys(value).length === 1

/** A kept secret that would be sent elsewhere than it was given for. */
const isLed = ({ sentTo, fields: { shape } }: Kind, key: string, fields: Data, before: Data) =>
  (sentTo[key] ?? []).some(place => {
    // Not told, now and then: a default would look like another place.
    if (same(fields[place], before[place])) return false
    const { success, data } = (shape[place] as z.ZodType).safeParse(fields[place])
    return success && !same(data, before[place])
  })

/** `{set: true}` stands for the stored secret; where there is none, or it would go elsewhere, the field is `missing`. */
export function withKept(kind: Kind, fields: Data, before: Data | undefined): { filled: Data; missing: FieldErrors } {
  const kept = kind.secrets.filter(key => isKept(fields[key]))
  const stored = kept.flatMap(key => (before?.[key] === undefined ? [] : [[key, before[key]] as const]))
  const missing = kept.flatMap((key): [string, FieldError][] => {
    if (before?.[key] === undefined) return [[key, 'required']]
    return isLed(kind, key, fields, before) ? [[key, 'typeAgain']] : []
  })
  return { filled: { ...fields, ...Object.fromEntries(stored) }, missing: Object.fromEntries(missing) }
}

type Row = Pick<DocumentRow, 'id' | 'organization' | 'scope' | 'scopeId' | 'kind' | 'data' | 'revision'> &
  Partial<Pick<DocumentRow, 'name' | 'position'>>

/** Writes a document as it is from now on. A `fresh` one is new; of another its place stays as it was. */
export function storeRow(tx: Db, fresh: boolean, row: Row, by: { account: string; now: number }): void {
  const { id, name = '', data, revision } = row
  const body = { name, data, revision, changedAt: by.now, changedBy: by.account }
  if (fresh)
    tx.insert(documents)
      .values({ ...row, ...body, createdAt: by.now })
      .run()
  else tx.update(documents).set(body).where(eq(documents.id, id)).run()
}
