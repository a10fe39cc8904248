import type { DeviceKind, Observation } from '@/server/drivers/observation'
import {
  type Client,
  countByDevice,
  merge,
  type Neighbour,
  neighboursOf,
  ownOf,
  tellsClients,
  type View,
  viewOf,
} from './clients-merge'
import { type ClientPage, type ClientQuery, clientPage } from './clients-page'

// The table of a network's end devices, in memory.

/** Absent: no device of the network tells. */
export type ClientCounts = { total?: number; wired?: number; wifi?: number }

/** What each device sees, and what was put together of it. */
type Sightings = {
  /** By device. */
  views: Map<number, View>
  /** By network; `dirty`: something changed since, `until` then it is shown all the same (unix ms). */
  merged: Map<number, { until: number; dirty: boolean; clients: Map<string, Client> }>
  /** MACs of each network's own devices, hundreds of thousands: kept while none of them changes. */
  owns: Map<number, ReadonlySet<string>>
  /** MAC → first seen, by network; forgotten with the client. */
  firstSeen: Map<number, Map<string, number>>
}

/** Putting a large network together takes a while: not after each of its polls, and at most this share of the time. */
const freshMs = { least: 3000, most: 30_000, share: 0.005 }
export const freshFor = (tookMs: number): number =>
  Math.min(freshMs.most, Math.max(freshMs.least, tookMs / freshMs.share))

const viewsOf = ({ views }: Sightings, network: number) => [...views.values()].filter(view => view.network === network)

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

/** A network's clients: put together anew where something changed and the last time is long enough ago. */
function clientsOf(sightings: Sightings, network: number): Map<string, Client> {
  const { merged, owns, firstSeen } = sightings
  const held = merged.get(network)
  const began = Date.now()
  if (held && (!held.dirty || began < held.until)) return held.clients
  const views = viewsOf(sightings, network)
  const own = owns.get(network) ?? ownOf(views)
  owns.set(network, own)
  const clients = merge(views, own)
  firstSeen.set(network, sinceFirstSeen(clients, firstSeen.get(network)))
  const now = Date.now()
  merged.set(network, { until: now + freshFor(now - began), dirty: false, clients })
  return clients
}

function touch({ merged }: Sightings, network: number): void {
  const held = merged.get(network)
  if (held) held.dirty = true
}

/** Between full readings only who is on the Wi-Fi is known anew. */
function renewStations(view: View, { stations, bss, takenAt, wirelessClients }: Observation): void {
  if (stations) Object.assign(view, { stations, bss: bss ?? view.bss, at: takenAt })
  view.told = wirelessClients ?? view.told
}

function update(
  sightings: Sightings,
  device: { id: number; network: number; kind: DeviceKind },
  observation: Observation,
): void {
  const { views, owns } = sightings
  const before = views.get(device.id)
  touch(sightings, device.network)
  if (observation.depth === 'counters') {
    if (before) renewStations(before, observation)
    return
  }
  const view = viewOf(device, observation)
  if (before?.network === view.network && before.own.join() === view.own.join()) view.own = before.own
  else owns.delete(view.network)
  views.set(device.id, view)
}

function drop(sightings: Sightings, device: number): void {
  const view = sightings.views.get(device)
  if (!view) return
  touch(sightings, view.network)
  sightings.owns.delete(view.network)
  sightings.views.delete(device)
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
  const sightings: Sightings = { views: new Map(), merged: new Map(), owns: new Map(), firstSeen: new Map() }
  const { views } = sightings
  const clients = (network: number) => clientsOf(sightings, network).values()
  return {
    /** Takes a reading in; a `counters` reading renews the stations only. */
    update: (device: Parameters<typeof update>[1], observation: Observation): void =>
      update(sightings, device, observation),
    /** A device that is gone or does not answer sees nobody any more. */
    drop: (device: number): void => drop(sightings, device),
    /** Whether anything was read of the device. */
    has: (device: number): boolean => views.has(device),
    list: (query: ClientQuery): ClientPage => clientPage(clients(query.network), query),
    counts: (network: number): ClientCounts => countClients(viewsOf(sightings, network), () => clients(network)),
    byDevice: (network: number) => countByDevice(viewsOf(sightings, network), clients(network)),
    neighbours: (network: number): Neighbour[] => neighboursOf(viewsOf(sightings, network)),
  }
}
