import { daySlots, slotRanges, slotTime, weekdays, weekSlots } from '@/model/slots'
import { set, words } from '../../unix/nft'
import { type Schedule, scheduledBy } from '../../unix/schedules'
import type { Options } from './uci'

const capital = (word: string) => word[0]?.toUpperCase() + word.slice(1)
/** fw4's times are to the second with their last one in, and know no 24:00. */
const first = (slot: number) => `${slotTime(slot)}:00`
const last = (slot: number) =>
  `${slotTime(slot - 1)
    .replace(/00$/, '29')
    .replace(/30$/, '59')}:59`
const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toJSON().slice(0, 10)
const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toJSON().slice(0, 10)

/** The spans of days between the dates that have times of their own, open at both ends. */
function between(dates: readonly string[]): Options[] {
  const starts = [undefined, ...dates.map(dayAfter)]
  const ends = [...dates.map(dayBefore), undefined]
  return starts.flatMap((start, at) => {
    const end = ends[at]
    if (start && end && start > end) return []
    return [
      [
        ['start_date', start && `${start}T00:00:00`],
        ['stop_date', end && `${end}T23:59:59`],
      ] as Options,
    ]
  })
}

/** Days of the same times together: `08:00:00` to `11:59:59` from Monday to Friday. */
function weekly(schedule: Schedule): Options[] {
  const days = new Map<string, { options: Options; on: string[] }>()
  for (const [at, slots] of weekSlots(schedule.weekly).entries())
    for (const { from, to } of slotRanges(slots)) {
      const options: Options = [
        ['start_time', first(from)],
        ['stop_time', last(to)],
      ]
      const known = days.get(`${from}-${to}`) ?? { options, on: [] }
      days.set(`${from}-${to}`, { ...known, on: [...known.on, capital(weekdays[at] ?? '')] })
    }
  return [...days.values()].map(({ options, on }) => [['weekdays', on.join(' ')], ...options])
}

/**
 * A schedule as options of fw4's rules, by the device's clock: a rule for each. Rule G16: on a date of its own the week's
 * times do not count, so these hold between such dates. fw4 reads a week's times by the zone's offset at its last reload.
 */
export function fw4Times(schedule: Schedule): Options[] {
  const dates = schedule.dates.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const spans = between(dates.map(one => one.date))
  const single = dates.flatMap(({ date, times }) =>
    slotRanges(daySlots(times)).map(
      ({ from, to }): Options => [
        ['start_date', `${date}T${first(from)}`],
        ['stop_date', `${date}T${last(to)}`],
      ],
    ),
  )
  return [...weekly(schedule).flatMap(week => spans.map(span => [...week, ...span])), ...single]
}

const dayNames: Readonly<Record<string, string>> = {
  ...{ Mon: 'Monday', Tue: 'Tuesday', Wed: 'Wednesday', Thu: 'Thursday', Fri: 'Friday' },
  ...{ Sat: 'Saturday', Sun: 'Sunday' },
}
const text = (value: unknown) => `"${String(value).replace(/(?<=\d)T/, ' ')}"`

/** One side of a span may be open. */
function span(what: string, start: unknown, stop: unknown): string {
  if (start === undefined) return stop === undefined ? '' : `${what} <= ${text(stop)}`
  return stop === undefined ? `${what} >= ${text(start)}` : `${what} ${text(start)}-${text(stop)}`
}

/** The same as matches of nftables, in the words that fw4 itself makes of them. */
const matchesOf = (schedule: Schedule): string[] =>
  fw4Times(schedule).map(options => {
    const { start_date, stop_date, start_time, stop_time, weekdays: on } = Object.fromEntries(options)
    const days = on === undefined ? [] : String(on).split(' ')
    return words(
      span('meta time', start_date, stop_date),
      span('meta hour', start_time, stop_time),
      days.length > 0 && `meta day ${set(days.map(day => text(dayNames[day])))}`,
    )
  })

/** A table's text with the lines that name a schedule once for each of its times: none for one that is never on. */
export function withTimes(table: string, schedules: readonly Schedule[]): string {
  const known = new Map(schedules.map(one => [one.key, matchesOf(one)]))
  const lines = table.split('\n').flatMap(line => {
    const [key] = scheduledBy(line)
    const [, indent = '', rule = ''] = /^(\s*)(.*)$/.exec(line) ?? []
    return key === undefined ? [line] : (known.get(key) ?? []).map(when => `${indent}${when} ${rule}`)
  })
  return lines.join('\n')
}
