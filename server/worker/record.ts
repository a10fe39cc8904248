import { createHash } from 'node:crypto'
import type { Interface, Observation } from '@/server/drivers/observation'
import { wanInterfaces } from '@/server/drivers/wan'
import type { HistoryStore } from '@/server/history/history'
import { intern } from '@/server/kernel/intern'
import type { ClientTable } from './clients'
import type { LiveTable } from './live'
import { keepFull, keepLatest, type PolledDevice } from './polled-device'
import type { DeviceEvent, StateChange } from './protocol'
import { sumOf, takeCounters, trafficInterfaces } from './rates'

// What one poll of a device changes: its counters, the live table, history, the clients, and the news for main.

export type Sinks = {
  live: LiveTable
  history: HistoryStore
  clients: ClientTable
  /** Tells main; several changes of a device within a second are joined. */
  tell(change: Partial<StateChange> & { id: number }): void
}

const percent = (used: number | undefined, total: number | undefined) =>
  used === undefined || !total ? undefined : (used / total) * 100
/** Most port events of one poll: a switch that lost its power supply must not fill the log. */
const portEvents = 20
/** An uptime may jump back this much without a restart: agents count coarsely. */
const uptimeSlackMs = 30_000

/** True when the device started anew since the last reading. */
function takeUptime(entry: PolledDevice, seen: Observation): boolean {
  if (seen.uptimeSeconds === undefined) return false
  const bootAt = seen.takenAt - seen.uptimeSeconds * 1000
  const before = entry.bootAt
  // sysUpTime wraps after 497 days (RFC 3418): that is no restart, but cannot be told from one without other signs.
  entry.bootAt = bootAt
  return before !== undefined && bootAt > before + uptimeSlackMs
}

function takePanel(entry: PolledDevice, seen: Observation): void {
  const { interfaces = [], ports } = seen
  const places = new Map(interfaces.map((one, index) => [one.key, index]))
  const before = new Map(entry.panel.map(({ index }, at) => [index, entry.panelUp[at]]))
  const panel = (ports ?? []).flatMap(port => {
    const index = places.get(port.interface)
    return index === undefined ? [] : [{ index, label: port.label }]
  })
  entry.panel = intern(panel)
  entry.panelUp = panel.map(({ index }) => before.get(index))
}

/** Ports that went up or down, as events. */
function portChanges(entry: PolledDevice, interfaces: readonly Interface[], at: number, fresh: boolean): DeviceEvent[] {
  const events: DeviceEvent[] = []
  for (const [place, port] of entry.panel.entries()) {
    const up = interfaces[port.index]?.up
    if (up === undefined) continue
    const before = entry.panelUp[place]
    if (before !== undefined && before !== up && !fresh)
      events.push({ at, code: up ? 'portUp' : 'portDown', values: { port: port.label } })
    entry.panelUp[place] = up
  }
  return events.slice(0, portEvents)
}

function factsNews(entry: PolledDevice, seen: Observation): Pick<StateChange, 'facts'> {
  const { facts } = seen
  if (!facts) return {}
  // Uptime changes with each reading and is in the live table.
  const digest = createHash('sha1')
    .update(JSON.stringify({ ...facts, uptimeSeconds: undefined }))
    .digest('base64')
  if (digest === entry.facts) return {}
  entry.facts = digest
  return { facts }
}

function liveOf(entry: PolledDevice, seen: Observation) {
  const { health } = seen
  const known = entry.panelUp.filter(up => up !== undefined)
  return {
    seenAt: seen.takenAt,
    ...(entry.bootAt !== undefined && { bootAt: entry.bootAt }),
    ...(health && {
      cpuPercent: health.cpuPercent,
      memoryPercent: percent(health.memoryUsedBytes, health.memoryTotalBytes),
    }),
    ...(health?.temperatureCelsius !== undefined && { temperature: health.temperatureCelsius }),
    ...(seen.poe && { poeWatts: seen.poe.usedWatts }),
    inBps: sumOf(entry.counters.rates, entry.traffic, 0),
    outBps: sumOf(entry.counters.rates, entry.traffic, 1),
    ...(entry.panel.length > 0 && {
      portsTotal: entry.panel.length,
      portsUp: known.length ? known.filter(Boolean).length : undefined,
    }),
  }
}

function takeInterfaces(entry: PolledDevice, seen: Observation, fresh: boolean): number {
  const { interfaces } = seen
  if (!interfaces) return 0
  const before = entry.counters
  const seconds = before.at ? (seen.takenAt - before.at) / 1000 : 0
  entry.counters = takeCounters(before, interfaces, seen.takenAt, fresh)
  if (seen.depth === 'full' || entry.counters !== before) {
    entry.traffic = intern(trafficInterfaces(interfaces))
    entry.wan = intern(wanInterfaces(interfaces))
  }
  if (seen.depth === 'full') takePanel(entry, seen)
  return fresh ? 0 : seconds
}

/** Takes a successful reading into everything. Returns what is new for main besides the state. */
export function record(entry: PolledDevice, seen: Observation, books: Sinks): Pick<StateChange, 'facts' | 'events'> {
  const { device } = entry
  const fresh = takeUptime(entry, seen)
  const seconds = takeInterfaces(entry, seen, fresh)
  const events = portChanges(entry, seen.interfaces ?? [], seen.takenAt, fresh)
  if (fresh) events.unshift({ at: seen.takenAt, code: 'deviceRestarted', values: {} })
  if (seen.depth === 'full') {
    entry.fullAt = seen.takenAt
    keepFull(entry, seen)
  } else keepLatest(entry, seen)
  // After a restart everything is to be read anew.
  if (fresh && seen.depth !== 'full') entry.fullAt = 0
  books.clients.update(device, seen)
  books.live.set(device.row, liveOf(entry, seen))
  books.history.add(device.id, seen.takenAt, {
    answered: true,
    seconds: seconds || undefined,
    inOctets: sumOf(entry.counters.deltas, entry.traffic, 0),
    outOctets: sumOf(entry.counters.deltas, entry.traffic, 1),
    cpuPercent: seen.health?.cpuPercent,
    memoryPercent: percent(seen.health?.memoryUsedBytes, seen.health?.memoryTotalBytes),
    clients: books.live.get(device.row, 'clients'),
    counters: seconds && seen.interfaces ? { store: entry.counters, seconds } : undefined,
  })
  return { ...factsNews(entry, seen), events }
}
