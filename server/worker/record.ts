import { createHash } from 'node:crypto'
import type { Health } from '@/server/drivers/hardware'
import type { Interface, Observation, WanReading } from '@/server/drivers/observation'
import { wanInterfaces, wanKey } from '@/server/drivers/wan'
import type { HistoryStore } from '@/server/history/history'
import { uplinkSample } from '@/server/history/uplinks'
import { intern } from '@/server/kernel/intern'
import { busiestAir } from './channel-use'
import type { ClientTable } from './clients'
import type { LiveTable } from './live'
import { liveOfRadios } from './live-radios'
import type { NeighborBook } from './neighbor-book'
import { ownIpv6 } from './own-ipv6'
import { keepFull, keepLatest, type PolledDevice, readingOf } from './polled-device'
import { countErrors } from './port-errors'
import { portRates, takePortUse } from './port-usage'
import type { DeviceEvent, StateChange } from './protocol'
import { sumOf, takeCounters, trafficInterfaces } from './rates'
import { ssidInterfaces } from './ssid-traffic'
import { judgeUplink } from './uplink-state'

// What one poll of a device changes: its counters, the live table, history, the clients, and the news for main.

export type Sinks = {
  live: LiveTable
  history: HistoryStore
  clients: ClientTable
  neighbors: NeighborBook
  /** Tells main; several changes of a device within a second are joined. */
  tell(change: Partial<StateChange> & { id: number }): void
}

/** What is new of a device for main, beside its state. */
export type News = Partial<Pick<StateChange, 'facts' | 'wans' | 'events'>>

/** The share of memory in use, worked out from bytes where they are told. */
function memoryPercent(health: Health | undefined): number | undefined {
  const { memoryUsedBytes: used, memoryTotalBytes: total, memoryUsedPercent } = health ?? {}
  return used === undefined || !total ? memoryUsedPercent : (used / total) * 100
}
/** Most port events of one poll: a switch that lost its power supply must not fill the log. */
const portEvents = 20
/** An uptime may jump back this much without a restart, where agents count coarsely. */
const uptimeSlackMs = 30_000
/** Uptimes are whole seconds: a start may seem this much later than it was. */
const uptimeStepMs = 1000

/** Hundredths of seconds in 32 bits: an agent's clock starts again after 497 days (RFC 3418 sysUpTime). */
const wrapMs = 2 ** 32 * 10

/** How often the clock went round between two starts that a device told: a restart falls on that moment by chance alone. */
function wraps(laterMs: number): number {
  const rounds = Math.round(laterMs / wrapMs)
  return rounds > 0 && Math.abs(laterMs - rounds * wrapMs) <= uptimeSlackMs ? rounds : 0
}

/** True when the device started anew since the last reading: much later than it told then, or later than it told it. */
function takeUptime(entry: PolledDevice, seen: Observation): boolean {
  if (seen.uptimeSeconds === undefined) return false
  const told = seen.takenAt - seen.uptimeSeconds * 1000
  const before = entry.boot
  const wrapped = before === undefined ? 0 : wraps(told - before.at)
  const at = told - wrapped * wrapMs
  entry.boot = { at, toldAt: seen.takenAt }
  return before !== undefined && (at > before.at + uptimeSlackMs || at > before.toldAt + uptimeStepMs)
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
  if (!seen.facts) return {}
  const ipv6 = ownIpv6(seen)
  const facts = { ...seen.facts, ...(ipv6 !== undefined && { ipv6 }) }
  // Uptime changes with each reading and is in the live table.
  const digest = createHash('sha1')
    .update(JSON.stringify({ ...facts, uptimeSeconds: undefined }))
    .digest('base64')
  if (digest === entry.facts) return {}
  entry.facts = digest
  return { facts }
}

const keyed = (one: WanReading) => ({ ...one, key: wanKey(one) })

/** Ways that the gateway watches, where one of them is not as it was told last. */
function wanNews(entry: PolledDevice, { wans, takenAt }: Observation, everyMs?: number): Pick<StateChange, 'wans'> {
  if (!wans) return {}
  const before = entry.ways
  entry.ways = new Map(wans.map(one => [wanKey(one), judgeUplink(before?.get(wanKey(one)), one, takenAt, everyMs)]))
  const states = Object.fromEntries([...entry.ways].map(([key, { state }]) => [key, state]))
  const told = JSON.stringify(states)
  if (told === entry.wans) return {}
  entry.wans = told
  return { wans: states }
}

