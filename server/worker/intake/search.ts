import type Database from 'better-sqlite3'
import { facilities } from '@/model/insight/facilities'
import { holds, lineText, partsOf, wholeWords } from '@/model/insight/log-pattern'
import type { LogRuleTerms } from '@/model/insight/log-rule'
import { heldFiles, type Pace, walkBack } from './held-files'
import { alertsOf } from './rule-counter'
import { endsOf, numberAt, timeOf } from './segment'
import { isNotification, type Way, ways } from './store'
import { fewBy, hasAddresses, matchOf, mostWords, within } from './word-index'

/** What is looked for; times in unix ms. */
export type LogQuery = {
  /** 0: lines of senders that are no device. */
  network: number
  device?: number
  /** Words that all stand in a line; "several words" as they follow each other; `word*` begins so. */
  text?: string
  /** Severities up to this number, 0 to 7; a line that tells none is left out. */
  severity?: number
  facility?: number
  /** As log rules look for it: text with `*` for anything. */
  like?: string
  from?: number
  to?: number
  /** Lines with lower numbers only. */
  before?: number
  /** Lines with higher numbers only. */
  after?: number
  limit: number
}
export type LogRow = {
  /** Orders lines as they came, newest highest. */
  id: number
  at: number
  device: number
  way: Way
  severity?: number
  facility?: number
  source?: string
  host?: string
  tag: string
  text: string
  cut?: number
}
export type LogPage = {
  /** Newest first. */
  lines: LogRow[]
  /** Where to go on, as `before`; absent: there is no more. */
  next?: number
  /** The time was over before the page was full: all that is newer than this was searched, unix ms. */
  searchedTo?: number
}

/** What a rule would have found since `from`, of all devices or of these. */
export type RuleQuery = { network: number; terms: LogRuleTerms; devices?: number[]; from: number }
export type RuleMatches = {
  lines: number
  /** How many of these devices said them, and how many alerts they would have made. */
  devices: number
  alerts: number
  /** The newest of them. */
  latest: LogRow[]
  /** The time was over, or these were enough: all that is newer than this was searched, unix ms. */
  searchedTo?: number
}

/** Lines of a rule that are counted, and how many of them are shown. */
const mostMatches = 100_000
const shownMatches = 5
type Row = {
  id: number
  device: number
  way: number
  pri: number | null
  source: string | null
  host: string | null
  tag: string
  text: string
  cut: number | null
}

function shown({ id, device, way: wayId, pri, source, host, tag, text, cut }: Row): LogRow {
  const way = ways[wayId] ?? 'udp'
  return {
    ...{ id, at: timeOf(id), device, way, tag, text },
    ...(pri !== null && { severity: pri & 7 }),
    ...(pri !== null && !isNotification(way) && { facility: pri >> 3 }),
    ...(source !== null && { source }),
    ...(host !== null && { host }),
    ...(cut !== null && { cut }),
  }
}

/** Of words that are looked for, and of a pattern those that the index of the file has. */
function indexed(file: Database.Database, { text, like }: LogQuery): string | undefined {
  const own = text === undefined ? undefined : matchOf(text, { addresses: hasAddresses(file, 'log_text') })
  const words = like === undefined ? [] : wholeWords(like).map(word => `"${word}"`)
  const all = [...(own === undefined ? [] : [own]), ...words.slice(0, mostWords)]
  return all.length ? all.join(' ') : undefined
}

const syslogWays = ways.flatMap((way, at) => (isNotification(way) ? [] : at)).join(', ')

/** Where lines come from: the words that they have, their numbers, or all between two. */
const sources = {
  words: ['log_text t CROSS JOIN log l ON l.id = t.rowid', `log_text MATCH :match AND ${within('t.rowid')}`, 't.rowid'],
  numbers: ['log l', 'l.id IN (SELECT value FROM json_each(:ids))', 'l.id'],
  all: ['log l', within('l.id'), 'l.id'],
} as const

