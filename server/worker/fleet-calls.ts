import { randomUUID } from 'node:crypto'
import { DeviceError, type Target } from '@/server/drivers/driver'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import type { Forgotten } from '@/server/history/forgetting'
import { type HistoryQuery, queryHistory } from '@/server/history/query'
import type { Octets } from '@/server/history/station-counters'
import { type StationQuery, stationRangeNames } from '@/server/history/stations'
import type { Range } from '@/server/history/tiers'
import { uplinkHistory } from '@/server/history/uplinks'
import { bandChannels } from './channel-use'
import { checkClient } from './client-check'
import { clientShares } from './client-shares'
import type { ClientQuery } from './clients-page'
import { checkCapture, type DiagnosisInput, diagnose, measureSpeed, type SpeedTestInput } from './diagnose'
import { identify } from './identify'
import { within } from './limits'
import { metricsOf } from './metrics'
import { sendNews } from './news-box'
import { findPorts, type PortQuery } from './port-search'
import type { ClientCheckInput, DiagnosisProgress, IdentifyProgress, ManagedDevice, SpeedProgress } from './protocol'
import { type SweepInput, type SweepProgress, sweep } from './sweep'
import { trafficOf, wanRates } from './traffic'
import { bandUse, wirelessNow } from './wireless'
import { wiringOf } from './wiring'
import type { CallTable, Progress, WorkerState } from './worker-state'

// What is asked of the worker but of a device itself: which devices there are, searches, and what was read of all of them.

const identifyMs = 60_000
const fingerprintMs = 15_000

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

/** The question by what history keeps the interface under: it is asked by the number of today. */
function lasting({ entries }: WorkerState['poller'], query: HistoryQuery): HistoryQuery {
  if (query.of !== 'device' || query.interface === undefined) return query
  const counters = entries.get(query.device)?.counters
  return { ...query, interface: counters?.lasting[counters.keys.indexOf(query.interface)] ?? query.interface }
}

