// How long clients may be connected: counted, blocked for at once on a device, and given back at the reset.
import { eq } from 'drizzle-orm'
import { alerts, clientTimes, networks } from '@/db/schema'
import { startChange } from '@/server/devices/change/start'
import { watchTimes } from '@/server/devices/clients/time-watch'
import { type ScriptedDevice, scriptedDevice, scriptedTransport } from '../_device'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { addDevice, clientTable, station } from './_clients'

const [phone, tablet] = ['5c:cb:99:4e:21:b7', '5c:cb:99:4e:21:b8'] as const
const minute = 60_000
/** Half hours from UTC, so that an hour of another clock is seen. */
const zone = 'Asia/Kolkata'
let manager: Manager
let browser: Browser
let device: ScriptedDevice
let clients: ReturnType<typeof clientTable>
let start: number
let now: number

beforeEach(async () => {
  start = Math.floor(Date.now() / minute) * minute
  now = start
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  device = scriptedDevice()
  manager = await startTestManager({
    starters: [
      async runtime => {
        await startChange(runtime, scriptedTransport(new Map([[1, device]])), 25)
      },
    ],
  })
  browser = await finishedWizard(manager)
  manager.runtime.db.update(networks).set({ timezone: zone }).where(eq(networks.id, 1)).run()
  addDevice(manager, 'ap1')
  clients = clientTable(manager)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await manager.stop()
})

