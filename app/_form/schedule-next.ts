import { wallMoment, wallText } from '@/app/_ui/time'
import { isDay } from '@/model/rules'
import { type DaySlots, daySlots, weekSlots } from '@/model/slots'

/** As a schedule's fields: a week, and dates that have their own times instead. */
export type Times = { weekly: string; dates: readonly { date: string; times: string }[] }
/** What a schedule is now, and when that changes next; absent: never. */
export type Standing = { on: boolean; changes?: number }

const minute = 60_000
/** Days after which every weekday has been, from its beginning to its end. */
const wholeWeek = 8

/** Days after it have more than four digits of year. */
const lastYear = '9999'

const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * 24 * 60 * minute).toISOString().slice(0, 10)

/** Days on which a change can be, in order: a week from today, and from each date that has times of its own. */
function daysFrom(today: string, dates: Times['dates']): string[] {
  const starts = [today, ...dates.map(one => one.date).filter(date => date > today && date < lastYear && isDay(date))]
  const days = starts.flatMap(start => Array.from({ length: wholeWeek }, (_, at) => dayAfter(start, at)))
  return [...new Set(days)].sort()
}

function slotsOf({ weekly, dates }: Times): (date: string) => DaySlots | undefined {
  const week = weekSlots(weekly)
  const own = new Map(dates.map(one => [one.date, daySlots(one.times)]))
  return date => own.get(date) ?? week[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7]
}

/**
 * How a schedule stands at `now` (unix milliseconds) on the wall clock of `timeZone`, as devices there keep it: hours
 * that a clock change skips are not, those it repeats are twice.
 */
export function scheduleStanding(times: Times, now: number, timeZone: string): Standing {
  const slots = slotsOf(times)
  const isOn = (wall: string) => {
    const slot = Number(wall.slice(11, 13)) * 2 + (Number(wall.slice(14)) < 30 ? 0 : 1)
    return slots(wall.slice(0, 10))?.[slot] === true
  }
  const whole = Math.floor(now / minute) * minute
  const first = wallText(whole, timeZone)
  const on = isOn(first)
  const days = daysFrom(first.slice(0, 10), times.dates)
  let at = whole
  for (const day of days.filter(one => slots(one)?.some(slot => slot !== on))) {
    at = Math.max(at, wallMoment(`${day}T00:00`, timeZone))
    for (let wall = wallText(at, timeZone); wall.slice(0, 10) <= day; wall = wallText(at, timeZone)) {
      if (isOn(wall) !== on) return { on, changes: at }
      // Clocks are set by half or whole hours: the next half hour on the wall is the next moment that can differ.
      at += (30 - (Number(wall.slice(14)) % 30)) * minute
    }
  }
  return { on }
}

export type Nearness = 'today' | 'tonight' | 'tomorrow' | 'week' | 'date'
/** An evening's first hour. */
const evening = '18:00'

/** How a person names the day of `then`, seen from `now`; both as the wall has them, 2026-11-22T20:00. */
export function nearness(now: string, then: string): Nearness {
  const [today, day] = [now.slice(0, 10), then.slice(0, 10)]
  if (day === today) return then.slice(11) < evening ? 'today' : 'tonight'
  if (day === dayAfter(today, 1)) return 'tomorrow'
  // A week from today has today's name.
  return day < dayAfter(today, 7) ? 'week' : 'date'
}
