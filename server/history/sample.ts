import type { CounterStore } from './counters'
import { type Sums, widen } from './sums'

/** What one poll adds. Absent = unknown, and not counted as zero. */
export type Sample = {
  answered: boolean
  seconds?: number
  inOctets?: number
  outOctets?: number
  cpuPercent?: number
  memoryPercent?: number
  clients?: number
  counters?: { store: Pick<CounterStore, 'keys' | 'deltas'> & Partial<Pick<CounterStore, 'lasting'>>; seconds: number }
}

/** Slots of a reading's interfaces, in their order, and how many slots the series has. */
export type SlotMap = { map: Uint16Array; size: number }

const readings = { cpu: 'cpuReadings', memory: 'memoryReadings', clients: 'clientReadings' } as const

function addReading(sums: Sums, field: keyof typeof readings, value: number | undefined): void {
  if (value === undefined || !Number.isFinite(value)) return
  sums[field] += value
  sums[readings[field]]++
}

function addCounters(sums: Sums, slots: Uint16Array, store: Pick<CounterStore, 'deltas'>, seconds: number): void {
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

/** Adds one poll to a bucket's sums. `slotsOf`: the slots of a reading's interfaces, asked only where it has any. */
export function addSample(
  sums: Sums,
  sample: Sample,
  slotsOf: (keys: readonly string[], former: readonly string[]) => SlotMap,
): void {
  sums.polls++
  if (sample.answered) sums.answered++
  if (sample.seconds && sample.inOctets !== undefined && sample.outOctets !== undefined) {
    sums.seconds += sample.seconds
    sums.inOctets += sample.inOctets
    sums.outOctets += sample.outOctets
  }
  addReading(sums, 'cpu', sample.cpuPercent)
  addReading(sums, 'memory', sample.memoryPercent)
  addReading(sums, 'clients', sample.clients)
  if (!sample.counters) return
  const { store, seconds } = sample.counters
  const { map, size } = slotsOf(store.lasting ?? store.keys, store.keys)
  widen(sums, size)
  addCounters(sums, map, store, seconds)
}
