import type { Database } from 'better-sqlite3'
import { numberOf } from './series'
import { tiers } from './tiers'

// Rows of the layout in which one number was the key: devices counted from 1, a network was its own number's negative, and
// what lay below minus a billion were the ways of a gateway. They are moved in steps, since there may be millions.

const formerOf = (table: string) => `former_${table}`
const ofSql = `CASE WHEN device > 0 THEN ${numberOf('device')} WHEN device < -1000000000 THEN ${numberOf('wan')} ELSE ${numberOf('network')} END`
const idSql = 'CASE WHEN device < -1000000000 THEN -1000000000 - device ELSE abs(device) END'

/** Rows that are moved at once. */
const atOnce = 500

const isThere = (sqlite: Database, table: string, column: string) =>
  sqlite.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined

/** Puts the tables of the former layout aside. */
export function setFormerAside(sqlite: Database): void {
  for (const table of [...tiers.map(one => one.table), 'slots'])
    if (isThere(sqlite, table, 'device')) sqlite.exec(`ALTER TABLE ${table} RENAME TO ${formerOf(table)}`)
}

/** Slots are few, and rows are read by them: all at once. */
export function takeFormerSlots(sqlite: Database): void {
  if (!isThere(sqlite, formerOf('slots'), 'device')) return
  sqlite.exec(`INSERT OR IGNORE INTO slots (of, id, slot, key) SELECT ${ofSql}, ${idSql}, slot, key FROM former_slots`)
  sqlite.exec('DROP TABLE former_slots')
}

const formerLeft = (sqlite: Database) => tiers.filter(({ table }) => isThere(sqlite, formerOf(table), 'device'))

export const hasFormer = (sqlite: Database): boolean => formerLeft(sqlite).length > 0

/** Moves some rows, the newest first; what was written of a bucket since the start stays. True when none are left. */
export function takeFormer(sqlite: Database): boolean {
  const [first] = formerLeft(sqlite)
  if (!first) return true
  const former = formerOf(first.table)
  const ts = sqlite.prepare(`SELECT max(ts) FROM ${former}`).pluck().get()
  if (ts === null) {
    sqlite.exec(`DROP TABLE ${former}`)
    return !hasFormer(sqlite)
  }
  const last = sqlite.prepare(`SELECT device FROM ${former} WHERE ts = ? ORDER BY device LIMIT 1 OFFSET ?`).pluck()
  const until = last.get(ts, atOnce - 1) ?? Number.MAX_SAFE_INTEGER
  sqlite.transaction(() => {
    sqlite
      .prepare(
        `INSERT OR IGNORE INTO ${first.table} (of, ts, id, data)
         SELECT ${ofSql}, ts, ${idSql}, data FROM ${former} WHERE ts = ? AND device <= ?`,
      )
      .run(ts, until)
    sqlite.prepare(`DELETE FROM ${former} WHERE ts = ? AND device <= ?`).run(ts, until)
  })()
  return false
}
