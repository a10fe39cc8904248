import { DeviceError, type Driver, type Reason } from '@/server/drivers/driver'
import type { Health } from '@/server/drivers/hardware'
import type { Observation } from '@/server/drivers/observation'
import { openHistory } from '@/server/history/history'
import { createClients } from '@/server/worker/clients'
import { liveTable, newLiveBuffer } from '@/server/worker/live'
import { createNeighborBook } from '@/server/worker/neighbor-book'
import { withSession } from '@/server/worker/polled-device'
import { createPoller } from '@/server/worker/poller'
import type { ManagedDevice, StateChange } from '@/server/worker/protocol'
import { temporaryFolder } from '../_fleet'

// Scheduling alone: the device is a script that says what it does next. Real devices: tests/lab.
type Script = {
  connect?: Reason
  observe?: Reason
  hangs?: boolean
  /** The way there is that long. */
  way?: Promise<void>
  uptime?: number
  octets?: number
  takenAt?: number
  health?: Health
}

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
async function until(what: () => boolean, ms = 300_000): Promise<void> {
  for (const end = Date.now() + ms; !what(); ) {
    if (Date.now() > end) throw new Error('it did not happen')
    await wait(10)
  }
}

function scripted(scripts: Map<string, Script>) {
  const count = { connect: 0, counters: 0, full: 0, close: 0 }
  const of = (address: string): Script => scripts.get(address) ?? {}
  const driver: Driver<string> = {
    id: 'snmp',
    protocol: 'snmp',
    match: () => 1,
    async connect({ address }) {
      count.connect++
      const { connect, hangs, way } = of(address)
      await way
      if (hangs) await new Promise<void>(resolve => stops.push(resolve))
      if (connect) throw new DeviceError(connect)
      return address
    },
    close: () => {
      count.close++
    },
    facts: async () => ({ kind: 'switch', capabilities: [] }),
    async observe(address, depth): Promise<Observation> {
      count[depth]++
      const { observe, uptime = 1000, octets, takenAt = Date.now(), health } = of(address)
      if (observe) throw new DeviceError(observe)
      return {
        takenAt,
        depth,
        uptimeSeconds: uptime,
        health,
        interfaces: [
          { key: '1', name: 'p1', type: 'ethernet', counters: { bits: 64, inOctets: octets, outOctets: octets } },
        ],
      }
    },
    renderers: [],
    read: async () => ({ blocks: [] }),
    equal: () => true,
    push: async () => {
      throw new DeviceError('unsupported')
    },
    confirm: async () => undefined,
    revert: async () => undefined,
    state: async () => 'unknown',
    selfCheck: async () => [],
    actions: {},
    reverts: 'none',
  }
  return { driver, count }
}

const device = (id: number, address: string, status: 1 | 3 = 3): ManagedDevice => ({
  id,
  row: id,
  network: 1,
  driver: 'snmp',
  kind: 'switch',
  name: address,
  status,
  target: { address, port: 161, credential: { type: 'snmp2c', community: 'public' } },
})

const folder = temporaryFolder()
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})
afterAll(() => folder.remove())

let files = 0
function setUp(scripts: Map<string, Script>, everyMs: number, options = {}) {
  const { driver, count } = scripted(scripts)
  const live = liveTable(newLiveBuffer())
  const history = openHistory(`${folder.path}/history-${files++}.sqlite`, () => undefined)
  const told: (Partial<StateChange> & { id: number })[] = []
  const sinks = {
    live,
    history,
    clients: createClients(),
    neighbors: createNeighborBook(),
    tell: (change: (typeof told)[number]) => told.push(change),
  }
  const poller = createPoller({ drivers: () => driver, sinks, everyMs, ...options })
  stops.push(() => {
    poller.stop()
    history.close()
  })
  const codes = (id: number) =>
    told.filter(one => one.id === id).flatMap(one => (one.events ?? []).map(event => event.code))
  return { poller, live, told, count, codes, scripts }
}

