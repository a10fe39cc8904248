import type { Database } from 'better-sqlite3'

/** What the Wi-Fi clients of a network did in one bucket (./station-rows.ts). */
type StationBucket = { ts: number; data: Buffer }

export type StationRows = {
  putStations(tier: number, network: number, bucket: number, data: Buffer): void
  /** Buckets from one to another, both with. */
  stationsIn(tier: number, network: number, from: number, until: number): StationBucket[]
  /** Drops what is older than `before` (unix s), of all networks. */
  pruneStations(tier: number, before: number): void
}

export const clientSchema =
  'CREATE TABLE IF NOT EXISTS stations (tier INTEGER NOT NULL, network INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, network, ts))'

export function stationRows(sqlite: Database): StationRows {
  const put = sqlite.prepare('INSERT OR REPLACE INTO stations (tier, network, ts, data) VALUES (?, ?, ?, ?)')
  const read = sqlite.prepare(
    'SELECT ts, data FROM stations WHERE tier = ? AND network = ? AND ts BETWEEN ? AND ? ORDER BY ts',
  )
  const prune = sqlite.prepare('DELETE FROM stations WHERE tier = ? AND ts < ?')
  return {
    putStations: (tier, network, bucket, data) => void put.run(tier, network, bucket, data),
    stationsIn: (tier, network, from, until) => read.all(tier, network, from, until) as StationBucket[],
    pruneStations: (tier, before) => void prune.run(tier, before),
  }
}
