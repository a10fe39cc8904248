import type * as z from 'zod'
import { type FieldError, type FieldErrors, type Parsed, parseFields, rightFields, wrongFields } from './field-errors'
import type { FieldMeta } from './field-meta'
import type { MediaSort } from './guests/media'

type Values<F extends z.ZodObject> = z.output<F>

/**
 * A cross-field rule: what is wrong, the field it is shown at, and when it holds. `others`: the same scope's other
 * documents; with `onDevice` only those that a device of its own gets, too.
 */
export type Rule<V> = { key: FieldError; path: string; holds(value: V, others: readonly V[]): boolean; onDevice?: true }
/**
 * A field in its place on the form; with `when`, it exists only while that is true. `beside`: on one line with the field
 * before it, where there is room.
 */
export type Place<V> = { key: string; when?(value: V): boolean; beside?: true }
/** `fold`: closed at first where all of it is as it is by default. */
export type Section<V> = { id: string; fields: readonly Place<V>[]; fold?: true }

type Sections<F extends z.ZodObject> = readonly {
  id: string
  fields: readonly ((keyof Values<F> & string) | Place<Values<F>>)[]
  fold?: true
}[]

type Spec<F extends z.ZodObject, Id extends string = string> = {
  id: Id
  /** Namespace of its words: locales/en/<area>.json under the kind's id. */
  area: string
  /** Whose setting it is. Those of the manager and of an organization exist once, and nothing inherits them. */
  scope: 'network' | 'organization' | 'manager'
  /** Most documents in one scope. */
  max: number
  /** The order of the documents means something, as with rules: lists let a person change it. */
  ordered?: boolean
  /** Field that names a document in lists and messages. */
  title: keyof Values<F> & string
  /** Chosen in lists of the kind, in this order. */
  columns: readonly (keyof Values<F> & string)[]
  fields: F
  sections: Sections<F>
  rules: readonly Rule<Values<F>>[]
  /** A document that cannot be deleted while this holds; `others`: those that would be left on devices of its own. */
  keeps?(value: Values<F>, others: readonly Values<F>[]): boolean
  /** The values as they hold on one device, where rows of it say something else. */
  onDevice?(value: Values<F>, device: number): Values<F>
}

/** A document's values, whatever its kind. */
export type Data = Record<string, unknown>
export type Kind<Id extends string = string> = Omit<
  Spec<z.ZodObject, Id>,
  'sections' | 'rules' | 'title' | 'columns' | 'keeps' | 'onDevice'
> & {
  title: string
  columns: readonly string[]
  sections: readonly Section<Data>[]
  rules: readonly Rule<Data>[]
  keeps?(value: Data, others: readonly Data[]): boolean
  onDevice?(value: Data, device: number): Data
  /** Fields with rows of single devices. */
  perDevice: readonly string[]
  /** Fields stored sealed and never sent out. */
  secrets: readonly string[]
  /** Those of them that are made when none is given. */
  made: readonly string[]
  /** Of those that are sent somewhere, the fields that say where. */
  sentTo: Readonly<Record<string, readonly string[]>>
  /** Field → kind it refers to; the field holds one id or a list of them. */
  refs: Readonly<Record<string, string>>
  /** Field → what sort of file it names, by one id or a list of them. */
  files: Readonly<Record<string, MediaSort>>
  /** Once for each scope instead of a list: see model/single.ts. */
  single?: boolean
}
/** A kind that knows the type of its values. */
export type KindOf<V, Id extends string = string> = Kind<Id> & { readonly holds?: V }
/** Set by the network, its groups and its devices, each inheriting from the one above. */
export const isInherited = (kind: Kind): boolean => kind.single === true && kind.scope === 'network'

export const metaOf = (type: z.ZodType): FieldMeta | undefined => {
  const own = type.meta() as FieldMeta | undefined
  if (own?.widget) return own
  const inner = (type as { unwrap?(): z.ZodType }).unwrap?.()
  return inner ? metaOf(inner) : undefined
}

/** Declares one kind of setting; everything else is made of this (calls, checks, storage, list and form page). */
export function kind<F extends z.ZodObject, const Id extends string>(spec: Spec<F, Id>): Kind<Id> {
  const metas = Object.entries(spec.fields.shape).map(([key, type]) => [key, metaOf(type as z.ZodType)] as const)
  return {
    ...spec,
    sections: spec.sections.map(({ id, fields, fold }) => ({
      id,
      ...(fold && { fold }),
      fields: fields.map(place => (typeof place === 'string' ? { key: place } : place)) as Place<Data>[],
    })),
    rules: spec.rules as unknown as readonly Rule<Data>[],
    keeps: spec.keeps as Kind['keeps'],
    onDevice: spec.onDevice as Kind['onDevice'],
    perDevice: metas.filter(([, meta]) => meta?.perDevice).map(([key]) => key),
    secrets: metas.filter(([, meta]) => meta?.widget === 'secret').map(([key]) => key),
    made: metas.filter(([, meta]) => meta?.made).map(([key]) => key),
    sentTo: Object.fromEntries(metas.flatMap(([key, meta]) => (meta?.sentTo ? [[key, meta.sentTo]] : []))),
    refs: Object.fromEntries(metas.flatMap(([key, meta]) => (meta?.kind ? [[key, meta.kind]] : []))),
    files: Object.fromEntries(metas.flatMap(([key, meta]) => (meta?.sort ? [[key, meta.sort]] : []))),
  }
}

