import { sharedValue } from '@/server/devices/shared'
import type { CounterStore } from './counters'
import { type HistoryFile, openHistoryFile } from './file'
import { addSums, decodeSums, emptySums, encodeSums, type Sums, totalOf, widen } from './sums'
import { bucketOf, tiers } from './tiers'

/** What one poll adds. Absent = unknown, and not counted as zero. */
export type Sample = {
  answered: boolean
  seconds?: number
  inOctets?: number
  outOctets?: number
  cpuPercent?: number
  memoryPercent?: number
  clients?: number
  counters?: { store: CounterStore; seconds: number }
}

export type HistoryStore = {
  add(device: number, at: number, sample: Sample): void
  /** Sums of one bucket, from the file or, where it is not rolled up yet, from what is finer; undefined = no data. */
  sums(tier: number, bucket: number, device: number, interfaces: boolean): Sums | undefined
  /** Octets of every device between two times (unix s), from the coarsest buckets that fit; yields between buckets. */
  totals(from: number, until: number): Promise<Map<number, Total>>
  /** Slot of an interface, -1 when it was never seen. */
  slotOf(device: number, key: string): number
  forget(device: number): void
  /** Writes what came since the last flush: at most this is lost when the process dies. */
  flush(): void
  /** Rolls finished buckets up and drops old ones; yields between slices. */
  tidy(now: number): Promise<void>
  close(): void
}

export type Total = { inOctets: number; outOctets: number; seconds: number }
type Open = { bucket: number; sums: Sums; dirty: boolean }
const slice = 250
const base = tiers[0].seconds
const pause = () => new Promise<void>(done => setImmediate(done))

function addReading(sums: Sums, field: 'cpu' | 'memory' | 'clients', value: number | undefined): void {
  if (value === undefined || !Number.isFinite(value)) return
  const readings = { cpu: 'cpuReadings', memory: 'memoryReadings', clients: 'clientReadings' } as const
  sums[field] += value
  sums[readings[field]]++
}

function addCounters(sums: Sums, slots: Uint16Array, store: CounterStore, seconds: number): void {
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] ?? 0
    const inOctets = store.deltas[index * 2] ?? Number.NaN
    const outOctets = store.deltas[index * 2 + 1] ?? Number.NaN
    if (Number.isNaN(inOctets) || Number.isNaN(outOctets)) continue
    sums.known[slot] = (sums.known[slot] ?? 0) + seconds
    sums.octets[slot * 2] = (sums.octets[slot * 2] ?? 0) + inOctets
    sums.octets[slot * 2 + 1] = (sums.octets[slot * 2 + 1] ?? 0) + outOctets
  }
}

function addTotal(found: Map<number, Total>, device: number, part: Total | undefined): void {
  if (!part) return
  const { inOctets = 0, outOctets = 0, seconds = 0 } = found.get(device) ?? {}
  found.set(device, {
    inOctets: inOctets + part.inOctets,
    outOctets: outOctets + part.outOctets,
    seconds: seconds + part.seconds,
  })
}

type Slots = { keys: readonly string[]; last?: readonly string[]; map: Uint16Array }

/** Interface keys of each device as small numbers that never change, so that rows stay short. */
function slotBook(file: HistoryFile) {
  const books = new Map<number, Slots>()
  const book = (device: number): Slots => {
    const known = books.get(device) ?? { keys: file.slots(device), map: new Uint16Array(0) }
    books.set(device, known)
    return known
  }
  return {
    /** Slots of a reading's interfaces, in their order. */
    of(device: number, keys: readonly string[]): { map: Uint16Array; size: number } {
      const own = book(device)
      if (own.last === keys) return { map: own.map, size: own.keys.length }
      const places = new Map(own.keys.map((key, slot) => [key, slot]))
      const fresh = keys.filter(key => !places.has(key)).slice(0, 0xffff - own.keys.length)
      if (fresh.length) file.addSlots(device, own.keys.length, fresh)
      for (const [index, key] of fresh.entries()) places.set(key, own.keys.length + index)
      own.keys = sharedValue([...own.keys, ...fresh])
      own.map = Uint16Array.from(keys, key => places.get(key) ?? 0xffff)
      own.last = keys
      return { map: own.map, size: own.keys.length }
    },
    find: (device: number, key: string) => book(device).keys.indexOf(key),
    forget: (device: number) => books.delete(device),
  }
}

