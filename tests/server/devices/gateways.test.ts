import { deviceEvents, devices } from '@/db/schema'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { fleetOf } from '@/server/devices/link/fleet'
import { noteWans, turnsSince, wanTurns } from '@/server/devices/link/wan-health'
import type { Driver } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { Lease, WanReading } from '@/server/drivers/observation'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

// What gateways say of their ways to the internet and their leases. A gateway here is its answers alone.

let one: Manager
let browser: Browser
let says: { wans?: WanReading[]; leases?: Lease[] }
let id: number

const gateway = {
  ...linuxDriver,
  connect: async () => ({}),
  close: () => undefined,
  observe: async () => ({ takenAt: Date.now(), depth: 'full', interfaces: [], ...says }),
} as unknown as Driver<unknown>

beforeEach(async () => {
  says = {}
  one = await startTestManager({ starters: [fleetInProcess({ drivers: () => gateway })] })
  browser = await finishedWizard(one)
  const { db } = one.runtime
  const owner = { organization: 1, network: 1 }
  const credential = insertCredential(one.runtime, owner, { type: 'ssh', user: 'root', password: 'x' })
  const row = {
    ...{ name: 'gw', address: '127.9.0.1', port: 9, driver: 'linux', kind: 'gateway', status: 1 },
    ...{ ...owner, statusAt: 1, createdAt: 1, credential },
  } satisfies typeof devices.$inferInsert
  id = db.insert(devices).values(row).returning({ id: devices.id }).get().id
})
afterEach(() => one.stop())

const polled = async () => {
  fleetOf(one.runtime).upsert(id)
  await fleetOf(one.runtime).ask('observeNow', id)
}

test('a way is shown as its gateway finds it, with its name, and the turns that it took', async () => {
  const saved = await browser.post('settings/wan/save', { name: 'Fibre', interface: 'eth0', connection: 'dhcp' })
  const document = String(saved.data.id)
  const shown = async () => (await browser.post('wan/overview', {})).data.result
  says.wans = [
    { document, up: true, lossPercent: 0 },
    { interface: 'eth9', up: false, lossPercent: 100 },
  ]
  await polled()
  expect(await shown()).toMatchObject([
    { deviceId: id, deviceName: 'gw', name: 'Fibre', state: 'online', by: 'targets', lossPercent: 0 },
    { name: 'eth9', state: 'offline' },
  ])
})

test('how a way was is told from when on it was what, and what it is since when', async () => {
  const turnsOf = async () =>
    (await browser.post('wan/health', {})).data as { from: number; until: number; result: object[] }
  const now = async () => (await browser.post('wan/overview', {})).data.result
  expect((await turnsOf()).result).toEqual([])
  const about = { deviceId: id, deviceName: 'gw', key: 'eth0', name: 'eth0' }
  const turns: [number, string][] = []
  const becomes = async (wan: Omit<WanReading, 'interface'>, state: string) => {
    says.wans = [{ interface: 'eth0', ...wan }]
    await polled()
    for (let told = await turnsOf(), n = 0; n < 600; n++, told = await turnsOf()) {
      const own = (told.result[0] as { turns: [number, string][] } | undefined)?.turns ?? []
      if (own.length > turns.length) {
        turns.push(own.at(-1) as [number, string])
        expect(told).toMatchObject({ result: [{ ...about, turns }], until: told.from + 12 * hour })
        break
      }
      await new Promise(done => setTimeout(done, 100))
    }
    expect(turns.at(-1)?.[1]).toBe(state)
    expect(await now()).toMatchObject([{ state, since: turns.at(-1)?.[0] }])
  }
  await becomes({ up: true, lossPercent: 0 }, 'online')
  await becomes({ up: false, lossPercent: 100 }, 'offline')
  // It answers again; whether it keeps doing so the next minute tells.
  await becomes({ up: true, lossPercent: 0 }, 'degraded')
}, 120_000)

const hour = 3_600_000

test('turns are kept for twelve hours, with the state that these began in', () => {
  const { db } = one.runtime
  const start = 100 * hour
  expect(noteWans(db, id, { a: 'online' }, start)).toEqual([{ key: 'a', from: undefined, to: 'online' }])
  expect(noteWans(db, id, { a: 'online' }, start + hour)).toEqual([])
  noteWans(db, id, { a: 'offline' }, start + 2 * hour)
  noteWans(db, id, { a: 'online' }, start + 3 * hour)
  noteWans(db, id, { a: 'degraded' }, start + 14.5 * hour)
  expect(wanTurns(db, id)).toEqual({
    a: [
      [start + 2 * hour, 'offline'],
      [start + 3 * hour, 'online'],
      [start + 14.5 * hour, 'degraded'],
    ],
  })
  expect(turnsSince(wanTurns(db, id).a ?? [], start + 4 * hour)).toEqual([
    [start + 3 * hour, 'online'],
    [start + 14.5 * hour, 'degraded'],
  ])
  // Its gateway does not answer.
  noteWans(db, id, undefined, start + 15 * hour)
  expect(wanTurns(db, id).a?.at(-1)).toEqual([start + 15 * hour, 'unknown'])
  expect(db.select().from(deviceEvents).all()).toEqual([])
})

test('leases of all gateways are searched, sorted by their numbers, and paged', async () => {
  const lease = (at: number, more: Partial<Lease> = {}): Lease => ({
    ...{ mac: `02:00:00:00:00:${String(at).padStart(2, '0')}`, address: `192.168.1.${at}`, hostname: `host-${at}` },
    ...more,
  })
  says.leases = [lease(10), lease(9, { static: true }), lease(11, { hostname: undefined })]
  await polled()
  const list = async (input: object = {}) => {
    const { data } = await browser.post('dhcp/leases', input)
    return (data.result as { address: string }[]).map(({ address }) => address)
  }
  expect(await list()).toEqual(['192.168.1.9', '192.168.1.10', '192.168.1.11'])
  expect(await list({ sort: { field: 'address', direction: 'desc' } })).toEqual([
    '192.168.1.11',
    '192.168.1.10',
    '192.168.1.9',
  ])
  expect(await list({ sort: { field: 'hostname', direction: 'desc' } })).toEqual([
    '192.168.1.9',
    '192.168.1.10',
    '192.168.1.11',
  ])
  expect(await list({ search: 'HOST-10' })).toEqual(['192.168.1.10'])
  expect((await browser.post('dhcp/leases', { page: 9, pageSize: 10 })).data).toMatchObject({ total: 3, page: 1 })
})
