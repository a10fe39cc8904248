// A file in which one number was the key: its charts go on, whenever the process ends in between.
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openHistoryFile } from '@/server/history/file'
import { type HistoryStore, openHistory } from '@/server/history/history'
import type { Series } from '@/server/history/series'
import { tiers } from '@/server/history/tiers'
import { scratchFolder } from '../../_scratch'
import { row } from './_file'

const folder = scratchFolder('former-')
afterAll(() => rmSync(folder, { recursive: true }))
const noTrouble = (what: string) => {
  throw new Error(what)
}
const start = 1_800_000 * 10_800
/** In the middle of a bucket of half an hour and of three hours. */
const now = start + 40 * 60
let files = 0

const numbers = [...Array.from({ length: 600 }, (_, at) => at + 1), -3, -1_000_000_003]

/** Ten buckets of five minutes and two coarser ones of each tier, as the version before wrote them. */
function formerFile(): string {
  const path = `${folder}/${files++}.sqlite`
  const sqlite = new Database(path)
  sqlite.pragma('journal_mode = WAL')
  for (const { table } of tiers)
    sqlite.exec(
      `CREATE TABLE ${table} (ts INTEGER NOT NULL, device INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (ts, device)) WITHOUT ROWID`,
    )
  sqlite.exec(`
    CREATE TABLE totals (tier INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, ts));
    CREATE TABLE stations (tier INTEGER NOT NULL, network INTEGER NOT NULL, ts INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (tier, network, ts));
    CREATE TABLE slots (device INTEGER NOT NULL, slot INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (device, slot)) WITHOUT ROWID`)
  const puts = Object.fromEntries(
    tiers.map(({ table }) => [table, sqlite.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`)]),
  )
  const addSlot = sqlite.prepare('INSERT INTO slots VALUES (?, ?, ?)')
  sqlite.transaction(() => {
    for (const number of numbers) {
      const put = (table: string, at: number, polls: number) =>
        puts[table]?.run(at, number, row({ polls, seconds: 300, inOctets: Math.abs(number) }))
      for (let at = start - 600; at < start + 2400; at += 300) put('samples_5m', at, 5)
      for (const at of [start - 1800, start]) put('samples_30m', at, 30)
      for (const at of [start - 21_600, start - 10_800]) put('samples_3h', at, 180)
      for (const slot of [0, 1]) addSlot.run(number, slot, `${number} ${slot}`)
    }
  })()
  sqlite.close()
  return path
}

const polls = (store: HistoryStore, series: Series) =>
  [
    [0, start],
    [0, start + 2100],
    [1, start],
    [2, start - 10_800],
  ].map(([tier = 0, at = 0]) => store.sums(tier, at, series, false)?.polls)

const kept = [5, 5, 30, 180]
test.each<[string, Series, number]>([
  ['a device', { of: 'device', id: 3 }, 3],
  ['the last device of many', { of: 'device', id: 600 }, 600],
  ['a network', { of: 'network', id: 3 }, -3],
  ['the ways of a gateway', { of: 'wan', id: 3 }, -1_000_000_003],
])('%s keeps rows and slots', async (_, series, number) => {
  const store = openHistory(formerFile(), noTrouble, now * 1000)
  await store.tidy(now * 1000)
  expect(polls(store, series)).toEqual(kept)
  expect([0, 1].map(slot => store.slotOf(series, `${number} ${slot}`))).toEqual([0, 1])
  store.close()
})

test('what is rolled up already is not rolled up again, and what was not before a long pause is', async () => {
  const store = openHistory(formerFile(), noTrouble, (start + 7200) * 1000)
  await store.tidy((start + 7200) * 1000)
  expect(store.sums(1, start, { of: 'device', id: 1 }, false)?.polls).toBe(30)
  expect(store.sums(1, start + 1800, { of: 'device', id: 1 }, false)?.polls).toBe(10)
  const { inOctets } = (await store.totals(start - 600, start + 2400)).get(7) ?? {}
  expect(inOctets).toBe(2 * 7 + 7 + 2 * 7)
  store.close()
})

test('a process that ends while rows are moved leaves the rest to the next one; no step moves more than 500', () => {
  const path = formerFile()
  let rows = 0
  for (let ended = false; !ended; ) {
    const file = openHistoryFile(path, noTrouble)
    ended = file.takeFormer()
    const moved = [0, 1, 2].flatMap(tier =>
      (['device', 'network', 'wan'] as const).map(of => {
        let count = 0
        for (let at = file.next(tier, of, -1); at !== undefined; at = file.next(tier, of, at))
          count += file.countIn(tier, of, at)
        return count
      }),
    )
    const all = moved.reduce((sum, one) => sum + one, 0)
    expect(all - rows).toBeLessThanOrEqual(500)
    rows = all
    expect(file.hasFormer()).toBe(!ended)
    file.close()
  }
  expect(rows).toBe(numbers.length * 14)
  const sqlite = new Database(path)
  expect(sqlite.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'former%'").all()).toEqual([])
  sqlite.close()
})

test('what is measured before all is moved is not lost, nor written over; sums are kept of whole buckets alone', async () => {
  const path = formerFile()
  const file = openHistoryFile(path, noTrouble)
  file.put(0, start + 2100, [[{ of: 'device', id: 3 }, row({ polls: 2 })]])
  file.close()
  const store = openHistory(path, noTrouble, now * 1000)
  await store.totals(start, start + 600)
  await store.tidy(now * 1000)
  expect(polls(store, { of: 'device', id: 3 })).toEqual([5, 2, 30, 180])
  expect((await store.totals(start, start + 600)).get(7)).toEqual({ inOctets: 14, outOctets: 0, seconds: 600 })
  store.close()
})
