// Stations on the air of a pushed access point: who has the key joins, gets an address from behind the cable and is let through.
import { until } from '../../lab/_lab'
import { managerWithGuest, mustInGuest } from '../_guest'
import { join, macOf, reaches, type Station } from './_station'

let one: Awaited<ReturnType<typeof managerWithGuest>>
type Saved = { id: string; revision: number }
const saved: Record<string, Saved> = {}

const slowly = { everyMs: 3_000 }
const applied = { state: 'applied', reason: '' }
const key = 'correct horse'
const bands = ['2g']
const networks = {
  Café: { security: 'wpa2', key },
  Three: { security: 'wpa3', key },
  Anybody: { security: 'owe' },
  Tagged: { security: 'wpa2', key, vlan: 10, isolation: true },
  Rooms: { security: 'ppsk' },
  Office: { security: 'wpa2Enterprise' },
}
type Name = keyof typeof networks

const save = async (kind: string, data: object) =>
  (await one.ok(`settings/${kind}/save`, data)) as Saved & Record<string, unknown>

async function saveNetwork(name: Name, more: object = {}) {
  const { id, revision } = await save('ssid', { ...saved[name], name, bands, ...networks[name], ...more })
  saved[name] = { id, revision }
}

beforeAll(async () => {
  await mustInGuest('/etc/lab/radius')
  one = await managerWithGuest()
  const { revision } = await one.ok('settings/radio/get', {})
  await save('radio', { revision, channel2g: 6 })
  const { id: radius } = await save('radius', { name: 'Office', server: '10.78.0.1', secret: 'radius secret' })
  for (const name of Object.keys(networks) as Name[]) await saveNetwork(name, name === 'Office' ? { radius } : {})
  const ssid = saved.Rooms?.id
  await save('ppsk', { name: 'Ten', key: 'key of room 10', ssid, vlan: 10 })
  await save('ppsk', { name: 'Twenty', key: 'key of room 20', ssid, vlan: 20 })
  await save('ppsk', { name: 'Reception', key: 'key of reception', ssid })
  expect(await one.pushed()).toMatchObject(applied)
})
afterAll(() => one?.end())

const hex = (name: Name) => Buffer.from(name).toString('hex')
const quoted = (text: string) => `"${text}"`
const psk = (station: Station, name: Name, text = key) => join(station, { ssid: hex(name), psk: quoted(text) })
const gateway = (vlan: 0 | 10 | 20) => `10.78.${vlan}.1`
const addressIn = (vlan: 0 | 10 | 20) => expect.stringMatching(new RegExp(`^10\\.78\\.${vlan}\\.1\\d\\d$`))
const wrongKey = { refused: expect.stringContaining('WRONG_KEY') }

test('WPA2: a station with the key joins, gets an address and is let through; with another key it is not let in', async () => {
  expect(await psk(1, 'Café')).toMatchObject({ key_mgmt: 'WPA2-PSK', ip: addressIn(0) })
  expect(await reaches(1, gateway(0))).toBe(true)
  // A reading that was under way when it joined may have asked for stations before.
  await until(async () => {
    await one.known(one.id)
    const { result } = await one.ok('clients/list', { pageSize: 100 })
    return (result as { mac: string; ssid?: string }[]).some(({ mac, ssid }) => mac === macOf(1) && ssid === 'Café')
  }, slowly)
  expect(await psk(2, 'Café', 'another horse')).toMatchObject(wrongKey)
})

test('WPA3: a station joins by SAE', async () => {
  const sae = { ssid: hex('Three'), key_mgmt: 'SAE', ieee80211w: '2', sae_password: quoted(key) }
  expect(await join(2, sae)).toMatchObject({ key_mgmt: 'SAE', ip: addressIn(0) })
  expect(await reaches(2, gateway(0))).toBe(true)
})

test('Enhanced Open: a station joins without a key, encrypted', async () => {
  const owe = { ssid: hex('Anybody'), key_mgmt: 'OWE', ieee80211w: '2' }
  expect(await join(3, owe)).toMatchObject({ key_mgmt: 'OWE', pairwise_cipher: 'CCMP', ip: addressIn(0) })
  expect(await reaches(3, gateway(0))).toBe(true)
})

test('private keys: each leads into its own VLAN, one that nobody has into none', async () => {
  expect(await psk(1, 'Rooms', 'key of room 10')).toMatchObject({ ip: addressIn(10) })
  expect(await psk(2, 'Rooms', 'key of room 20')).toMatchObject({ ip: addressIn(20) })
  const third = await psk(3, 'Rooms', 'key of reception')
  expect(third).toMatchObject({ ip: addressIn(0) })
  expect(await reaches(1, gateway(10))).toBe(true)
  expect(await reaches(2, gateway(20))).toBe(true)
  expect(await reaches(3, gateway(0))).toBe(true)
  expect(await reaches(1, third.ip ?? '')).toBe(false)
  expect(await psk(3, 'Rooms', 'key of nobody')).toMatchObject(wrongKey)
})

