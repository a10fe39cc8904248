// What is kept of clients over time: packed, found again, counted right, bounded, and not lost by a restart.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { openHistory } from '@/server/history/history'
import { findStation, packStations, unpackStations } from '@/server/history/station-rows'
import { stationTiers } from '@/server/history/stations'

const folder = mkdtempSync(`${tmpdir()}/lanward-stations-`)
afterAll(() => rmSync(folder, { recursive: true }))
let number = 0
const file = () => `${folder}/${number++}.sqlite`
const noTrouble = (what: string) => {
  throw new Error(what)
}
const start = Date.UTC(2026, 10, 24, 12)
const minute = 60_000
const phone = '5c:cb:99:4e:21:b7'
const macAt = (at: number) =>
  `02:00:${at
    .toString(16)
    .padStart(8, '0')
    .replace(/..(?!$)/g, '$&:')}`

test('rows come back as they were put, and one is found among thousands', () => {
  const rows = new Map(
    Array.from({ length: 3000 }, (_, at) => [
      macAt(at * 7),
      { signal: -30 - (at % 60), heard: 1, down: at, up: at * 2 },
    ]),
  )
  rows.set(phone, { signal: 0, heard: 0, down: 1, up: 2 })
  const data = packStations(rows)
  expect(data).toHaveLength(3001 * 15)
  expect(unpackStations(data)).toEqual(new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1))))
  for (const [mac, sums] of rows) expect(findStation(data, mac)).toEqual(sums)
  expect(findStation(data, macAt(1))).toBeUndefined()
  expect(findStation(Buffer.alloc(0), phone)).toBeUndefined()
})

test('signal is averaged, traffic is what passed between two readings; another association begins anew', () => {
  const store = openHistory(file(), noTrouble, start)
  const says = (at: number, device: number, signalDbm: number, txBytes: number, connectedSeconds: number) =>
    store.stations.take(1, device, start + at * minute, [
      { mac: phone, signalDbm, txBytes, rxBytes: txBytes / 10, connectedSeconds },
    ])
  // What passed before anybody looked belongs to no bucket.
  says(0, 1, -50, 1_000_000, 9_000)
  says(1, 1, -60, 1_600_000, 9_060)
  // Elsewhere, a moment ago.
  says(11, 2, -70, 60_000, 30)
  const { at, signalDbm, downBps, upBps, stepSeconds } = store.stations.query({
    ...{ network: 1, mac: phone, range: '1d' },
    now: start + 20 * minute,
  })
  expect(stepSeconds).toBe(600)
  const place = at.indexOf(start / 1000)
  expect([signalDbm, downBps, upBps].map(one => one.slice(place - 1, place + 3))).toEqual([
    [null, -55, -70, null],
    [null, 8000, 800, null],
    [null, 800, 80, null],
  ])
  // Another network has never heard of it.
  const other = store.stations.query({ network: 2, mac: phone, range: '1w', now: start + 20 * minute })
  expect(new Set(other.signalDbm)).toEqual(new Set([null]))
  store.close()
})

test('a restart in the middle of a bucket loses nothing of it, and the hour holds its buckets', () => {
  const path = file()
  const says = (store: ReturnType<typeof openHistory>, at: number, txBytes: number) =>
    store.stations.take(1, 1, start + at * minute, [{ mac: phone, signalDbm: -50, txBytes, rxBytes: 0 }])
  const first = openHistory(path, noTrouble, start)
  for (const at of [0, 1]) says(first, at, at * 750_000)
  first.close()
  const second = openHistory(path, noTrouble, start + 2 * minute)
  for (const at of [2, 3, 14, 64]) says(second, at, at * 750_000)
  const query = { network: 1, mac: phone, now: start + 70 * minute } as const
  const week = second.stations.query({ ...query, range: '1w' })
  // Between the two processes a minute is not known.
  expect(week.downBps[week.at.indexOf(start / 1000)]).toBe((13 * 750_000 * 8) / 3600)
  const day = second.stations.query({ ...query, range: '1d' })
  expect(day.downBps[day.at.indexOf(start / 1000)]).toBe((2 * 750_000 * 8) / 600)
  second.close()
})

