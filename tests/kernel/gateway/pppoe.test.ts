// A provider that is dialled: pppd of a pushed gateway, a real concentrator, data through both by a client of the LAN.
import { until } from '../../lab/_lab'
import { inGuest, managerWithGuest, mustInGuest } from '../_guest'

let one: Awaited<ReturnType<typeof managerWithGuest>>

beforeAll(async () => {
  one = await managerWithGuest()
})
afterAll(() => one?.end())

const server = 'http://192.88.99.7'
/** The address by which the LAN's client is seen in the internet; nothing where it does not get there. */
const seenAs = async () => (await inGuest(`ip netns exec client curl -s -m 20 ${server}/cgi-bin/address`)).stdout.trim()

test('PPPoE in a VLAN: signed in by CHAP, the LAN reaches the internet by the address that the provider gave', async () => {
  expect(await seenAs()).toBe('')
  const dialled = { connection: 'pppoe', user: 'line 7', password: 'open "sesame"', service: 'lines', vlan: 7 }
  await one.ok('settings/wan/save', { name: 'Line', interface: 'wan0', ...dialled })
  expect(await one.pushed()).toMatchObject({ state: 'applied', reason: '', detail: '' })
  // The ways are judged by what answers behind them, once a second.
  await until(async () => (await seenAs()) === '203.0.113.100', { everyMs: 3_000 })
  // More than a packet: what does not fit the tunnel's frames is told to the server, which sends smaller ones.
  await mustInGuest('head -c 2000000 /dev/zero >/etc/lab/internet/large')
  const fetch = `ip netns exec client curl -s -m 100 ${server}/large | wc -c`
  expect((await inGuest(fetch)).stdout.trim()).toBe('2000000')
})
