import type * as z from 'zod'
import type { DesiredDocument, RenderInput } from '../driver'

const made = new WeakMap<object, Map<unknown, unknown>>()

/**
 * What is made of a document, or of something that was made of one, once for each `key`: plans that are made in one go
 * share their documents, and what no device has a say in is the same for all. Nobody changes what it returns.
 */
export function once<T>(of: object, key: unknown, make: () => T): T {
  const own = made.get(of) ?? new Map<unknown, unknown>()
  made.set(of, own)
  if (!own.has(key)) own.set(key, make())
  return own.get(key) as T
}

/** A document's data as its kind's fields read them, without references: those hold what they point at. */
export const fieldsOf = <F extends z.ZodObject>(
  { fields, refs = {} }: { fields: F; refs?: Readonly<Record<string, string>> },
  data: Record<string, unknown>,
): z.output<F> =>
  once(data, fields, () =>
    fields.parse(Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(refs, key)))),
  )

/** The fields of a setting that exists once, where it is switched on. */
export function switchedOn<T extends { enabled: boolean }>(
  kind: { id: string; fields: z.ZodObject },
  documents: readonly DesiredDocument[],
): T | undefined {
  const found = documents.find(document => document.kind === kind.id)
  const set = found && (fieldsOf(kind, found.data) as T)
  return set?.enabled ? set : undefined
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
