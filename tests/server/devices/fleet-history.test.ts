import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { type HistoryStore, openHistory } from '@/server/history/history'
import { type Absence, queryHistory } from '@/server/history/query'
import { decodeSums, emptySums, encodeSums, widen } from '@/server/history/sums'
import { emptyCounters, takeCounters } from '@/server/worker/rates'
import { temporaryFolder } from '../_fleet'

const folder = temporaryFolder()
const file = `${folder.path}/history.sqlite`
const opened: HistoryStore[] = []
const troubles: string[] = []
const open = (startedAt: number) => {
  const store = openHistory(file, what => troubles.push(what), startedAt)
  opened.push(store)
  return store
}
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  for (const suffix of ['', '-wal', '-shm', '.damaged']) rmSync(`${file}${suffix}`, { force: true })
  troubles.length = 0
})
afterAll(() => folder.remove())

const minute = 60_000
/** A round time: start of a 3-hour bucket. */
const start = 1_800_000 * 10_800_000
const ports = (octets: number) => [
  {
    key: 'eth0',
    name: 'eth0',
    type: 'ethernet',
    counters: { bits: 64, inOctets: octets, outOctets: 2 * octets },
  } as const,
]

/** Polls a device each minute: 60,000 octets in a minute are 8,000 bit/s. */
function poll(
  store: HistoryStore,
  device: number,
  from: number,
  minutes: number,
  answers: (minute: number) => boolean = () => true,
) {
  let counters = emptyCounters()
  for (let at = 0; at <= minutes; at++) {
    const now = from + at * minute
    if (!answers(at)) {
      counters = emptyCounters()
      store.add({ of: 'device', id: device }, now, { answered: false })
      continue
    }
    const before = counters.at
    counters = takeCounters(counters, ports(at * 60_000), now, false)
    const known = before > 0
    store.add({ of: 'device', id: device }, now, {
      answered: true,
      ...(known && { seconds: 60, inOctets: 60_000, outOctets: 120_000, counters: { store: counters, seconds: 60 } }),
      cpuPercent: 50,
    })
  }
}

test('rates are averaged over what is known, percentages over readings; before the first poll nothing is known', async () => {
  const store = open(start)
  poll(store, 7, start, 30)
  const series = await queryHistory(store, { of: 'device', device: 7, range: '2h', now: start + 30 * minute })
  expect(series.stepSeconds).toBe(300)
  expect(series.at).toHaveLength(24)
  expect(series.inBps.slice(0, 17)).toEqual(Array(17).fill(null))
  expect(series.inBps.slice(17)).toEqual(Array(7).fill(8000))
  expect(series.outBps.at(-1)).toBe(16_000)
  expect(series.cpuPercent.at(-1)).toBe(50)
  expect(series.memoryPercent.at(-1)).toBeNull()
  expect(series.availability.at(-1)).toBe(100)
})

test('a gap stays a gap: offline is no data for rates, and 0 % of availability', async () => {
  const store = open(start)
  poll(store, 7, start, 30, at => at < 10 || at >= 20)
  const series = await queryHistory(store, { of: 'device', device: 7, range: '2h', now: start + 30 * minute })
  expect(series.inBps.slice(17)).toEqual([8000, 8000, null, null, 8000, 8000, 8000])
  expect(series.availability.slice(17)).toEqual([100, 100, 0, 0, 100, 100, 100])
})

test('what went unanswered while another device was in the way is unknown; of itself it is not', async () => {
  const store = open(start)
  poll(store, 7, start, 30, at => at < 8 || at >= 20)
  const at = (minutes: number) => start + minutes * minute
  const availability = async (absences: Absence[]) => {
    const { availability } = await queryHistory(store, {
      ...{ of: 'device', device: 7, range: '2h', now: at(30), absences },
    })
    return availability.slice(17)
  }
  expect(await availability([])).toEqual([100, 60, 0, 0, 100, 100, 100])
  expect(await availability([{ from: at(7), until: at(20), behind: true }])).toEqual([
    100,
    100,
    null,
    null,
    100,
    100,
    100,
  ])
  const late = { from: at(15), until: at(20), behind: false }
  expect(await availability([{ from: at(7), until: at(15), behind: true }, late])).toEqual([
    100,
    100,
    null,
    0,
    100,
    100,
    100,
  ])
})

test('an interface has its own series; one that was never seen has no data', async () => {
  const store = open(start)
  poll(store, 7, start, 10)
  const of = (key: string) =>
    queryHistory(store, { of: 'device', device: 7, interface: key, range: '2h', now: start + 10 * minute })
  expect((await of('eth0')).inBps.at(-2)).toBe(8000)
  expect((await of('eth9')).inBps.every(value => value === null)).toBe(true)
})

