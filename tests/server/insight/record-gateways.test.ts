// Which gateways record, and why others do not: by the same plans that lists and reviews ask.
import { eq } from 'drizzle-orm'
import type { CallOutput } from '@/app/_api/client'
import { devices, documents } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { fleetOf } from '@/server/devices/link/fleet'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person } from '../_people'
import { takesAll } from '../_takes-all'

let manager: Manager
let browser: Browser
let capabilities: string[]

const interfaces = [
  { key: 'eth0', name: 'eth0', type: 'ethernet' as const, defaultRoute: true, addresses: ['203.0.113.2/24'] },
  { key: 'eth1', name: 'eth1', type: 'ethernet' as const, addresses: ['10.0.0.1/24'] },
]

const driver = () => takesAll(() => ({ facts: { kind: 'gateway', capabilities }, interfaces }))

const ok = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
  return answer.data
}
function gateway(name: string, more: Partial<typeof devices.$inferInsert> = {}): number {
  const owner = { organization: 1, network: 1 }
  const credential = insertCredential(manager.runtime, owner, { type: 'ssh', user: 'root', password: 'x' })
  const row = {
    ...{ name, address: '127.9.0.1', port: 9, driver: 'linux' as const, kind: 'gateway' as const, credential },
    ...{ ...owner, status: 1 as const, statusAt: 1, createdAt: 1, ...more },
  }
  const { id } = manager.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get()
  return id
}
async function read(id: number) {
  fleetOf(manager.runtime).upsert(id)
  await fleetOf(manager.runtime).ask('observeNow', id)
  manager.runtime.bus.emit({ topic: 'devices' })
}
async function push(id: number) {
  const { jobId } = await ok('devices/push', { deviceIds: [id] })
  const done = await until(async () => {
    const result = (await ok('devices/push/result', { jobId })) as { state: string; devices: { state: string }[] }
    return result.state === 'running' ? undefined : result.devices
  })
  expect(done).toMatchObject([{ state: 'applied' }])
}
async function set(kind: 'trafficLogs' | 'system', fields: object, scope: object = {}) {
  const { revision } = await ok(`settings/${kind}/get`, { scope })
  await ok(`settings/${kind}/save`, { scope, revision, ...fields })
}
type Gateways = CallOutput<'records/gateways'>['result']
const asked = async (kind = 'url') => (await ok('records/gateways', { kind })).result as Gateways
const states = async (kind?: string) => (await asked(kind)).map(one => `${one.name} ${one.state}`)

