// Dates and times in the account's own format (specification 1-console.md section 3). Pure.
import type { DateFormat } from '@/model/date-formats'

/** `hour` is the clock: 12 or 24. `timeZone` is an IANA name. */
export type TimeStyle = { format: DateFormat; hour: 12 | 24; timeZone: string }

const makers = new Map<string, Intl.DateTimeFormat>()

function maker(timeZone: string): Intl.DateTimeFormat {
  const known = makers.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US-u-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  makers.set(timeZone, made)
  return made
}

/** The wall clock of a zone at `ms` (unix milliseconds), each part as digits. */
function wall(ms: number, timeZone: string): Record<string, string> {
  return Object.fromEntries(
    maker(timeZone)
      .formatToParts(ms)
      .map(part => [part.type, part.value]),
  )
}

export function formatDate(ms: number, { format, timeZone }: TimeStyle): string {
  const { year = '', month = '', day = '' } = wall(ms, timeZone)
  return format.replace('yyyy', year).replace('MM', month).replace('dd', day)
}

/** Hours and minutes, seconds where wanted: 22:04, 10:04 PM, 22:04:11. */
export function formatTime(ms: number, { hour, timeZone }: TimeStyle, seconds = false): string {
  const { hour: hh = '00', minute = '00', second = '00' } = wall(ms, timeZone)
  const tail = seconds ? `:${second}` : ''
  if (hour === 24) return `${hh}:${minute}${tail}`
  const h = Number(hh)
  return `${h % 12 === 0 ? 12 : h % 12}:${minute}${tail} ${h < 12 ? 'AM' : 'PM'}`
}

/** A moment on a zone's wall clock as `<input type=datetime-local>` has it: 2026-11-22T20:00. */
export function wallText(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute } = wall(ms, timeZone)
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** The moment of such a text, NaN of any other; where the clock is set forward, the hour that is skipped counts from before. */
export function wallMoment(text: string, timeZone: string): number {
  const about = Date.parse(`${text}Z`)
  if (Number.isNaN(about)) return about
  const near = Date.parse(`${text}${offsetOf(timeZone, about)}`)
  return Date.parse(`${text}${offsetOf(timeZone, near)}`)
}

export const formatDateTime = (ms: number, style: TimeStyle, seconds = false): string =>
  `${formatDate(ms, style)} ${formatTime(ms, style, seconds)}`

/** A zone's distance from UTC at `ms`: "+01:00". */
export function offsetOf(timeZone: string, ms: number): string {
  const name = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(ms)
    .find(part => part.type === 'timeZoneName')?.value
  return name?.replace(/^GMT$/, '+00:00').replace('GMT', '') ?? ''
}
