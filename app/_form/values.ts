import type * as z from 'zod'
import type { Assign } from '@/model/assign'
import type { Widget } from '@/model/field-meta'
import { type Data, hiddenFields, type Kind, metaOf } from '@/model/kind'
import type { FieldSpec, KindSpec } from './spec'

/** A stored secret that stays as it is. */
export const kept = { set: true } as const
export const isKept = (value: unknown): value is typeof kept =>
  typeof value === 'object' && value !== null && (value as { set?: unknown }).set === true

export type FormValues = { fields: Data; assign: Assign }

const begin: Partial<Record<FieldSpec['widget'], unknown>> = { text: '', lines: [], rows: [], refs: [] }

/** What a field begins with where nothing is stored. */
export const startOf = ({ default: otherwise, widget }: FieldSpec): unknown => otherwise ?? begin[widget]

/** A form's values to begin with: the stored document's, or the defaults. */
export function startValues(spec: KindSpec, stored: Data | undefined): FormValues {
  const fields = Object.fromEntries(
    Object.values(spec.fields).map(field => [field.key, stored ? stored[field.key] : startOf(field)]),
  )
  return { fields, assign: (stored?.assign as Assign | undefined) ?? { all: true, groups: [], devices: [] } }
}

/** Controls that show an example while they are empty, and so cannot say which default would hold. */
const withExample: ReadonlySet<Widget | undefined> = new Set<Widget>(['time', 'date', 'instant'])
/** Has a default and is needed all the same: emptied, it is no choice of the default. */
export const isNeeded = ({ default: otherwise, widget }: Pick<FieldSpec, 'default' | 'widget'>): boolean =>
  otherwise !== undefined && withExample.has(widget)
const neededOf = ({ fields }: Kind): string[] =>
  Object.entries<z.ZodType>(fields.shape).flatMap(([key, type]) =>
    type.def.type === 'default' && withExample.has(metaOf(type)?.widget) ? [key] : [],
  )

const isEmpty = (value: unknown) => value === undefined || value === ''
/** Without what is empty, in rows and lists too. */
function filledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(one => !isEmpty(one)).map(filledIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (isEmpty(one) ? [] : [[key, filledIn(one)]])))
}

/**
 * What the call takes: no empty field, none that does not exist with the other values. One that is needed stays, empty,
 * and is refused; where a scope above has a value, empty is that one.
 */
export function cleaned(kind: Kind, fields: Data, inherited?: Data): Data {
  const emptied = inherited ? [] : neededOf(kind).filter(key => fields[key] === '')
  const given = { ...(filledIn(fields) as Data), ...Object.fromEntries(emptied.map(key => [key, ''])) }
  const hidden = hiddenFields(kind, { ...inherited, ...given })
  return Object.fromEntries(Object.entries(given).filter(([key]) => !hidden.includes(key)))
}

/**
 * Whether a field that may be absent by itself has to be filled in with these values: an empty list or none is refused by its
 * type, or at it by a rule. `inherited`: what holds where a scope leaves it out.
 */
export function isDemanded(kind: Kind, values: Data, field: string, inherited?: Data): boolean {
  const type = kind.fields.shape[field]
  const isList = Array.isArray(values[field])
  if (!type || (type.def.type === 'default' && !isList)) return false
  const emptied = isList ? [] : inherited?.[field]
  if (isList && !type.safeParse([]).success) return true
  const whole = { ...values, [field]: emptied }
  return kind.rules.some(({ path, holds }) => {
    if (path !== field) return false
    try {
      return !holds(whole, [])
    } catch {
      // A rule reads what is not right yet by itself: nothing is known of this one.
      return false
    }
  })
}

export const keptKeys = (fields: Data): string[] => Object.keys(fields).filter(key => isKept(fields[key]))

const isNone = (value: unknown) => isEmpty(value) || (Array.isArray(value) && value.length === 0)
/** Is it the same to a person? Empty is empty, however. */
export const same = (a: unknown, b: unknown) =>
  (isNone(a) && isNone(b)) || JSON.stringify(filledIn(a)) === JSON.stringify(filledIn(b))
export const changedKeys = (before: Data, now: Data): string[] =>
  Object.keys(now).filter(key => !same(before[key], now[key]))
