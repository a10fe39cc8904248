import { formatDate, formatDateTime, formatTime, offsetOf, wallMoment, wallText } from '@/app/_ui/time'
import type { DateFormat } from '@/model/date-formats'

const noon = Date.UTC(2026, 10, 5, 12, 4, 9)

test.each<[DateFormat, string]>([
  ['yyyy-MM-dd', '2026-11-05'],
  ['yyyy/MM/dd', '2026/11/05'],
  ['yyyy/dd/MM', '2026/05/11'],
  ['yyyy-dd-MM', '2026-05-11'],
  ['MM/dd/yyyy', '11/05/2026'],
  ['dd/MM/yyyy', '05/11/2026'],
  ['MM-dd-yyyy', '11-05-2026'],
  ['dd-MM-yyyy', '05-11-2026'],
])('a date as %s', (format, expected) => expect(formatDate(noon, { format, hour: 24, timeZone: 'UTC' })).toBe(expected))

test('12 and 24 hours, at both twelves', () => {
  const style = { format: 'yyyy-MM-dd', timeZone: 'UTC' } as const
  const midnight = Date.UTC(2026, 0, 1)
  expect(formatTime(noon, { ...style, hour: 12 })).toBe('12:04 PM')
  expect(formatTime(noon, { ...style, hour: 24 }, true)).toBe('12:04:09')
  expect(formatTime(midnight, { ...style, hour: 12 })).toBe('12:00 AM')
  expect(formatTime(midnight, { ...style, hour: 24 })).toBe('00:00')
})

test('the zone decides the day', () => {
  const late = Date.UTC(2026, 11, 31, 23, 30)
  const style = { format: 'yyyy-MM-dd', hour: 24 } as const
  expect(formatDateTime(late, { ...style, timeZone: 'Asia/Tokyo' })).toBe('2027-01-01 08:30')
  expect(formatDateTime(late, { ...style, timeZone: 'America/Lima' })).toBe('2026-12-31 18:30')
})

test.each([
  ['2026-11-22T20:00', 'Asia/Tokyo', '2026-11-22T11:00:00.000Z'],
  ['2026-07-01T00:30', 'Europe/Lisbon', '2026-06-30T23:30:00.000Z'],
  // The clock goes from 01:00 to 02:00 on this day, and from 02:00 back to 01:00 on the other.
  ['2026-03-29T02:30', 'Europe/Lisbon', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Lisbon', '2026-10-25T02:30:00.000Z'],
])('%s on the wall in %s is %s, and back', (text, timeZone, expected) => {
  const ms = wallMoment(text, timeZone)
  expect(new Date(ms).toJSON()).toBe(expected)
  expect(wallText(ms, timeZone)).toBe(text)
})

test('half a time is no moment', () => {
  expect(wallMoment('', 'UTC')).toBeNaN()
  expect(wallMoment('123456-01-01T00:00', 'UTC')).toBeNaN()
})

test('the distance from UTC, in summer and winter', () => {
  expect(offsetOf('Europe/Lisbon', Date.UTC(2026, 6, 1))).toBe('+01:00')
  expect(offsetOf('Europe/Lisbon', Date.UTC(2026, 0, 1))).toBe('+00:00')
  expect(offsetOf('Asia/Kolkata', 0)).toBe('+05:30')
})
