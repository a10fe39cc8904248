// Long work: how it stands while it runs, and what becomes of it when it is cancelled, fails, or the manager ends.
import { spawn, spawnSync } from 'node:child_process'
import { EventEmitter, getEventListeners, once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import { jobs } from '@/db/schema'
import { adoptionOf, startAdoption, startAdoptions } from '@/server/devices/adoption/adoption-job'
import { discoveryOf, startDiscovery, stopDiscovery } from '@/server/devices/adoption/discovery'
import { taskKind } from '@/server/kernel/task'
import { hostOrganization } from '@/server/people/accounts/actor'
import { scratchFolder } from '../../_scratch'
import { until } from '../../lab/_lab'
import { randomOf } from '../../soak/random'
import { fleetInProcess } from '../_fleet'
import { type Manager, startTestManager } from '../_manager'
import { organization } from '../_people'

const root = resolve(__dirname, '../../..')
const data = scratchFolder('lanward-task-')
let one: Manager
/** What the pages are told. */
let heard: object[]
const start = async (starters: Parameters<typeof startTestManager>[0] = {}) => {
  one = await startTestManager({ data, ...starters })
  heard = []
  one.runtime.bus.on(event => heard.push(event))
}
beforeEach(() => start())
afterEach(() => one.stop())
afterAll(() => rmSync(data, { recursive: true, force: true }))

type Steps = { done: number }
const painting = taskKind<Steps>({ type: 'paint', topic: 'devices' })
const looking = taskKind<Steps>({ type: 'look', topic: 'discovery' })
const add = () => painting.add(one.runtime, { organization: 3, network: 7, progress: { done: 0 } })
const rowOf = (id: string) => one.runtime.db.select().from(jobs).where(eq(jobs.id, id)).get()
/** Resolves from outside. */
function gate() {
  const at = new EventEmitter()
  return { open: () => at.emit('open'), opened: once(at, 'open') }
}

test('its progress is asked for while it runs, and written down when it ended', async () => {
  const task = add()
  const { open, opened } = gate()
  const ended = task.run(async () => {
    task.progress.done = 1
    await opened
    task.progress.done = 2
  })
  await new Promise(setImmediate)
  const seen = painting.find(one.runtime, task.id)
  expect(seen).toMatchObject({ organization: 3, network: 7, state: 'running', progress: { done: 1 }, endedAt: null })
  expect(rowOf(task.id)).toMatchObject({ state: 'running', progress: '{"done":0}' })
  expect(looking.find(one.runtime, task.id)).toBeUndefined()
  open()
  await ended
  expect(rowOf(task.id)).toMatchObject({ state: 'done', progress: '{"done":2}', endedAt: expect.any(Number) })
  expect(painting.find(one.runtime, task.id)).toMatchObject({ state: 'done', progress: { done: 2 } })
  expect(heard).toEqual([{ topic: 'devices', id: task.id, organization: 3, network: 7 }])
})

test('work that ended holds nothing of the manager’s end', async () => {
  const stopping = one.runtime.stopping.signal
  const before = getEventListeners(stopping, 'abort').length
  const [task, failing] = [add(), add()]
  const seen = new Promise<number>(done => {
    void task.run(async () => done(getEventListeners(stopping, 'abort').length))
  })
  expect(await seen).toBeGreaterThan(before)
  jest.spyOn(console, 'error').mockImplementationOnce(() => undefined)
  await failing.run(() => Promise.reject(new Error('no')))
  await new Promise(setImmediate)
  expect(getEventListeners(stopping, 'abort')).toHaveLength(before)
})

test('work is done after the transaction that made it, and taken back with it', async () => {
  const steps: string[] = []
  const task = one.runtime.db.transaction(() => {
    const made = add()
    void made.run(async () => void steps.push('work'))
    steps.push('transaction')
    return made
  })
  await until(() => rowOf(task.id)?.state === 'done')
  expect(steps).toEqual(['transaction', 'work'])
  let lost = ''
  const undone = () =>
    one.runtime.db.transaction(() => {
      lost = add().id
      throw new Error('taken back')
    })
  expect(undone).toThrow('taken back')
  expect(painting.find(one.runtime, lost)).toBeUndefined()
})

test('work that throws has failed, with what was done until then', async () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const task = add()
  await task.run(async () => {
    task.progress.done = 5
    throw new Error('no paint')
  })
  expect(rowOf(task.id)).toMatchObject({ state: 'failed', progress: '{"done":5}' })
  expect(told).toHaveBeenCalledWith(`paint ${task.id}:`, new Error('no paint'))
  told.mockRestore()
})

