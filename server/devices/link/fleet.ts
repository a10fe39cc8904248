import { Worker } from 'node:worker_threads'
import type { Forgotten } from '@/server/history/forgetting'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type LiveTable, liveTable, newLiveBuffer } from '@/server/worker/live'
import { type LiveRadio, radioFields, radiosOfLive } from '@/server/worker/live-radios'
import type { WorkerData } from '@/server/worker/protocol'
import { keepChannels, type Planned } from './channels'
import { keepWorker, type StartedWorker } from './keep-worker'
import { createLiveRows } from './live-rows'
import { managedDevice, managedDevices } from './managed-devices'
import { applyStates, markUnwatched } from './states'
import { statesInTurn } from './states-in-turn'
import { stackOf } from './thread-stack'
import { patience } from './watch'
import { type Ask, createLink } from './worker-client'

/** The main thread's hold on the devices: asks the worker, reads live values. */
export type Fleet = {
  ask: Ask
  live: LiveTable
  /** A device's row in the live table. */
  rowOf(id: number): number
  /** Tells the worker of a device row that was inserted or changed; call it after the transaction. */
  upsert(id: number): void
  /** A device that is forgotten, with its history. */
  remove(id: number): void
  /** The channels of a device with Wi-Fi, as its row keeps them, chosen where it has none; nothing is written. */
  channelsFor(device: Planned): string
  /** From now on it has them; false where others would be chosen by now. */
  keepChannels(device: Planned, channels: string): boolean
}
export const fleetPart = part<Fleet>('fleet')
export const fleetOf = fleetPart.of

/** Radios of a device, by its row in the live table. */
export const radiosAt = ({ live }: Pick<Fleet, 'live'>, row: number): LiveRadio[] =>
  radiosOfLive(Object.fromEntries(radioFields.map(field => [field, live.get(row, field)]))) ?? []

/** Starts a worker; `onExit` is called once when it has ended, whyever. */
export type Spawn = (data: WorkerData, onExit: (error?: Error) => void) => StartedWorker

/** Starts the worker and keeps it running. `look`: how long it may answer nothing. */
export function createFleet(runtime: Runtime, spawn: Spawn, look = patience): Fleet {
  const live = liveTable(newLiveBuffer())
  const rows = createLiveRows(live)
  const channels = keepChannels(runtime, id => radiosAt({ live }, rows.of(id)))
  const states = statesInTurn(changes => {
    applyStates(runtime, changes)
    channels.look(changes.flatMap(one => (one.facts ? one.id : [])))
  })
  runtime.closers.push(states.stop)
  const link = createLink({
    onStates: states.take,
    onTrouble: what => console.error('device worker:', what),
  })
  const quiet = (done: Promise<unknown>) => void done.catch(error => console.error('device worker:', error))
  keepWorker({
    runtime,
    link,
    patience: look,
    spawn(onEnd) {
      const all = managedDevices(runtime, rows.of)
      const historyFile = `${runtime.generation}/history.sqlite`
      const worker = spawn({ historyFile, live: live.buffer, devices: all.rows }, onEnd)
      link.attach(worker)
      quiet(link.ask('setDevices', all.devices))
      return worker
    },
    onUnknown: () => markUnwatched(runtime, id => live.clear(rows.of(id), ['seenAt'])),
  })
  const forget = (forgotten: Forgotten) => quiet(link.ask('forget', [forgotten]))
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic === 'networkGone' && network !== undefined) forget({ of: 'network', id: network })
  })
  runtime.closers.push(off)
  return {
    ask: link.ask,
    live,
    rowOf: rows.of,
    upsert(id) {
      channels.look([id])
      const device = managedDevice(runtime, id, rows.of)
      if (device) quiet(link.ask('upsert', device))
      else quiet(link.ask('remove', id))
    },
    remove(id) {
      rows.drop(id)
      quiet(link.ask('remove', id))
      forget({ of: 'device', id })
    },
    channelsFor: channels.of,
    keepChannels: channels.keep,
  }
}

/**
 * MB of its heap: twice of what the devices take. With a limit the heap grows in small steps; else it takes what the machine
 * has. A worker that outgrew it after many devices were added is started again with more.
 */
const heapMb = (devices: number): number => Math.max(512, Math.ceil(devices / 50))

const spawnThread: Spawn = (workerData, onExit) => {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb(workerData.devices) }
  const worker = new Worker(new URL('../../worker/worker.ts', import.meta.url), { workerData, resourceLimits })
  let failure: Error | undefined
  worker.once('error', error => {
    failure = error as Error
  })
  worker.once('exit', () => onExit(failure))
  const { threadId } = worker
  return Object.assign(worker, { stack: () => stackOf(threadId) })
}

export function startFleet(runtime: Runtime): void {
  fleetPart.start(runtime, createFleet(runtime, spawnThread))
}
