import { driverOf } from '@/server/drivers/registry/registry'
import { type HistoryStore, openHistory } from '@/server/history/history'
import { createClients } from './clients'
import { deviceCalls } from './device-calls'
import { fleetCalls } from './fleet-calls'
import { liveTable } from './live'
import { createNeighborBook } from './neighbor-book'
import { countNetworks } from './network-counts'
import { keepNews, newNewsBox, sendNews } from './news-box'
import { planCalls } from './plan-calls'
import { createPoller } from './poller'
import type { CallTable, Progress, WorkerServiceOptions, WorkerState } from './worker-state'

type BoundCalls = Record<keyof typeof callTable, (input: unknown, progress: Progress<unknown>) => unknown>
/** The worker's whole life but for its port: the calls, and the work by the clock. */
export type WorkerService = { calls: BoundCalls; run(): void }

/** Devices are polled whatever the disk does: without a place for history it is kept in memory until the next start. */
function historyAt({ historyFile, onTrouble }: WorkerServiceOptions): HistoryStore {
  try {
    return openHistory(historyFile, onTrouble)
  } catch (error) {
    onTrouble(`historyNotOpened: ${(error as Error).message}`)
    return openHistory(':memory:', onTrouble)
  }
}

function newWorker(options: WorkerServiceOptions): WorkerState {
  const { drivers = driverOf, probes, onTrouble, pollMs = 60_000 } = options
  const live = liveTable(options.live)
  const history = historyAt(options)
  const clients = createClients()
  const news = newNewsBox(options.onStates)
  const tell = (change: Parameters<typeof keepNews>[1]) => keepNews(news, change)
  const sinks = { live, history, clients, neighbors: createNeighborBook(), tell }
  const poller = createPoller({ drivers, sinks, everyMs: pollMs })
  return { live, history, clients, drivers, probes, onTrouble, pollMs, poller, news, stoppable: new Map(), timers: [] }
}

/** All calls; their types as the main thread sees them are made of this (worker-api.ts). */
export const callTable = { ...fleetCalls, ...deviceCalls, ...planCalls }

const bound = (worker: WorkerState) =>
  Object.fromEntries(
    Object.entries<CallTable[string]>(callTable).map(([name, call]) => [
      name,
      (input: unknown, progress: Progress<unknown>) => call(worker, input as never, progress),
    ]),
  ) as BoundCalls

function run(worker: WorkerState): void {
  const { poller, news, history, pollMs, timers } = worker
  const tidy = () => void history.tidy(Date.now()).catch(error => worker.onTrouble(String(error)))
  poller.run()
  timers.push(
    setInterval(() => sendNews(news), 1000),
    setInterval(() => countNetworks(worker, Date.now()), 10_000),
    setInterval(() => countNetworks(worker, Date.now(), pollMs), pollMs),
    setInterval(() => void history.flushInSlices(), pollMs),
    setInterval(tidy, 5 * pollMs),
  )
  tidy()
}

/** The worker before its clock runs; its calls can be asked at once. */
export function createWorkerService(options: WorkerServiceOptions): WorkerService {
  const worker = newWorker(options)
  return { calls: bound(worker), run: () => run(worker) }
}