test('802.1X: who the RADIUS server knows joins, with another password nobody', async () => {
  const peap = (password: string) => ({
    ssid: hex('Office'),
    ...{ key_mgmt: 'WPA-EAP', eap: 'PEAP', identity: quoted('carol'), phase2: quoted('auth=MSCHAPV2') },
    password: quoted(password),
  })
  expect(await join(1, peap('carol & co'))).toMatchObject({ ip: addressIn(0) })
  expect(await reaches(1, gateway(0))).toBe(true)
  expect(await join(2, peap('carol'))).toMatchObject({ refused: expect.stringContaining('EAP-FAILURE') })
})

test('a network of a VLAN leads there; isolated, its stations reach the gateway and not each other', async () => {
  const [first, second] = [await psk(1, 'Tagged'), await psk(2, 'Tagged')]
  expect([first, second]).toMatchObject([{ ip: addressIn(10) }, { ip: addressIn(10) }])
  expect(await reaches(1, gateway(10))).toBe(true)
  expect(await reaches(1, second.ip ?? '')).toBe(false)
  await saveNetwork('Tagged', { isolation: false })
  expect(await one.pushed()).toMatchObject(applied)
  const [again, other] = [await psk(1, 'Tagged'), await psk(2, 'Tagged')]
  expect(again).toMatchObject({ ip: addressIn(10) })
  expect(await reaches(1, other.ip ?? '')).toBe(true)
})

test('a rule of a network holds between two of its clients; what it lets through reaches them', async () => {
  const [first, second] = [await psk(1, 'Tagged'), await psk(2, 'Tagged')]
  expect([first, second]).toMatchObject([{ ip: addressIn(10) }, { ip: addressIn(10) }])
  const rule = { name: 'Apart', ssid: saved.Tagged?.id }
  const { id, revision } = await save('wirelessRule', { ...rule, destinations: ['192.0.2.1'] })
  expect(await one.pushed()).toMatchObject(applied)
  await until(() => reaches(1, second.ip ?? ''), slowly)
  await save('wirelessRule', { id, revision, ...rule, destinations: [second.ip] })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reaches(1, second.ip ?? '')).toBe(false)
  expect(await reaches(1, gateway(10))).toBe(true)
  await one.ok('settings/wirelessRule/delete', { ids: [id] })
  expect(await one.pushed()).toMatchObject(applied)
  await until(() => reaches(1, second.ip ?? ''), slowly)
})

test('a rule of a network is about clients whom their key puts into a VLAN, too', async () => {
  expect(await psk(1, 'Rooms', 'key of room 10')).toMatchObject({ ip: addressIn(10) })
  expect(await reaches(1, gateway(10))).toBe(true)
  const rule = { name: 'Not there', ssid: saved.Rooms?.id, destinations: [gateway(10)] }
  const { id } = await save('wirelessRule', rule)
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reaches(1, gateway(10))).toBe(false)
  await one.ok('settings/wirelessRule/delete', { ids: [id] })
  expect(await one.pushed()).toMatchObject(applied)
  await until(() => reaches(1, gateway(10)), slowly)
})

const refused = { refused: expect.stringContaining('AUTH-REJECT') }

test('a list of a network lets in those on it and nobody else', async () => {
  await saveNetwork('Café', { macFilter: 'allow', macList: [macOf(1)] })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await psk(1, 'Café')).toMatchObject({ ip: addressIn(0) })
  expect(await psk(2, 'Café')).toMatchObject(refused)
})

test('a blocked client is put out at once, nobody else is, and it is let in again when it is off the list', async () => {
  expect(await psk(2, 'Tagged')).toMatchObject({ ip: addressIn(10) })
  expect(await reaches(1, gateway(0))).toBe(true)
  const { id } = await save('blockedClient', { mac: macOf(1) })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reaches(1, gateway(0))).toBe(false)
  expect(await reaches(2, gateway(10))).toBe(true)
  expect(await psk(1, 'Café')).toMatchObject(refused)
  await one.ok('settings/blockedClient/delete', { ids: [id] })
  expect(await one.pushed()).toMatchObject(applied)
  expect(await reaches(2, gateway(10))).toBe(true)
  expect(await psk(1, 'Café')).toMatchObject({ ip: addressIn(0) })
})
