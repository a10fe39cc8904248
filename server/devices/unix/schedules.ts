import { createHash } from 'node:crypto'
import { schedule as kind, type ScheduleFields } from '@/model/profiles/schedule'

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
