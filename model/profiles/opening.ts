import { dayStart, offsetMinutes } from '../places'
import { daySlots, weekSlots } from '../slots'
import type { ScheduleFields } from './schedule'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const halfHourMs = 30 * minuteMs
/** Nobody is told of what is further away, and no session lasts longer. */
const daysAhead = 366

/** Times in unix ms; absent: not within a year. */
export type Opening = { open: true; until?: number } | { open: false; next?: number }

type Times = Pick<ScheduleFields, 'weekly' | 'dates'>

/** Half hours of a local day that are on, by its date and its weekday from Monday. Rule G16: a date counts instead of its weekday. */
function slotsBy({ weekly, dates }: Times) {
  const week = weekSlots(weekly)
  const days = new Map(dates.map(one => [one.date, daySlots(one.times)]))
  return (local: Date) => days.get(local.toISOString().slice(0, 10)) ?? week[(local.getUTCDay() + 6) % 7] ?? []
}

/** How a schedule stands at a moment by the clock of a zone (IANA), and when that changes. */
export function openingAt(schedule: Times, zone: string, now: number): Opening {
  const slotsOf = slotsBy(schedule)
  const localOf = (at: number) => new Date(at + offsetMinutes(zone, at) * minuteMs)
  const isOn = (local: Date) => slotsOf(local)[local.getUTCHours() * 2 + (local.getUTCMinutes() < 30 ? 0 : 1)] === true
  const open = isOn(localOf(now))
  for (let at = now; at < now + daysAhead * 24 * hourMs; ) {
    const local = localOf(at)
    if (isOn(local) !== open) return open ? { open, until: at } : { open, next: at }
    // A day that is all the same is passed at once; clocks change by less than twelve hours.
    const same = slotsOf(local).every(slot => slot === open)
    at = same ? dayStart(zone, dayStart(zone, at) + 36 * hourMs) : at + halfHourMs - (local.getTime() % halfHourMs)
  }
  return { open }
}
