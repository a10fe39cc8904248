// How long the password that all guests share lets anybody in.
import { eq } from 'drizzle-orm'
import { documents, guests, portalPasswords } from '@/db/schema'
import { lookAtPasswords, startGuestPasswords } from '@/server/guests/sessions/password'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { every, type Guest, type House, house } from './_house'

const day = 86_400_000
const limited = { ...every, passwordDays: 1, hours: 0, days: 3 }
let one: House
let id: string
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:09:${count.toString(16).padStart(2, '0')}`, ip: `10.66.9.${count}` }
}
const password = (guest: Guest, word = 'harbour') => one.send(guest, { method: 'simplePassword', password: word })
const row = ({ mac }: Guest) => one.rows().findLast(guest => guest.mac === mac)
const secondsOf = ({ mac }: Guest) => one.gateway.in.get(mac)?.bounds.seconds ?? 0
const db = () => one.manager.runtime.db
const since = () => db().select().from(portalPasswords).where(eq(portalPasswords.portal, id)).get()?.since
/** As if it had been set so long ago. */
const setAgo = (ms: number) =>
  db()
    .update(portalPasswords)
    .set({ since: Date.now() - ms })
    .run()
async function save(own: object) {
  const revision = db().select().from(documents).where(eq(documents.id, id)).get()?.revision
  const saved = await one.owner.post('guests/policy/save', { id, revision, ...limited, ...own })
  expect([saved.retCode, saved.data.fields]).toEqual([0, undefined])
}

beforeAll(async () => {
  one = await house(limited, [startGuestPasswords])
  const { data } = await one.owner.post('settings/portal/list', {})
  id = (data as unknown as { result: { id: string }[] }).result[0]?.id ?? ''
})
afterAll(() => one.end())
beforeEach(() => save({}))

test('G12: its days count from when it was saved, before anybody used it', () => {
  expect(Math.abs((since() ?? 0) - Date.now())).toBeLessThan(60_000)
})

test('G12: who comes in by it stays no longer than it is valid; who comes in otherwise does', async () => {
  setAgo(day - 3_600_000)
  const [guest, free] = [device(), device()]
  expect((await password(guest)).text).toContain('You are online')
  expect(secondsOf(guest)).toBeLessThanOrEqual(3600)
  expect(secondsOf(guest)).toBeGreaterThan(3500)
  await one.send(free, { method: 'free' })
  expect(secondsOf(free)).toBe(3 * 86_400)
})

test.each([
  ['a second before its end', -1000, 'You are online'],
  ['at its end', 0, 'This password is no longer valid.'],
])('G12: %s', async (_, ms, said) => {
  const at = Date.now()
  jest.useFakeTimers({
    now: at,
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'queueMicrotask'],
  })
  try {
    setAgo(day + ms)
    const guest = device()
    expect((await password(guest)).text).toContain(said)
    expect(one.gateway.in.has(guest.mac)).toBe(ms < 0)
  } finally {
    jest.useRealTimers()
  }
})

test('G12: after its end the right one is refused with its reason and is no guess; a wrong one is wrong still', async () => {
  setAgo(2 * day)
  const guest = device()
  for (let at = 0; at < 8; at += 1) expect((await password(guest)).text).toContain('no longer valid')
  expect(row(guest)).toMatchObject({ why: 'passwordOver', state: 2 })
  expect((await password(guest, 'harbor')).text).toContain('This password is wrong.')
})

test('G12: saved with the same password it is as old as it was; another one begins anew, and so does one that had no end', async () => {
  setAgo(2 * day)
  await save({ landing: 'https://house.example/' })
  expect(Date.now() - (since() ?? 0)).toBeGreaterThan(day)
  // Longer is longer from the same day on.
  await save({ passwordDays: 3 })
  expect((await password(device())).text).toContain('You are online')
  await save({ password: 'quayside' })
  expect(Date.now() - (since() ?? 0)).toBeLessThan(60_000)
  expect((await password(device(), 'quayside')).text).toContain('You are online')
  await save({ password: 'quayside', passwordDays: undefined })
  expect(since()).toBeUndefined()
  await save({ password: 'quayside' })
  expect(Date.now() - (since() ?? 0)).toBeLessThan(60_000)
})

test('G12: its end is told once, and again after it was valid again', async () => {
  const told = async () => {
    const { data } = await one.owner.post('alerts/list', {})
    return (data.result as { type: string; values: object }[]).filter(({ type }) => type === 'guestPasswordOver')
  }
  const before = (await told()).length
  const look = () => lookAtPasswords(one.manager.runtime)
  setAgo(day - 60_000)
  look()
  expect(await told()).toHaveLength(before)
  setAgo(day)
  look()
  look()
  expect(await told()).toHaveLength(before + 1)
  expect((await told())[0]?.values).toEqual({ portal: 'Guests' })
  await save({ passwordDays: 2 })
  setAgo(2 * day)
  look()
  expect(await told()).toHaveLength(before + 2)
})

test('G12: days that are set while somebody is in end the session at the gateway, too', async () => {
  await save({ passwordDays: undefined })
  const guest = device()
  await password(guest)
  expect(secondsOf(guest)).toBe(3 * 86_400)
  await save({})
  await lookAtGuests(one.manager.runtime, 1)
  expect(secondsOf(guest)).toBeLessThanOrEqual(86_400)
  setAgo(day)
  await lookAtGuests(one.manager.runtime, 1)
  expect(row(guest)).toMatchObject({ why: 'time', ended: expect.any(Number) })
  expect(one.gateway.in.has(guest.mac)).toBe(false)
  expect(db().select().from(guests).where(eq(guests.mac, guest.mac)).all()).toHaveLength(1)
})
