import type { CallOutput, CallPath } from '@/app/_api/client'
import { devices } from '@/db/schema'
import { tileIds } from '@/model/dashboard/tiles'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Driver } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { Observation } from '@/server/drivers/observation'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person } from '../_people'

// What the dashboard's calls say of a network whose one gateway, with radios of its own, is its answers alone.

let one: Manager
let browser: Browser
let says: Partial<Observation>
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
  const owner = { organization: 1, network: 1 }
  const credential = insertCredential(one.runtime, owner, { type: 'ssh', user: 'root', password: 'x' })
  const row = {
    ...{ name: 'gw', address: '127.9.0.1', port: 9, driver: 'linux', kind: 'gateway', status: 1 },
    ...{ ...owner, statusAt: 1, createdAt: 1, credential },
  } satisfies typeof devices.$inferInsert
  id = one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
})
afterEach(() => one.stop())

const polled = async () => {
  fleetOf(one.runtime).upsert(id)
  await fleetOf(one.runtime).ask('observeNow', id)
}
type Part<P> = P extends `dashboard/${infer Name}` ? Name : never
const asked = async <P extends Part<CallPath>>(call: P, input: object = {}) =>
  (await browser.post(`dashboard/${call}`, input)).data as unknown as CallOutput<`dashboard/${P}`>

const wan = (octets: number) => ({
  ...{ key: 'eth0', name: 'eth0', type: 'ethernet' as const, up: true, addresses: ['203.0.113.9/24', 'fe80::1/64'] },
  counters: { bits: 64 as const, inOctets: octets, outOctets: octets / 2 },
})

test('the ways to the internet: state, address, loss, latency and jitter, now and on average, and what they carry', async () => {
  const fibre = { interface: 'eth0', up: true, lossPercent: 2, latencyMs: 8, jitterMs: 0.5 }
  says = { interfaces: [wan(0)], wans: [fibre] }
  await polled()
  says = { interfaces: [wan(1e6)], wans: [{ ...fibre, lossPercent: 2.5, latencyMs: 12 }] }
  await polled()
  const { result, at } = await asked('wan-overview')
  expect(result).toMatchObject([
    {
      ...{ deviceName: 'gw', name: 'eth0', state: 'online', by: 'targets', address: '203.0.113.9', interface: 'eth0' },
      ...{ lossPercent: 2.5, latencyMs: 12, jitterMs: 0.5 },
    },
  ])
  const [way] = result
  expect(way?.inBps).toBeGreaterThan(0)
  expect(way?.outBps).toBeCloseTo((way?.inBps ?? 0) / 2)
  expect(at).toHaveLength(144)
  // A device that is added is polled at once, beside what is asked here.
  const mean = (column: readonly (number | null)[] = []) => {
    const told = column.filter(one => one !== null)
    return told.reduce((sum, one) => sum + one, 0) / told.length
  }
  for (const [figure, least, most] of [
    ['lossPercent', 2, 2.5],
    ['latencyMs', 8, 12],
  ] as const) {
    expect(mean(way?.history?.[figure])).toBeGreaterThan(least)
    expect(mean(way?.history?.[figure])).toBeLessThan(most)
  }
  expect(mean(way?.history?.jitterMs)).toBeCloseTo(0.5)
  const now = await asked('usage-realtime')
  expect(now).toMatchObject({ source: 'wan', wans: [{ device: id, interface: 'eth0', inBps: way?.inBps }] })
  expect(now.at).toBeLessThanOrEqual(Date.now())
})

test('a way that nothing watches says what its link does, and no loss of 0', async () => {
  says = { interfaces: [wan(0)] }
  await polled()
  const [way] = (await asked('wan-overview')).result
  expect(way).toMatchObject({ state: 'online', by: 'link' })
  for (const name of ['lossPercent', 'latencyMs', 'jitterMs']) expect(way).not.toHaveProperty(name)
})

const air = (): Partial<Observation> => ({
  radios: [
    { key: 'r0', name: 'radio0', band: '2g', channel: 6, utilizationPercent: 61 },
    { key: 'r1', name: 'radio1', band: '5g', channel: 36 },
  ],
  bss: [
    { key: 'b0', radio: 'r0', ssid: 'Home', interface: 'wlan0', up: true },
    { key: 'b1', radio: 'r1', ssid: 'Quiet', interface: 'wlan1', up: true },
  ],
  stations: [
    { mac: '00:00:5e:00:53:01', bss: 'b0', ssid: 'Home', rxBytes: 10, txBytes: 20 },
    { mac: '02:00:5e:00:53:02', bss: 'b0', ssid: 'Home' },
  ],
})

