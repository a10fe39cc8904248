import type * as z from 'zod'
import { type Parsed, parseFields, wrongFields } from './field-errors'
import { check, type Data, hiddenFields, type Kind, metaOf, unreadable } from './kind'

// A single exists once for each scope that sets something of it: the network, a group, a device. What a scope does not
// set it inherits from the nearest one above that does, field by field, and last from the field's default.

export type ScopeName = 'network' | 'group' | 'device'
/** Who set a value: a scope by its id and name, or nobody: then it is the field's default. */
export type Source = { scope: ScopeName; id: number; name: string } | { scope: 'default' }
export type Inherited = Readonly<Record<string, { value: unknown; from: Source }>>
/** What a scope sets itself. */
export type Layer = { data: Data; from: Source }

const bare = (type: z.ZodType): z.ZodType =>
  type.def.type === 'default' ? bare((type as z.ZodDefault).unwrap() as z.ZodType) : type

/** The fields as one scope holds them: each may be absent, and no default stands in for what is. */
export const ownFields = (kind: Kind): z.ZodObject =>
  kind.fields.extend(
    Object.fromEntries(
      Object.entries(kind.fields.shape).map(([key, type]) => [key, bare(type as z.ZodType).optional()]),
    ),
  )

/** Fields that are set for a device alone. */
export const deviceFields = (kind: Kind): string[] =>
  Object.entries(kind.fields.shape).flatMap(([key, type]) => (metaOf(type as z.ZodType)?.deviceOnly ? [key] : []))

/** What the fields are that nobody set, as far as they have a default. */
export function defaultsOf(kind: Kind): Data {
  const filled = Object.entries(kind.fields.shape).map(
    ([key, type]) => [key, (type as z.ZodType).safeParse(undefined)] as const,
  )
  return Object.fromEntries(
    filled.flatMap(([key, parsed]) => (parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : [])),
  )
}

/** What each field is without the scope itself. `layers`: those above it, nearest first. */
export function inheritedFrom(kind: Kind, layers: readonly Layer[]): Inherited {
  const bottom: Layer = { data: defaultsOf(kind), from: { scope: 'default' } }
  const found = Object.keys(kind.fields.shape).flatMap(key => {
    const layer = [...layers, bottom].find(one => one.data[key] !== undefined)
    return layer ? [[key, { value: layer.data[key], from: layer.from }] as const] : []
  })
  return Object.fromEntries(found)
}

export const valuesOf = (inherited: Inherited): Data =>
  Object.fromEntries(Object.entries(inherited).map(([key, { value }]) => [key, value]))

/** All fields of a scope; an inherited one that does not exist with these values is left out. `wrong`: own ones, unread. */
export function merged(kind: Kind, own: Data, inherited: Data, wrong: Iterable<string> = []): Data {
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const all = { ...inherited, ...set }
  const hidden = new Set(hiddenFields(kind, unreadable(all, wrong)).filter(key => set[key] === undefined))
  return Object.fromEntries(Object.entries(all).filter(([key]) => !hidden.has(key)))
}

/**
 * Judges what a scope sets, together with what it inherits: rules see the values that will hold. Gives the scope's own
 * values in their stored form. `kept`: secrets not at hand here, own or inherited.
 */
export function checkSingle(
  kind: Kind,
  own: Data,
  inherited: Data,
  { kept = [] }: { kept?: readonly string[] } = {},
): Parsed<Data> {
  const judged = Object.fromEntries(Object.entries(own).filter(([key]) => !kept.includes(key)))
  const parsed = parseFields(ownFields(kind), judged)
  const right = 'data' in parsed ? parsed.data : {}
  const wrong = 'data' in parsed ? [] : wrongFields(parsed.fields)
  const whole = check(kind, merged(kind, { ...own, ...right }, inherited, wrong), { kept })
  return 'data' in whole ? (parsed as Parsed<Data>) : whole
}