function sqlOf({ device, severity, facility }: LogQuery, source: keyof typeof sources): string {
  const [from, which, key] = sources[source]
  const where = [
    which,
    'l.network = :network',
    ...(device === undefined ? [] : ['l.device = :device']),
    ...(severity === undefined ? [] : ['(l.pri & 7) <= :severity']),
    ...(facility === undefined ? [] : [`(l.pri >> 3) = :facility AND l.way IN (${syslogWays})`]),
  ]
  const columns = 'l.id, l.device, l.way, l.pri, l.source, l.host, l.tag, l.text, l.cut'
  return `SELECT ${columns} FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${key} DESC`
}

/** Those of a file between two numbers, newest first. */
function rowsOf(file: Database.Database, query: LogQuery): (low: number, high: number) => Iterable<Row> {
  const { network, device, severity, facility } = query
  const match = indexed(file, query)
  const values = { network, device, severity, facility }
  const statement = file.prepare(sqlOf(query, match === undefined ? 'all' : 'words'))
  const every = (low: number, high: number) => statement.iterate({ ...values, match, low, high }) as Iterable<Row>
  if (match === undefined) return every
  const numbered = file.prepare(sqlOf(query, 'numbers'))
  const few = fewBy(file, 'log_text', match)
  return (low, high) => {
    const ids = few(low, high)
    return ids ? (numbered.all({ ...values, ids: JSON.stringify(ids) }) as Row[]) : every(low, high)
  }
}

/** The numbers of a file that are looked at: from the first up to, and without, the second. */
function boundsOf(file: Database.Database, { from = 0, to = Infinity, before = Infinity, after = -1 }: LogQuery) {
  const found = endsOf(file, 'log')
  const low = Math.max(found.low ?? 0, numberAt(from), after + 1)
  const high = Math.min((found.high ?? -1) + 1, before, numberAt(to + 1))
  return [low, high] as const
}

export type LogReader = { find(query: LogQuery): LogPage; matches(query: RuleQuery): RuleMatches; close(): void }

/** Gets a line that is looked for; says whether it was the last one. */
type Visit = (row: Row) => boolean

/** Lines of one file, newest first, until a visit was the last or the time is over: where to go on then. */
function visitIn(file: Database.Database, query: LogQuery, visit: Visit, pace: Pace): number | undefined {
  const [lowest, highest] = boundsOf(file, query)
  const rows = rowsOf(file, query)
  const parts = query.like === undefined ? [] : partsOf(query.like)
  const isFound = (row: Row) => parts.length === 0 || holds(lineText(row.tag, row.text), parts)
  return walkBack([lowest, highest], rows, row => isFound(row) && visit(row), pace)
}

/** Reads a folder of lines beside its writer. */
export function openReader(folder: string, now: () => number = () => performance.now()): LogReader {
  const files = heldFiles(folder)
  /** Through all files; where to go on, where that was not the end. */
  const visitAll = (query: LogQuery, visit: Visit): number | undefined =>
    files.throughAll(now, (file, pace) => visitIn(file, query, visit, pace))
  return {
    find(query) {
      const lines: LogRow[] = []
      if (query.text !== undefined && query.text.trim() !== '' && matchOf(query.text) === undefined) return { lines }
      const next = visitAll(query, row => lines.push(shown(row)) >= query.limit)
      if (next === undefined) return { lines }
      return { lines, next, ...(lines.length < query.limit && { searchedTo: timeOf(next) }) }
    },
    matches({ network, terms, devices, from }) {
      const { text, severity, facility } = terms
      const wanted = devices && new Set(devices)
      const seen: { at: number; device: number }[] = []
      const latest: LogRow[] = []
      const query: LogQuery = {
        ...{ network, from, limit: mostMatches },
        ...(text !== undefined && { like: text }),
        ...(severity !== 'any' && { severity: Number(severity) }),
        ...(facility !== 'any' && { facility: facilities.indexOf(facility) }),
      }
      const next = visitAll(query, row => {
        if (wanted?.has(row.device) === false) return false
        if (latest.length < shownMatches) latest.push(shown(row))
        return seen.push({ at: timeOf(row.id), device: row.device }) >= mostMatches
      })
      return {
        ...{
          lines: seen.length,
          devices: new Set(seen.map(one => one.device)).size,
          alerts: alertsOf(terms, seen),
          latest,
        },
        ...(next !== undefined && { searchedTo: timeOf(next) }),
      }
    },
    close: files.close,
  }
}
