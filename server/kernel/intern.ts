const longest = 64
/** Characters kept as keys. */
const most = 1_000_000

type Known<T> = { size: number; values: Map<string, T> }
const texts: Known<string> = { size: 0, values: new Map() }
const values: Known<unknown> = { size: 0, values: new Map() }

function kept<T>(known: Known<T>, key: string, value: T): T {
  const held = known.values.get(key)
  if (held !== undefined) return held
  if (known.size + key.length > most) {
    known.values.clear()
    known.size = 0
  }
  known.size += key.length
  known.values.set(key, value)
  return value
}

/**
 * The same text as one string: thousands of devices name their ports alike, and each reading makes new strings.
 * Bounded, as devices choose what they say.
 */
export const internText = (text: string): string => (text.length > longest ? text : kept(texts, text, text))

/** Equal plain values as one object, which nobody may change: thousands of devices have the same ports. Bounded alike. */
export function intern<T extends object>(value: T): T {
  const key = JSON.stringify(value)
  return key.length > most / 10 ? value : (kept(values, key, value) as T)
}
