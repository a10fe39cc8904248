// Records of traffic: apart from lines, found by words, and gone when they are to go.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { openRecordReader } from '@/server/worker/intake/record-search'
import { recordFolder } from '@/server/worker/intake/record-table'
import { type Recording, trafficRecords } from '@/server/worker/intake/records'
import { segmentBytes, segmentsIn } from '@/server/worker/intake/segment'
import { temporaryFolder } from '../../_fleet'

const dayMs = 86_400_000
const start = Date.UTC(2026, 10, 20, 12)
let folder: ReturnType<typeof temporaryFolder>
let records: ReturnType<typeof trafficRecords>
const open = (megabytes = 1000) => trafficRecords({ folder: folder.path, megabytes })
const both = (days = 7): Recording => ({ 1: { kinds: ['url', 'nat'], days }, 2: { kinds: ['url'], days: 1 } })
beforeEach(() => {
  folder = temporaryFolder()
  records = open()
  records.know(both(), start)
})
afterEach(() => {
  records.close()
  folder.remove()
})

const say = (name: string, { at = start, network = 1, client = '10.0.0.9', device = 5 } = {}) =>
  records.take({ network, device, at, tag: 'dnsmasq[1]', text: `1 ${client}/53 query[A] ${name} from ${client}` })
const find = (query: object = {}) => {
  const reader = openRecordReader(folder.path)
  const found = reader.find({ network: 1, kind: 'url', limit: 50, ...query })
  reader.close()
  return found
}
const names = (query?: object) => find(query).records.map(one => one.name)
const files = (network: number) => segmentsIn(recordFolder(folder.path, network, 'url')).length

test('what is on is kept, what is off is an ordinary line, and a sender that is no device keeps nothing', () => {
  expect(say('a.test')).toBe(true)
  expect(say('b.test', { network: 2 })).toBe(true)
  expect(say('c.test', { network: 3 })).toBe(false)
  expect(say('d.test', { device: 0 })).toBe(false)
  const nat = {
    tag: 'kernel',
    text: 'lanward-nat-in IN=a OUT=b SRC=10.0.0.9 DST=192.0.2.7 ID=1 PROTO=TCP SPT=1 DPT=443',
  }
  expect(records.take({ network: 2, device: 6, at: start, ...nat })).toBe(false)
  expect(records.take({ network: 1, device: 5, at: start, ...nat })).toBe(true)
  records.write(start + 5000)
  expect(names()).toEqual(['a.test'])
  expect(names({ network: 2 })).toEqual(['b.test'])
  expect(find({ kind: 'nat' }).records).toEqual([
    { ...{ id: expect.any(Number), at: start, seq: 1, device: 5, client: '10.0.0.9', port: 1 }, ...target },
  ])
  expect(records.news().toSorted()).toEqual([1, 2])
  expect(segmentsIn(folder.path)).toEqual([])
})
const target = { target: '192.0.2.7', targetPort: 443, protocol: 'TCP' }

test('found by words of name and address, by addresses beside, by one address, and page by page', () => {
  const clients = ['10.0.0.9', '10.0.0.10', '10.0.0.11']
  for (const [at, client] of clients.entries()) say(`www.example-${at}.test`, { at: start + at * 4_000_000, client })
  records.write(start)
  expect(names({ text: 'example' })).toHaveLength(3)
  expect(names({ text: 'example-1.test' })).toEqual(['www.example-1.test'])
  expect(names({ text: '10.0.0.1' })).toEqual([])
  expect(names({ text: '10.0.0.10' })).toEqual(['www.example-1.test'])
  expect(names({ text: 'laptop' })).toEqual([])
  expect(names({ text: 'laptop', clients: ['10.0.0.11', '10.0.0.9'] })).toEqual([
    'www.example-2.test',
    'www.example-0.test',
  ])
  expect(names({ text: '***' })).toEqual([])
  expect(names({ client: '10.0.0.9' })).toEqual(['www.example-0.test'])
  // Words of one client alone, and beside what a text says of a name.
  expect(names({ client: '10.0.0.9', text: 'www test' })).toEqual(['www.example-0.test'])
  expect(names({ client: '10.0.0.9', text: 'example-1' })).toEqual([])
  expect(names({ client: '10.0.0.9', text: 'laptop', clients: ['10.0.0.9', '10.0.0.10'] })).toEqual([
    'www.example-0.test',
  ])
  expect(names({ text: 'example-2', clients: ['10.0.0.9'] })).toEqual(['www.example-2.test', 'www.example-0.test'])
  expect(names({ from: start + 1 })).toHaveLength(2)
  const first = find({ limit: 2 })
  expect(first.records).toHaveLength(2)
  expect(names({ before: first.next })).toEqual(['www.example-0.test'])
  expect(names({ after: first.next, limit: 5 })).toEqual(['www.example-2.test'])
  expect(names({ after: 0, limit: 2 })).toEqual(['www.example-0.test', 'www.example-1.test'])
})

