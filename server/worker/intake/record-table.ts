import Database from 'better-sqlite3'
import { addressesIn } from './addresses'
import { segmentsIn } from './segment'
import { siteCounter, siteSchema } from './site-counts'
import type { Table } from './store'

/** What is kept of the traffic of a network's clients: names that they look up, and connections as they are translated. */
export const recordKinds = ['url', 'nat'] as const
export type RecordKind = (typeof recordKinds)[number]

/** A record as it lies in its file; what its kind does not know is absent. */
export type TrafficRow = {
  at: number
  device: number
  client: string
  port?: number
  name?: string
  type?: string
  outer?: string
  outerPort?: number
  target?: string
  targetPort?: number
  protocol?: string
}

/** Of a kind of a network, within the folder of lines. Whatever lies there goes with it. */
export const recordFolder = (folder: string, network: number, kind: RecordKind): string =>
  `${folder}/records/${network}/${kind}`

// Words are looked for in an index that keeps no text of its own. Records of a folder are counted on, by which whoever
// reads them in their order sees how many went before he came.
const schema = `
CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, device INTEGER NOT NULL, client TEXT NOT NULL,
  port INTEGER, name TEXT, type TEXT, outer TEXT, outerPort INTEGER, target TEXT, targetPort INTEGER, protocol TEXT);
CREATE INDEX IF NOT EXISTS record_client ON record (client);
CREATE VIRTUAL TABLE IF NOT EXISTS record_text USING fts5(words, addresses, content='', columnsize=0);
${siteSchema}`

/** The number of the newest record of a folder; 0 where there is none, or where its file cannot be read. */
function lastSeq(folder: string): number {
  for (const { path } of segmentsIn(folder).toReversed()) {
    try {
      const file = new Database(path, { readonly: true, fileMustExist: true })
      try {
        const { last } = file.prepare('SELECT max(seq) AS last FROM record').get() as { last: number | null }
        if (last !== null) return last
      } finally {
        file.close()
      }
    } catch {
      // Its records are lost; those before it were counted lower.
    }
  }
  return 0
}

/** For the one store of a folder. */
export function recordTable(folder: string): Table<TrafficRow> {
  let seq: number | undefined
  return {
    schema,
    inserter(file) {
      const record = file.prepare(
        `INSERT INTO record (id, seq, device, client, port, name, type, outer, outerPort, target, targetPort, protocol)
         VALUES (CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      const words = file.prepare('INSERT INTO record_text (rowid, words, addresses) VALUES (CAST(? AS INTEGER), ?, ?)')
      const put = (id: number, { device, client, ...rest }: TrafficRow) => {
        const { port, name, type, outer, outerPort, target, targetPort, protocol } = rest
        seq = (seq ?? lastSeq(folder)) + 1
        const values = [port, name, type, outer, outerPort, target, targetPort, protocol].map(one => one ?? null)
        record.run(id, seq, device, client, ...values)
        const said = [client, name, type, outer, outerPort, target, targetPort, protocol]
        const text = said.filter(one => one !== undefined).join(' ')
        words.run(id, text, addressesIn(text).join(' '))
      }
      const count = siteCounter(file)
      return rows => {
        for (const [id, row] of rows) put(id, row)
        count(rows)
      }
    },
  }
}
