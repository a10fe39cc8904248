// The Captive Portal API (RFC 8908): what a phone is told of itself, and who is told nothing.
import { eq } from 'drizzle-orm'
import { guests as guestRows } from '@/db/schema'
import { gateKey } from '@/server/devices/change/plan/gate'
import { answerGuest } from '@/server/guests/portal/answer'
import { answerApi } from '@/server/guests/portal/api'
import { signature } from '@/server/guests/portal/signed'
import { saveBlocks } from '@/server/guests/sessions/blocks'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { every, type Guest, type House, house, used } from './_house'

let one: House
let guests = 0
/** A device that nobody has seen before; its gateway knows it by its address. */
function device(): Guest {
  guests += 1
  const guest = { mac: `02:00:00:00:00:${guests.toString(16).padStart(2, '0')}`, ip: `10.66.0.${guests + 1}` }
  one.gateway.hosts.set(guest.ip, { mac: guest.mac, lan: one.lan })
  return guest
}

beforeAll(async () => {
  one = await house({ ...every, landing: 'https://house.example/' })
})
afterAll(() => one.end())

const host = 'wifi.house.example:8880'
const byTls = { host, 'x-lanward-portal': '1', 'x-forwarded-proto': 'https' }
const asking = (ip: string, more: Record<string, string> = {}, lan = one.lan) =>
  new Request(`http://localhost/portal/${lan}/api`, { headers: { ...byTls, 'x-lanward-remote': ip, ...more } })
async function ask(ip: string, more?: Record<string, string>, lan = one.lan) {
  const answer = await answerApi(lan, asking(ip, more, lan))
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}
const page = (ip: string, headers: Record<string, string> = {}, query = '') =>
  answerGuest(
    one.lan,
    new Request(`http://localhost/portal/${one.lan}${query}`, {
      headers: { ...byTls, 'x-lanward-remote': ip, 'accept-language': 'en', ...headers },
    }),
  )

test('a phone that is not in is told where to sign in, and nothing of time', async () => {
  const { status, headers, body } = await ask(`::ffff:${device().ip}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/captive+json')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(body).toEqual({
    captive: true,
    'user-portal-url': `https://${host}/portal/${one.lan}`,
    'venue-info-url': 'https://house.example/',
  })
})

test('once it is in it is told so, with what is left, until it is out', async () => {
  const guest = device()
  expect((await ask(guest.ip)).body.captive).toBe(true)
  const [code = ''] = one.codes(1, { seconds: 7200, byteLimitMb: 5 })
  await one.send(guest, { method: 'voucher', code })
  const { body } = await ask(guest.ip)
  expect(body).toMatchObject({ captive: false, 'can-extend-session': false, 'bytes-remaining': 5 * 1_048_576 })
  expect(body['seconds-remaining']).toBeLessThanOrEqual(7200)
  expect(body['seconds-remaining']).toBeGreaterThan(7100)
  await one.send(guest, { act: 'leave' })
  expect((await ask(guest.ip)).body).toEqual({
    ...{ captive: true, 'user-portal-url': `https://${host}/portal/${one.lan}` },
    'venue-info-url': 'https://house.example/',
  })
})

test('bytes are what the gateway counts; who has used all is captive again, and who has no limit hears of none', async () => {
  const [guest, free] = [device(), device()]
  const [code = ''] = one.codes(1, { byteLimitMb: 5 })
  await one.send(guest, { method: 'voucher', code })
  await one.send(free, { method: 'free' })
  expect((await ask(free.ip)).body).not.toHaveProperty('bytes-remaining')
  used(one.gateway, guest.mac, 2 * 1_048_576)
  await lookAtGuests(one.manager.runtime, 1)
  expect((await ask(guest.ip)).body['bytes-remaining']).toBe(3 * 1_048_576)
  used(one.gateway, guest.mac, 5 * 1_048_576)
  await lookAtGuests(one.manager.runtime, 1)
  expect((await ask(guest.ip)).body.captive).toBe(true)
})

test('nobody is told to be in before a gateway lets in', async () => {
  const guest = device()
  await one.send(guest, { method: 'free' })
  const own = eq(guestRows.mac, guest.mac)
  // As between the session's beginning and the gateway's word.
  one.manager.runtime.db.update(guestRows).set({ readings: '{}' }).where(own).run()
  expect((await ask(guest.ip)).body.captive).toBe(true)
  one.manager.runtime.db.update(guestRows).set({ readings: '{"1":0}' }).where(own).run()
  expect((await ask(guest.ip)).body.captive).toBe(false)
})

test('a blocked device is captive, and led to the page that says so', async () => {
  const guest = device()
  await one.send(guest, { method: 'free' })
  const block = { network: 1, until: null, note: '', at: Date.now(), by: 'x' }
  one.manager.runtime.db.transaction(() => saveBlocks(one.manager.runtime, [guest.mac], block))
  const { body } = await ask(guest.ip)
  expect(body.captive).toBe(true)
  const led = await page(guest.ip)
  expect(led.status).toBe(302)
  const there = await page(guest.ip, {}, new URL(`http://x${led.headers.get('location')}`).search)
  expect(await there.text()).toContain('This device is blocked')
})

