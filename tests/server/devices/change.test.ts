import { rmSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { alerts, deployments, devices, documents, jobs, webhookDeliveries } from '@/db/schema'
import { codes } from '@/model/codes'
import { addDeployment, partOf, updateDeployment } from '@/server/devices/change/plan/deployments'
import { engineOf } from '@/server/devices/change/plan/plan'
import { startChange } from '@/server/devices/change/start'
import { DeviceError } from '@/server/drivers/driver'
import { stopRuntime } from '@/server/kernel/runtime'
import { sentence } from '@/server/notify/alerts/sentence'
import { until } from '../../lab/_lab'
import { type ScriptedDevice, scriptedDevice, scriptedTransport } from '../_device'
import { type Answer, type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let scripted: Map<number, ScriptedDevice>
// Far longer than a proof takes on any machine.
const confirmSeconds = 900

const start = (data?: string) =>
  startTestManager({
    data,
    starters: [
      async runtime => {
        const engine = await startChange(runtime, scriptedTransport(scripted), confirmSeconds)
        engine.retryMs = 50
      },
    ],
  })

beforeEach(async () => {
  scripted = new Map()
  manager = await start()
  browser = await finishedWizard(manager)
})
afterEach(async () => {
  jest.restoreAllMocks()
  for (const device of scripted.values()) clearTimeout(device.pending?.timer)
  await manager.stop()
})

function addDevice(name: string, kind: 'ap' | 'switch' = 'ap', driver: 'linux' | 'snmp' = 'linux'): number {
  const network = manager.runtime.db.query.networks.findFirst().sync()
  const row = {
    organization: network?.organization ?? 0,
    network: network?.id ?? 0,
    ...{ name, kind, driver, address: `192.0.2.${scripted.size + 1}`, port: 22, status: 1, statusAt: 0, createdAt: 0 },
  }
  const { id } = manager.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get()
  scripted.set(id, scriptedDevice())
  manager.runtime.bus.emit({ topic: 'devices' })
  return id
}
const at = (id: number) => scripted.get(id) as ScriptedDevice
/** A first try to prove the push failed. */
const unproven = () => until(() => manager.runtime.db.select().from(deployments).get()?.detail, { everyMs: 20 })
function pass(seconds: number) {
  const { now } = Date
  jest.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1000)
}
/** So little is left of the window that nothing is confirmed any more. */
const proofEnds = () => pass(confirmSeconds - 14)
/** The device's window is over, by the manager's clock and by its own. */
function windowEnds(id: number) {
  pass(confirmSeconds)
  at(id).pending?.runOut()
}
const ok = (answer: Answer) => {
  expect(answer).toMatchObject({ retCode: 0 })
  return answer.data
}
const saveSsid = async (name: string, more = {}) =>
  ok(await browser.post('settings/ssid/save', { name, security: 'wpa2', key: 'harbour1234', ...more }))
const push = async (...deviceIds: number[]) =>
  ok(await browser.post('devices/push', { deviceIds })) as { jobId: string }

type Result = {
  state: string
  stopped: boolean
  devices: { deviceId: number; state: string; reason: string; detail: string }[]
}
async function ended(jobId: string, seconds = 300): Promise<Result> {
  for (let n = 0; n < seconds * 10; n++) {
    const result = ok(await browser.post('devices/push/result', { jobId })) as Result
    if (result.state !== 'running') return result
    await new Promise(done => setTimeout(done, 100))
  }
  throw new Error('the push did not end')
}
const states = (result: Result) => result.devices.map(device => device.state)
const changes = async () =>
  ok(await browser.post('changes/list')) as { total: number; devices: { state: string; deviceId: number }[] }

test('a connection dropped before anything was touched is opened once more, and the second time is the end', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  at(id).drops = 2
  const {
    devices: [failed],
  } = await ended((await push(id)).jobId)
  expect(failed).toMatchObject({ state: 'failed', reason: 'closed' })
  expect(at(id).pushes).toBe(0)
  at(id).drops = 1
  expect(states(await ended((await push(id)).jobId))).toEqual(['applied'])
  expect(at(id).pushes).toBe(1)
})

