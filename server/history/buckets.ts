import type { HistoryFile } from './file'
import { keyOf, type Series } from './series'
import { decodeSums, emptySums, encodeSums, type Sums } from './sums'
import { bucketOf, tiers } from './tiers'

// The buckets of the finest tier that are being filled: in memory, written every now and then.

/** Seconds of the finest bucket. */
export const base = tiers[0].seconds
/** Rows that are written at once: more would hold the polls up. */
export const slice = 250

export const pause = () => new Promise<void>(done => setImmediate(done))

export type OpenBucket = { series: Series; bucket: number; sums: Sums; dirty: boolean }
export type Buckets = {
  file: Pick<HistoryFile, 'get' | 'put'>
  onTrouble(what: string): void
  /** By series (`keyOf`). */
  open: Map<number, OpenBucket>
  /** The one in which the process started. */
  first: number
  /** The last write failed: that is told once. */
  failing: boolean
  /** The file is closed: what is still under way ends. */
  closed: boolean
}

export const newBuckets = (file: Buckets['file'], onTrouble: (what: string) => void, startedAt: number): Buckets => ({
  file,
  onTrouble,
  open: new Map(),
  first: bucketOf(startedAt, base),
  failing: false,
  closed: false,
})

/** Does what writes; a failure is told where the write before it went well, and does not reach the caller. */
export function guarded(buckets: Buckets, work: () => void): void {
  try {
    work()
    buckets.failing = false
  } catch (error) {
    if (!buckets.failing) buckets.onTrouble(`historyNotWritten: ${(error as Error).message}`)
    buckets.failing = true
  }
}

function write(buckets: Buckets, open: readonly OpenBucket[]): void {
  guarded(buckets, () => {
    for (const bucket of new Set(open.map(one => one.bucket)))
      buckets.file.put(
        0,
        bucket,
        open.flatMap(one => (one.bucket === bucket ? [[one.series, encodeSums(one.sums)] as const] : [])),
      )
    for (const one of open) one.dirty = false
  })
}

/** The bucket of a series that holds `at` (unix ms); the one before it is written. */
export function bucketAt(buckets: Buckets, series: Series, at: number): OpenBucket {
  const bucket = bucketOf(at, base)
  const held = buckets.open.get(keyOf(series))
  if (held?.bucket === bucket) return held
  if (held?.dirty) write(buckets, [held])
  // Only the bucket in which the process started can have been begun by an earlier one.
  const before = bucket === buckets.first ? buckets.file.get(0, bucket, series) : undefined
  const sums = (before && decodeSums(before)) ?? emptySums(held?.sums.known.length)
  const next = { series, bucket, sums, dirty: false }
  buckets.open.set(keyOf(series), next)
  return next
}

const unwritten = ({ open }: Buckets) => [...open.values()].filter(one => one.dirty)

/** Writes what was added since the last time. */
export function flush(buckets: Buckets): void {
  const dirty = unwritten(buckets)
  for (let from = 0; from < dirty.length; from += slice) write(buckets, dirty.slice(from, from + slice))
}

/** The same with a pause after each slice: of tens of thousands of devices all at once would hold the polls up. */
export async function flushInSlices(buckets: Buckets): Promise<void> {
  const dirty = unwritten(buckets)
  for (let from = 0; from < dirty.length && !buckets.closed; from += slice) {
    const still = dirty.slice(from, from + slice).filter(one => one.dirty)
    write(buckets, still)
    await pause()
  }
}
