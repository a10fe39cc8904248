// The manager's own RADIUS server with an access point that it set up: real FreeRADIUS, real hostapd, stations on radios of
// their own. Who signs in comes into their VLAN, is accounted for, and is out when they may be in no more.
import { disconnect } from '@/server/guests/radius/client'
import { startRadius } from '@/server/guests/radius/here/start'
import { radiusSecret } from '@/server/networks/settings/radius-here'
import { until } from '../../lab/_lab'
import { type LabRadius, startSupervisorBeside } from '../../lab/_radius'
import { inGuest, managerWithGuest, mustInGuest } from '../_guest'
import { join, macOf, reaches, type Station } from './_station'

let one: Awaited<ReturnType<typeof managerWithGuest>>
let radius: LabRadius
const name = 'Office'
const slowly = { everyMs: 1_000 }
const users: Record<string, { id: string; revision: number }> = {}

async function user(fields: { name: string; password?: string; vlan?: number }) {
  const saved = await one.ok('settings/radiusUser/save', { ...users[fields.name], enabled: true, ...fields })
  users[fields.name] = { id: String(saved.id), revision: Number(saved.revision) }
}
const quoted = (text: string) => `"${text}"`
const authority = '/run/authority.crt'
const network = { ssid: Buffer.from(name).toString('hex'), key_mgmt: 'WPA-EAP', ca_cert: quoted(authority) }
const server = { domain_match: quoted('radius.lanward.internal') }
const peap = (station: Station, identity: string, password: string) =>
  join(station, {
    ...{ ...network, ...server, eap: 'PEAP', identity: quoted(identity), phase2: quoted('auth=MSCHAPV2') },
    password: quoted(password),
  })
const gateway = (vlan: 0 | 10 | 20) => `10.78.${vlan}.1`
const addressIn = (vlan: 0 | 10 | 20) => expect.stringMatching(new RegExp(`^10\\.78\\.${vlan}\\.1\\d\\d$`))
const isIn = async (mac: string) => (await mustInGuest('hostapd_cli -p /run/hostapd -i wlan0 all_sta')).includes(mac)
const accounts = async () =>
  (await one.ok('radius/sessions/list', { pageSize: 100 })).result as Record<string, unknown>[]
const exported = async (query: Record<string, string>) =>
  (await one.browser.raw(`exports/certificate?${new URLSearchParams(query)}`, { method: 'GET' })).text()

beforeAll(async () => {
  radius = startSupervisorBeside()
  one = await managerWithGuest()
  Object.assign(one.runtime().config, { radius: radius.folder })
  await startRadius(one.runtime())
  await user({ name: 'alice', password: 'anchor chain', vlan: 10 })
  await user({ name: 'bob', password: 'bollard rope', vlan: 20 })
  await user({ name: 'carol', password: 'capstan wheel' })
  await user({ name: 'dora', vlan: 10 })
  await one.ok('radius/switch', { on: true })
  const { id } = await one.ok('settings/radius/save', {
    name: 'Here',
    here: true,
    accounting: true,
    accountingInterval: 30,
  })
  const { revision } = await one.ok('settings/radio/get', {})
  await one.ok('settings/radio/save', { revision, channel2g: 6 })
  await one.ok('settings/ssid/save', { name, bands: ['2g'], security: 'wpa2Enterprise', radius: id })
  await until(async () => (await one.ok('radius/get', {})).state === 'running').catch(error => radius.failed(error))
  expect(await one.pushed()).toMatchObject({ state: 'applied', reason: '' })
  await mustInGuest(`cat >${authority}`, await exported({ what: 'authority' }))
})
afterAll(async () => {
  await one?.end()
  radius?.stop()
})

