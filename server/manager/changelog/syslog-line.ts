import { syslogLine } from '@/server/kernel/syslog'
import { type HeadRow, headText } from './head'
import type { LogRow } from './revert'

// Facility 13 (log audit), severity 5 (notice).
const priority = 13 * 8 + 5

/** One entry as a line; `head` is what `lanward verify-log --head` takes. Values of fields stay on the manager. */
export function entryLine(row: LogRow): string {
  const { id, at, account, address, action, object, name, network } = row
  const data = { head: headText(row), account, address, action, object, name, network, fields: fieldsOf(row) }
  return syslogLine({
    priority,
    at,
    topic: 'change',
    data,
    text: `entry ${id}: ${account || address} ${action} ${object} ${name}`,
  })
}
const fieldsOf = ({ fields }: LogRow): string => Object.keys(JSON.parse(fields) as object).join(' ')

/** The newest entry by itself, once in a while: a log that was cut says a lower number. */
export const headLine = (row: HeadRow, at: number): string =>
  syslogLine({ priority, at, topic: 'head', data: { head: headText(row) }, text: `newest entry ${row.id}` })
