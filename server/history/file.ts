import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { headBytes } from './sums'
import { tiers } from './tiers'

export type HistoryFile = {
  get(tier: number, bucket: number, device: number): Buffer | undefined
  /** Writes rows of one bucket in one transaction. */
  put(tier: number, bucket: number, rows: readonly (readonly [device: number, data: Buffer])[]): void
  devicesIn(tier: number, bucket: number): number[]
  countIn(tier: number, bucket: number): number
  /** At most `most` rows of a bucket without their interfaces, by device, after this one. */
  rowsIn(tier: number, bucket: number, after: number, most: number): { device: number; data: Buffer }[]
  /** What all devices did in a bucket together, where it was put (./bucket-totals.ts). */
  totalsOf(tier: number, bucket: number): Buffer | undefined
  hasTotals(tier: number, bucket: number): boolean
  putTotals(tier: number, bucket: number, data: Buffer): void
  newest(tier: number): number | undefined
  oldest(tier: number): number | undefined
  /** Interface keys of a device by slot. */
  slots(device: number): string[]
  addSlots(device: number, from: number, keys: readonly string[]): void
  /** Drops some of what is older than `before` (unix s); true when nothing is left to drop. */
  prune(tier: number, before: number): boolean
  /** What the Wi-Fi clients of a network did in one bucket (./station-rows.ts). */
  putStations(tier: number, network: number, bucket: number, data: Buffer): void
  /** Buckets from one to another, both with. */
  stationsIn(tier: number, network: number, from: number, until: number): { ts: number; data: Buffer }[]
  /** Drops what is older than `before` (unix s), of all networks. */
  pruneStations(tier: number, before: number): void
  forget(device: number): void
  close(): void
}

/** Rows: more would hold the polls up. */
const droppedAtOnce = 1000

const schema = `${tiers
  .map(
    ({ table }) =>
      `CREATE TABLE IF NOT EXISTS ${table} (ts INTEGER NOT NULL, device INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (ts, device)) WITHOUT ROWID;`,
  )
  .join('\n')}
CREATE TABLE IF NOT EXISTS totals (tier INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, ts));
CREATE TABLE IF NOT EXISTS stations (tier INTEGER NOT NULL, network INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, network, ts));
CREATE TABLE IF NOT EXISTS slots (device INTEGER NOT NULL, slot INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (device, slot)) WITHOUT ROWID;`

