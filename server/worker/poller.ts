import { DeviceError, type Driver } from '@/server/drivers/driver'
import { type Limiter, limiter } from '@/server/kernel/limiter'
import { lookBehind } from './cut-off'
import { within } from './limits'
import { isSlow, type Ledger } from './outcome'
import { poll } from './poll'
import { closeSession, enqueue, newPolledDevice, type PolledDevice, withSession } from './polled-device'
import type { DriverId, ManagedDevice } from './protocol'
import type { Sinks } from './record'
import { mount, newWheel, slotCount, slotOf, turnTo, unmount, type Wheel } from './wheel'

type Pace = 'healthy' | 'slow'

export type PollerOptions = {
  drivers: (id: DriverId) => Driver<unknown>
  sinks: Sinks
  /** Milliseconds from poll to poll. */
  everyMs?: number
  fullEveryMs?: number
  /** Bounds of polls at a time: healthy ones, and those that were slow or silent, apart for each protocol. */
  widths?: Record<'snmp' | 'ssh', Record<Pace, number>>
  /** After the first poll without an answer, the next one follows so soon. */
  againMs?: number
  /** Idle SSH logins that are kept open; the rest log in anew for each poll. */
  idleLogins?: number
}

const defaults = {
  everyMs: 60_000,
  fullEveryMs: 300_000,
  againMs: 5_000,
  widths: { snmp: { healthy: 192, slow: 128 }, ssh: { healthy: 32, slow: 32 } },
  idleLogins: 300,
}

/** Every device of the worker, and whose turn it is to be polled. */
type Polling = Required<Omit<PollerOptions, 'widths'>> &
  Ledger & {
    entries: Map<number, PolledDevice>
    wheel: Wheel<PolledDevice>
    lanes: Record<'snmp' | 'ssh', Record<Pace, Limiter>>
  }

function newPolling(options: PollerOptions): Polling {
  const { drivers, sinks, everyMs = defaults.everyMs, fullEveryMs = defaults.fullEveryMs } = options
  const { widths = defaults.widths, idleLogins = defaults.idleLogins, againMs = defaults.againMs } = options
  const pair = ({ healthy, slow }: Record<Pace, number>) => ({ healthy: limiter(healthy), slow: limiter(slow) })
  return {
    drivers,
    sinks,
    everyMs,
    fullEveryMs,
    idleLogins,
    againMs,
    stats: { devices: 0, rounds: 0, answered: 0, late: 0, running: 0 },
    entries: new Map(),
    wheel: newWheel(),
    lanes: { snmp: pair(widths.snmp), ssh: pair(widths.ssh) },
  }
}

function loginsOpen({ entries }: Polling): number {
  let open = 0
  for (const entry of entries.values()) if (entry.session && entry.driver.protocol === 'ssh') open++
  return open
}

const tellMs = 20_000

/** An access point whose service has lost or never had the list of the others is given it; what it refuses is no fault of the poll. */
async function tellNeighbors({ sinks }: Polling, entry: PolledDevice): Promise<void> {
  const { driver, device, session, status, gone } = entry
  if (!driver.tellNeighbors || !session || status !== 1 || gone) return
  const lists = sinks.neighbors.wanted(device.id, Date.now())
  if (lists.length === 0) return
  await within(tellMs, signal =>
    withSession(entry, signal, {}, async open => driver.tellNeighbors?.(open, lists)),
  ).catch(error => console.error(`neighbors of device ${device.id}:`, error))
}

async function pollOne(polling: Polling, entry: PolledDevice, depth?: 'full'): Promise<void> {
  const lost = await poll(entry, polling, polling.fullEveryMs, depth)
  await tellNeighbors(polling, entry)
  if (lost) {
    const fleet = { entries: polling.entries.values(), ownOf: polling.sinks.clients.ownOf }
    lookBehind(entry, lost, fleet, other => start(polling, other))
  }
  // Once may be chance; whether it is gone is known soon, not a minute later.
  if (entry.missed === 1 && entry.status === 1 && !entry.gone)
    setTimeout(() => !entry.gone && start(polling, entry), polling.againMs).unref()
  if (entry.driver.protocol === 'ssh' && loginsOpen(polling) > polling.idleLogins) closeSession(entry)
}

