import type { FieldError } from './field-errors'

/** Pure predicates of the specification's rules; each names the rule it holds (docs/rules.md). */

/**
 * A text of one line as it may be kept: no control characters, no halves of others, and none for private use, which mean
 * nothing outside of who made them up, and here mark secrets in what is written for devices.
 */
export const oneLine = /^[^\p{Cc}\p{Cs}\p{Co}\u2028\u2029]*$/u
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

/** Rule N21. Signs that are text unless asked otherwise (©, ™, ↔) are none. */
export const hasEmoji = (text: string): boolean =>
  /\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}]|\uFE0F|\u20E3/u.test(text)

/** Rule A5: a name is more than signs. */
export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

export const hasControlCharacters = (text: string): boolean => !oneLine.test(text)

/** Rule W1. The problem's message key, or undefined. */
export function ssidProblem(text: string): FieldError | undefined {
  if (text.trim() === '') return 'required'
  if (hasControlCharacters(text)) return 'controlCharacters'
  if (fullWidthPunctuation.test(text)) return 'fullWidth'
  return ssidLength(text) > 32 || utf8Bytes(text) > 32 ? 'ssidLength' : undefined
}

export const isRawKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)
/** 8-63 printable ASCII: what IEEE 802.11 takes as a passphrase. */
export const isPassphrase = (text: string): boolean => /^[\x20-\x7e]{8,63}$/.test(text)

/** Rule W2 for WPA2: a passphrase, or 64 hexadecimal digits as the raw key. */
export const wpaKeyProblem = (text: string): FieldError | undefined =>
  isPassphrase(text) || isRawKey(text) ? undefined : 'wpaKey'

/** Rule W3: WEP64 as 10 hexadecimal digits or 5 ASCII characters, WEP128 as 26 or 13. */
export const isWepKey = (text: string): boolean =>
  /^(?:[0-9a-f]{10}|[0-9a-f]{26})$/i.test(text) || /^(?:[\x20-\x7e]{5}|[\x20-\x7e]{13})$/.test(text)

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

/** Rule N14: the VLAN of a LAN; 1 is the built-in default LAN. */
export const isLanVlan = (vlan: number): boolean => Number.isInteger(vlan) && vlan >= 1 && vlan <= 4093 && vlan !== 666
/** Rule G20. */
export const isDhcpOption = (number: number): boolean =>
  Number.isInteger(number) && number >= 2 && number <= 254 && ![50, 51, 52, 53, 54, 56, 58, 59, 61, 82].includes(number)

/** Options that are texts (RFC 2132, 4833): their content is never given as bytes. */
export const textOptions: ReadonlySet<number> = new Set([12, 15, 17, 18, 40, 64, 66, 67, 100, 101, 119])

/** DHCP options that dnsmasq takes as IPv4 addresses and as nothing else; it does not start with another content. */
export const addressOptions: ReadonlySet<number> = new Set([
  ...[1, 3, 6, 7, 9, 16, 21, 28, 32, 33, 41, 42, 44, 45, 48, 49, 50, 54, 65, 68, 69, 70, 71, 74, 150],
])

export type NumberRange = { first: number; last: number }

/** A comma list of numbers and ranges, `80, 443, 8000-8100`, as ranges in the order written; undefined when it is none. */
export function numberRanges(text: string): NumberRange[] | undefined {
  const parts = text.split(',').map(part => /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part))
  if (parts.some(part => part === null)) return undefined
  return parts.map(part => ({ first: Number(part?.[1]), last: Number(part?.[2] ?? part?.[1]) }))
}

function rangesProblem(text: string, min: number, max: number, wrong: FieldError): FieldError | undefined {
  const ranges = numberRanges(text)
  if (!ranges || ranges.some(({ first, last }) => first < min || last > max)) return wrong
  const written = text.split(',')
  if (ranges.some(({ first, last }, at) => last < first || (last === first && written[at]?.includes('-'))))
    return 'rangeOrder'
  const sorted = ranges.toSorted((a, b) => a.first - b.first)
  return sorted.some((range, at) => at > 0 && range.first <= (sorted[at - 1] as NumberRange).last)
    ? 'rangesOverlap'
    : undefined
}

/** Rule P2. */
export const portsProblem = (text: string): FieldError | undefined => rangesProblem(text, 1, 65_535, 'ports')
/** Rule N15: VLANs of a port as a comma list with ranges. */
export const vlansProblem = (text: string): FieldError | undefined => rangesProblem(text, 0, 4093, 'vlans')
/** A list of numbers in its normal form: no spaces, no leading zeros. */
export const normalRanges = (text: string): string =>
  (numberRanges(text) ?? []).map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',')

// RFC 1123 section 2.1; the last label is not a number, or it would read as an address.
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
/** Rule P14. `lan` is one, too: domains of a LAN often have one label only. */
export const isDomain = (text: string): boolean =>
  text.length <= 253 && text.split('.').every(part => label.test(part)) && !/^\d+$/.test(text.split('.').at(-1) ?? '')