test('cancelled it is so at once, the work hears it, and nothing makes it done', async () => {
  const task = add()
  const ended = task.run(() => new Promise<void>(done => task.signal.addEventListener('abort', () => done())))
  await new Promise(setImmediate)
  task.cancel()
  expect(rowOf(task.id)).toMatchObject({ state: 'cancelled', endedAt: null })
  await ended
  expect(rowOf(task.id)).toMatchObject({ state: 'cancelled', endedAt: expect.any(Number) })
  task.cancel()
  expect(heard).toHaveLength(1)
})

test('a clean stop cuts work off; it goes on at the next start, or has failed where nobody takes it up', async () => {
  const told = jest.spyOn(console, 'error')
  const [first, second, third] = [add(), add(), add()]
  const { open, opened } = gate()
  const wound = third.run(() => opened.then(() => undefined))
  for (const task of [first, second])
    void task.run(async () => {
      task.progress.done = 4
      task.save()
      await new Promise<void>((_, failed) => task.signal.addEventListener('abort', () => failed(task.signal.reason)))
    })
  await new Promise(setImmediate)
  third.cancel()
  // The database stays open for a while after the work heard of the end.
  one.runtime.closers.push(() => new Promise(done => setTimeout(done, 50)))
  await one.stop()
  open()
  await wound
  expect(told).not.toHaveBeenCalled()
  told.mockRestore()
  await start()
  expect(rowOf(third.id)).toMatchObject({ state: 'cancelled' })
  expect(rowOf(first.id)).toMatchObject({ state: 'running', progress: '{"done":4}' })
  expect(painting.find(one.runtime, first.id)).toMatchObject({ state: 'failed', progress: { done: 4 } })
  one.runtime.db.update(jobs).set({ type: 'varnish' }).where(eq(jobs.id, second.id)).run()
  const varnishing = taskKind<Steps>({ type: 'varnish', topic: 'devices' })
  varnishing.takeUp(one.runtime)
  expect(rowOf(second.id)).toMatchObject({ state: 'failed', endedAt: expect.any(Number) })
  painting.takeUp(one.runtime, async task => {
    task.progress.done += 1
  })
  expect(painting.find(one.runtime, first.id)?.state).toBe('running')
  await until(() => rowOf(first.id)?.state === 'done')
  expect(rowOf(first.id)?.progress).toBe('{"done":5}')
})

describe('of devices', () => {
  const slow = { starters: [fleetInProcess(), startAdoptions] }
  beforeEach(async () => {
    await one.stop()
    await start(slow)
    // Whose people may look for devices on this machine.
    if (hostOrganization(one.runtime.db) === null) organization(one, 'Harbour')
  })
  const addresses = Array.from({ length: 2000 }, (_, n) => `127.9.${n >> 8}.${n & 255}`)

  const request = { network: 9, organization: 1, segments: ['127.9.0.0/21'], addresses }
  const swept = () => discoveryOf(one.runtime, 9)

  test('a sweep that is stopped says so at once, keeps what it found, and can be made again', async () => {
    const { id } = startDiscovery(one.runtime, request)
    expect(startDiscovery(one.runtime, request).id).toBe(id)
    expect(swept()).toMatchObject({ id, network: 9, state: 'running', done: 0, total: 2000, found: [] })
    await until(() => swept()?.done)
    await stopDiscovery(one.runtime, 9)
    expect(swept()).toMatchObject({ id, state: 'stopped' })
    await until(() => swept()?.endedAt)
    expect(swept()).toMatchObject({ state: 'stopped', segments: ['127.9.0.0/21'] })
    expect(swept()?.done).toBeLessThan(2000)
    expect(heard.at(-1)).toEqual({ topic: 'discovery', id, organization: 1, network: 9 })
    expect(rowOf(id)).toMatchObject({ state: 'cancelled' })
    expect(startDiscovery(one.runtime, { ...request, addresses: ['127.9.0.1'] }).id).not.toBe(id)
    await until(() => swept()?.state === 'done')
    // What was found last is kept, and that alone.
    await until(() => rowOf(id) === undefined)
  })

  test('a sweep that is stopped before it began knocks nowhere', async () => {
    startDiscovery(one.runtime, request)
    await stopDiscovery(one.runtime, 9)
    await until(() => swept()?.endedAt)
    expect(swept()).toMatchObject({ state: 'stopped', done: 0 })
  })

  test('an adoption that the manager’s end cut short has failed, in the table too', async () => {
    const mute = createServer().listen(0, '0.0.0.0')
    await once(mute, 'listening')
    const { port } = mute.address() as AddressInfo
    const owner = { organization: 1, networks: 'all' as const, network: 9 }
    const credential = { type: 'ssh', user: 'root', password: 'x' } as const
    const logins = [{ name: 'root', credential }]
    const requests = addresses.slice(0, 20).map(address => ({ address, port, logins }))
    const id = startAdoption(one.runtime, owner, { account: 'ana', address: '' }, requests)
    const seen = () => adoptionOf(one.runtime, owner, id)
    await until(() => seen()?.items.filter(item => item.state === 'running').length === 8)
    expect(seen()?.state).toBe('running')
    expect(adoptionOf(one.runtime, { ...owner, organization: 2 }, id)).toBeUndefined()
    expect(adoptionOf(one.runtime, { ...owner, networks: new Set([8]) }, id)).toBeUndefined()
    await one.stop()
    await start(slow)
    expect(rowOf(id)).toMatchObject({ state: 'failed', endedAt: expect.any(Number) })
    expect(seen()).toMatchObject({ id, state: 'failed' })
    expect(seen()?.items.map(item => item.address)).toEqual(requests.map(request => request.address))
    mute.close()
  })
})

