import { bucketOf } from '@/model/addresses'
import type { BaseContext } from './call'
import { fail } from './fail'
import { part } from './part'
import type { Runtime } from './runtime'

/** Moments (unix ms) at which each key was counted; the key that was counted longest ago stands first. */
const counts = part('rates', () => new Map<string, number[]>())
const keysKept = 20_000

const recent = (runtime: Runtime, key: string, windowMs: number, now: number): number[] =>
  (counts.of(runtime).get(key) ?? []).filter(at => at > now - windowMs)

/** Was `key` counted `most` times within `windowMs`? Does not count. */
export const isSpent = (runtime: Runtime, key: string, most: number, windowMs: number, now: number): boolean =>
  recent(runtime, key, windowMs, now).length >= most

/** Counts `key` once more; in memory, a restart forgets. */
export function countOne(runtime: Runtime, key: string, windowMs: number, now: number): void {
  const all = counts.of(runtime)
  const moments = [...recent(runtime, key, windowMs, now), now]
  all.delete(key)
  all.set(key, moments)
  const [first] = all.keys()
  if (all.size > keysKept && first !== undefined) all.delete(first)
}

/** Counts `key` once more, unless it was counted `most` times within `windowMs`: then false. */
export function withinRate(runtime: Runtime, key: string, most: number, windowMs: number, now: number): boolean {
  if (isSpent(runtime, key, most, windowMs, now)) return false
  countOne(runtime, key, windowMs, now)
  return true
}

/** Refuses with rateLimited what one address (or /64) asks for more than `most` times within `minutes`. */
export function limitRate({ runtime, address, now }: BaseContext, what: string, most: number, minutes: number): void {
  if (!withinRate(runtime, `${what} of ${bucketOf(address)}`, most, minutes * 60_000, now))
    fail('rateLimited', { minutes })
}
