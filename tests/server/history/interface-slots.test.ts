import { forgetSlots, newSlotBook, slotMap, slotOf } from '@/server/history/interface-slots'
import { device, memoryFile } from './_file'

test('an interface keeps its slot, whatever order it is read in and whoever comes besides', () => {
  const book = newSlotBook(memoryFile())
  expect([...slotMap(book, device(1), ['a', 'b']).map]).toEqual([0, 1])
  expect(slotMap(book, device(1), ['c', 'b'])).toEqual({ map: Uint16Array.of(2, 1), size: 3 })
  expect(slotOf(book, device(1), 'a')).toBe(0)
  expect(slotOf(book, device(1), 'z')).toBe(-1)
})

test('devices have slots of their own', () => {
  const book = newSlotBook(memoryFile())
  slotMap(book, device(1), ['a', 'b'])
  expect([...slotMap(book, device(2), ['b']).map]).toEqual([0])
})

test('slots outlive the process: they are read from the file', () => {
  const file = memoryFile()
  slotMap(newSlotBook(file), device(1), ['a', 'b'])
  const later = newSlotBook(file)
  expect([...slotMap(later, device(1), ['c', 'b']).map]).toEqual([2, 1])
  expect(file.slots(device(1))).toEqual(['a', 'b', 'c'])
})

test('the same reading is looked up once, and the file is asked only for what is new', () => {
  const added: string[][] = []
  const book = newSlotBook({ slots: () => [], putSlots: (_, __, keys) => added.push([...keys]) })
  const keys = ['a', 'b']
  const first = slotMap(book, device(1), keys)
  expect(slotMap(book, device(1), keys).map).toBe(first.map)
  slotMap(book, device(1), ['b', 'c'])
  expect(added).toEqual([['a', 'b'], ['c']])
})

test('a forgotten device’s slots are read anew', () => {
  const book = newSlotBook({ slots: () => [], putSlots: () => undefined })
  slotMap(book, device(1), ['a'])
  forgetSlots(book, device(1))
  expect(slotOf(book, device(1), 'a')).toBe(-1)
})

test('beyond the last slot an interface has none', () => {
  const book = newSlotBook({ slots: () => [], putSlots: () => undefined })
  const keys = Array.from({ length: 0xffff + 2 }, (_, index) => `p${index}`)
  const { map, size } = slotMap(book, device(1), keys)
  expect(size).toBe(0xffff)
  expect([...map.slice(-3)]).toEqual([0xfffe, 0xffff, 0xffff])
})
