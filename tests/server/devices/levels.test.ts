// Values that are too high for too long, ports and WANs: raised, ended, and left alone where a network wants it so.
import { eq } from 'drizzle-orm'
import { alertConfigs, alerts, devices } from '@/db/schema'
import { judgeLevel, watchLevels } from '@/server/devices/incidents/levels'
import { createFleet, fleetOf, fleetPart } from '@/server/devices/link/fleet'
import { applyStates } from '@/server/devices/link/states'
import type { WanState } from '@/server/drivers/wan'
import type { EventCode } from '@/server/drivers/words'
import { tellDue } from '@/server/notify/alerts/tell'
import { inProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

const minute = 60_000
const most = { limit: 95, ease: 5, open: false }

test.each([
  ['too much, and just now', { ...most, value: 95 }, 'wait'],
  ['too much for less than the time', { ...most, value: 99, since: 1 }, 'wait'],
  ['too much for the time', { ...most, value: 99, since: 0 }, 'raise'],
  ['too much, and raised already', { ...most, value: 99, since: 0, open: true }, 'wait'],
  ['just below, while it is open', { ...most, value: 92, open: true }, undefined],
  ['well below, while it is open', { ...most, value: 89, open: true }, 'recover'],
  ['well below, and never raised', { ...most, value: 3 }, undefined],
  ['not told', { ...most, open: true }, undefined],
] as const)('a value that is %s', (_, state, judged) => {
  expect(judgeLevel(state, 5 * minute, 5)).toBe(judged)
})

let one: Manager
let browser: Browser
let id: number
beforeEach(async () => {
  one = await startTestManager({
    starters: [runtime => fleetPart.start(runtime, createFleet(runtime, inProcess()))],
  })
  browser = await finishedWizard(one)
  const place = {
    organization: 1,
    network: 1,
    address: '192.0.2.1',
    port: 22,
    driver: 'linux',
    kind: 'gateway',
  } as const
  const row = { ...place, name: 'gw', status: 1, statusAt: 1, createdAt: 1 }
  id = one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
})
afterEach(() => one.stop())

type Row = { type: string; level: number; values: Record<string, unknown>; recoveredAt: number | null }
const list = async () => ((await browser.post('alerts/list')).data.result as Row[]).toReversed()
const types = async () => (await list()).map(({ type, recoveredAt }) => `${type}${recoveredAt === null ? '' : ' over'}`)
const look = (cpuPercent: number, at: number) => {
  const fleet = fleetOf(one.runtime)
  fleet.live.set(fleet.rowOf(id), { cpuPercent, memoryPercent: 10 })
  watchLevels(one.runtime, at)
}
async function save(change: object) {
  const { values, revision } = (await browser.post('alerts/config/query')).data as { values: object; revision: number }
  return browser.post('alerts/config/save', { ...values, ...change, revision })
}

test('a CPU that is busy for five minutes is told with its load, and that it is fine again', async () => {
  for (const at of [0, 1, 2, 3, 4]) look(97, at * minute)
  expect(await types()).toEqual([])
  look(98, 5 * minute)
  look(98, 6 * minute)
  expect(await list()).toMatchObject([
    { type: 'cpuHigh', level: 10, values: { device: 'gw', value: 98, limit: 95, minutes: 5 } },
  ])
  look(40, 7 * minute)
  expect(await types()).toEqual(['cpuHigh over', 'cpuNormal'])
})

test('what is open ends without a word once the network does not want it', async () => {
  for (const at of [0, 5]) look(97, at * minute)
  expect(await types()).toEqual(['cpuHigh'])
  await save({ off: ['cpuHigh'] })
  look(97, 6 * minute)
  expect(await types()).toEqual(['cpuHigh over'])
})

test('a pause in between begins the time anew; what the network does not want is not raised', async () => {
  for (const [at, value] of [97, 97, 97, 20, 97, 97].entries()) look(value, at * minute)
  expect(await types()).toEqual([])
  await save({ off: ['cpuHigh'] })
  for (const at of [10, 16]) look(99, at * minute)
  expect(await types()).toEqual([])
  await save({ off: [], cpuPercent: 100 })
  for (const at of [20, 26]) look(99, at * minute)
  expect(await types()).toEqual([])
})

test('a busy channel is told where the network wants it, and that it is free again well below the limit', async () => {
  const air = (airPercent: number, at: number) => {
    const fleet = fleetOf(one.runtime)
    fleet.live.set(fleet.rowOf(id), { airPercent })
    watchLevels(one.runtime, at * minute)
  }
  for (const at of [0, 5]) air(90, at)
  expect(await types()).toEqual([])
  await save({ off: [] })
  for (const at of [10, 15]) air(85, at)
  expect(await list()).toMatchObject([{ type: 'channelBusy', level: 10, values: { value: 85, limit: 80, minutes: 5 } }])
  air(70, 16)
  expect(await types()).toEqual(['channelBusy'])
  air(69, 17)
  expect(await types()).toEqual(['channelBusy over', 'channelFree'])
})

const wans = (at: number, states: Record<string, WanState>) =>
  applyStates(one.runtime, [{ id, at, status: 1, reason: '', wans: states, events: [] }])

test('WANs are told one by one: degraded, offline, online', async () => {
  wans(1000, { a: 'online', b: 'online' })
  wans(2000, { a: 'offline', b: 'degraded' })
  expect(await types()).toEqual(['wanOffline', 'wanDegraded'])
  wans(3000, { a: 'online', b: 'degraded' })
  expect(await types()).toEqual(['wanOffline over', 'wanDegraded', 'wanOnline'])
  wans(4000, { a: 'online', b: 'offline' })
  expect(await types()).toEqual(['wanOffline over', 'wanDegraded over', 'wanOnline', 'wanOffline'])
  expect((await list()).map(({ values }) => values.wan)).toEqual(['a', 'b', 'a', 'b'])
})

const port = (at: number, code: EventCode, label: string) =>
  applyStates(one.runtime, [{ id, at, status: 1, reason: '', events: [{ at, code, values: { port: label } }] }])

test('ports are told where the network wants it, each by itself', async () => {
  port(1000, 'portDown', 'p1')
  expect(await types()).toEqual([])
  await save({ off: [] })
  port(2000, 'portDown', 'p1')
  port(3000, 'portDown', 'p2')
  port(4000, 'portUp', 'p1')
  expect(await types()).toEqual(['portDown over', 'portDown', 'portUp'])
  expect((await list()).map(({ values }) => values.port)).toEqual(['p1', 'p2', 'p1'])
})

test.each([
  ['cpuPercent', [49, 101], [50, 100]],
  ['memoryPercent', [49, 101], [50, 100]],
  ['temperature', [29, 121], [30, 120]],
  ['airPercent', [49, 101], [50, 100]],
  ['portErrors', [0, 1_000_001], [1, 1_000_000]],
  ['wifiClients', [0, 1001], [1, 1000]],
  ['levelMinutes', [0, 121], [1, 120]],
])('%s: %j are refused, %j are not', async (field, refused, taken) => {
  for (const value of refused)
    expect((await save({ [field]: value })).data).toMatchObject({ fields: { [field]: expect.any(String) } })
  for (const value of taken) expect((await save({ [field]: value })).retCode).toBe(0)
})

test('a network says how grave an alert is; each grade of one by itself, and another network keeps the usual', async () => {
  await save({ severities: { cpuHigh: 5, 'deviceOffline:gateway': 15, 'deviceOffline:other': 5 } })
  for (const at of [0, 5]) look(97, at * minute)
  applyStates(one.runtime, [{ id, at: 6 * minute, status: 0, reason: 'timeout', events: [] }])
  expect((await list()).map(({ type, level }) => [type, level])).toEqual([
    ['cpuHigh', 5],
    ['deviceOffline', 15],
  ])
  const { values } = (await browser.post('alerts/config/query')).data as { values: object }
  expect(values).toMatchObject({ severities: { cpuHigh: 5 }, delays: {} })
})

test('a type that a later version brings is as it is without settings, until the network decides about it', async () => {
  const kept = { offlineMinutes: 3, off: ['portDown'] }
  one.runtime.db
    .insert(alertConfigs)
    .values({ network: 1, data: JSON.stringify(kept), revision: 1 })
    .run()
  const config = async () => (await browser.post('alerts/config/query')).data.values as Record<string, unknown>
  expect(await config()).toMatchObject({ offlineMinutes: 3, off: ['portDown', 'channelBusy', 'changedOnDevice'] })
  await save({ off: ['portDown'] })
  expect((await config()).off).toEqual(['portDown'])
})

test('a delay of its own decides how long a value has to be too high, 0 minutes at once', async () => {
  await save({ delays: { cpuHigh: 7 } })
  for (const at of [0, 5, 6]) look(97, at * minute)
  expect(await types()).toEqual([])
  look(97, 7 * minute)
  expect(await list()).toMatchObject([{ type: 'cpuHigh', values: { minutes: 7 } }])
  look(40, 8 * minute)
  await save({ delays: { cpuHigh: 0 } })
  look(97, 60 * minute)
  look(97, 60 * minute)
  expect(await types()).toEqual(['cpuHigh over', 'cpuNormal', 'cpuHigh'])
})

test('nobody is told of a trouble that ends within its delay; of one that lasts they are', async () => {
  await save({ off: [], delays: { portDown: 3 } })
  const port = (at: number, code: EventCode) =>
    applyStates(one.runtime, [{ id, at, status: 1, reason: '', events: [{ at, code, values: { port: 'lan1' } }] }])
  const toldOf = () => {
    const rows = one.runtime.db.select().from(alerts).where(eq(alerts.type, 'portDown')).all()
    return rows.map(({ told }) => told !== null)
  }
  const begun = Date.now()
  port(begun, 'portDown')
  tellDue(one.runtime, begun + 3 * minute - 1)
  expect(toldOf()).toEqual([false])
  port(begun + minute, 'portUp')
  tellDue(one.runtime, begun + 10 * minute)
  expect(toldOf()).toEqual([false])
  const again = begun + 60 * minute
  port(again, 'portDown')
  tellDue(one.runtime, again + 3 * minute - 1)
  expect(toldOf()).toEqual([false, false])
  tellDue(one.runtime, again + 3 * minute)
  expect(toldOf()).toEqual([false, true])
})

test.each([
  ['a delay below 0', { delays: { portDown: -1 } }, 'delays.portDown'],
  ['a delay beyond two hours', { delays: { portDown: 121 } }, 'delays.portDown'],
  ['a delay of what happens at once', { delays: { deviceRestarted: 5 } }, 'delays.deviceRestarted'],
  ['a severity that there is not', { severities: { portDown: 7 } }, 'severities.portDown'],
  ['a severity of the word of an end', { severities: { portUp: 5 } }, 'severities.portUp'],
  ['one severity for all grades of one', { severities: { deviceOffline: 5 } }, 'severities.deviceOffline'],
])('%s is refused at its field, and nothing is saved', async (_, change, field) => {
  const { data } = await save(change)
  expect(Object.keys(data.fields as object)).toEqual([field])
  expect((await browser.post('alerts/config/query')).data).toMatchObject({ revision: 0 })
})
