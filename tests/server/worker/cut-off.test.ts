import { DeviceError } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { createPoller } from '@/server/worker/poller'
import { device, driverWith, newLedger } from './_entry'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
async function until(what: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !what(); await wait(5))
    if (Date.now() > end) throw new Error('it did not happen')
}

const apMac = '02:00:00:00:00:0a'
type World = { portUp: boolean; apThere: boolean; sessionThere: boolean; polls: number; by: keyof typeof told }

/** How a switch tells what is at its port: by LLDP, as a MAC or a host name, or by a MAC that it learned there. */
const told = {
  chassis: { neighbours: [{ localPort: '2', chassisId: apMac.toUpperCase() }], hosts: [] },
  hostname: { neighbours: [{ localPort: '2', systemName: 'ap-on-the-roof' }], hosts: [] },
  learned: { neighbours: [], hosts: [{ mac: apMac, port: '2', source: 'fdb' as const }] },
}

/** A switch with an access point at port p2. */
function worldOf(more: Partial<World> = {}) {
  const world: World = { portUp: true, apThere: true, sessionThere: true, polls: 0, by: 'chassis', ...more }
  const seen = (of: string, depth: 'counters' | 'full'): Observation => {
    const common = { takenAt: Date.now(), depth, uptimeSeconds: 9999 }
    if (of === 'ap')
      return {
        ...common,
        facts: { kind: 'ap', capabilities: [], mac: apMac, hostname: 'ap-on-the-roof' },
        interfaces: [],
      }
    return {
      ...common,
      interfaces: [{ key: '2', name: 'p2', type: 'ethernet', up: world.portUp }],
      ...(depth === 'full' && {
        facts: { kind: 'switch' as const, capabilities: [] },
        ports: [{ number: 2, label: 'p2', interface: '2' }],
        // A port that is down has neither.
        ...(world.portUp ? told[world.by] : { neighbours: [], hosts: [] }),
      }),
    }
  }
  const driver = driverWith({
    connect: async ({ address }) => {
      if (address === 'ap' && !world.apThere) throw new DeviceError('noRoute')
      return address
    },
    observe: async (session, depth) => {
      if (session === 'ap') world.polls += 1
      if (session === 'ap' && !world.apThere) throw new DeviceError('timeout')
      return seen(String(session), depth)
    },
    ping: async session => {
      if (session === 'ap' && !world.sessionThere) throw new DeviceError('closed')
    },
  })
  const ledger = newLedger()
  const of = (id: number, address: string) =>
    device(id, { name: address, target: { address, port: 1, credential: { type: 'snmp2c', community: 'public' } } })
  return { world, driver, ledger, devices: [of(1, 'sw1'), of(2, 'ap')] }
}

test.each(['chassis', 'hostname', 'learned'] as const)(
  'a port that goes down takes what is behind it offline at once, known by its %s',
  async by => {
    const { world, driver, ledger, devices } = worldOf({ by })
    const poller = createPoller({ drivers: () => driver, sinks: ledger.sinks, everyMs: 600_000 })
    for (const one of devices) poller.upsert(one)
    await until(() => poller.get(1).status === 1 && poller.get(2).status === 1)
    Object.assign(world, { portUp: false, apThere: false })
    await poller.observeNow(1)
    await until(() => poller.get(2).status === 0)
    const news = ledger.told.flatMap(({ id, events = [] }) => events.map(event => ({ id, ...event })))
    expect(news.find(event => event.code === 'deviceOffline')).toMatchObject({
      id: 2,
      values: { reason: 'noRoute', switch: 'sw1', port: 'p2' },
    })
    poller.stop()
  },
)

test('what answers all the same, by another way, stays online', async () => {
  const { world, driver, ledger, devices } = worldOf()
  const poller = createPoller({ drivers: () => driver, sinks: ledger.sinks, everyMs: 600_000 })
  for (const one of devices) poller.upsert(one)
  await until(() => poller.get(1).status === 1 && poller.get(2).status === 1)
  world.portUp = false
  const before = world.polls
  await poller.observeNow(1)
  await until(() => world.polls > before && poller.get(2).pending === 0)
  expect(poller.get(2)).toMatchObject({ status: 1, cutOff: undefined })
  poller.stop()
})

test('a device that is cut off between two polls is offline within the minute', async () => {
  // The clock is the test's own: a minute of it is a minute on every machine.
  jest.useFakeTimers()
  try {
    const { world, driver, ledger, devices } = worldOf()
    const poller = createPoller({ drivers: () => driver, sinks: ledger.sinks })
    for (const one of devices) poller.upsert(one)
    await jest.advanceTimersByTimeAsync(0)
    expect(poller.get(2).status).toBe(1)
    poller.run()
    // Right behind a poll: the next one is a whole round away.
    const before = world.polls
    for (let seconds = 0; seconds < 120 && world.polls === before; seconds++) await jest.advanceTimersByTimeAsync(1_000)
    expect(world.polls).toBe(before + 1)
    Object.assign(world, { apThere: false, sessionThere: false })
    await jest.advanceTimersByTimeAsync(60_000)
    expect(poller.get(2).status).toBe(0)
    poller.stop()
  } finally {
    jest.useRealTimers()
  }
})
