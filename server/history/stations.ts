import type { HistoryFile } from './file'
import { findStation, packStations, type StationSums, unpackStations } from './station-rows'
import { bucketOf } from './tiers'

// Signal and octets of Wi-Fi clients over time: what is being filled in memory, what is finished in the file.

/** How finely and how long: of 20,000 clients 43 MB a day, and 7 MB a day for a week. */
export const stationTiers = [
  { seconds: 600, keepSeconds: 25 * 3600 },
  { seconds: 3600, keepSeconds: 8 * 86_400 },
] as const
export const stationRanges = { '1d': { seconds: 86_400, tier: 0 }, '1w': { seconds: 7 * 86_400, tier: 1 } } as const
export type StationRange = keyof typeof stationRanges
/** Of one network in one bucket. */
const most = 20_000
/** A client that joined so lately did all it did since the last poll. */
const freshSeconds = 120

export type StationQuery = { network: number; mac: string; range: StationRange; now: number }
/** Columns of equal length; `at`: start of each bucket, unix s. null: it was not on the air, or nobody told. */
export type StationSeries = {
  range: StationRange
  stepSeconds: number
  at: number[]
  signalDbm: (number | null)[]
  /** bit/s to and from the client. */
  downBps: (number | null)[]
  upBps: (number | null)[]
}

/** As an access point tells of it: octets since it joined, `tx` to the client. */
type Station = { mac: string; signalDbm?: number; txBytes?: number; rxBytes?: number; connectedSeconds?: number }

type Open = { bucket: number; rows: Map<string, StationSums> }
type Before = { device: number; at: number; down: number; up: number }
type File = Pick<HistoryFile, 'putStations' | 'stationsIn' | 'pruneStations'>
type Book = {
  file: File
  /** By network, for each tier. */
  open: Map<number, Open>[]
  /** What was counted last, by network and MAC. */
  before: Map<number, Map<string, Before>>
  guarded(work: () => void): void
}

/** Octets since the reading before; those of another association are none of this one. */
function since(
  before: Before | undefined,
  device: number,
  at: number,
  { txBytes, rxBytes, connectedSeconds }: Station,
) {
  const [down, up] = [txBytes ?? 0, rxBytes ?? 0]
  if (before?.device === device && before.at < at && down >= before.down && up >= before.up)
    return { down: down - before.down, up: up - before.up }
  const fresh = connectedSeconds !== undefined && connectedSeconds <= freshSeconds
  return fresh ? { down, up } : { down: 0, up: 0 }
}

function write({ file, guarded }: Book, tier: number, network: number, { bucket, rows }: Open): void {
  guarded(() => file.putStations(tier, network, bucket, packStations(rows)))
}

/** The bucket of now; the one before it is written. */
function openAt(book: Book, tier: number, network: number, at: number): Open {
  const opened = book.open[tier] as Map<number, Open>
  const { seconds, keepSeconds } = stationTiers[tier] ?? stationTiers[0]
  const bucket = bucketOf(at, seconds)
  const held = opened.get(network)
  if (held && held.bucket >= bucket) return held
  if (held) {
    write(book, tier, network, held)
    book.guarded(() => book.file.pruneStations(tier, bucket - keepSeconds))
    // The hour is written six times, so that a crash costs minutes of it.
    for (const [later, others] of book.open.entries()) {
      const other = later > tier ? others.get(network) : undefined
      if (other) write(book, later, network, other)
    }
  }
  // It may have been begun by the process before this one.
  const [kept] = book.file.stationsIn(tier, network, bucket, bucket)
  const next = { bucket, rows: kept ? unpackStations(kept.data) : new Map<string, StationSums>() }
  opened.set(network, next)
  return next
}

function addTo({ rows }: Open, mac: string, signalDbm: number | undefined, octets: { down: number; up: number }): void {
  const sums = rows.get(mac) ?? { signal: 0, heard: 0, down: 0, up: 0 }
  if (rows.size >= most && !rows.has(mac)) return
  sums.down += octets.down
  sums.up += octets.up
  if (signalDbm !== undefined) {
    sums.signal += signalDbm
    sums.heard += 1
  }
  rows.set(mac, sums)
}

function take(book: Book, network: number, device: number, at: number, stations: readonly Station[]): void {
  const before = book.before.get(network) ?? new Map<string, Before>()
  book.before.set(network, before)
  const opened = stationTiers.map((_, tier) => openAt(book, tier, network, at))
  for (const station of stations) {
    const { mac } = station
    const octets = since(before.get(mac), device, at, station)
    if (before.has(mac) || before.size < most)
      before.set(mac, { device, at, down: station.txBytes ?? 0, up: station.rxBytes ?? 0 })
    for (const open of opened) addTo(open, mac, station.signalDbm, octets)
  }
  // Who left is forgotten: else a host that invents addresses fills the memory.
  if (before.size >= most / 2)
    for (const [mac, one] of before) if (at - one.at > freshSeconds * 1000 * 5) before.delete(mac)
}

function query({ file, open }: Book, { network, mac, range, now }: StationQuery): StationSeries {
  const { seconds, tier } = stationRanges[range]
  const step = stationTiers[tier].seconds
  const last = bucketOf(now, step)
  const first = last - seconds + step
  const kept = new Map(file.stationsIn(tier, network, first, last).map(({ ts, data }) => [ts, data]))
  const series: StationSeries = { range, stepSeconds: step, at: [], signalDbm: [], downBps: [], upBps: [] }
  const held = open[tier]?.get(network)
  for (let at = first; at <= last; at += step) {
    const data = kept.get(at)
    const sums = held?.bucket === at ? held.rows.get(mac) : data && findStation(data, mac)
    // The bucket of now is not over yet.
    const length = at === last ? Math.max(60, now / 1000 - at) : step
    series.at.push(at)
    series.signalDbm.push(sums && sums.heard > 0 ? Math.round(sums.signal / sums.heard) : null)
    series.downBps.push(sums ? (sums.down * 8) / length : null)
    series.upBps.push(sums ? (sums.up * 8) / length : null)
  }
  return series
}

function forget({ open, before }: Book, network: number, mac?: string): void {
  if (mac === undefined) before.delete(network)
  else before.get(network)?.delete(mac)
  for (const opened of open)
    if (mac === undefined) opened.delete(network)
    else opened.get(network)?.rows.delete(mac)
}

export type StationBook = {
  /** What an access point says of its clients, at `at` (unix ms). */
  take(network: number, device: number, at: number, stations: readonly Station[]): void
  query(query: StationQuery): StationSeries
  /** One client of a network, or all, in what is being filled. */
  forget(network: number, mac?: string): void
  /** Writes what is being filled. */
  flush(): void
}

export function stationBook(file: File, guarded: Book['guarded']): StationBook {
  const book: Book = { file, open: stationTiers.map(() => new Map()), before: new Map(), guarded }
  return {
    take: (network, device, at, stations) => take(book, network, device, at, stations),
    query: wanted => query(book, wanted),
    forget: (network, mac) => forget(book, network, mac),
    flush() {
      for (const [tier, opened] of book.open.entries())
        for (const [network, open] of opened) write(book, tier, network, open)
    },
  }
}
