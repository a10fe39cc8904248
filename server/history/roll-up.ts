import { type Buckets, base, guarded, pause } from './buckets'
import type { HistoryFile } from './file'
import { addSums, decodeSums, emptySums, encodeSums, type Sums } from './sums'
import { bucketOf, tiers } from './tiers'

// Finished buckets become coarser ones, and old ones go; what is not rolled up yet is added up as it is asked for.

export type Tiers = {
  file: HistoryFile
  buckets: Buckets
  /** Coarser tiers are complete before these times (unix s), by tier. */
  rolled: number[]
}

/** Devices that are rolled up at once: each reads several rows. */
const slice = 50
/** Seconds of a tier's bucket. */
export const secondsOf = (tier: number): number => tiers[tier]?.seconds ?? base

/** Until when each tier is complete, by what is in the file. */
export const rolledUntil = (file: Pick<HistoryFile, 'newest' | 'oldest'>, startedAt: number): number[] =>
  tiers.map(({ seconds }, tier) => {
    const newest = file.newest(tier)
    return newest === undefined ? bucketOf((file.oldest(0) ?? startedAt / 1000) * 1000, seconds) : newest + seconds
  })

/** Sums of one bucket of a device, from memory, the file or what is finer; undefined = no data. */
export function sumsOf(
  history: Tiers,
  tier: number,
  bucket: number,
  device: number,
  interfaces: boolean,
): Sums | undefined {
  const held = tier === 0 ? history.buckets.open.get(device) : undefined
  if (held?.bucket === bucket) return held.sums
  const data = history.file.get(tier, bucket, device)
  if (data) return decodeSums(data, interfaces)
  if (tier === 0 || bucket < (history.rolled[tier] ?? 0)) return undefined
  return merged(history, tier, bucket, device, interfaces)
}

/** A bucket from the finer ones in it. */
function merged(history: Tiers, tier: number, bucket: number, device: number, interfaces: boolean): Sums | undefined {
  const finer = secondsOf(tier - 1)
  let all: Sums | undefined
  for (let at = bucket; at < bucket + secondsOf(tier); at += finer) {
    const part = sumsOf(history, tier - 1, at, device, interfaces)
    if (part) all = addSums(all ?? emptySums(), part)
  }
  return all
}

/** Every device with a row of the finer tier in this bucket; yields between finer buckets. */
async function devicesIn(file: HistoryFile, tier: number, bucket: number): Promise<number[]> {
  const finer = secondsOf(tier - 1)
  const devices = new Set<number>()
  for (let at = bucket; at < bucket + secondsOf(tier); at += finer) {
    for (const id of file.devicesIn(tier - 1, at)) devices.add(id)
    await pause()
  }
  return [...devices]
}

/** Makes every bucket of the tier that is finished at `now` (unix ms) out of the finer ones; yields between slices. */
export async function rollUp(history: Tiers, tier: number, now: number): Promise<void> {
  const { file, buckets, rolled } = history
  const step = secondsOf(tier)
  // One finer bucket of grace: the last polls of a bucket are written a minute later.
  for (let bucket = rolled[tier] ?? 0; bucket + step + secondsOf(tier - 1) <= now / 1000; bucket += step) {
    const ids = await devicesIn(file, tier, bucket)
    for (let from = 0; from < ids.length; from += slice) {
      const rows = ids.slice(from, from + slice).flatMap(device => {
        const made = merged(history, tier, bucket, device, true)
        return made ? [[device, encodeSums(made)] as const] : []
      })
      guarded(buckets, () => file.put(tier, bucket, rows))
      await pause()
    }
    rolled[tier] = bucket + step
  }
}

/** Before when (unix s) a tier's rows go: when they are too old, or ten buckets at a time while there are too many. */
export function pruneBefore(file: Pick<HistoryFile, 'oldest' | 'newest' | 'devicesIn'>, tier: number, now: number) {
  const { keepSeconds, rows, seconds } = tiers[tier] ?? tiers[0]
  const oldest = file.oldest(tier)
  const newest = file.newest(tier) ?? 0
  // An estimate, from above: counting millions of rows would hold the polls up.
  const many = oldest === undefined ? 0 : file.devicesIn(tier, newest - seconds).length * ((newest - oldest) / seconds)
  const over = oldest !== undefined && many > rows
  return over ? oldest + seconds * 10 : now / 1000 - keepSeconds
}

/** Drops what is too old or too much, in every tier; yields between buckets. */
export async function prune(file: HistoryFile, now: number): Promise<void> {
  for (const tier of tiers.keys()) {
    const before = pruneBefore(file, tier, now)
    while (!file.prune(tier, before)) await pause()
  }
}
