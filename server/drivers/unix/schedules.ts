import { createHash } from 'node:crypto'
import { schedule as kind, type ScheduleFields } from '@/model/profiles/schedule'
import { type DaySlots, dayText, weekSlots } from '@/model/slots'

/** A schedule by what points at it; a reference is its document's data here, and its name is the one thing it has of its own. */
export type Schedule = ScheduleFields & { key: string }

/** Of a document's field `schedule`. */
export function scheduleOf(data: unknown): Schedule | undefined {
  if (data === undefined) return undefined
  const fields = kind.fields.parse(data) as ScheduleFields
  return { ...fields, key: `s${createHash('sha256').update(fields.name).digest('hex').slice(0, 12)}` }
}

/** At the end of a rule's line, and as a line of its own in a network of hostapd's: this holds while that schedule is on. */
export const scheduleMark = (key: string): string => `# schedule ${key}`

const mark = /^(?:.* )?# schedule (s[0-9a-f]{12})$/gm
/** Keys of the schedules that a file names (`scheduleMark`). */
export const scheduledBy = (text: string): string[] => [...text.matchAll(mark)].map(match => match[1] ?? '')

/**
 * awk over lines `KEY DAY TIMES`, DAY a date or 1 to 7 from Monday: prints the keys that are on at `date`,
 * `day` and `time` (HH:MM). Rule G16: a date's line counts instead of its weekday's.
 */
export const onNow = `
function hit(times,   part, count, at, ends) {
  count = split(times, part, ",")
  for (at = 1; at <= count; at++) {
    split(part[at], ends, "-")
    if ("t" time >= "t" ends[1] && "t" time < "t" ends[2]) return 1
  }
  return 0
}
/^#/ { next }
$2 == date { dated[$1] = 1; on[$1] = hit($3) }
$2 == day && !($1 in dated) { on[$1] = hit($3) }
END { for (key in on) if (on[key]) printf " %s", key; print " " }`

const times = (slots: DaySlots) => dayText(slots) || '-'
/** The lines that `onNow` reads, after one with the name. */
export const scheduleLines = ({ key, name, weekly, dates }: Schedule): string[] => [
  `# ${name}`,
  ...dates.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map(one => `${key} ${one.date} ${one.times || '-'}`),
  ...weekSlots(weekly).map((slots, at) => `${key} ${at + 1} ${times(slots)}`),
]
