import { limits } from './limits'
import { hasControlCharacters } from './rules'

const { min, max } = limits.passwordCharacters
const [letter, digit, symbol] = [/\p{L}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]
const length = (password: string) => [...password.normalize('NFKC')].length

/** Three neighbours of which each is `step` more than the one before it. */
function hasRun(password: string, step: number): boolean {
  const codes = [...password.normalize('NFKC')].map(character => character.toLowerCase().codePointAt(0) ?? 0)
  return codes.some((code, at) => codes[at + 1] === code + step && codes[at + 2] === code + 2 * step)
}

/** Rule A9, the password of an account, one condition each: its name is that of its words in locales/en/errors.json. */
const isBroken = {
  passwordShort: (password: string) => length(password) < min,
  passwordLong: (password: string) => length(password) > max,
  passwordControl: hasControlCharacters,
  passwordLetter: (password: string) => !letter.test(password),
  passwordDigit: (password: string) => !digit.test(password),
  passwordSymbol: (password: string) => !symbol.test(password),
  passwordRepeated: (password: string) => hasRun(password, 0),
  passwordConsecutive: (password: string) => hasRun(password, 1) || hasRun(password, -1),
} as const
export type PasswordRule = keyof typeof isBroken
export const passwordRules = Object.keys(isBroken) as PasswordRule[]

/**
 * Everything that is wrong with the password of an account, by rule A9; empty when nothing is. 8-16 characters; a letter,
 * a digit and a symbol; no three of the same ("aaa") and no three consecutive ones ("abc", "321"), whatever their case.
 */
export const passwordProblems = (password: string): PasswordRule[] =>
  passwordRules.filter(rule => isBroken[rule](password))

/** Rule A7, an account's user name: up to 64, not only digits, not only letters. Rule A6 for the name to sign in with. */
export const isUserName = (name: string): boolean =>
  name.length >= 1 && name.length <= 64 && !/^\d+$/.test(name) && !/^\p{L}+$/u.test(name)

/** Rule A10: a password that a device is given holds at least two of letters, digits and others. */
export const isDevicePassword = (text: string): boolean =>
  [letter, digit, symbol].filter(one => one.test(text)).length >= 2
