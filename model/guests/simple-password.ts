import type { FieldError } from '../field-errors'
import { hasControlCharacters } from '../rules'

const most = 10
const longestRun = 5

/** More than five neighbours of which each is `step` more than the one before it. */
function hasRun(codes: readonly number[], step: number): boolean {
  let length = 1
  return codes.some((code, at) => {
    length = at > 0 && code === (codes[at - 1] ?? 0) + step ? length + 1 : 1
    return length > longestRun
  })
}

/** Rule A11: what is wrong with the password that all guests share. */
export function simplePasswordProblem(text: string): FieldError | undefined {
  const characters = [...text]
  if (characters.length < 1 || characters.length > most) return 'simplePassword'
  if (/[\s&;]/.test(text) || hasControlCharacters(text)) return 'simplePassword'
  const codes = characters.map(one => one.toLowerCase().codePointAt(0) ?? 0)
  return [0, 1, -1].some(step => hasRun(codes, step)) ? 'simplePasswordRun' : undefined
}
