import { mkdirSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { addressesIn } from './addresses'
import {
  dropSegment,
  numberAt,
  openSegment,
  type Segment,
  segmentBytes,
  segmentsIn,
  settleSegment,
  timeOf,
  writtenAt,
} from './segment'
import type { SyslogLine } from './syslog-line'

/** How a line came; files know them by their place. */
export const ways = ['udp', 'tcp', 'trap1', 'trap2', 'trap3', 'inform2', 'inform3', 'tls'] as const
export type Way = (typeof ways)[number]
/** Their lines are notifications over SNMP, which know no facility. */
export const isNotification = (way: Way): boolean => way !== 'udp' && way !== 'tcp' && way !== 'tls'

/** A line to keep. `device` and `network` are 0 for a sender that is no device, which `source` names then. */
export type Line = SyslogLine & {
  at: number
  device: number
  network: number
  way: Way
  source?: string
  /** Told once the line is on the disk, to stay there though the power fails: its sender waits for that. */
  onKept?(): void
}

/** What can be kept: it has come at a time, unix ms, and may have to be on the disk before somebody hears so. */
export type Kept = Pick<Line, 'at' | 'onKept'>
/** How rows of a sort lie in a file, whose numbers tell when they came. */
export type Table<Row> = {
  schema: string
  /** What puts rows into a file that was opened, within a transaction. */
  inserter(file: Database.Database): (rows: readonly (readonly [id: number, row: Row])[]) => void
}

export const lineTable: Table<Line> = {
  schema: `
CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, device INTEGER NOT NULL, network INTEGER NOT NULL, way INTEGER NOT NULL,
  pri INTEGER, source TEXT, host TEXT, tag TEXT NOT NULL, text TEXT NOT NULL, cut INTEGER);
CREATE INDEX IF NOT EXISTS log_device ON log (device);
CREATE VIRTUAL TABLE IF NOT EXISTS log_text USING fts5(tag, text, addresses, content='log', content_rowid='id', columnsize=0);`,
  inserter(file) {
    const log = file.prepare(
      'INSERT INTO log (id, device, network, way, pri, source, host, tag, text, cut) VALUES (CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const words = file.prepare(
      'INSERT INTO log_text (rowid, tag, text, addresses) VALUES (CAST(? AS INTEGER), ?, ?, ?)',
    )
    return rows => {
      for (const [
        id,
        { device, network, way, pri = null, source = null, host = null, tag, text, cut = null },
      ] of rows) {
        log.run(id, device, network, ways.indexOf(way), pri, source, host, tag, text, cut)
        words.run(id, tag, text, addressesIn(`${tag} ${text}`).join(' '))
      }
    }
  },
}

export type Keeping = { days: number; megabytes: number }
export type Store<Row> = {
  /** Writes all of them, or throws and has written none of what is left in `rows`. */
  write(rows: Row[]): void
  /** Drops the oldest that are older or more than what is kept; returns how many files went. */
  prune(keeping: Keeping, now: number): number
  /** Bytes of all, and when the oldest row that is kept came, unix ms. */
  size(): { bytes: number; oldest?: number }
  close(): void
}

const dayMs = 86_400_000
const rowsAtOnce = 2000
const bytesOfMb = 1024 * 1024
/** Of all that may be kept: how much goes at once. */
const parts = 10
const leastPartBytes = 4 * bytesOfMb
/** A clock that was set back by more begins a file of its own. */
const backMs = 60_000

const isSameDay = (a: number, b: number) => Math.floor(a / dayMs) === Math.floor(b / dayMs)
const isFull = (error: unknown) => (error as { code?: string }).code === 'SQLITE_FULL'

/** Lines go on in another file. */
const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: string }).code))

type Open<Row> = { sqlite: Database.Database; segment: Segment; insert(rows: readonly Row[]): void }

function openAt<Row extends Kept>(segment: Segment, table: Table<Row>, nextId: (at: number) => number): Open<Row> {
  const sqlite = openSegment(segment.path, table.schema)
  const put = table.inserter(sqlite)
  const insert = sqlite.transaction((rows: readonly Row[]) => put(rows.map(row => [nextId(row.at), row] as const)))
  return { sqlite, segment, insert }
}

const bytesOfAll = (all: readonly Segment[]) => all.reduce((sum, one) => sum + segmentBytes(one), 0)

/** What an end without notice left of files that were open. */
function settleFormer(folder: string, schema: string): void {
  for (const segment of segmentsIn(folder)) {
    try {
      settleSegment(segment, schema)
    } catch (error) {
      console.error(`logs: ${segment.path} cannot be read:`, error instanceof Error ? error.message : error)
    }
  }
}

/** The oldest files of these that are older or more than what is kept; never the open one or what came after it. */
function outdated(all: readonly Segment[], { days, megabytes }: Keeping, now: number, open?: string): Segment[] {
  let bytes = bytesOfAll(all)
  const first = all.findIndex((segment, at) => {
    const end = all[at + 1]?.start ?? writtenAt(segment)
    const isOld = end < now - days * dayMs
    if (segment.path === open || !(isOld || bytes > megabytes * bytesOfMb)) return true
    bytes -= segmentBytes(segment)
    return false
  })
  return first < 0 ? [...all] : all.slice(0, first)
}

/** The one writer of a folder of rows. Each start begins a file of its own, with the first row. */
export function openStore<Row extends Kept>(folder: string, keeping: () => Keeping, table: Table<Row>): Store<Row> {
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  settleFormer(folder, table.schema)
  let open: Open<Row> | undefined
  let last = 0

  const nextId = (at: number): number => {
    last = Math.max(last + 1, numberAt(at))
    return last
  }
  const close = () => {
    open?.sqlite.close()
    open = undefined
  }
  /** The file for rows of now. */
  const current = (at: number): Open<Row> => {
    const most = Math.max(leastPartBytes, (keeping().megabytes * bytesOfMb) / parts)
    const back = timeOf(last) - at > backMs
    const over = open && (back || !isSameDay(open.segment.start, at) || segmentBytes(open.segment) > most)
    if (over) close()
    if (back) last = 0
    if (!open) {
      const taken = new Set(segmentsIn(folder).map(one => one.start))
      let start = at
      while (taken.has(start)) start += 1
      last = Math.max(last, numberAt(start))
      open = openAt({ path: `${folder}/${start}.sqlite`, start }, table, nextId)
    }
    return open
  }
  const makeRoom = (): boolean => {
    const [oldest, ...others] = segmentsIn(folder)
    if (!oldest || !others.length) return false
    dropSegment(oldest)
    return true
  }
  const writeSome = (some: readonly Row[]) => {
    for (;;) {
      try {
        const { sqlite, insert } = current(some[0]?.at ?? 0)
        sqlite.pragma(`synchronous = ${some.some(row => row.onKept) ? 'FULL' : 'NORMAL'}`)
        return insert(some)
      } catch (error) {
        if (isDamaged(error)) close()
        if (!isFull(error) || !makeRoom()) throw error
      }
    }
  }
  return {
    write(rows) {
      while (rows.length) {
        writeSome(rows.slice(0, rowsAtOnce))
        for (const row of rows.splice(0, rowsAtOnce)) row.onKept?.()
      }
    },
    prune(kept, now) {
      if (open && !isSameDay(open.segment.start, now)) close()
      const gone = outdated(segmentsIn(folder), kept, now, open?.segment.path)
      for (const segment of gone) dropSegment(segment)
      return gone.length
    },
    size() {
      const all = segmentsIn(folder)
      return { bytes: bytesOfAll(all), ...(all[0] && { oldest: all[0].start }) }
    },
    close,
  }
}
