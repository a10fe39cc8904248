// What all devices carried in a time: packed sums of buckets answer the same as the rows of each device.
import { newBuckets } from '@/server/history/buckets'
import type { HistoryFile } from '@/server/history/file'
import { rolledUntil, rollUp, type Tiers } from '@/server/history/roll-up'
import { keyOf } from '@/server/history/series'
import { decodeSums, emptySums } from '@/server/history/sums'
import { addMissing, keepTotals, type Total, totals } from '@/server/history/totals'
import { randomOf } from '../../soak/random'
import { device, memoryFile, row } from './_file'

const start = 1_800_000 * 10_800
const hour = 3600
const random = randomOf(20_261_124)
const below = (count: number) => Math.floor(random() * count)
const parts = () => ({ seconds: below(301), inOctets: below(2 ** 50), outOctets: random() * 1e9 })

/** Rows of the finest tier alone, and what is open. */
function plain(file: HistoryFile, { open }: Tiers['buckets'], from: number, until: number): Map<number, Total> {
  const found = new Map<number, Total>()
  const add = (id: number, { inOctets, outOctets, seconds }: Total) => {
    const held = found.get(id) ?? { inOctets: 0, outOctets: 0, seconds: 0 }
    held.inOctets += inOctets
    held.outOctets += outOctets
    held.seconds += seconds
    found.set(id, held)
  }
  for (let at = from; at < until; at += 300)
    for (const id of file.idsIn(0, 'device', at)) {
      const sums = decodeSums(file.get(0, at, device(id)) as Buffer)
      if (sums && open.get(keyOf(device(id)))?.bucket !== at) add(id, sums)
    }
  for (const { series, bucket, sums } of open.values())
    if (series.of === 'device' && bucket >= from && bucket < until) add(series.id, sums)
  return found
}

const rounded = (all: Map<number, Total>) =>
  [...all]
    .sort(([a], [b]) => a - b)
    .map(([device, { inOctets, outOctets, seconds }]) => [device, inOctets, Math.round(outOctets), seconds])

test('sums of buckets, kept and made anew, are those of the devices’ rows', async () => {
  const file = memoryFile()
  const buckets = newBuckets(file, () => undefined, start * 1000)
  const until = start + 8 * hour
  for (let at = start; at < until; at += 300) {
    const ids = [...Array(1 + below(30)).keys()].filter(id => id > 0 && random() < 0.8)
    file.put(
      0,
      at,
      [{ of: 'network' as const, id: 1 }, ...ids.map(device)].map(series => [series, row(parts())]),
    )
  }
  for (let id = 1; id < 40; id += 3)
    buckets.open.set(keyOf(device(id)), {
      ...{ series: device(id), bucket: until - 300 * (1 + below(2)) },
      ...{ sums: { ...emptySums(), ...parts() }, dirty: true },
    })
  const tiers = { file, buckets, rolled: rolledUntil(file, start * 1000) }
  for (let round = 0; round < 40; round++) {
    if (round === 10) for (const tier of [1, 2]) await rollUp(tiers, tier, until * 1000)
    if (round === 20) await keepTotals(tiers, until)
    const from = start + 300 * below(40)
    const end = from + 300 * (1 + below((until - from) / 300))
    expect(rounded(await totals(tiers, from, end))).toEqual(rounded(plain(file, buckets, from, end)))
  }
  expect(file.totalsOf(0, until - 900)).toBeDefined()
})

test('what may still be written is not kept, nor anything while the disk refuses', async () => {
  const file = memoryFile()
  const buckets = newBuckets(file, () => undefined, start * 1000)
  file.put(0, start, [[device(1), row(parts())]])
  const tiers = { file, buckets, rolled: rolledUntil(file, start * 1000) }
  await totals(tiers, start, start + 599)
  expect(file.totalsOf(0, start)).toBeUndefined()
  buckets.failing = true
  await totals(tiers, start, start + hour)
  expect(file.totalsOf(0, start)).toBeUndefined()
  buckets.failing = false
  await totals(tiers, start, start + hour)
  expect(file.totalsOf(0, start)).toHaveLength(24)
  expect(file.prune(0, 'device', start + hour)).toBe(false)
  expect([file.totalsOf(0, start), file.idsIn(0, 'device', start)]).toEqual([undefined, []])
})

test('of a history without totals those of each range are made beside the polls; who asks then reads no row', async () => {
  const file = memoryFile()
  const buckets = newBuckets(file, () => undefined, start * 1000)
  const until = start + 30 * hour
  for (let at = start; at < until; at += 300)
    file.put(
      0,
      at,
      [1, 2, 3].map(id => [device(id), row(parts())]),
    )
  const tiers = { file, buckets, rolled: rolledUntil(file, start * 1000) }
  for (const tier of [1, 2]) await rollUp(tiers, tier, until * 1000)
  const wanted = await totals({ ...tiers, file: { ...file, putTotals: () => undefined } }, until - 24 * hour, until)
  // Nothing was kept until here.
  expect(file.hasTotals(2, start + 3 * hour)).toBe(false)
  await addMissing(tiers, until)
  const read = jest.spyOn(file, 'rowsIn')
  expect(rounded(await totals(tiers, until - 24 * hour, until))).toEqual(rounded(wanted))
  // What has just ended may still be written.
  expect(read.mock.calls.filter(([, at]) => at < until - 900)).toEqual([])
})
