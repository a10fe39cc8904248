import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createCore } from './core'
import { serveCore } from './port'
import { probes } from './probes'
import type { WorkerData } from './protocol'

// The worker thread that owns every connection to devices. Only this shell knows that it is a thread.

function start(port: MessagePort, data: WorkerData): void {
  serveCore(port, events => createCore({ ...data, ...events, probes }))
}

if (parentPort) start(parentPort, workerData as WorkerData)
