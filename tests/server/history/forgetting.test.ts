// Who is forgotten leaves nothing in the file: rows of every tier, slots, numbers, and what access points told.
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openHistoryFile } from '@/server/history/file'
import { dropForgotten, type Forgotten } from '@/server/history/forgetting'
import { openHistory } from '@/server/history/history'
import type { Series } from '@/server/history/series'
import { tiers } from '@/server/history/tiers'
import { scratchFolder } from '../../_scratch'
import { device, row } from './_file'

const folder = scratchFolder('forgetting-')
afterAll(() => rmSync(folder, { recursive: true }))
const noTrouble = (what: string) => {
  throw new Error(what)
}
const start = 1_800_000 * 10_800
const minute = 60_000
const phone = '5c:cb:99:4e:21:b7'
const laptop = '5c:cb:99:4e:21:b8'
let files = 0

/** Two of each, measured for three and a half hours: rows in every tier. */
async function setUp() {
  const path = `${folder}/${files++}.sqlite`
  const store = openHistory(path, noTrouble, start * 1000)
  const clientOf = (network: number, mac: string) => store.client(network, mac, start * 1000) as Series
  const clients = [clientOf(1, phone), clientOf(1, laptop), clientOf(2, phone)]
  const others = (['device', 'network', 'wan'] as const).flatMap(of => [1, 2].map(id => ({ of, id })))
  const sample = {
    ...{ answered: true, seconds: 300, inOctets: 1, outOctets: 1 },
    counters: { store: { keys: ['eth0'], deltas: Float64Array.of(1, 1) }, seconds: 300 },
  }
  for (let at = start * 1000; at <= start * 1000 + 210 * minute; at += 5 * minute) {
    for (const series of [...others, ...clients]) store.add(series, at, sample)
    for (const network of [1, 2])
      store.stations.take(
        network,
        network,
        at,
        [phone, laptop].map(mac => ({ mac, signalDbm: -50 })),
      )
  }
  store.flush()
  store.stations.flush()
  await store.tidy(start * 1000 + 210 * minute)
  return { path, store, clients, all: [...others, ...clients] }
}

/** Of which series the file holds anything, and of which clients it holds what access points told. */
function left(path: string) {
  const sqlite = new Database(path, { readonly: true })
  const pairs = (table: string) =>
    (sqlite.prepare(`SELECT DISTINCT of, id FROM ${table} ORDER BY of, id`).raw().all() as number[][]).map(String)
  const found = {
    rows: tiers.map(({ table }) => pairs(table)),
    slots: pairs('slots'),
    clients: (sqlite.prepare('SELECT network, mac FROM client_numbers ORDER BY id').raw().all() as string[][]).map(
      String,
    ),
    forgotten: pairs('forgotten'),
    stations: sqlite
      .prepare('SELECT network, count(*), min(length(data)), max(length(data)) FROM stations GROUP BY network')
      .raw()
      .all(),
  }
  sqlite.close()
  return found
}

const [d1, d2, n1, n2, w1, w2] = ['0,1', '0,2', '2,1', '2,2', '3,1', '3,2']
/** By their numbers: phone and laptop in network 1, phone in network 2. */
const [p1, l1, p2] = ['1,1', '1,2', '1,3']
/** 22 buckets of ten minutes and four hours, of two clients each. */
const two = [27, 30, 30]
test.each<[string, Forgotten, string[], string[], unknown[]]>([
  [
    'a device, and its ways to the internet',
    { of: 'device', id: 1 },
    [d2, p1, l1, p2, n1, n2, w2],
    [`1,${phone}`, `1,${laptop}`, `2,${phone}`],
    [
      [1, ...two],
      [2, ...two],
    ],
  ],
  ['a network, and its clients', { of: 'network', id: 1 }, [d1, d2, p2, n2, w1, w2], [`2,${phone}`], [[2, ...two]]],
  [
    'a client of one network',
    { of: 'client', network: 1, mac: phone },
    [d1, d2, l1, p2, n1, n2, w1, w2],
    [`1,${laptop}`, `2,${phone}`],
    [
      [1, 27, 15, 15],
      [2, ...two],
    ],
  ],
])('%s: nothing of it is left, and all else is', async (_, forgotten, series, clients, stations) => {
  const { path, store } = await setUp()
  store.forget(forgotten)
  await store.tidy(start * 1000 + 211 * minute)
  store.close()
  expect(left(path)).toEqual({ rows: [series, series, series], slots: series, clients, forgotten: [], stations })
})

test('a process that is killed at once leaves it to the next one', async () => {
  const { path, store, clients } = await setUp()
  store.close()
  const file = openHistoryFile(path, noTrouble)
  for (const series of [device(1), { of: 'wan', id: 1 } as const]) file.forget(series)
  file.forget(clients[0] as Series, { network: 1, mac: phone })
  file.close()
  expect(left(path).rows[0]).toContain(d1)
  const next = openHistory(path, noTrouble, start * 1000 + 212 * minute)
  // Its access point goes on telling of others in a bucket that was begun before.
  next.stations.take(1, 1, start * 1000 + 212 * minute, [{ mac: laptop, signalDbm: -50 }])
  await next.tidy(start * 1000 + 213 * minute)
  next.close()
  const series = [d2, l1, p2, n1, n2, w2]
  expect(left(path)).toMatchObject({
    ...{ rows: [series, series, series], forgotten: [] },
    stations: [
      [1, 27, 15, 15],
      [2, ...two],
    ],
  })
})

test('who is forgotten is found no more at once, and is another who comes again', async () => {
  const { store, clients } = await setUp()
  const range = { range: '1d', now: start * 1000 + 211 * minute } as const
  const heard = () =>
    store.stations.query({ network: 1, mac: phone, ...range }).signalDbm.filter(signal => signal !== null).length
  expect(heard()).toBe(22)
  store.forget({ of: 'client', network: 1, mac: phone })
  const again = store.client(1, phone, start * 1000 + 211 * minute)
  expect(clients.map(one => one.id)).not.toContain(again?.id)
  await store.tidy(start * 1000 + 211 * minute)
  expect([heard(), store.sums(0, start, again as Series, true)]).toEqual([0, undefined])
  store.forget({ of: 'device', id: 1 })
  expect([store.slotOf(device(1), 'eth0'), store.slotOf(device(2), 'eth0')]).toEqual([-1, 0])
  store.close()
})

test('thousands that are forgotten at once are dropped 200 at a time', async () => {
  const file = openHistoryFile(':memory:', noTrouble)
  const all = Array.from({ length: 450 }, (_, at) => device(at + 1))
  for (const at of [start, start + 300])
    file.put(
      0,
      at,
      [...all, device(999)].map(series => [series, row({ polls: 1 })]),
    )
  for (const series of all) file.forget(series)
  const drop = jest.spyOn(file, 'drop')
  await dropForgotten(file, { forget: () => undefined })
  expect(drop.mock.calls.map(([, , at, ids]) => [at, ids.length])).toEqual(
    [200, 200, 50].flatMap(count => [
      [start, count],
      [start + 300, count],
    ]),
  )
  expect([file.idsIn(0, 'device', start), file.forgotten(1)]).toEqual([[999], []])
})
