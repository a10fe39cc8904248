// What is in force at once: written beside all that waits, recorded as if it had been pushed, and refused where it must be.
import { eq } from 'drizzle-orm'
import { deployments, devices } from '@/db/schema'
import { startKeepAtOnce } from '@/server/devices/change/keep-at-once'
import { addDeployment } from '@/server/devices/change/plan/deployments'
import { engineOf } from '@/server/devices/change/plan/plan'
import { startChange } from '@/server/devices/change/start'
import { type ScriptedDevice, scriptedDevice, scriptedTransport } from '../_device'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

const [phone, tablet] = ['5c:cb:99:4e:21:b7', '5c:cb:99:4e:21:b8'] as const
let manager: Manager
let browser: Browser
let scripted: Map<number, ScriptedDevice>

beforeEach(async () => {
  scripted = new Map()
  manager = await startTestManager({
    starters: [
      async runtime => {
        await startChange(runtime, scriptedTransport(scripted), 25)
      },
    ],
  })
  browser = await finishedWizard(manager)
})
afterEach(async () => {
  for (const device of scripted.values()) clearTimeout(device.pending?.timer)
  await manager.stop()
})

function addDevice(name: string, more: { driver?: string; status?: number } = {}): number {
  const place = { organization: 1, network: 1, name, address: `192.0.2.${scripted.size + 1}`, port: 22 }
  const row = { ...place, kind: 'ap', driver: 'linux', status: 1, statusAt: 0, createdAt: 0, ...more }
  const { id } = manager.runtime.db
    .insert(devices)
    .values(row as never)
    .returning({ id: devices.id })
    .get()
  scripted.set(id, scriptedDevice())
  manager.runtime.bus.emit({ topic: 'devices' })
  return id
}
const at = (id: number) => scripted.get(id) as ScriptedDevice
const ok = async (path: string, input: object = {}) => {
  const answer = await browser.post(path, input)
  expect(answer).toMatchObject({ retCode: 0 })
  return answer.data as Record<string, unknown>
}
const on = (id: number) => at(id).config.blocks.map(block => block.id)
const fileOf = (mac: string) => `file:${mac}`
const waiting = async () => (await ok('changes/list')) as { total: number; changes: { kind: string }[] }

test('a device that was never pushed to gets the list alone, and what else is saved goes on waiting', async () => {
  const ap = addDevice('ap1')
  await ok('settings/ssid/save', { name: 'Café', security: 'wpa2', key: 'harbour1234' })
  expect(await ok('clients/block', { macs: [phone, tablet] })).toMatchObject({ here: 1, waits: [] })
  expect(on(ap).sort()).toEqual([fileOf(phone), fileOf(tablet)])
  expect((await waiting()).changes.map(one => one.kind)).toEqual(['ssid'])
  expect(await ok('clients/unblock', { macs: [phone] })).toMatchObject({ here: 1, waits: [] })
  expect(on(ap)).toEqual([fileOf(tablet)])
  expect(at(ap).pushes).toBe(0)
  const stored = manager.runtime.db.select().from(deployments).all()
  expect(stored).toMatchObject([{ state: 'applied', detail: 'atOnce', device: ap }])
})

test('devices that are away, refuse it, are being pushed to or were changed are named with the reason', async () => {
  const [here, away, full, busy, changed] = [
    addDevice('1'),
    addDevice('2', { status: 0 }),
    addDevice('3'),
    addDevice('4'),
    addDevice('5'),
  ]
  addDevice('only read', { driver: 'snmp' })
  await ok('clients/block', { macs: [phone] })
  at(full).refusesPush = true
  at(changed).config = { blocks: [{ id: fileOf(phone), text: 'something else' }] }
  addDeployment(manager.runtime.db, { id: busy, organization: 1 }, { accepts: [] }, 'marta7', Date.now() + 1000)
  const { waits, here: many } = await ok('clients/unblock', { macs: [phone] })
  expect(many).toBe(1)
  expect(on(here)).toEqual([])
  // The one that was away never had it: there is nothing to take off.
  expect(waits).toEqual([
    { deviceId: full, name: '3', reason: 'deviceFull' },
    { deviceId: busy, name: '4', reason: 'pushing' },
    { deviceId: changed, name: '5', reason: 'changedOnDevice' },
  ])
  expect(at(changed).config.blocks[0]?.text).toBe('something else')
  expect(await ok('clients/block', { macs: [tablet] })).toMatchObject({
    waits: expect.arrayContaining([{ deviceId: away, name: '2', reason: 'offline' }]),
  })
})

test('a connection that was just closed is opened again before the answer; one that never holds is named', async () => {
  const [once, never] = [addDevice('1'), addDevice('2')]
  at(once).drops = 1
  at(never).drops = 1000
  expect(await ok('clients/block', { macs: [phone] })).toEqual({
    ids: [expect.any(String)],
    here: 1,
    waits: [{ deviceId: never, name: '2', reason: 'closed' }],
  })
  expect(on(once)).toEqual([fileOf(phone)])
})