/** Queues a poll unless the device is busy with an earlier one or with a person's work. */
function start(polling: Polling, entry: PolledDevice): void {
  const { stats, lanes } = polling
  if (entry.pending > 0) {
    stats.late++
    return
  }
  stats.running++
  // Which lane is asked when its queue comes to it: what ran before may have told how the device is.
  const queued = () => lanes[entry.driver.protocol][isSlow(entry) ? 'slow' : 'healthy']
  void enqueue(entry, () => queued().run(() => (entry.gone ? Promise.resolve() : pollOne(polling, entry))))
    .catch(error => console.error(`poll of device ${entry.device.id}:`, error))
    .finally(() => {
      stats.running--
    })
}

/** Between two polls: whether it is there at all; a poll follows at once where it is not. */
function watch(polling: Polling, entry: PolledDevice): void {
  const { driver, session, status, pending } = entry
  if (!driver.ping || !session || status !== 1 || pending > 0) return
  const asked = enqueue(entry, () => driver.ping?.(session.value) ?? Promise.resolve())
  void asked.catch(() => {
    closeSession(entry)
    start(polling, entry)
  })
}

function add({ entries, wheel, stats, drivers, sinks }: Polling, device: ManagedDevice): PolledDevice {
  const entry = newPolledDevice(device, drivers(device.driver), slotOf(device.id))
  entries.set(device.id, entry)
  sinks.clients.know(device)
  mount(wheel, entry)
  stats.devices = entries.size
  return entry
}

function remove({ entries, wheel, stats, sinks }: Polling, id: number): void {
  const entry = entries.get(id)
  if (!entry) return
  entries.delete(id)
  entry.gone = true
  unmount(wheel, entry)
  stats.devices = entries.size
  closeSession(entry)
  sinks.clients.drop(id)
  sinks.neighbors.forget(id)
}

function removeAll(polling: Polling): void {
  for (const id of [...polling.entries.keys()]) remove(polling, id)
}

const samePlace = ({ device: held }: PolledDevice, device: ManagedDevice) =>
  held.driver === device.driver && JSON.stringify(held.target) === JSON.stringify(device.target)

function upsert(polling: Polling, device: ManagedDevice): void {
  const held = polling.entries.get(device.id)
  if (held && samePlace(held, device)) {
    held.device = device
    return
  }
  remove(polling, device.id)
  start(polling, add(polling, device))
}

function entryOf({ entries }: Polling, id: number): PolledDevice {
  const entry = entries.get(id)
  if (!entry) throw new DeviceError('internal', `no device ${id}`)
  return entry
}

async function observeNow(polling: Polling, id: number): Promise<void> {
  const entry = entryOf(polling, id)
  await enqueue(entry, () => pollOne(polling, entry, 'full'))
  if (entry.missed > 0) throw new DeviceError(entry.reason || 'timeout')
}

export type Poller = ReturnType<typeof createPoller>

/** Polls every device once a round, in its own part of it, from `run` until `stop`. */
export function createPoller(options: PollerOptions) {
  const polling = newPolling(options)
  const { everyMs, wheel, entries, stats } = polling
  let timer: NodeJS.Timeout | undefined
  return {
    stats,
    entries: entries as ReadonlyMap<number, PolledDevice>,
    get: (id: number): PolledDevice => entryOf(polling, id),
    /** All devices at once, at start: each is polled in its own part of the first minute. */
    set(devices: readonly ManagedDevice[]): void {
      removeAll(polling)
      for (const device of devices) add(polling, device)
    },
    /** Adds or changes one; it is polled at once. What is known of it stays when only its name or place changed. */
    upsert: (device: ManagedDevice): void => upsert(polling, device),
    remove: (id: number): void => remove(polling, id),
    /** A full reading now, queued behind what runs. Rejects with the reason when the device does not answer. */
    observeNow: (id: number): Promise<void> => observeNow(polling, id),
    /** A full reading of one that says something changed; nothing of one that is not polled, or is not there. */
    async look(id: number): Promise<void> {
      const entry = entries.get(id)
      if (entry) await enqueue(entry, () => pollOne(polling, entry, 'full'))
    },
    run(): void {
      const startedAt = Date.now()
      const halfWay = { slots: wheel.slots, turned: slotCount / 2 }
      timer = setInterval(() => {
        const elapsed = Date.now() - startedAt
        for (const entry of turnTo(wheel, elapsed, everyMs)) start(polling, entry)
        for (const entry of turnTo(halfWay, elapsed + everyMs / 2, everyMs)) watch(polling, entry)
      }, everyMs / slotCount)
    },
    stop(): void {
      clearInterval(timer)
      removeAll(polling)
    },
  }
}
