import { pause } from './buckets'
import type { HistoryFile } from './file'
import { type Counted, countedOf, type Octets, octetsOfNew, octetsSince, type Station } from './station-counters'
import { findStation, macNumber, packStations, type StationSums, sumsByNumber, unpackStations } from './station-rows'
import { bucketOf } from './tiers'

// Signal of Wi-Fi clients and octets of all clients over time: what is being filled in memory, what is finished in the file.

/** How finely and how long: of 20,000 clients 43 MB a day, 7 MB a day for a week and 1.2 MB a day for a month. */
export const stationTiers = [
  { seconds: 600, keepSeconds: 25 * 3600 },
  { seconds: 3600, keepSeconds: 8 * 86_400 },
  { seconds: 21_600, keepSeconds: 32 * 86_400 },
] as const
export const stationRanges = {
  '1d': { seconds: 86_400, tier: 0 },
  '1w': { seconds: 7 * 86_400, tier: 1 },
  '1m': { seconds: 31 * 86_400, tier: 2 },
} as const
export type StationRange = keyof typeof stationRanges
export const stationRangeNames = Object.keys(stationRanges) as StationRange[]
/** Of one network in one bucket. */
const most = 20_000
/** An access point that did not answer for so long makes room for others, where there is none left. */
const staleMs = 600_000

export type StationQuery = { network: number; mac: string; range: StationRange; now: number }
/** Columns of equal length; `at`: start of each bucket, unix s. null: it was not there, or nobody told. */
export type StationSeries = {
  range: StationRange
  stepSeconds: number
  at: number[]
  signalDbm: (number | null)[]
  /** bit/s to and from the client. */
  downBps: (number | null)[]
  upBps: (number | null)[]
  /** Octets of each range up to now; null: nothing is known of it. */
  totals: Record<StationRange, { down: number | null; up: number | null }>
}

/** By MAC address as a number (`macNumber`); NaN: nobody told. */
type StationTotals = Map<number, { down: number; up: number }>
/** Octets of a client, by its MAC address. */
export type TotalOf = (mac: string) => Octets
/** bit/s to and from a client between two readings. */
export type Rate = { downBps?: number; upBps?: number }

type Open = { bucket: number; rows: Map<string, StationSums> }
/** What a device's last reading counted, by MAC and BSS: one that has gone on elsewhere may stay in its list. */
type Reading = { at: number; stations: Map<string, Counted> }
type File = Pick<HistoryFile, 'putStations' | 'stationsIn' | 'stationBucketsIn' | 'pruneStations'>
type Book = {
  file: File
  startedAt: number
  /** By network, for each tier. */
  open: Map<number, Open>[]
  /** The last readings of a network's devices. */
  before: Map<number, Map<number, Reading>>
  /** Totals of finished buckets of the last day, by network, and of which they are. */
  days: Map<number, { of: string; made: Promise<StationTotals> }>
  guarded(work: () => void): void
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

const plus = (sum: number, octets: number | undefined) =>
  octets === undefined ? sum : (Number.isNaN(sum) ? 0 : sum) + octets

function addTo({ rows }: Open, mac: string, signalDbm: number | undefined, octets: Octets): void {
  const sums = rows.get(mac) ?? { signal: 0, heard: 0, down: Number.NaN, up: Number.NaN }
  if (rows.size >= most && !rows.has(mac)) return
  sums.down = plus(sums.down, octets.down)
  sums.up = plus(sums.up, octets.up)
  if (signalDbm !== undefined) {
    sums.signal += signalDbm
    sums.heard += 1
  }
  rows.set(mac, sums)
}

const bps = (octets: number | undefined, seconds: number) => (octets === undefined ? undefined : (octets * 8) / seconds)

function rateOf({ down, up }: Octets, seconds: number): Rate | undefined {
  const [downBps, upBps] = [bps(down, seconds), bps(up, seconds)]
  if (!(seconds > 0) || (downBps === undefined && upBps === undefined)) return undefined
  return { ...(downBps !== undefined && { downBps }), ...(upBps !== undefined && { upBps }) }
}

/** Devices that do not answer hold what they counted; where that is too much, those go. */
function makeRoom(devices: Map<number, Reading>, at: number): number {
  const held = () => [...devices.values()].reduce((sum, { stations }) => sum + stations.size, 0)
  if (held() >= most) for (const [id, one] of devices) if (at - one.at > staleMs) devices.delete(id)
  return most - held()
}

/** Takes a reading of one access point in; answers the rate of each station, in their order. */
function take(book: Book, network: number, device: number, at: number, stations: readonly Station[]) {
  const devices = book.before.get(network) ?? new Map<number, Reading>()
  book.before.set(network, devices)
  const before = devices.get(device)
  devices.delete(device)
  const room = makeRoom(devices, at)
  const now: Reading = { at, stations: new Map() }
  devices.set(device, now)
  const opened = stationTiers.map((_, tier) => openAt(book, tier, network, at))
  return stations.map(station => {
    const key = `${station.mac} ${station.bss ?? ''}`
    const counted = countedOf(station, at)
    const known = before?.stations.get(key)
    const isLater = known !== undefined && known.at < at
    const octets = isLater ? octetsSince(known, counted) : octetsOfNew(counted, before?.at ?? book.startedAt)
    if (now.stations.size < room) now.stations.set(key, counted)
    // Of one that went on elsewhere the signal is of then.
    const isHeard = station.silentMs === undefined || !before || station.silentMs <= at - before.at
    for (const open of opened) addTo(open, station.mac, isHeard ? station.signalDbm : undefined, octets)
    return rateOf(octets, before ? (at - before.at) / 1000 : (counted.seconds ?? 0))
  })
}

const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value)
const add = (sum: number | null, value: number | undefined) =>
  known(value) === null ? sum : (sum ?? 0) + (value as number)

