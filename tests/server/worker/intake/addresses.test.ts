// Whole addresses are words of the index: found however they are written, in files of before as well.
import Database from 'better-sqlite3'
import { addressesIn, addressOf } from '@/server/worker/intake/addresses'
import { openReader } from '@/server/worker/intake/search'
import { lineTable, openStore } from '@/server/worker/intake/store'
import { temporaryFolder } from '../../_fleet'

const start = Date.UTC(2026, 10, 20, 12)

test.each([
  ['STA 02:AA:bb:00:03:2a associated', ['02aabb00032a']],
  ['02-aa-bb-00-03-2a', ['02aabb00032a']],
  ['host 02aa.bb00.032a in vlan 10 is flapping', ['02aabb00032a']],
  ['DHCPACK(br-lan) 10.0.0.9 02:aa:bb:00:03:2a laptop.', ['02aabb00032a', '10x0x0x9']],
  ['from 10.0.0.9:443, to 192.0.2.7/24; then 198.51.100.1.', ['10x0x0x9', '192x0x2x7', '198x51x100x1']],
  // A unique identifier of DHCP ends with an address.
  ['00:01:00:01:02:aa:bb:00', ['0001000102aa', '01000102aabb', '000102aabb00']],
  ['1.3.6.1.4.1 is no address, nor 10.0.0.1.5, nor 12:30:45, nor x02:aa:bb:00:03:2a, nor 02:aa-bb:00-03:2a', []],
])('%s', (text, found) => {
  expect(addressesIn(text)).toEqual(found)
})

test('one whole address is looked for as one word, a part of one or more than one is not', () => {
  expect(addressOf('02:AA:bb:00:03:2a')).toBe('02aabb00032a')
  expect(addressOf('02aa.bb00.032a')).toBe('02aabb00032a')
  expect(addressOf('10.0.0.9')).toBe('10x0x0x9')
  for (const word of ['02:aa:bb', '02:aa:bb:00:03:2a:01', '10.0.0', '10.0.0.9:443', '10.0.0.*', '(10.0.0.9)', 'a'])
    expect(addressOf(word)).toBeUndefined()
})

test('a long row has a bounded number of addresses', () => {
  expect(addressesIn(Array(5000).fill('aa').join(':'))).toHaveLength(32)
})

const said = [
  'STA 02:aa:bb:00:03:2a associated',
  'port 4 learned 02AA.BB00.032A',
  'client 02aabb00032a left',
  'STA 02:aa:bb:00:03:2b associated',
  'from 10.0.0.9 to 10.0.0.99',
]

/** The same lines as a file of before has them: its index knows words alone. */
function seedFormer(path: string): void {
  const file = new Database(path)
  file.exec(`CREATE TABLE log (id INTEGER PRIMARY KEY, device INTEGER NOT NULL, network INTEGER NOT NULL, way INTEGER NOT NULL,
      pri INTEGER, source TEXT, host TEXT, tag TEXT NOT NULL, text TEXT NOT NULL, cut INTEGER);
    CREATE VIRTUAL TABLE log_text USING fts5(tag, text, content='log', content_rowid='id');`)
  for (const [at, text] of said.entries()) {
    const id = start * 2048 + at
    file.prepare("INSERT INTO log VALUES (CAST(? AS INTEGER), 1, 1, 0, 6, NULL, NULL, 'app', ?, NULL)").run(id, text)
    file.prepare("INSERT INTO log_text (rowid, tag, text) VALUES (CAST(? AS INTEGER), 'app', ?)").run(id, text)
  }
  file.close()
}

test('an address is found in every notation; in files of before in the one that is written', () => {
  const folder = temporaryFolder()
  seedFormer(`${folder.path}/${start}.sqlite`)
  const store = openStore(folder.path, () => ({ days: 31, megabytes: 1000 }), lineTable)
  const dayMs = 86_400_000
  const line = { at: start + dayMs, device: 1, network: 1, way: 'udp', tag: 'app' } as const
  store.write([
    ...said.map(text => ({ ...line, text: `now ${text}` })),
    { ...line, tag: 'AP,02aa-bb00-0377', text: 'no address' },
    { ...line, tag: 'AP-02:aa:bb:00:03:77', text: 'in the tag' },
  ])
  const reader = openReader(folder.path)
  const found = (text: string) => reader.find({ network: 1, limit: 50, text }).lines.map(one => one.text)
  const now = said.slice(0, 3).map(text => `now ${text}`)
  expect(found('02:aa:bb:00:03:2a')).toEqual([...now.toReversed(), said[0]])
  expect(found('02-AA-BB-00-03-2A')).toEqual([...now.toReversed(), said[0]])
  expect(found('02aabb00032a')).toEqual([...now.toReversed(), said[2]])
  expect(found('02aa.bb00.032a port')).toEqual([now[1], said[1]])
  expect(found('02-aa-bb-00-03-77')).toEqual(['in the tag'])
  expect(found('02:aa:bb*')).toHaveLength(5)
  expect(found('10.0.0.9')).toEqual([`now ${said[4]}`, said[4]])
  expect(found('10.0.0')).toHaveLength(2)
  reader.close()
  store.close()
  folder.remove()
})
