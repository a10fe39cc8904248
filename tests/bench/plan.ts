import { performance } from 'node:perf_hooks'
import { eq } from 'drizzle-orm'
import { credentials, devices, networks } from '@/db/schema'
import { networkDocuments } from '@/server/devices/change/plan/desired'
import { compare, engineOf, findDevice, planDevice, readDevice } from '@/server/devices/change/plan/plan'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { sealCredential } from '@/server/devices/link/credential-store'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Driver, NativeConfig, Pending } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { driverOf } from '@/server/drivers/registry/registry'
import { startOpenwrt } from '../drivers/openwrt-server'
import { fleetInProcess } from '../server/_fleet'
import { finishedWizard, startTestManager } from '../server/_manager'
import { type Row, row } from './table'

const count = 500
type Session = { config: NativeConfig }

/** One real reading of the recorded OpenWrt 24.10, over SSH. */
async function recorded(): Promise<Observation> {
  const server = await startOpenwrt()
  const driver = driverOf('openwrt')
  const session = await driver.connect(
    { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential: { type: 'ssh', user: 'root' } },
    AbortSignal.timeout(60_000),
  )
  try {
    return await driver.observe(session, 'full')
  } finally {
    driver.close(session)
    await server.close()
  }
}

/** The driver's own planning, upon devices that keep what they are given: its way over the network is not what is measured. */
function kept(observation: Observation): (id: Driver<unknown>['id']) => Driver<unknown> {
  const configs = new Map<string, Session>()
  const driver = {
    ...driverOf('openwrt'),
    async connect({ address }: { address: string }) {
      const session = configs.get(address) ?? { config: { blocks: [] } }
      configs.set(address, session)
      return session
    },
    close: () => undefined,
    observe: async () => observation,
    facts: async () => observation.facts ?? { kind: 'ap' as const, capabilities: [] },
    read: async (session: unknown) => (session as Session).config,
    async push(session: unknown, _before: NativeConfig, next: NativeConfig, confirmSeconds: number, events) {
      const pending: Pending = { id: 'p', armedAt: Date.now(), confirmSeconds, driver: 'openwrt', data: {} }
      await events.pending(pending)
      Object.assign(session as Session, { config: next })
      return pending
    },
    confirm: async () => undefined,
    selfCheck: async () => [],
  } satisfies Driver<unknown>
  return () => driver
}

const all = { all: true, groups: [], devices: [] }
const web = (n: number) => ({
  name: `Web ${n}`,
  action: 'deny',
  from: 'lan',
  to: 'wan',
  protocol: 'tcp',
  ports: String(1000 + n),
})

/** What a site has of ten kinds. */
function settings(): [kind: string, data: object][] {
  const times = (n: number, make: (at: number) => [string, object]) => Array.from({ length: n }, (_, at) => make(at))
  return [
    ['radius', { name: 'Radius', server: '10.0.0.9', port: 1812, secret: 'radius-secret' }],
    ...times(3, n => ['ssid', { name: `Air ${n}`, security: 'wpa2', key: 'correct horse' }]),
    ...times(3, n => [
      'lan',
      {
        name: `Lan ${n}`,
        vlan: 20 + n,
        address: `192.168.${20 + n}.1/24`,
        poolStart: `192.168.${20 + n}.100`,
        poolEnd: `192.168.${20 + n}.200`,
      },
    ]),
    ...times(30, n => ['wiredRule', web(n)]),
    ...times(10, n => [
      'portForward',
      { name: `In ${n}`, protocol: 'tcp', ports: String(8000 + n), address: '192.168.20.7', innerPort: 80 },
    ]),
    ...times(20, n => ['blockedClient', { mac: `02:00:00:00:00:${(16 + n).toString(16)}` }]),
    ...times(10, n => [
      'bandwidthRule',
      { name: `Slow ${n}`, target: 'address', address: `192.168.20.${n + 10}`, download: '8 Mbps', upload: '2 Mbps' },
    ]),
    ...times(5, n => ['staticRoute', { name: `Way ${n}`, destination: `10.${n + 1}.0.0/16`, gateway: '192.168.20.2' }]),
  ]
}

