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

// The table of a network's end devices, in memory.

export type ClientQuery = {
  network: number
  device?: number
  search?: string
  sort?: { field: string; direction: 'asc' | 'desc' }
  page: number
  pageSize: number
}
export type ClientPage = { result: Client[]; total: number; page: number; pageSize: number }
/** Absent: no device of the network tells. */
export type ClientCounts = { total?: number; wired?: number; wifi?: number }
const columns: Record<string, (client: Client) => string | number | undefined> = {
  mac: one => one.mac,
  name: one => one.name?.toLowerCase(),
  address: one => one.address,
  ssid: one => one.ssid,
  port: one => one.port,
  since: one => one.since,
  signal: one => one.signalDbm,
  traffic: one => (one.downOctets === undefined ? undefined : one.downOctets + (one.upOctets ?? 0)),
}

/** Unknown values come last in both directions. */
function compare(a: string | number | undefined, b: string | number | undefined, direction: number): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * direction
}

export type ClientTable = ReturnType<typeof createClients>

/** Putting a large network together takes a while: not after each of its polls, and at most this share of the time. */
const freshMs = { least: 3000, most: 30_000, share: 0.005 }
const freshFor = (tookMs: number) => Math.min(freshMs.most, Math.max(freshMs.least, tookMs / freshMs.share))

export function createClients() {
  const views = new Map<number, View>()
  const merged = new Map<number, { until: number; dirty: boolean; clients: Map<string, Client> }>()
  /** MACs of each network's own devices, hundreds of thousands: kept while none of them changes. */
  const owns = new Map<number, ReadonlySet<string>>()
  /** MAC → first seen, by network; forgotten with the client. */
  const firstSeen = new Map<number, Map<string, number>>()

  const viewsOf = (network: number) => [...views.values()].filter(view => view.network === network)
  const of = (network: number): Map<string, Client> => {
    const held = merged.get(network)
    const began = Date.now()
    if (held && (!held.dirty || began < held.until)) return held.clients
    const views = viewsOf(network)
    const own = owns.get(network) ?? ownOf(views)
    owns.set(network, own)
    const found = merge(views, own)
    const before = firstSeen.get(network)
    const seen = new Map<string, number>()
    for (const client of found.values()) {
      if (!client.wifi) client.since = before?.get(client.mac) ?? client.since
      seen.set(client.mac, client.since)
    }
    firstSeen.set(network, seen)
    const now = Date.now()
    merged.set(network, { until: now + freshFor(now - began), dirty: false, clients: found })
    return found
  }
  const touch = (network: number) => {
    const held = merged.get(network)
    if (held) held.dirty = true
  }
  const list = (query: ClientQuery): ClientPage => {
    const text = query.search?.toLowerCase()
    const matches = (client: Client) =>
      !text ||
      [client.mac, client.name, client.address, client.ssid, client.port].some(value =>
        value?.toLowerCase().includes(text),
      )
    const rows = [...of(query.network).values()].filter(
      client => (query.device === undefined || client.device === query.device) && matches(client),
    )
    const column = columns[query.sort?.field ?? 'name'] ?? (() => undefined)
    const direction = query.sort?.direction === 'desc' ? -1 : 1
    rows.sort((a, b) => compare(column(a), column(b), direction) || a.mac.localeCompare(b.mac))
    const page = Math.min(query.page, Math.max(1, Math.ceil(rows.length / query.pageSize)))
    const from = (page - 1) * query.pageSize
    return { result: rows.slice(from, from + query.pageSize), total: rows.length, page, pageSize: query.pageSize }
  }

  return {
    /** Takes a reading in; a `counters` reading renews the stations only. */
    update(device: { id: number; network: number; kind: DeviceKind }, observation: Observation): void {
      const before = views.get(device.id)
      touch(device.network)
      if (observation.depth === 'counters') {
        if (before && observation.stations)
          Object.assign(before, {
            stations: observation.stations,
            bss: observation.bss ?? before.bss,
            at: observation.takenAt,
          })
        if (before) before.told = observation.wirelessClients ?? before.told
        return
      }
      const view = viewOf(device, observation)
      if (before?.network === view.network && before.own.join() === view.own.join()) view.own = before.own
      else owns.delete(view.network)
      views.set(device.id, view)
    },
    /** A device that is gone or does not answer sees nobody any more. */
    drop(device: number): void {
      const view = views.get(device)
      if (!view) return
      touch(view.network)
      owns.delete(view.network)
      views.delete(device)
    },
    /** Whether anything was read of the device. */
    has: (device: number): boolean => views.has(device),
    list,
    counts(network: number): ClientCounts {
      const own = viewsOf(network)
      if (!own.some(tellsClients)) return {}
      const clients = [...of(network).values()]
      const wifi = clients.filter(client => client.wifi).length
      // A controller that only counts its clients: they are on Wi-Fi, and not named above.
      const told = own.reduce((sum, view) => sum + (view.stations ? 0 : (view.told ?? 0)), 0)
      return { total: clients.length + told, wired: clients.length - wifi, wifi: wifi + told }
    },
    byDevice: (network: number) => countByDevice(viewsOf(network), of(network).values()),
    neighbours: (network: number): Neighbour[] => neighboursOf(viewsOf(network)),
  }
}
