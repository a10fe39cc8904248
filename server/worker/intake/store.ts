import { mkdirSync, rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import {
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

export type Keeping = { days: number; megabytes: number }
export type Store = {
  /** Writes all of them, or throws and has written none of what is left in `lines`. */
  write(lines: Line[]): void
  /** Drops the oldest that are older or more than what is kept; returns how many files went. */
  prune(keeping: Keeping, now: number): number
  /** Bytes of all, and when the oldest line that is kept came, unix ms. */
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

type Open = { sqlite: Database.Database; segment: Segment; insert(lines: readonly Line[]): void }

function openAt(segment: Segment, nextId: (at: number) => number): Open {
  const sqlite = openSegment(segment.path)
  const row = sqlite.prepare(
    'INSERT INTO log (id, device, network, way, pri, source, host, tag, text, cut) VALUES (CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const words = sqlite.prepare('INSERT INTO log_text (rowid, tag, text) VALUES (CAST(? AS INTEGER), ?, ?)')
  const insert = sqlite.transaction((lines: readonly Line[]) => {
    for (const { at, device, network, way, pri = null, source = null, host = null, tag, text, cut = null } of lines) {
      const id = nextId(at)
      row.run(id, device, network, ways.indexOf(way), pri, source, host, tag, text, cut)
      words.run(id, tag, text)
    }
  })
  return { sqlite, segment, insert }
}

const drop = ({ path }: Segment) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(/* turbopackIgnore: true */ `${path}${suffix}`, { force: true })
}

const bytesOfAll = (all: readonly Segment[]) => all.reduce((sum, one) => sum + segmentBytes(one), 0)

/** What an end without notice left of files that were open. */
function settleFormer(folder: string): void {
  for (const segment of segmentsIn(folder)) {
    try {
      settleSegment(segment)
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

/** The one writer of a folder of lines. Each start begins a file of its own, with the first line. */
export function openStore(folder: string, keeping: () => Keeping): Store {
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  settleFormer(folder)
  let open: Open | undefined
  let last = 0

  const nextId = (at: number): number => {
    last = Math.max(last + 1, numberAt(at))
    return last
  }
  const close = () => {
    open?.sqlite.close()
    open = undefined
  }
  /** The file for lines of now. */
  const current = (at: number): Open => {
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
      open = openAt({ path: `${folder}/${start}.sqlite`, start }, nextId)
    }
    return open
  }
  const makeRoom = (): boolean => {
    const [oldest, ...others] = segmentsIn(folder)
    if (!oldest || !others.length) return false
    drop(oldest)
    return true
  }
  const writeSome = (some: readonly Line[]) => {
    for (;;) {
      try {
        const { sqlite, insert } = current(some[0]?.at ?? 0)
        sqlite.pragma(`synchronous = ${some.some(line => line.onKept) ? 'FULL' : 'NORMAL'}`)
        return insert(some)
      } catch (error) {
        if (isDamaged(error)) close()
        if (!isFull(error) || !makeRoom()) throw error
      }
    }
  }
  return {
    write(lines) {
      while (lines.length) {
        writeSome(lines.slice(0, rowsAtOnce))
        for (const line of lines.splice(0, rowsAtOnce)) line.onKept?.()
      }
    },
    prune(kept, now) {
      if (open && !isSameDay(open.segment.start, now)) close()
      const gone = outdated(segmentsIn(folder), kept, now, open?.segment.path)
      for (const segment of gone) drop(segment)
      return gone.length
    },
    size() {
      const all = segmentsIn(folder)
      return { bytes: bytesOfAll(all), ...(all[0] && { oldest: all[0].start }) }
    },
    close,
  }
}
