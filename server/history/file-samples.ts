import type { Database } from 'better-sqlite3'
import { type Measured, measured, numberOf, type Series } from './series'
import { headBytes } from './sums'
import { tiers } from './tiers'

/** A row of some series, as it is written. */
export type SampleRow = readonly [series: Series, data: Buffer]

export type SampleRows = {
  get(tier: number, bucket: number, series: Series): Buffer | undefined
  /** Writes rows of one bucket in one transaction. */
  put(tier: number, bucket: number, rows: readonly SampleRow[]): void
  idsIn(tier: number, of: Measured, bucket: number): number[]
  countIn(tier: number, of: Measured, bucket: number): number
  /** At most `most` rows of a bucket without their interfaces, by id, after this one. */
  rowsIn(tier: number, bucket: number, after: Series, most: number): { id: number; data: Buffer }[]
  /** Of what is measured so, else of everything. */
  newest(tier: number, of?: Measured): number | undefined
  oldest(tier: number, of?: Measured): number | undefined
  /** The bucket after this time (unix s). */
  next(tier: number, of: Measured, after: number): number | undefined
  /** Drops some of what is older than `before` (unix s); true when nothing is left to drop. */
  prune(tier: number, of: Measured, before: number): boolean
  /** Drops these series of one bucket. */
  drop(tier: number, of: Measured, bucket: number, ids: readonly number[]): void
  /** Interface keys of a series by slot. */
  slots(series: Series): string[]
  /** Slots from this one on, whatever they were before. */
  putSlots(series: Series, from: number, keys: readonly string[]): void
}

export type TotalRows = {
  /** What all devices did in a bucket together, where it was put (./bucket-totals.ts). */
  totalsOf(tier: number, bucket: number): Buffer | undefined
  hasTotals(tier: number, bucket: number): boolean
  putTotals(tier: number, bucket: number, data: Buffer): void
}

/** Rows: more would hold the polls up. */
const droppedAtOnce = 1000

/** What is measured comes before the time: each kind is written, listed and dropped by itself, where its rows lie together. */
export const sampleSchema = `${tiers
  .map(
    ({ table }) =>
      `CREATE TABLE IF NOT EXISTS ${table} (of INTEGER NOT NULL, ts INTEGER NOT NULL, id INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (of, ts, id)) WITHOUT ROWID;`,
  )
  .join('\n')}
CREATE TABLE IF NOT EXISTS totals (tier INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, ts));
CREATE TABLE IF NOT EXISTS slots (of INTEGER NOT NULL, id INTEGER NOT NULL, slot INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (of, id, slot)) WITHOUT ROWID;`

const statementsOf = (sqlite: Database, table: string) => ({
  get: sqlite.prepare(`SELECT data FROM ${table} WHERE of = ? AND ts = ? AND id = ?`).pluck(),
  put: sqlite.prepare(`INSERT OR REPLACE INTO ${table} (of, ts, id, data) VALUES (?, ?, ?, ?)`),
  ids: sqlite.prepare(`SELECT id FROM ${table} WHERE of = ? AND ts = ?`).pluck(),
  count: sqlite.prepare(`SELECT count(*) FROM ${table} WHERE of = ? AND ts = ?`).pluck(),
  rows: sqlite.prepare(
    `SELECT id, substr(data, 1, ${headBytes}) AS data FROM ${table} WHERE of = ? AND ts = ? AND id > ? ORDER BY id LIMIT ?`,
  ),
  newest: sqlite.prepare(`SELECT max(ts) FROM ${table} WHERE of = ?`).pluck(),
  next: sqlite.prepare(`SELECT min(ts) FROM ${table} WHERE of = ? AND ts > ?`).pluck(),
  last: sqlite.prepare(`SELECT id FROM ${table} WHERE of = ? AND ts = ? ORDER BY id LIMIT 1 OFFSET ?`).pluck(),
  drop: sqlite.prepare(`DELETE FROM ${table} WHERE of = ? AND ts = ? AND id <= ?`),
  dropOne: sqlite.prepare(`DELETE FROM ${table} WHERE of = ? AND ts = ? AND id = ?`),
})

