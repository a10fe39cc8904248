// Rule G16 at its edges: schedules, their times, dates and names.
import { parseFields } from '@/model/field-errors'
import { check } from '@/model/kind'
import { schedule } from '@/model/profiles/schedule'
import { daySlots, dayText, slotTime, weekSlots, weekText } from '@/model/slots'

const weekly = (text: unknown) => parseFields(schedule.fields, { name: 'Office', weekly: text })
const accepted = (text: string) => {
  const parsed = weekly(text)
  return 'data' in parsed ? parsed.data.weekly : parsed.fields.weekly
}

test.each([
  ['mon 00:00-24:00', 'mon 00:00-24:00'],
  ['mon 23:30-24:00', 'mon 23:30-24:00'],
  ['', ''],
  ['tue 08:00-09:00; mon 08:00-09:00', 'mon-tue 08:00-09:00'],
  ['Mon-Sun 08:00-08:30,08:30-09:00', 'mon-sun 08:00-09:00'],
  ['mon 10:00-12:00, 08:00-11:00', 'mon 08:00-12:00'],
  ['mon 08:00-09:00; wed 08:00-09:00;', 'mon 08:00-09:00; wed 08:00-09:00'],
  ['mon 08:15-09:00', 'slotStep'],
  ['mon 08:00-24:30', 'slotStep'],
  ['mon 25:00-26:00', 'slotStep'],
  ['mon 08:00-08:00', 'endAfterStart'],
  ['mon 18:00-08:00', 'endAfterStart'],
  ['mon 8:00-9:00', 'slots'],
  ['mon 08:00', 'slots'],
  ['day 08:00-09:00', 'slots'],
  ['fri-mon 08:00-09:00', 'slots'],
  ['mon 08:00-09:00; mon 10:00-11:00', 'duplicate'],
])('G16 weekly: %j gives %j', (text, expected) => expect(accepted(text)).toBe(expected))

test('G16: 48 slots of 30 minutes, and each text comes back from its slots', () => {
  expect([0, 1, 47, 48].map(slotTime)).toEqual(['00:00', '00:30', '23:30', '24:00'])
  for (let slot = 0; slot < 48; slot++) {
    const text = `${slotTime(slot)}-${slotTime(slot + 1)}`
    const slots = daySlots(text)
    expect(slots).toHaveLength(48)
    expect(slots.filter(Boolean)).toHaveLength(1)
    expect(dayText(slots)).toBe(text)
  }
  const text = 'mon-wed 08:00-12:00,13:00-18:00; fri 00:00-24:00; sun 22:00-24:00'
  expect(weekText(weekSlots(text))).toBe(text)
})

test.each([
  ['Office hours - 2.OG_a', undefined],
  ['Öffnung 営業', undefined],
  ['a'.repeat(64), undefined],
  ['a'.repeat(65), 'tooLong'],
  ['Office, hours', 'plainName'],
  ['Office!', 'plainName'],
  ['a"b', 'plainName'],
  ['', 'required'],
])('G16 name: %j', (name, expected) => {
  const parsed = check(schedule, { name, weekly: 'mon 08:00-09:00' })
  expect('fields' in parsed ? parsed.fields.name : undefined).toBe(expected)
})

test.each([
  [[{ date: '2026-12-24', times: '08:00-12:00' }], undefined],
  [[{ date: '2028-02-29', times: '00:00-24:00' }], undefined],
  [[{ date: '2026-02-29', times: '08:00-12:00' }], { 'dates.0.date': 'date' }],
  [[{ date: '24.12.2026', times: '08:00-12:00' }], { 'dates.0.date': 'date' }],
  [[{ date: '2026-12-24', times: '12:00-08:00' }], { 'dates.0.times': 'endAfterStart' }],
  [
    [
      { date: '2026-12-24', times: '08:00-12:00' },
      { date: '2026-12-24', times: '' },
    ],
    { 'dates.1.date': 'duplicate' },
  ],
  [[{ date: '2026-12-24' }], { weekly: 'scheduleEmpty' }],
  [[], { weekly: 'scheduleEmpty' }],
])('G16 dates: %j', (dates, expected) => {
  const parsed = check(schedule, { name: 'Office', weekly: '', dates })
  expect('fields' in parsed ? parsed.fields : undefined).toEqual(expected)
})
