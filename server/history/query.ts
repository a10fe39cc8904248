import type { HistoryStore } from './history'
import type { Series } from './series'
import { addSums, emptySums, type Sums } from './sums'
import { bucketOf, type Range, rangeOf, tiers } from './tiers'
import type { Total } from './totals'

/** A time without answers of a device (Unix ms). `behind`: another one was in the way, so that nobody knows of it. */
export type Absence = { from: number; until: number; behind: boolean }

/** What is asked: a device, one of its interfaces, or a whole network. */
export type HistoryQuery =
  | { of: 'device'; device: number; interface?: string; range: Range; now: number; absences?: readonly Absence[] }
  | { of: 'network'; network: number; range: Range; now: number }
  | { of: 'totals'; devices: Int32Array | readonly number[]; range: Range; most: number; now: number }

/**
 * Columns of equal length; `at` is each bucket's start, unix s. null = not known at that time: it is neither zero nor
 * to be joined across. Rates in bit/s, averaged over the bucket; availability in percent of polls answered,
 * without those that could not be while the device was behind another.
 */
export type HistorySeries = {
  range: Range
  stepSeconds: number
  at: number[]
  inBps: (number | null)[]
  outBps: (number | null)[]
  cpuPercent: (number | null)[]
  memoryPercent: (number | null)[]
  clients: (number | null)[]
  availability: (number | null)[]
  /** Octets in and out of the devices asked for by `totals` that carried `most`; devices without any are left out. */
  totals?: { device: number; inOctets: number; outOctets: number }[]
}

const ratio = (sum: number, readings: number) => (readings > 0 ? sum / readings : null)
const bps = (octets: number, seconds: number) => (seconds > 0 ? (octets * 8) / seconds : null)

function emptySeries(range: Range): HistorySeries {
  return {
    range,
    stepSeconds: tiers[rangeOf[range].tier].seconds,
    at: [],
    inBps: [],
    outBps: [],
    cpuPercent: [],
    memoryPercent: [],
    clients: [],
    availability: [],
  }
}

/** Of a bucket's polls those that say something of the device: not what went unanswered while it was behind another. */
function telling({ polls, answered }: Sums, absences: readonly Absence[], bucket: number, step: number): number {
  let [own, behind] = [0, 0]
  for (const one of absences) {
    const ms = Math.min(one.until, (bucket + step) * 1000) - Math.max(one.from, bucket * 1000)
    if (ms > 0 && one.behind) behind += ms
    else if (ms > 0) own += ms
  }
  return behind === 0 ? polls : polls - Math.round(((polls - answered) * behind) / (own + behind))
}

function push(series: HistorySeries, bucket: number, sums: Sums, slot: number | undefined, polls: number): void {
  const known = slot === undefined ? sums.seconds : (sums.known[slot] ?? 0)
  const inOctets = slot === undefined ? sums.inOctets : (sums.octets[slot * 2] ?? 0)
  const outOctets = slot === undefined ? sums.outOctets : (sums.octets[slot * 2 + 1] ?? 0)
  series.at.push(bucket)
  series.inBps.push(bps(inOctets, known))
  series.outBps.push(bps(outOctets, known))
  series.cpuPercent.push(ratio(sums.cpu, sums.cpuReadings))
  series.memoryPercent.push(ratio(sums.memory, sums.memoryReadings))
  series.clients.push(ratio(sums.clients, sums.clientReadings))
  series.availability.push(ratio(sums.answered * 100, polls))
}

/** Totals of all devices are gathered once for everybody who asks within this time. */
const keptMs: Record<Range, number> = { '2h': 30e3, '1d': 60e3, '1w': 600e3, '1m': 1800e3, '3m': 1800e3, '6m': 1800e3 }
type Kept = Map<Range, { at: number; found: Promise<Map<number, Total>> }>
const kept = new WeakMap<HistoryStore, Kept>()

function gathered(store: HistoryStore, range: Range, now: number): Promise<Map<number, Total>> {
  const own: Kept = kept.get(store) ?? new Map()
  kept.set(store, own)
  const held = own.get(range)
  if (held && now - held.at < keptMs[range]) return held.found
  const until = Math.floor(now / 1000)
  const found = store.totals(until - rangeOf[range].seconds, until + 1)
  own.set(range, { at: now, found })
  found.catch(() => own.delete(range))
  return found
}

type Carried = { device: number; inOctets: number; outOctets: number }
const carriedBy = ({ inOctets, outOctets }: Carried) => inOctets + outOctets

/** The `most` devices that carried most, in order; of equal ones those that come first. */
function busiest(devices: Iterable<number>, all: ReadonlyMap<number, Total>, most: number): Carried[] {
  const found: Carried[] = []
  for (const device of devices) {
    const { seconds, inOctets, outOctets } = all.get(device) ?? { seconds: 0, inOctets: 0, outOctets: 0 }
    if (!seconds) continue
    const one = { device, inOctets, outOctets }
    const last = found.at(-1)
    if (found.length === most && last && carriedBy(one) <= carriedBy(last)) continue
    const place = found.findIndex(other => carriedBy(other) < carriedBy(one))
    found.splice(place === -1 ? found.length : place, 0, one)
    if (found.length > most) found.pop()
  }
  return found
}

async function totals(store: HistoryStore, query: Extract<HistoryQuery, { of: 'totals' }>): Promise<HistorySeries> {
  const all = await gathered(store, query.range, query.now)
  return { ...emptySeries(query.range), totals: busiest(query.devices, all, query.most) }
}

export async function queryHistory(store: HistoryStore, query: HistoryQuery): Promise<HistorySeries> {
  if (query.of === 'totals') return totals(store, query)
  const { seconds, tier } = rangeOf[query.range]
  const step = tiers[tier].seconds
  const own: Series = query.of === 'device' ? { of: 'device', id: query.device } : { of: 'network', id: query.network }
  const wanted = query.of === 'device' ? query.interface : undefined
  const { absences = [] } = query.of === 'device' ? query : {}
  const slot = wanted === undefined ? undefined : store.slotOf(own, wanted)
  const series = emptySeries(query.range)
  const last = bucketOf(query.now, step)
  for (let bucket = bucketOf(query.now - seconds * 1000, step) + step; bucket <= last; bucket += step) {
    const sums = (slot === -1 ? undefined : store.sums(tier, bucket, own, slot !== undefined)) ?? emptySums()
    push(series, bucket, sums, slot, telling(sums, absences, bucket, step))
  }
  return series
}

/**
 * Octets of each slot of a series over a range, up to now, in the order of its slots; a slot of which nothing is known
 * in that time has none.
 */
export function slotTotals(
  store: Pick<HistoryStore, 'sums'>,
  own: Series,
  range: Range,
  now: number,
): ({ inOctets: number; outOctets: number } | undefined)[] {
  const { seconds, tier } = rangeOf[range]
  const step = tiers[tier].seconds
  const whole = emptySums()
  for (let bucket = bucketOf(now - seconds * 1000, step) + step; bucket <= bucketOf(now, step); bucket += step) {
    const sums = store.sums(tier, bucket, own, true)
    if (sums) addSums(whole, sums)
  }
  return Array.from(whole.known, (known, slot) =>
    known > 0 ? { inOctets: whole.octets[slot * 2] ?? 0, outOctets: whole.octets[slot * 2 + 1] ?? 0 } : undefined,
  )
}
