// A client is put off the air by the access point's own hostapd: it alone, at once, and it may come back.
import { until } from '../../lab/_lab'
import { managerWithGuest, mustInGuest } from '../_guest'
import { join, macOf, reaches, type Station } from './_station'

let one: Awaited<ReturnType<typeof managerWithGuest>>
const slowly = { everyMs: 3_000 }
const key = 'correct horse'

beforeAll(async () => {
  one = await managerWithGuest()
  const { revision } = await one.ok('settings/radio/get', {})
  await one.ok('settings/radio/save', { revision, channel2g: 6 })
  await one.ok('settings/ssid/save', { name: 'Café', security: 'wpa2', key, bands: ['2g'] })
  expect(await one.pushed()).toMatchObject({ state: 'applied', reason: '' })
})
afterAll(() => one?.end())

const cafe = Buffer.from('Café').toString('hex')
const psk = (station: Station) => join(station, { ssid: cafe, psk: `"${key}"` })
/** How often a station's own log says that it was put out. */
const disconnects = async (station: Station) =>
  Number(await mustInGuest(`grep -c CTRL-EVENT-DISCONNECTED /run/station${station}/log || true`))
/** Whom the manager sees on the air. */
const onAir = async () => {
  await one.known(one.id)
  const { result } = await one.ok('clients/list', { pageSize: 100, wifi: true })
  return (result as { mac: string; can?: object }[]).filter(({ can }) => can).map(({ mac }) => mac)
}

test('a client is disconnected at once, nobody else is; it comes back, and its trail says who did it', async () => {
  expect(await psk(1)).toMatchObject({ ip: expect.stringContaining('10.78.0.') })
  expect(await psk(2)).toMatchObject({ ip: expect.stringContaining('10.78.0.') })
  await until(async () => {
    const there = await onAir()
    return there.includes(macOf(1)) && there.includes(macOf(2))
  }, slowly)
  const before = [await disconnects(1), await disconnects(2)]
  const macs = [macOf(1), '02:00:00:00:99:00']
  expect(await one.ok('clients/kick', { macs })).toEqual({ kicked: [macOf(1)], left: ['02:00:00:00:99:00'] })
  await until(async () => (await disconnects(1)) === (before[0] ?? 0) + 1, slowly)
  expect(await disconnects(2)).toBe(before[1])
  // wpa_supplicant joins again by itself.
  await until(() => reaches(1, '10.78.0.1'), slowly)
  const events = async () => JSON.stringify(await one.ok('clients/roaming', { mac: macOf(1) }))
  await until(async () => (await events()).includes('"kicked"'), slowly)
})
