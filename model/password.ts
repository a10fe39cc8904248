import { limits } from './limits'

const classes = [/\p{L}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]

/** Three neighbours that climb or fall by one: "abc", "321". A pair is none. */
function hasConsecutiveRun(characters: number[]): boolean {
  return characters.some((code, at) => {
    const next = characters[at + 1]
    const after = characters[at + 2]
    if (next === undefined || after === undefined) return false
    const step = next - code
    return Math.abs(step) === 1 && after - next === step
  })
}

/**
 * Rule A9, the password of an account: what is wrong with it, as a key of locales/en/errors.json, or undefined.
 * 8-16 characters; a letter, a digit and a symbol; no character twice in a row ("aa1"); no run of three consecutive
 * ones ("abc", "321"), whatever their case.
 */
export function passwordProblem(
  password: string,
): 'tooShort' | 'tooLong' | 'passwordClasses' | 'passwordRun' | 'controlCharacters' | undefined {
  const characters = [...password.normalize('NFKC')]
  const { min, max } = limits.passwordCharacters
  if (characters.length < min) return 'tooShort'
  if (characters.length > max) return 'tooLong'
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'controlCharacters'
  if (!classes.every(one => one.test(password))) return 'passwordClasses'
  const codes = characters.map(character => character.toLowerCase().codePointAt(0) ?? 0)
  if (codes.some((code, at) => code === codes[at + 1]) || hasConsecutiveRun(codes)) return 'passwordRun'
  return undefined
}

/** Rule A7, an account's user name: up to 64, not only digits, not only letters. Rule A6 for the name to sign in with. */
export const isUserName = (name: string): boolean =>
  name.length >= 1 && name.length <= 64 && !/^\d+$/.test(name) && !/^\p{L}+$/u.test(name)
