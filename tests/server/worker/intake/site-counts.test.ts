// Sites by how often their names were looked up, as they are counted beside the records.
import Database from 'better-sqlite3'
import { openRecordReader } from '@/server/worker/intake/record-search'
import { recordFolder, recordTable, type TrafficRow } from '@/server/worker/intake/record-table'
import { segmentsIn } from '@/server/worker/intake/segment'
import { siteOf } from '@/server/worker/intake/site-name'
import { openStore } from '@/server/worker/intake/store'
import { temporaryFolder } from '../../_fleet'

test.each<[name: string, site: string | undefined]>([
  ['example.com', 'example.com'],
  ['www.example.com', 'example.com'],
  ['a.b.c.example.co.uk', 'example.co.uk'],
  ['shop.example.com.au', 'example.com.au'],
  ['co.uk', 'co.uk'],
  ['t.co', 't.co'],
  ['www.ft.de', 'ft.de'],
  ['com.example.org', 'example.org'],
  ['www.xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['_dns.resolver.xn--p1ai', 'resolver.xn--p1ai'],
  ...['printer', 'localhost', 'nas.lan', '4.3.2.1.in-addr.arpa', '192.0.2.1', 'tv.local', 'a..com', '.com', ''].map(
    (name): [string, undefined] => [name, undefined],
  ),
  ...['<b>x</b>.com', 'a b.com', '-a.com', `${'a'.repeat(64)}.com`, 'x.com\u202e', 'пример.рф', 'x.c'].map(
    (name): [string, undefined] => [name, undefined],
  ),
])('the site of %s is %s', (name, site) => {
  expect(siteOf(name)).toBe(site)
})

const day = Date.UTC(2026, 10, 30)
const hourMs = 3_600_000

describe('counted', () => {
  const folder = temporaryFolder()
  const own = recordFolder(folder.path, 1, 'url')
  const table = recordTable(own)
  const look = (at: number, name: string, type = 'A'): TrafficRow => ({ at, device: 1, client: '10.0.0.1', name, type })
  const store = openStore<TrafficRow>(own, () => ({ days: 30, megabytes: 1000 }), table)
  const reader = openRecordReader(folder.path)
  const top = (from: number, most = 5, network = 1) =>
    reader.sites({ network, from, most }).map(({ name, lookups }) => `${name} ${lookups}`)
  const write = (...rows: TrafficRow[]) => store.write(rows)
  afterAll(() => {
    reader.close()
    store.close()
    folder.remove()
  })

  test('questions for addresses, by site, most first; of a day whole, of its hours those from then on', () => {
    expect(top(0)).toEqual([])
    const before = day - 2 * hourMs
    write(
      look(before, 'old.example.com'),
      look(before + hourMs, 'www.example.com'),
      look(before + hourMs, 'a.example.net'),
    )
    write(
      ...[look(day, 'example.com'), look(day + 1, 'example.com', 'AAAA'), look(day + 2, 'example.org')],
      ...[look(day + 3, 'example.com', 'HTTPS'), look(day + 4, '1.2.0.192.in-addr.arpa', 'PTR'), look(day, 'printer')],
    )
    write(look(day + 5 * hourMs, 'example.org'), look(day + 5 * hourMs, 'api.example.org'))
    expect(segmentsIn(own)).toHaveLength(2)
    expect(top(0)).toEqual(['example.com 4', 'example.org 3', 'example.net 1'])
    expect(top(0, 1)).toEqual(['example.com 4'])
    expect(top(day)).toEqual(['example.org 3', 'example.com 2'])
    // The hour that the moment is in counts whole; so does the file, from its first hour on.
    expect(top(day - 1)).toEqual(['example.com 3', 'example.org 3', 'example.net 1'])
    expect(top(day + 5 * hourMs + 7)).toEqual(['example.org 2'])
    expect(top(day + 6 * hourMs)).toEqual([])
    expect(top(0, 5, 2)).toEqual([])
  })

  test('a file goes with its counts, and one of before they were counted has none', () => {
    const [older, newer] = segmentsIn(own)
    const file = new Database(older?.path ?? '')
    file.exec('DROP TABLE site')
    file.close()
    expect(top(0)).toEqual(['example.org 3', 'example.com 2'])
    store.prune({ days: 1, megabytes: 1000 }, (newer?.start ?? 0) + 40 * 86_400_000)
    expect(top(0)).toEqual([])
  })

  test('of names made up by the thousand the most asked for are found all the same', () => {
    const at = day + 50 * 24 * hourMs
    write(
      ...Array.from({ length: 5000 }, (_, n) => look(at + n, `n${n}.example`)),
      ...Array.from({ length: 3 }, (_, n) => look(at + n, 'www.example.com')),
    )
    expect(top(at, 1)).toEqual(['example.com 3'])
  })
})
