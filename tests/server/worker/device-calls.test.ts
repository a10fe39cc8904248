import { DeviceError, type Driver } from '@/server/drivers/driver'
import { radiusHere } from '@/server/drivers/radius-here'
import { deviceCalls } from '@/server/worker/device-calls'
import { planCalls } from '@/server/worker/plan-calls'
import { renderInput } from '@/server/worker/plans'
import { keepFull } from '@/server/worker/polled-device'
import { createPoller } from '@/server/worker/poller'
import type { WorkerState } from '@/server/worker/worker-state'
import { device, driverWith, newLedger } from './_entry'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const told = async () => undefined

/** A worker with one device and no clock. */
function workerWith(parts: Partial<Driver<unknown>> = {}): WorkerState {
  const driver = driverWith(parts)
  const { sinks } = newLedger()
  const drivers = () => driver
  const poller = createPoller({ drivers, sinks })
  poller.set([device(1)])
  const probes = {
    ssh: async () => ({ banner: '', hostKey: '' }),
    snmp: async () => undefined,
    name: async () => undefined,
    announcements: async () => new Map(),
    macOwners: async () => () => undefined,
  }
  const news = { held: new Map(), send: () => undefined }
  return {
    ...sinks,
    drivers,
    probes,
    onTrouble: () => undefined,
    pollMs: 60_000,
    poller,
    news,
    stoppable: new Map(),
    timers: [],
  }
}

test('an action that the device does not have is refused, one that it has gets its session', async () => {
  const rebooted: unknown[] = []
  const worker = workerWith({ actions: { reboot: async session => void rebooted.push(session) } })
  await deviceCalls.reboot(worker, { id: 1 }, told)
  expect(rebooted).toEqual(['session'])
  const locate = deviceCalls.locate(worker, { id: 1, seconds: 5 }, told)
  await expect(locate).rejects.toMatchObject({ reason: 'unsupported', detail: 'no locate' })
})

const guest = { mac: '02:00:00:00:00:01', lan: 'a', seconds: 60, idleSeconds: 300 }

test('guests are let in, told and removed by a device with a gate, refused by any other', async () => {
  const asked: unknown[] = []
  const use = { mac: guest.mac, secondsLeft: 59, bytes: 0, addresses: [] }
  const guests = {
    admit: async (session: unknown, list: unknown) => void asked.push([session, list]),
    remove: async (session: unknown, macs: unknown) => void asked.push([session, macs]),
    list: async () => [use],
    at: async (_: unknown, address: string) => ({ mac: guest.mac, lan: address }),
  }
  const worker = workerWith({ actions: { guests } })
  await deviceCalls.admitGuests(worker, { id: 1, guests: [guest] }, told)
  await deviceCalls.removeGuests(worker, { id: 1, macs: [guest.mac] }, told)
  expect(asked).toEqual([
    ['session', [guest]],
    ['session', [guest.mac]],
  ])
  expect(await deviceCalls.guests(worker, { id: 1 }, told)).toEqual([use])
  expect(await deviceCalls.guestAt(worker, { id: 1, address: 'a' }, told)).toEqual({ mac: guest.mac, lan: 'a' })
  const without = deviceCalls.admitGuests(workerWith(), { id: 1, guests: [guest] }, told)
  await expect(without).rejects.toMatchObject({ reason: 'unsupported' })
})

test('a guest is removed at once behind a long reading, over a connection of its own, and again in its turn', async () => {
  const asked: unknown[] = []
  const closed: unknown[] = []
  let connections = 0
  let read: () => void = () => undefined
  const reading = new Promise<void>(done => {
    read = done
  })
  let begin: () => void = () => undefined
  const begun = new Promise<void>(done => {
    begin = done
  })
  const facts = (): never => {
    begin()
    return reading as never
  }
  const guests = { remove: async (session: unknown) => void asked.push(session) }
  const worker = workerWith({
    ...{ actions: { guests: guests as never }, connect: async () => `session ${++connections}` },
    ...{ close: session => void closed.push(session), facts },
  })
  const long = deviceCalls.facts(worker, { id: 1 }, told)
  await begun
  await deviceCalls.removeGuests(worker, { id: 1, macs: [guest.mac] }, told)
  expect([asked, closed]).toEqual([['session 2'], ['session 2']])
  read()
  await long
  await worker.poller.get(1).tail
  expect([asked, connections]).toEqual([['session 2', 'session 1'], 2])
})

test.each([
  ['10.0.0.9', 'http://10.0.0.9:8880/portal'],
  ['2001:db8::9', 'http://[2001:db8::9]:8880/portal'],
  ['fe80::9', undefined],
  ['127.0.0.1', undefined],
])('guests find the portal where the device sees the manager, %s, if that is an address for them', (peer, url) => {
  const worker = workerWith()
  const entry = worker.poller.get(1)
  const observation = { takenAt: 0, depth: 'full' as const, path: { peer, local: '10.0.0.1' } }
  keepFull(entry, { ...observation, facts: { kind: 'gateway', capabilities: [] } })
  const portal = { port: 8880, key: 'k' }
  const input = renderInput(entry, { documents: [], confirmSeconds: 90, imported: [], portal })
  expect(input?.gate?.url).toBe(url)
})

