import { allowedMs, cycleOf, timePolicy } from '@/model/firewall/time-policy'
import { check, type Data } from '@/model/kind'
import { limits } from '@/model/limits'
import { resetsOf } from '@/model/reset-cycle'

const own = { name: 'Children', macs: ['5ccb994e21b7'] }
const cafe = '7b1f7c0e-0f3c-4a53-9a3e-5a0f8f0f0f01'
const ofSsid = { name: 'Café', target: 'ssid', ssid: cafe }
const problems = (data: Data, others: Data[] = []) => {
  const checked = check(timePolicy, data, { others })
  return 'data' in checked ? {} : checked.fields
}

test.each<[rule: string, values: Data, wrong: Data]>([
  ['G21: one minute', { hours: 0, minutes: 1 }, {}],
  ['G21: nothing at all', { hours: 0, minutes: 0 }, { minutes: 'durationZero' }],
  ['G21: 23 hours and 59 minutes', { hours: 23, minutes: 59 }, {}],
  ['G21: 24 hours', { hours: 24 }, { hours: 'tooLarge' }],
  ['G21: 60 minutes', { minutes: 60 }, { minutes: 'tooLarge' }],
  ['G21: 365 days that never begin anew', { days: 365, resetDays: 0 }, {}],
  ['G21: 366 days', { days: 366, resetDays: 0 }, { days: 'tooLarge' }],
  ['G15: never', { resetDays: 0 }, {}],
  ['G15: each year', { resetDays: 365 }, {}],
  ['G15: 366 days', { resetDays: 366 }, { resetDays: 'tooLarge' }],
  ['G15: less than never', { resetDays: -1 }, { resetDays: 'tooSmall' }],
  ['G15: 23:59', { resetTime: '23:59' }, {}],
  ['G15: 24:00', { resetTime: '24:00' }, { resetTime: 'invalidFormat' }],
  ['G15: no time where there is no reset', { resetDays: 0, resetTime: '04:00' }, { resetTime: 'notUsed' }],
  ['as long as from reset to reset', { days: 1, hours: 0 }, { minutes: 'timePolicyLong' }],
  ['a minute less than from reset to reset', { hours: 23, minutes: 59, resetDays: 1 }, {}],
])('%s', (_rule, values, wrong) => expect(problems({ ...own, ...values })).toEqual(wrong))

test('N4: clients are named by their MAC addresses, each once, so many at most', () => {
  expect(problems({ ...own, macs: ['5ccb994e21'] })).toEqual({ 'macs.0': 'mac' })
  expect(problems({ ...own, macs: ['5ccb994e21b7', '5C:CB:99:4E:21:B7'] })).toEqual({ 'macs.1': 'duplicate' })
  const many = Array.from(
    { length: limits.timePolicyMacs + 1 },
    (_, at) => `0200000${at.toString(16).padStart(5, '0')}`,
  )
  expect(problems({ ...own, macs: many.slice(1) })).toEqual({})
  expect(problems({ ...own, macs: many })).toEqual({ macs: 'tooMany' })
})

test('it says whom it is about, and nobody has two', () => {
  expect(problems({ name: 'a' })).toEqual({ macs: 'required' })
  expect(problems({ name: 'a', target: 'ssid' })).toEqual({ ssid: 'required' })
  expect(problems({ ...own, ssid: cafe })).toEqual({ ssid: 'notUsed' })
  const others = [
    { ...own, target: 'clients', macs: ['5c:cb:99:4e:21:b7'], name: 'b' },
    { ...ofSsid, name: 'c', macs: [] },
  ]
  expect(problems(own, others)).toEqual({ macs: 'timePolicyMac' })
  expect(problems({ ...own, macs: ['5ccb994e21b8'] }, others)).toEqual({})
  expect(problems(ofSsid, others)).toEqual({ ssid: 'timePolicySsid' })
  expect(problems({ ...ofSsid, ssid: '7b1f7c0e-0f3c-4a53-9a3e-5a0f8f0f0f02' }, others)).toEqual({})
})

test('G15: seven days are from Monday to Monday, at its minute of the clock', () => {
  const at = (text: string) => Date.parse(text)
  const weekly = cycleOf({ resetDays: 7, resetTime: '06:30' })
  for (const zone of ['Europe/Lisbon', 'Pacific/Apia', 'America/Los_Angeles']) {
    const { last, next } = resetsOf(weekly, zone, at('2026-10-22T12:00:00Z')) ?? { last: 0, next: 0 }
    const wall = (ms: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'long', hour: '2-digit', minute: '2-digit' }).format(
        ms,
      )
    expect([wall(last), wall(next)]).toEqual(['Monday 06:30', 'Monday 06:30'])
  }
  expect(allowedMs({ days: 1, hours: 1, minutes: 1 })).toBe(90_060_000)
})
