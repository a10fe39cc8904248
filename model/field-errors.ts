import type * as z from 'zod'
import type words from '@/locales/en/errors.json'

/** What is wrong with a field. */
export type FieldError = keyof typeof words
/** By field name, with dots for nested ones. */
export type FieldErrors = Record<string, FieldError>
/**
 * What the words of a field's message need; `said`: by a program that refused it; `other`: the document in its way;
 * `allowed`: what a country allows instead.
 */
export type FieldValues = Record<
  string,
  { min?: number; max?: number; said?: string; other?: string; country?: string; allowed?: string }
>

/** What else is wrong with a field of which all is told at once. */
export type MoreErrors = Record<string, FieldError[]>

/** An error at `bands.0` belongs to the field `bands`. */
export const fieldOf = (path: string): string => path.split('.')[0] ?? path
export const wrongFields = (fields: FieldErrors): Set<string> => new Set(Object.keys(fields).map(fieldOf))

type Issue = z.core.$ZodIssue

const byCode: Record<string, (issue: Issue) => FieldError> = {
  invalid_type: issue => (issue.input === undefined ? 'required' : 'wrongType'),
  too_big: issue => ((issue as { origin?: string }).origin === 'string' ? 'tooLong' : 'tooLarge'),
  too_small: issue => ((issue as { origin?: string }).origin === 'string' ? 'tooShort' : 'tooSmall'),
  invalid_format: () => 'invalidFormat',
  invalid_value: () => 'notAllowed',
  not_multiple_of: () => 'wrongType',
}

/** A message that is a key (one camelCase word) was written beside the field on purpose; anything else is zod's English. */
const ownKey = (message: string) => (/^[a-z][A-Za-z0-9]*$/.test(message) ? (message as FieldError) : undefined)

/** What an issue that a check of our own raises says besides: the bounds of its words, and that it is told with others. */
export type IssueParams = { minimum?: number; maximum?: number; each?: true }
const paramsOf = (issue: Issue): IssueParams => {
  if (issue.code === 'custom') return issue.params ?? {}
  const { minimum, maximum } = issue as { minimum?: number; maximum?: number }
  return { minimum, maximum }
}

/**
 * zod issues as message keys at their fields. The first issue of a field wins, `more` has the others where each is worth
 * telling; a whole-body problem is at `''`. `values` carries what the words need: {min, max}.
 */
function fieldErrors(error: z.core.$ZodError): { fields: FieldErrors; values: FieldValues; more?: MoreErrors } {
  const fields: FieldErrors = {}
  const values: FieldValues = {}
  const more: MoreErrors = {}
  const put = (path: string, key: FieldError, issue: Issue) => {
    const { minimum, maximum, each } = paramsOf(issue)
    if (Object.hasOwn(fields, path)) {
      if (each) more[path] = [...(more[path] ?? []), key]
      return
    }
    fields[path] = key
    if (minimum !== undefined || maximum !== undefined)
      values[path] = {
        ...(minimum !== undefined && { min: Number(minimum) }),
        ...(maximum !== undefined && { max: Number(maximum) }),
      }
  }
  for (const issue of error.issues) {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) put([...path, key].join('.'), 'unknownField', issue)
    else put(path.join('.'), ownKey(issue.message) ?? byCode[issue.code]?.(issue) ?? 'invalid', issue)
  }
  return Object.keys(more).length > 0 ? { fields, values, more } : { fields, values }
}

export type Parsed<T> = { data: T } | { fields: FieldErrors; values: FieldValues; more?: MoreErrors }

/** Parses with the field's message keys as the failure. The input stands in each issue only to tell missing from wrong-typed. */
export function parseFields<T extends z.ZodType>(type: T, input: unknown): Parsed<z.output<T>> {
  const parsed = type.safeParse(input, { reportInput: true })
  return parsed.success ? { data: parsed.data } : fieldErrors(parsed.error)
}

/** The fields of an input that are valid by themselves, beside those that `fields` says are not. */
export function rightFields(type: z.ZodObject, input: Record<string, unknown>, fields: FieldErrors) {
  const wrong = wrongFields(fields)
  const right = Object.entries(type.shape).flatMap(([key, one]) => {
    const value = wrong.has(key) ? undefined : (one as z.ZodType).safeParse(input[key]).data
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(right)
}
