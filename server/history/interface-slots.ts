import { intern } from '@/server/kernel/intern'
import type { HistoryFile } from './file'
import type { SlotMap } from './sample'

// Interface keys of each device as small numbers that never change, so that rows stay short.

type Slots = { keys: readonly string[]; last?: readonly string[]; map: Uint16Array }
export type SlotBook = { file: Pick<HistoryFile, 'slots' | 'addSlots'>; devices: Map<number, Slots> }

/** Most slots of a device; what comes after has none. */
const most = 0xffff

export const newSlotBook = (file: SlotBook['file']): SlotBook => ({ file, devices: new Map() })

function slotsOf({ file, devices }: SlotBook, device: number): Slots {
  const known = devices.get(device) ?? { keys: file.slots(device), map: new Uint16Array(0) }
  devices.set(device, known)
  return known
}

/** Slots of a reading's interfaces; new ones get the next numbers. The same array of keys is looked up once. */
export function slotMap(book: SlotBook, device: number, keys: readonly string[]): SlotMap {
  const own = slotsOf(book, device)
  if (own.last === keys) return { map: own.map, size: own.keys.length }
  const places = new Map(own.keys.map((key, slot) => [key, slot]))
  const fresh = keys.filter(key => !places.has(key)).slice(0, most - own.keys.length)
  if (fresh.length) book.file.addSlots(device, own.keys.length, fresh)
  for (const [index, key] of fresh.entries()) places.set(key, own.keys.length + index)
  own.keys = intern([...own.keys, ...fresh])
  own.map = Uint16Array.from(keys, key => places.get(key) ?? most)
  own.last = keys
  return { map: own.map, size: own.keys.length }
}

/** Slot of an interface, -1 when it was never seen. */
export const slotOf = (book: SlotBook, device: number, key: string): number => slotsOf(book, device).keys.indexOf(key)

export function forgetSlots({ devices }: SlotBook, device: number): void {
  devices.delete(device)
}
