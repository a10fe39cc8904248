/**
 * What codes are made of: no two that look or sound alike in print or handwriting (0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V),
 * and no vowels, so that no code is a word. There are 23, a prime: one wrong character, or two that stand the wrong way
 * round, never leave the check character right.
 */
export const codeAlphabet = '23456789CDFHJKMNPRTVWXY'
const base = codeAlphabet.length

/** 23^8 codes, and the check character. */
export const codeCharacters = 9
const groupCharacters = 3
/** Of a code with whatever people put between its characters. */
const mostTyped = 64

/** What is taken for a character that codes have. */
const lookalikes: Readonly<Record<string, string>> = { Z: '2', S: '5', G: '6', B: '8', U: 'V' }

/** Weights 9 to 1, none of them 0 in the field of 23. */
const weighted = (values: readonly number[]) =>
  values.reduce((sum, value, at) => sum + value * (codeCharacters - at), 0) % base

/** A code of `random` numbers 0 to 22, one less than a code has characters, without its dashes. */
export function codeOf(random: readonly number[]): string {
  const check = (base - weighted(random)) % base
  return [...random, check].map(value => codeAlphabet[value]).join('')
}

/**
 * The code that somebody typed, as it is stored: case, dashes and spaces do not matter, and what looks like a character of
 * codes is that. Undefined for what can be no code at all, a single slip among them.
 */
export function normalCode(text: string): string | undefined {
  if (text.length > mostTyped) return undefined
  // Full-width letters and digits of an input method.
  const typed = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}_.·]/gu, '')
  const code = [...typed].map(char => lookalikes[char] ?? char).join('')
  if (code.length !== codeCharacters) return undefined
  const values = [...code].map(char => codeAlphabet.indexOf(char))
  return values.includes(-1) || weighted(values) !== 0 ? undefined : code
}

/** As people read it: `RJW-8EA-7HX`. */
export const shownCode = (code: string): string =>
  Array.from({ length: codeCharacters / groupCharacters }, (_, at) =>
    code.slice(at * groupCharacters, (at + 1) * groupCharacters),
  ).join('-')
