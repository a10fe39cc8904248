import { eq } from 'drizzle-orm'
import { alerts as alertTable, deviceEvents, devices, networks } from '@/db/schema'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { createFleet, fleetPart, type Spawn } from '@/server/devices/link/fleet'
import { applyStates } from '@/server/devices/link/states'
import type { EventCode } from '@/server/drivers/words'
import type { NewAlert } from '@/server/notify/alerts/alert'
import { sentence } from '@/server/notify/alerts/sentence'
import { startSshServer } from '../../drivers/ssh-server'
import { until } from '../../lab/_lab'
import { inProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let browser: Browser
let workers: ReturnType<Spawn>[]
beforeEach(async () => {
  workers = []
  const spawn: Spawn = (data, onExit) => {
    const worker = inProcess()(data, onExit)
    workers.push(worker)
    return worker
  }
  one = await startTestManager({
    starters: [runtime => fleetPart.start(runtime, createFleet(runtime, spawn))],
  })
  browser = await finishedWizard(one)
})
afterEach(() => one.stop())

function insert(name: string, more: Partial<typeof devices.$inferInsert> = {}): number {
  const credential = insertCredential(one.runtime, { organization: 1, network: 1 }, { type: 'snmp2c', community: 'c' })
  const base = { organization: 1, network: 1, address: '127.9.0.1', port: 9, driver: 'snmp', kind: 'switch' } as const
  return one.runtime.db
    .insert(devices)
    .values({ ...base, name, credential, status: 1, statusAt: 1, createdAt: 1, ...more })
    .returning({ id: devices.id })
    .get().id
}
const fleet = () => fleetPart.of(one.runtime)
const online = (at: number) => ({ at, code: 'deviceOnline' as EventCode, values: {} })
const events = (device: number) =>
  one.runtime.db.select().from(deviceEvents).where(eq(deviceEvents.device, device)).all()
const alerts = () => one.runtime.db.select().from(alertTable).all().length
const wait = (ms: number) => new Promise(done => setTimeout(done, ms))

test('a worker that ends is started again with all devices, said in an alert, and what was asked of it fails', async () => {
  const id = insert('a')
  fleet().upsert(id)
  expect((await fleet().ask('stats', undefined as never)).devices).toBe(1)
  const asked = fleet().ask('sweep', { id: 'x', addresses: ['127.9.9.9'] })
  workers[0]?.terminate()
  await expect(asked).rejects.toMatchObject({ reason: 'workerAway' })
  while (workers.length < 2) await wait(50)
  await wait(50)
  expect((await fleet().ask('stats', undefined as never)).devices).toBe(1)
  const { result } = (await browser.post('alerts/list')).data as { result: Pick<NewAlert, 'type' | 'values'>[] }
  expect(result.map(alert => alert.type)).toEqual(['workerRestarted'])
  expect(result.map(sentence)[0]).toMatch(/Cause: it ended without an error\. .*run “lanward support”/)
  // The one that ended must not be polled by two.
  expect(workers).toHaveLength(2)
})

test('while there is no worker nothing is called online or fine, calls say so, and the next answer brings it back', async () => {
  const [up, down] = [insert('up'), insert('down', { address: '127.9.0.2', status: 0, reason: 'timeout' })]
  fleet().upsert(up)
  fleet().upsert(down)
  const states = async () => {
    const { result } = (await browser.post('devices/list')).data as { result: { name: string; status: number }[] }
    return Object.fromEntries(result.map(({ name, status }) => [name, status]))
  }
  expect(await states()).toEqual({ up: 1, down: 0 })
  // Ends again and again, as soon as it is started.
  const away = until(async () => (await states()).up === 3)
  const ending = setInterval(() => workers.at(-1)?.terminate(), 20)
  await away
  expect(await states()).toEqual({ up: 3, down: 0 })
  const health = (await browser.post('dashboard/devices')).data as { result: { kind: string }[] }
  expect(health.result.find(row => row.kind === 'switch')).toMatchObject({ online: 0, offline: 1, waiting: 1 })
  clearInterval(ending)
  const before = alerts()
  applyStates(one.runtime, [{ id: up, at: 5000, status: 1, reason: '', events: [online(5000)] }])
  expect(await states()).toEqual({ up: 1, down: 0 })
  // Nobody saw it go, so nobody is told that it came.
  expect(events(up)).toEqual([])
  expect(alerts()).toBe(before)
})

test('a device that was lost while nobody polled is told of like any other', async () => {
  const id = insert('a', { status: 3, reason: 'workerAway' })
  const before = alerts()
  applyStates(one.runtime, [{ id, at: 5000, status: 0, reason: 'timeout', events: [] }])
  expect(alerts()).toBe(before + 1)
})

test('the worker’s news are one transaction: state, facts, events and alerts; a device that is gone is passed by', () => {
  const id = insert('a')
  const heard: unknown[] = []
  const off = one.runtime.bus.on(event => heard.push(event))
  const event = (code: EventCode) => ({ at: 5000, code, values: {} })
  applyStates(one.runtime, [
    { id: 999, at: 5000, status: 0, reason: 'timeout', events: [event('deviceOffline')] },
    { id, at: 5000, status: 0, reason: 'timeout', events: [event('deviceOffline')] },
  ])
  applyStates(one.runtime, [
    {
      id,
      at: 9000,
      status: 1,
      reason: '',
      seenAt: 9000,
      facts: { kind: 'switch', capabilities: [], model: 'X-24', mac: '02:00:00:00:00:0A' },
      events: [event('deviceOnline')],
    },
  ])
  off()
  const [row] = one.runtime.db.select().from(devices).all()
  expect(row).toMatchObject({
    status: 1,
    reason: '',
    statusAt: 9000,
    seenAt: 9000,
    model: 'X-24',
    mac: '02:00:00:00:00:0a',
  })
  const alerts = one.runtime.sqlite.prepare('SELECT type, recovered_at FROM alerts ORDER BY id').all()
  expect(alerts).toEqual([
    { type: 'deviceOffline', recovered_at: 9000 },
    { type: 'deviceOnline', recovered_at: null },
  ])
  const events = one.runtime.sqlite.prepare('SELECT code FROM device_events ORDER BY id').pluck().all()
  expect(events).toEqual(['deviceOffline', 'deviceOnline'])
  expect(heard).toContainEqual({ topic: 'device', id, organization: 1, network: 1 })
})

test.each([
  ['gateway', 5],
  ['firewall', 5],
  ['ap', 10],
  ['switch', 10],
] as const)('a %s that goes offline is told at level %i', (kind, level) => {
  const id = insert('a', { kind, status: 1 })
  const events = [{ at: 5000, code: 'deviceOffline' as const, values: {} }]
  applyStates(one.runtime, [{ id, at: 5000, status: 0, reason: 'timeout', events }])
  expect(one.runtime.sqlite.prepare('SELECT level FROM alerts').pluck().all()).toEqual([level])
})

test('events of one device are kept to a thousand', () => {
  const id = insert('flaps')
  const events = Array.from({ length: 1205 }, (_, at) => ({ at, code: 'portUp' as const, values: { port: '1' } }))
  applyStates(one.runtime, [{ id, at: 1, status: 1, reason: '', events }])
  const kept = one.runtime.sqlite.prepare('SELECT count(*) n, min(at) oldest FROM device_events').get()
  expect(kept).toEqual({ n: 1000, oldest: 205 })
})

test('live values of a device that is forgotten are not another’s', async () => {
  const id = insert('a')
  fleet().upsert(id)
  fleet().live.set(fleet().rowOf(id), { cpuPercent: 77 })
  await browser.post('devices/delete', { ids: [id] })
  const next = insert('b')
  const { result } = (await browser.post('devices/list')).data as { result: { id: number; cpuPercent?: number }[] }
  expect(result).toMatchObject([{ id: next }])
  expect(result[0]).not.toHaveProperty('cpuPercent')
})

test('the worker hears which devices and networks are forgotten; one without a login is not', async () => {
  const id = insert('a')
  fleet().upsert(id)
  const posted = jest.spyOn(workers[0] as ReturnType<Spawn>, 'postMessage')
  const told = () =>
    posted.mock.calls.flatMap(([message]) => ('call' in message && message.call === 'forget' ? [message.input] : []))
  one.runtime.db.update(devices).set({ credential: null }).where(eq(devices.id, id)).run()
  fleet().upsert(id)
  expect(told()).toEqual([])
  await browser.post('devices/delete', { ids: [id] })
  const { data } = await browser.post('networks/add', { networkName: 'B', country: 'PT', timezone: 'UTC' })
  await browser.post('networks/delete', { id: data.id })
  const company = await browser.post('companies/add', { name: 'Other', account: 'otherhead' })
  const [own] = one.runtime.db
    .insert(networks)
    .values({ organization: Number(company.data.id), name: 'Theirs', country: 'PT', timezone: 'UTC', createdAt: 0 })
    .returning()
    .all()
  expect((await browser.post('companies/delete', { id: company.data.id })).retCode).toBe(0)
  expect(told()).toEqual([[{ of: 'device', id }], [{ of: 'network', id: data.id }], [{ of: 'network', id: own?.id }]])
})

test('without a place for history devices are polled all the same', async () => {
  const id = insert('a')
  const [first] = workers
  const spawn = inProcess()
  const data = { historyFile: '/proc/no/such/folder/history.sqlite', live: fleet().live.buffer, devices: 1 }
  const lost = spawn(data, () => undefined)
  expect(first).toBeDefined()
  const answer = await new Promise(done => {
    lost.on('message', done)
    lost.postMessage({ id: 1, call: 'history', input: { of: 'device', device: id, range: '2h', now: Date.now() } })
  })
  expect(answer).toMatchObject({ trouble: expect.stringContaining('historyNotOpened') })
  lost.terminate()
})

test('what nobody waits for any more ends, with its connection, and leaves the device to what is asked next', async () => {
  let asked = false
  let ended: () => void = () => undefined
  const hungUp = new Promise<void>(done => {
    ended = done
  })
  const server = await startSshServer({
    auth: () => true,
    exec(command, _channel, _input, connection) {
      if (!command.includes('applying')) return { stdout: '' }
      // The question of the proof, which never gets an answer here.
      asked = true
      connection.once('close', ended)
      return undefined
    },
  })
  try {
    const login = { type: 'ssh', user: 'root', password: 'p' } as const
    const credential = insertCredential(one.runtime, { organization: 1, network: 1 }, login)
    const place = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint }
    const id = insert('gw', { ...place, driver: 'openwrt', kind: 'gateway', credential })
    fleet().upsert(id)
    const pending = { id: 'p', armedAt: 0, confirmSeconds: 60, driver: 'openwrt', data: {} }
    await fleet().ask('state', { id, pending })
    // The longer the machine takes to come as far as the question, the longer it is waited for.
    for (let ms = 2000; !asked; ms *= 2) {
      const proof = fleet().ask('verify', { id, next: { blocks: [] }, endBy: Date.now() + ms })
      const detail = expect.stringMatching(/^no end after \d+ s$/)
      await expect(proof).rejects.toMatchObject({ reason: 'timeout', detail })
    }
    await hungUp
    await expect(fleet().ask('state', { id, pending })).resolves.toBe('unknown')
  } finally {
    await server.close()
  }
})