test('saved, previewed, pushed, confirmed, up to date; then changed and pushed again', async () => {
  const id = addDevice('ap1')
  expect((await changes()).devices).toEqual([])
  const { id: document } = await saveSsid('Café')
  expect(await changes()).toMatchObject({ total: 1, devices: [{ deviceId: id, state: 'modified' }] })

  const preview = ok(await browser.post('devices/push/preview', { deviceId: id }))
  expect(preview).toMatchObject({
    read: true,
    blocked: false,
    reverts: 'device',
    confirmSeconds,
    blocks: [
      {
        id: 'file:Café',
        action: 'add',
        name: 'Café',
        lines: [
          { sign: '+', text: 'ssid=Café' },
          { sign: '+', text: 'key=••••••••' },
        ],
      },
    ],
    changes: [{ kind: 'ssid', name: 'Café', action: 'add', by: 'marta7' }],
  })
  expect(JSON.stringify(preview)).not.toContain('harbour1234')
  expect(at(id).pushes).toBe(0)

  expect(states(await ended((await push(id)).jobId))).toEqual(['applied'])
  expect(at(id).config.blocks[0]?.text).toContain('harbour1234')
  expect(at(id).pending?.state).toBe('confirmed')
  expect(await changes()).toMatchObject({ total: 0, devices: [] })

  await saveSsid('Café', { id: document, revision: 1, key: 'another-key-1' })
  const again = ok(await browser.post('devices/push/preview', { deviceId: id })) as { blocks: { lines: unknown[] }[] }
  expect(again.blocks[0]?.lines).toEqual([
    { sign: ' ', text: 'ssid=Café' },
    { sign: '-', text: 'key=••••••••' },
    { sign: '+', text: 'key=••••••••' },
  ])
  expect(states(await ended((await push(id)).jobId))).toEqual(['applied'])

  ok(await browser.post('settings/ssid/delete', { ids: [document] }))
  expect(await changes()).toMatchObject({ total: 1, devices: [{ deviceId: id }] })
  expect(states(await ended((await push(id)).jobId))).toEqual(['applied'])
  expect(at(id).config.blocks).toEqual([])

  const history = ok(await browser.post('devices/config/history', { deviceId: id })) as {
    result: { deploymentId: string }[]
  }
  expect(history).toMatchObject({ total: 3, result: [{ state: 'applied', by: 'marta7' }, {}, {}] })
  const last = ok(await browser.post('devices/config/get', { deploymentId: history.result[0]?.deploymentId }))
  expect(last).toMatchObject({ blocks: [{ id: 'file:Café', action: 'remove' }] })
})

test('what a device keeps of a push is sealed at rest', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  await ended((await push(id)).jobId)
  const stored = JSON.stringify(manager.runtime.db.select().from(deployments).all())
  expect(stored).not.toContain('harbour1234')
  expect(stored).not.toContain('ssid=')
})

test('a long configuration is kept packed; one of before that was not is read as it is', async () => {
  const { runtime } = manager
  const { db, secrets } = runtime
  const network = db.query.networks.findFirst().sync()
  const id = addDeployment(
    db,
    { id: addDevice('ap1'), organization: network?.organization ?? 0 },
    { accepts: [] },
    'x',
    0,
  )
  const rule = (n: number) => ({
    id: `rule:${n}`,
    text: `firewall.@rule.name='Rule ${n}'\nfirewall.@rule.target='ACCEPT'`,
  })
  const planned = { blocks: Array.from({ length: 200 }, (_, n) => rule(n)) }
  updateDeployment(runtime, id, { planned })
  const stored = () => db.select().from(deployments).where(eq(deployments.id, id)).get()?.planned ?? ''
  expect(stored().length).toBeLessThan(JSON.stringify(planned).length / 3)
  expect(partOf(runtime, id, 'planned')).toEqual(planned)
  const plain = secrets.seal(JSON.stringify(planned), `deployments:${id}:planned`)
  db.update(deployments).set({ planned: plain }).where(eq(deployments.id, id)).run()
  expect(partOf(runtime, id, 'planned')).toEqual(planned)
})