type SingleSpec<F extends z.ZodObject, Id extends string> = Pick<
  Spec<F, Id>,
  'id' | 'area' | 'fields' | 'sections' | 'rules'
> & {
  scope?: Spec<F>['scope']
  /** Whose value names it in the changelog. */
  title?: keyof Values<F> & string
}

/**
 * Declares a setting that exists once. Of a network it is inherited: network, groups, device, field by field the nearest
 * set value; a field that may stay as the device has it is optional without a default. Of the manager or an organization
 * it is whole.
 */
export const single = <F extends z.ZodObject, const Id extends string>({
  scope = 'network',
  title = '' as keyof Values<F> & string,
  ...spec
}: SingleSpec<F, Id>): KindOf<Values<F>, Id> => ({
  ...kind<F, Id>({ ...spec, scope, max: 1, title, columns: [] }),
  single: true,
})

/** Ids that a field of references holds. */
export const referredIds = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string')

export const section = <const I extends string, const P extends readonly unknown[]>(id: I, fields: P) => ({
  id,
  fields,
})
/** A section for few: see `fold` above. */
export const folded = <const I extends string, const P extends readonly unknown[]>(id: I, fields: P) => ({
  ...section(id, fields),
  fold: true as const,
})
export const field = <V>(key: string, options: Omit<Place<V>, 'key'>): Place<V> => ({ key, ...options })
export const rule = <V>(key: FieldError, path: string, holds: Rule<V>['holds']): Rule<V> => ({ key, path, holds })
/** A rule about what one device has of the kind: documents for different devices do not meet. */
export const deviceRule = <V>(key: FieldError, path: string, holds: Rule<V>['holds']): Rule<V> => ({
  ...rule(key, path, holds),
  onDevice: true,
})

/** What ends a rule or a condition that reads a field whose value is wrong by itself. */
const unknown = new Error('this field is wrong by itself')

/** A copy of the values in which the `wrong` ones cannot be read: what hangs on them shows by reading them. */
export function unreadable(value: Data, wrong: Iterable<string>): Data {
  const copy = { ...value }
  for (const key of wrong)
    Object.defineProperty(copy, key, {
      configurable: true,
      enumerable: true,
      get() {
        throw unknown
      },
    })
  return copy
}

/** What is judged; undefined where that hangs on a wrong value. */
function known<T>(judge: () => T): T | undefined {
  try {
    return judge()
  } catch (error) {
    if (error !== unknown) throw error
    return undefined
  }
}

const isHidden = ({ when }: Place<Data>, value: Data) => when !== undefined && known(() => !when(value))
const placesWhere = (of: Kind, value: Data, hidden: boolean | undefined): string[] =>
  of.sections.flatMap(one => one.fields.filter(place => isHidden(place, value) === hidden).map(place => place.key))

/** Fields that do not exist for these values. */
export const hiddenFields = (of: Kind, value: Data): string[] => placesWhere(of, value, true)

/**
 * Judges a document's values; the same code in the browser and behind the call. All that is wrong is told together: a
 * rule is judged beside wrong fields as long as it reads none of them.
 * `kept`: secrets that stay as they are stored and are not at hand here: their own format and rules are not judged,
 * only that they are there. A value given for a field that does not exist with these values is refused (`notUsed`).
 * `near`: those of the others that a device of its own gets, too; all of them unless told.
 */
export function check(
  of: Kind,
  input: Data,
  options: { others?: readonly Data[]; near?: readonly Data[]; kept?: readonly string[] } = {},
): Parsed<Data> {
  const kept = new Set(options.kept)
  const given = Object.fromEntries(Object.entries(input).filter(([key]) => !kept.has(key)))
  const shape = kept.size
    ? of.fields.partial(Object.fromEntries([...kept].map(key => [key, true])) as Record<never, true>)
    : of.fields
  const parsed = parseFields(shape, given)
  const { fields: wrong, values } = 'data' in parsed ? { fields: {}, values: {} } : parsed
  const right = 'data' in parsed ? parsed.data : rightFields(shape, given, wrong)
  const data: Data = { ...right, ...Object.fromEntries([...kept].map(key => [key, ''])) }
  const broken = wrongFields(wrong)
  const read = unreadable(data, broken)
  const hidden = hiddenFields(of, read)
  for (const key of hidden) delete data[key]
  const unsure = placesWhere(of, read, undefined)
  const fields: FieldErrors = { ...wrong }
  for (const key of hidden) if (input[key] !== undefined && !broken.has(key)) fields[key] = 'notUsed'
  const judged = unreadable(data, [...broken, ...unsure])
  const unjudged = new Set([...broken, ...unsure, ...hidden, ...kept])
  const { others = [], near = others } = options
  for (const { key, path, holds, onDevice } of of.rules)
    if (!unjudged.has(path) && !Object.hasOwn(fields, path) && known(() => !holds(judged, onDevice ? near : others)))
      fields[path] = key
  return 'data' in parsed && !Object.keys(fields).length ? { data } : { fields, values }
}