/** By the clock, and of the processor: on a busy machine the first says little. */
const seconds = async (work: () => Promise<unknown>) => {
  const begun = { at: performance.now(), cpu: process.cpuUsage() }
  await work()
  const { user, system } = process.cpuUsage(begun.cpu)
  return { clock: (performance.now() - begun.at) / 1000, cpu: (user + system) / 1e6 }
}
const rows = (what: string, { clock, cpu }: Awaited<ReturnType<typeof seconds>>): Row[] => [
  row(what, clock, 's', 2),
  row(`${what}: processor`, cpu, 's', 2),
]

/** Plan and difference for 500 devices after one SSID changed: real renderers, a recorded device, ten kinds of settings. */
export async function measurePlan(): Promise<Row[]> {
  const observation = await recorded()
  const manager = await startTestManager({
    starters: [
      fleetInProcess({ drivers: kept(observation) }),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)), 90)
      },
    ],
  })
  const { runtime } = manager
  const browser = await finishedWizard(manager)
  const ok = async (path: string, body: object = {}) => {
    const answer = await browser.post(path, body)
    if (answer.retCode !== 0)
      throw new Error(`${path} ${JSON.stringify(body)}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
    return answer.data
  }
  const network = runtime.db.select().from(networks).get()
  const own = { organization: network?.organization ?? 0, network: network?.id ?? 0 }
  const login = { ...own, name: 'all', type: 'ssh' as const, secret: '', createdAt: 0, changedAt: 0 }
  const credential = runtime.db.insert(credentials).values(login).returning({ id: credentials.id }).get().id
  const secret = sealCredential(runtime, credential, { type: 'ssh', user: 'root' })
  runtime.db.update(credentials).set({ secret }).where(eq(credentials.id, credential)).run()
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const place = { name: `ap${n}`, address: `10.9.${n >> 8}.${n & 255}`, port: 22, credential }
    const device = {
      ...own,
      ...place,
      driver: 'openwrt' as const,
      kind: 'ap' as const,
      status: 1,
      statusAt: 0,
      createdAt: 0,
    }
    const { id } = runtime.db.insert(devices).values(device).returning({ id: devices.id }).get()
    fleetOf(runtime).upsert(id)
    await fleetOf(runtime).ask('observeNow', id)
    ids.push(id)
  }
  for (const [kind, data] of settings()) await ok(`settings/${kind}/save`, data)
  await ok('settings/radio/save', { scope: {}, revision: 0, channel2g: 11 })
  await ok('settings/system/save', { scope: {}, revision: 0, timeZone: 'UTC' })
  const { jobId } = await ok('devices/push', { deviceIds: ids })
  for (let state = 'running'; state === 'running'; ) {
    await new Promise(done => setTimeout(done, 200))
    state = String((await ok('devices/push/result', { jobId })).state)
  }
  const found = (
    (await ok('settings/ssid/list', { page: 1, pageSize: 10 })).result as { id: string; revision: number }[]
  )[0]
  await ok('settings/ssid/save', {
    id: found?.id,
    revision: found?.revision,
    name: 'Air',
    security: 'wpa2',
    key: 'correct horse 2',
    assign: all,
  })
  const engine = engineOf(runtime)
  const before = await readDevice(engine, ids[0] as number)
  let blocks = 0
  const diff = await seconds(async () => {
    const documents = networkDocuments(runtime.db, own.network)
    const differing = async (id: number) => {
      const device = findDevice(runtime, id)
      if (!device) return
      const plan = await planDevice(engine, device, documents)
      const differing = await compare(engine, device, plan.planned, before)
      blocks += differing.length
    }
    for (let at = 0; at < ids.length; at += 20) await Promise.all(ids.slice(at, at + 20).map(differing))
  })
  let waiting: unknown
  const listed = await seconds(async () => {
    waiting = (await ok('changes/list')).devices
  })
  console.log(`${before.blocks.length} blocks a device, ${blocks} differ, ${(waiting as unknown[]).length} wait`)
  const again = await seconds(() => ok('changes/list'))
  await manager.stop()
  return [
    ...rows(`plan and difference, block by block, of ${count} devices after one SSID changed`, diff),
    ...rows(`list of what waits on ${count} devices, with whom it interrupts`, listed),
    row('the same list asked again', again.clock, 's', undefined),
  ]
}