test('a list that began before something was saved hides it from nobody who asks after; devices are planned once for all', async () => {
  const id = addDevice('ap1')
  const { transport } = engineOf(manager.runtime)
  const { render } = transport
  let planned = 0
  let go = () => undefined as undefined
  const held = new Promise<void>(done => {
    go = () => void done()
  })
  transport.render = async (...input) => {
    planned += 1
    const made = await render(...input)
    await held
    return made
  }
  const early = changes()
  while (planned === 0) await new Promise(done => setTimeout(done, 10))
  const meanwhile = [changes(), changes()]
  await saveSsid('Café')
  const late = [...meanwhile, changes()]
  go()
  expect((await early).devices).toEqual([])
  for (const one of [...late, changes()])
    expect(await one).toMatchObject({ total: 1, devices: [{ deviceId: id, state: 'modified' }] })
  expect(planned).toBe(2)
})

test('the device takes something else: undone at once, reverted, and the reason said', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  at(id).rejects = true
  ok(await browser.post('webhooks/save', { name: 'Desk', url: 'https://1.1.1.1/', topics: ['pushes'] }))
  const { jobId } = await push(id)
  await unproven()
  proofEnds()
  const result = await ended(jobId)
  expect(result.devices).toMatchObject([{ state: 'reverted', reason: 'readBack' }])
  const told = manager.runtime.db.select().from(webhookDeliveries).all()
  expect(told.map(row => JSON.parse(row.body))).toMatchObject([
    { type: 'push.ended', data: { device: { id, name: 'ap1' }, state: 'reverted', reason: 'readBack' } },
  ])
  expect(at(id).config.blocks).toEqual([])
  expect(await changes()).toMatchObject({ total: 1, devices: [{ state: 'reverted' }] })
  const alert = manager.runtime.db.select().from(alerts).get()
  expect(alert).toMatchObject({ type: 'pushReverted', device: id, level: 10 })
  expect(sentence({ type: 'pushReverted', values: JSON.parse(alert?.values ?? '{}') })).toBe(
    `ap1 reverted to its former configuration. The device did not accept every setting: ${result.devices[0]?.detail}.`,
  )
})

test('the link breaks in the apply and stays cut: the device goes back, the deployment says reverted', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  at(id).cutOnApply = true
  const { jobId } = await push(id)
  await unproven()
  windowEnds(id)
  at(id).cut = false
  const result = await ended(jobId)
  expect(result.devices).toMatchObject([{ state: 'reverted', reason: 'timeout' }])
  expect(at(id).config.blocks).toEqual([])
})

test('the link breaks right after the apply and comes back: proven and confirmed', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  at(id).cutOnApply = true
  const { jobId } = await push(id)
  await unproven()
  at(id).cut = false
  expect(states(await ended(jobId))).toEqual(['applied'])
  expect(at(id).pending?.state).toBe('confirmed')
})

test('a push that the device refuses before it is touched fails, and a blocking warning is not pushed', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  at(id).refusesPush = true
  expect((await ended((await push(id)).jobId)).devices).toMatchObject([{ state: 'failed', reason: 'deviceFull' }])
  at(id).refusesPush = false
  await saveSsid('blocked')
  expect((await ended((await push(id)).jobId)).devices).toMatchObject([{ state: 'failed', reason: 'planBlocked' }])
  expect(at(id).pushes).toBe(0)
})

