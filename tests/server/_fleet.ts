import { rmSync } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'
import { createFleet, fleetPart, type Spawn } from '@/server/devices/link/fleet'
import type { Driver } from '@/server/drivers/driver'
import type { Runtime } from '@/server/kernel/runtime'
import { probes } from '@/server/worker/probes'
import { serveWorker } from '@/server/worker/worker-server'
import { createWorkerService } from '@/server/worker/worker-service'
import { scratchFolder } from '../_scratch'

export type FleetOptions = { drivers?: (id: Driver<unknown>['id']) => Driver<unknown>; pollMs?: number }

/** The worker's own code on a message channel in this thread: TypeScript workers cannot start under jest. */
export const inProcess =
  (options: FleetOptions = {}): Spawn =>
  (data, onExit) => {
    const { port1, port2 } = new MessageChannel()
    serveWorker(port2, events => createWorkerService({ ...data, ...events, ...options, probes }))
    port1.once('close', () => onExit())
    return Object.assign(port1, { terminate: () => port1.close() })
  }

/** A starter for `startRuntime`. */
export const fleetInProcess =
  (options: FleetOptions = {}, spawn = inProcess(options)) =>
  (runtime: Runtime) => {
    fleetPart.start(runtime, createFleet(runtime, spawn))
  }

export function temporaryFolder(): { path: string; remove(): void } {
  const path = scratchFolder('fleet-')
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