test('six kills lose no item that was said to be done; what is left is done after', async () => {
  await one.stop()
  const program = `${root}/dist/test-task/main.mjs`
  const script = `import('${root}/appliance/build/bundle.mjs').then(b => b.bundle('${root}/tests/server/kernel/task-child.ts', '${program}'))`
  expect(spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }).stderr).toBe('')
  const random = randomOf(20_261_123)
  const kills = 6
  const most = 60
  const total = kills * most + 40
  const said: number[] = []
  /** It does `items` at most, and is killed when it said so many, or that it is done. */
  const round = async (items: number, count: number, made = '') => {
    const args = [program, data, String(items), made]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
      if (output.endsWith('done\n') || output.split('\n').length > count) child.kill('SIGKILL')
    })
    await new Promise(ended => child.once('close', ended))
    const lines = output.split('\n').slice(0, -1)
    said.push(...lines.filter(line => line !== 'done').map(Number))
    return lines.at(-1)
  }
  for (let kill = 0; kill < kills; kill++) {
    const count = 2 + Math.floor(random() * (most - 10))
    expect(await round(most, count, kill ? '' : String(total))).not.toBe('done')
  }
  const atKill = said.length
  expect(await round(total, Number.POSITIVE_INFINITY)).toBe('done')
  // At most the one at hand at each kill was written down and not said.
  expect([atKill > kills, new Set(said).size]).toEqual([true, said.length])
  expect(said.length).toBeGreaterThanOrEqual(total - kills)
  await start()
  const row = one.runtime.db.select().from(jobs).where(eq(jobs.type, 'count')).all()
  expect(row).toMatchObject([{ state: 'done' }])
  const { done } = JSON.parse(row[0]?.progress ?? '') as { done: number[] }
  expect(done).toHaveLength(total)
  expect(said.filter(n => !done.includes(n))).toEqual([])
})

test('of each type the newest five hundred stay, and what runs', async () => {
  const first = add()
  void first.run(() => new Promise(() => {}))
  const values = (n: number) => ({
    id: `old ${n}`,
    organization: 3,
    network: 7,
    type: 'paint',
    state: 'done' as const,
    createdAt: n,
  })
  one.runtime.db
    .insert(jobs)
    .values(Array.from({ length: 510 }, (_, n) => values(n)))
    .run()
  one.runtime.db
    .insert(jobs)
    .values({ ...values(1), id: 'other', type: 'other' })
    .run()
  add()
  const left = one.runtime.db.select({ id: jobs.id }).from(jobs).where(eq(jobs.type, 'paint')).all()
  expect(left.length).toBeLessThanOrEqual(501)
  expect(rowOf(first.id)).toBeDefined()
  expect([rowOf('old 0'), rowOf('old 509')]).toEqual([undefined, expect.anything()])
  expect(rowOf('other')).toBeDefined()
  expect(painting.last(one.runtime, 7)?.id).toBe('old 509')
  painting.forget(one.runtime, 7, 'old 509')
  expect([rowOf('old 508'), rowOf('old 509')]).toEqual([undefined, expect.anything()])
  expect(rowOf(first.id)).toBeDefined()
})
