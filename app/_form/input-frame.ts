import type { FieldSpec } from './spec'
import type { Words } from './use-words'
import { isNeeded } from './values'

export type InputProps = {
  spec: FieldSpec
  words: Words
  value: unknown
  onChange: (value: unknown) => void
  /** `path`: what of the field was left, `leases.2.ip`; the field itself without. */
  onBlur: (path?: string) => void
  error?: string
  /** Messages within the field by their path below it: `2.ip`. */
  inner?: Readonly<Record<string, string>>
  changed: boolean
  /** The field holds a stored secret. */
  stored: boolean
  /** Where the value lies, when that is not the field itself: `leases.2.ip`. */
  path?: string
  /** The row of a table that it is a column of. */
  row?: Readonly<Record<string, unknown>>
  /** Before its id, where one form lies above another. */
  within?: string
}
/** The id of a field's control. `within`: the panel that it lies in. */
export const idOf = (path: string, within = ''): string => `${within}field-${path.replaceAll('.', '-')}`
export function frameOf({ spec, words, error, changed, path, within }: InputProps) {
  return {
    id: idOf(path ?? spec.key, within),
    label: words.label(spec.key),
    help: words.help(spec.key),
    changed,
    ...(error !== undefined && { error }),
  }
}
/** What a text control needs of these. */
export const typed = (props: InputProps) => ({
  ...frameOf(props),
  value: String(props.value ?? ''),
  onChange: props.onChange,
  onBlur: () => props.onBlur(),
  ...leftOut(props),
})

/** What a field says of being left out: what holds then, in it while it is empty, or else that it may be. */
export function leftOut({ spec, words, path, stored }: InputProps): { optional?: boolean; placeholder?: string } {
  if (spec.required || isNeeded(spec) || path !== undefined || stored) return {}
  const otherwise = words.maybe(`fields.${spec.key}.empty`) ?? words.shown(spec, spec.default)
  return otherwise ? { placeholder: otherwise } : { optional: true }
}
