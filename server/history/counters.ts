/** A device's counters as typed arrays, two cells an interface: rates are made of them, and history adds them up. */
export type CounterStore = {
  keys: readonly string[]
  at: number
  /** in, out, in, out … as the device counted; NaN = not given. */
  totals: Float64Array
  /** bit/s, same order; NaN = unknown. */
  rates: Float64Array
  /** Octets since the last reading, same order; NaN = unknown. */
  deltas: Float64Array
  /** Packets counted with 32 bits, same order; only where an interface counts its octets so. */
  packets?: Float64Array
}
