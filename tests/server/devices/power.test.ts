// An offline device is started anew by the PoE port that it hangs at: never the manager's own way, and always on again.
import { eq } from 'drizzle-orm'
import { deviceEvents, deviceParents, devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { restorePower } from '@/server/devices/incidents/power'
import { startIncidents } from '@/server/devices/incidents/start'
import { fleetOf } from '@/server/devices/link/fleet'
import { DeviceError } from '@/server/drivers/driver'
import type { ManagerPath, Observation } from '@/server/drivers/observation'
import { scratchFolder } from '../../_scratch'
import { removeFolder } from '../../appliance/_manager'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { driverWith } from '../worker/_entry'

let data: string
let one: Manager
let browser: Browser
let path: ManagerPath | undefined
let enabled: boolean
/** What the switch was told, and how it takes it. */
let told: string[]
let fails: DeviceError | undefined
const ids: Record<string, number> = {}

const seen = (): Observation => ({
  ...{ takenAt: Date.now(), depth: 'full', facts: { kind: 'switch', capabilities: [] }, ...(path && { path }) },
  interfaces: [1, 2].map(at => ({ key: String(at), name: `Gi0/${at}`, type: 'ethernet', up: true })),
  ports: [1, 2].map(at => ({ number: at, label: `p${at}`, interface: String(at), poe: { enabled } })),
  hosts: ['02:00:00:00:00:01', '02:00:00:00:00:02'].map(mac => ({ mac, port: '2', source: 'fdb' })),
})
const silent = new DeviceError('timeout')
const driver = driverWith({
  connect: async ({ address }) => {
    if (address !== 'sw1') throw silent
    return address
  },
  observe: async () => seen(),
  actions: {
    power: async (_, port, on) => {
      if (fails) throw fails
      told.push(`${port} ${on ? 'on' : 'off'}`)
    },
  },
})

const start = async () => {
  one = await startTestManager({
    data,
    starters: [
      fleetInProcess({ drivers: () => driver, pollMs: 60_000 }),
      // Time passes where a test says so.
      runtime => startIncidents(runtime, { powerMs: 3_600_000 }),
    ],
  })
}

/** The access point hangs at port p2 of the switch, a camera at the same one, and another switch behind the access point. */
beforeEach(async () => {
  data = scratchFolder('lanward-test-')
  path = { peer: '10.0.0.9', local: '10.0.0.1', port: '1' }
  enabled = true
  told = []
  fails = undefined
  await start()
  browser = await finishedWizard(one)
  const credential = insertCredential(one.runtime, { organization: 1, network: 1 }, { type: 'snmp2c', community: 'c' })
  for (const [name, status] of Object.entries({ sw1: 3, ap1: 0, camera: 0, sw2: 0 })) {
    const place = { organization: 1, network: 1, address: name, port: 9, driver: 'snmp', kind: 'switch' } as const
    const row = { ...place, name, credential, status, statusAt: 1, createdAt: 1 }
    ids[name] = one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
  }
  const hangs = (name: string, parent: string, port: string) =>
    one.runtime.db
      .insert(deviceParents)
      .values({ device: Number(ids[name]), parent: Number(ids[parent]), port, at: 1 })
      .run()
  hangs('ap1', 'sw1', 'p2')
  hangs('camera', 'sw1', 'p2')
  hangs('sw2', 'ap1', 'lan')
  await answers()
})
afterEach(async () => {
  await one.stop()
  removeFolder(data)
})

async function answers() {
  fleetOf(one.runtime).upsert(Number(ids.sw1))
  await until(() => one.runtime.db.select().from(devices).where(eq(devices.name, 'sw1')).get()?.status === 1)
}
const cycle = (name = 'ap1') => browser.post('devices/power/cycle', { id: ids[name] })
const info = async (name = 'ap1') => (await browser.post('devices/power/info', { id: ids[name] })).data
const eventsOf = (name: string) =>
  one.runtime.db
    .select()
    .from(deviceEvents)
    .where(eq(deviceEvents.device, Number(ids[name])))
    .all()
    .map(({ code }) => code)
    .filter(code => code.startsWith('power'))

test('the port, and what else loses its power or its connection, are told before', async () => {
  expect(await info()).toEqual({
    power: {
      ...{ device: { id: ids.sw1, name: 'sw1' }, port: 'Gi0/2', label: 'p2', clients: 2 },
      others: ['camera', 'sw2'],
    },
    why: null,
  })
})

test('off, and on again after five seconds; both are in the events, and who did it in the changelog', async () => {
  const before = Date.now()
  expect((await cycle()).retCode).toBe(0)
  expect(told).toEqual(['Gi0/2 off'])
  await restorePower(one.runtime, before + 4000)
  expect(told).toEqual(['Gi0/2 off'])
  expect((await cycle()).data).toMatchObject({ why: 'running' })
  await restorePower(one.runtime, Date.now() + 5001)
  await restorePower(one.runtime, Date.now() + 60_000)
  expect(told).toEqual(['Gi0/2 off', 'Gi0/2 on'])
  expect([eventsOf('ap1'), eventsOf('sw1')]).toEqual([['powerCycleAsked'], ['powerTaken', 'powerBack']])
  const { result } = (await browser.post('changelog/list')).data as { result: { action: string; name: string }[] }
  expect(result).toContainEqual(expect.objectContaining({ action: 'powerCycle', name: 'ap1' }))
})

test('a switch that does not answer is asked again until it does, by a manager that was started anew, too', async () => {
  await cycle()
  fails = silent
  await restorePower(one.runtime, Date.now() + 5001)
  await one.stop()
  await start()
  await answers()
  expect(told).toEqual(['Gi0/2 off'])
  fails = undefined
  await restorePower(one.runtime, Date.now() + 60_000)
  expect(told).toEqual(['Gi0/2 off', 'Gi0/2 on'])
  await restorePower(one.runtime, Date.now() + 120_000)
  expect(told).toHaveLength(2)
})

test('where it is not known whether the port went off it is switched on; where the switch refused it is left alone', async () => {
  fails = new DeviceError('commandFailed', 'PoE of Gi0/2 is off already')
  expect((await cycle()).retCode).not.toBe(0)
  fails = undefined
  await restorePower(one.runtime, Date.now() + 60_000)
  expect(told).toEqual([])
  fails = silent
  expect((await cycle()).retCode).not.toBe(0)
  fails = undefined
  await restorePower(one.runtime, Date.now() + 60_000)
  expect(told).toEqual(['Gi0/2 on'])
})

const again = async () => {
  await fleetOf(one.runtime).ask('observeNow', Number(ids.sw1))
}
test.each<[string, () => unknown, string, string]>([
  ['the port that leads to the manager', () => (path = { peer: '', local: '', port: '2' }), 'ap1', 'ownWay'],
  ['any port with a link while that way is not known', () => (path = undefined), 'ap1', 'ownWay'],
  ['a port whose PoE is off', () => (enabled = false), 'ap1', 'noPoe'],
  ['a device that is online', () => undefined, 'sw1', 'notOffline'],
  ['one whose switch is offline', () => undefined, 'sw2', 'switchOffline'],
])('refused: %s', async (_, change, name, why) => {
  change()
  await again()
  expect(await info(name)).toEqual({ power: null, why })
  const answer = await cycle(name)
  expect(answer).toMatchObject({ retCode: codes.powerCycleImpossible, data: { why } })
  await restorePower(one.runtime, Date.now() + 60_000)
  expect(told).toEqual([])
  expect(eventsOf(name)).toEqual([])
})

test('a device of another network or of none is not there', async () => {
  expect((await browser.post('devices/power/cycle', { id: 99_999 })).retCode).toBe(codes.deviceNotFound)
  expect((await browser.post('devices/power/cycle', { id: 'x' })).data).toMatchObject({ fields: { id: 'wrongType' } })
})

const alertsOf = async () =>
  ((await browser.post('alerts/list')).data.result as { type: string; values: object; recoveredAt: number | null }[])
    .filter(({ type }) => type.startsWith('p'))
    .map(({ type, values, recoveredAt }) => ({ type, values, over: recoveredAt !== null }))

test('a switch that has not given it back within a minute is an alert, once, until it does', async () => {
  await cycle()
  fails = silent
  const due = Date.now() + 5001
  await restorePower(one.runtime, due)
  await restorePower(one.runtime, due + 50_000)
  expect(await alertsOf()).toEqual([])
  await restorePower(one.runtime, due + 61_000)
  await restorePower(one.runtime, due + 120_000)
  const values = { device: 'sw1', port: 'p2' }
  expect(await alertsOf()).toEqual([{ type: 'portPowerless', values, over: false }])
  fails = undefined
  await restorePower(one.runtime, due + 180_000)
  expect(told).toEqual(['Gi0/2 off', 'Gi0/2 on'])
  expect(await alertsOf()).toEqual([
    { type: 'portPowered', values, over: false },
    { type: 'portPowerless', values, over: true },
  ])
})

test('a switch that is deleted meanwhile leaves its port off: the device says so', async () => {
  await cycle()
  one.runtime.db
    .delete(devices)
    .where(eq(devices.id, Number(ids.sw1)))
    .run()
  await restorePower(one.runtime, Date.now() + 5001)
  await restorePower(one.runtime, Date.now() + 60_000)
  expect(told).toEqual(['Gi0/2 off'])
  expect(eventsOf('ap1')).toEqual(['powerCycleAsked', 'powerLeftOff'])
  const values = { device: 'ap1', port: 'p2', switch: 'sw1' }
  expect(await alertsOf()).toEqual([{ type: 'powerLeftOff', values, over: false }])
})
