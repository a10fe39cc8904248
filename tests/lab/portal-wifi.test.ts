// A real manager's portal of a Wi-Fi network, which the gateway of its VLAN asks guests for.
import { type Client as Guest, isIn, macs } from './_guests'
import { until } from './_lab'
import { everyWay, guestVlan, type House, led, portalHouse, type Saved, send } from './_portal'

let house: House
let lan: Saved

const enter = (guest: Guest, fields: Record<string, string>) => send(guest, { terms: '1', ...fields })
const rowOf = async (guest: Guest) => (await house.rows(macs[guest]))[0]
const remove = async (guest: Guest) => house.owner.must('guests/remove', { ids: [(await rowOf(guest))?.id] })

beforeAll(async () => {
  house = await portalHouse(everyWay)
  lan = house.lan
})
afterAll(async () => {
  await house?.end()
})

test('a Wi-Fi network’s portal is asked for by the gateway of its VLAN, and nobody is once no network has one', async () => {
  const fields = {
    ...{ name: 'Guest LAN', vlan: guestVlan, address: '192.168.20.1/24' },
    ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.150' },
  }
  lan = (await house.owner.must('settings/lan/save', { ...fields, ...lan })) as Saved
  const air = { name: 'Harbour', security: 'open', vlan: guestVlan, portal: house.portal.id }
  const ssid = await house.owner.must('settings/ssid/save', { ...air, assign: { devices: [], groups: [], all: false } })
  await house.push()
  await led('c1')
  expect(await enter('c1', { method: 'free' })).toContain('You are online')
  await until(() => isIn('c1'))
  await remove('c1')
  await led('c1')
  await house.owner.must('settings/ssid/delete', { ids: [ssid.id] })
  await house.push()
  await until(() => isIn('c1'))
})