/** A client's sums in each bucket of a range, oldest first. */
function* sumsOf({ file, open }: Book, { network, mac, range, now }: StationQuery) {
  const { seconds, tier } = stationRanges[range]
  const step = stationTiers[tier].seconds
  const last = bucketOf(now, step)
  const first = last - seconds + step
  const kept = new Map(file.stationsIn(tier, network, first, last).map(({ ts, data }) => [ts, data]))
  const held = open[tier]?.get(network)
  for (let at = first; at <= last; at += step) {
    const data = kept.get(at)
    // The bucket of now is not over yet.
    const length = at === last ? Math.max(60, now / 1000 - at) : step
    yield { at, length, sums: held?.bucket === at ? held.rows.get(mac) : data && findStation(data, mac) }
  }
}

function totalOf(book: Book, query: StationQuery): { down: number | null; up: number | null } {
  const total: { down: number | null; up: number | null } = { down: null, up: null }
  for (const { sums } of sumsOf(book, query)) {
    total.down = add(total.down, sums?.down)
    total.up = add(total.up, sums?.up)
  }
  return total
}

function query(book: Book, wanted: StationQuery): StationSeries {
  const { range } = wanted
  const totals = Object.fromEntries(stationRangeNames.map(one => [one, totalOf(book, { ...wanted, range: one })]))
  const series: StationSeries = {
    ...{ range, stepSeconds: stationTiers[stationRanges[range].tier].seconds },
    ...{ at: [], signalDbm: [], downBps: [], upBps: [] },
    totals: totals as StationSeries['totals'],
  }
  for (const { at, length, sums } of sumsOf(book, wanted)) {
    series.at.push(at)
    series.signalDbm.push(sums && sums.heard > 0 ? Math.round(sums.signal / sums.heard) : null)
    series.downBps.push(known(bps(sums?.down, length)))
    series.upBps.push(known(bps(sums?.up, length)))
  }
  return series
}

function addTotal(totals: StationTotals, mac: number, { down, up }: { down: number; up: number }): void {
  const held = totals.get(mac)
  if (!held) {
    totals.set(mac, { down, up })
    return
  }
  held.down = plus(held.down, known(down) ?? undefined)
  held.up = plus(held.up, known(up) ?? undefined)
}

