// Everything a device says is hostile until it has been through here.

/** One line of text: no control characters, none of the secret marks, at most `max` characters; absent when nothing is left. */
export function clean(text: unknown, max = 255): string | undefined {
  if (typeof text !== 'string') return undefined
  const line = text
    .slice(0, max * 4)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\uE000\uE001\uFFFD]/gu, ' ')
    .trim()
  return line ? line.slice(0, max) : undefined
}

/** A finite number out of a number or a decimal string, within the bounds given; else absent. */
export function number(value: unknown, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const parsed =
    typeof value === 'number' ? value : typeof value === 'string' && /^\s*-?\d/.test(value) ? Number(value) : Number.NaN
  return Number.isFinite(parsed) && parsed >= min && parsed <= max ? parsed : undefined
}

/** A MAC in lower case with colons; multicast, all-zero and malformed ones are absent. */
export function mac(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text.trim())) return undefined
  const value = text.trim().toLowerCase().replaceAll('-', ':')
  const multicast = (Number.parseInt(value.slice(0, 2), 16) & 1) === 1
  return multicast || value === '00:00:00:00:00:00' ? undefined : value
}

/** Parsed JSON, or undefined when it is none. */
export function json(text: string | undefined): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** An object's own entries, or none. */
export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
/** At most `max` elements of a list, or none. */
export const list = (value: unknown, max = 10_000): unknown[] => (Array.isArray(value) ? value.slice(0, max) : [])
/** Lines of a text without the empty ones. */
export const lines = (text: string | undefined): string[] => (text ?? '').split('\n').filter(line => line.trim() !== '')

/** `key=value` lines; the first `=` divides. */
export function pairs(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of lines(text)) {
    const at = line.indexOf('=')
    if (at > 0) found[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return found
}

/** Removes the keys whose value is undefined: absent means "not provided". */
export function present<T extends object>(value: T): T {
  for (const key of Object.keys(value) as (keyof T)[]) if (value[key] === undefined) delete value[key]
  return value
}