test('the portal’s name leads to the page of who asks, signed as a gateway would', async () => {
  const guest = device()
  const led = await page(guest.ip)
  expect(led.headers.get('location')).toMatch(
    new RegExp(`^/portal/${one.lan}\\?mac=02%3A00%3A.*&ip=${guest.ip}&at=\\d+&sig=[0-9a-f]{64}$`),
  )
  const { search, searchParams } = new URL(`http://x${led.headers.get('location')}`)
  expect(searchParams.get('mac')).toBe(guest.mac)
  const shown = await page(guest.ip, {}, search)
  expect([shown.status, (await shown.text()).includes('Welcome to the Wi-Fi')]).toEqual([200, true])
  await one.send(guest, { method: 'free' })
  const again = await page(guest.ip, {}, search)
  expect(await again.text()).toContain('You are online')
})

test('whom no gateway knows is led to the gateway, which says who it is; who kept a session is not', async () => {
  expect((await page('10.66.0.252')).headers.get('location')).toBe('http://192.0.2.1/')
  const guest = device()
  const { cookie } = await one.send(guest, { method: 'free' })
  const kept = await page('10.66.0.253', { cookie })
  expect([kept.status, (await kept.text()).includes('You are online')]).toEqual([200, true])
})

test.each([
  ['an address of another network', '192.0.2.7', {}, 403],
  ['the gateway itself, which translates addresses', '198.51.100.1', {}, 403],
  ['a host that no gateway knows', '10.66.0.251', {}, 403],
  ['an address that says more', '10.66.0.2, 10.66.0.3', {}, 403],
  ['nothing that is an address', "10.66.0.2';--", {}, 403],
  ['IPv6', '2001:db8::5', {}, 403],
  ['somebody over plain http', '10.66.0.2', { 'x-forwarded-proto': 'http' }, 404],
  ['somebody by the console’s port', '10.66.0.2', { 'x-lanward-portal': '0' }, 404],
])('%s is told of nobody', async (_, ip, headers, status) => {
  const { status: said, headers: told, body } = await ask(ip, headers)
  expect([said, told.get('cache-control'), Object.keys(body)]).toEqual([status, 'private, no-store', ['title']])
})

test('an address that no guest of the LAN can have is asked of no gateway', async () => {
  const before = one.gateway.asked
  for (const ip of ['192.0.2.7', '10.67.0.2', '10.66.0.0', '10.66.0.255', "10.66.0.2';--", '2001:db8::5', '']) {
    one.gateway.hosts.set(ip, { mac: '02:00:00:00:ff:02', lan: one.lan })
    expect((await ask(ip)).status).toBe(403)
  }
  expect(one.gateway.asked).toBe(before)
})

test('who is a guest of another LAN, and asks for this one, is nobody here', async () => {
  one.gateway.hosts.set('10.66.0.200', { mac: '02:00:00:00:ff:01', lan: 'another' })
  expect((await ask('10.66.0.200')).status).toBe(403)
  expect((await ask('10.66.0.2', {}, '00000000-0000-4000-8000-000000000000')).status).toBe(404)
})

test('who asks and asks is known without the gateway; who is not is held up', async () => {
  const guest = device()
  const before = one.gateway.asked
  for (let times = 0; times < 100; times++) expect((await ask(guest.ip)).status).toBe(200)
  expect(one.gateway.asked - before).toBe(1)
  const said = []
  for (let times = 0; times < 40; times++) said.push((await ask('10.66.0.250')).status)
  expect([said[0], said.at(-1)]).toEqual([403, 429])
  expect(one.gateway.asked - before).toBeLessThan(40)
})

test('while the gateway does something else, who came by its redirect is known by that', async () => {
  const [guest, other] = [device(), device()]
  await one.get(one.query(guest))
  one.gateway.answers = false
  expect((await ask(guest.ip)).body.captive).toBe(true)
  expect((await ask(other.ip)).status).toBe(403)
  // What was signed some minutes ago says nothing of whose the address is now: nothing is signed by it.
  const minutesAgo = (minutes: number) => {
    const at = Math.floor(Date.now() / 1000) - minutes * 60
    const sig = signature(gateKey(one.manager.runtime, 1), { lan: one.lan, ...other, at })
    return one.query(other, { at: String(at), sig })
  }
  await one.get(minutesAgo(5))
  expect((await ask(other.ip)).body.captive).toBe(true)
  expect((await page(other.ip)).headers.get('location')).toBe('http://192.0.2.1/')
  one.gateway.answers = true
  expect((await page(other.ip)).headers.get('location')).toContain('sig=')
})
