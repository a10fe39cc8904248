import { bucketAt, flush, flushInSlices, guarded, newBuckets } from './buckets'
import { openHistoryFile } from './file'
import { forgetSlots, newSlotBook, slotMap, slotOf } from './interface-slots'
import { prune, rolledUntil, rollUp, sumsOf } from './roll-up'
import { addSample, type Sample } from './sample'
import { type StationBook, stationBook } from './stations'
import type { Sums } from './sums'
import { addMissing, keepTotals, type Total, totals } from './totals'

export type HistoryStore = {
  add(device: number, at: number, sample: Sample): void
  /** Sums of one bucket, from the file or, where it is not rolled up yet, from what is finer; undefined = no data. */
  sums(tier: number, bucket: number, device: number, interfaces: boolean): Sums | undefined
  /** Octets of every device between two times (unix s), from the coarsest buckets that fit; yields between buckets. */
  totals(from: number, until: number): Promise<Map<number, Total>>
  /** Slot of an interface, -1 when it was never seen. */
  slotOf(device: number, key: string): number
  /** Wi-Fi clients: their signal and traffic. */
  stations: StationBook
  forget(device: number): void
  /** Writes what came since the last flush: at most this is lost when the process dies. */
  flush(): void
  /** The same, with pauses in which others go on. */
  flushInSlices(): Promise<void>
  /** Rolls finished buckets up and drops old ones; yields between slices. */
  tidy(now: number): Promise<void>
  close(): void
}

/**
 * Opens the history in the file `path`, for a process that began at `startedAt` (unix ms); throws where it cannot.
 * `onTrouble` is told `historyDamaged` when it had to be made anew, `historyNotWritten: …` when the disk refuses.
 */
export function openHistory(path: string, onTrouble: (what: string) => void, startedAt = Date.now()): HistoryStore {
  const file = openHistoryFile(path, onTrouble)
  const slots = newSlotBook(file)
  const buckets = newBuckets(file, onTrouble, startedAt)
  const stations = stationBook(file, work => guarded(buckets, work))
  const tiers = { file, buckets, rolled: rolledUntil(file, startedAt) }
  return {
    add(device, at, sample) {
      const one = bucketAt(buckets, device, at)
      addSample(one.sums, sample, keys => slotMap(slots, device, keys))
      one.dirty = true
    },
    sums: (tier, bucket, device, interfaces) => sumsOf(tiers, tier, bucket, device, interfaces),
    totals: (from, until) => totals(tiers, from, until),
    slotOf: (device, key) => slotOf(slots, device, key),
    stations,
    forget(device) {
      buckets.open.delete(device)
      forgetSlots(slots, device)
      guarded(buckets, () => file.forget(device))
    },
    flush: () => flush(buckets),
    flushInSlices: () => flushInSlices(buckets),
    async tidy(now) {
      await rollUp(tiers, 1, now)
      await rollUp(tiers, 2, now)
      await keepTotals(tiers, Math.floor(now / 1000))
      await addMissing(tiers, Math.floor(now / 1000))
      await prune(file, now)
    },
    close() {
      buckets.closed = true
      stations.flush()
      file.close()
    },
  }
}
