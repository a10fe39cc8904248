// When a schedule is on by the clock of a zone, and when that changes.
import { openingAt } from '@/model/profiles/opening'

const at = (text: string) => Date.parse(text)
const office = { weekly: 'mon-fri 08:00-12:00,13:00-18:30; sun 22:00-24:00', dates: [] }
const night = { weekly: 'mon 00:00-02:00; sun 22:00-24:00', dates: [] }
const always = { weekly: 'mon-sun 00:00-24:00', dates: [] }
const feast = {
  weekly: 'mon-fri 08:00-18:00',
  dates: [
    { date: '2026-12-24', times: '' },
    { date: '2026-12-26', times: '10:00-11:00' },
  ],
}

// 2026-11-30 is a Monday.
test.each([
  ['before it opens', office, 'UTC', '2026-11-30T07:59:59Z', false, '2026-11-30T08:00:00Z'],
  ['the moment it opens', office, 'UTC', '2026-11-30T08:00:00Z', true, '2026-11-30T12:00:00Z'],
  ['in the break', office, 'UTC', '2026-11-30T12:00:00Z', false, '2026-11-30T13:00:00Z'],
  ['in the last half hour', office, 'UTC', '2026-11-30T18:29:59Z', true, '2026-11-30T18:30:00Z'],
  ['on Saturday', office, 'UTC', '2026-11-28T10:00:00Z', false, '2026-11-29T22:00:00Z'],
  ['through midnight', night, 'UTC', '2026-11-29T23:00:00Z', true, '2026-11-30T02:00:00Z'],
  [
    'by the clock of the zone, not by UTC',
    office,
    'Asia/Kolkata',
    '2026-11-30T03:00:00Z',
    true,
    '2026-11-30T06:30:00Z',
  ],
  ['always', always, 'UTC', '2026-11-30T03:00:00Z', true, undefined],
  ['on a date that is off', feast, 'UTC', '2026-12-24T10:00:00Z', false, '2026-12-25T08:00:00Z'],
  ['on a date with times of its own, a Saturday', feast, 'UTC', '2026-12-26T10:15:00Z', true, '2026-12-26T11:00:00Z'],
  [
    'before a date in half a year',
    { weekly: '', dates: [{ date: '2027-05-01', times: '09:00-10:00' }] },
    'Europe/Berlin',
    '2026-11-30T10:00:00Z',
    false,
    '2027-05-01T07:00:00Z',
  ],
  [
    'after the last date',
    { weekly: '', dates: [{ date: '2026-05-01', times: '09:00-10:00' }] },
    'UTC',
    '2026-11-30T10:00:00Z',
    false,
    undefined,
  ],
  [
    'in the night when clocks go forward',
    { weekly: 'sun 01:00-04:00', dates: [] },
    'Europe/Berlin',
    '2026-03-29T00:30:00Z',
    true,
    '2026-03-29T02:00:00Z',
  ],
  [
    'in the night when clocks go back',
    { weekly: 'sun 01:00-04:00', dates: [] },
    'Europe/Berlin',
    '2026-10-25T00:30:00Z',
    true,
    '2026-10-25T03:00:00Z',
  ],
] as const)('G16: %s', (_, schedule, zone, moment, open, change) => {
  const found = openingAt(schedule as unknown as typeof office, zone, at(moment))
  expect(found.open).toBe(open)
  const changes = found.open ? found.until : found.next
  expect(changes === undefined ? undefined : new Date(changes).toJSON()).toBe(change?.replace('Z', '.000Z'))
})
