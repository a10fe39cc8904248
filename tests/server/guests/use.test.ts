// What a portal leaves a guest of a day and a month, without a voucher.
import { eq } from 'drizzle-orm'
import { guests, guestUse } from '@/db/schema'
import { codes } from '@/model/codes'
import { dayStart } from '@/model/places'
import { trimGuests } from '@/server/guests/sessions/store'
import { countUse, monthOf, restOf } from '@/server/guests/sessions/use'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { every, type Guest, type House, house, used } from './_house'

const mb = 1_048_576
const limited = { ...every, useLimit: 'client', dailyMinutes: 60, dailyData: '10 MB', monthlyData: '25 MB' }
let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:07:${count.toString(16).padStart(2, '0')}`, ip: `10.66.7.${count}` }
}
const look = () => lookAtGuests(one.manager.runtime, 1)
const row = ({ mac }: Guest) => one.rows().findLast(guest => guest.mac === mac)
const boundsOf = ({ mac }: Guest) => one.gateway.in.get(mac)?.bounds
const zone = () => {
  const found = one.manager.runtime.db.query.networks.findFirst().sync()
  if (!found) throw new Error('no network')
  return found.timezone
}
/** As if the device had used so much, so many days ago. */
function use(guest: Guest, own: { minutes?: number; bytes?: number; method?: number; daysAgo?: number }) {
  const today = dayStart(zone(), Date.now())
  const day = dayStart(zone(), today - (own.daysAgo ?? 0) * 86_400_000 + 43_200_000)
  const { minutes = 0, bytes = 0, method = 0 } = own
  one.manager.runtime.db
    .insert(guestUse)
    .values({ network: 1, mac: guest.mac, day, method, ms: minutes * 60_000, bytes })
    .run()
}
let policy: { id: string; revision: number } & Record<string, unknown>
async function set(own: object) {
  const { data } = await one.owner.post('guests/policy/get', { id: policy.id })
  const { revision } = data as { revision: number }
  const saved = await one.owner.post('guests/policy/save', { id: policy.id, revision, ...limited, ...own })
  expect([saved.retCode, saved.data.fields]).toEqual([0, undefined])
}
const free = (guest: Guest) => one.send(guest, { method: 'free' })
const password = (guest: Guest) => one.send(guest, { method: 'simplePassword', password: 'harbour' })

beforeAll(async () => {
  one = await house(limited)
  const { data } = await one.owner.post('settings/portal/list', {})
  policy = (data as unknown as { result: (typeof policy)[] }).result[0] as typeof policy
})
beforeEach(() => set({}))
afterAll(() => one.end())

test('a guest is let in for what is left of the day, in time and bytes', async () => {
  const guest = device()
  expect((await free(guest)).text).toContain('You are online')
  expect(boundsOf(guest)?.seconds).toBeLessThanOrEqual(7200)
  expect(boundsOf(guest)?.bytes).toBe(10 * mb)
  const other = device()
  use(other, { minutes: 59, bytes: 9 * mb })
  await free(other)
  // In the last minute of a day the next one's time is added.
  expect(boundsOf(other)?.seconds).toBeLessThanOrEqual(3660)
  expect(boundsOf(other)?.bytes).toBe(mb)
})

test('who has used it up is told when there is more, and is in the list with the reason', async () => {
  const [timely, daily, monthly] = [device(), device(), device()]
  use(timely, { minutes: 60 })
  use(daily, { bytes: 10 * mb })
  use(monthly, { bytes: 25 * mb })
  const said = [await free(timely), await free(daily), await free(monthly)].map(page => page.text)
  expect(said[0]).toContain('Access time is used up today. Sign in again after 0:00.')
  expect(said[1]).toContain('The data for today is used up. Sign in again after 0:00.')
  expect(said[2]).toContain('The data for this month is used up. It is there again on ')
  expect([timely, daily, monthly].map(guest => row(guest)?.why)).toEqual(['dailyTime', 'dailyBytes', 'monthlyBytes'])
  expect([timely, daily, monthly].map(boundsOf)).toEqual([undefined, undefined, undefined])
})

test('what is used is counted while somebody is in; where nothing is left, they are out', async () => {
  const guest = device()
  await free(guest)
  used(one.gateway, guest.mac, 4 * mb)
  await look()
  // Signs out, and in again: what was used stays used.
  used(one.gateway, guest.mac, 6 * mb)
  await one.send(guest, { act: 'leave' })
  await password(guest)
  expect(boundsOf(guest)?.bytes).toBe(4 * mb)
  used(one.gateway, guest.mac, 4 * mb)
  await look()
  expect(row(guest)).toMatchObject({ why: 'dailyBytes', ended: expect.any(Number) })
  expect(one.gateway.in.has(guest.mac)).toBe(false)
})

test('time that passed counts, also of who signed out before anybody looked', async () => {
  const guest = device()
  await free(guest)
  const { runtime } = one.manager
  runtime.db
    .update(guests)
    .set({ countedAt: Date.now() - 50 * 60_000 })
    .where(eq(guests.id, row(guest)?.id ?? 0))
    .run()
  await one.send(guest, { act: 'leave' })
  const all = runtime.db.select().from(guestUse).where(eq(guestUse.mac, guest.mac)).all()
  expect(all.reduce((sum, day) => sum + day.ms, 0)).toBeGreaterThanOrEqual(50 * 60_000)
  expect(all.reduce((sum, day) => sum + day.ms, 0)).toBeLessThan(51 * 60_000)
})

test('by sign-in: each way in counts for itself; by client: all of them together', async () => {
  const guest = device()
  use(guest, { minutes: 60, method: 0 })
  expect((await password(guest)).text).toContain('Access time is used up today')
  await set({ useLimit: 'method' })
  expect((await free(guest)).text).toContain('Access time is used up today')
  expect((await password(guest)).text).toContain('You are online')
})

test('a voucher keeps its own terms, and nothing of it counts', async () => {
  const guest = device()
  use(guest, { minutes: 60 })
  const [code = ''] = one.codes(1)
  expect((await one.send(guest, { method: 'voucher', code })).text).toContain('You are online')
  expect(boundsOf(guest)).toMatchObject({ seconds: 3600 })
  expect(boundsOf(guest)?.bytes).toBeUndefined()
  await look()
  expect(one.gateway.in.has(guest.mac)).toBe(true)
  expect(one.manager.runtime.db.select().from(guestUse).where(eq(guestUse.mac, guest.mac)).all()).toHaveLength(1)
})

test('a limit that is set while somebody is in holds for them', async () => {
  await set({ useLimit: 'off', dailyMinutes: undefined, dailyData: undefined, monthlyData: undefined })
  const guest = device()
  await free(guest)
  expect(boundsOf(guest)?.seconds).toBe(8 * 3600)
  await set({})
  await look()
  expect(boundsOf(guest)?.bytes).toBe(10 * mb)
  expect(boundsOf(guest)?.seconds).toBeLessThanOrEqual(7200)
})

test.each([
  ['1 KB', '1 KB', 1024],
  ['300 KB', '1 MB', 307_200],
  ['1 GB', '1048576 GB', 1_073_741_824],
  ['1048576 GB', '1048576 GB', 2 ** 50],
])('G13: %s a day, with %s a month, is what the gateway lets through', async (dailyData, monthlyData, bytes) => {
  await set({ dailyData, monthlyData })
  const guest = device()
  await free(guest)
  expect(boundsOf(guest)?.bytes).toBe(bytes)
})

test('G13: a limit of some KB that is set while somebody is in is told to the gateway', async () => {
  const guest = device()
  await free(guest)
  await set({ dailyData: '900 KB' })
  used(one.gateway, guest.mac, 100 * 1024)
  await look()
  expect(boundsOf(guest)?.bytes).toBe(800 * 1024)
  await set({ dailyData: '500 KB' })
  await look()
  expect(boundsOf(guest)?.bytes).toBe(400 * 1024)
})

test('days and months are those of the network, through changes of the clock', async () => {
  const { db } = one.manager.runtime
  const at = (text: string) => Date.parse(text)
  expect(monthOf('Europe/Berlin', at('2026-03-29T12:00:00Z'))).toEqual({
    start: at('2026-02-28T23:00:00Z'),
    next: at('2026-03-31T22:00:00Z'),
  })
  const guest = { ...(row(device()) ?? one.rows()[0]), network: 1, voucher: null, mac: '02:00:00:00:08:01', method: 0 }
  const midnight = dayStart(zone(), Date.now())
  const session = { ...guest, countedAt: midnight - 600_000, ends: midnight + 900_000 } as typeof guests.$inferSelect
  countUse({ db }, session, midnight + 3_600_000, 500)
  const days = db.select().from(guestUse).where(eq(guestUse.mac, guest.mac)).all()
  expect(days.map(day => [day.day === midnight, day.ms, day.bytes])).toEqual([
    [false, 600_000, 0],
    [true, 900_000, 500],
  ])
  const left = restOf({ db }, limited as never, { network: 1, mac: guest.mac, method: 0 }, midnight + 3_600_000)
  expect(left).toEqual({ ms: 45 * 60_000, bytes: 10 * mb - 500 })
  // Shortly before midnight a session goes on into the next day, by what that has.
  const late = restOf({ db }, limited as never, { network: 1, mac: '02:00:00:00:08:02', method: 0 }, midnight - 600_000)
  expect(late.ms).toBe(600_000 + 3_600_000)
})

test('it is forgotten with the device, and once no limit looks back so far', async () => {
  const [guest, old] = [device(), device()]
  await free(guest)
  use(guest, { minutes: 5, daysAgo: 1 })
  use(old, { minutes: 5, daysAgo: 33 })
  trimGuests(one.manager.runtime, Date.now())
  const kept = ({ mac }: Guest) =>
    one.manager.runtime.db.select().from(guestUse).where(eq(guestUse.mac, mac)).all().length
  expect([kept(guest) > 0, kept(old)]).toEqual([true, 0])
  await one.owner.post('guests/forget', { ids: [row(guest)?.id] })
  expect(kept(guest)).toBe(0)
})

test.each([
  ['G13: daily above monthly', { dailyData: '26 MB' }, { dailyData: 'dailyAboveMonthly' }],
  ['G13: daily above monthly in another unit', { dailyData: '25601 KB' }, { dailyData: 'dailyAboveMonthly' }],
  ['G13: 0 MB', { dailyData: '0 MB' }, { dailyData: 'dataAmount' }],
  ['G13: 1,048,577 MB', { monthlyData: '1048577 MB' }, { monthlyData: 'dataAmount' }],
  ['a whole day', { dailyMinutes: 1440 }, { dailyMinutes: 'tooLarge' }],
  [
    'a limit of nothing',
    { dailyMinutes: undefined, dailyData: undefined, monthlyData: undefined },
    { dailyMinutes: 'useLimitNone' },
  ],
])('%s is refused at its field', async (_, own, fields) => {
  const { retCode, data } = await one.owner.post('guests/policy/save', { ...limited, name: 'Other', ...own })
  expect([retCode, data.fields]).toEqual([codes.invalidInput, fields])
})

test('the page by its own calls', async () => {
  const { data } = await one.owner.post('guests/page/save', { name: 'Harbour' })
  const found = await one.owner.post('guests/page/get', { id: data.id })
  expect(found.data).toMatchObject({ id: data.id, name: 'Harbour' })
  const { retCode } = await one.owner.post('guests/policy/get', { id: '00000000-0000-4000-8000-000000000009' })
  expect(retCode).not.toBe(0)
})
