// What is measured is told apart by what it is, not by its number alone: in memory, in the file, and in what is made of it.
import { openHistory } from '@/server/history/history'
import { slotTotals } from '@/server/history/query'
import { keyOf, measured, measuredAs, numberOf, type Series } from '@/server/history/series'
import { memoryFile, row } from './_file'

const start = 1_800_000 * 10_800
const series = (id: number): Series[] => measured.map(of => ({ of, id }))

test.each([
  ['device', 0],
  ['client', 1],
  ['network', 2],
  ['wan', 3],
] as const)('a %s stands in the file as %i, in this version and later', (of, number) => {
  expect([numberOf(of), measuredAs(number)]).toEqual([number, of])
})

test('no two series share a key in memory, up to the largest numbers', () => {
  const all = [1, 2, 3, 8, 9, 50_000, 2 ** 31, 2 ** 32, 2 ** 48].flatMap(series)
  expect(new Set(all.map(keyOf)).size).toBe(all.length)
  expect(all.map(keyOf).every(Number.isSafeInteger)).toBe(true)
})

test.each(measured)('rows and slots of a %s are its own, where all others have the same number', of => {
  const file = memoryFile()
  for (const [at, one] of series(7).entries()) {
    file.put(0, start, [[one, row({ polls: at + 1 })]])
    file.putSlots(one, 0, [`${one.of} a`, `${one.of} b`])
  }
  const polls = measured.indexOf(of) + 1
  expect(file.get(0, start, { of, id: 7 })).toEqual(row({ polls }))
  expect(file.slots({ of, id: 7 })).toEqual([`${of} a`, `${of} b`])
  expect([file.idsIn(0, of, start), file.countIn(0, of, start)]).toEqual([[7], 1])
  file.prune(0, of, start + 1)
  const left = series(7).filter(one => file.get(0, start, one) !== undefined)
  expect(left).toEqual(series(7).filter(one => one.of !== of))
})

test.each(measured)('samples of a %s are added up, written, rolled up and asked for by themselves', async of => {
  const store = openHistory(':memory:', what => expect(what).toBe(''), start * 1000)
  const ports = (octets: number) => ({
    store: { keys: ['eth0'], deltas: Float64Array.of(octets, octets) },
    seconds: 60,
  })
  for (const [at, one] of series(7).entries())
    for (let minute = 0; minute < 40; minute++)
      store.add(one, (start + minute * 60) * 1000, {
        ...{ answered: true, seconds: 60, inOctets: at + 1, outOctets: 1, counters: ports(at + 1) },
      })
  store.flush()
  const now = (start + 40 * 60) * 1000
  await store.tidy(now)
  const each = measured.indexOf(of) + 1
  const own: Series = { of, id: 7 }
  expect(store.sums(0, start, own, true)).toMatchObject({ polls: 5, inOctets: each * 5 })
  expect(store.sums(1, start, own, true)).toMatchObject({ polls: 30, inOctets: each * 30 })
  expect(slotTotals(store, own, '1d', now)).toEqual([{ inOctets: each * 40, outOctets: each * 40 }])
  expect(await store.totals(start, start + 3600)).toEqual(
    new Map([[7, { inOctets: 40, outOctets: 40, seconds: 40 * 60 }]]),
  )
  store.close()
})
