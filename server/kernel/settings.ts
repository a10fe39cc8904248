import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { settings } from '@/db/schema'

/** The manager's own settings: key → shape with defaults. A value that no longer parses counts as its default. */
const shapes = {
  /** '0' until the wizard finished, then '1' (init-info's setup_wizard). */
  wizard: z.object({ finished: z.boolean().default(false), at: z.number().optional() }),
  /** The wizard's work so far, sealed, and the digest of the browser it is bound to. */
  wizardDraft: z.object({ sealed: z.string().default(''), browser: z.string().default('') }),
  /** Of versions before each organization had its own (server/notify/alerts/moved.ts). */
  notices: z.object({
    sealed: z.string().default(''),
    mailed: z.int().optional(),
  }),
  backups: z.object({
    lastProven: z.object({ name: z.string(), at: z.number(), documents: z.number(), devices: z.number() }).optional(),
    lastFailure: z.object({ at: z.number(), reason: z.string() }).optional(),
  }),
  mail: z.object({
    /** How the last letter fared. */
    last: z.object({ at: z.number(), ok: z.boolean(), error: z.string() }).optional(),
  }),
  /** Where the changelog is written down as it grows. */
  syslog: z.object({
    /** Number of the newest entry that was sent. */
    sent: z.int().default(0),
    /** When the newest head was sent last, unix ms. */
    headAt: z.number().default(0),
    /** How the last delivery went. */
    last: z.object({ at: z.number(), ok: z.boolean(), error: z.string() }).optional(),
  }),
  discovery: z.object({ segments: z.array(z.string()).default([]) }),
} as const
type Shapes = typeof shapes
export type SettingKey = keyof Shapes

export function getSetting<K extends SettingKey>(db: Db, key: K): z.output<Shapes[K]> {
  const row = prepared(db, 'setting', () =>
    db
      .select()
      .from(settings)
      .where(eq(settings.key, sql.placeholder('key')))
      .prepare(),
  ).get({ key })
  const shape = shapes[key] as z.ZodType
  const parsed = shape.safeParse(row ? JSON.parse(row.value) : {})
  return (parsed.success ? parsed.data : shape.parse({})) as z.output<Shapes[K]>
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

/** Merges `change` into the stored value and returns the new one. */
export function setSetting<K extends SettingKey>(
  db: Db,
  key: K,
  change: Partial<z.input<Shapes[K]>>,
): z.output<Shapes[K]> {
  const shape = shapes[key] as z.ZodType
  const next = shape.parse({ ...getSetting(db, key), ...change }) as z.output<Shapes[K]>
  const value = JSON.stringify(next)
  db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } }).run()
  return next
}