test('a new device is polled at once, goes online, and offline after two polls without an answer', async () => {
  const scripts = new Map<string, Script>([['a', {}]])
  const { poller, codes, told } = setUp(scripts, 300)
  poller.run()
  poller.upsert(device(1, 'a'))
  await until(() => codes(1).includes('deviceOnline'))
  scripts.set('a', { connect: 'timeout', observe: 'timeout' })
  await until(() => codes(1).includes('deviceOffline'))
  expect(told.at(-1)).toMatchObject({ id: 1, status: 0, reason: 'timeout' })
  expect(poller.get(1).missed).toBe(2)
  scripts.set('a', {})
  await until(() => codes(1).filter(code => code === 'deviceOnline').length === 2)
  expect(told.at(-1)).toMatchObject({ status: 1, reason: '' })
})

test('devices are spread over the round and each is polled once in it', async () => {
  const scripts = new Map<string, Script>()
  const { poller } = setUp(scripts, 1000)
  poller.set(Array.from({ length: 100 }, (_, index) => device(index + 1, `d${index}`)))
  const slots = new Set([...poller.entries.values()].map(entry => entry.slot))
  expect(slots.size).toBe(100)
  const rounds = () => [...poller.entries.values()].map(entry => entry.rounds)
  jest.useFakeTimers()
  try {
    poller.run()
    for (const round of [1, 2, 3]) {
      await jest.advanceTimersByTimeAsync(1000)
      expect(Math.min(...rounds())).toBeGreaterThanOrEqual(round - 1)
      expect(Math.max(...rounds())).toBeLessThanOrEqual(round)
    }
  } finally {
    poller.stop()
    jest.useRealTimers()
  }
})

test('silent devices delay nobody: they are polled apart once they are known', async () => {
  const scripts = new Map<string, Script>()
  for (let index = 0; index < 30; index++) scripts.set(`dead${index}`, { hangs: true })
  const widths = { snmp: { healthy: 2, slow: 2 }, ssh: { healthy: 2, slow: 2 } }
  const { poller, count } = setUp(scripts, 200, { widths })
  const dead = Array.from({ length: 30 }, (_, index) => device(index + 1, `dead${index}`))
  poller.set(dead)
  for (const entry of poller.entries.values()) entry.missed = 1
  poller.run()
  await until(() => count.connect >= 2)
  poller.upsert(device(99, 'alive'))
  await until(() => poller.get(99).answered >= 4)
})

test('walks that fail are held back, the one GET is not, and the device stays online', async () => {
  const scripts = new Map<string, Script>([['a', { observe: 'tooLarge' }]])
  const { poller, count, codes } = setUp(scripts, 100)
  poller.run()
  poller.upsert(device(1, 'a'))
  await until(() => count.connect >= 6)
  expect(count.full + count.counters).toBe(1)
  expect(poller.get(1)).toMatchObject({ status: 1, reason: 'tooLarge' })
  expect(codes(1)).toEqual(['deviceOnline'])
})

test('full readings now and then, counters in between; after a restart everything is read anew', async () => {
  const scripts = new Map<string, Script>([['a', { uptime: 5000, octets: 0 }]])
  const { poller, count, codes } = setUp(scripts, 100, { fullEveryMs: 3_600_000 })
  poller.run()
  poller.upsert(device(1, 'a'))
  await until(() => count.counters >= 3)
  expect(count.full).toBe(1)
  scripts.set('a', { uptime: 3, octets: 0 })
  await until(() => count.full === 2)
  expect(codes(1)).toContain('deviceRestarted')
})

test('rates come from the counters of two polls, and are unknown over a restart', async () => {
  const takenAt = Date.now()
  const scripts = new Map<string, Script>([['a', { uptime: 5000, octets: 1000, takenAt }]])
  const { poller, live } = setUp(scripts, 60_000)
  poller.upsert(device(1, 'a'))
  await until(() => poller.get(1).answered === 1)
  expect(live.get(1, 'inBps')).toBeUndefined()
  scripts.set('a', { uptime: 5000, octets: 1000 + 25_000, takenAt: takenAt + 2000 })
  await poller.observeNow(1)
  expect(live.get(1, 'inBps')).toBe((25_000 * 8) / 2)
  scripts.set('a', { uptime: 1, octets: 30_000, takenAt: takenAt + 4000 })
  await poller.observeNow(1)
  expect(live.get(1, 'inBps')).toBeUndefined()
})

