import type { Bss } from '@/server/drivers/observation'
import { createNeighborBook, mostNeighbors } from '@/server/worker/neighbor-book'

const element = (id: number, radio = 0) => `0200000${radio}${id.toString(16).padStart(4, '0')}ef190000510607`
const bss = (id: number, told: string[] = [], more: Partial<Bss> = {}): Bss => ({
  ...{ key: 'wlan0', interface: 'wlan0', ssid: 'Café', up: true },
  neighbors: { own: element(id), told },
  ...more,
})
const device = (id: number, network = 1) => ({ id, network })

test('access points of a network’s SSID tell of each other, once each; a new one is told, one that is gone no longer', () => {
  const book = createNeighborBook()
  book.note(device(1), [bss(1)])
  expect(book.wanted(1, 0)).toEqual([])
  book.note(device(2), [bss(2)])
  const list = { interface: 'wlan0', ssid: 'Café' }
  expect(book.wanted(1, 0)).toEqual([{ ...list, told: [], wanted: [element(2)] }])
  expect(book.wanted(2, 0)).toEqual([{ ...list, told: [], wanted: [element(1)] }])
  book.note(device(1), [bss(1, [element(2)])])
  expect(book.wanted(1, 0)).toEqual([])
  // Its service was started anew and has forgotten.
  book.note(device(1), [bss(1)])
  expect(book.wanted(1, 0)).toMatchObject([{ wanted: [element(2)] }])
  book.note(device(1), [bss(1, [element(2)])])
  book.forget(2)
  expect(book.wanted(1, 0)).toEqual([{ ...list, told: [element(2)], wanted: [] }])
})

test('another SSID, another network, one that is down and one without 802.11k are nobody’s neighbors', () => {
  const book = createNeighborBook()
  book.note(device(1), [bss(1)])
  book.note(device(2), [bss(2, [], { ssid: 'Other' })])
  book.note(device(3, 2), [bss(3)])
  book.note(device(4), [bss(4, [], { up: false })])
  book.note(device(5), [bss(5, [], { neighbors: undefined })])
  expect([1, 2, 3, 4, 5].flatMap(id => book.wanted(id, 0))).toEqual([])
})

test('the other radio of the same access point comes first, then those adopted next to it, and no more than a client looks for', () => {
  const book = createNeighborBook()
  for (let id = 1; id <= 100; id++) book.note(device(id), [bss(id)])
  const second = bss(50, [], { key: 'wlan1', interface: 'wlan1', neighbors: { own: element(50, 1), told: [] } })
  book.note(device(50), [bss(50), second])
  const [first, other] = book.wanted(50, 0)
  expect(first?.wanted).toHaveLength(mostNeighbors)
  expect(first?.wanted.slice(0, 5)).toEqual([element(50, 1), ...[49, 51, 48, 52].map(id => element(id))])
  expect(other?.wanted[0]).toBe(element(50))
})

test('what an access point does not take is not told again with each poll', () => {
  const book = createNeighborBook()
  book.note(device(1), [bss(1)])
  book.note(device(2), [bss(2)])
  const lists = [0, 60_000, 599_000, 600_000].map(now => book.wanted(1, now).length)
  expect(lists).toEqual([1, 0, 0, 1])
})
