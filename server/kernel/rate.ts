import { bucketOf } from '@/model/addresses'
import type { BaseContext } from './call'
import { fail } from './fail'
import type { Runtime } from './runtime'

const keysKept = 20_000

/** Counts one more of `key`, and says whether there were at most `most` within `windowMs`; in memory, a restart forgets. */
export function withinRate(runtime: Runtime, key: string, most: number, windowMs: number, now: number): boolean {
  const asked = (runtime.parts.get('rates') as Map<string, number[]> | undefined) ?? new Map<string, number[]>()
  runtime.parts.set('rates', asked)
  const recent = (asked.get(key) ?? []).filter(at => at > now - windowMs)
  if (recent.length >= most) return false
  // The one that came longest ago goes first.
  asked.delete(key)
  asked.set(key, [...recent, now])
  const [first] = asked.keys()
  if (asked.size > keysKept && first !== undefined) asked.delete(first)
  return true
}

/** Refuses with rateLimited what one address (or /64) asks for more than `most` times within `minutes`. */
export function limitRate({ runtime, address, now }: BaseContext, what: string, most: number, minutes: number): void {
  if (!withinRate(runtime, `${what} of ${bucketOf(address)}`, most, minutes * 60_000, now))
    fail('rateLimited', { minutes })
}