test('an agent’s clock that goes round after 497 days is no restart; the device runs on since then', async () => {
  const takenAt = Date.now()
  const round = Math.floor(2 ** 32 / 100)
  const scripts = new Map<string, Script>([['a', { uptime: round - 20, takenAt }]])
  const { poller, live, codes } = setUp(scripts, 60_000)
  poller.upsert(device(1, 'a'))
  await until(() => poller.get(1).answered === 1)
  scripts.set('a', { uptime: 40, takenAt: takenAt + 60_000 })
  await poller.observeNow(1)
  expect(codes(1)).not.toContain('deviceRestarted')
  const runs = (takenAt + 60_000 - (live.get(1, 'bootAt') ?? 0)) / 1000
  expect(Math.abs(runs - (round + 40))).toBeLessThan(30)
  // A restart a minute later is one.
  scripts.set('a', { uptime: 5, takenAt: takenAt + 180_000 })
  await poller.observeNow(1)
  expect(codes(1)).toContain('deviceRestarted')
})

test('a restart soon after another is told; an agent that counts coarsely has not restarted', async () => {
  const takenAt = Date.now()
  const scripts = new Map<string, Script>([['a', { uptime: 5, takenAt }]])
  const { poller, codes } = setUp(scripts, 60_000)
  const restarts = () => codes(1).filter(code => code === 'deviceRestarted').length
  poller.upsert(device(1, 'a'))
  await until(() => poller.get(1).answered === 1)
  const reads = async (afterMs: number, uptime: number) => {
    scripts.set('a', { uptime, takenAt: takenAt + afterMs })
    await poller.observeNow(1)
  }
  await reads(20_000, 15)
  expect(restarts()).toBe(1)
  await reads(40_000, 20)
  expect(restarts()).toBe(1)
  await reads(60_000, 0)
  expect(restarts()).toBe(2)
  // Both in its first second.
  await reads(60_900, 0)
  expect(restarts()).toBe(2)
})

test('memory in percent: of bytes where they are told, else as told', async () => {
  const scripts = new Map<string, Script>([['a', { health: { memoryUsedPercent: 63 } }]])
  const { poller, live } = setUp(scripts, 60_000)
  poller.upsert(device(1, 'a'))
  await until(() => poller.get(1).answered === 1)
  expect(live.get(1, 'memoryPercent')).toBe(63)
  scripts.set('a', { health: { memoryTotalBytes: 400, memoryUsedBytes: 100 } })
  await poller.observeNow(1)
  expect(live.get(1, 'memoryPercent')).toBe(25)
})

test('reading a device on request says why it failed', async () => {
  const scripts = new Map<string, Script>([['a', { connect: 'credentials' }]])
  const { poller } = setUp(scripts, 60_000)
  poller.upsert(device(1, 'a'))
  await expect(poller.observeNow(1)).rejects.toMatchObject({ reason: 'credentials' })
})

test('a device that is forgotten while a connection to it is made keeps none, and gets no other', async () => {
  let arrive = (): void => undefined
  const way = new Promise<void>(done => {
    arrive = done
  })
  const { poller, count } = setUp(new Map([['a', { way }]]), 60_000)
  poller.set([device(1, 'a')])
  const entry = poller.get(1)
  const ask = () => withSession(entry, new AbortController().signal, {}, async () => 'an answer')
  const asked = ask()
  await until(() => count.connect === 1)
  poller.remove(1)
  arrive()
  await expect(asked).rejects.toMatchObject({ reason: 'cancelled' })
  await expect(ask()).rejects.toMatchObject({ reason: 'cancelled' })
  expect([count.connect, count.close]).toEqual([1, 1])
})
