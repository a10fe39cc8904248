import { driverOf } from '@/server/drivers/registry'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import { type HistoryStore, openHistory } from '@/server/history/history'
import { queryHistory } from '@/server/history/query'
import { createClients } from './clients'
import { deviceCalls } from './device-calls'
import { identify } from './identify'
import { within } from './limits'
import { liveTable } from './live'
import { countNetworks } from './network-counts'
import { keepNews, newNewsBox, sendNews } from './news-box'
import { planCalls } from './plan-calls'
import { createPoller } from './poller'
import type { CallName } from './protocol'
import { sweep } from './sweep'
import { trafficOf } from './traffic'
import type { BoundCalls, CallTable, WorkerServiceOptions, WorkerState } from './worker-state'

/** The worker's whole life but for its port: the calls, and the work by the clock. */
export type WorkerService = { calls: BoundCalls; run(): void }

const identifyMs = 60_000
const fingerprintMs = 15_000

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
  const books = { live, history, clients, tell: (change: Parameters<typeof keepNews>[1]) => keepNews(news, change) }
  const poller = createPoller({ drivers, books, everyMs: pollMs })
  return { live, history, clients, drivers, probes, onTrouble, pollMs, poller, news, sweeps: new Map(), timers: [] }
}

const fleetCalls: CallTable<Exclude<CallName, keyof typeof deviceCalls | keyof typeof planCalls>> = {
  setDevices: ({ poller }, devices) => poller.set(devices),
  upsert: ({ poller }, device) => poller.upsert(device),
  remove({ poller, history }, id) {
    poller.remove(id)
    history.forget(id)
  },
  fingerprint: (_, { address, port }) => within(fingerprintMs, signal => fingerprint(address, port, signal)),
  identify: (_, target, progress) =>
    within(identifyMs, signal => identify(target, signal, step => void progress({ step }))),
  async sweep({ sweeps, probes }, input, progress) {
    const control = new AbortController()
    sweeps.set(input.id, control)
    try {
      return await sweep(input, probes, control.signal, value => void progress(value))
    } finally {
      sweeps.delete(input.id)
    }
  },
  stopSweep: ({ sweeps }, id) => sweeps.get(id)?.abort(),
  history: ({ history }, query) => queryHistory(history, query),
  clients: ({ clients }, query) => clients.list(query),
  clientCounts: ({ clients }, network) => clients.counts(network),
  traffic: ({ poller }, network) =>
    trafficOf([...poller.entries.values()].filter(entry => entry.device.network === network)),
  neighbours: ({ clients }, network) => clients.neighbours(network),
  stats: ({ poller }) => ({ ...poller.stats }),
  stop({ timers, poller, news, history }) {
    for (const timer of timers) clearInterval(timer)
    poller.stop()
    sendNews(news)
    history.flush()
    history.close()
  },
}

const callTable: CallTable<CallName> = { ...fleetCalls, ...deviceCalls, ...planCalls }

type AnyCall = (worker: WorkerState, input: unknown, progress: unknown) => unknown

// The types of a table's lines are lost when it is walked; the table's own type says what they are.
const bound = (worker: WorkerState) =>
  Object.fromEntries(
    Object.entries(callTable).map(([name, call]) => [
      name,
      (input: unknown, progress: unknown) => (call as AnyCall)(worker, input, progress),
    ]),
  ) as unknown as BoundCalls

function run(worker: WorkerState): void {
  const { poller, news, history, pollMs, timers } = worker
  const tidy = () => void history.tidy(Date.now()).catch(error => worker.onTrouble(String(error)))
  poller.run()
  timers.push(
    setInterval(() => sendNews(news), 1000),
    setInterval(() => countNetworks(worker, Date.now()), 10_000),
    setInterval(() => countNetworks(worker, Date.now(), pollMs), pollMs),
    setInterval(() => history.flush(), pollMs),
    setInterval(tidy, 5 * pollMs),
  )
  tidy()
}

/** The worker before its clock runs; its calls can be asked at once. */
export function createWorkerService(options: WorkerServiceOptions): WorkerService {
  const worker = newWorker(options)
  return { calls: bound(worker), run: () => run(worker) }
}