test('a damaged document blocks the push instead of vanishing from the device', async () => {
  const id = addDevice('ap1')
  const { id: document } = await saveSsid('Café')
  await ended((await push(id)).jobId)
  manager.runtime.db
    .update(documents)
    .set({ data: '{' })
    .where(eq(documents.id, String(document)))
    .run()
  const preview = ok(await browser.post('devices/push/preview', { deviceId: id }))
  expect(preview).toMatchObject({ blocked: true, warnings: [{ code: 'documentDamaged', values: { name: 'Café' } }] })
  expect((await ended((await push(id)).jobId)).devices).toMatchObject([{ state: 'failed', reason: 'planBlocked' }])
  expect(at(id).config.blocks).toHaveLength(1)
})

test('the first device that goes back stops the batch; what was not tried is as before', async () => {
  const ids = ['a', 'b', 'c'].map(name => addDevice(name))
  await saveSsid('Café')
  at(ids[0] as number).rejects = true
  const { jobId } = await push(...ids)
  await unproven()
  proofEnds()
  const result = await ended(jobId)
  expect(result).toMatchObject({ stopped: true })
  expect(result.devices.map(device => [device.state, device.reason])).toEqual([
    ['reverted', 'readBack'],
    ['failed', 'notTried'],
    ['failed', 'notTried'],
  ])
  expect(at(ids[1] as number).pushes).toBe(0)
})

test('the switch is pushed after the access points', async () => {
  const first = addDevice('sw1', 'switch')
  const second = addDevice('ap1', 'ap')
  await saveSsid('Café')
  const result = await ended((await push(first, second)).jobId)
  expect(result.devices.map(device => device.deviceId)).toEqual([second, first])
  expect(states(result)).toEqual(['applied', 'applied'])
})

test('an unreachable device fails untouched and the others go on', async () => {
  const ids = ['a', 'b'].map(name => addDevice(name))
  await saveSsid('Café')
  at(ids[0] as number).cut = true
  const result = await ended((await push(...ids)).jobId)
  expect(result.devices).toMatchObject([
    { state: 'failed', reason: 'timeout' },
    { state: 'applied', reason: '' },
  ])
  const preview = ok(await browser.post('devices/push/preview', { deviceId: ids[0] }))
  expect(preview).toMatchObject({ read: false, reason: 'timeout', blocks: [{ action: 'add' }] })
})

test('drift is shown', async () => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  await ended((await push(id)).jobId)
  at(id).config.blocks.push({ id: 'file:by-hand', text: 'x=1' })
  const preview = ok(await browser.post('devices/push/preview', { deviceId: id }))
  expect(preview.drift).toMatchObject([{ id: 'file:by-hand', action: 'add' }])
  expect(preview.blocks).toMatchObject([{ id: 'file:by-hand', action: 'remove' }])
})

test('refused: unknown devices, read-only ones, a second push at once', async () => {
  const id = addDevice('ap1')
  const readOnly = addDevice('ap2', 'ap', 'snmp')
  await saveSsid('Café')
  expect((await browser.post('devices/push', { deviceIds: [999] })).retCode).toBe(codes.deviceNotFound)
  expect(await browser.post('devices/push', { deviceIds: [readOnly] })).toMatchObject({
    retCode: codes.pushNotPossible,
    data: { names: 'ap2' },
  })
  at(id).cutOnApply = true
  const { jobId } = await push(id)
  expect((await browser.post('devices/push', { deviceIds: [id] })).retCode).toBe(codes.pushRunning)
  await until(() => at(id).cut)
  at(id).cut = false
  await ended(jobId)
})

