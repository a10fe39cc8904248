import { limits } from '@/model/limits'
import type { Runtime } from './runtime'

type Bucket = { left: number; at: number }

/** After this a bucket is as full as a new one. */
const forgetMs = Math.ceil(limits.apiBurst / limits.apiPerSecond) * 1000

/** A token bucket after one more call at `now` (ms): how it is left, and how many seconds to wait where it was empty. */
export function takeOne(before: Bucket | undefined, now: number): { bucket: Bucket; wait: number } {
  const { left, at } = before ?? { left: limits.apiBurst, at: now }
  const filled = Math.min(limits.apiBurst, left + (Math.max(0, now - at) / 1000) * limits.apiPerSecond)
  if (filled >= 1) return { bucket: { left: filled - 1, at: now }, wait: 0 }
  return { bucket: { left: filled, at: now }, wait: Math.ceil((1 - filled) / limits.apiPerSecond) }
}

/** Counts a call of a key, in memory; gives the seconds until it may make one again, 0: now. */
export function countCall(runtime: Runtime, key: number, now: number): number {
  const buckets = (runtime.parts.get('keyBuckets') as Map<number, Bucket> | undefined) ?? new Map<number, Bucket>()
  runtime.parts.set('keyBuckets', buckets)
  const { bucket, wait } = takeOne(buckets.get(key), now)
  // The one used longest ago stands first.
  buckets.delete(key)
  buckets.set(key, bucket)
  for (const [one, { at }] of buckets) {
    if (now - at < forgetMs) break
    buckets.delete(one)
  }
  return wait
}