export const fleetCalls = {
  setDevices: ({ poller }, devices: ManagedDevice[]) => poller.set(devices),
  upsert: ({ poller }, device: ManagedDevice) => poller.upsert(device),
  remove({ poller }, id: number) {
    poller.remove(id)
  },
  /** What was measured of these goes, a bucket after the other. */
  forget({ history }, forgotten: Forgotten[]) {
    for (const one of forgotten) history.forget(one)
  },
  fingerprint: (_, { address, port, notSelf }: Pick<Target, 'address' | 'port' | 'notSelf'>) =>
    within(fingerprintMs, signal => fingerprint(address, port, signal, notSelf)),
  /** `stopBy`: the number by which `stopSearch` ends it, as `cancelled`. */
  identify: (
    worker,
    { stopBy = randomUUID(), ...target }: Target & { stopBy?: string },
    progress: Progress<IdentifyProgress>,
  ) =>
    stoppable(worker, stopBy, stop =>
      Promise.race([
        whenStopped(stop),
        within(identifyMs, signal =>
          identify(target, AbortSignal.any([signal, stop]), step => void progress({ step })),
        ),
      ]),
    ),
  sweep: (worker, input: SweepInput, progress: Progress<SweepProgress>) =>
    stoppable(worker, input.id, stop => sweep(input, worker.probes, stop, value => void progress(value))),
  /** From a device, over a connection of its own, or from this machine where none is given; `stopBy` as of `identify`. */
  diagnose: (
    worker,
    { stopBy, ...input }: DiagnosisInput & { stopBy: string },
    progress: Progress<DiagnosisProgress>,
  ) => stoppable(worker, stopBy, stop => diagnose(worker, input, stop, value => void progress(value))),
  /** `stopBy` as of `identify`. */
  measureSpeed: (
    worker,
    { stopBy, ...input }: SpeedTestInput & { stopBy: string },
    progress: Progress<SpeedProgress>,
  ) => stoppable(worker, stopBy, stop => measureSpeed(worker, input, stop, value => void progress(value))),
  /** Undefined: nothing is wrong with it, or it has no tcpdump. */
  checkCapture,
  /** `stopBy` as of `identify`. */
  checkClient: (
    worker,
    { stopBy, ...input }: ClientCheckInput & { stopBy: string },
    progress: Progress<DiagnosisProgress>,
  ) => stoppable(worker, stopBy, stop => checkClient(worker, input, stop, value => void progress(value))),
  /** Ends a sweep, an identification or a diagnosis by the number that its caller gave it. */
  stopSearch: (worker, id: string) => worker.stoppable.get(id)?.abort(),
  history: ({ history, poller }, query: HistoryQuery) => queryHistory(history, lasting(poller, query)),
  /** Signal and traffic of one client. */
  stationHistory: ({ history }, query: StationQuery) => history.stations.query(query),
  /** Octets of these clients over each range, in their order; of one of whom nothing is known none. */
  async clientTotals({ history }, { network, macs, now }: { network: number; macs: string[]; now: number }) {
    const found: Octets[][] = []
    for (const range of stationRangeNames) {
      const totalOf = await history.stations.totals(network, range, now)
      found.push(macs.map(totalOf))
    }
    return found
  },
  clients: async ({ clients, history }, query: ClientQuery) =>
    clients.list(query, await history.stations.totals(query.network, '1d', Date.now())),
  clientCounts: ({ clients }, network: number) => clients.counts(network),
  clientPlaces: ({ clients }, network: number) => clients.places(network),
  /** What is different of all networks' clients since the answer with this token. */
  clientChanges: ({ clients }, after: number | undefined) => clients.changes(after),
  /** Whose numbers these MACs are, by the file of package oui-data; those of nobody are left out. */
  async vendors({ probes }, { file, macs }: { file: string; macs: string[] }): Promise<Record<string, string>> {
    const ownerOf = await probes.macOwners(file)
    return Object.fromEntries(
      macs.flatMap(mac => {
        const owner = ownerOf(mac)
        return owner && 'vendor' in owner ? [[mac, owner.vendor]] : []
      }),
    )
  },
  /** Octets are of the last day unless told. */
  wireless({ clients, history }, { network, range }: { network: number; range?: Range }) {
    const seen = clients.seen(network)
    return wirelessNow(seen.views, seen.clients, { history, network, range, now: Date.now() })
  },
  clientShares({ clients }, network: number) {
    const seen = clients.seen(network)
    return clientShares(seen.views, seen.clients, clients.counts(network).total !== undefined)
  },
  channels: ({ clients }, network: number) => bandChannels(clients.seen(network).views),
  uplinkHistory: ({ history }, query: { device: number; keys: string[]; now: number }) => uplinkHistory(history, query),
  /** What the radios use now: all of a network, or of these devices of it. */
  bandUse({ clients }, { network, devices }: { network: number; devices?: number[] }) {
    const { views } = clients.seen(network)
    const wanted = devices && new Set(devices)
    return bandUse(wanted ? views.filter(view => wanted.has(view.device)) : views)
  },
  ports: ({ poller }, query: PortQuery) => findPorts(poller.entries.values(), query),
  /** A network's throughput at the last poll, and where it is measured. */
  traffic: ({ poller }, network: number) => trafficOf(entriesOf(poller, network)),
  /** The same of each of its gateways' ways. */
  wanRates: ({ poller }, network: number) => wanRates(entriesOf(poller, network)),
  /** LLDP and ARP neighbours of a network's devices that are not managed themselves. */
  neighbours: ({ clients }, network: number) => clients.neighbours(network),
  /** What an outside collector is told of these devices; a few hundred at a time, so that polls go on between. */
  metrics: ({ poller }, devices: number[]) => metricsOf(devices.flatMap(id => poller.entries.get(id) ?? [])),
  /** Wi-Fi clients of a network and their counters, as their access points tell. */
  wifiClients: ({ clients }, network: number) => [...clients.seen(network).clients].filter(one => one.wifi),
  /** How a network is wired, by the last readings of its devices. */
  topology: wiringOf,
  stats: ({ poller }) => ({ ...poller.stats }),
  /** Writes what is pending to history.sqlite and closes everything. */
  stop({ timers, poller, news, history }) {
    for (const timer of timers) clearInterval(timer)
    poller.stop()
    sendNews(news)
    history.flush()
    history.close()
  },
} satisfies CallTable
