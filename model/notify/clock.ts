import { offsetMinutes } from '../places'

// Times on a network's wall clock: when maintenance is on, and when it is quiet.

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** The moment (unix ms) of a day and a time in a zone; an hour that the clock skips counts from before. */
export function momentAt(zone: string, date: string, time: string): number {
  const about = Date.parse(`${date}T${time}:00Z`)
  const near = about - offsetMinutes(zone, about) * minuteMs
  return about - offsetMinutes(zone, near) * minuteMs
}

/** The day of a moment in a zone, `2026-11-22`, so many days later. */
export const dayAt = (zone: string, ms: number, later = 0): string =>
  new Date(ms + offsetMinutes(zone, ms) * minuteMs + later * dayMs).toISOString().slice(0, 10)

/** 0 is Sunday, as cron counts. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

export type Span = { from: number; until: number }
type Window = {
  repeat: 'once' | 'weekly'
  date?: string | undefined
  weekday?: number | undefined
  time: string
  minutes: number
}

/** When a window is on: the span that `now` lies in, else the next; undefined of one that is past. */
export function spanOf(
  { repeat, date = '', weekday = 0, time, minutes }: Window,
  zone: string,
  now: number,
): Span | undefined {
  const days = repeat === 'once' ? [date] : Array.from({ length: 16 }, (_, n) => dayAt(zone, now, n - 8))
  return days
    .filter(day => repeat === 'once' || weekdayOf(day) === weekday)
    .map(day => momentAt(zone, day, time))
    .map(from => ({ from, until: from + minutes * minuteMs }))
    .find(({ until }) => until > now)
}

/** When quiet hours that `now` lies in end, unix ms; undefined outside of them. They may go over midnight. */
export function quietEnd(zone: string, from: string, until: string, now: number): number | undefined {
  const nights = [-1, 0].map(later => {
    const day = dayAt(zone, now, later)
    const start = momentAt(zone, day, from)
    return { start, end: momentAt(zone, until > from ? day : dayAt(zone, now, later + 1), until) }
  })
  return nights.find(({ start, end }) => start <= now && now < end)?.end
}