/** Of the buckets of a range in the file, but the one that is being filled; yields between them. */
async function finished({ file }: Book, network: number, range: StationRange, now: number, but?: number) {
  const { seconds, tier } = stationRanges[range]
  const step = stationTiers[tier].seconds
  const last = bucketOf(now, step)
  const totals: StationTotals = new Map()
  for (const at of file.stationBucketsIn(tier, network, last - seconds + step, last)) {
    if (at === but) continue
    const [row] = file.stationsIn(tier, network, at, at)
    if (row) for (const [mac, sums] of sumsByNumber(row.data)) addTotal(totals, mac, sums)
    await pause()
  }
  return totals
}

/** Octets of each client over a range, by its MAC address. Of the last day they are put together once for each bucket. */
async function totals(book: Book, network: number, range: StationRange, now: number): Promise<TotalOf> {
  const { seconds, tier } = stationRanges[range]
  const step = stationTiers[tier].seconds
  const from = bucketOf(now, step) - seconds + step
  const held = () => book.open[tier]?.get(network)
  const bucket = held()?.bucket
  const of = `${from} ${bucket}`
  const kept = range === '1d' ? book.days.get(network) : undefined
  const day = kept?.of === of ? kept : { of, made: finished(book, network, range, now, bucket) }
  if (range === '1d') book.days.set(network, day)
  const made = await day.made.catch(error => {
    book.days.delete(network)
    throw error
  })
  const open = held()
  // The next bucket has begun meanwhile.
  if (open?.bucket !== bucket) return totals(book, network, range, now)
  const rows = open && open.bucket >= from ? open.rows : undefined
  return mac => {
    const past = made.get(macNumber(mac))
    const present = rows?.get(mac)
    const down = add(known(past?.down), present?.down)
    const up = add(known(past?.up), present?.up)
    // Asked for each of tens of thousands to order them: spread objects would take half of the time.
    if (down === null) return up === null ? {} : { up }
    return up === null ? { down } : { down, up }
  }
}

function forget({ open, before, days }: Book, network: number, mac?: string): void {
  days.delete(network)
  if (mac === undefined) before.delete(network)
  for (const { stations } of before.get(network)?.values() ?? [])
    for (const key of stations.keys()) if (key.startsWith(`${mac} `)) stations.delete(key)
  for (const opened of open)
    if (mac === undefined) opened.delete(network)
    else opened.get(network)?.rows.delete(mac)
}

export type StationBook = {
  /** What an access point says of its clients, at `at` (unix ms). Answers the rate of each since the reading before. */
  take(network: number, device: number, at: number, stations: readonly Station[]): (Rate | undefined)[]
  /** What a wired client's port carried. */
  add(network: number, mac: string, at: number, octets: Octets): void
  query(query: StationQuery): StationSeries
  /** Octets of the clients of a network over a range; yields between buckets. */
  totals(network: number, range: StationRange, now: number): Promise<TotalOf>
  /** One client of a network, or all, in what is being filled. */
  forget(network: number, mac?: string): void
  /** Writes what is being filled. */
  flush(): void
}

/** `startedAt` (unix ms): what clients did before was counted by the process before, or by nobody. */
export function stationBook(file: File, guarded: Book['guarded'], startedAt: number): StationBook {
  const open = stationTiers.map(() => new Map<number, Open>())
  const book: Book = { file, startedAt, open, before: new Map(), days: new Map(), guarded }
  return {
    take: (network, device, at, stations) => take(book, network, device, at, stations),
    add(network, mac, at, octets) {
      for (const tier of stationTiers.keys()) addTo(openAt(book, tier, network, at), mac, undefined, octets)
    },
    query: wanted => query(book, wanted),
    totals: (network, range, now) => totals(book, network, range, now),
    forget: (network, mac) => forget(book, network, mac),
    flush() {
      for (const [tier, opened] of book.open.entries())
        for (const [network, held] of opened) write(book, tier, network, held)
    },
  }
}
