/** How many at once, and how many a second from then on. */
export type BucketSize = { burst: number; perSecond: number }
/** `left` at the moment `at` (ms). */
export type Bucket = { left: number; at: number }

/** A token bucket after one more was taken at `now` (ms): how it is left, and how many seconds to wait where it was empty. */
export function takeOne(
  before: Bucket | undefined,
  now: number,
  { burst, perSecond }: BucketSize,
): { bucket: Bucket; wait: number } {
  const { left, at } = before ?? { left: burst, at: now }
  const filled = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond)
  if (filled >= 1) return { bucket: { left: filled - 1, at: now }, wait: 0 }
  return { bucket: { left: filled, at: now }, wait: Math.ceil((1 - filled) / perSecond) }
}

/** Takes one out of a key's bucket; gives the seconds until it may take one, 0: it did. Full buckets are forgotten. */
export function takeFrom<K>(buckets: Map<K, Bucket>, key: K, now: number, size: BucketSize): number {
  const { bucket, wait } = takeOne(buckets.get(key), now, size)
  const fullAfterMs = Math.ceil(size.burst / size.perSecond) * 1000
  // The one used longest ago stands first.
  buckets.delete(key)
  buckets.set(key, bucket)
  for (const [one, { at }] of buckets) {
    if (now - at < fullAfterMs) break
    buckets.delete(one)
  }
  return wait
}
