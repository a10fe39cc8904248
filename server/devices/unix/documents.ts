import type * as z from 'zod'
import type { DesiredDocument } from '../driver'

/** The documents of a kind as its fields parse them, with their ids, ordered by `order` and then by id: a plan must not depend on the storage's order. */
export const documentsOf = <F extends z.ZodObject>(
  kind: { id: string; fields: F },
  documents: readonly DesiredDocument[],
  order: (value: z.output<F>) => number | string = () => 0,
): (z.output<F> & { id: string })[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(document => ({ ...kind.fields.parse(document.data), id: document.id }))
    .sort((a, b) => compare(order(a), order(b)) || compare(a.id, b.id))

const compare = <T extends number | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
