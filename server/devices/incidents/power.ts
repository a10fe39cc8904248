import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { deviceParents, devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import { addEvent } from '@/server/devices/link/states'
import type { Reason } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'

// A device that is powered by its port is started anew by taking that power away for a moment.

/** So long a port is without power. */
const powerlessMs = 5000
/** Until it is tried again to give it back. */
const againMs = 10_000

const place = z.object({ device: z.int(), port: z.string(), label: z.string(), due: z.int() })
/** Ports without power, `port` by its interface's name, and when each is to have it back (Unix ms): kept here, so that a restart of the manager forgets none. */
const powerless = state('powerlessPorts', z.object({ ports: z.array(place).default([]) }))
type Powerless = z.output<typeof place>

const same = (a: Pick<Powerless, 'device' | 'port'>, b: Pick<Powerless, 'device' | 'port'>) =>
  a.device === b.device && a.port === b.port

/** Why a port's power is not taken. */
type NoPower = 'notOffline' | 'noPort' | 'switchOffline' | 'noPoe' | 'ownWay' | 'running'

/**
 * The port by which an offline device gets its power: on `device`, with the names of the devices that lose their connection
 * besides (those behind it and at the same port), and how many clients.
 */
type PoweredBy = {
  device: { id: number; name: string; organization: number; network: number }
  /** The interface's name, and the port as it is printed. */
  port: string
  label: string
  others: string[]
  clients: number
}

/** All that hangs at a port, or behind what does, but for the device itself. */
function alsoCutOff({ db }: Runtime, network: number, own: number, parent: number, port: string): string[] {
  const rows = db
    .select({ id: devices.id, name: devices.name, parent: deviceParents.parent, port: deviceParents.port })
    .from(deviceParents)
    .innerJoin(devices, eq(devices.id, deviceParents.device))
    .where(eq(devices.network, network))
    .all()
  const found = new Set(rows.filter(one => one.parent === parent && one.port === port).map(({ id }) => id))
  for (const id of found) for (const one of rows) if (one.parent === id) found.add(one.id)
  return rows.filter(({ id }) => id !== own && found.has(id)).map(({ name }) => name)
}

/** Where the way is not known, each port with a link may be it. */
const isOwnWay = ({ path }: Observation, key: string, up: boolean | undefined) =>
  path ? path.port === key || path.interface === key : up !== false

export async function poweredBy(
  runtime: Runtime,
  device: Pick<typeof devices.$inferSelect, 'id' | 'network' | 'status'>,
): Promise<PoweredBy | NoPower> {
  const { db } = runtime
  if (device.status !== 0) return 'notOffline'
  const parent = db
    .select({
      ...{ id: devices.id, name: devices.name, status: devices.status, port: deviceParents.port },
      ...{ organization: devices.organization, network: devices.network },
    })
    .from(deviceParents)
    .innerJoin(devices, eq(devices.id, deviceParents.parent))
    .where(eq(deviceParents.device, device.id))
    .get()
  if (!parent?.port || parent.network !== device.network) return 'noPort'
  if (parent.status !== 1) return 'switchOffline'
  const { port: label, status: _, ...own } = parent
  const read = await fleetOf(runtime).ask('reading', parent.id)
  const seen = read?.observation
  const port = seen?.ports?.find(one => one.label === label)
  const face = seen?.interfaces?.find(one => one.key === port?.interface)
  if (!seen || !face || !port?.poe?.enabled || !read.actions.includes('power')) return 'noPoe'
  if (isOwnWay(seen, face.key, face.up)) return 'ownWay'
  if (powerless.read(db).ports.some(one => same(one, { device: parent.id, port: face.name }))) return 'running'
  const hosts = seen.hosts?.filter(host => host.port === face.key && host.source !== 'arp') ?? []
  return {
    ...{ device: own, port: face.name, label, clients: new Set(hosts.map(({ mac }) => mac)).size },
    others: alsoCutOff(runtime, device.network, device.id, parent.id, label),
  }
}

const put = ({ db }: Runtime, one: Powerless, next: readonly Powerless[]) =>
  powerless.change(db, { ports: [...powerless.read(db).ports.filter(other => !same(other, one)), ...next] })

/** The switch said that it did not do it: the port is as it was. */
const refused: ReadonlySet<Reason | undefined> = new Set(['unsupported', 'commandFailed', 'credentials'])

/** Takes a port's power; `restorePower` gives it back. Noted before it is taken. Rejects as the device does. */
export async function takePower(runtime: Runtime, { device, port, label }: PoweredBy, now: number): Promise<void> {
  const one = { device: device.id, port, label, due: now + powerlessMs }
  put(runtime, one, [one])
  await fleetOf(runtime)
    .ask('power', { id: device.id, port, on: false })
    .catch((error: { reason?: Reason }) => {
      if (refused.has(error.reason)) put(runtime, one, [])
      throw error
    })
}

async function giveBack(runtime: Runtime, one: Powerless): Promise<void> {
  const own = eq(devices.id, one.device)
  const row = runtime.db.select().from(devices).where(own).get()
  if (row) {
    await fleetOf(runtime).ask('power', { id: row.id, port: one.port, on: true })
    addEvent(runtime, row.id, 'powerBack', { port: one.label })
    runtime.bus.emit({ topic: 'device', id: row.id, organization: row.organization, network: row.network })
  }
  put(runtime, one, [])
}

/** Gives ports their power back whose time is over; what fails is tried again, whatever happens to the manager meanwhile. */
export async function restorePower(runtime: Runtime, now = Date.now()): Promise<void> {
  const due = powerless.read(runtime.db).ports.filter(({ due }) => due <= now)
  for (const one of due)
    await giveBack(runtime, one).catch(error => {
      console.error(`power of port ${one.port} of device ${one.device}: ${(error as Error).message}`)
      put(runtime, one, [{ ...one, due: now + againMs }])
    })
}