test('who comes back, and a list that was saved among the settings, is brought up to date by itself', async () => {
  manager.runtime.closers.push(startKeepAtOnce(engineOf(manager.runtime), 100))
  const ap = addDevice('ap1', { status: 0 })
  await ok('settings/blockedClient/save', { mac: phone })
  manager.runtime.db.update(devices).set({ status: 1 }).where(eq(devices.id, ap)).run()
  manager.runtime.bus.emit({ topic: 'device', id: ap, organization: 1, network: 1 })
  for (let n = 0; n < 600 && on(ap).length === 0; n++) await new Promise(done => setTimeout(done, 100))
  expect(on(ap)).toEqual([fileOf(phone)])
  for (let n = 0; n < 600 && (await waiting()).total > 0; n++) await new Promise(done => setTimeout(done, 100))
  expect(await waiting()).toMatchObject({ total: 0 })
}, 120_000)

test('G17: a client has one limit, with its name; without rates it is gone', async () => {
  const gateway = addDevice('gw')
  const rules = async () => (await ok('settings/bandwidthRule/list')).result as Record<string, unknown>[]
  expect(await ok('clients/limit', { mac: phone })).toEqual({ here: 0, waits: [] })
  expect(await ok('clients/limit', { mac: phone, download: '8 Mbps' })).toMatchObject({ here: 1 })
  await ok('clients/limit', { mac: phone, upload: '999 Kbps' })
  expect(await rules()).toMatchObject([{ target: 'client', mac: phone, upload: '999 Kbps', enabled: true }])
  expect((await rules())[0]).not.toHaveProperty('download')
  expect(on(gateway)).toHaveLength(1)
  expect(await ok('clients/limit', { mac: phone })).toMatchObject({ here: 1 })
  expect([await rules(), on(gateway)]).toEqual([[], []])
  for (const bad of ['0 Mbps', '1000 Mbps', '8', '8 Gbps'])
    expect((await browser.post('clients/limit', { mac: phone, download: bad })).data).toMatchObject({
      fields: { download: 'rate' },
    })
})

type Lock = { id: string; mac: string; here: number; of: number; waits: { name: string; reason: string }[] }
const locks = async (input: object = {}) =>
  (await ok('clients/lock/list', { sort: { field: 'mac', direction: 'asc' }, ...input })) as unknown as {
    result: Lock[]
    total: number
  }

test('the block list tells since when, by whom, until when and where it is not yet; what is chosen of it is taken off', async () => {
  const ap = addDevice('ap1')
  const away = addDevice('ap2', { status: 0 })
  const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')
  await ok('clients/block', { macs: [phone], note: 'loud' })
  await ok('clients/block', { macs: [tablet], until })
  const waits = [{ deviceId: away, name: 'ap2', reason: 'offline' }]
  const said = {
    since: expect.any(Number),
    by: expect.stringMatching(/./),
    name: '',
    vendor: '',
    here: 1,
    of: 2,
    waits,
  }
  const { result } = await locks()
  expect(result).toEqual([
    { ...said, id: expect.any(String), mac: phone, note: 'loud' },
    { ...said, id: expect.any(String), mac: tablet, note: '', until },
  ])
  expect((await locks({ search: 'loud' })).result.map(one => one.mac)).toEqual([phone])
  const ids = result.slice(0, 1).map(one => one.id)
  expect(await ok('clients/lock/remove', { ids })).toMatchObject({ ids, here: 1 })
  expect((await locks()).result.map(one => one.mac)).toEqual([tablet])
  expect(on(ap)).toEqual([fileOf(tablet)])
  // Somebody else was first: it is off the list all the same.
  expect(await ok('clients/lock/remove', { ids })).toMatchObject({ ids: [], here: 0 })
})

test('a block counts the devices that can enforce it and those that do, each other one with its reason', async () => {
  const told = async () => (await locks()).result.map(({ here, of, waits }) => ({ here, of, waits }))
  // Neither a device whose plan has no place for it, nor one that is only read.
  at(addDevice('mast')).idle = true
  addDevice('only read', { driver: 'snmp' })
  await ok('clients/block', { macs: [phone] })
  expect(await told()).toEqual([{ here: 0, of: 0, waits: [] }])
  const [ap, busy, full, old] = [addDevice('1'), addDevice('2'), addDevice('3'), addDevice('4')]
  const away = addDevice('5', { status: 0 })
  at(full).refusesPush = true
  at(old).lacks.push(phone)
  at(away).unread = true
  addDeployment(manager.runtime.db, { id: busy, organization: 1 }, { accepts: [] }, 'marta7', Date.now() + 1000)
  await ok('clients/block', { macs: [phone] })
  const waits = [
    { deviceId: busy, name: '2', reason: 'pushing' },
    { deviceId: full, name: '3', reason: 'deviceFull' },
    { deviceId: old, name: '4', reason: 'vlanMissing', values: expect.any(Object) },
    { deviceId: away, name: '5', reason: 'offline' },
  ]
  expect(await told()).toEqual([{ here: 1, of: 5, waits }])
  // A manager that has just started has read none: what was pushed is in force all the same.
  at(ap).unread = true
  manager.runtime.bus.emit({ topic: 'devices' })
  expect(await told()).toEqual([{ here: 1, of: 5, waits }])
})
