import type { TimeStyle } from './time'

// What a wall clock says, between the one text that settings have (2026-11-22, 20:00, 2026-11-22T20:00) and the
// account's way of writing it. Pure.

export type WallPart = 'date' | 'time' | 'dateTime'
type Style = Pick<TimeStyle, 'format' | 'hour'>

const pad = (value: number, size = 2) => String(value).padStart(size, '0')

function dateWords(text: string, { format }: Style): string {
  const [year = '', month = '', day = ''] = text.split('-')
  return format.replace('yyyy', year).replace('MM', month).replace('dd', day)
}

function timeWords(text: string, { hour }: Style): string {
  const [hh = '', minute = ''] = text.split(':')
  if (hour === 24) return `${hh}:${minute}`
  const h = Number(hh)
  return `${h % 12 === 0 ? 12 : h % 12}:${minute} ${h < 12 ? 'AM' : 'PM'}`
}

/** A wall text as the account writes it; an empty one stays empty. */
export function wallWords(text: string, part: WallPart, style: Style): string {
  if (text === '') return ''
  if (part === 'time') return timeWords(text, style)
  const [date = '', time = ''] = text.split('T')
  return part === 'date' ? dateWords(date, style) : `${dateWords(date, style)} ${timeWords(time, style)}`
}

function dateOf(year: number, month: number, day: number): string | undefined {
  const made = new Date(Date.UTC(year, month - 1, day))
  const same = made.getUTCFullYear() === year && made.getUTCMonth() === month - 1 && made.getUTCDate() === day
  return same ? `${pad(year, 4)}-${pad(month)}-${pad(day)}` : undefined
}

/** In the account's order, or as settings have it where that means nothing else. */
function readDate(typed: string, { format }: Style): string | undefined {
  const found = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/.exec(typed)
  if (!found) return undefined
  const given = found.slice(1).map(Number)
  const order = /^\d{4}-/.test(typed) && !format.startsWith('yyyy') ? ['yyyy', 'MM', 'dd'] : format.split(/[-/]/)
  const part = (name: string) => given[order.indexOf(name)] ?? 0
  return dateOf(part('yyyy'), part('MM'), part('dd'))
}

/** 20:00, 8:00 pm, 8.00, 2000, whatever the account's clock is. */
function readTime(typed: string): string | undefined {
  const found = /^(\d{1,2})[:.]?(\d{2})(?::\d{2})?\s*(?:([ap])\.?m\.?)?$/i.exec(typed)
  if (!found) return undefined
  const [, hh, minute = '', half] = found
  const hour = Number(hh)
  if (Number(minute) > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return undefined
  const turned = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour
  return `${pad(turned)}:${minute}`
}

/** What a person typed as a wall text; undefined for what is none, or no day there is. */
export function readWall(typed: string, part: WallPart, style: Style): string | undefined {
  const text = typed.trim()
  if (part === 'time') return readTime(text)
  if (part === 'date') return readDate(text, style)
  const [, day = '', clock = ''] = /^(\S+?)(?:T|,?\s+)(.+)$/.exec(text) ?? []
  const date = readDate(day, style)
  const time = readTime(clock)
  return date && time && `${date}T${time}`
}
