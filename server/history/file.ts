import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import {
  type ClientRows,
  clientRows,
  clientSchema,
  type ForgottenRows,
  forgottenRows,
  type StationRows,
  stationRows,
} from './file-clients'
import { type SampleRows, sampleRows, sampleSchema, type TotalRows, totalRows } from './file-samples'
import { hasFormer, setFormerAside, takeFormer, takeFormerSlots } from './former-layout'
import { tiers } from './tiers'

export type HistoryFile = SampleRows &
  TotalRows &
  StationRows &
  ClientRows &
  ForgottenRows & {
    /** Whether rows of the former layout are left (./former-layout.ts). */
    hasFormer(): boolean
    /** Moves some of them; true when none are left. */
    takeFormer(): boolean
    close(): void
  }

/** Of the tables below; 0: one number was the key, or the file is new. */
const layout = 1

function bringToLayout(sqlite: Database.Database): void {
  if (sqlite.pragma('user_version', { simple: true }) !== layout) setFormerAside(sqlite)
  sqlite.exec(sampleSchema)
  sqlite.exec(clientSchema)
  takeFormerSlots(sqlite)
  sqlite.pragma(`user_version = ${layout}`)
}

function open(file: string): Database.Database {
  const sqlite = new Database(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('journal_size_limit = 16777216')
  sqlite.transaction(() => bringToLayout(sqlite))()
  for (const { table } of tiers) sqlite.prepare(`SELECT of, ts, id, data FROM ${table} LIMIT 1`).get()
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
  return {
    ...sampleRows(sqlite),
    ...totalRows(sqlite),
    ...stationRows(sqlite),
    ...clientRows(sqlite),
    ...forgottenRows(sqlite),
    hasFormer: () => hasFormer(sqlite),
    takeFormer: () => takeFormer(sqlite),
    close: () => {
      sqlite.close()
    },
  }
}
