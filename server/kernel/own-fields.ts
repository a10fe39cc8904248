import * as z from 'zod'
import { type Data, hiddenFields, type Kind } from '@/model/kind'
import { defaultsOf } from '@/model/single'
import { isKept } from './documents'
import { secretInput } from './secret-input'

// What of given fields counts, by what the kind says of each. Pure.

const takesNone = (kind: Kind, key: string): boolean => {
  const { success, data } = (kind.fields.shape[key] as z.ZodType | undefined)?.safeParse(undefined) ?? {}
  return success === true && data === undefined
}

export const isDemanded = (kind: Kind, key: string): boolean =>
  (kind.fields.shape[key] as z.ZodType | undefined)?.safeParse(undefined).success === false

/** An empty text stands for a field that may be left out, and for a secret that there is none of. */
export const withoutEmpty = (kind: Kind, fields: Data): Data =>
  without(
    fields,
    Object.keys(fields).filter(key => fields[key] === '' && takesNone(kind, key)),
  )

export const without = (fields: Data, keys: readonly string[]): Data =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)))
export const withoutHidden = (kind: Kind, fields: Data): Data =>
  without(fields, hiddenFields(kind, { ...defaultsOf(kind), ...fields }))
export const withoutNothing = (kind: Kind, fields: Data, before: Data): Data =>
  without(
    fields,
    kind.secrets.filter(key => isKept(fields[key]) && before[key] === undefined),
  )

/** What a call takes that is older than the kind: its fields, a kept secret as {set: true}, and '' for what may be left out. */
export function olderInput(kind: Kind) {
  const shape = Object.entries(kind.fields.shape).map(([key, type]) => {
    const may = kind.secrets.includes(key)
      ? secretInput
      : takesNone(kind, key)
        ? z.union([z.literal(''), type as z.ZodType])
        : type
    return [key, may] as const
  })
  return z.strictObject(Object.fromEntries(shape) as Record<string, z.ZodType>)
}

/**
 * What a save takes beside the kind's own fields: the revision that was read, and what is answered as it was read, whose
 * `values` are fields.
 */
export const ownEnvelope = z.strictObject({
  revision: z.int().min(0),
  values: z.record(z.string(), z.unknown()).default({}),
  damaged: z.unknown().optional().meta({ readOnly: true }),
})
