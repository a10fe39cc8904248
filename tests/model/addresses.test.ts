import {
  bucketOf,
  contains4,
  ipv4Number,
  ipv4Text,
  isHostOf,
  mask4,
  overlap,
  prefixOfMask,
  type Segment4,
  segment4,
  segmentOf,
} from '@/model/addresses'
import { numberRanges, rateKbps } from '@/model/rules'
import { fc } from '../_property'

const segment = (text: string) => segment4(text) as Segment4
const number = (text: string) => ipv4Number(text) as number

test('every address comes back from its number, every mask from its prefix', () => {
  fc.assert(fc.property(fc.ipV4(), text => ipv4Text(number(text)) === text))
  for (let prefix = 0; prefix <= 32; prefix++) expect(prefixOfMask(mask4(prefix))).toBe(prefix)
})

test('a segment knows its first and last address, also over the sign bit', () => {
  expect(segment('192.168.1.77/24')).toMatchObject({ first: number('192.168.1.0'), last: number('192.168.1.255') })
  expect(segment('0.0.0.0/0')).toMatchObject({ first: 0, last: 2 ** 32 - 1 })
  expect(segmentOf('255.255.255.255', 32)).toMatchObject({ first: 2 ** 32 - 1, last: 2 ** 32 - 1 })
  expect(segmentOf('nothing', 24)).toBeUndefined()
})

test('P3, P1: what lies in a segment, and what of it a host can have', () => {
  const lan = segment('192.168.1.1/24')
  expect(
    ['192.168.0.255', '192.168.1.0', '192.168.1.255', '192.168.2.0'].map(one => contains4(lan, number(one))),
  ).toEqual([false, true, true, false])
  expect(
    ['192.168.1.0', '192.168.1.1', '192.168.1.254', '192.168.1.255'].map(one => isHostOf(lan, number(one))),
  ).toEqual([false, true, true, false])
  expect(isHostOf(segment('10.0.0.0/31'), number('10.0.0.0'))).toBe(true)
})

test('segments and ranges overlap when they share one value', () => {
  expect(overlap(segment('10.0.0.0/24'), segment('10.0.0.128/25'))).toBe(true)
  expect(overlap(segment('10.0.0.0/25'), segment('10.0.0.128/25'))).toBe(false)
  expect(overlap({ first: 1, last: 5 }, { first: 5, last: 9 })).toBe(true)
})

test('a list of numbers is read as ranges, a rate as kbit/s', () => {
  expect(numberRanges('80, 8000-8100')).toEqual([
    { first: 80, last: 80 },
    { first: 8000, last: 8100 },
  ])
  expect(numberRanges('x')).toBeUndefined()
  expect([rateKbps('8 Mbps'), rateKbps('512 Kbps')]).toEqual([8000, 512])
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:3:4:192.0.2.7', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('what is counted by address counts %s as %j', (address, bucket) => expect(bucketOf(address)).toBe(bucket))
