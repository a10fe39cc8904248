import type { Interface } from '@/server/drivers/observation'
import type { CounterStore } from '@/server/history/counters'
import { intern } from '@/server/kernel/intern'
import { lastingKeys } from './interface-names'

// Rates from two readings of a device's counters. Kept as typed arrays: a site may have a quarter of a million
// interfaces, and a JavaScript object for each would weigh more than the rest of the manager.

const wrap32 = 2 ** 32
/** A counter may run this much over the nominal speed between two readings before it counts as nonsense. */
const overSpeed = 1.25
/** No interface is faster; a larger jump is a counter that was set. */
const fastestBps = 4e12
const noInterfaces: readonly string[] = []
const noValues = new Float64Array(0)

export const emptyCounters = (): CounterStore => ({
  keys: noInterfaces,
  names: noInterfaces,
  lasting: noInterfaces,
  at: 0,
  totals: noValues,
  rates: noValues,
  deltas: noValues,
})

/** A store whose arrays lie in one block: a block of each array's own costs as much again as what is in it. */
function storeOf(interfaces: readonly Interface[], at: number): CounterStore {
  const cells = interfaces.length * 2
  const block = new Float64Array(cells * 3)
  const [totals, rates, deltas] = [0, 1, 2].map(part => block.subarray(part * cells, (part + 1) * cells))
  const keys = intern(interfaces.map(one => one.key))
  const names = intern(interfaces.map(one => one.name))
  return {
    ...{ keys, names, lasting: lastingKeys(interfaces), at },
    totals: totals ?? noValues,
    rates: rates ?? noValues,
    deltas: deltas ?? noValues,
  }
}

/** What is known of an interface beside its octets. */
type Counting = { bits: 32 | 64; speedBps?: number; packets?: number }

/** Octets of the largest frame on a wire, jumbo with its tags, and bits that the smallest takes of it, with its gap. */
const largestFrame = 9300
const smallestFrameBits = 672

/**
 * Octets between two totals, NaN when they cannot be told. A 64-bit counter that went down was reset. A 32-bit one has
 * wrapped once (RFC 2863, ifInOctets) unless that would be faster than the interface; where the speed leaves room for
 * a wrap more, nothing is known, unless the `packets` that were counted meanwhile could not have filled it.
 */
export function octetsBetween(before: number, after: number, seconds: number, of: Counting): number {
  if (!(seconds > 0) || Number.isNaN(before) || Number.isNaN(after)) return Number.NaN
  const { bits, speedBps = 0, packets = Number.POSITIVE_INFINITY } = of
  const most = ((speedBps > 0 ? speedBps * overSpeed : fastestBps) * (seconds + 1)) / 8
  const plain = after - before
  const delta = plain >= 0 ? plain : bits === 32 ? plain + wrap32 : Number.NaN
  const fast = bits === 32 && (speedBps * seconds) / 8 >= wrap32
  // Packets are counted with 32 bits, too.
  const carried = (speedBps * seconds) / smallestFrameBits < wrap32 ? packets : Number.POSITIVE_INFINITY
  const another = fast && delta + wrap32 <= carried * largestFrame
  return delta >= 0 && delta <= most && !another ? delta : Number.NaN
}

/** Of a counter with 32 bits, which has wrapped once at most. */
const since32 = (before: number, after: number) => (after - before + wrap32) % wrap32

/** Packets since the last reading, kept for the next one; undefined where they are not known. */
function packetsSince(store: CounterStore, cell: number, counted: number | undefined): number | undefined {
  if (counted === undefined && !store.packets) return undefined
  store.packets ??= new Float64Array(store.totals.length).fill(Number.NaN)
  const since = since32(store.packets[cell] ?? Number.NaN, counted ?? Number.NaN)
  store.packets[cell] = counted ?? Number.NaN
  return Number.isNaN(since) ? undefined : since
}

const sameInterfaces = ({ keys, names }: CounterStore, interfaces: readonly Interface[]) =>
  keys.length === interfaces.length &&
  interfaces.every((one, index) => one.key === keys[index] && one.name === names[index])

/**
 * A store of these interfaces, with the totals of those that were there before. A number that bears another name now
 * is another interface: between its totals and the former ones lies nothing.
 */
function reordered(store: CounterStore, interfaces: readonly Interface[]): CounterStore {
  const places = new Map(store.keys.map((key, index) => [key, index]))
  const next = storeOf(interfaces, store.at)
  next.totals.fill(Number.NaN)
  interfaces.forEach((one, index) => {
    const from = places.get(one.key)
    if (from === undefined || store.names[from] !== one.name) return
    next.totals[index * 2] = store.totals[from * 2] ?? Number.NaN
    next.totals[index * 2 + 1] = store.totals[from * 2 + 1] ?? Number.NaN
  })
  return next
}

/** Takes a reading in and returns the store, changed in place where the interfaces are the same. `fresh`: the device started anew in between. */
export function takeCounters(
  store: CounterStore,
  interfaces: readonly Interface[],
  at: number,
  fresh: boolean,
): CounterStore {
  const next = sameInterfaces(store, interfaces) ? store : reordered(store, interfaces)
  const seconds = store.at ? (at - store.at) / 1000 : 0
  interfaces.forEach((one, index) => {
    const { counters, speed } = one
    const bits = counters?.bits ?? 64
    for (const side of [0, 1] as const) {
      const cell = index * 2 + side
      const total = (side === 0 ? counters?.inOctets : counters?.outOctets) ?? Number.NaN
      const counted = side === 0 ? counters?.inPackets : counters?.outPackets
      const packets = bits === 32 ? packetsSince(next, cell, counted) : undefined
      const of = { bits, speedBps: speed, packets }
      const delta = fresh ? Number.NaN : octetsBetween(next.totals[cell] ?? Number.NaN, total, seconds, of)
      next.totals[cell] = total
      next.deltas[cell] = delta
      next.rates[cell] = (delta * 8) / seconds
    }
  })
  next.at = at
  return next
}

/** Sum over the chosen interfaces of one side (0 in, 1 out) of an array of a store; undefined when none is known. */
export function sumOf(values: Float64Array, chosen: readonly number[], side: 0 | 1): number | undefined {
  let sum = 0
  let known = false
  for (const index of chosen) {
    const value = values[index * 2 + side]
    if (value === undefined || Number.isNaN(value)) continue
    sum += value
    known = true
  }
  return known ? sum : undefined
}

/**
 * The interfaces whose sum is a device's traffic: physical ethernet; where there is none, whatever carries packets
 * and is no loopback. A member of a LAG counts, the LAG itself does not.
 */
export function trafficInterfaces(interfaces: readonly Interface[]): number[] {
  const pick = (types: readonly Interface['type'][]) =>
    interfaces.flatMap((one, index) => (types.includes(one.type) ? [index] : []))
  const wired = pick(['ethernet'])
  return wired.length ? wired : pick(['wifi', 'other', 'virtual', 'tunnel'])
}
