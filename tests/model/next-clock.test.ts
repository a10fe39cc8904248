// The next moment at which a clock shows a time, where clocks change, too.
import { nextClock } from '@/model/places'

const at = (text: string) => Date.parse(text)
test.each([
  ['UTC', '04:00', '2026-11-29T03:59:59Z', '2026-11-29T04:00:00Z'],
  ['UTC', '04:00', '2026-11-29T04:00:00Z', '2026-11-30T04:00:00Z'],
  ['UTC', '00:00', '2026-11-29T23:59:59.999Z', '2026-11-30T00:00:00Z'],
  ['Asia/Kathmandu', '04:30', '2026-11-29T00:00:00Z', '2026-11-29T22:45:00Z'],
  ['America/New_York', '23:30', '2026-11-29T04:00:00Z', '2026-11-29T04:30:00Z'],
  // Clocks go forward at 2:00 on 29 March and back at 3:00 on 25 October.
  ['Europe/Berlin', '04:00', '2026-03-28T12:00:00Z', '2026-03-29T02:00:00Z'],
  ['Europe/Berlin', '01:30', '2026-03-28T12:00:00Z', '2026-03-29T00:30:00Z'],
  ['Europe/Berlin', '04:00', '2026-10-24T12:00:00Z', '2026-10-25T03:00:00Z'],
  ['Europe/Berlin', '04:00', '2026-10-25T03:00:00Z', '2026-10-26T03:00:00Z'],
])('in %s the clock shows %s next after %s at %s', (zone, time, after, expected) =>
  expect(new Date(nextClock(zone, time, at(after))).toISOString()).toBe(new Date(expected).toISOString()),
)

test('on a day that skips the time it is an hour before it, and the day after the time itself', () => {
  const skipped = nextClock('Europe/Berlin', '02:30', at('2026-03-28T12:00:00Z'))
  expect(new Date(skipped).toISOString()).toBe('2026-03-29T00:30:00.000Z')
  expect(new Date(nextClock('Europe/Berlin', '02:30', skipped)).toISOString()).toBe('2026-03-30T00:30:00.000Z')
})
