/** A device's counters as typed arrays, two cells an interface: rates are made of them, and history adds them up. */
export type CounterStore = {
  /** Of each interface, as the device numbers them at present. */
  keys: readonly string[]
  /** Names that they bear. */
  names: readonly string[]
  /** Under what history keeps them: names that outlive the numbers. Those of `keys` that were kept before go on there. */
  lasting: readonly string[]
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
