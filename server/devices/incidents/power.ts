import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { deviceParents, devices } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import { addEvent } from '@/server/devices/link/states'
import type { Reason } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'
import { deviceAlert, deviceTrouble, recoverAlerts } from '@/server/notify/alerts/raise'

// A device that is powered by its port is started anew by taking that power away for a moment.

/** So long a port is without power. */
const powerlessMs = 5000
/** Until it is tried again to give it back. */
const againMs = 10_000
/** A port that had to have it back for so long and has not is an alert of its switch. */
const overdueMs = 60_000

const place = z.object({
  ...{ device: z.int(), port: z.string(), label: z.string(), due: z.int() },
  /** Who was to be started anew, the switch by name, since when it is due, and whether people were told: not of former versions. */
  ...{
    child: z.int().optional(),
    switch: z.string().optional(),
    since: z.int().optional(),
    told: z.boolean().optional(),
  },
})
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

const rowOf = ({ db }: Runtime, id: number) => db.select().from(devices).where(eq(devices.id, id)).get()

const put = ({ db }: Runtime, one: Powerless, next: readonly Powerless[]) =>
  powerless.change(db, { ports: [...powerless.read(db).ports.filter(other => !same(other, one)), ...next] })

/** The switch said that it did not do it: the port is as it was. */
const refused: ReadonlySet<Reason | undefined> = new Set(['unsupported', 'commandFailed', 'credentials'])

/**
 * Takes a port's power for a device (`child`); `restorePower` gives it back. Noted before it is taken. Rejects as the
 * switch does.
 */
export async function takePower(
  runtime: Runtime,
  { device, port, label }: PoweredBy,
  child: number,
  now: number,
): Promise<void> {
  const due = now + powerlessMs
  const one = { device: device.id, port, label, due, since: due, child, switch: device.name }
  put(runtime, one, [one])
  await fleetOf(runtime)
    .ask('power', { id: device.id, port, on: false })
    .catch((error: { reason?: Reason }) => {
      if (refused.has(error.reason)) put(runtime, one, [])
      throw error
    })
}

async function giveBack(runtime: Runtime, one: Powerless): Promise<void> {
  const row = rowOf(runtime, one.device)
  if (!row) return giveUp(runtime, one)
  await fleetOf(runtime).ask('power', { id: row.id, port: one.port, on: true })
  runtime.db.transaction(() => {
    addEvent(runtime, row.id, 'powerBack', { port: one.label })
    recoverAlerts(runtime, row, 'portPowerless', { values: { port: one.label }, same: 'port' })
    put(runtime, one, [])
  })
  runtime.bus.emit({ topic: 'device', id: row.id, organization: row.organization, network: row.network })
}

/** The switch was deleted meanwhile: nobody here can give it back, which whoever looks after the device must know. */
function giveUp(runtime: Runtime, one: Powerless): void {
  const child = one.child === undefined ? undefined : rowOf(runtime, one.child)
  const values = { port: one.label, switch: one.switch ?? '' }
  runtime.db.transaction(() => {
    if (child) {
      addEvent(runtime, child.id, 'powerLeftOff', values)
      deviceAlert(runtime, child, 'powerLeftOff', { values })
    }
    put(runtime, one, [])
  })
}

/** It did not come on: tried again, and told where that has gone on for a while. */
function notYet(runtime: Runtime, one: Powerless, now: number): void {
  const row = rowOf(runtime, one.device)
  const since = one.since ?? one.due
  const tells = row !== undefined && !one.told && now - since >= overdueMs
  runtime.db.transaction(() => {
    if (tells) deviceTrouble(runtime, row, 'portPowerless', { values: { port: one.label }, same: 'port' })
    put(runtime, one, [{ ...one, since, told: one.told || tells, due: now + againMs }])
  })
}

/** Gives ports their power back whose time is over; what fails is tried again, whatever happens to the manager meanwhile. */
export async function restorePower(runtime: Runtime, now = Date.now()): Promise<void> {
  const due = powerless.read(runtime.db).ports.filter(({ due }) => due <= now)
  for (const one of due)
    await giveBack(runtime, one).catch(error => {
      console.error(`power of port ${one.port} of device ${one.device}: ${(error as Error).message}`)
      notYet(runtime, one, now)
    })
}
