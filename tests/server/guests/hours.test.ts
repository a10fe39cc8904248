// A portal with a schedule: outside of it nobody comes in, and whoever is in is bounded by it, so that gateways end them alone.
import { eq } from 'drizzle-orm'
import { guests, networks } from '@/db/schema'
import { slotTime } from '@/model/slots'
import { takesVouchers } from '@/server/guests/portal/away-page'
import { findPlace } from '@/server/guests/sessions/place'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { type Guest, type House, house, used } from './_house'

let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:d0:${count.toString(16).padStart(2, '0')}`, ip: `10.66.8.${count}` }
}
const halfHour = 1_800_000
let schedule: { id: string; revision: number }
let lan: string

async function times(weekly: string): Promise<void> {
  const answer = await one.owner.post('settings/schedule/save', { name: 'Hours', weekly, dates: [], ...schedule })
  if (answer.retCode !== 0) throw new Error(JSON.stringify(answer))
  schedule = { id: String(answer.data.id), revision: Number(answer.data.revision) }
}
/** The week's days from `from` to `to`, half hours of a day. */
const daily = (from: number, to: number) => `mon-sun ${slotTime(from)}-${slotTime(to)}`
const slotNow = () => Math.floor((Date.now() % 86_400_000) / halfHour)
const always = 'mon-sun 00:00-24:00'
/** All but the present half hour: closed now, and open in at most one. */
const butNow = () => {
  const at = slotNow()
  const parts = [at > 0 ? `00:00-${slotTime(at)}` : '', at < 47 ? `${slotTime(at + 1)}-24:00` : '']
  return `mon-sun ${parts.filter(Boolean).join(',')}`
}
const nextHalf = () => (Math.floor(Date.now() / halfHour) + 1) * halfHour
const enter = (guest: Guest, form: Record<string, string>) =>
  one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), ...form }, {}, lan)
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const row = ({ mac }: Guest) =>
  one
    .rows()
    .filter(guest => guest.mac === mac)
    .at(-1)

beforeAll(async () => {
  // Always ten past two in the afternoon: no half hour begins meanwhile, and the day has more of them on both sides
  // (in its last one, "until the end of this half hour" is a whole day, thus no bound at all).
  const real = Date.now.bind(Date)
  const shift = 28 * halfHour + 600_000 - (real() % 86_400_000)
  jest.spyOn(Date, 'now').mockImplementation(() => real() + shift)
  one = await house()
  one.manager.runtime.db.update(networks).set({ timezone: 'UTC' }).where(eq(networks.id, 1)).run()
  await times(always)
  const portal = await one.save('portal', { name: 'Hours', methods: ['free', 'voucher'], schedule: schedule.id })
  lan = await one.save('lan', {
    ...{ name: 'Hours LAN', vlan: 72, address: '10.72.0.1/24', dhcp: false, portal, assign: { all: true } },
  })
})
afterAll(async () => {
  await one.end()
  jest.restoreAllMocks()
})

test('outside of its schedule the page says when it opens next, and lets nobody in, by no way', async () => {
  await times(butNow())
  const guest = device()
  const [code = ''] = one.codes(1)
  const opens = new Intl.DateTimeFormat('en', { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' }).format(
    nextHalf(),
  )
  const query = one.query(guest, {}, lan)
  const pages = [
    await one.get(query, {}, lan),
    await enter(guest, { method: 'free' }),
    await enter(guest, { method: 'voucher', code }),
  ]
  for (const { text, status } of pages) {
    expect(status).toBe(403)
    expect(text).toContain('Wi-Fi is closed now')
    expect(text).toContain(opens)
    expect(text).not.toContain('<form')
  }
  expect(isIn(guest)).toBe(false)
  await times(always)
  expect((await enter(guest, { method: 'voucher', code })).text).toContain('You are online')
})

test('a session lasts until it closes at most, also by a voucher, after a look, and when it is extended', async () => {
  await times(daily(0, slotNow() + 1))
  const closes = nextHalf()
  const [code = ''] = one.codes(1, { seconds: 86_400 })
  const [free, bought] = [device(), device()]
  await enter(free, { method: 'free' })
  await enter(bought, { method: 'voucher', code })
  const ends = () => [free, bought].map(guest => Math.round(((row(guest)?.ends ?? 0) - closes) / 2000))
  expect(ends().map(Math.abs)).toEqual([0, 0])
  for (const guest of [free, bought]) {
    expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBeLessThanOrEqual(1800)
    used(one.gateway, guest.mac, 1000)
  }
  await lookAtGuests(one.manager.runtime, 1)
  expect(ends().map(Math.abs)).toEqual([0, 0])
  const { data } = await one.owner.post('guests/extend', { ids: [row(free)?.id], minutes: 600 })
  expect(data).toMatchObject({ extended: 1, less: 1 })
  expect(ends().map(Math.abs)).toEqual([0, 0])
})

test('a schedule that becomes shorter draws sessions in, and one that ends now ends them', async () => {
  await times(always)
  const guest = device()
  await enter(guest, { method: 'free' })
  expect(row(guest)?.ends).toBeGreaterThan(nextHalf() + halfHour)
  await times(daily(0, slotNow() + 1))
  await lookAtGuests(one.manager.runtime, 1)
  expect(row(guest)?.ends).toBe(nextHalf())
  expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBeLessThanOrEqual(1800)
  await times(butNow())
  await lookAtGuests(one.manager.runtime, 1)
  expect(row(guest)).toMatchObject({ why: 'time', state: 0 })
  expect(isIn(guest)).toBe(false)
})

test('while the manager is away, its gateways take no vouchers for it', async () => {
  const [with_, without] = await Promise.all([lan, one.lan].map(of => findPlace(one.manager.runtime, of)))
  if (!with_ || !without) throw new Error('no place')
  expect([takesVouchers(with_), takesVouchers({ ...without, address: '10.66.0.1/24' })]).toEqual([false, true])
})

test('a schedule that a portal refers to is not deleted', async () => {
  const answer = await one.owner.post('settings/schedule/delete', { ids: [schedule.id] })
  expect(answer.retCode).not.toBe(0)
  expect(one.manager.runtime.db.select().from(guests).all().length).toBeGreaterThan(0)
})
