// Clients in the history: known by network and MAC address, on whatever they hang.
import { clientSeries, newClientBook } from '@/server/history/client-numbers'
import { openHistory } from '@/server/history/history'
import type { Series } from '@/server/history/series'
import { memoryFile } from './_file'

const start = 1_800_000 * 10_800_000
const day = 86_400_000
const phone = '5c:cb:99:4e:21:b7'
const setUp = (file = memoryFile()) => {
  const forgotten: Series[] = []
  return { file, forgotten, book: newClientBook(file, series => forgotten.push(series)) }
}
const macAt = (at: number) => `02:${at}`

test('a client is one in each of its networks, and the same after a restart', () => {
  const { file, book } = setUp()
  const [first, other, elsewhere] = [
    clientSeries(book, 1, phone, start),
    clientSeries(book, 1, '02:00:00:00:00:01', start),
    clientSeries(book, 2, phone, start),
  ]
  expect(new Set([first?.id, other?.id, elsewhere?.id]).size).toBe(3)
  expect(clientSeries(book, 1, phone, start + day)).toEqual(first)
  const later = setUp(file)
  expect(clientSeries(later.book, 1, phone, start + day)).toEqual(first)
  const days = new Map(file.clientsOf(1).map(one => [one.id, one.day - Math.floor(start / day)]))
  expect([first, other].map(one => days.get(one?.id ?? 0))).toEqual([1, 0])
})

test('wired or wireless, a client’s samples are kept as a device’s are, for as long', async () => {
  const store = openHistory(':memory:', what => expect(what).toBe(''), start)
  for (let minute = 0; minute < 200; minute++) {
    const at = start + minute * 60_000
    const series = store.client(1, phone, at) as Series
    // One that no access point tells of has no octets, and is there.
    store.add(series, at, { answered: true, ...(minute >= 100 && { seconds: 60, inOctets: 600, outOctets: 6000 }) })
  }
  store.flush()
  await store.tidy(start + 200 * 60_000)
  const own = store.client(1, phone, start + 200 * 60_000) as Series
  const found = [0, 1, 2].map(tier => store.sums(tier, start / 1000, own, false))
  expect(found).toMatchObject([
    { polls: 5, seconds: 0 },
    { polls: 30, seconds: 0 },
    { polls: 180, seconds: 80 * 60, inOctets: 80 * 600, outOctets: 80 * 6000 },
  ])
  store.close()
})

test('20,000 of a network are known; the next day the longest unseen make room, today’s do not', () => {
  const { file, forgotten, book } = setUp()
  const fill = (from: number, until: number, at: number) =>
    Array.from({ length: until - from }, (_, i) => clientSeries(book, 1, macAt(from + i), at))
  expect(fill(0, 20_000, start)).not.toContain(undefined)
  expect(clientSeries(book, 1, phone, start)).toBeUndefined()
  // Another network has room.
  expect(clientSeries(book, 2, phone, start)).toBeDefined()
  const seen = fill(0, 18_500, start + day)
  expect(clientSeries(book, 1, phone, start + day)).toBeDefined()
  expect(forgotten).toHaveLength(1500)
  expect(file.forgotten(3)).toMatchObject([{ of: 'client' }, { of: 'client' }, { of: 'client' }])
  expect(fill(0, 18_500, start + day)).toEqual(seen)
  expect(file.clientsOf(1)).toHaveLength(18_501)
})
