import {
  addressesOf,
  connectedSegments,
  parseSegment,
  type Segment,
  sweepPlan,
} from '@/server/devices/adoption/segments'
import type { Driver } from '@/server/drivers/driver'
import type { Interface } from '@/server/drivers/observation'
import { wanInterfaces } from '@/server/drivers/wan'
import { csvCell, csvText, parseCsv } from '@/server/kernel/csv'
import { keepFull, keepLatest, newPolledDevice, readingOf } from '@/server/worker/polled-device'
import type { ManagedDevice } from '@/server/worker/protocol'
import { emptyCounters, octetsBetween, sumOf, takeCounters, trafficInterfaces } from '@/server/worker/rates'
import { fc } from '../../_property'

describe('octets between two polls', () => {
  test.each([
    // before, after, seconds, bits, speed, octets, packets
    [1000, 4000, 60, 64, undefined, 3000],
    [0, 0, 60, 64, undefined, 0],
    // 32 bit: one wrap between the polls
    [2 ** 32 - 1000, 500, 60, 32, 100e6, 1500],
    // … unless that would be faster than the interface: the counter was reset
    [2 ** 32 - 1, 2 ** 31, 60, 32, 10e6, Number.NaN],
    // 64 bit never wraps: it was reset
    [5000, 100, 60, 64, 1e9, Number.NaN],
    // a jump no interface of that speed can make
    [0, 1e12, 60, 64, 1e9, Number.NaN],
    [0, 1000, 0, 64, 1e9, Number.NaN],
    [Number.NaN, 1000, 60, 64, 1e9, Number.NaN],
    // full speed for the whole minute counts
    [0, (1e9 / 8) * 60, 60, 64, 1e9, (1e9 / 8) * 60],
    // 32 bit and fast: 700 Mbit/s wrap once and are no 127, and nobody can tell the two apart
    [0, 5_250_000_000 % 2 ** 32, 60, 32, 1e9, Number.NaN],
    [0, 5_250_000_000 % 2 ** 32, 60, 32, 1e9, Number.NaN, 3_458_498],
    // … unless too few packets came for another wrap
    [0, 15_000_000, 60, 32, 1e9, 15_000_000, 12_000],
    [2 ** 32 - 1000, 500, 60, 32, 1e9, 1500, 10],
    // … which have to be told apart from a wrap of theirs
    [0, 15_000_000, 60, 32, 100e9, Number.NaN, 12_000],
    // the edge: 2^32 octets in a minute are 572.66 Mbit/s
    [0, 1000, 60, 32, 572e6, 1000],
    [0, 1000, 60, 32, 573e6, Number.NaN],
    [0, 1000, 10, 32, 1e9, 1000],
  ] as const)('%d → %d in %d s, %d bit, speed %s: %d (%s packets)', (...row) => {
    const [before, after, seconds, bits, speedBps, octets, packets] = row
    expect(octetsBetween(before, after, seconds, { bits, speedBps, packets })).toBe(octets)
  })
})

const port = (key: string, inOctets?: number, type: Interface['type'] = 'ethernet'): Interface => ({
  key,
  name: key,
  type,
  counters: { bits: 64, inOctets, outOctets: inOctets },
})

