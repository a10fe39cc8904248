import { type Data, hiddenFields, type Kind } from '@/model/kind'
import type { FormSpec } from './spec'

/** A stored secret that stays as it is. */
export const kept = { set: true } as const
export const isKept = (value: unknown): value is typeof kept =>
  typeof value === 'object' && value !== null && (value as { set?: unknown }).set === true

export type Assign = { all: boolean; groups: number[]; devices: number[] }
export type FormValues = { fields: Data; assign: Assign }

/** A form's values to begin with: the stored document's, or the defaults. */
export function startValues(spec: FormSpec, stored: Data | undefined): FormValues {
  const fields = Object.fromEntries(
    Object.values(spec.fields).map(({ key, default: otherwise, widget }) => [
      key,
      stored ? stored[key] : (otherwise ?? (widget === 'text' ? '' : undefined)),
    ]),
  )
  return { fields, assign: (stored?.assign as Assign | undefined) ?? { all: true, groups: [], devices: [] } }
}

/** What the call takes: no empty field, none that does not exist with the other values. */
export function cleaned(kind: Kind, fields: Data): Data {
  const filled = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  const given = Object.fromEntries(filled)
  const hidden = hiddenFields(kind, given)
  return Object.fromEntries(filled.filter(([key]) => !hidden.includes(key)))
}

export const keptKeys = (fields: Data): string[] => Object.keys(fields).filter(key => isKept(fields[key]))

/** An error at `bands.0` belongs to the field `bands`. */
export const fieldOf = (path: string): string => path.split('.')[0] ?? path

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
export const changedKeys = (before: Data, now: Data): string[] =>
  Object.keys(now).filter(
    key => !same(before[key] === '' ? undefined : before[key], now[key] === '' ? undefined : now[key]),
  )
