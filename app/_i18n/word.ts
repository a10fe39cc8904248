type Lookup = ((key: never, values?: never) => string) & { has: (key: never) => boolean }
type Values = Record<string, string | number>

/** The word of a key that comes from elsewhere, as a device's reason does; `otherwise`, or the key, where there is none. */
export const wordOr = (t: Lookup, key: string, otherwise = key, values?: Values): string =>
  t.has(key as never) ? t(key as never, values as never) : otherwise
