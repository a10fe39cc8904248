import type { Runtime } from './runtime'

const mostKeys = 20_000

/** Times by key, in memory: a restart forgets them. */
type Seen = Map<string, number[]>

/** Counts one more of `key`, and says whether there were at most `most` within `windowMs`, this one included. */
export function withinRate(runtime: Runtime, key: string, most: number, windowMs: number, now: number): boolean {
  const seen = (runtime.parts.get('rates') as Seen | undefined) ?? new Map<string, number[]>()
  runtime.parts.set('rates', seen)
  const recent = (seen.get(key) ?? []).filter(at => at > now - windowMs)
  if (recent.length >= most) return false
  seen.delete(key)
  seen.set(key, [...recent, now])
  // The longest ago touched goes first.
  for (const oldest of seen.keys()) {
    if (seen.size <= mostKeys) break
    seen.delete(oldest)
  }
  return true
}
