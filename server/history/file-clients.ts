import type { Database } from 'better-sqlite3'
import { measuredAs, numberOf, type Series } from './series'

/** A client as the history knows it: its number, and on which day (since 1970, UTC) it was last measured. */
export type ClientNumber = { id: number; mac: string; day: number }

export type ClientRows = {
  clientsOf(network: number): ClientNumber[]
  /** A number that no client ever had. */
  addClient(network: number, mac: string, day: number): number
  seeClient(id: number, day: number): void
}

/** What the clients of a network did in one bucket (./station-rows.ts). */
export type StationBucket = { ts: number; data: Buffer }

export type StationRows = {
  putStations(tier: number, network: number, bucket: number, data: Buffer): void
  /** Buckets from one to another, both with. */
  stationsIn(tier: number, network: number, from: number, until: number): StationBucket[]
  /** Their times alone. */
  stationBucketsIn(tier: number, network: number, from: number, until: number): number[]
  /** The bucket after this time (unix s). */
  nextStations(tier: number, network: number, after: number): StationBucket | undefined
  dropStations(tier: number, network: number, bucket: number): void
  /** Drops what is older than `before` (unix s), of all networks. */
  pruneStations(tier: number, before: number): void
}

/** A series whose rows are to go. Of a client also by what its network knows it. */
export type ForgottenSeries = Series & { network: number | null; mac: string | null }

export type ForgottenRows = {
  /** Its slots and its number go at once, its rows are noted to be dropped. */
  forget(series: Series, client?: { network: number; mac: string }): void
  /** All of a network at once. */
  forgetClients(network: number): void
  /** At most `most` of those that were forgotten. */
  forgotten(most: number): ForgottenSeries[]
  /** Nothing is left of it. */
  endForgetting(series: Series): void
}

export const clientSchema = `
CREATE TABLE IF NOT EXISTS stations (tier INTEGER NOT NULL, network INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, network, ts));
CREATE TABLE IF NOT EXISTS client_numbers (id INTEGER PRIMARY KEY AUTOINCREMENT, network INTEGER NOT NULL, mac TEXT NOT NULL, day INTEGER NOT NULL, UNIQUE (network, mac));
CREATE TABLE IF NOT EXISTS forgotten (of INTEGER NOT NULL, id INTEGER NOT NULL, network INTEGER, mac TEXT, PRIMARY KEY (of, id)) WITHOUT ROWID;`

export function clientRows(sqlite: Database): ClientRows {
  const all = sqlite.prepare('SELECT id, mac, day FROM client_numbers WHERE network = ?')
  const add = sqlite.prepare('INSERT INTO client_numbers (network, mac, day) VALUES (?, ?, ?)')
  const see = sqlite.prepare('UPDATE client_numbers SET day = ? WHERE id = ?')
  return {
    clientsOf: network => all.all(network) as ClientNumber[],
    addClient: (network, mac, day) => Number(add.run(network, mac, day).lastInsertRowid),
    seeClient: (id, day) => void see.run(day, id),
  }
}

export function stationRows(sqlite: Database): StationRows {
  const put = sqlite.prepare('INSERT OR REPLACE INTO stations (tier, network, ts, data) VALUES (?, ?, ?, ?)')
  const read = sqlite.prepare(
    'SELECT ts, data FROM stations WHERE tier = ? AND network = ? AND ts BETWEEN ? AND ? ORDER BY ts',
  )
  const times = sqlite
    .prepare('SELECT ts FROM stations WHERE tier = ? AND network = ? AND ts BETWEEN ? AND ? ORDER BY ts')
    .pluck()
  const next = sqlite.prepare(
    'SELECT ts, data FROM stations WHERE tier = ? AND network = ? AND ts > ? ORDER BY ts LIMIT 1',
  )
  const drop = sqlite.prepare('DELETE FROM stations WHERE tier = ? AND network = ? AND ts = ?')
  const prune = sqlite.prepare('DELETE FROM stations WHERE tier = ? AND ts < ?')
  return {
    putStations: (tier, network, bucket, data) => void put.run(tier, network, bucket, data),
    stationsIn: (tier, network, from, until) => read.all(tier, network, from, until) as StationBucket[],
    stationBucketsIn: (tier, network, from, until) => times.all(tier, network, from, until) as number[],
    nextStations: (tier, network, after) => next.get(tier, network, after) as StationBucket | undefined,
    dropStations: (tier, network, bucket) => void drop.run(tier, network, bucket),
    pruneStations: (tier, before) => void prune.run(tier, before),
  }
}

export function forgottenRows(sqlite: Database): ForgottenRows {
  const note = sqlite.prepare('INSERT OR IGNORE INTO forgotten (of, id, network, mac) VALUES (?, ?, ?, ?)')
  const all = sqlite.prepare('SELECT of, id, network, mac FROM forgotten LIMIT ?')
  const end = sqlite.prepare('DELETE FROM forgotten WHERE of = ? AND id = ?')
  const dropSlots = sqlite.prepare('DELETE FROM slots WHERE of = ? AND id = ?')
  const dropClient = sqlite.prepare('DELETE FROM client_numbers WHERE id = ?')
  const own = 'SELECT id FROM client_numbers WHERE network = @network'
  const client = numberOf('client')
  const ofNetwork = [
    `DELETE FROM slots WHERE of = ${client} AND id IN (${own})`,
    `INSERT OR IGNORE INTO forgotten (of, id) SELECT ${client}, id FROM (${own})`,
    'DELETE FROM client_numbers WHERE network = @network',
  ].map(text => sqlite.prepare(text))
  return {
    forget: sqlite.transaction(({ of, id }: Series, client?: { network: number; mac: string }) => {
      dropSlots.run(numberOf(of), id)
      if (of === 'client') dropClient.run(id)
      note.run(numberOf(of), id, client?.network ?? null, client?.mac ?? null)
    }),
    forgetClients: sqlite.transaction((network: number) => {
      for (const one of ofNetwork) one.run({ network })
    }),
    forgotten: most =>
      (all.all(most) as (Omit<ForgottenSeries, 'of'> & { of: number })[]).flatMap(({ of: number, ...rest }) => {
        const of = measuredAs(number)
        return of ? [{ of, ...rest }] : []
      }),
    endForgetting: ({ of, id }) => void end.run(numberOf(of), id),
  }
}