test('rolled up to 30 minutes and 3 hours as time passes; the sums stay the same, and the unfinished bucket is there too', async () => {
  const store = open(start)
  poll(store, 7, start, 200)
  const now = start + 200 * minute
  store.flush()
  await store.tidy(now)
  const week = await queryHistory(store, { of: 'device', device: 7, range: '1w', now })
  expect(week.stepSeconds).toBe(1800)
  expect(week.inBps.slice(-7)).toEqual(Array(7).fill(8000))
  expect(week.inBps.slice(0, -7).every(value => value === null)).toBe(true)
  const month = await queryHistory(store, { of: 'device', device: 7, interface: 'eth0', range: '1m', now })
  expect(month.stepSeconds).toBe(10_800)
  expect(month.inBps.slice(-2)).toEqual([8000, 8000])
  const { totals } = await queryHistory(store, { of: 'totals', devices: [7, 8], range: '1d', most: 5, now })
  expect(totals).toEqual([{ device: 7, inOctets: 200 * 60_000, outOctets: 200 * 120_000 }])
  poll(store, 9, start, 100)
  const first = await queryHistory(store, { of: 'totals', devices: [9, 7], range: '1d', most: 1, now: now + 120_000 })
  expect(first.totals?.map(({ device }) => device)).toEqual([7])
})

test('what was flushed survives the process, and the bucket begun before is finished after', async () => {
  const first = open(start)
  poll(first, 7, start, 2)
  first.flush()
  const second = open(start + 3 * minute)
  second.add({ of: 'device', id: 7 }, start + 3 * minute, {
    answered: true,
    seconds: 60,
    inOctets: 60_000,
    outOctets: 120_000,
  })
  second.flush()
  const series = await queryHistory(second, { of: 'device', device: 7, range: '2h', now: start + 4 * minute })
  expect(series.inBps.at(-1)).toBe(8000)
  expect(second.sums(0, start / 1000, { of: 'device', id: 7 }, false)).toMatchObject({ polls: 4, seconds: 180 })
})

test('old buckets go: five-minute ones after a day and some hours', async () => {
  const store = open(start)
  poll(store, 7, start, 10)
  store.flush()
  const later = start + 28 * 60 * minute
  store.add({ of: 'device', id: 7 }, later, { answered: true })
  store.flush()
  await store.tidy(later)
  expect(store.sums(0, start / 1000, { of: 'device', id: 7 }, false)).toBeUndefined()
  expect(store.sums(1, start / 1000, { of: 'device', id: 7 }, false)).toMatchObject({ polls: 11 })
})

test('a damaged file is put aside and made anew; a missing one is made', async () => {
  writeFileSync(file, 'this is no database, and never was one, but it is long enough to be looked at as one'.repeat(20))
  const store = open(start)
  expect(troubles).toEqual(['historyDamaged'])
  expect(existsSync(`${file}.damaged`)).toBe(true)
  store.add({ of: 'device', id: 1 }, start, { answered: true })
  store.flush()
  expect(store.sums(0, start / 1000, { of: 'device', id: 1 }, false)).toMatchObject({ polls: 1 })
})

test('networks and devices of the same number do not meet', async () => {
  const store = open(start)
  store.add({ of: 'network', id: 1 }, start, { answered: true, clients: 12 })
  store.add({ of: 'device', id: 1 }, start, { answered: true, clients: 3 })
  const of = async (query: { of: 'network'; network: number } | { of: 'device'; device: number }) =>
    (await queryHistory(store, { ...query, range: '2h', now: start })).clients.at(-1)
  expect(await of({ of: 'network', network: 1 })).toBe(12)
  expect(await of({ of: 'device', device: 1 })).toBe(3)
})

test('a row is read back as it was written; a row cut short is no row', async () => {
  const sums = emptySums()
  widen(sums, 3)
  Object.assign(sums, {
    polls: 5,
    answered: 4,
    seconds: 240,
    inOctets: 2 ** 45,
    outOctets: 3,
    cpu: 150,
    cpuReadings: 3,
  })
  sums.known[2] = 240
  sums.octets[4] = 1024
  sums.octets[5] = 2048
  const data = encodeSums(sums)
  expect(data).toHaveLength(60)
  expect(decodeSums(data)).toEqual(sums)
  expect(decodeSums(data.subarray(0, 59))).toBeUndefined()
  expect(decodeSums(data.subarray(0, 10))).toBeUndefined()
})
