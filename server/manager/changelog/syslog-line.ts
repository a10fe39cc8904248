import { hostname } from 'node:os'
import { type HeadRow, headText } from './head'
import type { LogRow } from './revert'

// RFC 5424. Facility 13 (log audit), severity 5 (notice).
const priority = 13 * 8 + 5
/** 32473 stands for examples (RFC 5612): this product has no number of its own. */
const element = 'lanward@32473'
const longestValue = 256

/** Without control characters, which would forge lines, and bounded: names come from people and devices. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?').slice(0, longestValue)
const escaped = (text: string): string => clean(text).replace(/["\\\]]/g, '\\$&')
/** What may stand in a header's field: printable ASCII without blanks. */
const bare = (text: string): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'

type Parts = { at: number; topic: 'change' | 'head'; data: Record<string, string | number | null>; text: string }

function line({ at, topic, data, text }: Parts): string {
  const header = [`<${priority}>1`, new Date(at).toISOString(), bare(hostname()), 'lanward', process.pid, topic]
  const given = Object.entries(data).filter(([, value]) => value !== null && value !== '')
  const params = given.map(([key, value]) => `${key}="${escaped(String(value))}"`)
  return `${header.join(' ')} [${[element, ...params].join(' ')}] ${clean(text)}`
}

/** One entry as a line; `head` is what `lanward verify-log --head` takes. Values of fields stay on the manager. */
export function entryLine(row: LogRow): string {
  const { id, at, account, address, action, object, name, network } = row
  const data = { head: headText(row), account, address, action, object, name, network, fields: fieldsOf(row) }
  return line({ at, topic: 'change', data, text: `entry ${id}: ${account || address} ${action} ${object} ${name}` })
}
const fieldsOf = ({ fields }: LogRow): string => Object.keys(JSON.parse(fields) as object).join(' ')

/** The newest entry by itself, once in a while: a log that was cut says a lower number. */
export const headLine = (row: HeadRow, at: number): string =>
  line({ at, topic: 'head', data: { head: headText(row) }, text: `newest entry ${row.id}` })
