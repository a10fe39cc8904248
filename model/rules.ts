/** Pure predicates of the specification's rules; each names the rule it holds (spec/rules.tsv ids). */

const controlCharacters = /[\p{Cc}\p{Cs}\u2028\u2029]/u
// CJK punctuation and the full-width forms of ASCII punctuation.
const fullWidthPunctuation =
  /[\u3000-\u3003\u3008-\u301F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\uFFE0-\uFFE6]/

/** UTF-8 length; `TextEncoder` would do, but is slower on short strings and missing in some test environments. */
export const utf8Bytes = (text: string): number =>
  [...text].reduce((sum, character) => {
    const code = character.codePointAt(0) ?? 0
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
  }, 0)

/** Length as rule W1 counts it: an ASCII character 1, any other 3. */
export const ssidLength = (text: string): number =>
  [...text].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) < 0x80 ? 1 : 3), 0)

export const hasControlCharacters = (text: string): boolean => controlCharacters.test(text)

/** Rule W1. The problem's message key, or undefined. */
export function ssidProblem(text: string): string | undefined {
  if (text.trim() === '') return 'required'
  if (hasControlCharacters(text)) return 'controlCharacters'
  if (fullWidthPunctuation.test(text)) return 'fullWidth'
  return ssidLength(text) > 32 || utf8Bytes(text) > 32 ? 'ssidLength' : undefined
}

export const isRawKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)
/** 8-63 printable ASCII: what IEEE 802.11 takes as a passphrase. */
export const isPassphrase = (text: string): boolean => /^[\x20-\x7e]{8,63}$/.test(text)

/** Rule W2 for WPA2: a passphrase, or 64 hexadecimal digits as the raw key. */
export const wpaKeyProblem = (text: string): string | undefined =>
  isPassphrase(text) || isRawKey(text) ? undefined : 'wpaKey'

/** Rule N13. */
export const isSsidVlan = (vlan: number): boolean => Number.isInteger(vlan) && vlan >= 2 && vlan <= 4093 && vlan !== 666

/** Rule N4: six bytes with `:`, `-` or nothing between them; the normal form is lower case with colons. */
export function normalMac(text: string): string | undefined {
  const form = /^([0-9a-f]{2})([:-]?)([0-9a-f]{2})\2([0-9a-f]{2})\2([0-9a-f]{2})\2([0-9a-f]{2})\2([0-9a-f]{2})$/i.exec(
    text,
  )
  if (!form) return undefined
  const [, first, , ...rest] = form
  return [first, ...rest].join(':').toLowerCase()
}
