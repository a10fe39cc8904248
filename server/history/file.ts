import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { tiers } from './tiers'

export type HistoryFile = {
  get(tier: number, bucket: number, device: number): Buffer | undefined
  /** Writes rows of one bucket in one transaction. */
  put(tier: number, bucket: number, rows: readonly (readonly [device: number, data: Buffer])[]): void
  devicesIn(tier: number, bucket: number): number[]
  rowsIn(tier: number, bucket: number): { device: number; data: Buffer }[]
  newest(tier: number): number | undefined
  oldest(tier: number): number | undefined
  /** Interface keys of a device by slot. */
  slots(device: number): string[]
  addSlots(device: number, from: number, keys: readonly string[]): void
  /** Drops what is older than `before` (unix s), a few buckets at a time; true when nothing is left to drop. */
  prune(tier: number, before: number): boolean
  forget(device: number): void
  close(): void
}

const schema = `${tiers
  .map(
    ({ table }) =>
      `CREATE TABLE IF NOT EXISTS ${table} (ts INTEGER NOT NULL, device INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (ts, device)) WITHOUT ROWID;`,
  )
  .join('\n')}
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
    rows: sqlite.prepare(`SELECT device, data FROM ${table} WHERE ts = ?`),
    newest: sqlite.prepare(`SELECT max(ts) FROM ${table}`).pluck(),
    oldest: sqlite.prepare(`SELECT min(ts) FROM ${table}`).pluck(),
    drop: sqlite.prepare(`DELETE FROM ${table} WHERE ts = ?`),
  }))
  const of = (tier: number) => each[tier] ?? (each[0] as (typeof each)[number])
  const readSlots = sqlite.prepare('SELECT key FROM slots WHERE device = ? ORDER BY slot').pluck()
  const addSlot = sqlite.prepare('INSERT OR REPLACE INTO slots (device, slot, key) VALUES (?, ?, ?)')
  const dropSlots = sqlite.prepare('DELETE FROM slots WHERE device = ?')
  const oldest = (tier: number) => (of(tier).oldest.get() as number | null) ?? undefined
  return {
    get: (tier, bucket, device) => of(tier).get.get(bucket, device) as Buffer | undefined,
    put: sqlite.transaction((tier: number, bucket: number, rows: readonly (readonly [number, Buffer])[]) => {
      for (const [device, data] of rows) of(tier).put.run(bucket, device, data)
    }),
    devicesIn: (tier, bucket) => of(tier).devices.all(bucket) as number[],
    rowsIn: (tier, bucket) => of(tier).rows.all(bucket) as { device: number; data: Buffer }[],
    newest: tier => (of(tier).newest.get() as number | null) ?? undefined,
    oldest,
    slots: device => readSlots.all(device) as string[],
    addSlots: sqlite.transaction((device: number, from: number, keys: readonly string[]) => {
      for (const [index, key] of keys.entries()) addSlot.run(device, from + index, key)
    }),
    prune(tier, before) {
      for (let round = 0; round < 4; round++) {
        const first = oldest(tier)
        if (first === undefined || first >= before) return true
        of(tier).drop.run(first)
      }
      return false
    },
    forget: device => {
      dropSlots.run(device)
    },
    close: () => {
      sqlite.close()
    },
  }
}