test('channels, Wi-Fi networks and how clients are spread', async () => {
  says = air()
  await polled()
  expect((await asked('channel')).result).toEqual([
    { band: '2g', channels: [{ channel: 6, radios: 1, utilizationPercent: 61 }] },
    { band: '5g', channels: [{ channel: 36, radios: 1 }] },
  ])
  const ssids = (await asked('top-ssids')).result
  expect(ssids).toEqual([
    { ssid: 'Home', devices: 1, clients: 2 },
    { ssid: 'Quiet', devices: 1, clients: 0 },
  ])
  const { told, wired, bands, ssids: by } = await asked('clients-pie')
  expect({ told, wired, bands, by }).toEqual({
    ...{ told: true, wired: 0, bands: [{ band: '2g', clients: 2 }], by: [{ ssid: 'Home', clients: 2 }] },
  })
  // Nobody has looked up yet whose they are.
  const { vendors, private: own, unknown } = await asked('clients-pie')
  expect(vendors.length + own + unknown).toBe(2)
  expect(await asked('clients-general')).toMatchObject({ total: 2, wifi: 2, wired: 0, guests: 0 })
  says = {}
  await polled()
})

test('no device tells of clients: nothing is known, which is not none', async () => {
  expect(await asked('clients-pie')).toMatchObject({ told: false })
  expect(await asked('clients-general')).not.toHaveProperty('total')
})

test('clients of a range: seen, new and returning; makers by the MAC, those of the client’s own making apart', async () => {
  const { sqlite } = one.runtime
  const now = Date.now()
  const hour = 3_600_000
  const insert = sqlite.prepare(
    'INSERT INTO clients (network, mac, vendor, online, first_seen_at, seen_at, wifi) VALUES (1, ?, ?, ?, ?, ?, 0)',
  )
  insert.run('00:00:5e:00:53:01', 'Acme', 1, now - hour, now - hour)
  insert.run('00:00:5e:00:53:02', 'Acme', 1, now - 50 * hour, now - 40 * hour)
  insert.run('02:00:5e:00:53:03', '', 1, now - hour, now - hour)
  insert.run('00:00:5e:00:53:04', '', 1, now - hour, now - hour)
  insert.run('00:00:5e:00:53:05', 'Acme', 0, now - 90 * hour, now - 3 * hour)
  insert.run('00:00:5e:00:53:06', 'Acme', 0, now - 90 * hour, now - 80 * hour)
  expect(await asked('clients-statistics', { range: '1d' })).toMatchObject({ seen: 5, fresh: 3, returning: 2 })
  expect(await asked('clients-statistics', { range: '1w' })).toMatchObject({ seen: 6, fresh: 6, returning: 0 })
  const long = await asked('clients-statistics', { range: '6m' })
  expect(long.since).toBeGreaterThan(now - 32 * 24 * hour)
  expect(await asked('clients-pie')).toMatchObject({
    ...{ vendors: [{ vendor: 'Acme', clients: 2 }], private: 1, unknown: 0 },
  })
})

test('alerts of a range are counted by level and type', async () => {
  const { sqlite } = one.runtime
  const row = sqlite.prepare(
    `INSERT INTO alerts (organization, network, level, type, "values", at, read) VALUES (1, 1, ?, ?, '{}', ?, 0)`,
  )
  const now = Date.now()
  row.run(5, 'deviceOffline', now - 1000)
  row.run(10, 'pushFailed', now - 1000)
  row.run(10, 'pushFailed', now - 2000)
  row.run(10, 'pushFailed', now - 100 * 3_600_000)
  expect(await asked('alerts-overview', { range: '1d' })).toMatchObject({
    unread: { emergency: 1, warning: 3, notice: 0 },
    raised: { emergency: 1, warning: 2, notice: 0 },
    types: [
      { type: 'pushFailed', alerts: 2 },
      { type: 'deviceOffline', alerts: 1 },
    ],
  })
})

test('each person has a dashboard of each network; reset, it is as it comes; what is wrong is refused at its place', async () => {
  const standard = (await asked('layout')).tiles
  expect(standard.map(tile => tile.id)).toContain('wan')
  const own = [
    { id: 'alerts', size: 'half' },
    { id: 'counts', size: 'full' },
  ]
  expect((await browser.post('dashboard/save', { tiles: own })).retCode).toBe(0)
  expect(await asked('layout')).toEqual({ tiles: own, own: true, standard, offered: [...tileIds] })
  const other = await person(one, { role: 'networkReadOnly', networks: [1] })
  expect((await other.post('dashboard/layout', { networkId: 1 })).data).toMatchObject({ own: false, tiles: standard })
  expect((await other.post('dashboard/save', { networkId: 1, tiles: [] })).retCode).toBe(0)
  expect((await other.post('dashboard/layout', { networkId: 1 })).data).toMatchObject({ own: true, tiles: [] })
  expect((await asked('layout')).tiles).toEqual(own)
  const wrong = async (tiles: unknown) => (await browser.post('dashboard/save', { tiles })).data.fields ?? {}
  expect(await wrong([own[0], own[0]])).toEqual({ 'tiles.1.id': 'duplicate' })
  expect(await wrong([{ id: 'counts', size: 'narrow' }])).toEqual({ 'tiles.0.size': 'invalid' })
  for (const tiles of [[{ id: 'nothing', size: 'half' }], [{ id: 'wan', size: 'huge' }], 'x', undefined])
    expect(await wrong(tiles)).not.toEqual({})
  expect((await asked('layout')).tiles).toEqual(own)
  await browser.post('dashboard/save', { tiles: null })
  expect(await asked('layout')).toMatchObject({ own: false, tiles: standard })
})
