// What is kept of Wi-Fi clients over time: packed, found again, bounded, and not lost by a restart.
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