function liveOf(entry: PolledDevice, seen: Observation) {
  const { health } = seen
  const known = entry.panelUp.filter(up => up !== undefined)
  return {
    seenAt: seen.takenAt,
    ...(entry.boot && { bootAt: entry.boot.at }),
    ...(health && {
      cpuPercent: health.cpuPercent,
      memoryPercent: memoryPercent(health),
    }),
    ...(health?.temperatureCelsius !== undefined && { temperature: health.temperatureCelsius }),
    ...(seen.poe && { poeWatts: seen.poe.usedWatts }),
    ...(seen.radios && { ...liveOfRadios(seen.radios), airPercent: busiestAir(seen.radios) }),
    inBps: sumOf(entry.counters.rates, entry.traffic, 0),
    outBps: sumOf(entry.counters.rates, entry.traffic, 1),
    ...(entry.errors && { portErrors: entry.errors.lately }),
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
  entry.errors = countErrors(entry.errors, interfaces, entry.traffic, seen.takenAt, fresh)
  if (seen.bss) entry.ssids = ssidInterfaces(seen)
  return fresh ? 0 : seconds
}

/** What was behind ports that went down, by the reading before. */
export type Lost = { ports: Set<string>; before: Observation }
type Recorded = News & { lost?: Lost }

function lostBehind(entry: PolledDevice, events: readonly DeviceEvent[]): Pick<Recorded, 'lost'> {
  const labels = events.flatMap(({ code, values }) => (code === 'portDown' ? [values.port] : []))
  const before = labels.length > 0 ? readingOf(entry) : undefined
  const ports = before?.ports?.filter(port => labels.includes(port.label)).map(port => port.interface) ?? []
  return before && ports.length > 0 ? { lost: { ports: new Set(ports), before } } : {}
}

/** Who is there, and what each moved: on the air by its access point, by wire where a port is one client's alone. */
function takeClients(entry: PolledDevice, seen: Observation, fresh: boolean, { clients, history }: Sinks): void {
  const { device } = entry
  const { takenAt, stations } = seen
  const uses = takePortUse(entry, seen, fresh)
  const onAir = stations && history.stations.take(device.network, device.id, takenAt, stations)
  clients.update(device, seen, { ...(onAir && { stations: onAir }), ...(seen.hosts && { ports: portRates(uses) }) })
  for (const { port, mac, down, up } of uses)
    if (clients.isAt(device, port, mac)) history.stations.add(device.network, mac, takenAt, { down, up })
}

/**
 * Takes a successful reading into everything; `everyMs`: from poll to poll. Returns what is new for main besides the
 * state.
 */
export function record(entry: PolledDevice, seen: Observation, sinks: Sinks, everyMs?: number): Recorded {
  const { device } = entry
  const fresh = takeUptime(entry, seen)
  const seconds = takeInterfaces(entry, seen, fresh)
  const events = portChanges(entry, seen.interfaces ?? [], seen.takenAt, fresh)
  const lost = lostBehind(entry, events)
  if (fresh) events.unshift({ at: seen.takenAt, code: 'deviceRestarted', values: {} })
  if (seen.depth === 'full') {
    entry.fullAt = seen.takenAt
    keepFull(entry, seen)
  } else keepLatest(entry, seen)
  // After a restart everything is to be read anew.
  if (fresh && seen.depth !== 'full') entry.fullAt = 0
  takeClients(entry, seen, fresh, sinks)
  if (seen.bss) sinks.neighbors.note(device, seen.bss)
  sinks.live.set(device.row, liveOf(entry, seen))
  sinks.history.add({ of: 'device', id: device.id }, seen.takenAt, {
    answered: true,
    seconds: seconds || undefined,
    inOctets: sumOf(entry.counters.deltas, entry.traffic, 0),
    outOctets: sumOf(entry.counters.deltas, entry.traffic, 1),
    cpuPercent: seen.health?.cpuPercent,
    memoryPercent: memoryPercent(seen.health),
    clients: sinks.live.get(device.row, 'clients'),
    counters: seconds && seen.interfaces ? { store: entry.counters, seconds } : undefined,
  })
  if (seen.wans?.length)
    sinks.history.add({ of: 'wan', id: device.id }, seen.takenAt, uplinkSample(seen.wans.map(keyed)))
  return { ...factsNews(entry, seen), ...wanNews(entry, seen, everyMs), events, ...lost }
}
