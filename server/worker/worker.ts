import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { probes } from './probes'
import type { WorkerData } from './protocol'
import { surviveCallbacks } from './uncaught'
import { serveWorker } from './worker-server'
import { createWorkerService } from './worker-service'

// The worker thread that owns every connection to devices. Only this shell knows that it is a thread.

function start(port: MessagePort, data: WorkerData): void {
  surviveCallbacks(process, {
    tell: what => console.error('device worker:', what),
    end(error) {
      console.error('device worker: ends, it cannot go on:', error)
      // Of the thread alone.
      process.exit(1)
    },
  })
  serveWorker(port, events => createWorkerService({ ...data, ...events, probes }))
}

if (parentPort) start(parentPort, workerData as WorkerData)
