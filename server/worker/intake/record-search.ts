import type Database from 'better-sqlite3'
import { type HeldFiles, heldFiles, walkBack } from './held-files'
import { type RecordKind, recordFolder, type TrafficRow } from './record-table'
import { endsOf, numberAt, timeOf } from './segment'
import { type SiteCount, type SiteQuery, topSites } from './site-counts'
import { fewBy, hasAddresses, matchOf, within } from './word-index'

/** What is looked for; times in unix ms. */
export type RecordQuery = {
  network: number
  kind: RecordKind
  limit: number
} & (
  | {
      /** As lines are searched: in addresses, names and protocols. */
      text?: string
      /** Records of these addresses are found beside by what a text says that no record holds, such as a client's name. */
      clients?: readonly string[]
      /** Of this address alone. */
      client?: string
      from?: number
      /** Records with lower numbers only. */
      before?: number
    }
  /** Oldest first, with higher numbers only. */
  | { after: number }
)
export type RecordRow = TrafficRow & {
  /** Orders records as they came, newest highest. */
  id: number
  /** Counts them, without a gap. */
  seq: number
}
export type RecordPage = {
  records: RecordRow[]
  /** Where to go on, as `before`; absent: there is no more. */
  next?: number
  /** The time was over before the page was full: all that is newer than this was searched, unix ms. */
  searchedTo?: number
}
export type RecordReader = {
  find(query: RecordQuery): RecordPage
  sites(query: SiteQuery): SiteCount[]
  close(): void
}

/** Folders whose files stay open. */
const mostFolders = 8

type Row = { [Key in keyof Omit<RecordRow, 'at'>]: RecordRow[Key] | null } & { id: number }

/** Without what is not known. */
const shown = (row: Row): RecordRow =>
  ({
    at: timeOf(row.id),
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  }) as RecordRow

type Backwards = Exclude<RecordQuery, { after: number }>

const isSearch = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''

const newest = 'ORDER BY r.id DESC'

/** Records that have the words, by what is quickest: of a client's few each is asked. */
function sqlOf({ client, clients = [], text }: Backwards, match: string | undefined): string {
  const words =
    client === undefined
      ? `r.id IN (SELECT rowid FROM record_text WHERE record_text MATCH :match AND ${within('rowid')})`
      : 'EXISTS (SELECT 1 FROM record_text t WHERE record_text MATCH :match AND t.rowid = r.id)'
  const named = 'r.client IN (SELECT value FROM json_each(:clients))'
  const ways = [...(match === undefined ? [] : [words]), ...(clients.length ? [named] : [])]
  const where = [
    within('r.id'),
    ...(client === undefined ? [] : ['r.client = :client']),
    ...(isSearch(text) ? [`(${ways.join(' OR ') || '0'})`] : []),
  ]
  return `SELECT r.* FROM record r WHERE ${where.join(' AND ')} ${newest}`
}

/** All that have the words: their index goes first. */
function rowsWith(file: Database.Database, match: string): (low: number, high: number) => Iterable<Row> {
  const statement = file.prepare(
    `SELECT r.* FROM record_text t CROSS JOIN record r ON r.id = t.rowid
     WHERE record_text MATCH :match AND ${within('t.rowid')} ORDER BY t.rowid DESC`,
  )
  const numbered = file.prepare(`SELECT r.* FROM record r WHERE r.id IN (SELECT value FROM json_each(:ids)) ${newest}`)
  const few = fewBy(file, 'record_text', match)
  return (low, high) => {
    const ids = few(low, high)
    return (ids ? numbered.all({ ids: JSON.stringify(ids) }) : statement.iterate({ match, low, high })) as Iterable<Row>
  }
}

/** Those of a file between two numbers, newest first. */
function rowsOf(file: Database.Database, query: Backwards): (low: number, high: number) => Iterable<Row> {
  const { text, client, clients = [] } = query
  const addresses = hasAddresses(file, 'record_text')
  const match = isSearch(text) ? matchOf(text, { addresses }) : undefined
  if (match !== undefined && client === undefined && clients.length === 0) return rowsWith(file, match)
  const values = { client, clients: JSON.stringify(clients), match }
  const statement = file.prepare(sqlOf(query, match))
  return (low, high) => statement.iterate({ low, high, ...values }) as Iterable<Row>
}

function boundsOf(file: Database.Database, { from = 0, before = Infinity }: Backwards) {
  const ends = endsOf(file, 'record')
  return [Math.max(ends.low ?? 0, numberAt(from)), Math.min((ends.high ?? -1) + 1, before)] as const
}

/** Reads records beside their writer. `now` in ms, by which a search ends. */
export function openRecordReader(folder: string, now: () => number = () => performance.now()): RecordReader {
  const folders = new Map<string, HeldFiles>()
  const filesOf = (network: number, kind: RecordKind) => {
    const path = recordFolder(folder, network, kind)
    const files = folders.get(path) ?? heldFiles(path)
    folders.delete(path)
    folders.set(path, files)
    const [oldest] = folders.keys()
    if (oldest !== undefined && folders.size > mostFolders) {
      folders.get(oldest)?.close()
      folders.delete(oldest)
    }
    return files
  }
  const forwards = ({ network, kind, after, limit }: RecordQuery & { after: number }): RecordPage => {
    const files = filesOf(network, kind)
    const records: RecordRow[] = []
    for (const segment of files.present().toReversed()) {
      const left = limit - records.length
      if (left <= 0) break
      const rows = files.read(
        segment,
        file =>
          file
            .prepare('SELECT * FROM record WHERE id > CAST(? AS INTEGER) ORDER BY id LIMIT ?')
            .all(after, left) as Row[],
      )
      records.push(...(rows ?? []).map(shown))
    }
    return { records }
  }
  const backwards = (query: Backwards): RecordPage => {
    const records: RecordRow[] = []
    const next = filesOf(query.network, query.kind).throughAll(now, (file, pace) =>
      walkBack(boundsOf(file, query), rowsOf(file, query), row => records.push(shown(row)) >= query.limit, pace),
    )
    if (next === undefined) return { records }
    return { records, next, ...(records.length < query.limit && { searchedTo: timeOf(next) }) }
  }
  return {
    find: query => ('after' in query ? forwards(query) : backwards(query)),
    sites: query => topSites(filesOf(query.network, 'url'), query),
    close() {
      for (const files of folders.values()) files.close()
    },
  }
}
