// Whose turn it is: the minute is cut into slots, each device stands in one, and the slots come one after the other.

export const slotCount = 600
/** Spreads consecutive numbers evenly: 367 shares no factor with 600. */
const spread = 367

/** A device's slot, 0 to 599, by its number: neighbours in number are far apart in time. */
export const slotOf = (id: number): number => (id * spread) % slotCount

export type Wheel<T extends { slot: number }> = {
  /** Who stands in each slot, in the order they came. */
  slots: readonly Set<T>[]
  /** Slots that had their turn since the start. */
  turned: number
}

export const newWheel = <T extends { slot: number }>(): Wheel<T> => ({
  slots: Array.from({ length: slotCount }, () => new Set<T>()),
  turned: 0,
})

export function mount<T extends { slot: number }>(wheel: Wheel<T>, one: T): void {
  wheel.slots[one.slot]?.add(one)
}

export function unmount<T extends { slot: number }>(wheel: Wheel<T>, one: T): void {
  wheel.slots[one.slot]?.delete(one)
}

/**
 * Turns the wheel to `elapsedMs` after its start, at `roundMs` a round, and yields whose turn came meanwhile, in order.
 * The wheel turns as it is read on.
 */
export function* turnTo<T extends { slot: number }>(wheel: Wheel<T>, elapsedMs: number, roundMs: number): Generator<T> {
  const due = Math.floor(elapsedMs / (roundMs / slotCount))
  // After a stop of the whole machine each device is polled once, not once for every minute missed.
  if (due - wheel.turned > slotCount) wheel.turned = due - slotCount
  for (; wheel.turned < due; wheel.turned++) yield* wheel.slots[wheel.turned % slotCount] ?? []
}
