import { bucketAt, flush, flushInSlices, guarded, newBuckets, pause } from './buckets'
import { type ClientBook, clientSeries, forgetClient, forgetClients, newClientBook } from './client-numbers'
import { openHistoryFile } from './file'
import { dropForgotten, type Forgotten } from './forgetting'
import { forgetSlots, newSlotBook, slotMap, slotOf } from './interface-slots'
import { prune, rolledUntil, rollUp, sumsOf, type Tiers } from './roll-up'
import { addSample, type Sample } from './sample'
import { keyOf, type Series } from './series'
import { type StationBook, stationBook } from './stations'
import type { Sums } from './sums'
import { addMissing, keepTotals, type Total, totals } from './totals'

export type HistoryStore = {
  add(series: Series, at: number, sample: Sample): void
  /** A client's series at `at` (unix ms), wired or wireless; undefined while its network has more than are kept. */
  client(network: number, mac: string, at: number): Series | undefined
  /** Sums of one bucket, from the file or, where it is not rolled up yet, from what is finer; undefined = no data. */
  sums(tier: number, bucket: number, series: Series, interfaces: boolean): Sums | undefined
  /** Octets of every device between two times (unix s), from the coarsest buckets that fit; yields between buckets. */
  totals(from: number, until: number): Promise<Map<number, Total>>
  /** Slot of an interface, -1 when it was never seen. */
  slotOf(series: Series, key: string): number
  /** Clients: signal of those on Wi-Fi, and traffic. */
  stations: StationBook
  /** Nobody finds it any more; its rows go as `tidy` comes to it. */
  forget(forgotten: Forgotten): void
  /** Writes what came since the last flush: at most this is lost when the process dies. */
  flush(): void
  /** The same, with pauses in which others go on. */
  flushInSlices(): Promise<void>
  /** Rolls finished buckets up, drops old ones and those of what was forgotten; yields between slices. */
  tidy(now: number): Promise<void>
  close(): void
}

/** Moves rows of the former layout, if there are any; only then is it known until when each tier is complete. */
async function takeFormer(history: Tiers, startedAt: number): Promise<void> {
  const { file, buckets } = history
  if (!file.hasFormer()) return
  while (!buckets.closed && !file.takeFormer()) await pause()
  if (!buckets.closed) history.rolled = rolledUntil(file, startedAt)
}

type Books = Tiers & { clients: ClientBook; stations: StationBook; drop(series: Series): void }

function forget({ file, clients, stations, drop }: Books, forgotten: Forgotten): void {
  if (forgotten.of === 'client') {
    stations.forget(forgotten.network, forgotten.mac)
    forgetClient(clients, forgotten.network, forgotten.mac)
    return
  }
  const { of, id } = forgotten
  const own: Series[] = of === 'device' ? [forgotten, { of: 'wan', id }] : [forgotten]
  for (const series of own) {
    file.forget(series)
    drop(series)
  }
  if (of === 'device') return
  stations.forget(id)
  forgetClients(clients, id)
}

/**
 * Opens the history in the file `path`, for a process that began at `startedAt` (unix ms); throws where it cannot.
 * `onTrouble` is told `historyDamaged` when it had to be made anew, `historyNotWritten: …` when the disk refuses.
 */
export function openHistory(path: string, onTrouble: (what: string) => void, startedAt = Date.now()): HistoryStore {
  const file = openHistoryFile(path, onTrouble)
  const slots = newSlotBook(file)
  const buckets = newBuckets(file, onTrouble, startedAt)
  const stations = stationBook(file, work => guarded(buckets, work), startedAt)
  const drop = (series: Series) => {
    buckets.open.delete(keyOf(series))
    forgetSlots(slots, series)
  }
  const clients = newClientBook(file, drop)
  const books: Books = { file, buckets, rolled: rolledUntil(file, startedAt), clients, stations, drop }
  return {
    add(series, at, sample) {
      const one = bucketAt(buckets, series, at)
      addSample(one.sums, sample, (keys, former) => slotMap(slots, series, keys, former))
      one.dirty = true
    },
    client(network, mac, at) {
      let found: Series | undefined
      guarded(buckets, () => {
        found = clientSeries(clients, network, mac, at)
      })
      return found
    },
    sums: (tier, bucket, series, interfaces) => sumsOf(books, tier, bucket, series, interfaces),
    totals: (from, until) => totals(books, from, until),
    slotOf: (series, key) => slotOf(slots, series, key),
    stations,
    forget: forgotten => guarded(buckets, () => forget(books, forgotten)),
    flush: () => flush(buckets),
    flushInSlices: () => flushInSlices(buckets),
    async tidy(now) {
      await takeFormer(books, startedAt)
      if (buckets.closed) return
      await rollUp(books, 1, now)
      await rollUp(books, 2, now)
      await keepTotals(books, Math.floor(now / 1000))
      await addMissing(books, Math.floor(now / 1000))
      await prune(file, now)
      await dropForgotten(file, stations)
    },
    close() {
      buckets.closed = true
      stations.flush()
      file.close()
    },
  }
}
