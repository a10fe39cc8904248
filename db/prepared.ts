import type { Db } from './client'

const made = new WeakMap<Db, Map<string, unknown>>()

/** A statement of this connection, built and compiled once: for what is asked of each of hundreds of devices. */
export function prepared<T>(db: Db, name: string, prepare: () => T): T {
  const own = made.get(db) ?? new Map<string, unknown>()
  made.set(db, own)
  if (!own.has(name)) own.set(name, prepare())
  return own.get(name) as T
}
