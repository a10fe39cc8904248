import { randomUUID } from 'node:crypto'
import { DeviceError } from '@/server/drivers/driver'
import { driverOf } from '@/server/drivers/registry'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import { type HistoryStore, openHistory } from '@/server/history/history'
import { queryHistory } from '@/server/history/query'
import { wayHistory } from '@/server/history/ways'
import { bandChannels } from './channel-use'
import { checkClient } from './client-check'
import { clientShares } from './client-shares'
import { createClients } from './clients'
import { deviceCalls } from './device-calls'
import { checkCapture, diagnose } from './diagnose'
import { identify } from './identify'
import { within } from './limits'
import { liveTable } from './live'
import { metricsOf } from './metrics'
import { createNeighborBook } from './neighbor-book'
import { countNetworks } from './network-counts'
import { keepNews, newNewsBox, sendNews } from './news-box'
import { planCalls } from './plan-calls'
import { createPoller } from './poller'
import { findPorts } from './port-search'
import type { CallName } from './protocol'
import { sweep } from './sweep'
import { trafficOf, wanRates } from './traffic'
import { bandUse, wirelessNow } from './wireless'
import { wiringOf } from './wiring'
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
  const tell = (change: Parameters<typeof keepNews>[1]) => keepNews(news, change)
  const books = { live, history, clients, neighbors: createNeighborBook(), tell }
  const poller = createPoller({ drivers, books, everyMs: pollMs })
  return { live, history, clients, drivers, probes, onTrouble, pollMs, poller, news, stoppable: new Map(), timers: [] }
}

async function stoppable<T>(worker: WorkerState, id: string, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController()
  worker.stoppable.set(id, control)
  try {
    return await work(control.signal)
  } finally {
    worker.stoppable.delete(id)
  }
}

/** A driver may be slow to hear that it is to stop. */
const whenStopped = (stop: AbortSignal) =>
  new Promise<never>((_, reject) =>
    stop.addEventListener('abort', () => reject(new DeviceError('cancelled')), { once: true }),
  )

const entriesOf = ({ entries }: WorkerState['poller'], network: number) =>
  [...entries.values()].filter(entry => entry.device.network === network)

const fleetCalls: CallTable<Exclude<CallName, keyof typeof deviceCalls | keyof typeof planCalls>> = {
  setDevices: ({ poller }, devices) => poller.set(devices),
  upsert: ({ poller }, device) => poller.upsert(device),
  remove: ({ poller }, id) => poller.remove(id),
  forget({ history }, forgotten) {
    for (const one of forgotten) history.forget(one)
  },
  look: ({ poller }, id) => poller.look(id),
  fingerprint: (_, { address, port, notSelf }) =>
    within(fingerprintMs, signal => fingerprint(address, port, signal, notSelf)),
  identify: (worker, { stopBy = randomUUID(), ...target }, progress) =>
    stoppable(worker, stopBy, stop =>
      Promise.race([
        whenStopped(stop),
        within(identifyMs, signal =>
          identify(target, AbortSignal.any([signal, stop]), step => void progress({ step })),
        ),
      ]),
    ),
  sweep: (worker, input, progress) =>
    stoppable(worker, input.id, stop => sweep(input, worker.probes, stop, value => void progress(value))),
  diagnose: (worker, { stopBy, ...input }, progress) =>
    stoppable(worker, stopBy, stop => diagnose(worker, input, stop, value => void progress(value))),
  checkCapture,
  checkClient: (worker, { stopBy, ...input }, progress) =>
    stoppable(worker, stopBy, stop => checkClient(worker, input, stop, value => void progress(value))),
  stopSearch: (worker, id) => worker.stoppable.get(id)?.abort(),
  history: ({ history }, query) => queryHistory(history, query),
  stationHistory: ({ history }, query) => history.stations.query(query),
  clients: ({ clients }, query) => clients.list(query),
  clientCounts: ({ clients }, network) => clients.counts(network),
  clientPlaces: ({ clients }, network) => clients.places(network),
  clientChanges: ({ clients }, after) => clients.changes(after),
  async vendors({ probes }, { file, macs }) {
    const ownerOf = await probes.macOwners(file)
    return Object.fromEntries(
      macs.flatMap(mac => {
        const owner = ownerOf(mac)
        return owner && 'vendor' in owner ? [[mac, owner.vendor]] : []
      }),
    )
  },
  wireless({ clients, history }, { network, range }) {
    const seen = clients.seen(network)
    return wirelessNow(seen.views, seen.clients, { history, network, range, now: Date.now() })
  },
  clientShares({ clients }, network) {
    const seen = clients.seen(network)
    return clientShares(seen.views, seen.clients, clients.counts(network).total !== undefined)
  },
  channels: ({ clients }, network) => bandChannels(clients.seen(network).views),
  wayHistory: ({ history }, query) => wayHistory(history, query),
  bandUse({ clients }, { network, devices }) {
    const { views } = clients.seen(network)
    const wanted = devices && new Set(devices)
    return bandUse(wanted ? views.filter(view => wanted.has(view.device)) : views)
  },
  ports: ({ poller }, query) => findPorts(poller.entries.values(), query),
  traffic: ({ poller }, network) => trafficOf(entriesOf(poller, network)),
  wanRates: ({ poller }, network) => wanRates(entriesOf(poller, network)),
  neighbours: ({ clients }, network) => clients.neighbours(network),
  metrics: ({ poller }, devices) => metricsOf(devices.flatMap(id => poller.entries.get(id) ?? [])),
  wifiClients: ({ clients }, network) => [...clients.seen(network).clients].filter(one => one.wifi),
  topology: wiringOf,
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
