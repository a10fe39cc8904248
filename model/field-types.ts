import * as z from 'zod'
import type { FieldError } from './field-errors'
import type { FieldMeta } from './field-meta'

// What the vocabulary of fields is made of.

// zod compiles its checks with `new Function` where it can; a page's policy forbids that. Here, before any kind is made,
// so that a form loads zod with its kind and not before.
if (typeof window !== 'undefined') z.config({ jitless: true })

/** Values that must differ, each once. Rule N23. */
export const distinct = (
  context: z.RefinementCtx,
  values: readonly unknown[],
  pathOf: (at: number) => (string | number)[],
) => {
  for (const [at, value] of values.entries())
    if (value !== undefined && values.indexOf(value) < at)
      context.addIssue({ code: 'custom', message: 'duplicate' satisfies FieldError, path: pathOf(at) })
}

/** Strings judged by a predicate that names the problem: one issue, a message key of locales/en/errors.json. */
export const judged = (problem: (text: string) => FieldError | undefined) =>
  z.string().superRefine((text, context) => {
    const message = problem(text)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** A text that is right or not: a single message key for the latter. */
export const valid = (holds: (text: string) => boolean, message: FieldError) =>
  judged(text => (holds(text) ? undefined : message))

/** Spaces around what was pasted are nobody's intention. */
export const trimmed = <T extends z.ZodType<string, string>>(type: T) =>
  z
    .string()
    .transform(text => text.trim())
    .pipe(type)

/** The type with what its field says of itself. */
export const meta = <T extends z.ZodType>(type: T, data: FieldMeta): T =>
  type.meta(data as Record<string, unknown>) as T

/** A text field under a rule of the specification. */
export const text = <T extends z.ZodType>(type: T, rule: string): T => meta(type, { widget: 'text', rule })
