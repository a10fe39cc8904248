// The change engine upon the lab's real devices: the calls, the engine, the worker's code, real SSH.
import { rmSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { credentials, deployments, devices, networks } from '@/db/schema'
import { startChange } from '@/server/change/start'
import type { Target } from '@/server/devices/driver'
import { sealCredential } from '@/server/fleet/credential-store'
import { fleetOf } from '@/server/fleet/fleet'
import { changeTransport } from '@/server/fleet/transport'
import { stopRuntime } from '@/server/kernel/runtime'
import { fleetInProcess } from '../server/_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../server/_manager'
import { target } from './_device'
import { lab, until } from './_lab'

// Shorter than a person's 90 seconds, long enough that the proof is in time.
export const windowSeconds = 40

const start = (window: number, data?: string) =>
  startTestManager({
    ...(data && { data }),
    starters: [
      fleetInProcess(),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)), window)
      },
    ],
  })

export type Pushed = { state: string; step: string; reason: string; detail: string; remainingSeconds?: number }

type Adopted = {
  found: Target
  name: 'ap1' | 'sw1' | 'sw2' | 'gw'
  driver: 'linux' | 'snmp'
  kind: 'ap' | 'switch' | 'gateway'
}

/** A manager with the lab's access point as adoption leaves it, at `address` where that is not its usual one. */
export const managerWithAp = (address?: string) =>
  managerWith(async () => ({ found: await target('ap1', 'key', address), name: 'ap1', driver: 'linux', kind: 'ap' }))

/** The same with the lab's gateway. */
export const managerWithGateway = () =>
  managerWith(async () => ({ found: await target('gw'), name: 'gw', driver: 'linux', kind: 'gateway' }))

/** The same with the lab's switch, over SNMP. */
export const managerWithSwitch = (window: number) =>
  managerWith(async () => {
    const { addresses, credentials: known } = await lab.up()
    const { read: community, write: writeCommunity } = known.snmp
    const found = {
      address: addresses.sw1,
      port: 161,
      credential: { type: 'snmp2c' as const, community, writeCommunity },
    }
    return { found, name: 'sw1', driver: 'snmp', kind: 'switch' }
  }, window)

/** A manager on data of its own with one device. */
async function managerWith(adopted: () => Promise<Adopted>, window = windowSeconds) {
  const one = await adopted()
  let manager: Manager = await start(window)
  const browser: Browser = await finishedWizard(manager)

  async function adopt({ found, name, driver, kind }: Adopted): Promise<number> {
    const { db } = manager.runtime
    const network = db.select().from(networks).get()
    const own = { organization: network?.organization ?? 0, network: network?.id ?? 0 }
    const { type } = found.credential
    const user = type === 'ssh' ? 'root' : ''
    const row = { ...own, name: `lab ${name}`, type, user, secret: '', createdAt: 0, changedAt: 0 }
    const login = db.insert(credentials).values(row).returning({ id: credentials.id }).get()
    const secret = sealCredential(manager.runtime, login.id, found.credential)
    db.update(credentials).set({ secret }).where(eq(credentials.id, login.id)).run()
    const place = { address: found.address, port: found.port, hostKey: found.hostKey ?? '', credential: login.id }
    const device = {
      ...{ ...own, ...place, name },
      ...{ driver, kind, status: 3, statusAt: 0, createdAt: 0 },
    }
    const { id } = db.insert(devices).values(device).returning({ id: devices.id }).get()
    fleetOf(manager.runtime).upsert(id)
    return id
  }
  const known = async (id: number) => {
    await fleetOf(manager.runtime).ask('observeNow', id)
    manager.runtime.bus.emit({ topic: 'devices' })
  }
  const adoptKnown = async (device: Adopted) => {
    const id = await adopt(device)
    await known(id)
    return id
  }
  const id = await adoptKnown(one)

  const ok = async (path: string, body: object = {}) => {
    const answer = await browser.post(path, body)
    if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
    return answer.data
  }
  const result = async (jobId: string) =>
    ((await ok('devices/push/result', { jobId })).devices as Pushed[])[0] as Pushed
  const settled = (jobId: string, timeoutMs = 120_000) =>
    until(
      async () => {
        const one = await result(jobId)
        return !['queued', 'pushing', 'confirming'].includes(one.state) && one
      },
      { timeoutMs },
    )
  return {
    id,
    adopt: adoptKnown,
    browser,
    ok,
    known,
    result,
    settled,
    runtime: () => manager.runtime,
    saveSsid: (more: object) => ok('settings/ssid/save', { security: 'wpa2wpa3', key: 'correct horse', ...more }),
    push: async (more: object = {}) => String((await ok('devices/push', { deviceIds: [id], ...more })).jobId),
    pushed: async (more: object = {}) =>
      settled(String((await ok('devices/push', { deviceIds: [id], ...more })).jobId)),
    changes: () => ok('changes/list') as Promise<{ total: number; devices: { state: string }[] }>,
    latest: () => manager.runtime.db.select().from(deployments).where(eq(deployments.device, id)).all().at(-1),
    /** Stops it; the data folder is free for another process until `restart`. */
    async pause() {
      await stopRuntime()
      return manager.data
    },
    /** `whileOff`: what is waited for before the manager runs again. */
    async restart(whileOff: () => unknown = () => undefined) {
      await stopRuntime()
      await whileOff()
      manager = await start(window, manager.data)
      await known(id)
    },
    async end() {
      const { data } = manager
      await manager.stop()
      rmSync(data, { recursive: true, force: true })
      await lab.reset(one.name)
    },
  }
}

/** What hostapd says of the access point's radio. */
export const air = async () =>
  (await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])).stdout