export function sampleRows(sqlite: Database): SampleRows {
  const each = tiers.map(({ table }) => statementsOf(sqlite, table))
  const at = (tier: number) => each[tier] ?? (each[0] as (typeof each)[number])
  const readSlots = sqlite.prepare('SELECT key FROM slots WHERE of = ? AND id = ? ORDER BY slot').pluck()
  const addSlot = sqlite.prepare('INSERT OR REPLACE INTO slots (of, id, slot, key) VALUES (?, ?, ?, ?)')
  const dropTotals = sqlite.prepare('DELETE FROM totals WHERE tier = ? AND ts <= ?')
  const next = (tier: number, of: Measured, after: number) =>
    (at(tier).next.get(numberOf(of), after) as number | null) ?? undefined
  const newest = (tier: number, of: Measured) => (at(tier).newest.get(numberOf(of)) as number | null) ?? undefined
  const first = (tier: number, of: Measured) => next(tier, of, -1)
  /** Of all that is measured the one that this picks. */
  const ofAll = (pick: typeof Math.max, find: (of: Measured) => number | undefined) => {
    const found = measured.flatMap(of => find(of) ?? [])
    return found.length > 0 ? pick(...found) : undefined
  }
  return {
    get: (tier, bucket, { of, id }) => at(tier).get.get(numberOf(of), bucket, id) as Buffer | undefined,
    put: sqlite.transaction((tier: number, bucket: number, rows: readonly SampleRow[]) => {
      for (const [{ of, id }, data] of rows) at(tier).put.run(numberOf(of), bucket, id, data)
    }),
    idsIn: (tier, of, bucket) => at(tier).ids.all(numberOf(of), bucket) as number[],
    countIn: (tier, of, bucket) => at(tier).count.get(numberOf(of), bucket) as number,
    rowsIn: (tier, bucket, { of, id }, most) =>
      at(tier).rows.all(numberOf(of), bucket, id, most) as { id: number; data: Buffer }[],
    newest: (tier, of) => (of ? newest(tier, of) : ofAll(Math.max, one => newest(tier, one))),
    oldest: (tier, of) => (of ? first(tier, of) : ofAll(Math.min, one => first(tier, one))),
    next,
    prune(tier, of, before) {
      const oldest = first(tier, of)
      if (oldest === undefined || oldest >= before) return true
      const last = at(tier).last.get(numberOf(of), oldest, droppedAtOnce) as number | undefined
      at(tier).drop.run(numberOf(of), oldest, last ?? Number.MAX_SAFE_INTEGER)
      if (of === 'device') dropTotals.run(tier, oldest)
      return false
    },
    drop: sqlite.transaction((tier: number, of: Measured, bucket: number, ids: readonly number[]) => {
      for (const id of ids) at(tier).dropOne.run(numberOf(of), bucket, id)
    }),
    slots: ({ of, id }) => readSlots.all(numberOf(of), id) as string[],
    putSlots: sqlite.transaction(({ of, id }: Series, from: number, keys: readonly string[]) => {
      for (const [index, key] of keys.entries()) addSlot.run(numberOf(of), id, from + index, key)
    }),
  }
}

export function totalRows(sqlite: Database): TotalRows {
  const read = sqlite.prepare('SELECT data FROM totals WHERE tier = ? AND ts = ?').pluck()
  const has = sqlite.prepare('SELECT 1 FROM totals WHERE tier = ? AND ts = ?').pluck()
  const put = sqlite.prepare('INSERT OR REPLACE INTO totals (tier, ts, data) VALUES (?, ?, ?)')
  return {
    totalsOf: (tier, bucket) => read.get(tier, bucket) as Buffer | undefined,
    hasTotals: (tier, bucket) => has.get(tier, bucket) !== undefined,
    putTotals: (tier, bucket, data) => void put.run(tier, bucket, data),
  }
}