beforeEach(async () => {
  capabilities = ['systemd', 'root', 'rsyslog', 'nftables', 'dnsmasq']
  manager = await startTestManager({
    starters: [
      fleetInProcess({ drivers: driver }),
      async runtime => void (await startChange(runtime, changeTransport(fleetOf(runtime)), 300)),
    ],
  })
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const recording = { urlLog: true, natLog: true, lawAccepted: true }
const served = { dhcp: true, poolStart: '192.168.20.100', poolEnd: '192.168.20.200' }
/** Nobody knows better what a name leads to. */
const here = 'manager.example'

test('of each gateway it is said whether it records, from what is set to what is pushed and where it sends', async () => {
  expect(await asked()).toEqual([])
  const id = gateway('gw')
  gateway('switch', { kind: 'switch', address: '127.9.0.3' })
  manager.runtime.bus.emit({ topic: 'devices' })
  expect(await states()).toEqual(['gw off'])
  await set('trafficLogs', { ...recording, natLog: false })
  expect(await states()).toEqual(['gw unread'])
  const { db, bus } = manager.runtime
  const data = db.select().from(documents).where(eq(documents.kind, 'trafficLogs')).get()?.data ?? ''
  const write = (text: string) => {
    db.update(documents).set({ data: text }).where(eq(documents.kind, 'trafficLogs')).run()
    bus.emit({ topic: 'settings', network: 1 })
  }
  write('damaged')
  expect(await asked()).toMatchObject([{ state: 'leftOut', why: [{ code: 'settingsContradict' }] }])
  write(data)
  expect(await states('nat')).toEqual(['gw off'])
  await read(id)
  expect(await asked()).toEqual([{ id, name: 'gw', state: 'leftOut', why: [{ code: 'trafficUnsent', values: {} }] }])
  // Which is what the list of settings that are not everywhere says.
  expect((await ok('changes/left-out/list', { kind: 'trafficLogs' })).result).toMatchObject([
    { on: 0, of: 1, reasons: [{ code: 'trafficUnsent', devices: [{ id }] }] },
  ])
  await set('system', { syslog: 'udp', syslogHost: '192.0.2.77', syslogPort: 5140 })
  // It serves no LAN whose names it could log.
  expect(await asked()).toMatchObject([{ state: 'leftOut', why: [{ code: 'urlLogWithoutLan' }] }])
  await set('trafficLogs', recording)
  // That says nothing of connections.
  expect(await states('nat')).toEqual(['gw unpushed'])
})

test('what is saved and not pushed is no record yet; neither is what is sent elsewhere, nor what an offline gateway has', async () => {
  const id = gateway('gw')
  await ok('settings/lan/save', { name: 'Guests', vlan: 20, address: '192.168.20.1/24', ...served })
  await set('system', { syslog: 'udp', syslogHost: '192.0.2.77', syslogPort: 5140 })
  await read(id)
  await push(id)
  await set('trafficLogs', { ...recording, natLog: false })
  expect(await states()).toEqual(['gw unpushed'])
  await push(id)
  const to = { protocol: 'udp', host: '192.0.2.77', port: 5140 }
  expect(await asked()).toEqual([{ id, name: 'gw', state: 'elsewhere', to }])
  const { revision } = await ok('settings/logReception/get')
  await ok('settings/logReception/save', { revision, protocol: 'both', port: 5140 })
  expect(await states()).toEqual(['gw elsewhere'])
  await set('system', { syslog: 'udp', syslogHost: here, syslogPort: 5140 })
  expect(await states()).toEqual(['gw unpushed'])
  await push(id)
  expect(await states()).toEqual(['gw records'])
  // Another port is another door.
  await ok('settings/logReception/save', { revision: Number(revision) + 1, protocol: 'both', port: 5141 })
  expect(await states()).toEqual(['gw elsewhere'])
  await ok('settings/logReception/save', { revision: Number(revision) + 2, protocol: 'tcp', port: 5140 })
  expect(await states()).toEqual(['gw elsewhere'])
  await ok('settings/logReception/save', { revision: Number(revision) + 3, protocol: 'both', port: 5140 })
  // A poll that is under way may still say that it is there.
  await until(async () => {
    manager.runtime.db.update(devices).set({ status: 0 }).where(eq(devices.id, id)).run()
    return (await states())[0] === 'gw offline'
  })
  await set('trafficLogs', { urlLog: false }, { device: id })
  expect(await states()).toEqual(['gw off'])
})

test('a device that is only read, or cannot send its log, is told as such; only who may see records hears it', async () => {
  capabilities = ['systemd', 'root', 'nftables']
  const id = gateway('gw')
  gateway('snmp', { driver: 'snmp', address: '127.9.0.2' })
  await set('trafficLogs', recording)
  await set('system', { syslog: 'udp', syslogHost: here, syslogPort: 5140 })
  await read(id)
  expect(await asked()).toMatchObject([
    { name: 'gw', state: 'leftOut', why: [{ code: 'needs.rsyslog' }] },
    { name: 'snmp', state: 'readOnly' },
  ])
  const reader = await person(manager, { role: 'networkReadOnly', networks: [1], all: false })
  expect((await reader.post('records/gateways', { networkId: 1, kind: 'url' })).retCode).toBe(codes.noAuthority)
})
