import cron from 'node-cron'
import { offsetMinutes } from '@/model/places'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The first minute of a day after `from` with another offset than `from` has, unix ms. */
function shiftAfter(zone: string, from: number): number {
  const before = offsetMinutes(zone, from)
  let [low, high] = [from, from + dayMs]
  while (high - low > minuteMs) {
    const middle = (low + high) / 2
    if (offsetMinutes(zone, middle) === before) low = middle
    else high = middle
  }
  return Math.floor(high / minuteMs) * minuteMs
}

/**
 * Times of a cron expression that the clocks of a zone skip as they go forward, each as long after the shift as it would
 * have been: 02:30 is at 03:30 that day. Those at which the expression has another time anyhow are none.
 */
export function skippedTimes(expression: string, zone: string) {
  const [real, asSkipped] = [zone, 'UTC'].map(timezone => cron.createTask(expression, () => undefined, { timezone }))
  return {
    /** The first in `from` < time <= `until`, unix ms. */
    next(from: number, until: number): number | undefined {
      // A shift less than a day ago may still have some.
      for (let day = from - dayMs; day < until; day += dayMs) {
        const before = offsetMinutes(zone, day)
        const skipped = offsetMinutes(zone, day + dayMs) - before
        const shift = skipped > 0 ? shiftAfter(zone, day) : 0
        for (let minute = 0; minute < skipped; minute++) {
          const at = shift + minute * minuteMs
          const isOne = asSkipped?.match(new Date(at + before * minuteMs)) && !real?.match(new Date(at))
          if (isOne && at > from && at <= until) return at
        }
      }
      return undefined
    },
    stop: () => [real, asSkipped].forEach(task => void task?.destroy()),
  }
}
