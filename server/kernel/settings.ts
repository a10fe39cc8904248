import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { settings } from '@/db/schema'

/** What an area remembers beside its settings: nothing that a person sets. */
export type State<V> = {
  /** A value that no longer parses counts as its default. */
  read(db: Db): V
  /** Merges `change` into what is stored. */
  change(db: Db, change: Partial<V>): void
}

/** Declares what an area remembers under a key of its own; each field has a default or may be absent. */
export function state<S extends z.ZodObject>(key: string, shape: S): State<z.output<S>> {
  const read = (db: Db) => {
    const row = prepared(db, 'setting', () =>
      db
        .select()
        .from(settings)
        .where(eq(settings.key, sql.placeholder('key')))
        .prepare(),
    ).get({ key })
    const parsed = shape.safeParse(row ? JSON.parse(row.value) : {})
    return parsed.success ? parsed.data : shape.parse({})
  }
  return {
    read,
    change(db, change) {
      const value = JSON.stringify(shape.parse({ ...read(db), ...change }))
      db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } }).run()
    },
  }
}

/** Takes fields of what an earlier version stored under a key, all of it unless told; {} where nothing is. */
export function takeSetting(db: Db, key: string, fields?: readonly string[]): Record<string, unknown> {
  const row = db.select().from(settings).where(eq(settings.key, key)).get()
  const stored = Object.entries(row ? (JSON.parse(row.value) as Record<string, unknown>) : {})
  const taken = stored.filter(([field]) => !fields || fields.includes(field))
  const left = Object.fromEntries(stored.filter(([field]) => !taken.some(([one]) => one === field)))
  if (taken.length && stored.length > taken.length)
    db.update(settings)
      .set({ value: JSON.stringify(left) })
      .where(eq(settings.key, key))
      .run()
  else if (taken.length) db.delete(settings).where(eq(settings.key, key)).run()
  return Object.fromEntries(taken)
}

/** The same as what a kind of settings had formerly, under its own name. */
export function takeFormer(db: Db, key: string, fields?: readonly string[]): { values: Record<string, unknown> }[] {
  const values = takeSetting(db, key, fields)
  return Object.keys(values).length ? [{ values }] : []
}
