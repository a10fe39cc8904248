import type { FieldError } from './field-errors'

/**
 * Times of a day and of a week in half hours (rule G16), on the clock of whoever keeps them. A day is a comma list,
 * `08:00-12:00,13:00-24:00`; a week names its days, `mon-fri 08:00-18:00; sat 09:00-12:00`, those that are off not at all.
 */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Half hours of a day. */
export const slotsPerDay = 48
/** The day's half hours that are on, midnight first. */
export type DaySlots = readonly boolean[]
/** Half hours, the end not included. */
export type SlotRange = { from: number; to: number }

export const noSlots: DaySlots = Array<boolean>(slotsPerDay).fill(false)

/** `08:30` of 17, `24:00` of 48. */
export const slotTime = (slot: number): string =>
  `${String(Math.floor(slot / 2)).padStart(2, '0')}:${slot % 2 === 0 ? '00' : '30'}`

function slotAt(time: string): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(00|30)$/.exec(time) ?? []
  const slot = Number(hours) * 2 + (minutes === '30' ? 1 : 0)
  return slot <= slotsPerDay ? slot : undefined
}

type Read<T> = { value: T } | { problem: FieldError }

function readRange(text: string): Read<SlotRange> {
  const times = text.split('-').map(part => part.trim())
  if (times.length !== 2 || !times.every(time => /^\d{2}:\d{2}$/.test(time))) return { problem: 'slots' }
  const [from, to] = times.map(slotAt)
  if (from === undefined || to === undefined) return { problem: 'slotStep' }
  return from < to ? { value: { from, to } } : { problem: 'endAfterStart' }
}

function readDay(text: string): Read<DaySlots> {
  if (text.trim() === '') return { value: noSlots }
  const slots = [...noSlots]
  for (const part of text.split(',')) {
    const read = readRange(part)
    if ('problem' in read) return read
    slots.fill(true, read.value.from, read.value.to)
  }
  return { value: slots }
}

/** Times that are on, in order, none touching the next. */
export function slotRanges(slots: DaySlots): SlotRange[] {
  const ranges: SlotRange[] = []
  for (const [slot, on] of slots.entries()) {
    const last = ranges.at(-1)
    if (on && last?.to === slot) last.to = slot + 1
    else if (on) ranges.push({ from: slot, to: slot + 1 })
  }
  return ranges
}

/** The day's normal form: in order, what touches or overlaps as one. */
export const dayText = (slots: DaySlots): string =>
  slotRanges(slots)
    .map(({ from, to }) => `${slotTime(from)}-${slotTime(to)}`)
    .join(',')
/** Of a text without a problem. */
export function daySlots(text: string): DaySlots {
  const read = readDay(text)
  return 'value' in read ? read.value : noSlots
}
export function dayProblem(text: string): FieldError | undefined {
  const read = readDay(text)
  return 'problem' in read ? read.problem : undefined
}

/** `mon` or `mon-fri` as places in the week. */
function readDays(text: string): number[] | undefined {
  const [first = '', last = first, ...more] = text.toLowerCase().split('-')
  const [from, to] = [first, last].map(name => weekdays.indexOf(name as Weekday)) as [number, number]
  if (from < 0 || to < from || more.length > 0) return undefined
  return weekdays.map((_, at) => at).slice(from, to + 1)
}

function readWeek(text: string): Read<DaySlots[]> {
  const week: (DaySlots | undefined)[] = weekdays.map(() => undefined)
  for (const part of text.split(';').filter(one => one.trim() !== '')) {
    const [, names = '', times = ''] = /^\s*(\S+)\s+(.*)$/.exec(part) ?? []
    const days = readDays(names)
    if (!days) return { problem: 'slots' }
    const day = readDay(times)
    if ('problem' in day) return day
    for (const at of days) {
      if (week[at]) return { problem: 'duplicate' }
      week[at] = day.value
    }
  }
  return { value: week.map(day => day ?? noSlots) }
}

export type DayGroup = { first: number; last: number; times: string }

/** Days of the same times one after the other, those that are off left out. */
export function dayGroups(week: readonly DaySlots[]): DayGroup[] {
  const groups: DayGroup[] = []
  for (const [at, day] of week.entries()) {
    const times = dayText(day)
    const last = groups.at(-1)
    if (last && last.last === at - 1 && last.times === times) last.last = at
    else if (times !== '') groups.push({ first: at, last: at, times })
  }
  return groups
}

/** The week's normal form. */
export const weekText = (week: readonly DaySlots[]): string =>
  dayGroups(week)
    .map(({ first, last, times }) => `${weekdays[first]}${last > first ? `-${weekdays[last]}` : ''} ${times}`)
    .join('; ')
/** Seven days from Monday, of a text without a problem. */
export function weekSlots(text: string): DaySlots[] {
  const read = readWeek(text)
  return 'value' in read ? read.value : weekdays.map(() => noSlots)
}
export function weekProblem(text: string): FieldError | undefined {
  const read = readWeek(text)
  return 'problem' in read ? read.problem : undefined
}