test.each([
  ['in time: proven and confirmed', () => undefined, 'applied', 'confirmed'],
  ['too late: the window runs out and the device is read', windowEnds, 'reverted', 'reverted'],
])('the manager restarts while confirming, %s', async (_name, meanwhile, state, deviceState) => {
  const id = addDevice('ap1')
  await saveSsid('Café')
  at(id).cutOnApply = true
  await push(id)
  const { data } = manager
  await unproven()
  await stopRuntime()
  at(id).cut = false
  at(id).cutOnApply = false
  meanwhile(id)
  manager = await start(data)
  const row = () => manager.runtime.db.select().from(deployments).get()
  const job = () => manager.runtime.db.select().from(jobs).get()
  await until(() => job()?.state === 'done')
  expect(row()).toMatchObject({ state })
  expect(at(id).pending?.state).toBe(deviceState)
  expect(job()?.progress).toContain(`"stopped":${state === 'reverted'}`)
  await stopRuntime()
  rmSync(data, { recursive: true, force: true })
})

test.each([
  ['before the decision', 'togetherUndecided', () => undefined],
  ['while they go back', 'togetherReverted', (one: ScriptedDevice) => Object.assign(one, { takesPart: true })],
])(
  'killed %s and once more while they go back, devices that change together all go back',
  async (_name, why, begin) => {
    const ids = [addDevice('ap1'), addDevice('ap2')]
    const [first = 0, second = 0] = ids
    await saveSsid('Café')
    begin(at(first))
    at(second).cutOnApply = true
    ok(await browser.post('devices/push', { deviceIds: ids, together: true }))
    const { data } = manager
    const row = (id: number) =>
      manager.runtime.db
        .select()
        .from(deployments)
        .all()
        .find(one => one.device === id)
    const restart = async () => {
      await stopRuntime()
      manager = await start(data)
    }
    /** It was asked and did not answer, on its way back or before. */
    const unheard = () => row(second)?.detail !== ''
    await until(() => row(second)?.step === 'prove' && unheard() && row(first)?.step === 'prove')
    if (why === 'togetherReverted') await until(() => row(first)?.state === 'reverted' && row(second)?.reason === why)
    await restart()
    await until(() => row(first)?.state === 'reverted' && row(second)?.reason === why && unheard())
    expect(at(second).config.blocks).not.toEqual([])
    await restart()
    Object.assign(at(second), { cut: false, cutOnApply: false })
    await until(() => manager.runtime.db.select().from(jobs).get()?.state === 'done')
    expect([row(first)?.state, row(second)?.state, row(second)?.reason]).toEqual(['reverted', 'reverted', why])
    expect(ids.map(id => [at(id).pending?.state, at(id).config.blocks])).toEqual(Array(2).fill(['reverted', []]))
    expect(manager.runtime.db.select().from(jobs).get()?.progress).toContain('"stopped":true')
    await stopRuntime()
    rmSync(data, { recursive: true, force: true })
  },
)

test.each([
  ['before the decision: all go back', false, 'reverted'],
  ['after it: all are confirmed', true, 'applied'],
])('the manager restarts while devices change together, %s', async (_name, decided, state) => {
  const ids = [addDevice('ap1'), addDevice('ap2')]
  const [, second = 0] = ids
  await saveSsid('Café')
  const { transport } = engineOf(manager.runtime)
  let heard = 0
  // The second device cannot be read after it was changed; or both hear no confirmation.
  if (!decided) at(second).cutOnApply = true
  else
    transport.confirm = async () => {
      heard += 1
      throw new DeviceError('timeout')
    }
  ok(await browser.post('devices/push', { deviceIds: ids, together: true }))
  const { data } = manager
  const steps = () => manager.runtime.db.select().from(deployments).all()
  await until(() =>
    decided ? heard > 0 : steps().every(row => row.step === 'prove') && steps().some(row => row.detail !== ''),
  )
  await stopRuntime()
  Object.assign(at(second), { cut: false, cutOnApply: false })
  manager = await start(data)
  await until(() => manager.runtime.db.select().from(jobs).get()?.state === 'done')
  expect(steps()).toMatchObject([{ state }, { state }])
  expect(ids.map(id => at(id).pending?.state)).toEqual(Array(2).fill(decided ? 'confirmed' : 'reverted'))
  await stopRuntime()
  rmSync(data, { recursive: true, force: true })
})
