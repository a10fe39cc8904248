import { matching } from '@/app/_ui/listbox'
import { zoneOption } from '@/app/_ui/zone-field'
import { isTimezone, presentName, timezoneIds } from '@/model/places'
import { zonesByName } from '@/model/zone-names'

const countries = new Intl.DisplayNames(['en'], { type: 'region' })
const options = timezoneIds().map(name => zoneOption(name, Date.UTC(2026, 10, 21), countries))
const found = (typed: string) => matching(options, typed).map(option => option.value)

test('each zone stands in the list once, by its present name, with its distance from UTC', () => {
  const ids = timezoneIds()
  expect(ids[0]).toBe('UTC')
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk', 'Etc/GMT+5']))
  expect(ids.filter(name => presentName(name) !== name)).toEqual([])
  expect(options.find(one => one.value === 'Asia/Kolkata')?.help).toBe('UTC+05:30')
})

test('every name of the table is the zone that the runtime takes it for', () => {
  const zoneOf = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  const known = [...zonesByName()].filter(([name]) => isTimezone(name))
  expect(known.length).toBeGreaterThan(580)
  expect(known.filter(([name, zone]) => zoneOf(name) !== zoneOf(zone.name)).map(([name]) => name)).toEqual([])
})

test.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['calcutta', 'Asia/Kolkata'],
  ['IST', 'Asia/Kolkata'],
  ['IST', 'Europe/Dublin'],
  ['IST', 'Asia/Jerusalem'],
  ['india', 'Asia/Kolkata'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['los angeles', 'America/Los_Angeles'],
  ['ho chi minh', 'Asia/Ho_Chi_Minh'],
  ['saigon', 'Asia/Ho_Chi_Minh'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['CEST', 'Europe/Berlin'],
  ['Zulu', 'UTC'],
])('"%s" finds %s', (typed, zone) => {
  expect(found(typed)).toContain(zone)
})

test.each(['Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific', 'GB', 'UTC', 'Etc/GMT+5'])('%s is taken', name => {
  expect(isTimezone(name)).toBe(true)
})
test.each(['asia/kolkata', 'IST', '+05:30', 'Mars/Base', '', 'Factory'])('"%s" is none', name => {
  expect(isTimezone(name)).toBe(false)
})