/** Rule A18: 1-32 letters, digits and hyphens. */
export const isHostname = (text: string): boolean => text.length <= 32 && label.test(text)

/** Rule G17: `8 Mbps`; a whole number of 1 to 999 and its unit. */
export const isRate = (text: string): boolean => /^[1-9]\d{0,2} [KM]bps$/.test(text)
/** kbit/s of a rate. */
export const rateKbps = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('Mbps') ? 1000 : 1)

export const dataUnits = ['KB', 'MB', 'GB'] as const
/** Bytes of a unit: each 1,024 of the one before. */
const unitBytes: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }
/** Rule G13: `500 MB`; a whole number of 1 to 1,048,576 and its unit. */
export const isDataAmount = (text: string): boolean =>
  /^[1-9]\d{0,6} [KMG]B$/.test(text) && Number.parseInt(text, 10) <= 1_048_576
/** Bytes of an amount of data. */
export const dataBytes = (text: string): number => Number.parseInt(text, 10) * (unitBytes[text.slice(-2)] ?? 0)

/** A moment in UTC to the second, as the calendar has it, from 2000 to 2099. */
export const isInstant = (text: string): boolean =>
  /^20\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) && new Date(text).toJSON()?.replace('.000', '') === text

/** Rule P9: what a community, a user or a key of SNMP is made of. */
export const isSnmpString = (text: string): boolean => /^[A-Za-z0-9!@#$&*+=_-]*$/.test(text)

/** A public key as OpenSSH writes it: type, base64 that begins with that type (RFC 4253 section 6.6), and a comment. */
const pemCertificate = /-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/** Rule P10: certificates in PEM (RFC 7468), one after the other, and no private key among them. */
export function certificatesProblem(text: string): 'certificateFormat' | 'certificateHasKey' | undefined {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'certificateHasKey'
  const bodies = [...text.matchAll(pemCertificate)].map(([, body = '']) => body.replace(/\s/g, ''))
  // Each is a SEQUENCE in DER; what stands around them would be refused by some programs that read the file.
  const whole =
    bodies.length > 0 && bodies.every(body => /^MI[A-Za-z0-9+/]+={0,2}$/.test(body) && body.length % 4 === 0)
  return whole && text.replace(pemCertificate, '').trim() === '' ? undefined : 'certificateFormat'
}

export function isPublicKey(text: string): boolean {
  const [, type = '', data = ''] =
    /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) ([A-Za-z0-9+/]+={0,2})(?: [ -~]{0,200})?$/.exec(
      text,
    ) ?? []
  if (data.length < 40 || data.length % 4 !== 0) return false
  const bytes = atob(data)
  return bytes.slice(0, 4) === `\0\0\0${String.fromCharCode(type.length)}` && bytes.slice(4, 4 + type.length) === type
}

/** A day of the calendar from 2000 to 2099. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isInstant(`${text}T00:00:00Z`)

/** Rule P15: an even number of hexadecimal digits, 4 to 256. */
export const isHexString = (text: string): boolean => /^(?:[0-9a-f]{2}){2,128}$/i.test(text)
/** Rule G16: letters, digits, spaces and - _ . only. */
export const isPlainName = (text: string): boolean => /^[\p{L}\p{N} ._-]+$/u.test(text)

/** Rule P10: of a certificate. */
export const isCertificateName = (text: string): boolean => /^[A-Za-z0-9 ._@-]+$/.test(text)

/** Nothing that FreeRADIUS gives a meaning of its own. */
export const isRadiusName = (text: string): boolean => /^[\p{L}\p{N}._@+-]+$/u.test(text)
/** Rule G3, and 8 characters at least: whoever guesses it reads what crosses the network. */
export const isRadiusSecret = (text: string): boolean => /^[A-Za-z0-9._@+=/!-]{8,64}$/.test(text)

/** An interface's name as Linux takes it (IFNAMSIZ 16 with its end), printable and harmless in a path. */
export const isInterfaceName = (text: string): boolean => /^(?!\.{1,2}$)[A-Za-z0-9._@+-]{1,15}$/.test(text)

/** http:// or https:// with a host. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/\S+$/.test(text) || hasControlCharacters(text)) return false
  try {
    return new URL(text).hostname !== ''
  } catch {
    return false
  }
}
/** Rule G2: http:// or https://, at most 512 characters. */
export const isWebUrl = (text: string): boolean => text.length <= 512 && isWebAddress(text)

/** One pair of brackets around all of it, and a comparison in each innermost pair; no control characters. */
export function isLdapCondition(text: string): boolean {
  let depth = 0
  const depths = [...text].map(sign => {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    return depth
  })
  const whole = depths.indexOf(0) === depths.length - 1 && depth === 0 && text.startsWith('(')
  const innermost = text.match(/\([^()]*\)/g) ?? []
  return (
    whole &&
    !hasControlCharacters(text) &&
    innermost.every(part => /^\([A-Za-z0-9][\w.;:-]*[~<>:]?=[^()]*\)$/.test(part))
  )
}
