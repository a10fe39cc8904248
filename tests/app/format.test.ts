import { age, bits, bytes, duration, linkSpeed, macTyped, short } from '@/app/_ui/format'

const words = ({ value, unit }: { value: string; unit: string }) => `${value} ${unit}`

test.each([
  [0, '0 bps'],
  [999, '999 bps'],
  [1000, '1 Kbps'],
  [1_999_999, '2,000 Kbps'],
  [2_000_000, '2 Mbps'],
  [348_400_000, '348 Mbps'],
  [1_999_999_999, '2,000 Mbps'],
  [2_000_000_000, '2 Gbps'],
])('U1: %d bits a second is %s', (value, expected) => expect(words(bits(value))).toBe(expected))

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1024 ** 2, '1 MB'],
  [1024 ** 5 * 1.5, '1.5 PB'],
  [1024 ** 6, '1 EB'],
  [1024 ** 7, '1,024 EB'],
])('U2: %d bytes is %s', (value, expected) => expect(words(bytes(value))).toBe(expected))

test.each([
  [0, []],
  [59.9, []],
  [60, [{ value: 1, unit: 'minute' }]],
  [3600, [{ value: 1, unit: 'hour' }]],
  [
    41 * 86_400 + 6 * 3600 + 59,
    [
      { value: 41, unit: 'day' },
      { value: 6, unit: 'hour' },
    ],
  ],
  [86_400 + 30 * 60, [{ value: 1, unit: 'day' }]],
])('U3: %d seconds', (seconds, parts) => expect(duration(seconds)).toEqual(parts))

test('ages are one unit up to a day, then a date', () => {
  expect(age(59_999)).toBe('now')
  expect(age(12.9 * 60_000)).toEqual({ value: 12, unit: 'minute' })
  expect(age(23.99 * 3_600_000)).toEqual({ value: 23, unit: 'hour' })
  expect(age(24 * 3_600_000)).toBe('date')
})

test('three significant digits, all from 1000 on, in the language of the page', () => {
  expect([8.44, 84.14, 612.4, 1234.5].map(value => short(value))).toEqual(['8.44', '84.1', '612', '1,235'])
  expect(short(8.4, 'de')).toBe('8,4')
})

test.each([
  [10e6, '10 Mbps'],
  [100e6, '100 Mbps'],
  [2.5e9, '2.5 Gbps'],
])('a port of %d is printed %s', (value, expected) => expect(words(linkSpeed(value))).toBe(expected))

test.each([
  ['aabb', 'AA:BB'],
  ['aabbc', 'AA:BB:C'],
  ['aa:', 'AA:'],
  ['AA-BB-cc-dd-ee-ff', 'AA:BB:CC:DD:EE:FF'],
  ['aabb.ccdd.eeff', 'AA:BB:CC:DD:EE:FF'],
  ['aabbccddeeff00', 'AA:BB:CC:DD:EE:FF'],
])('a MAC address typed as %s becomes %s', (typed, expected) => expect(macTyped(typed)).toBe(expected))