export function openHistory(path: string, onTrouble: (what: string) => void, startedAt = Date.now()): HistoryStore {
  const file = openHistoryFile(path, onTrouble)
  const slots = slotBook(file)
  const open = new Map<number, Open>()
  const firstBucket = bucketOf(startedAt, base)
  /** Coarser tiers are complete before these times. */
  const rolled = tiers.map(({ seconds }, tier) => {
    const newest = file.newest(tier)
    return newest === undefined ? bucketOf((file.oldest(0) ?? startedAt / 1000) * 1000, seconds) : newest + seconds
  })
  let failing = false
  const guarded = (work: () => void) => {
    try {
      work()
      failing = false
    } catch (error) {
      if (!failing) onTrouble(`historyNotWritten: ${(error as Error).message}`)
      failing = true
    }
  }

  const write = (entries: readonly [number, Open][]) => {
    for (const bucket of new Set(entries.map(([, one]) => one.bucket)))
      file.put(
        0,
        bucket,
        entries.flatMap(([device, one]) => (one.bucket === bucket ? [[device, encodeSums(one.sums)] as const] : [])),
      )
    for (const [, one] of entries) one.dirty = false
  }
  const current = (device: number, bucket: number): Open => {
    const held = open.get(device)
    if (held?.bucket === bucket) return held
    if (held?.dirty) guarded(() => write([[device, held]]))
    // Only the bucket in which the process started can have been begun by an earlier one.
    const before = bucket === firstBucket ? file.get(0, bucket, device) : undefined
    const next = { bucket, sums: (before && decodeSums(before)) ?? emptySums(held?.sums.known.length), dirty: false }
    open.set(device, next)
    return next
  }
  const sums: HistoryStore['sums'] = (tier, bucket, device, interfaces) => {
    const held = tier === 0 ? open.get(device) : undefined
    if (held?.bucket === bucket) return held.sums
    const data = file.get(tier, bucket, device)
    if (data) return decodeSums(data, interfaces)
    if (tier === 0 || bucket < (rolled[tier] ?? 0)) return undefined
    return merged(tier, bucket, device, interfaces)
  }
  const merged = (tier: number, bucket: number, device: number, interfaces: boolean): Sums | undefined => {
    const step = tiers[tier]?.seconds ?? base
    const finer = tiers[tier - 1]?.seconds ?? base
    let all: Sums | undefined
    for (let at = bucket; at < bucket + step; at += finer) {
      const part = sums(tier - 1, at, device, interfaces)
      if (part) all = addSums(all ?? emptySums(), part)
    }
    return all
  }
  const totals = async (from: number, until: number) => {
    const found = new Map<number, Total>()
    for (let at = Math.floor(from / base) * base; at < until; ) {
      const tier = coarsestAt(at, until)
      // Networks are kept under negative numbers; what is open is newer in memory.
      const rows = file.rowsIn(tier, at).filter(({ device }) => device > 0 && open.get(device)?.bucket !== at)
      for (const { device, data } of rows) addTotal(found, device, totalOf(data))
      at += tiers[tier]?.seconds ?? base
      await pause()
    }
    const held = [...open].filter(([device, { bucket }]) => device > 0 && bucket >= from && bucket < until)
    for (const [device, one] of held) addTotal(found, device, one.sums)
    return found
  }
  /** The coarsest tier of which a whole, finished bucket begins at `at`. */
  const coarsestAt = (at: number, until: number): number => {
    for (let tier = tiers.length - 1; tier > 0; tier--) {
      const step = tiers[tier]?.seconds ?? base
      if (at % step === 0 && at + step <= Math.min(until, rolled[tier] ?? 0)) return tier
    }
    return 0
  }
  const rollUp = async (tier: number, now: number) => {
    const step = tiers[tier]?.seconds ?? base
    const finer = tiers[tier - 1]?.seconds ?? base
    // One finer bucket of grace: the last polls of a bucket are written a minute later.
    for (let bucket = rolled[tier] ?? 0; bucket + step + finer <= now / 1000; bucket += step) {
      const devices = new Set<number>()
      for (let at = bucket; at < bucket + step; at += finer)
        for (const id of file.devicesIn(tier - 1, at)) devices.add(id)
      const ids = [...devices]
      for (let from = 0; from < ids.length; from += slice) {
        const rows = ids.slice(from, from + slice).flatMap(device => {
          const made = merged(tier, bucket, device, true)
          return made ? [[device, encodeSums(made)] as const] : []
        })
        guarded(() => file.put(tier, bucket, rows))
        await pause()
      }
      rolled[tier] = bucket + step
    }
  }
  const prune = async (now: number) => {
    for (const [tier, { keepSeconds, rows, seconds }] of tiers.entries()) {
      const oldest = file.oldest(tier)
      const newest = file.newest(tier) ?? 0
      // An estimate, from above: counting millions of rows would hold the polls up.
      const many =
        oldest === undefined ? 0 : file.devicesIn(tier, newest - seconds).length * ((newest - oldest) / seconds)
      const over = oldest !== undefined && many > rows
      const before = over ? oldest + seconds * 10 : now / 1000 - keepSeconds
      while (!file.prune(tier, before)) await pause()
    }
  }

  return {
    add(device, at, sample) {
      const one = current(device, bucketOf(at, base))
      const { sums: into } = one
      into.polls++
      if (sample.answered) into.answered++
      if (sample.seconds && sample.inOctets !== undefined && sample.outOctets !== undefined) {
        into.seconds += sample.seconds
        into.inOctets += sample.inOctets
        into.outOctets += sample.outOctets
      }
      addReading(into, 'cpu', sample.cpuPercent)
      addReading(into, 'memory', sample.memoryPercent)
      addReading(into, 'clients', sample.clients)
      if (sample.counters) {
        const { map, size } = slots.of(device, sample.counters.store.keys)
        widen(into, size)
        addCounters(into, map, sample.counters.store, sample.counters.seconds)
      }
      one.dirty = true
    },
    sums,
    totals,
    slotOf: slots.find,
    forget(device) {
      open.delete(device)
      slots.forget(device)
      guarded(() => file.forget(device))
    },
    flush() {
      const dirty = [...open].filter(([, one]) => one.dirty)
      for (let from = 0; from < dirty.length; from += slice) guarded(() => write(dirty.slice(from, from + slice)))
    },
    async tidy(now) {
      await rollUp(1, now)
      await rollUp(2, now)
      await prune(now)
    },
    close: () => file.close(),
  }
}
