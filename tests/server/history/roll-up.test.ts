import { newBuckets } from '@/server/history/buckets'
import type { HistoryFile } from '@/server/history/file'
import { prune, pruneBefore, rolledUntil, rollUp, sumsOf, type Tiers } from '@/server/history/roll-up'
import { keyOf, type Series } from '@/server/history/series'
import { emptySums } from '@/server/history/sums'
import { coarsestAt, totals } from '@/server/history/totals'
import { device, memoryFile, row } from './_file'

/** A round time: start of a 3-hour bucket, unix s. */
const start = 1_800_000 * 10_800
const hour = 3600

function setUp(fill: (file: HistoryFile) => void = () => undefined): Tiers & { file: HistoryFile } {
  const file = memoryFile()
  fill(file)
  const buckets = newBuckets(file, () => undefined, start * 1000)
  return { file, buckets, rolled: rolledUntil(file, start * 1000) }
}
/** A poll each five minutes, from the start, for so many seconds; 100 octets in each. */
const filled =
  (seconds: number, series: Series = device(1)) =>
  (file: HistoryFile) => {
    for (let at = start; at < start + seconds; at += 300)
      file.put(0, at, [[series, row({ polls: 1, seconds: 300, inOctets: 100 })]])
  }

test('an empty file is rolled up from the start, one that has rows from the oldest of them', () => {
  expect(rolledUntil(memoryFile(), (start + 700) * 1000)).toEqual([start + 600, start, start])
  const file = memoryFile()
  filled(2 * hour)(file)
  expect(rolledUntil(file, (start + 9 * hour) * 1000)).toEqual([start + 2 * hour, start, start])
  file.put(1, start, [[device(1), row({})]])
  expect(rolledUntil(file, (start + 9 * hour) * 1000)[1]).toBe(start + 1800)
})

test('a bucket is rolled up one finer bucket after its end, not before', async () => {
  const history = setUp(filled(hour))
  await rollUp(history, 1, (start + 1800 + 299) * 1000)
  expect([history.rolled[1], history.file.idsIn(1, 'device', start)]).toEqual([start, []])
  await rollUp(history, 1, (start + 1800 + 300) * 1000)
  expect([history.rolled[1], history.file.idsIn(1, 'device', start)]).toEqual([start + 1800, [1]])
  expect(sumsOf(history, 1, start, device(1), true)).toMatchObject({ polls: 6, inOctets: 600 })
})

test('a bucket that is not rolled up yet is added up from what is finer; one that is holds what it holds', () => {
  const history = setUp(filled(hour))
  expect(sumsOf(history, 2, start, device(1), false)).toMatchObject({ polls: 12, inOctets: 1200 })
  history.rolled[2] = start + 3 * hour
  expect(sumsOf(history, 2, start, device(1), false)).toBeUndefined()
})

test('what is open in memory counts before what is in the file', () => {
  const history = setUp(filled(300))
  history.buckets.open.set(keyOf(device(1)), {
    series: device(1),
    bucket: start,
    sums: { ...emptySums(), polls: 9 },
    dirty: true,
  })
  expect(sumsOf(history, 0, start, device(1), false)?.polls).toBe(9)
  expect(sumsOf(history, 1, start, device(1), false)?.polls).toBe(9)
})

test.each([
  ['a whole finished 3-hour bucket', 0, 3 * hour, 2],
  ['a time that ends before it', 0, 3 * hour - 1, 1],
  ['a start within it, at half an hour', 1800, 6 * hour, 1],
  ['a start at five minutes', 300, 6 * hour, 0],
  ['what is not rolled up yet', 3 * hour, 9 * hour, 0],
])('the coarsest tier for %s', (_, from, until, tier) => {
  expect(coarsestAt([0, start + 3 * hour, start + 3 * hour], start + from, start + until)).toBe(tier)
})

test('totals add rows of several tiers and what is open, each time once, and leave networks out', async () => {
  const history = setUp(file => {
    filled(4 * hour)(file)
    filled(4 * hour, { of: 'network', id: 1 })(file)
    filled(4 * hour, device(2))(file)
  })
  await rollUp(history, 1, (start + 4 * hour) * 1000)
  await rollUp(history, 2, (start + 4 * hour) * 1000)
  const last = start + 4 * hour - 300
  const sums = { ...emptySums(), seconds: 300, inOctets: 7 }
  history.buckets.open.set(keyOf(device(1)), { series: device(1), bucket: last, sums, dirty: true })
  const found = await totals(history, start, start + 4 * hour)
  expect([...found.keys()].sort()).toEqual([1, 2])
  expect(found.get(1)).toEqual({ inOctets: 47 * 100 + 7, outOctets: 0, seconds: 48 * 300 })
  expect((await totals(history, start, last)).get(1)).toEqual({ inOctets: 47 * 100, outOctets: 0, seconds: 47 * 300 })
})

test('what is too old goes; while there are too many rows the ten oldest buckets go besides', () => {
  const now = (start + 40 * hour) * 1000
  const file = { oldest: () => start, newest: () => start + 30 * hour, idsIn: () => Array(10).fill(1) }
  expect(pruneBefore(file, 0, 'device', now)).toBe(start + 13 * hour)
  const many = { ...file, idsIn: () => Array(20_000).fill(1) }
  expect(pruneBefore(many, 0, 'device', now)).toBe(start + 3000)
  expect(pruneBefore({ ...many, oldest: () => undefined }, 0, 'device', now)).toBe(start + 13 * hour)
})

test('clients by the thousand cost the devices none of their days', () => {
  const now = (start + 26 * hour) * 1000
  const idsIn = (_: number, of: string) => Array(of === 'client' ? 20_000 : 10).fill(1)
  const file = { oldest: () => start, newest: () => start + 26 * hour, idsIn }
  expect(pruneBefore(file, 0, 'device', now)).toBe(start - hour)
  expect(pruneBefore(file, 0, 'client', now)).toBe(start + 3000)
})

test('old buckets go from every tier, all of them, and young ones stay', async () => {
  const { file } = setUp(filled(2 * hour))
  file.put(1, start, [[device(1), row({})]])
  file.put(2, start, [[device(1), row({})]])
  await prune(file, (start + 28 * hour) * 1000)
  expect([0, 1, 2].map(tier => file.oldest(tier))).toEqual([start + hour, start, start])
})
