import { type Buckets, base, guarded, pause } from './buckets'
import type { HistoryFile } from './file'
import { keyOf, type Measured, measured, type Series } from './series'
import { addSums, decodeSums, emptySums, encodeSums, type Sums } from './sums'
import { bucketOf, tiers } from './tiers'

// Finished buckets become coarser ones, and old ones go; what is not rolled up yet is added up as it is asked for.

export type Tiers = {
  file: HistoryFile
  buckets: Buckets
  /** Coarser tiers are complete before these times (unix s), by tier. */
  rolled: number[]
}

/** Series that are rolled up at once: each reads several rows. */
const slice = 50
/** Seconds of a tier's bucket. */
export const secondsOf = (tier: number): number => tiers[tier]?.seconds ?? base

/** Until when each tier is complete, by what is in the file. */
export const rolledUntil = (file: Pick<HistoryFile, 'newest' | 'oldest'>, startedAt: number): number[] =>
  tiers.map(({ seconds }, tier) => {
    const newest = file.newest(tier)
    return newest === undefined ? bucketOf((file.oldest(0) ?? startedAt / 1000) * 1000, seconds) : newest + seconds
  })

/** Sums of one bucket of a series, from memory, the file or what is finer; undefined = no data. */
export function sumsOf(
  history: Tiers,
  tier: number,
  bucket: number,
  series: Series,
  interfaces: boolean,
): Sums | undefined {
  const held = tier === 0 ? history.buckets.open.get(keyOf(series)) : undefined
  if (held?.bucket === bucket) return held.sums
  const data = history.file.get(tier, bucket, series)
  if (data) return decodeSums(data, interfaces)
  if (tier === 0 || bucket < (history.rolled[tier] ?? 0)) return undefined
  return merged(history, tier, bucket, series, interfaces)
}

/** A bucket from the finer ones in it. */
function merged(history: Tiers, tier: number, bucket: number, series: Series, interfaces: boolean): Sums | undefined {
  const finer = secondsOf(tier - 1)
  let all: Sums | undefined
  for (let at = bucket; at < bucket + secondsOf(tier); at += finer) {
    const part = sumsOf(history, tier - 1, at, series, interfaces)
    if (part) all = addSums(all ?? emptySums(), part)
  }
  return all
}

/** Each with a row of the finer tier in this bucket; yields between finer buckets. */
async function seriesIn(file: HistoryFile, tier: number, of: Measured, bucket: number): Promise<Series[]> {
  const finer = secondsOf(tier - 1)
  const ids = new Set<number>()
  for (let at = bucket; at < bucket + secondsOf(tier); at += finer) {
    for (const id of file.idsIn(tier - 1, of, at)) ids.add(id)
    await pause()
  }
  return Array.from(ids, id => ({ of, id }))
}

async function rollBucketUp(history: Tiers, tier: number, of: Measured, bucket: number): Promise<void> {
  const { file, buckets } = history
  const all = await seriesIn(file, tier, of, bucket)
  for (let from = 0; from < all.length; from += slice) {
    const rows = all.slice(from, from + slice).flatMap(series => {
      const made = merged(history, tier, bucket, series, true)
      return made ? [[series, encodeSums(made)] as const] : []
    })
    guarded(buckets, () => file.put(tier, bucket, rows))
    await pause()
  }
}

/** Makes every bucket of the tier that is finished at `now` (unix ms) out of the finer ones; yields between slices. */
export async function rollUp(history: Tiers, tier: number, now: number): Promise<void> {
  const { rolled } = history
  const step = secondsOf(tier)
  // One finer bucket of grace: the last polls of a bucket are written a minute later.
  for (let bucket = rolled[tier] ?? 0; bucket + step + secondsOf(tier - 1) <= now / 1000; bucket += step) {
    for (const of of measured) await rollBucketUp(history, tier, of, bucket)
    rolled[tier] = bucket + step
  }
}

type Counted = Pick<HistoryFile, 'oldest' | 'newest' | 'idsIn'>

/**
 * Before when (unix s) a tier's rows of one kind go: when they are too old, or ten buckets at a time while there are too
 * many. Of each kind so many: clients by the thousand leave the devices their days.
 */
export function pruneBefore(file: Counted, tier: number, of: Measured, now: number): number {
  const { keepSeconds, rows, seconds } = tiers[tier] ?? tiers[0]
  const oldest = file.oldest(tier, of)
  const newest = file.newest(tier, of) ?? 0
  // An estimate, from above: counting millions of rows would hold the polls up.
  const many = oldest === undefined ? 0 : file.idsIn(tier, of, newest - seconds).length * ((newest - oldest) / seconds)
  const over = oldest !== undefined && many > rows
  return over ? oldest + seconds * 10 : now / 1000 - keepSeconds
}

/** Drops what is too old or too much, in every tier; yields between buckets. */
export async function prune(file: HistoryFile, now: number): Promise<void> {
  for (const tier of tiers.keys())
    for (const of of measured) {
      const before = pruneBefore(file, tier, of, now)
      while (!file.prune(tier, of, before)) await pause()
    }
}
