// One failure, told from several sides: the device that is offline, the port that it hangs at, its own way out.
import { eq } from 'drizzle-orm'
import { alerts, deviceParents, devices } from '@/db/schema'
import { regroup } from '@/server/devices/incidents/group'
import { createFleet, fleetOf, fleetPart } from '@/server/devices/link/fleet'
import { applyStates } from '@/server/devices/link/states'
import type { EventCode } from '@/server/drivers/words'
import { tellDue } from '@/server/notify/alerts/tell'
import { inProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let browser: Browser
let ids: Record<'gw' | 'sw1' | 'ap1', number>
/** The offline time of W11 as it is without settings. */
const wait = 120_000
const now = Date.now()

/** The switch hangs at port lan of the gateway, the access point at port p2 of the switch. */
beforeEach(async () => {
  one = await startTestManager({
    starters: [runtime => fleetPart.start(runtime, createFleet(runtime, inProcess()))],
  })
  browser = await finishedWizard(one)
  const { values, revision } = (await browser.post('alerts/config/query')).data as { values: object; revision: number }
  await browser.post('alerts/config/save', { ...values, off: [], revision })
  const insert = (name: string, kind: 'gateway' | 'switch' | 'ap') => {
    const place = { organization: 1, network: 1, address: name, port: 22, driver: 'linux', kind } as const
    const row = { ...place, name, status: 1, statusAt: 1, createdAt: 1 }
    return one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
  }
  ids = { gw: insert('gw', 'gateway'), sw1: insert('sw1', 'switch'), ap1: insert('ap1', 'ap') }
  const hangs = (device: number, parent: number, port: string) =>
    one.runtime.db.insert(deviceParents).values({ device, parent, port, at: 1 }).run()
  hangs(ids.sw1, ids.gw, 'lan')
  hangs(ids.ap1, ids.sw1, 'p2')
})
afterEach(() => one.stop())

type Name = keyof typeof ids
const answers = (name: Name, at: number) => {
  const { live, rowOf } = fleetOf(one.runtime)
  live.set(rowOf(ids[name]), { seenAt: at })
}
const says = (name: Name, at: number, code: EventCode, values = {}) =>
  applyStates(one.runtime, [{ id: ids[name], at, status: 1, reason: '', events: [{ at, code, values }] }])
const wan = (at: number, state: 'online' | 'offline') =>
  applyStates(one.runtime, [{ id: ids.gw, at, status: 1, reason: '', wans: { a: state }, events: [] }])
const dies = (name: Name, at: number) =>
  applyStates(one.runtime, [
    {
      ...{ id: ids[name], at, status: 0, reason: 'timeout' },
      events: [{ at, code: 'deviceOffline', values: { reason: 'timeout' } }],
    },
  ])
const returns = (name: Name, at: number) => {
  answers(name, at)
  applyStates(one.runtime, [
    { id: ids[name], at, status: 1, reason: '', events: [{ at, code: 'deviceOnline', values: {} }] },
  ])
}
const passes = (at: number) => {
  regroup(one.runtime, 1, at)
  tellDue(one.runtime, at)
}
const told = () =>
  one.runtime.db
    .select()
    .from(alerts)
    .all()
    .flatMap(row => (row.told === null ? [] : [row.type]))
type Listed = { type: string; values: Record<string, unknown>; id: number }
const list = async () => (await browser.post('alerts/list')).data.result as Listed[]

test('the port that a dead device hangs at stands below its incident and is not told beside it', async () => {
  answers('ap1', now - 30_000)
  says('sw1', now, 'portDown', { port: 'p2' })
  passes(now + 5_000)
  dies('ap1', now + 20_000)
  for (const at of [21_000, wait + 1000, wait + 21_000, 600_000]) passes(now + at)
  const rows = await list()
  expect(rows.map(({ type }) => type)).toEqual(['deviceOffline'])
  expect(rows[0]?.values).not.toHaveProperty('behind')
  expect(told()).toEqual(['deviceOffline'])
  const { data } = await browser.post('alerts/detail', { id: rows[0]?.id })
  expect(data.behind).toMatchObject({ total: 1, result: [{ type: 'portDown', values: { port: 'p2' } }] })
  says('sw1', now + 700_000, 'portUp', { port: 'p2' })
  returns('ap1', now + 701_000)
  passes(now + 702_000)
  expect(told()).toEqual(['deviceOffline', 'deviceOnline'])
  expect((await list()).map(({ type }) => type)).toEqual(['deviceOnline', 'deviceOffline'])
})

test('below the switch whose failure took the device along, and without being counted as a device', async () => {
  says('gw', now, 'portDown', { port: 'lan' })
  dies('ap1', now + 10_000)
  dies('sw1', now + 11_000)
  passes(now + 12_000)
  const rows = await list()
  expect(rows).toMatchObject([{ type: 'deviceOffline', values: { device: 'sw1', behind: 1 } }])
  expect((await browser.post('alerts/detail', { id: rows[0]?.id })).data.behind).toMatchObject({ total: 2 })
})

test('where the device answers after all the port is told on its own, at once', async () => {
  answers('ap1', now - 1000)
  says('sw1', now, 'portDown', { port: 'p2' })
  passes(now + 5000)
  expect(told()).toEqual([])
  answers('ap1', now + 9000)
  passes(now + 10_000)
  expect(told()).toEqual(['portDown'])
  // It dies later: who was told hears the end of that, too.
  dies('ap1', now + 20_000)
  passes(now + 21_000)
  expect((await list()).map(({ type }) => type)).toEqual(['deviceOffline', 'portDown'])
})

test('where nobody knows of the device the port is told when the offline time ends', () => {
  says('sw1', now, 'portDown', { port: 'p2' })
  passes(now + wait - 1000)
  expect(told()).toEqual([])
  passes(now + wait)
  expect(told()).toEqual(['portDown'])
})

test('a port at which no device hangs is told at once', () => {
  says('sw1', now, 'portDown', { port: 'p3' })
  expect(told()).toEqual(['portDown'])
})

test('the port still down after its device has come back stands for itself when the offline time is over', async () => {
  says('sw1', now, 'portDown', { port: 'p2' })
  dies('ap1', now + 1000)
  passes(now + 2000)
  returns('ap1', now + 10_000)
  passes(now + 11_000)
  expect((await list()).map(({ type }) => type)).toEqual(['deviceOnline', 'deviceOffline'])
  passes(now + 10_000 + wait + 1000)
  expect(told()).toEqual(['portDown'])
})

test('the way out of a gateway that dies is part of that', async () => {
  wan(now - 60_000, 'online')
  answers('gw', now)
  wan(now + 1, 'offline')
  passes(now + 2000)
  dies('gw', now + 30_000)
  for (const at of [31_000, wait + 1000, wait + 31_000]) passes(now + at)
  expect(told()).toEqual(['deviceOffline'])
  expect((await list()).map(({ type }) => type)).toEqual(['deviceOffline'])
})

test('the way out of a gateway that answers again is told then', () => {
  wan(now - 60_000, 'online')
  answers('gw', now)
  wan(now + 1, 'offline')
  passes(now + 2000)
  expect(told()).toEqual([])
  answers('gw', now + 30_000)
  passes(now + 31_000)
  expect(told()).toEqual(['wanOffline'])
})

test('in maintenance it is told at the end of that, whoever answers', () => {
  const until = now + 3_600_000
  says('sw1', now, 'portDown', { port: 'p2' })
  one.runtime.db.update(alerts).set({ tellAt: until, maintenance: 'tonight' }).where(eq(alerts.type, 'portDown')).run()
  answers('ap1', until - 1000)
  passes(until - 500)
  expect(told()).toEqual([])
  passes(until)
  expect(told()).toEqual(['portDown'])
})
