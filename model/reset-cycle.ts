import { offsetMinutes } from './places'

const dayMs = 86_400_000

/** The moment of an hour (2.5: half past two) of a day (days since 1970) in a zone; one that the clocks skip is that much later. */
function momentOf(day: number, hour: number, zone: string): number {
  const wall = day * dayMs + hour * 3_600_000
  const near = wall - offsetMinutes(zone, wall) * 60_000
  return wall - offsetMinutes(zone, near) * 60_000
}
const wallOf = (ms: number, zone: string) => ms + offsetMinutes(zone, ms) * 60_000

export type ResetCycle = { resetDays: number; resetHour: number; createdAt: number }
/**
 * When what was used was last set to 0, and will be next (rule G15), unix ms: each so many days from the day of `createdAt`
 * on, by the clock of the zone. Undefined where it never is.
 */
export function resetsOf(
  { resetDays: every, resetHour, createdAt }: ResetCycle,
  zone: string,
  now: number,
): { last: number; next: number } | undefined {
  if (every === 0) return undefined
  const first = Math.floor(wallOf(createdAt, zone) / dayMs)
  const today = Math.floor(wallOf(now, zone) / dayMs)
  const at = (count: number) => momentOf(first + count * every, resetHour, zone)
  const count = Math.floor((today - first) / every)
  return at(count) <= now ? { last: at(count), next: at(count + 1) } : { last: at(count - 1), next: at(count) }
}
