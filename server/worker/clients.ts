import { networkInterfaces } from 'node:os'
import type { DeviceRole, Host, Observation } from '@/server/drivers/observation'
import type { TotalOf } from '@/server/history/stations'
import { airOf } from './channel-use'
import { type ClientChanges, changesSince, nothingTold } from './client-changes'
import { type ClientPlaceBook, holdPlaces } from './client-places'
import { type View, type ViewRates, viewOf } from './client-view'
import {
  type Client,
  countByDevice,
  merge,
  mergeSteps,
  type Neighbour,
  neighboursOf,
  tellsClients,
} from './clients-merge'
import { type ClientPage, type ClientPlaces, type ClientQuery, clientPage, clientPlaces } from './clients-page'
import { joinMacs, type Macs, noMacs, packMacs, sameMacs } from './macs'

// The table of a network's end devices, in memory.

/** Absent: no device of the network tells. */
export type ClientCounts = { total?: number; wired?: number; wifi?: number }

/** What each device sees, and what was put together of it. */
type Sightings = {
  /** By device. */
  views: Map<number, View>
  /** By network; `dirty`: something changed since, `until` then it is shown all the same (unix ms). */
  merged: Map<number, { until: number; dirty: boolean; clients: Map<string, Client> }>
  /** By device: its network and the MACs it said to be its own, or is known by; kept while it does not answer. */
  macs: Map<number, { network: number; own: Macs }>
  /** MACs of each network's own devices, hundreds of thousands: kept while none of them changes. */
  owns: Map<number, Macs>
  /** Networks whose clients are being put together beside the polls. */
  merging: Set<number>
  /** MAC → first seen, by network; forgotten with the client. */
  firstSeen: Map<number, Map<string, number>>
  /** By network. */
  places: Map<number, ClientPlaceBook>
}

/** Putting a large network together takes a while: not after each of its polls, and at most this share of the time. */
const freshMs = { least: 3000, most: 30_000, share: 0.005 }
export const freshFor = (tookMs: number): number =>
  Math.min(freshMs.most, Math.max(freshMs.least, tookMs / freshMs.share))

const viewsOf = ({ views }: Sightings, network: number) => [...views.values()].filter(view => view.network === network)

/** What is no client: a network's devices, whether or not they answer, and the manager by every address of its machine. */
function ownMacs({ macs }: Sightings, network: number): Macs {
  const manager = Object.values(networkInterfaces()).flatMap(one => one?.map(({ mac }) => mac) ?? [])
  const devices = [...macs.values()].filter(one => one.network === network).map(one => one.own)
  return joinMacs([packMacs(manager), ...devices])
}

/** Lets a wired client be there since it was first seen. Returns when each client was first seen. */
function sinceFirstSeen(
  clients: ReadonlyMap<string, Client>,
  before: ReadonlyMap<string, number> | undefined,
): Map<string, number> {
  const seen = new Map<string, number>()
  for (const client of clients.values()) {
    if (!client.wifi) client.since = before?.get(client.mac) ?? client.since
    seen.set(client.mac, client.since)
  }
  return seen
}

/** Of so many devices it is put together beside the polls, a few at a time; who asks meanwhile gets what was there. */
const manyDevices = 1000

function keepMerged(sightings: Sightings, network: number, clients: Map<string, Client>, tookMs: number): void {
  const { merged, firstSeen, places, macs } = sightings
  const book: ClientPlaceBook = places.get(network) ?? new Map()
  places.set(network, book)
  holdPlaces(book, clients, device => macs.get(device)?.network === network, Date.now())
  firstSeen.set(network, sinceFirstSeen(clients, firstSeen.get(network)))
  const dirty = merged.get(network)?.dirty ?? false
  merged.set(network, { until: Date.now() + freshFor(tookMs), dirty, clients })
}

/** Puts them together with pauses; what changes meanwhile counts for the next time. */
async function mergeBeside(sightings: Sightings, network: number, views: readonly View[], own: Macs): Promise<void> {
  const steps = mergeSteps(views, own)
  let tookMs = 0
  for (;;) {
    const began = performance.now()
    const { done, value } = steps.next()
    tookMs += performance.now() - began
    if (done) return keepMerged(sightings, network, value, tookMs)
    await new Promise(go => setImmediate(go))
  }
}

/** A network's clients: put together anew where something changed and the last time is long enough ago. */
function clientsOf(sightings: Sightings, network: number): Map<string, Client> {
  const { merged, merging, owns } = sightings
  const held = merged.get(network)
  const began = Date.now()
  if (held && (!held.dirty || began < held.until || merging.has(network))) return held.clients
  const views = viewsOf(sightings, network)
  const own = owns.get(network) ?? ownMacs(sightings, network)
  owns.set(network, own)
  if (held) held.dirty = false
  if (held && views.length >= manyDevices) {
    merging.add(network)
    void mergeBeside(sightings, network, views, own).finally(() => merging.delete(network))
    return held.clients
  }
  const clients = merge(views, own)
  keepMerged(sightings, network, clients, Date.now() - began)
  return clients
}

function touch({ merged }: Sightings, network: number): void {
  const held = merged.get(network)
  if (held) held.dirty = true
}

/** Names that only full readings find stay. */
function withNames(hosts: readonly Host[], before: readonly Host[] = []): Host[] {
  const names = new Map(before.flatMap(({ mac, hostname }) => (hostname ? [[mac, hostname] as const] : [])))
  return hosts.map(host => {
    const hostname = host.hostname ?? names.get(host.mac)
    return hostname ? { ...host, hostname } : host
  })
}

