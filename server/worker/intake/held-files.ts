import Database from 'better-sqlite3'
import { numberAt, type Segment, segmentsIn, timeOf } from './segment'

const hourMs = 3_600_000
/** So long a search goes on; then it says how far it came. */
const budgetMs = 1500
/** Between two looks at the clock. */
const rowsAtOnce = 500

/**
 * Rows of a file between two numbers, without the second, newest first and hour by hour, until a visit was the last or the
 * time is over: where to go on then.
 */
export function walkBack<Row extends { id: number }>(
  [lowest, highest]: readonly [number, number],
  rows: (low: number, high: number) => Iterable<Row>,
  visit: (row: Row) => boolean,
  isOver: () => boolean,
): number | undefined {
  let looked = 0
  for (let high = highest; high > lowest; ) {
    const low = Math.max(lowest, numberAt(Math.floor((timeOf(high) - 1) / hourMs) * hourMs))
    for (const row of rows(low, high)) {
      looked += 1
      if (looked % rowsAtOnce === 0 && isOver()) return row.id + 1
      if (visit(row)) return row.id
    }
    if (low > lowest && isOver()) return low
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
    const file = held.get(path) ?? new Database(path, { readonly: true, fileMustExist: true })
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
    throughAll(now: () => number, look: (file: Database.Database, isOver: () => boolean) => number | undefined) {
      const end = now() + budgetMs
      for (const segment of present()) {
        const next = read(segment, file => look(file, () => now() > end))
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