test('each network keeps for its own days, on a moved clock; records are counted on', () => {
  for (const day of [0, 1, 2, 3])
    for (const network of [1, 2]) {
      say(`day${day}.test`, { at: start + day * dayMs, network })
      records.write(start + day * dayMs)
    }
  expect([files(1), files(2)]).toEqual([4, 4])
  records.prune(start + 3 * dayMs + 1)
  expect(names({ network: 1 })).toHaveLength(4)
  expect(names({ network: 2 })).toEqual(['day3.test', 'day2.test'])
  records.know({ ...both(1), 2: { kinds: ['url'], days: 30 } }, start + 3 * dayMs + 1)
  expect(names({ network: 1 })).toEqual(['day3.test', 'day2.test'])
  records.close()
  records = open()
  records.know(both(), start + 3 * dayMs + 2)
  say('again.test', { at: start + 3 * dayMs + 2 })
  records.write(start + 3 * dayMs + 2)
  expect(find({ network: 1 }).records.map(one => one.seq)).toEqual([5, 4, 3])
})

test('all together stay within their bound: the oldest goes first, whosever it is, and be it the one that is written', () => {
  records.close()
  records = open(5)
  records.know(both(), start)
  const size = () =>
    [1, 2]
      .flatMap(network => segmentsIn(recordFolder(folder.path, network, 'url')))
      .reduce((sum, one) => sum + segmentBytes(one), 0)
  const name = 'x'.repeat(250)
  for (let at = 0; at < 30_000; at++) {
    say(`${name}${at}`, { at: start + at, network: at < 15_000 ? 2 : 1 })
    if (at % 5000 === 4999) records.write(start + at)
  }
  expect(size()).toBeGreaterThan(5 * 1024 * 1024)
  records.prune(start + 30_000)
  expect(size()).toBeLessThanOrEqual(5 * 1024 * 1024)
  expect(names({ network: 2 })).toEqual([])
  say('after.test', { at: start + 40_000 })
  records.write(start + 40_000)
  expect(names()[0]).toBe('after.test')
})

test('turned off, or with its network, everything of it is deleted at once, and nothing of the others', () => {
  say('a.test')
  say('b.test', { network: 2 })
  records.write(start)
  say('waits.test', { network: 2 })
  records.know({ 1: { kinds: ['url'], days: 7 } }, start)
  records.write(start)
  expect(existsSync(recordFolder(folder.path, 2, 'url'))).toBe(false)
  expect(existsSync(recordFolder(folder.path, 1, 'nat'))).toBe(false)
  expect(names()).toEqual(['a.test'])
  records.close()
  records = open()
  records.know({}, start)
  expect(readdirSync(`${folder.path}/records/1`)).toEqual([])
})

test('a flood that cannot be written is bounded, counted, and ends with its cause', () => {
  say('a.test')
  records.write(start)
  for (let at = 0; at < 20_005; at++) say('flood.test', { at: start + dayMs })
  expect(records.counts()[0]).toMatchObject({ network: 1, kind: 'url', kept: 1, dropped: 5 })
  records.write(start + dayMs)
  expect(records.counts()[0]).toMatchObject({ kept: 20_001, dropped: 5 })
  const [segment] = segmentsIn(recordFolder(folder.path, 1, 'url'))
  writeFileSync(`${segment?.path}`, 'no database')
  records.close()
  records = open()
  records.know(both(), start + dayMs)
  say('goes-on.test', { at: start + 2 * dayMs })
  records.write(start + 2 * dayMs)
  expect(records.counts()[0]).toMatchObject({ kept: 1 })
})