/** Between full readings who is on the Wi-Fi, how busy the air is, and of many devices the hosts are known anew. */
function renewView(view: View, seen: Observation, rates: ViewRates): void {
  const { stations, bss, radios, takenAt, wirelessClients, hosts } = seen
  view.rates = { ...view.rates, ...rates }
  if (radios && radios.length === view.radios?.length) view.air = airOf(radios)
  if (stations) Object.assign(view, { stations, bss: bss ?? view.bss, at: takenAt })
  if (hosts) Object.assign(view, { hosts: withNames(hosts, view.hosts), at: takenAt })
  view.told = wirelessClients ?? view.told
}

function update(
  sightings: Sightings,
  device: { id: number; network: number; kind: DeviceRole },
  observation: Observation,
  rates: ViewRates = {},
): void {
  const { views, owns } = sightings
  const before = views.get(device.id)
  touch(sightings, device.network)
  if (observation.depth === 'counters') {
    if (before) renewView(before, observation, rates)
    return
  }
  const view = viewOf(device, observation, rates)
  if (before?.network === view.network && sameMacs(before.own, view.own)) view.own = before.own
  else owns.delete(view.network)
  views.set(device.id, view)
  sightings.macs.set(device.id, view)
}

/** What was read of it before says more. */
function know({ macs, owns }: Sightings, { id, network, mac }: { id: number; network: number; mac?: string }): void {
  const held = macs.get(id)
  if (held?.network === network || !mac) return
  macs.set(id, { network, own: packMacs([mac.toLowerCase()]) })
  owns.delete(network)
}

function silence(sightings: Sightings, device: number): void {
  const view = sightings.views.get(device)
  if (!view) return
  touch(sightings, view.network)
  sightings.views.delete(device)
  sightings.macs.set(device, { network: view.network, own: view.own })
}

function drop(sightings: Sightings, device: number): void {
  const network = sightings.macs.get(device)?.network
  if (network === undefined) return
  touch(sightings, network)
  sightings.owns.delete(network)
  sightings.views.delete(device)
  sightings.macs.delete(device)
}

/** How many clients these views show: those that are named, and those that a controller only counts. */
export function countClients(views: readonly View[], named: () => Iterable<Client>): ClientCounts {
  if (!views.some(tellsClients)) return {}
  const clients = [...named()]
  const wifi = clients.filter(client => client.wifi).length
  // A controller that only counts its clients: they are on Wi-Fi, and not named above.
  const told = views.reduce((sum, view) => sum + (view.stations ? 0 : (view.told ?? 0)), 0)
  return { total: clients.length + told, wired: clients.length - wifi, wifi: wifi + told }
}

export type ClientTable = ReturnType<typeof createClients>

/** The end devices of every network, by what the devices' readings show; nothing is kept on disk. */
export function createClients() {
  const sightings: Sightings = {
    ...{ views: new Map(), macs: new Map() },
    ...{ merged: new Map(), merging: new Set(), owns: new Map(), firstSeen: new Map(), places: new Map() },
  }
  const { views } = sightings
  const told = nothingTold(Date.now())
  const clients = (network: number) => clientsOf(sightings, network).values()
  return {
    /** Takes a reading in; a `counters` reading renews stations and hosts. */
    update: (device: Parameters<typeof update>[1], observation: Observation, rates?: ViewRates): void =>
      update(sightings, device, observation, rates),
    /** Whether a wired client is at this port, where nothing managed is. */
    isAt(device: Pick<Parameters<typeof update>[1], 'id' | 'network'>, port: string, mac: string): boolean {
      const found = clientsOf(sightings, device.network).get(mac)
      const name = views.get(device.id)?.names.get(port) ?? port
      return found?.device === device.id && found.evidence === 'port' && found.port === name
    },
    /** A device that is there, whether or not it ever answers: `mac` is no client's. */
    know: (device: Parameters<typeof know>[1]): void => know(sightings, device),
    /** A device that does not answer sees nobody any more, and is no client of others all the same. */
    silence: (device: number): void => silence(sightings, device),
    /** A device that is gone: where it is still seen it is a client like others. */
    drop: (device: number): void => drop(sightings, device),
    /** Whoever asks next gets what was read last: somebody has done something, and waits to see it. */
    renew(network: number): void {
      const held = sightings.merged.get(network)
      if (held) held.until = 0
    },
    /** Whether anything was read of the device. */
    has: (device: number): boolean => views.has(device),
    /** The MACs that it said to be its own, or is known by. */
    ownOf: (device: number): Macs => sightings.macs.get(device)?.own ?? noMacs,
    list: (query: ClientQuery, dayOf?: TotalOf): ClientPage => clientPage(clients(query.network), query, dayOf),
    places: (network: number): ClientPlaces => clientPlaces(clients(network)),
    counts: (network: number): ClientCounts => countClients(viewsOf(sightings, network), () => clients(network)),
    byDevice: (network: number) => countByDevice(viewsOf(sightings, network), clients(network)),
    neighbours: (network: number): Neighbour[] => neighboursOf(viewsOf(sightings, network)),
    /** What is different since the answer with the token `after`, of all networks. */
    changes(after: number | undefined): ClientChanges {
      const networks = new Set([...views.values()].map(view => view.network))
      return changesSince(told, after, new Map([...networks].map(id => [id, clientsOf(sightings, id)])))
    },
    /** What each device of a network sees, and the clients put together of it. */
    seen: (network: number): { views: readonly View[]; clients: Iterable<Client> } => ({
      views: viewsOf(sightings, network),
      clients: clients(network),
    }),
  }
}
