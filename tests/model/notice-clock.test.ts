import { dayAt, momentAt, quietEnd, spanOf } from '@/model/notify/clock'

const zone = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)
const told = (span: { from: number; until: number } | undefined) =>
  span && [new Date(span.from).toISOString(), new Date(span.until).toISOString()]

test.each([
  ['2026-01-15', '22:30', '2026-01-15T21:30:00Z'],
  ['2026-07-15', '22:30', '2026-07-15T20:30:00Z'],
  // The clock skips from 2 to 3, and has 2 to 3 twice.
  ['2026-03-29', '02:30', '2026-03-29T01:30:00Z'],
  ['2026-10-25', '02:30', '2026-10-25T01:30:00Z'],
])('%s %s in Berlin is %s', (day, time, moment) => expect(momentAt(zone, day, time)).toBe(at(moment)))

test('the day of a moment is the zone’s', () => {
  expect(dayAt('Pacific/Auckland', at('2026-11-22T12:00:00Z'))).toBe('2026-11-23')
  expect(dayAt('America/Los_Angeles', at('2026-11-22T02:00:00Z'), 1)).toBe('2026-11-22')
})

const once = { repeat: 'once', date: '2026-11-22', time: '23:00', minutes: 120 } as const
const weekly = { repeat: 'weekly', weekday: 0, time: '23:00', minutes: 120 } as const
const span = ['2026-11-22T22:00:00.000Z', '2026-11-23T00:00:00.000Z']

test.each([
  [once, '2026-11-20T00:00:00Z', span],
  [once, '2026-11-22T23:59:59Z', span],
  [once, '2026-11-23T00:00:00Z', undefined],
  [weekly, '2026-11-22T22:00:00Z', span],
  // Over midnight, on the Monday after.
  [weekly, '2026-11-22T23:59:59Z', span],
  [weekly, '2026-11-23T00:00:00Z', ['2026-11-29T22:00:00.000Z', '2026-11-30T00:00:00.000Z']],
  // A whole week long it never ends.
  [{ ...weekly, minutes: 10_080 }, '2026-11-22T21:59:59Z', ['2026-11-15T22:00:00.000Z', '2026-11-22T22:00:00.000Z']],
])('%j at %s', (window, now, expected) => expect(told(spanOf(window, zone, at(now)))).toEqual(expected))

test.each([
  ['22:00', '07:00', '2026-11-22T20:59:59Z', undefined],
  ['22:00', '07:00', '2026-11-22T21:00:00Z', '2026-11-23T06:00:00.000Z'],
  ['22:00', '07:00', '2026-11-23T05:59:59Z', '2026-11-23T06:00:00.000Z'],
  ['22:00', '07:00', '2026-11-23T06:00:00Z', undefined],
  ['12:00', '13:00', '2026-11-22T11:30:00Z', '2026-11-22T12:00:00.000Z'],
  // The night in which the clock is set back is an hour longer.
  ['22:00', '07:00', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
])('quiet from %s to %s at %s', (from, until, now, end) => {
  const found = quietEnd(zone, from, until, at(now))
  expect(found && new Date(found).toISOString()).toBe(end)
})
