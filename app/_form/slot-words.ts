import { type DaySlots, dayGroups, daySlots, slotRanges, slotTime, weekdays, weekSlots } from '@/model/slots'

/** Monday first. */
export const dayNames = (locale: string, weekday: 'short' | 'long' = 'short'): string[] => {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
  // A Monday.
  return weekdays.map((_, at) => format.format(Date.UTC(2024, 0, 1 + at)))
}

/** 08:30 or 8:30 AM. */
export function slotWord(slot: number, clock: 12 | 24): string {
  if (clock === 24) return slotTime(slot)
  const hour = Math.floor(slot / 2) % 24
  return `${hour % 12 === 0 ? 12 : hour % 12}${slotTime(slot).slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
}

export const rangeWords = (from: number, to: number, clock: 12 | 24): string =>
  `${slotWord(from, clock)}–${slotWord(to, clock)}`
/** A day's times, none for one that is off. */
export const dayWords = (slots: DaySlots, clock: 12 | 24) =>
  slotRanges(slots)
    .map(({ from, to }) => rangeWords(from, to, clock))
    .join(', ')

/** A week as a person reads it, `Mon–Fri 08:00–18:00; Sat 09:00–12:00`; empty where it is on all the time. */
export function weekWords(text: string, locale: string, clock: 12 | 24): string {
  const week = weekSlots(text)
  if (week.every(day => day.every(Boolean))) return ''
  const names = dayNames(locale)
  return dayGroups(week)
    .map(({ first, last, times }) => {
      const days = last > first ? `${names[first]}–${names[last]}` : names[first]
      return `${days} ${dayWords(daySlots(times), clock)}`
    })
    .join('; ')
}
