import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { devices } from '@/db/schema'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { createFleet, fleetPart, type Spawn } from '@/server/devices/link/fleet'
import { stackOf } from '@/server/devices/link/thread-stack'
import { watch } from '@/server/devices/link/watch'
import type { NewAlert } from '@/server/notify/alerts/alert'
import { sentence } from '@/server/notify/alerts/sentence'
import { root } from '../../appliance/_manager'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

const folder = `${root}/dist/test-spinning`
const program = `${folder}/main.mjs`
beforeAll(() => {
  const script = `import('${root}/appliance/build/bundle.mjs').then(b => b.bundle('${root}/tests/server/devices/spinning-child.ts', '${program}'))`
  spawnSync(process.execPath, ['-e', script], { cwd: root, stdio: 'inherit' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let one: Manager
let browser: Browser
let started = 0
/** The first one spins, those after it do not. */
const thread: Spawn = (data, onExit) => {
  const worker = new Worker(program, { workerData: { ...data, spins: started++ === 0 } })
  worker.once('exit', () => onExit())
  const { threadId } = worker
  return Object.assign(worker, { stack: () => stackOf(threadId) })
}
beforeEach(async () => {
  started = 0
  // Another thread was there before: the ids of threads and the inspector's count of them differ.
  const earlier = new Worker('', { eval: true })
  await new Promise(done => earlier.once('exit', done))
  one = await startTestManager({
    starters: [runtime => fleetPart.start(runtime, createFleet(runtime, thread, { everyMs: 200, questions: 25 }))],
  })
  browser = await finishedWizard(one)
})
afterEach(() => one.stop())

test('a worker that computes without an end is replaced, and its alert and the log say what it was in', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const fleet = fleetPart.of(one.runtime)
  const credential = insertCredential(one.runtime, { organization: 1, network: 1 }, { type: 'snmp2c', community: 'c' })
  const row = { organization: 1, network: 1, port: 9, driver: 'snmp', kind: 'switch' } as const
  const [good, spins] = ['127.9.0.1', '127.9.0.66'].map(
    address =>
      one.runtime.db
        .insert(devices)
        .values({ ...row, address, name: address, credential, status: 1, statusAt: 1, createdAt: 1 })
        .returning({ id: devices.id })
        .get().id,
  ) as [number, number]
  fleet.upsert(good)
  expect((await fleet.ask('stats', undefined as never)).devices).toBe(1)
  fleet.upsert(spins)
  await expect(fleet.ask('observeNow', spins)).rejects.toMatchObject({ reason: 'workerAway' })
  await until(async () => (await fleet.ask('stats', undefined as never)).devices === 2, { timeoutMs: 20_000 })
  expect(started).toBe(2)
  const { result } = (await browser.post('alerts/list')).data as { result: Pick<NewAlert, 'type' | 'values'>[] }
  expect(result.map(alert => alert.type)).toEqual(['workerRestarted'])
  expect(result.map(sentence)[0]).toMatch(/Cause: it answered nothing for 5 s; asked of it: .*observeNow/)
  const log = said.mock.calls.map(line => line.map(String).join(' ')).join('\n')
  expect(log).toMatch(
    /answered nothing for 5 s; asked of it: .*observeNow.*; it was in: readWithoutEnd:\d+ < connect:\d+ < /,
  )
})

describe('patience', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  })
  afterEach(() => jest.useRealTimers())

  test('one that answers late, or with a refusal, is not stuck; one that never does is, once', async () => {
    const stuck = jest.fn()
    let answer: (() => void) | undefined
    const ask = jest.fn(
      () =>
        new Promise<void>((done, failed) => {
          answer = ask.mock.calls.length % 2 ? done : () => failed(new Error('no'))
        }),
    )
    const end = watch(ask, stuck, { everyMs: 1000, questions: 3 })
    for (let round = 0; round < 4; round++) {
      await jest.advanceTimersByTimeAsync(3000)
      answer?.()
      await jest.advanceTimersByTimeAsync(0)
    }
    expect(stuck).not.toHaveBeenCalled()
    expect(ask.mock.calls.length).toBeGreaterThan(3)
    await jest.advanceTimersByTimeAsync(10_000)
    expect(stuck).toHaveBeenCalledTimes(1)
    end()
  })
})