test('the manager’s own RADIUS server is where the device sees the manager', () => {
  const entry = workerWith().poller.get(1)
  const observation = { takenAt: 0, depth: 'full' as const, path: { peer: '10.0.0.9', local: '10.0.0.1' } }
  keepFull(entry, { ...observation, facts: { kind: 'ap', capabilities: [] } })
  const ssid = (server: string) => ({
    id: server,
    kind: 'ssid',
    name: 'Staff',
    data: { radius: { server, secret: 's' } },
  })
  const documents = [ssid(radiusHere), ssid('10.0.0.7')]
  const input = renderInput(entry, { documents, confirmSeconds: 90, imported: [] })
  const servers = input?.documents.map(one => (one.data.radius as { server: string }).server)
  expect(servers).toEqual(['10.0.0.9', '10.0.0.7'])
})

test('what is asked after the asker’s time is over ends at once', async () => {
  const worker = workerWith({ facts: () => wait(60_000) as never })
  const asked = deviceCalls.facts(worker, { id: 1, endBy: Date.now() - 1 }, told)
  await expect(asked).rejects.toMatchObject({ reason: 'timeout' })
})

test('a reading over a pooled session that is dead is tried once more, a change is not', async () => {
  const dead = async () => {
    throw new DeviceError('closed')
  }
  const tries = { facts: 0, reboot: 0 }
  const worker = workerWith({
    facts: async () => (++tries.facts > 1 ? { kind: 'switch', capabilities: [] } : dead()),
    actions: { reboot: async () => (++tries.reboot > 1 ? undefined : dead()) },
  })
  const entry = worker.poller.get(1)
  entry.session = { value: 'old', usedAt: 0 }
  await expect(deviceCalls.facts(worker, { id: 1 }, told)).resolves.toMatchObject({ kind: 'switch' })
  entry.session = { value: 'old', usedAt: 0 }
  await expect(deviceCalls.reboot(worker, { id: 1 }, told)).rejects.toMatchObject({ reason: 'closed' })
  expect(tries).toEqual({ facts: 2, reboot: 1 })
})

test('what is not ours is not told where the driver cannot tell', async () => {
  await expect(deviceCalls.unmanaged(workerWith(), { id: 1, imported: [] }, told)).rejects.toMatchObject({
    reason: 'unsupported',
  })
})

test('a device is reached at its new address behind what runs, and over a new connection', async () => {
  const closed: unknown[] = []
  const worker = workerWith({ close: session => void closed.push(session), facts: () => wait(20) as never })
  const entry = worker.poller.get(1)
  const running = deviceCalls.facts(worker, { id: 1 }, told)
  const moved = deviceCalls.relocate(worker, { id: 1, address: '127.0.0.2' })
  await running
  expect(closed).toEqual([])
  await moved
  expect(closed).toEqual(['session'])
  expect(entry.device.target).toMatchObject({ address: '127.0.0.2', port: 1 })
  entry.session = { value: 'new', usedAt: 0 }
  await deviceCalls.relocate(worker, { id: 1, address: '127.0.0.2' })
  expect(closed).toHaveLength(1)
})

test('asked at once, a device is read whole and its clients are counted', async () => {
  const mac = '02:00:00:00:00:0a'
  const worker = workerWith({
    observe: async (_, depth) => ({ takenAt: Date.now(), depth, hosts: [{ mac, port: '1', source: 'fdb' }] }),
  })
  const reading = await deviceCalls.observeNow(worker, 1)
  expect(reading).toMatchObject({ observation: { depth: 'full' }, polls: { rounds: 1, answered: 1 } })
  expect(worker.live.get(1, 'clients')).toBe(1)
  expect(deviceCalls.reading(worker, 2)).toBeUndefined()
})

test('of a device that was never read no plan is judged, adopted or proposed', () => {
  const worker = workerWith()
  const plan = { id: 1, documents: [], confirmSeconds: 60, imported: [] }
  const config = { blocks: [] }
  expect(planCalls.assess(worker, { id: 1, before: config, next: config })).toEqual({ cuts: [], interrupted: [] })
  const block = { id: 'a', text: '' }
  expect(planCalls.adopt(worker, { ...plan, seen: [block as never] })).toEqual([{ block: 'a', adopted: null }])
  expect(planCalls.propose(worker, { ...plan, chosen: [], all: [] })).toEqual([])
})

test('a plan for a device that is not there fails alone', () => {
  const worker = workerWith()
  const plan = { documents: [], confirmSeconds: 60, imported: [] }
  const planned = planCalls.render(worker, [
    { ...plan, id: 9 },
    { ...plan, id: 1 },
  ])
  expect(planned).toMatchObject([{ error: { reason: 'internal' } }, { plan: { blocks: [] } }])
})
