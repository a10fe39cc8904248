// The worker thread as it is, but for a driver that computes without an end as soon as it connects to 127.9.0.66.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Driver } from '@/server/drivers/driver'
import { driverOf } from '@/server/drivers/registry/registry'
import { probes } from '@/server/worker/probes'
import type { WorkerData } from '@/server/worker/protocol'
import { serveWorker } from '@/server/worker/worker-server'
import { createWorkerService } from '@/server/worker/worker-service'

function readWithoutEnd(): never {
  for (let n = 0; ; n++) if (n < 0) throw new Error('never')
}

const data = workerData as WorkerData & { spins: boolean }
const spinning = (driver: Driver<unknown>): Driver<unknown> => ({
  ...driver,
  connect: (target, signal) => (target.address === '127.9.0.66' ? readWithoutEnd() : driver.connect(target, signal)),
})
serveWorker(parentPort as MessagePort, events =>
  createWorkerService({
    ...{ ...data, ...events, probes },
    drivers: id => (data.spins ? spinning(driverOf(id)) : driverOf(id)),
  }),
)
