// A saved SSID on its whole way: the calls, the engine, the worker's code, real SSH, a real access point.
import { rmSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { alerts, credentials, deployments, devices, networks } from '@/db/schema'
import { startChange } from '@/server/change/start'
import { sealCredential } from '@/server/fleet/credential-store'
import { fleetOf } from '@/server/fleet/fleet'
import { changeTransport } from '@/server/fleet/transport'
import { stopRuntime } from '@/server/kernel/runtime'
import { fleetInProcess } from '../server/_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../server/_manager'
import { target } from './_device'
import { lab, until } from './_lab'

let manager: Manager
let browser: Browser
let ap: number
// Shorter than a person's 90 seconds, long enough that the proof is in time.
const windowSeconds = 40

const start = (data?: string) =>
  startTestManager({
    ...(data && { data }),
    starters: [
      fleetInProcess(),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)), windowSeconds)
      },
    ],
  })

/** The access point as adoption leaves it. */
async function addAccessPoint(): Promise<number> {
  const { address, port, hostKey, credential } = await target('ap1')
  const { db } = manager.runtime
  const network = db.select().from(networks).get()
  const own = { organization: network?.organization ?? 0, network: network?.id ?? 0 }
  const row = { ...own, name: 'lab', type: 'ssh' as const, user: 'root', secret: '', createdAt: 0, changedAt: 0 }
  const login = db.insert(credentials).values(row).returning({ id: credentials.id }).get()
  const secret = sealCredential(manager.runtime, login.id, credential)
  db.update(credentials).set({ secret }).where(eq(credentials.id, login.id)).run()
  const device = {
    ...{ ...own, name: 'ap1', address, port, hostKey, credential: login.id },
    ...{ driver: 'linux' as const, kind: 'ap' as const, status: 3, statusAt: 0, createdAt: 0 },
  }
  const { id } = db.insert(devices).values(device).returning({ id: devices.id }).get()
  fleetOf(manager.runtime).upsert(id)
  await known(id)
  return id
}

const known = async (id: number) => {
  await fleetOf(manager.runtime).ask('observeNow', id)
  manager.runtime.bus.emit({ topic: 'devices' })
}

const ok = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
  return answer.data
}
const saveSsid = (more: object) => ok('settings/ssid/save', { security: 'wpa2wpa3', key: 'correct horse', ...more })
const push = async () => (await ok('devices/push', { deviceIds: [ap] })).jobId as string
type Pushed = { state: string; step: string; reason: string; detail: string; remainingSeconds?: number }
const result = async (jobId: string) => ((await ok('devices/push/result', { jobId })).devices as Pushed[])[0] as Pushed
const settled = (jobId: string, timeoutMs = 90_000) =>
  until(
    async () => {
      const one = await result(jobId)
      return !['queued', 'pushing', 'confirming'].includes(one.state) && one
    },
    { timeoutMs },
  )
const air = async () => (await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])).stdout
const changes = () => ok('changes/list') as Promise<{ total: number; devices: { state: string }[] }>

beforeAll(async () => {
  await lab.up()
  await lab.reset('ap1')
  manager = await start()
  browser = await finishedWizard(manager)
  ap = await addAccessPoint()
})
afterAll(async () => {
  const { data } = manager
  await manager.stop()
  rmSync(data, { recursive: true, force: true })
  await lab.reset('ap1')
})

let cafe: { id: string; revision: number }

test('an SSID is saved, shown as a difference, pushed, proven and on the air', async () => {
  expect(await changes()).toMatchObject({ total: 0, devices: [] })
  cafe = (await saveSsid({ name: 'Café' })) as typeof cafe
  expect(await changes()).toMatchObject({ total: 1, devices: [{ state: 'modified' }] })
  const preview = await ok('devices/push/preview', { deviceId: ap })
  expect(preview).toMatchObject({ read: true, blocked: false, reverts: 'device', windowSeconds })
  const blocks = preview.blocks as { action: string; name: string; lines: { text: string }[] }[]
  expect(blocks.length).toBeGreaterThan(0)
  expect(blocks.every(block => block.action === 'add')).toBe(true)
  expect(JSON.stringify(preview)).not.toContain('correct horse')

  const jobId = await push()
  expect(await settled(jobId)).toMatchObject({ state: 'applied', reason: '' })
  expect(await air()).toMatch(/^state=ENABLED$/m)
  expect(await air()).toContain('ssid[0]=Caf\\xc3\\xa9')
  expect(await changes()).toMatchObject({ total: 0, devices: [] })
  const again = await ok('devices/push/preview', { deviceId: ap })
  expect(again).toMatchObject({ blocks: [], drift: [] })
})

test('another push with nothing to do touches nothing', async () => {
  expect(await settled(await push())).toMatchObject({ state: 'applied', detail: 'nothingToDo' })
})

test('the link is cut in the window: the device goes back, the push says so and why', async () => {
  cafe = (await saveSsid({ ...cafe, name: 'Cut off' })) as typeof cafe
  const jobId = await push()
  await until(async () => (await result(jobId)).step === 'apply', { everyMs: 20 })
  await lab.cut('ap1')
  try {
    await until(async () => (await air()).includes('ssid[0]=Cut off'))
    await until(async () => (await air()).includes('ssid[0]=Caf'))
  } finally {
    await lab.join('ap1')
  }
  const end = await settled(jobId, 120_000)
  expect(end).toMatchObject({ state: 'reverted', reason: expect.stringMatching(/timeout|noRoute|closed/) })
  expect(await air()).toContain('ssid[0]=Caf\\xc3\\xa9')
  expect(await changes()).toMatchObject({ total: 1, devices: [{ state: 'reverted' }] })
  expect(manager.runtime.db.select().from(alerts).where(eq(alerts.type, 'pushReverted')).get()).toMatchObject({
    device: ap,
  })
})

test('the manager restarts while the device waits: it proves and confirms after', async () => {
  cafe = (await saveSsid({ ...cafe, name: 'Restarted' })) as typeof cafe
  const jobId = await push()
  await until(async () => (await result(jobId)).state === 'confirming', { everyMs: 5 })
  await stopRuntime()
  manager = await start(manager.data)
  await known(ap)
  const row = () => manager.runtime.db.select().from(deployments).where(eq(deployments.device, ap)).all().at(-1)
  await until(() => row()?.endedAt)
  expect(row()).toMatchObject({ state: 'applied' })
  expect(await air()).toContain('ssid[0]=Restarted')
  // Confirmed: nothing is left on the device that could go back.
  const left =
    'ls -d /etc/lanward/undo /etc/systemd/system/lanward-undo* 2>/dev/null; systemctl list-timers --all --plain | grep lanward'
  expect((await lab.sh('ap1', left)).stdout).toBe('')
  expect(await air()).toContain('ssid[0]=Restarted')
})
