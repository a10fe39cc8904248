// Who saw the portal's page, and how many of them came in: the dashboard's figure, and how long that is kept.
import { portalVisits } from '@/db/schema'
import { limits } from '@/model/limits'
import { trimGuests } from '@/server/guests/sessions/store'
import { noteVisit } from '@/server/guests/sessions/visits'
import { type Guest, type House, house } from './_house'

let one: House
beforeAll(async () => {
  one = await house()
})
afterAll(() => one.end())

const guest = (last: number): Guest => ({ mac: `02:00:00:00:01:0${last}`, ip: `10.66.1.${last}` })
const counts = async () => {
  const { visits, entered } = (await one.owner.post('dashboard/guest-counts')).data
  return { visits, entered }
}
const db = () => one.manager.runtime.db
const dayMs = 86_400_000

test('each device that was asked counts once, also when it looks again; those that came in are told of them', async () => {
  expect(await counts()).toEqual({ visits: 0, entered: 0 })
  for (const last of [1, 2, 3, 1]) expect((await one.get(one.query(guest(last)))).status).toBe(200)
  expect(await counts()).toEqual({ visits: 3, entered: 0 })
  await one.send(guest(1), { method: 'free' })
  await one.send(guest(2), { method: 'simplePassword', password: 'wrong' })
  expect(await counts()).toEqual({ visits: 3, entered: 1 })
  // Who is in is not asked.
  expect((await one.get(one.query(guest(1)))).text).toContain('You are online')
  expect(await counts()).toEqual({ visits: 3, entered: 1 })
  // By a link that shows no page: nobody who was asked.
  await one.send(guest(4), { method: 'free' })
  expect(await counts()).toEqual({ visits: 3, entered: 1 })
})

test('a forgotten guest is no visitor either; what was yesterday counts no more, and goes after two days', async () => {
  const known = one.rows().find(row => row.mac === guest(2).mac)
  expect((await one.owner.post('guests/forget', { ids: [known?.id] })).retCode).toBe(0)
  expect(await counts()).toEqual({ visits: 2, entered: 1 })
  const now = Date.now()
  db()
    .update(portalVisits)
    .set({ at: now - 1.5 * dayMs })
    .run()
  expect(await counts()).toEqual({ visits: 0, entered: 0 })
  trimGuests(one.manager.runtime, now)
  expect(db().select().from(portalVisits).all()).toHaveLength(2)
  trimGuests(one.manager.runtime, now + dayMs)
  expect(db().select().from(portalVisits).all()).toEqual([])
})

test('devices that make up addresses fill a bounded table, and those that are known are told on', () => {
  const { runtime } = one.manager
  const now = Date.now()
  const mac = (at: number) =>
    `06:00:00:${at
      .toString(16)
      .padStart(6, '0')
      .replace(/(..)(..)(..)/, '$1:$2:$3')}`
  const full = Array.from({ length: limits.portalVisits }, (_, at) => ({ network: 1, mac: mac(at), at: now }))
  for (let at = 0; at < full.length; at += 1000)
    db()
      .insert(portalVisits)
      .values(full.slice(at, at + 1000))
      .run()
  noteVisit(runtime, 1, mac(limits.portalVisits), now)
  expect(db().select().from(portalVisits).all()).toHaveLength(limits.portalVisits)
  noteVisit(runtime, 1, mac(0), now + 1)
  expect(
    db()
      .select()
      .from(portalVisits)
      .all()
      .find(one => one.mac === mac(0))?.at,
  ).toBe(now + 1)
})
