import { readdirSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'

// Lines lie in files of their own, one after the other: the oldest goes as a whole. Only the newest is written to.

/** Numbers of lines count on within a millisecond, so that a number tells the time, and orders lines as they came. */
export const numbersEachMs = 2048
export const timeOf = (id: number): number => Math.floor(id / numbersEachMs)
export const numberAt = (at: number): number => at * numbersEachMs

export type Segment = {
  path: string
  /** When its first line came, unix ms. */
  start: number
}

const pattern = /^(\d{1,16})\.sqlite$/

/** Those of a folder, oldest first; none where there is no folder. */
export function segmentsIn(folder: string): Segment[] {
  let names: string[] = []
  try {
    names = readdirSync(/* turbopackIgnore: true */ folder)
  } catch {
    return []
  }
  return names
    .flatMap(name => {
      const start = pattern.exec(name)?.[1]
      return start ? [{ path: `${folder}/${name}`, start: Number(start) }] : []
    })
    .toSorted((a, b) => a.start - b.start)
}

const sizeOf = (path: string): number =>
  statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false })?.size ?? 0

export const dropSegment = ({ path }: Segment): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(/* turbopackIgnore: true */ `${path}${suffix}`, { force: true })
}

/** With what is not yet written back. */
export const segmentBytes = ({ path }: Segment): number => sizeOf(path) + sizeOf(`${path}-wal`)

/** When its last line came, at the latest; unix ms. */
export const writtenAt = ({ path }: Segment): number =>
  statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** For writing; made where it is missing. */
export function openSegment(path: string, schema: string): Database.Database {
  const sqlite = new Database(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('wal_autocheckpoint = 4000')
  sqlite.pragma('journal_size_limit = 16777216')
  sqlite.exec(schema)
  return sqlite
}

/** One that a killed process left: writes back what it had not yet. */
export function settleSegment({ path }: Segment, schema: string): void {
  if (sizeOf(`${path}-wal`) > 0) openSegment(path, schema).close()
}

/** The lowest and the highest number of a file's rows; null of an empty one. Asked for as one, SQLite would read all of them. */
export const endsOf = (file: Database.Database, table: 'log' | 'record') =>
  file.prepare(`SELECT (SELECT min(id) FROM ${table}) AS low, (SELECT max(id) FROM ${table}) AS high`).get() as {
    low: number | null
    high: number | null
  }