const ok = async (path: string, input: object = {}) => {
  const answer = await browser.post(path, input)
  expect(answer).toMatchObject({ retCode: 0 })
  return answer.data as Record<string, unknown>
}
/** The clock of the network, so many minutes after the test began. */
const clock = (minutes: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(start + minutes * minute)
const iso = (minutes: number) => new Date(start + minutes * minute).toISOString().replace('.000', '')
const policyOf = (more: object = {}) => ({
  ...{ name: 'Children', macs: [phone], hours: 0, minutes: 10, resetTime: clock(30) },
  ...more,
})
const blocks = async () =>
  ((await ok('clients/lock/list')).result as Record<string, unknown>[]).map(({ mac, note, until }) => ({
    ...{ mac, note, until },
  }))
const onDevice = () => device.config.blocks.map(block => block.id)
const time = async (mac: string = phone) => (await ok('clients/info', { mac })).time
const trail = async () =>
  ((await ok('clients/roaming', { mac: phone })).result as { what: string; at: number }[]).map(one => one.what)

/** Connected, all of them or nobody, and looked at each half minute. */
async function pass(minutes: number, ...here: string[]): Promise<void> {
  for (let half = 0; half < minutes * 2; half++) {
    now += minute / 2
    clients.reads(1, { stations: here.map(mac => station(mac)) })
    await clients.record(minute / 2)
    await watchTimes(manager.runtime, now)
  }
}
/** They connect; counted is from here on. */
const come = (...macs: string[]) => pass(0.5, ...macs)

test('a client whose time is used up is blocked at once, and free again at the reset of its network', async () => {
  await ok('settings/timePolicy/save', policyOf())
  await come(phone, tablet)
  await pass(9.5, phone, tablet)
  expect(await time()).toMatchObject({ name: 'Children', usedMs: 9.5 * minute, allowedMs: 10 * minute })
  expect(await time(tablet)).toBeUndefined()
  expect(onDevice()).toEqual([])
  await pass(0.5, phone, tablet)
  expect(await blocks()).toEqual([{ mac: phone, note: 'Children', until: iso(30) }])
  expect(onDevice()).toEqual([`file:${phone}`])
  expect(await time()).toMatchObject({ usedMs: 10 * minute, resetsAt: Date.parse(iso(30)) })
  expect(await trail()).toEqual(['timeUp', 'joined'])
  now = Date.parse(iso(30)) - 1000
  await watchTimes(manager.runtime, now)
  expect(onDevice()).toEqual([`file:${phone}`])
  now += 2000
  await watchTimes(manager.runtime, now)
  expect(onDevice()).toEqual([])
  expect(await blocks()).toEqual([])
  expect(await time()).toMatchObject({ usedMs: 0, resetsAt: Date.parse(iso(30 + 24 * 60)) })
  const { result } = await ok('clients/roaming', { mac: phone })
  expect((result as object[])[0]).toMatchObject({ what: 'blockEnded', at: Date.parse(iso(30)) })
  expect((await trail()).filter(what => what === 'blockEnded')).toHaveLength(1)
})

test('G15: what is used before the reset counts no more after it', async () => {
  await ok('settings/timePolicy/save', policyOf({ resetTime: clock(5) }))
  await come(phone)
  await pass(9, phone)
  expect(await time()).toMatchObject({ usedMs: 4.5 * minute, resetsAt: Date.parse(iso(5 + 24 * 60)) })
  expect(await blocks()).toEqual([])
})

test('G15: without a reset it is blocked for good', async () => {
  await ok('settings/timePolicy/save', policyOf({ resetDays: 0, resetTime: undefined }))
  await come(phone)
  await pass(10, phone)
  expect(await blocks()).toEqual([{ mac: phone, note: 'Children', until: undefined }])
  now += 400 * 24 * 60 * minute
  await watchTimes(manager.runtime, now)
  expect(onDevice()).toEqual([`file:${phone}`])
})

test('whoever is gone for five minutes uses nothing, whoever is unseen for less was there', async () => {
  await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(2, phone)
  await pass(4)
  await pass(0.5, phone)
  expect(await time()).toMatchObject({ usedMs: 6.5 * minute })
  await pass(5)
  await pass(0.5, phone)
  expect(await time()).toMatchObject({ usedMs: 6.5 * minute })
})

test('a policy of an SSID is about each of its clients alone, and not about those with one of their own', async () => {
  const { id } = await ok('settings/ssid/save', { name: 'Guests', security: 'wpa2', key: 'harbour1234' })
  await ok('settings/timePolicy/save', { name: 'Café', target: 'ssid', ssid: id, hours: 0, minutes: 5 })
  await ok('settings/timePolicy/save', policyOf({ macs: [tablet] }))
  await come(phone, tablet)
  await pass(4.5, phone, tablet)
  expect(await blocks()).toEqual([])
  await pass(0.5, phone, tablet)
  expect((await blocks()).map(one => one.mac)).toEqual([phone])
  await pass(5, tablet)
  expect((await blocks()).map(one => [one.mac, one.note])).toEqual(
    expect.arrayContaining([
      [phone, 'Café'],
      [tablet, 'Children'],
    ]),
  )
  expect(await blocks()).toHaveLength(2)
})

test.each([
  ['allows more', { minutes: 11 }],
  ['is disabled', { enabled: false }],
  ['is about others', { macs: [tablet] }],
])('it is released at once where the policy %s', async (_what, change) => {
  const saved = await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(10, phone)
  expect(onDevice()).toEqual([`file:${phone}`])
  await ok('settings/timePolicy/save', policyOf({ ...saved, ...change }))
  await watchTimes(manager.runtime, now)
  expect(onDevice()).toEqual([])
  expect((await trail())[0]).toBe('blockEnded')
})

test('it is released where the policy is deleted, and nothing is kept of it', async () => {
  const { id } = await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(10, phone)
  await ok('settings/timePolicy/delete', { ids: [id] })
  await watchTimes(manager.runtime, now)
  await watchTimes(manager.runtime, now)
  expect(onDevice()).toEqual([])
  expect(manager.runtime.db.select().from(clientTimes).all()).toEqual([])
})

test('whoever is unblocked by hand has the time once more; another reset moves the end of the block', async () => {
  const saved = await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(10, phone)
  await ok('clients/unblock', { macs: [phone] })
  await watchTimes(manager.runtime, now)
  expect(onDevice()).toEqual([])
  await pass(9, phone)
  expect(await blocks()).toEqual([])
  await pass(1.5, phone)
  expect(await blocks()).toHaveLength(1)
  await ok('settings/timePolicy/save', policyOf({ ...saved, resetTime: clock(45) }))
  await watchTimes(manager.runtime, now)
  expect(await blocks()).toEqual([{ mac: phone, note: 'Children', until: iso(45) }])
})

test('a block that somebody set stays theirs, whatever the policy says', async () => {
  const { id } = await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await ok('clients/block', { macs: [phone], note: 'Lost' })
  await pass(11, phone)
  expect(await blocks()).toEqual([{ mac: phone, note: 'Lost', until: undefined }])
  await ok('settings/timePolicy/delete', { ids: [id] })
  await watchTimes(manager.runtime, now)
  expect(await blocks()).toHaveLength(1)
})

test('a block for used time that somebody makes permanent is theirs from then on', async () => {
  const { id } = await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(10, phone)
  await ok('clients/block', { macs: [phone] })
  await ok('settings/timePolicy/delete', { ids: [id] })
  await watchTimes(manager.runtime, now)
  expect(await blocks()).toEqual([{ mac: phone, note: 'Children', until: undefined }])
})

test('W13: where the block list is full it is told once, and everything else goes on', async () => {
  await ok('settings/ssid/save', {
    ...{ name: 'Full', security: 'wpa2', key: 'harbour1234', macFilter: 'block' },
    macList: Array.from({ length: 1000 }, (_, at) => mac(at)),
  })
  await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(12, phone)
  expect(onDevice()).toEqual([])
  const told = manager.runtime.db.select().from(alerts).where(eq(alerts.type, 'timePolicyFull')).all()
  expect(told.map(one => JSON.parse(one.values))).toEqual([{ client: phone, mac: phone, policy: 'Children' }])
})
const mac = (at: number) =>
  `02:00:00:00:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`

test('a client is given no less time because the manager was away', async () => {
  await ok('settings/timePolicy/save', policyOf())
  await come(phone)
  await pass(3, phone)
  now += 20 * minute
  await pass(1, phone)
  expect(await time()).toMatchObject({ usedMs: 3.5 * minute })
})

test('the end of any temporary block is in the trail, once', async () => {
  await come(phone)
  await ok('clients/block', { macs: [phone], until: iso(20) })
  await watchTimes(manager.runtime, Date.parse(iso(20)))
  expect(await trail()).toEqual(['blocked', 'joined'])
  for (const later of [1, 2]) await watchTimes(manager.runtime, Date.parse(iso(20)) + later * 1000)
  const { result } = await ok('clients/roaming', { mac: phone })
  expect(result).toMatchObject([
    { what: 'blockEnded', at: Date.parse(iso(20)) },
    { what: 'blocked' },
    { what: 'joined' },
  ])
})

test('a client’s page is told of every limit about it, also of those that are off', async () => {
  const { id: guests } = await ok('settings/ssid/save', { name: 'Guests', security: 'open' })
  const { id: staff } = await ok('settings/ssid/save', { name: 'Staff', security: 'open' })
  const about = async (mac: string) => (await ok('clients/info', { mac })).policies
  await come(phone, tablet)
  expect(await about(phone)).toBeUndefined()
  const own = await ok('settings/timePolicy/save', policyOf({ enabled: false }))
  const shared = await ok(
    'settings/timePolicy/save',
    policyOf({ name: 'All', target: 'ssid', macs: undefined, ssid: guests }),
  )
  await ok('settings/timePolicy/save', policyOf({ name: 'Others', target: 'ssid', macs: undefined, ssid: staff }))
  expect(await about(phone)).toEqual([
    { id: own.id, name: 'Children', enabled: false, own: true },
    { id: shared.id, name: 'All', enabled: true, own: false },
  ])
  expect(await about(tablet)).toEqual([{ id: shared.id, name: 'All', enabled: true, own: false }])
})
