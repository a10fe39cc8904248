import type * as z from 'zod'
import type { DesiredDocument, RenderInput } from '../driver'

const parsed = new WeakMap<z.ZodObject, WeakMap<object, object>>()

/**
 * A document's data as its kind's fields read them, without references: those hold what they point at. Plans that are
 * made in one go share their documents: each is read once for all devices.
 */
export function fieldsOf<F extends z.ZodObject>(
  { fields, refs = {} }: { fields: F; refs?: Readonly<Record<string, string>> },
  data: Record<string, unknown>,
): z.output<F> {
  const known = parsed.get(fields) ?? new WeakMap<object, object>()
  parsed.set(fields, known)
  const held = known.get(data)
  if (held) return held as z.output<F>
  const own = Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(refs, key)))
  const made = fields.parse(own)
  known.set(data, made)
  return made
}

/** The documents of a kind as its fields parse them, with their ids, ordered by `order` and then by id: a plan must not depend on the storage's order. */
export const documentsOf = <F extends z.ZodObject>(
  kind: { id: string; fields: F },
  documents: readonly DesiredDocument[],
  order: (value: z.output<F>) => number | string = () => 0,
): (z.output<F> & { id: string })[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(document => ({ ...fieldsOf(kind, document.data), id: document.id }))
    .sort((a, b) => compare(order(a), order(b)) || compare(a.id, b.id))

const compare = <T extends number | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

/** What a document made of a part of a device is called: the same part of another device has a document of its own. */
export const nameFor = ({ facts }: Pick<RenderInput, 'facts'>, name: string): string =>
  [facts.hostname?.slice(0, 16), name].filter(Boolean).join(' ')