test('each comes into the VLAN of their user, who has none into the network’s own; packets pass there and nowhere else', async () => {
  expect(await peap(1, 'alice', 'anchor chain')).toMatchObject({ ip: addressIn(10) })
  const bob = await peap(2, 'bob', 'bollard rope')
  expect(bob).toMatchObject({ ip: addressIn(20) })
  expect(await peap(3, 'carol', 'capstan wheel')).toMatchObject({ ip: addressIn(0) })
  expect(await reaches(1, gateway(10))).toBe(true)
  expect(await reaches(2, gateway(20))).toBe(true)
  expect(await reaches(3, gateway(0))).toBe(true)
  expect(await reaches(1, bob.ip ?? '')).toBe(false)
  expect(await peap(3, 'carol', 'anchor chain')).toMatchObject({ refused: expect.stringContaining('EAP-FAILURE') })
})

test('who is in, where and since when is known, and how much passed while they are in', async () => {
  const mine = () => accounts().then(rows => rows.find(row => row.name === 'alice'))
  const first = await until(mine, slowly)
  expect(first).toMatchObject({ mac: macOf(1), ssid: name, nas: '10.78.0.3', ended: null })
  await until(async () => {
    await reaches(1, gateway(10))
    return Number((await mine())?.outBytes) > 0
  }, slowly)
})

test('who is deleted is out at once, by the access point’s own answer, and stays out; others stay in', async () => {
  expect(await isIn(macOf(1))).toBe(true)
  await one.ok('settings/radiusUser/delete', { ids: [users.alice?.id] })
  await until(async () => !(await isIn(macOf(1))), { everyMs: 200 })
  expect(await isIn(macOf(2))).toBe(true)
  expect(await peap(1, 'alice', 'anchor chain')).toMatchObject({ refused: expect.stringContaining('EAP-FAILURE') })
  await until(async () => (await accounts()).some(row => row.name === 'alice' && row.ended !== null), slowly)
  // It was no login to the device that did it: hostapd takes requests of the manager alone.
  const at = { host: '10.78.0.3', port: 3799 }
  const secret = radiusSecret(one.runtime().secrets, 1)
  expect(await disconnect({ ...at, secret: 'another secret' }, macOf(2))).toBe(false)
  expect(await isIn(macOf(2))).toBe(true)
  expect(await disconnect({ ...at, secret }, macOf(2))).toBe(true)
})

test('another VLAN of somebody who is in holds at once', async () => {
  expect(await peap(2, 'bob', 'bollard rope')).toMatchObject({ ip: addressIn(20) })
  await user({ name: 'bob', password: 'bollard rope', vlan: 10 })
  await until(
    async () => (await mustInGuest(`hostapd_cli -p /run/hostapd -i wlan0 sta ${macOf(2)}`)).includes('vlan_id=10'),
    slowly,
  )
  expect(await peap(2, 'bob', 'bollard rope')).toMatchObject({ ip: addressIn(10) })
  expect(await reaches(2, gateway(10))).toBe(true)
})

test('a certificate signs in, with the VLAN of its user, until it is revoked', async () => {
  const { id } = await one.ok('certificates/issue', { name: 'dora' })
  await mustInGuest('cat >/run/dora.pem', await exported({ id: String(id), what: 'key' }))
  const tls = () =>
    join(3, {
      ...{ ...network, ...server, eap: 'TLS', identity: quoted('dora') },
      ...{ client_cert: quoted('/run/dora.pem'), private_key: quoted('/run/dora.pem') },
    })
  await until(async () => (await tls()).refused === undefined, slowly)
  expect(await reaches(3, gateway(10))).toBe(true)
  await one.ok('certificates/revoke', { id })
  const revokedAt = Date.now()
  await until(async () => !(await isIn(macOf(3))), { everyMs: 200 })
  // It asks again by itself. wpa_supplicant holds itself for signed in as soon as its certificate was taken, and says no word.
  await until(async () => {
    const { result } = await one.ok('radius/sign-ins/list', { pageSize: 100 })
    return (result as { mac?: string; accepted: boolean; at: number }[]).some(
      row => row.mac === macOf(3) && !row.accepted && row.at > revokedAt,
    )
  }, slowly)
  expect((await inGuest(`hostapd_cli -p /run/hostapd -i wlan0 sta ${macOf(3)}`)).stdout).not.toContain('[AUTHORIZED]')
})
