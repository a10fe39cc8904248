import type { Interface } from '@/server/drivers/observation'
import type { CounterStore } from '@/server/history/counters'
import { intern } from '@/server/kernel/intern'

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
  at: 0,
  totals: noValues,
  rates: noValues,
  deltas: noValues,
})

/** A store of `keys` whose arrays lie in one block: a block of each array's own costs as much again as what is in it. */
function storeOf(keys: readonly string[], at: number): CounterStore {
  const cells = keys.length * 2
  const block = new Float64Array(cells * 3)
  const [totals, rates, deltas] = [0, 1, 2].map(part => block.subarray(part * cells, (part + 1) * cells))
  return { keys, at, totals: totals ?? noValues, rates: rates ?? noValues, deltas: deltas ?? noValues }
}

/**
 * Octets between two totals, NaN when they cannot be told. A 32-bit counter that went down has wrapped once (RFC 2863,
 * ifInOctets) unless that would be faster than the interface; a 64-bit one was reset.
 */
export function octetsBetween(
  before: number,
  after: number,
  seconds: number,
  bits: 32 | 64,
  speedBps?: number,
): number {
  if (!(seconds > 0) || Number.isNaN(before) || Number.isNaN(after)) return Number.NaN
  const most = ((speedBps && speedBps > 0 ? speedBps * overSpeed : fastestBps) * (seconds + 1)) / 8
  const plain = after - before
  const delta = plain >= 0 ? plain : bits === 32 ? plain + wrap32 : Number.NaN
  return delta >= 0 && delta <= most ? delta : Number.NaN
}

const sameKeys = (keys: readonly string[], interfaces: readonly Interface[]) =>
  keys.length === interfaces.length && interfaces.every((one, index) => one.key === keys[index])

/** A store of these interfaces, with the totals of those that were there before. */
function reordered(store: CounterStore, interfaces: readonly Interface[]): CounterStore {
  const places = new Map(store.keys.map((key, index) => [key, index]))
  const next = storeOf(intern(interfaces.map(one => one.key)), store.at)
  next.totals.fill(Number.NaN)
  interfaces.forEach((one, index) => {
    const from = places.get(one.key)
    if (from === undefined) return
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
  const next = sameKeys(store.keys, interfaces) ? store : reordered(store, interfaces)
  const seconds = store.at ? (at - store.at) / 1000 : 0
  interfaces.forEach((one, index) => {
    const { counters, speed } = one
    const bits = counters?.bits ?? 64
    for (const side of [0, 1] as const) {
      const cell = index * 2 + side
      const total = (side === 0 ? counters?.inOctets : counters?.outOctets) ?? Number.NaN
      const delta = fresh ? Number.NaN : octetsBetween(next.totals[cell] ?? Number.NaN, total, seconds, bits, speed)
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
