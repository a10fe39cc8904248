import { type BucketTotals, bucketTotals } from './bucket-totals'
import { base, pause } from './buckets'
import { secondsOf, type Tiers } from './roll-up'
import { rangeOf, ranges, tiers } from './tiers'

/** What a device carried in a time, and the seconds of it for which that is known. */
export type Total = { inOctets: number; outOctets: number; seconds: number }

function addTotal(found: Map<number, Total>, device: number, { inOctets, outOctets, seconds }: Total): void {
  const held = found.get(device)
  if (!held) {
    found.set(device, { inOctets, outOctets, seconds })
    return
  }
  held.inOctets += inOctets
  held.outOctets += outOctets
  held.seconds += seconds
}

/** Adds a bucket's totals but of those devices that are `newer` in memory. */
function addBucket(found: Map<number, Total>, all: BucketTotals, newer: (device: number) => boolean): void {
  const { devices, octets, seconds } = all
  for (const [at, device] of devices.entries())
    if (!newer(device))
      addTotal(found, device, {
        inOctets: octets[at * 2] ?? 0,
        outOctets: octets[at * 2 + 1] ?? 0,
        seconds: seconds[at] ?? 0,
      })
}

/** The coarsest tier of which a whole, finished bucket begins at `at` and ends by `until` (unix s). */
export function coarsestAt(rolled: readonly number[], at: number, until: number): number {
  for (let tier = tiers.length - 1; tier > 0; tier--) {
    const step = secondsOf(tier)
    if (at % step === 0 && at + step <= Math.min(until, rolled[tier] ?? 0)) return tier
  }
  return 0
}

/** The coarsest buckets that a time (unix s) is made of, oldest first. */
function* bucketsBetween(rolled: readonly number[], from: number, until: number) {
  for (let at = Math.floor(from / base) * base; at < until; ) {
    const tier = coarsestAt(rolled, at, until)
    const step = secondsOf(tier)
    yield { tier, at, step }
    at += step
  }
}

/** Octets of every device between two times (unix s), from the coarsest buckets that fit; yields between buckets. */
export async function totals({ file, buckets, rolled }: Tiers, from: number, until: number) {
  // Those that are open now count as they are, also when the next one begins meanwhile.
  const open = new Map(
    [...buckets.open.values()]
      .filter(({ series, bucket }) => series.of === 'device' && bucket >= from && bucket < until)
      .map(one => [one.series.id, one]),
  )
  const found = new Map<number, Total>()
  for (const { tier, at, step } of bucketsBetween(rolled, from, until)) {
    const all = await bucketTotals({ file, buckets }, { tier, at, step, now: until })
    addBucket(found, all, device => open.get(device)?.bucket === at)
    await pause()
  }
  for (const [device, one] of open) addTotal(found, device, one.sums)
  return found
}

/** Adds up what ended last in each tier, so that nobody who asks has to wait for it. */
export async function keepTotals({ file, buckets, rolled }: Tiers, now: number): Promise<void> {
  for (const tier of tiers.keys()) {
    const step = secondsOf(tier)
    const until = tier === 0 ? Math.floor((now - base) / step) * step : (rolled[tier] ?? 0)
    for (const at of [until - 2 * step, until - step])
      if (!file.totalsOf(tier, at)) await bucketTotals({ file, buckets }, { tier, at, step, now })
  }
}

/** Buckets that are added up in one go: a history of before there were totals takes some hours, beside the polls. */
const mostAtOnce = 64

/**
 * Adds up what each range is made of now and nobody has added up yet, the shortest range first: the first who asks after
 * a start waits for none of it.
 */
export async function addMissing({ file, buckets, rolled }: Tiers, now: number): Promise<void> {
  let left = mostAtOnce
  for (const range of ranges) {
    for (const { tier, at, step } of bucketsBetween(rolled, now - rangeOf[range].seconds, now)) {
      const isOpen = at + step + base > now
      if (isOpen || at < (file.oldest(tier, 'device') ?? now) || file.hasTotals(tier, at)) continue
      if (left-- === 0 || buckets.closed) return
      await bucketTotals({ file, buckets }, { tier, at, step, now })
      await pause()
    }
  }
}
