import { readWall, wallWords } from '@/app/_ui/wall-text'

const of = (format: 'yyyy-MM-dd' | 'dd/MM/yyyy' | 'MM/dd/yyyy' | 'yyyy-dd-MM', hour: 12 | 24 = 24) => ({ format, hour })

test.each([
  ['2026-11-02T20:05', 'dateTime', of('yyyy-MM-dd'), '2026-11-02 20:05'],
  ['2026-11-02T20:05', 'dateTime', of('dd/MM/yyyy', 12), '02/11/2026 8:05 PM'],
  ['2026-11-02', 'date', of('MM/dd/yyyy'), '11/02/2026'],
  ['2026-11-02', 'date', of('yyyy-dd-MM'), '2026-02-11'],
  ['00:30', 'time', of('yyyy-MM-dd', 12), '12:30 AM'],
  ['12:30', 'time', of('yyyy-MM-dd', 12), '12:30 PM'],
  ['02:30', 'time', of('yyyy-MM-dd', 24), '02:30'],
] as const)('%s as %s is written as the account has it, and read back', (text, part, style, words) => {
  expect(wallWords(text, part, style)).toBe(words)
  expect(readWall(words, part, style)).toBe(text)
})

test.each([
  ['2:30', '02:30'],
  ['0230', '02:30'],
  ['8.15 pm', '20:15'],
  ['12:00 a.m.', '00:00'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['13:00 pm', undefined],
  ['soon', undefined],
])('the time %s is read as %s', (typed, read) => {
  expect(readWall(typed, 'time', of('yyyy-MM-dd', 12))).toBe(read)
})

test.each([
  ['2026-02-29', of('yyyy-MM-dd'), undefined],
  ['2028-02-29', of('yyyy-MM-dd'), '2028-02-29'],
  ['31/12/2026', of('dd/MM/yyyy'), '2026-12-31'],
  ['31/12/2026', of('MM/dd/yyyy'), undefined],
  ['2026-12-24', of('dd/MM/yyyy'), '2026-12-24'],
  ['1.2.2026', of('dd/MM/yyyy'), '2026-02-01'],
])('the date %s in %j is read as %s', (typed, style, read) => {
  expect(readWall(typed, 'date', style)).toBe(read)
})

test('a day without its time is no moment', () => {
  expect(readWall('2026-12-24', 'dateTime', of('yyyy-MM-dd'))).toBeUndefined()
  expect(readWall('2026-12-24T18:30', 'dateTime', of('dd/MM/yyyy'))).toBe('2026-12-24T18:30')
  expect(wallWords('', 'dateTime', of('yyyy-MM-dd'))).toBe('')
})
