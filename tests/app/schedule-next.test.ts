// Rule G16: when a schedule changes next, on the network's wall clock, across clock changes.
import { scheduleStanding, type Times } from '@/app/_form/schedule-next'

const week = (weekly: string, dates: Times['dates'] = []): Times => ({ weekly, dates })
const office = week('mon-fri 08:00-18:00')
const at = (moment: string) => Date.parse(moment)

// 2026-11-23 is a Monday. Lisbon: UTC in winter; clocks go forward on 2026-03-29 at 01:00 and back on 2026-10-25 at 02:00.
test.each<[string, Times, string, string, boolean, string | undefined]>([
  ['off later today', office, 'Europe/Lisbon', '2026-11-23T10:00Z', true, '2026-11-23T18:00Z'],
  ['on tomorrow', office, 'Europe/Lisbon', '2026-11-23T18:00Z', false, '2026-11-24T08:00Z'],
  ['the last minute', office, 'Europe/Lisbon', '2026-11-23T17:59:59Z', true, '2026-11-23T18:00Z'],
  ['over the weekend', office, 'Europe/Lisbon', '2026-11-27T18:00Z', false, '2026-11-30T08:00Z'],
  ['in a zone of quarter hours', office, 'Asia/Kathmandu', '2026-11-23T04:00Z', true, '2026-11-23T12:15Z'],
  ['on all the time', week('mon-sun 00:00-24:00'), 'Europe/Lisbon', '2026-11-23T10:00Z', true, undefined],
  [
    'midnight is no change',
    week('mon 20:00-24:00; tue 00:00-02:00'),
    'Europe/Lisbon',
    '2026-11-23T21:00Z',
    true,
    '2026-11-24T02:00Z',
  ],
  ['a week away', week('mon 08:00-09:00'), 'Europe/Lisbon', '2026-11-23T09:00Z', false, '2026-11-30T08:00Z'],
  [
    'a date instead of its weekday',
    week('mon-fri 08:00-18:00', [{ date: '2026-11-24', times: '' }]),
    'Europe/Lisbon',
    '2026-11-23T18:00Z',
    false,
    '2026-11-25T08:00Z',
  ],
  [
    'a date alone, far away',
    week('', [{ date: '2027-05-01', times: '10:00-12:00' }]),
    'Europe/Lisbon',
    '2026-11-23T10:00Z',
    false,
    '2027-05-01T09:00Z',
  ],
  [
    'a date that is over',
    week('', [{ date: '2026-05-01', times: '10:00-12:00' }]),
    'UTC',
    '2026-11-23T10:00Z',
    false,
    undefined,
  ],
  [
    'the week after many days off',
    week(
      'sun 10:00-11:00',
      ['2026-11-29', '2026-12-06', '2026-12-13'].map(date => ({ date, times: '' })),
    ),
    'Europe/Lisbon',
    '2026-11-23T10:00Z',
    false,
    '2026-12-20T10:00Z',
  ],
  [
    'through the hour that is skipped',
    week('sun 00:00-06:00'),
    'Europe/Lisbon',
    '2026-03-29T00:30Z',
    true,
    '2026-03-29T05:00Z',
  ],
  [
    'an end in the skipped hour',
    week('sun 00:00-01:30'),
    'Europe/Lisbon',
    '2026-03-29T00:30Z',
    true,
    '2026-03-29T01:00Z',
  ],
  [
    'a beginning in the skipped hour',
    week('sun 01:00-03:00'),
    'Europe/Lisbon',
    '2026-03-29T00:30Z',
    false,
    '2026-03-29T01:00Z',
  ],
  [
    'all of it in the skipped hour',
    week('sun 01:00-02:00'),
    'Europe/Lisbon',
    '2026-03-29T00:30Z',
    false,
    '2026-04-05T00:00Z',
  ],
  [
    'through the hour that is there twice',
    week('sun 00:00-06:00'),
    'Europe/Lisbon',
    '2026-10-25T00:15Z',
    true,
    '2026-10-25T06:00Z',
  ],
  [
    'an end in the first of two hours',
    week('sun 00:00-01:30'),
    'Europe/Lisbon',
    '2026-10-24T23:15Z',
    true,
    '2026-10-25T00:30Z',
  ],
  ['on again in the second', week('sun 00:00-01:30'), 'Europe/Lisbon', '2026-10-25T00:45Z', false, '2026-10-25T01:00Z'],
  ['off again in the second', week('sun 00:00-01:30'), 'Europe/Lisbon', '2026-10-25T01:15Z', true, '2026-10-25T01:30Z'],
  // 2026-04-24 begins at 01:00.
  [
    'a day without a midnight',
    week('fri 00:00-04:00'),
    'Africa/Cairo',
    '2026-04-23T20:00Z',
    false,
    '2026-04-23T22:00Z',
  ],
  // Half an hour back on 2026-04-05 at 02:00.
  [
    'a clock set by half an hour',
    week('sun 00:00-04:00'),
    'Australia/Lord_Howe',
    '2026-04-04T14:00Z',
    true,
    '2026-04-04T17:30Z',
  ],
])('%s', (_, times, zone, now, on, changes) => {
  expect(scheduleStanding(times, at(now), zone)).toEqual({ on, ...(changes && { changes: at(changes) }) })
})
