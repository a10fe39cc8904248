// The change engine upon the lab's real devices: the calls, the engine, the worker's code, real SSH.
import { rmSync } from 'node:fs'
import { desc, eq } from 'drizzle-orm'
import { credentials, deployments, devices, networks } from '@/db/schema'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { sealCredential } from '@/server/devices/link/credential-store'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Target } from '@/server/drivers/driver'
import { stopRuntime } from '@/server/kernel/runtime'
import { type FleetOptions, fleetInProcess } from '../server/_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../server/_manager'
import { target } from './_device'
import { lab, until } from './_lab'

// Shorter than a person's 90 seconds, long enough that the proof is in time.
export const confirmSeconds = 40

const start = (window: number, fleet?: FleetOptions, data?: string) =>
  startTestManager({
    ...(data && { data }),
    starters: [
      fleetInProcess(fleet),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)), window)
      },
    ],
  })

export type Pushed = { state: string; step: string; reason: string; detail: string; remainingSeconds?: number }

type Name = 'gw' | 'sw1' | 'sw2' | 'ap1'
type Adopted = {
  found: Target
  name: Name
  driver: 'linux' | 'openwrt' | 'snmp'
  kind: 'ap' | 'switch' | 'gateway'
}

/** A device over SSH, at `address` where that is not its usual one. */
export const overSsh = async (
  name: Name,
  kind: Adopted['kind'],
  driver: 'linux' | 'openwrt' = 'linux',
  address?: string,
): Promise<Adopted> => ({ found: await target(name, 'key', address), name, driver, kind })

/** The lab's switch over SNMP. */
export async function overSnmp(): Promise<Adopted> {
  const { addresses, credentials: known } = await lab.up()
  const { read: community, write: writeCommunity } = known.snmp
  const credential = { type: 'snmp2c' as const, community, writeCommunity }
  return { found: { address: addresses.sw1, port: 161, credential }, name: 'sw1', driver: 'snmp', kind: 'switch' }
}

/** A manager with the lab's access point as adoption leaves it, at `address` where that is not its usual one. */
export const managerWithAp = async (address?: string, options: Options = {}) =>
  managerWith([await overSsh('ap1', 'ap', 'linux', address)], options)

/** The same with the lab's gateway, whose changes may take their own answer's way: its loss is waited for before the proof. */
export const managerWithGateway = async () => managerWith([await overSsh('gw', 'gateway')], { window: 90 })

/** The same with the lab's switch, over SNMP. */
export const managerWithSwitch = async (window: number) => managerWith([await overSnmp()], { window })

type Options = { window?: number; fleet?: FleetOptions }

/** A manager on data of its own with these devices; `id`, `push` and `latest` are of the first unless told otherwise. */
export async function managerWith(all: readonly Adopted[], { window = confirmSeconds, fleet }: Options = {}) {
  let manager: Manager = await start(window, fleet)
  const browser: Browser = await finishedWizard(manager)
  const ids: number[] = []

  async function adopt({ found, name, driver, kind }: Adopted): Promise<number> {
    const { db } = manager.runtime
    const network = db.select().from(networks).get()
    const own = { organization: network?.organization ?? 0, network: network?.id ?? 0 }
    const { type } = found.credential
    const user = type === 'ssh' ? 'root' : ''
    // Two ways to one box are two devices.
    const label = db.select().from(devices).where(eq(devices.name, name)).get() ? `${name} ${driver}` : name
    const row = { ...own, name: label, type, user, secret: '', createdAt: 0, changedAt: 0 }
    const login = db.insert(credentials).values(row).returning({ id: credentials.id }).get()
    const secret = sealCredential(manager.runtime, login.id, found.credential)
    db.update(credentials).set({ secret }).where(eq(credentials.id, login.id)).run()
    const place = { address: found.address, port: found.port, hostKey: found.hostKey ?? '', credential: login.id }
    const device = {
      ...{ ...own, ...place, name: label },
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
    ids.push(id)
    await until(() => known(id).then(() => true))
    return id
  }
  for (const one of all) await adoptKnown(one)
  const [id] = ids as [number]

  const ok = async (path: string, body: object = {}) => {
    const answer = await browser.post(path, body)
    if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
    return answer.data
  }
  const result = async (jobId: string) =>
    ((await ok('devices/push/result', { jobId })).devices as Pushed[])[0] as Pushed
  const settled = (jobId: string, timeoutMs = 300_000) =>
    until(
      async () => {
        const one = await result(jobId)
        return !['queued', 'pushing', 'confirming'].includes(one.state) && one
      },
      { timeoutMs },
    )
  return {
    id,
    ids,
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
    latest: (device = id) =>
      manager.runtime.db
        .select()
        .from(deployments)
        .where(eq(deployments.device, device))
        .orderBy(desc(deployments.createdAt))
        .get(),
    /** Stops it; the data folder is free for another process until `restart`. */
    async pause() {
      await stopRuntime()
      return manager.data
    },
    /** `whileOff`: what is waited for before the manager runs again; `window`: of its pushes from then on, in seconds. */
    async restart(more: { whileOff?: () => unknown; window?: number } = {}) {
      await stopRuntime()
      await more.whileOff?.()
      manager = await start(more.window ?? window, fleet, manager.data)
      for (const device of ids) await until(() => known(device).then(() => true))
    },
    async end() {
      const { data } = manager
      await manager.stop()
      rmSync(data, { recursive: true, force: true })
      await Promise.all([...new Set(all.map(one => one.name))].map(name => lab.reset(name)))
    },
  }
}

/**
 * Pushes, and pulls the access point's cable once it makes the change: hostapd, whose start the change waits for, waits
 * for the cable. Gives the push's job; the cable stays out.
 */
export async function cutInTheChange(push: () => Promise<string>): Promise<string> {
  const dropIn = '/run/systemd/system/lanward-hostapd@.service.d'
  const held = 'ExecStartPre=/bin/sh -c "until [ -e /run/cut ]; do sleep 0.1; done"'
  await lab.sh('ap1', `rm -f /run/cut; mkdir -p ${dropIn}; printf '%s\\n' '[Service]' '${held}' >${dropIn}/held.conf`)
  const jobId = await push()
  const start = ['systemctl', 'is-active', 'lanward-hostapd@wlan0']
  await until(async () => (await lab.in('ap1', start)).stdout === 'activating\n')
  await lab.cut('ap1')
  await lab.in('ap1', ['touch', '/run/cut'])
  return jobId
}