describe('counters of a device', () => {
  test('the first reading gives no rate, the second does, an interface that appears has none yet', () => {
    let store = takeCounters(emptyCounters(), [port('a', 0)], 1_000_000, false)
    expect(sumOf(store.rates, [0], 0)).toBeUndefined()
    store = takeCounters(store, [port('b', 500), port('a', 6000)], 1_060_000, false)
    expect(sumOf(store.rates, [1], 0)).toBe(800)
    expect(sumOf(store.rates, [0], 0)).toBeUndefined()
    expect(sumOf(store.rates, [0, 1], 1)).toBe(800)
  })
  test('over a restart nothing is known; a missing counter is no zero', () => {
    let store = takeCounters(emptyCounters(), [port('a', 100), port('b')], 1_000_000, false)
    store = takeCounters(store, [port('a', 9000), port('b')], 1_060_000, true)
    expect(sumOf(store.rates, [0], 0)).toBeUndefined()
    store = takeCounters(store, [port('a', 9000), port('b')], 1_120_000, false)
    expect(sumOf(store.rates, [0], 0)).toBe(0)
    expect(sumOf(store.rates, [1], 0)).toBeUndefined()
  })
  test('a fast port that counts with 32 bits is known while few packets come; a slower one beside it always', () => {
    const reading = (octets: number, packets: number) =>
      [1e9, 100e6].map((speed, at) => {
        const counters = { bits: 32 as const, inOctets: octets % 2 ** 32, inPackets: packets }
        return { ...port(`p${at}`), speed, counters }
      })
    const rates = (store: ReturnType<typeof emptyCounters>) => [0, 1].map(at => sumOf(store.rates, [at], 0))
    let store = takeCounters(emptyCounters(), reading(0, 0), 1_000_000, false)
    store = takeCounters(store, reading(7_500_000, 5000), 1_060_000, false)
    expect(rates(store)).toEqual([1e6, 1e6])
    store = takeCounters(store, reading(757_500_000, 650_000), 1_120_000, false)
    expect(rates(store)).toEqual([undefined, 100e6])
  })
  test('a device’s traffic is that of its physical ports', () => {
    const list = [port('br0', 1, 'bridge'), port('p1', 1), port('vlan2', 1, 'vlan'), port('p2', 1)]
    expect(trafficInterfaces(list)).toEqual([1, 3])
    expect(trafficInterfaces([port('lo', 1, 'loopback'), port('wlan0', 1, 'wifi')])).toEqual([1])
  })
  test('the way to the internet: named so, or with a public IPv4 address', () => {
    const lan = { ...port('eth1'), addresses: ['192.168.1.1/24', '2001:db8::1/64'] }
    expect(wanInterfaces([lan, { ...port('eth0'), addresses: ['203.0.113.2/24'] }])).toEqual([1])
    expect(wanInterfaces([lan, port('pppoe-wan'), port('swan0')])).toEqual([1])
    expect(wanInterfaces([lan])).toEqual([])
  })
})

describe('segments (N2)', () => {
  test.each([
    ['192.168.1.0/24', '192.168.1.1', '192.168.1.254', 254],
    ['10.0.0.77/22', '10.0.0.1', '10.0.3.254', 1022],
    ['172.31.255.255', '172.31.255.255', '172.31.255.255', 1],
    ['10.0.0.0/31', '10.0.0.0', '10.0.0.1', 2],
  ])('%s is %s to %s', (text, from, to, addresses) => {
    expect(parseSegment(text)).toMatchObject({ from, to, addresses })
    expect(addressesOf(parseSegment(text) as Segment)).toHaveLength(addresses)
  })
  test.each([
    ['10.0.0.0/21', 'segmentTooLarge'],
    ['172.32.0.0/24', 'segmentNotPrivate'],
    ['172.15.255.0/24', 'segmentNotPrivate'],
    ['192.169.0.0/24', 'segmentNotPrivate'],
    ['127.0.0.1', 'segmentNotPrivate'],
    ['169.254.0.0/24', 'segmentNotPrivate'],
    ['10.0.0.0/33', 'segmentInvalid'],
    ['10.0.0.0/', 'segmentInvalid'],
    ['10.0.0.256', 'segmentInvalid'],
    ['fd00::/64', 'segmentInvalid'],
    ['10.0.0.0/24/24', 'segmentInvalid'],
    ['', 'segmentInvalid'],
  ])('%j is refused: %s', (text, problem) => {
    expect(parseSegment(text)).toEqual({ problem })
  })
  test('by default what is directly connected and private, a wide network narrowed to the /22 around this machine', () => {
    const own = (address: string, bits: number, internal = false) => ({
      address,
      cidr: `${address}/${bits}`,
      internal,
      family: 'IPv4',
    })
    const found = connectedSegments([
      own('10.9.8.7', 8),
      own('203.0.113.9', 24),
      own('192.168.1.5', 24),
      own('127.0.0.1', 8, true),
      own('10.99.0.1', 30),
      own('10.98.0.1', 32),
    ])
    expect(found.map(({ cidr, within }) => [cidr, within])).toEqual([
      ['10.9.8.0/22', '10.0.0.0/8'],
      ['192.168.1.0/24', undefined],
      ['10.99.0.0/30', undefined],
    ])
  })
  test('addresses named twice are asked once', () => {
    const plan = sweepPlan(['192.168.200.0/30', '192.168.200.1'])
    expect(plan).toMatchObject({ addresses: ['192.168.200.1', '192.168.200.2'] })
  })
})

