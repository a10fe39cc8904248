import type { BaseContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'

const addressesKept = 10_000

/** Refuses with rateLimited what one address asks for more than `most` times within `minutes`; counted in memory. */
export function limitRate({ runtime, address, now }: BaseContext, what: string, most: number, minutes: number): void {
  const part = `asked:${what}`
  const asked = (runtime.parts.get(part) as Map<string, number[]> | undefined) ?? new Map<string, number[]>()
  runtime.parts.set(part, asked)
  const recent = (asked.get(address) ?? []).filter(at => at > now - minutes * 60_000)
  if (recent.length >= most) fail('rateLimited', { minutes })
  // The one that asked longest ago goes first.
  asked.delete(address)
  asked.set(address, [...recent, now])
  const [first] = asked.keys()
  if (asked.size > addressesKept && first !== undefined) asked.delete(first)
}
