// Which channels an access point may use, country by country.
import { countryCodes } from '@/model/places'
import { allowedIn } from '@/server/networks/settings/regulatory'

const channels = (country: string, band: '2g' | '5g' | '6g') => allowedIn(country)?.[band].map(one => one.channel)
const listens = (country: string, channel: number) =>
  allowedIn(country)?.['5g'].find(one => one.channel === channel)?.listenSeconds

test.each([
  ['PT', 13],
  ['US', 11],
  ['JP', 13],
])('2.4 GHz in %s goes up to channel %i', (country, last) => {
  expect(channels(country, '2g')).toEqual(Array.from({ length: last }, (_, at) => at + 1))
})

test.each([
  ['PT', 36, 0],
  ['PT', 52, 60],
  ['PT', 100, 60],
  ['PT', 116, 60],
  ['PT', 120, 600],
  ['PT', 128, 600],
  ['PT', 132, 60],
  ['PT', 144, undefined],
  ['US', 36, 0],
  ['US', 124, 60],
  ['US', 144, 60],
  ['US', 149, 0],
  ['JP', 149, undefined],
])('EN 301 893, FCC 15.407: in %s channel %i of 5 GHz is listened on for %s seconds', (country, channel, seconds) => {
  expect(listens(country, channel)).toBe(seconds)
})

test('6 GHz: 480 MHz in Europe; none where the kernel lets nobody begin', () => {
  expect(channels('DE', '6g')?.at(0)).toBe(1)
  expect(channels('DE', '6g')?.at(-1)).toBe(93)
  expect(channels('US', '6g')).toEqual([])
})

test('nearly every country is known, and one that is not says so', () => {
  const unknown = countryCodes.filter(one => !allowedIn(one))
  expect(unknown.length).toBeLessThan(countryCodes.length / 3)
  expect(allowedIn('XX')).toBeUndefined()
})