describe('CSV', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "=cmd|' /C calc'!A0"])(
    '%j runs in no spreadsheet',
    text => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/)
    },
  )
  test('a number stays one, unknown text keeps its quotes and line ends', () => {
    expect(csvCell(-5)).toBe('-5')
    expect(csvCell('say "hi", you\nthere')).toBe('"say ""hi"", you\nthere"')
  })
  test('rows are counted as a spreadsheet does: empty ones too, and a cell with line ends is in one', () => {
    expect(parseCsv('a,b\r\n\r\n"1\n2",3\n\n4,5').map(({ row, cells }) => [row, cells[0]])).toEqual([
      [1, 'a'],
      [3, '1\n2'],
      [5, '4'],
    ])
  })
  test.each([
    ['a,b\nKite;7-Harbor,1\t2', ['Kite;7-Harbor', '1\t2']],
    ['a;b\nKite,7-Harbor;1\t2', ['Kite,7-Harbor', '1\t2']],
    ['a\tb\nKite,7;Harbor\tx', ['Kite,7;Harbor', 'x']],
    ['"a;b;c",d\n1;2,3', ['1;2', '3']],
    ['room; place,address,name\n1,2,3', ['1', '2', '3']],
    ['name\nKite;7-Harbor', ['Kite;7-Harbor']],
  ])('%j has one delimiter, that of its head line', (text, cells) => {
    expect(parseCsv(text)[1]?.cells).toEqual(cells)
  })
  test.each(['sep=;\r\na;b\r\n1,5;2', '"sep=;"\na;b\n1,5;2', 'SEP=|\ra|b\r1,5|2'])(
    '%j: the line sep= says the delimiter, is no row, and is counted',
    text => {
      expect(parseCsv(text)).toEqual([
        { row: 2, cells: ['a', 'b'] },
        { row: 3, cells: ['1,5', '2'] },
      ])
    },
  )
  test('CR, LF and both end a row; within quotes they stay', () => {
    expect(parseCsv('a,b\r"1\r2",3\r\n4,5\n\r6,7').map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, 'a', 'b'],
      [2, '1\r2', '3'],
      [3, '4', '5'],
      [5, '6', '7'],
    ])
  })
  test('what is written is read back (fuzzed)', () => {
    const cell = fc
      .string({ unit: 'binary' })
      .filter(text => !/^[=+\-@\t\r\n]/.test(text) && text.trim() !== '' && !text.includes('\uFEFF'))
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 5 }), rows => {
        expect(parseCsv(csvText(rows)).map(row => row.cells)).toEqual(rows)
      }),
    )
  })
})

test('what only a full reading tells of an interface outlasts the polls after it', () => {
  const entry = newPolledDevice({ status: 1 } as ManagedDevice, {} as Driver<unknown>, 0)
  const at = (takenAt: number, depth: 'full' | 'counters', interfaces: Interface[]) => ({ takenAt, depth, interfaces })
  keepFull(
    entry,
    at(1, 'full', [
      { key: 'br0', name: 'br0', type: 'bridge', openvswitch: true, up: false },
      { key: 'p1', name: 'p1', type: 'ethernet', master: 'br0' },
      { key: 'p2', name: 'p2', type: 'ethernet' },
    ]),
  )
  // As the kernel shows them where Open vSwitch was not asked.
  keepLatest(
    entry,
    at(2, 'counters', [
      { key: 'br0', name: 'br0', type: 'virtual', up: true },
      { key: 'p1', name: 'p1', type: 'ethernet', master: 'ovs-system' },
      { key: 'p2', name: 'p2', type: 'ethernet', master: 'br1' },
    ]),
  )
  expect(readingOf(entry)?.interfaces).toEqual([
    { key: 'br0', name: 'br0', type: 'bridge', openvswitch: true, up: true },
    { key: 'p1', name: 'p1', type: 'ethernet', master: 'br0' },
    { key: 'p2', name: 'p2', type: 'ethernet', master: 'br1' },
  ])
})