function open(file: string): Database.Database {
  const sqlite = new Database(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('journal_size_limit = 16777216')
  sqlite.exec(schema)
  for (const { table } of tiers) sqlite.prepare(`SELECT ts, device, data FROM ${table} LIMIT 1`).get()
  return sqlite
}

/**
 * Opens history.sqlite, the worker's own file. A missing one is made; one that cannot be read is put aside as
 * `….damaged` and made anew, which `onTrouble` is told: history may be lost without harm.
 */
export function openHistoryFile(file: string, onTrouble: (what: string) => void): HistoryFile {
  let sqlite: Database.Database
  try {
    sqlite = open(file)
  } catch (error) {
    if (
      !/CORRUPT|NOTADB|no such column|SCHEMA/.test(`${(error as { code?: string }).code} ${(error as Error).message}`)
    )
      throw error
    onTrouble('historyDamaged')
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    if (existsSync(/* turbopackIgnore: true */ file)) renameSync(file, `${file}.damaged`)
    sqlite = open(file)
  }
  return statements(sqlite)
}

function statements(sqlite: Database.Database): HistoryFile {
  const each = tiers.map(({ table }) => ({
    get: sqlite.prepare(`SELECT data FROM ${table} WHERE ts = ? AND device = ?`).pluck(),
    put: sqlite.prepare(`INSERT OR REPLACE INTO ${table} (ts, device, data) VALUES (?, ?, ?)`),
    devices: sqlite.prepare(`SELECT device FROM ${table} WHERE ts = ?`).pluck(),
    count: sqlite.prepare(`SELECT count(*) FROM ${table} WHERE ts = ?`).pluck(),
    rows: sqlite.prepare(
      `SELECT device, substr(data, 1, ${headBytes}) AS data FROM ${table} WHERE ts = ? AND device > ? ORDER BY device LIMIT ?`,
    ),
    newest: sqlite.prepare(`SELECT max(ts) FROM ${table}`).pluck(),
    oldest: sqlite.prepare(`SELECT min(ts) FROM ${table}`).pluck(),
    last: sqlite.prepare(`SELECT device FROM ${table} WHERE ts = ? ORDER BY device LIMIT 1 OFFSET ?`).pluck(),
    drop: sqlite.prepare(`DELETE FROM ${table} WHERE ts = ? AND device <= ?`),
  }))
  const of = (tier: number) => each[tier] ?? (each[0] as (typeof each)[number])
  const readSlots = sqlite.prepare('SELECT key FROM slots WHERE device = ? ORDER BY slot').pluck()
  const addSlot = sqlite.prepare('INSERT OR REPLACE INTO slots (device, slot, key) VALUES (?, ?, ?)')
  const dropSlots = sqlite.prepare('DELETE FROM slots WHERE device = ?')
  const readTotals = sqlite.prepare('SELECT data FROM totals WHERE tier = ? AND ts = ?').pluck()
  const hasTotals = sqlite.prepare('SELECT 1 FROM totals WHERE tier = ? AND ts = ?').pluck()
  const putTotals = sqlite.prepare('INSERT OR REPLACE INTO totals (tier, ts, data) VALUES (?, ?, ?)')
  const dropTotals = sqlite.prepare('DELETE FROM totals WHERE tier = ? AND ts <= ?')
  const putStations = sqlite.prepare('INSERT OR REPLACE INTO stations (tier, network, ts, data) VALUES (?, ?, ?, ?)')
  const readStations = sqlite.prepare(
    'SELECT ts, data FROM stations WHERE tier = ? AND network = ? AND ts BETWEEN ? AND ? ORDER BY ts',
  )
  const dropStations = sqlite.prepare('DELETE FROM stations WHERE tier = ? AND ts < ?')
  const oldest = (tier: number) => (of(tier).oldest.get() as number | null) ?? undefined
  return {
    get: (tier, bucket, device) => of(tier).get.get(bucket, device) as Buffer | undefined,
    put: sqlite.transaction((tier: number, bucket: number, rows: readonly (readonly [number, Buffer])[]) => {
      for (const [device, data] of rows) of(tier).put.run(bucket, device, data)
    }),
    devicesIn: (tier, bucket) => of(tier).devices.all(bucket) as number[],
    countIn: (tier, bucket) => of(tier).count.get(bucket) as number,
    rowsIn: (tier, bucket, after, most) => of(tier).rows.all(bucket, after, most) as { device: number; data: Buffer }[],
    totalsOf: (tier, bucket) => readTotals.get(tier, bucket) as Buffer | undefined,
    hasTotals: (tier, bucket) => hasTotals.get(tier, bucket) !== undefined,
    putTotals: (tier, bucket, data) => void putTotals.run(tier, bucket, data),
    newest: tier => (of(tier).newest.get() as number | null) ?? undefined,
    oldest,
    slots: device => readSlots.all(device) as string[],
    addSlots: sqlite.transaction((device: number, from: number, keys: readonly string[]) => {
      for (const [index, key] of keys.entries()) addSlot.run(device, from + index, key)
    }),
    prune(tier, before) {
      const first = oldest(tier)
      if (first === undefined || first >= before) return true
      const last = of(tier).last.get(first, droppedAtOnce) as number | undefined
      of(tier).drop.run(first, last ?? Number.MAX_SAFE_INTEGER)
      dropTotals.run(tier, first)
      return false
    },
    putStations: (tier, network, bucket, data) => void putStations.run(tier, network, bucket, data),
    stationsIn: (tier, network, from, until) =>
      readStations.all(tier, network, from, until) as { ts: number; data: Buffer }[],
    pruneStations: (tier, before) => void dropStations.run(tier, before),
    forget: device => {
      dropSlots.run(device)
    },
    close: () => {
      sqlite.close()
    },
  }
}