test('20,000 clients of a network are kept, no more, in half a megabyte a bucket; old buckets go', () => {
  const path = file()
  const store = openHistory(path, noTrouble, start)
  const many = Array.from({ length: 20_500 }, (_, at) => ({ mac: macAt(at), signalDbm: -50, txBytes: 1, rxBytes: 1 }))
  const days = (stationTiers[0].keepSeconds / 86_400) * 2
  for (let at = 0; at < days * 24; at += 6) store.stations.take(1, 1, start + at * 60 * minute, many.slice(0, 50))
  const last = start + 10 * 86_400_000
  store.stations.take(1, 1, last, many)
  const heard = (mac: string) =>
    store.stations.query({ network: 1, mac, range: '1w', now: last }).signalDbm.filter(one => one !== null).length
  expect([heard(macAt(19_999)), heard(macAt(20_001))]).toEqual([1, 0])
  store.stations.take(1, 1, last + 3_600_000, many.slice(0, 1))
  store.close()
  expect(statSync(path).size).toBeLessThan(2_000_000)
  const again = openHistory(path, noTrouble, last)
  // Ten days ago is dropped of both tiers.
  const old = again.stations.query({ network: 1, mac: macAt(1), range: '1d', now: start + 12 * 3_600_000 })
  expect(new Set(old.signalDbm)).toEqual(new Set([null]))
  again.close()
})

const gigabyte = 2 ** 30
type Told = Parameters<ReturnType<typeof openHistory>['stations']['take']>[3][number]

/** Readings of access points in minutes after the start, and what is then known of the phone's octets of a day. */
function counted(
  readings: readonly (readonly [minutes: number, device: number, station: Omit<Told, 'mac'> | 'gone'])[],
) {
  const store = openHistory(file(), noTrouble, start)
  const rates = readings.map(([at, device, station]) =>
    store.stations.take(1, device, start + at * minute, station === 'gone' ? [] : [{ mac: phone, ...station }]),
  )
  const { totals } = store.stations.query({ network: 1, mac: phone, range: '1d', now: start + 60 * minute })
  store.close()
  return { ...totals['1d'], rates: rates.flat() }
}

test('one that roams is counted on each access point, and its ghost on the former one takes nothing away', () => {
  const old = { txBytes: 1_000_000, rxBytes: 100_000 }
  const found = counted([
    [0, 1, { ...old, connectedSeconds: 9_000, silentMs: 100 }],
    [1, 1, { txBytes: 1_300_000, rxBytes: 110_000, connectedSeconds: 9_060, silentMs: 100 }],
    // It has gone to the second, and stays in the list of the first for minutes.
    [2, 1, { txBytes: 1_300_000, rxBytes: 110_000, connectedSeconds: 9_120, silentMs: 50_000 }],
    [2.1, 2, { txBytes: 40_000, rxBytes: 5_000, connectedSeconds: 50, silentMs: 100 }],
    [3, 1, { txBytes: 1_300_000, rxBytes: 110_000, connectedSeconds: 9_180, silentMs: 110_000 }],
    [3.1, 2, { txBytes: 90_000, rxBytes: 6_000, connectedSeconds: 110, silentMs: 100 }],
    [4, 1, 'gone'],
    // And back.
    [5, 1, { txBytes: 7_000, rxBytes: 700, connectedSeconds: 20, silentMs: 100 }],
    [5.1, 2, { txBytes: 91_000, rxBytes: 6_100, connectedSeconds: 230, silentMs: 9_000 }],
  ])
  expect(found).toMatchObject({ down: 300_000 + 91_000 + 7_000, up: 10_000 + 6_100 + 700 })
  expect(found.rates[1]).toEqual({ downBps: 40_000, upBps: 10_000 / 7.5 })
})

test('on another radio of the same access point it is counted anew, while the first still lists it', () => {
  const store = openHistory(file(), noTrouble, start)
  const radio = (bss: string, octets: number, connectedSeconds: number) => ({
    ...{ mac: phone, bss, txBytes: octets, rxBytes: octets, connectedSeconds },
  })
  const reads = (at: number, ...stations: Told[]) => store.stations.take(1, 1, start + at * minute, stations)
  reads(0, radio('wlan0', 5_000, 9_000))
  reads(1, radio('wlan1', 6_000, 30), radio('wlan0', 5_100, 9_060))
  reads(2, radio('wlan0', 5_100, 9_120), radio('wlan1', 6_500, 90))
  const { totals } = store.stations.query({ network: 1, mac: phone, range: '1d', now: start + 60 * minute })
  expect(totals['1d']).toEqual({ down: 6_600, up: 6_600 })
  store.close()
})

test('whoever left and joined again between two readings is counted from its joining, however much that is', () => {
  const found = counted([
    [0, 1, { txBytes: 5_000, rxBytes: 500, connectedSeconds: 9_000 }],
    [1, 1, { txBytes: 8_000, rxBytes: 800, connectedSeconds: 40 }],
  ])
  expect(found).toMatchObject({ down: 8_000, up: 800 })
})

