import Database from 'better-sqlite3'
import { numberAt, type Segment, segmentsIn, timeOf } from './segment'

const hourMs = 3_600_000
/** So long a search goes on; then it says how far it came. */
const budgetMs = 1500
/** Between two looks at the clock. */
const rowsAtOnce = 500
/** Of pages, for each file: dozens are open, and the system keeps what was read in any case. SQLite would take 2 MB each. */
const cacheKb = 128
/** After a stretch that took less, the next one is twice as long; after one that took more than twice that, half. */
const quickMs = 15

/**
 * How a search goes back in time: by stretches of hours, since nothing stops a question to a file before its first row, and
 * each question costs something even where there is nothing.
 */
export type Pace = {
  /** Of the next stretch. */
  hours(): number
  /** Runs a stretch, by which the next one is judged. */
  stretch<Found>(look: () => Found): Found
  isOver(): boolean
}

function paceOf(now: () => number): Pace {
  const end = now() + budgetMs
  let hours = 1
  return {
    hours: () => hours,
    stretch(look) {
      const begun = now()
      const found = look()
      const ms = now() - begun
      if (ms < quickMs) hours *= 2
      else if (ms > 2 * quickMs) hours = Math.max(1, Math.floor(hours / 2))
      return found
    },
    isOver: () => now() > end,
  }
}

/**
 * Rows of a file between two numbers, without the second, newest first and stretch by stretch, until a visit was the last or
 * the time is over: where to go on then.
 */
export function walkBack<Row extends { id: number }>(
  [lowest, highest]: readonly [number, number],
  rows: (low: number, high: number) => Iterable<Row>,
  visit: (row: Row) => boolean,
  pace: Pace,
): number | undefined {
  let looked = 0
  const through = (low: number, high: number): number | undefined => {
    for (const row of rows(low, high)) {
      looked += 1
      if (looked % rowsAtOnce === 0 && pace.isOver()) return row.id + 1
      if (visit(row)) return row.id
    }
    return undefined
  }
  for (let high = highest; high > lowest; ) {
    const hour = Math.floor((timeOf(high) - 1) / hourMs) + 1 - pace.hours()
    const low = Math.max(lowest, numberAt(hour * hourMs))
    const next = pace.stretch(() => through(low, high))
    if (next !== undefined) return next
    if (low > lowest && pace.isOver()) return low
    high = low
  }
  return undefined
}

/** The files of a folder, opened once, to be read beside their writer. */
export function heldFiles(folder: string) {
  const held = new Map<string, Database.Database>()
  const drop = (path: string) => {
    held.get(path)?.close()
    held.delete(path)
  }
  const of = ({ path }: Segment): Database.Database => {
    const known = held.get(path)
    if (known) return known
    const file = new Database(path, { readonly: true, fileMustExist: true })
    file.pragma(`cache_size = -${cacheKb}`)
    held.set(path, file)
    return file
  }
  /** Those that are there, newest first; others are closed. */
  const present = (): Segment[] => {
    const segments = segmentsIn(folder)
    const paths = new Set(segments.map(one => one.path))
    for (const path of held.keys()) if (!paths.has(path)) drop(path)
    return segments.toReversed()
  }
  /** A file that is being made, or went meanwhile, has nothing. */
  const read = <Found>(segment: Segment, look: (file: Database.Database) => Found): Found | undefined => {
    try {
      return look(of(segment))
    } catch (error) {
      if (!/no such table|unable to open database/.test(String(error))) throw error
      drop(segment.path)
      return undefined
    }
  }
  return {
    present,
    read,
    /** Through all of them, newest first, until a look says where to go on. */
    throughAll(now: () => number, look: (file: Database.Database, pace: Pace) => number | undefined) {
      const pace = paceOf(now)
      for (const segment of present()) {
        const next = read(segment, file => look(file, pace))
        if (next !== undefined) return next
      }
      return undefined
    },
    close() {
      for (const path of held.keys()) drop(path)
    },
  }
}
export type HeldFiles = ReturnType<typeof heldFiles>
