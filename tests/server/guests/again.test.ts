// When somebody signs in again: after the idle timeout, or not; and all of them at a time of the day.
import { eq } from 'drizzle-orm'
import { networks, vouchers } from '@/db/schema'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { type Guest, type House, house, used } from './_house'

let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:f0:${count.toString(16).padStart(2, '0')}`, ip: `10.66.6.${count}` }
}
const base = { methods: ['free', 'simplePassword', 'voucher'], password: 'harbour' }
const hour = 3_600_000
let [goesOn, asks, daily]: string[] = []
let offset = 0

const lanOf = async (name: string, vlan: number, policy: object) => {
  const portal = await one.save('portal', { ...base, name, ...policy })
  const lan = { name: `${name} LAN`, vlan, address: `10.${vlan}.0.1/24`, dhcp: false, portal, assign: { all: true } }
  return one.save('lan', lan)
}

beforeAll(async () => {
  const real = Date.now.bind(Date)
  // 10:00 by the network's clock.
  const shift = (34 * hour - (real() % (24 * hour))) % (24 * hour)
  jest.spyOn(Date, 'now').mockImplementation(() => real() + shift + offset)
  one = await house({ ...base, name: 'Guests' })
  one.manager.runtime.db.update(networks).set({ timezone: 'UTC' }).where(eq(networks.id, 1)).run()
  goesOn = await lanOf('Goes on', 71, { idleSignIn: false, maxDevices: 1 })
  asks = await lanOf('Asks', 72, {})
  daily = await lanOf('Daily', 73, { idleSignIn: false, signInAt: '12:30', hours: 23 })
})
beforeEach(() => {
  offset = 0
})
afterAll(async () => {
  await one.end()
  jest.restoreAllMocks()
})

const enter = (guest: Guest, form: Record<string, string>, lan = goesOn ?? '') =>
  one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), ...form }, {}, lan)
const open = (guest: Guest, lan = goesOn ?? '', more = {}) => one.get(one.query(guest, more, lan), {}, lan)
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const rows = ({ mac }: Guest) => one.rows().filter(row => row.mac === mac)
const look = () => lookAtGuests(one.manager.runtime, 1)
/** The phone lies in a pocket: both gateways forget it. */
async function silent(guest: Guest, bytes = 1000): Promise<void> {
  used(one.gateway, guest.mac, bytes, 0)
  await look()
  offset += 400_000
  for (const gateway of [one.gateway, one.other]) gateway.in.delete(guest.mac)
  await look()
  expect(rows(guest).at(-1)).toMatchObject({ why: 'idle' })
}

describe('after the idle timeout', () => {
  test('a device goes on by opening any page, with what is left of its session, and is asked nothing', async () => {
    const guest = device()
    await enter(guest, { method: 'simplePassword', password: 'harbour' })
    const [first] = rows(guest)
    await silent(guest)
    const { text, cookie } = await open(guest)
    expect(text).toContain('You are online')
    expect(cookie).toMatch(/^guest=/)
    expect(isIn(guest)).toBe(true)
    expect(rows(guest)).toHaveLength(2)
    const again = rows(guest).at(-1)
    expect(again).toMatchObject({ method: first?.method, label: first?.label, ended: null })
    // In whole seconds.
    expect(Math.abs((again?.ends ?? 0) - (first?.ends ?? 0))).toBeLessThanOrEqual(1000)
  })

  test('by default it signs in again', async () => {
    const guest = device()
    await enter(guest, { method: 'free' }, asks)
    await silent(guest)
    expect((await open(guest, asks)).text).toContain('Welcome to the Wi-Fi')
    expect(isIn(guest)).toBe(false)
  })

  test('a voucher goes on with its own time, which stood still meanwhile', async () => {
    const guest = device()
    const [code = ''] = one.codes(1, { seconds: 7200, downloadKbps: 8000 })
    await enter(guest, { method: 'voucher', code })
    await silent(guest)
    offset += 1_000_000
    expect((await open(guest)).text).toContain('You are online')
    const { seconds = 0, download } = one.gateway.in.get(guest.mac)?.bounds ?? {}
    expect(download).toBe(8000)
    expect(seconds).toBeGreaterThan(7200 - 500)
    expect(seconds).toBeLessThanOrEqual(7200)
  })

  test('a voucher that is used up, or was deleted, lets nobody go on', async () => {
    const guest = device()
    const [code = ''] = one.codes(1, { byteLimitMb: 1 })
    await enter(guest, { method: 'voucher', code })
    await silent(guest, 1_048_000)
    one.manager.runtime.db.update(vouchers).set({ usedBytes: 9_999_999 }).run()
    expect((await open(guest)).text).toContain('Welcome to the Wi-Fi')
    expect(isIn(guest)).toBe(false)
  })

  test.each([
    ['whose time is up meanwhile', 9 * hour, () => goesOn],
    ['that is in another LAN now', 0, () => daily],
  ])('a device %s signs in', async (_, later, where) => {
    const guest = device()
    await enter(guest, { method: 'free' })
    await silent(guest)
    offset += later
    expect((await open(guest, where())).text).toContain('Welcome to the Wi-Fi')
    expect(isIn(guest)).toBe(false)
  })

  test('whoever signed out, was removed or is blocked is not in again by silence', async () => {
    const [left, removed, blocked] = [device(), device(), device()]
    for (const guest of [left, removed, blocked]) await enter(guest, { method: 'free' })
    await enter(left, { act: 'leave' })
    await one.owner.post('guests/remove', { ids: [rows(removed).at(-1)?.id] })
    await silent(blocked)
    await one.owner.post('guests/block', { macs: [blocked.mac] })
    const pages = await Promise.all([left, removed, blocked].map(guest => open(guest)))
    expect([left, removed, blocked].map(isIn)).toEqual([false, false, false])
    expect(pages[2]?.status).toBe(403)
  })

  test('a guest who wants to sign in another way is shown the ways', async () => {
    const guest = device()
    await enter(guest, { method: 'free' })
    await silent(guest)
    expect((await open(guest, goesOn, { other: '1' })).text).toContain('Welcome to the Wi-Fi')
    expect(isIn(guest)).toBe(false)
  })

  test('G10: whose place another device took meanwhile signs in', async () => {
    const [guest, other] = [device(), device()]
    const password = { method: 'simplePassword', password: 'harbour' }
    for (const { mac } of one.rows().filter(row => row.ended === null && row.method === 13))
      await enter({ mac, ip: '10.66.6.250' }, { act: 'leave' })
    await enter(guest, password)
    await silent(guest)
    await enter(other, password)
    expect(isIn(other)).toBe(true)
    expect((await open(guest)).text).toContain('Welcome to the Wi-Fi')
    expect(isIn(guest)).toBe(false)
  })
})

describe('each day at a time', () => {
  const half = () => Math.floor(Date.now() / (24 * hour)) * 24 * hour + 12.5 * hour
  test('a session ends then at the latest, whatever it has left, and the gateway knows', async () => {
    const [free, bought] = [device(), device()]
    const [code = ''] = one.codes(1, { seconds: 86_400 })
    await enter(free, { method: 'free' }, daily)
    await enter(bought, { method: 'voucher', code }, daily)
    for (const guest of [free, bought]) {
      expect(Math.abs((rows(guest)[0]?.ends ?? 0) - half())).toBeLessThanOrEqual(1000)
      expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBeLessThanOrEqual(2.5 * 3600)
      used(one.gateway, guest.mac, 1000)
    }
    await look()
    const { data } = await one.owner.post('guests/extend', { ids: [rows(free)[0]?.id], minutes: 600 })
    expect(data).toMatchObject({ extended: 1, less: 1 })
    offset = 2.5 * hour + 1000
    for (const guest of [free, bought]) used(one.gateway, guest.mac, 2000)
    await look()
    for (const guest of [free, bought]) {
      expect(rows(guest)).toEqual([expect.objectContaining({ why: 'time' })])
      expect((await open(guest, daily)).text).toContain('Welcome to the Wi-Fi')
    }
    expect([free, bought].map(isIn)).toEqual([false, false])
    // What the voucher has left stays.
    expect((await enter(bought, { method: 'voucher', code }, daily)).text).toContain('You are online')
    expect(rows(bought).at(-1)?.ends).toBeGreaterThan(half() + 10 * hour)
  })

  test('one that fell silent before it signs in after it, and goes on before it', async () => {
    const [before, after] = [device(), device()]
    for (const guest of [before, after]) {
      offset = 0
      await enter(guest, { method: 'free' }, daily)
      await silent(guest)
    }
    offset = 2 * hour
    expect((await open(before, daily)).text).toContain('You are online')
    expect(Math.abs((rows(before).at(-1)?.ends ?? 0) - half())).toBeLessThanOrEqual(2000)
    offset = 2.5 * hour + 1000
    expect((await open(after, daily)).text).toContain('Welcome to the Wi-Fi')
  })
})
