import { count, eq } from 'drizzle-orm'
import { devices, jobs } from '@/db/schema'
import { codes } from '@/model/codes'
import { startDiscoveries } from '@/server/devices/adoption/discovery'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network } from '../_people'

// Devices that a search found and nobody adopted: state 2. And what is managed, as a client.
let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess(), startDiscoveries] })
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const hostKey = `SHA256:${'x'.repeat(43)}`
const found = [
  { address: '10.0.0.9', from: 'sweep', mac: '02:00:00:00:00:09', ssh: { port: 22, hostKey } },
  { address: '10.0.0.10', from: 'sweep', snmp: { port: 161, versions: ['v3'] } },
  { address: '10.0.0.11', from: 'sweep', ssh: { port: 22, reason: 'refused' } },
  { address: '10.0.0.12', from: 'arp' },
]
/** A search of a network as it was when it ended, before this manager started. */
function searched(of: number, more: object = {}) {
  const progress = JSON.stringify({ segments: ['10.0.0.0/28'], done: 14, total: 14, found })
  const row = { id: crypto.randomUUID(), organization: 1, network: of, type: 'discover', state: 'done' } as const
  manager.runtime.db
    .insert(jobs)
    .values({ ...row, progress, createdAt: 1000, endedAt: 2000, ...more })
    .run()
}
const device = (more: Partial<typeof devices.$inferInsert>) =>
  manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: 1, name: 'd', port: 22, driver: 'linux', kind: 'ap', status: 1 },
      ...{ address: '10.0.0.9', statusAt: 1, createdAt: 1, ...more },
    })
    .run()
const unpaired = async (networkId = 1) =>
  ((await browser.post('devices/list', { networkId })).data.counts as { unpaired: number }).unpaired

test('what the last search found is kept, with its state, and counted until it is adopted', async () => {
  searched(1)
  expect(await unpaired()).toBe(2)
  const { data } = await browser.post('devices/discover/result')
  expect(data).toMatchObject({ state: 'done', startedAt: 1000, total: 14 })
  const states = (data.found as { address: string; status?: number }[]).map(one => [one.address, one.status])
  expect(states).toEqual([
    ['10.0.0.9', 2],
    ['10.0.0.10', 2],
    ['10.0.0.11', undefined],
    ['10.0.0.12', undefined],
  ])
  // The same device by its MAC address, at another address.
  device({ address: '10.0.0.200', mac: '02:00:00:00:00:09' })
  expect(await unpaired()).toBe(1)
  device({ address: '10.0.0.10' })
  expect(await unpaired()).toBe(0)
})

test('a search that the manager’s end cut off hides none that ended; another network has its own', async () => {
  searched(1)
  searched(1, { state: 'failed', createdAt: 3000, progress: '{"segments":[],"done":0,"total":9,"found":[]}' })
  expect(await unpaired()).toBe(2)
  expect(await unpaired(network(manager, 'Quay'))).toBe(0)
})

test('a new search takes the place of the former ones', async () => {
  searched(1)
  const { data } = await browser.post('devices/discover', { segments: ['172.31.255.254/32'] })
  const rows = () => manager.runtime.db.select({ n: count() }).from(jobs).where(eq(jobs.type, 'discover')).get()?.n
  while ((await browser.post('devices/discover/result')).data.state === 'running')
    await new Promise(done => setImmediate(done))
  expect((await browser.post('devices/discover/result')).data.id).toBe(data.id)
  expect(rows()).toBe(1)
  expect(await unpaired()).toBe(0)
})

test('a managed device is not blocked, neither from the list of clients nor in the settings', async () => {
  device({ name: 'Pier AP', mac: '02:00:00:00:00:09' })
  expect(await browser.post('clients/block', { macs: ['02-00-00-00-00-09'] })).toMatchObject({
    retCode: codes.clientManaged,
    data: { name: 'Pier AP' },
  })
  expect((await browser.post('settings/blockedClient/save', { mac: '020000000009' })).data.fields).toEqual({
    mac: 'managedDevice',
  })
  expect((await browser.post('clients/block', { macs: ['02:00:00:00:00:0a'] })).retCode).toBe(0)
})
