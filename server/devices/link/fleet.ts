import { Worker } from 'node:worker_threads'
import { eq } from 'drizzle-orm'
import { credentials, devices } from '@/db/schema'
import type { Credential } from '@/server/drivers/driver'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { type LiveTable, liveRows, liveTable, newLiveBuffer } from '@/server/worker/live'
import type { DeviceStatus, ManagedDevice, WorkerData } from '@/server/worker/protocol'
import { openCredential } from './credential-store'
import { applyStates } from './states'
import { type Ask, createLink, type Port } from './worker-client'

/** The main thread's hold on the devices: asks the worker, reads live values. */
export type Fleet = {
  ask: Ask
  live: LiveTable
  /** A device's row in the live table. */
  rowOf(id: number): number
  /** Tells the worker of a device row that was inserted or changed; call it after the transaction. */
  upsert(id: number): void
  remove(id: number): void
}
export const fleetPart = part<Fleet>('fleet')
export const fleetOf = fleetPart.of

/** Starts a worker; `onExit` is called once when it has ended, whyever. */
export type Spawn = (data: WorkerData, onExit: (error?: Error) => void) => Port & { terminate(): unknown }

/** What the worker needs of a row: facts and the rest are large, and there are thousands. */
const columns = {
  id: devices.id,
  network: devices.network,
  name: devices.name,
  address: devices.address,
  port: devices.port,
  hostKey: devices.hostKey,
  driver: devices.driver,
  kind: devices.kind,
  status: devices.status,
  credential: devices.credential,
}
type DeviceRow = Pick<typeof devices.$inferSelect, keyof typeof columns>
/** Pause before a worker is started again; doubles while it goes on ending soon after its start. */
const restartMs = { first: 1000, most: 60_000 }
const steadyMs = 120_000
const stopMs = 2000

/** Rows of the live table, given out and taken back. */
function rowBook(live: LiveTable) {
  const rows = new Map<number, number>()
  const free: number[] = []
  let next = 0
  return {
    of(id: number): number {
      const held = rows.get(id)
      if (held !== undefined) return held
      const row = free.pop() ?? next++
      if (row >= liveRows) throw new Error('more devices than the live table holds')
      rows.set(id, row)
      live.clear(row)
      return row
    },
    drop(id: number): void {
      const held = rows.get(id)
      if (held === undefined) return
      rows.delete(id)
      free.push(held)
    },
  }
}

function targetOf(row: DeviceRow, credential: Credential) {
  return {
    address: row.address,
    port: row.port,
    credential,
    ...(row.hostKey && { hostKey: row.hostKey }),
  }
}

/** Opens each login once, so that devices which share it share it in the worker as well. */
function logins(runtime: Runtime): (id: number | null) => Credential | undefined {
  const opened = new Map<number, Credential>()
  return id => {
    if (id === null) return undefined
    const held = opened.get(id)
    if (held) return held
    const stored = runtime.db.select().from(credentials).where(eq(credentials.id, id)).get()
    const login = stored && openCredential(runtime, stored)
    if (login) opened.set(id, login)
    return login
  }
}

/** A device as the worker needs it; undefined while it has no login. */
function managed(row: DeviceRow, credential: Credential | undefined, liveRow: number): ManagedDevice | undefined {
  if (!credential || row.status === 2) return undefined
  return {
    id: row.id,
    row: liveRow,
    network: row.network,
    driver: row.driver,
    kind: row.kind,
    name: row.name,
    status: row.status as DeviceStatus,
    target: targetOf(row, credential),
  }
}

export function createFleet(runtime: Runtime, spawn: Spawn): Fleet {
  const live = liveTable(newLiveBuffer())
  const book = rowBook(live)
  const link = createLink({
    onStates: states => applyStates(runtime, states),
    onTrouble: what => console.error('device worker:', what),
  })
  const quiet = (done: Promise<unknown>) => void done.catch(error => console.error('device worker:', error))
  let stopping = false
  let worker: ReturnType<Spawn>
  let startedAt = 0
  let pause = restartMs.first

  const start = () => {
    startedAt = Date.now()
    worker = spawn({ historyFile: `${runtime.generation}/history.sqlite`, live: live.buffer }, ended)
    link.attach(worker)
    const rows = runtime.db.select(columns).from(devices).all()
    const loginOf = logins(runtime)
    const all = rows.flatMap(row => managed(row, loginOf(row.credential), book.of(row.id)) ?? [])
    quiet(link.ask('setDevices', all))
  }
  const ended = (error?: Error) => {
    link.detach()
    if (stopping) return
    console.error('the device worker ended and is started again:', error ?? '')
    const steady = Date.now() - startedAt > steadyMs
    // One alert for a worker that ends again and again.
    if (steady || pause === restartMs.first)
      raiseAlert(runtime, { type: 'workerRestarted', level: 10, values: { error: error?.message ?? '' } })
    if (steady) pause = restartMs.first
    setTimeout(start, pause).unref()
    pause = Math.min(restartMs.most, pause * 2)
  }
  start()
  runtime.closers.push(async () => {
    stopping = true
    const limit = new Promise(done => setTimeout(done, stopMs).unref())
    await Promise.race([link.ask('stop', undefined as never), limit]).catch(() => undefined)
    await worker.terminate()
  })

  return {
    ask: link.ask,
    live,
    rowOf: book.of,
    upsert(id) {
      const row = runtime.db.select(columns).from(devices).where(eq(devices.id, id)).get()
      const device = row && managed(row, logins(runtime)(row.credential), book.of(id))
      if (device) quiet(link.ask('upsert', device))
      else quiet(link.ask('remove', id))
    },
    remove(id) {
      book.drop(id)
      quiet(link.ask('remove', id))
    },
  }
}

/** Ten thousand devices take less than half of it. With a limit the heap grows in small steps; else it takes what the machine has. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

const spawnThread: Spawn = (workerData, onExit) => {
  const worker = new Worker(new URL('../../worker/worker.ts', import.meta.url), { workerData, resourceLimits })
  let failure: Error | undefined
  worker.once('error', error => {
    failure = error as Error
  })
  worker.once('exit', () => onExit(failure))
  return worker
}

export function startFleet(runtime: Runtime): void {
  fleetPart.start(runtime, createFleet(runtime, spawnThread))
}
