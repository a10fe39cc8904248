import { intern } from '@/server/kernel/intern'
import type { HistoryFile } from './file'
import type { SlotMap } from './sample'
import { keyOf, type Series } from './series'

// Interface keys of each series as small numbers that never change, so that rows stay short.

type Slots = { keys: readonly string[]; last?: readonly string[]; map: Uint16Array }
export type SlotBook = { file: Pick<HistoryFile, 'slots' | 'putSlots'>; held: Map<number, Slots> }

/** Most slots of a series; what comes after has none. */
const most = 0xffff

export const newSlotBook = (file: SlotBook['file']): SlotBook => ({ file, held: new Map() })

function slotsOf({ file, held }: SlotBook, series: Series): Slots {
  const known = held.get(keyOf(series)) ?? { keys: file.slots(series), map: new Uint16Array(0) }
  held.set(keyOf(series), known)
  return known
}

/**
 * Slots of a reading's interfaces; new ones get the next numbers. The same array of keys is looked up once. `former`:
 * what the same interfaces were kept under by a manager that did not know better; their slots are theirs from now on.
 */
export function slotMap(book: SlotBook, series: Series, keys: readonly string[], former = keys): SlotMap {
  const own = slotsOf(book, series)
  if (own.last === keys) return { map: own.map, size: own.keys.length }
  const places = new Map(own.keys.map((key, slot) => [key, slot]))
  const kept = new Set(keys)
  for (const [index, key] of keys.entries()) {
    const before = former[index] ?? key
    const slot = places.has(key) || kept.has(before) ? undefined : places.get(before)
    if (slot === undefined) continue
    book.file.putSlots(series, slot, [key])
    places.delete(before)
    places.set(key, slot)
  }
  const fresh = keys.filter(key => !places.has(key)).slice(0, most - own.keys.length)
  if (fresh.length) book.file.putSlots(series, own.keys.length, fresh)
  for (const [index, key] of fresh.entries()) places.set(key, own.keys.length + index)
  own.keys = intern([...places].sort(([, a], [, b]) => a - b).map(([key]) => key))
  own.map = Uint16Array.from(keys, key => places.get(key) ?? most)
  own.last = keys
  return { map: own.map, size: own.keys.length }
}

/** Slot of an interface, -1 when it was never seen. */
export const slotOf = (book: SlotBook, series: Series, key: string): number => slotsOf(book, series).keys.indexOf(key)

export function forgetSlots({ held }: SlotBook, series: Series): void {
  held.delete(keyOf(series))
}