test.each([
  // Only one of the two went round.
  ['goes round', 4 * gigabyte - 1_000, 9_000, 4_000, 9_500, { down: 5_000, up: 500 }],
  ['counts on beyond 32 bits', 4 * gigabyte - 1_000, 9_000, 4 * gigabyte + 4_000, 9_500, { down: 5_000, up: 500 }],
  ['begins anew', gigabyte, 9_000, 4_000, 300, { down: 4_000, up: 300 }],
  ['begins anew near its end', 4 * gigabyte - 1_000, 9_000, 4_000, 300, { down: 4_000, up: 300 }],
])('a counter that %s', (_what, tx, rx, txAfter, rxAfter, expected) => {
  // hostapd has it connected all the time, and an SNMP agent tells no time at all.
  for (const seconds of [
    [9_000, 9_060],
    [undefined, undefined],
  ] as const) {
    const found = counted([
      [0, 1, { txBytes: tx, rxBytes: rx, connectedSeconds: seconds[0] }],
      [1, 1, { txBytes: txAfter, rxBytes: rxAfter, connectedSeconds: seconds[1] }],
    ])
    expect(found).toMatchObject(expected)
  }
})

test('what nobody tells is unknown and not zero: no octets, a first reading, no time since it joined', () => {
  expect(
    counted([
      [0, 1, { signalDbm: -50 }],
      [1, 1, { signalDbm: -50 }],
    ]),
  ).toMatchObject({ down: null, up: null })
  const first = { txBytes: 5_000, rxBytes: 0 }
  expect(counted([[0, 1, { ...first, connectedSeconds: 9_000 }]])).toMatchObject({ down: null, up: null })
  expect(counted([[1, 1, first]])).toMatchObject({ down: null, up: null, rates: [undefined] })
  // One that is there and sends nothing is known to.
  expect(
    counted([
      [0, 1, first],
      [1, 1, first],
    ]),
  ).toMatchObject({ down: 0, up: 0 })
})

test('unknown stays so in the file, beside what is known', () => {
  const rows = new Map([
    [phone, { signal: -50, heard: 1, down: Number.NaN, up: Number.NaN }],
    [macAt(1), { signal: 0, heard: 0, down: 7, up: 0 }],
  ])
  expect(unpackStations(packStations(rows)).get(phone)).toEqual({
    signal: -50,
    heard: 1,
    down: Number.NaN,
    up: Number.NaN,
  })
  expect(findStation(packStations(rows), macAt(1))).toEqual({ signal: 0, heard: 0, down: 7, up: 0 })
})

test('what a process before this one counted is not counted again', () => {
  const path = file()
  const told = (store: ReturnType<typeof openHistory>, at: number, txBytes: number, connectedSeconds: number) =>
    store.stations.take(1, 1, start + at * minute, [{ mac: phone, txBytes, rxBytes: 0, connectedSeconds }])
  const first = openHistory(path, noTrouble, start)
  told(first, 1, 60_000, 30)
  first.close()
  const second = openHistory(path, noTrouble, start + 1.2 * minute)
  told(second, 1.5, 90_000, 60)
  told(second, 2.5, 91_000, 120)
  const { totals } = second.stations.query({ network: 1, mac: phone, range: '1d', now: start + 3 * minute })
  expect(totals['1d'].down).toBe(61_000)
  second.close()
})

test('totals of a day, a week and a month are what the buckets hold, those being filled included, as of all clients', async () => {
  const store = openHistory(file(), noTrouble, start)
  const now = start + 30 * 1440 * minute
  const daysAgo = [29, 20, 6, 3, 0.9, 0.5, 0.01, 0]
  for (const [at, days] of daysAgo.entries())
    store.stations.add(1, phone, now - days * 1440 * minute, { down: 10 ** at, up: 1 })
  const { totals } = store.stations.query({ network: 1, mac: phone, range: '1d', now })
  expect(totals).toEqual({
    '1d': { down: 11_110_000, up: 4 },
    '1w': { down: 11_111_100, up: 6 },
    '1m': { down: 11_111_111, up: 8 },
  })
  const all = async () =>
    Promise.all((['1d', '1w', '1m'] as const).map(async one => (await store.stations.totals(1, one, now))(phone)))
  expect(await all()).toEqual(Object.values(totals))
  store.stations.add(1, phone, now, { down: 3, up: 0 })
  expect((await all())[0]).toEqual({ down: 11_110_003, up: 4 })
  expect((await store.stations.totals(1, '1d', now))(macAt(9))).toEqual({})
  store.stations.forget(1, phone)
  expect((await all())[0]).toEqual({ down: 1_110_000, up: 3 })
  store.close()
})
