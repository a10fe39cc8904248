import { DeviceError, type Reason } from '@/server/drivers/driver'
import { reasonOf } from './limits'
import { closeSession, type PolledDevice } from './polled-device'
import type { DeviceEvent, DeviceStatus, PollStats } from './protocol'
import type { News, Sinks } from './record'

// What a poll's end does to a device: its status, its counters, how long it is left alone, and what is told of it.

/** Where a poll's end is written; `everyMs`: from poll to poll. */
export type Ledger = { sinks: Sinks; stats: PollStats; everyMs?: number }

/** A device counts as offline after this many polls without an answer. */
const missesToOffline = 2
/** How often `seen_at` is written for a device that only goes on answering. */
const seenEveryMs = 3_600_000
const slowMs = 10_000
const quietFirstMs = 120_000
const quietMostMs = 1_800_000
/** After these, to log in again soon helps nothing and may lock the account: the next login waits. */
const stubborn: ReadonlySet<Reason> = new Set([
  'hostKeyUnknown',
  'hostKeyChanged',
  'credentials',
  'noView',
  'unsupported',
  'malformed',
  'tooLarge',
  'commandFailed',
  'internal',
])

/** One answer brings a device online; the second miss in a row takes it offline. */
export const statusAfter = ({ missed, status }: Pick<PolledDevice, 'missed' | 'status'>): DeviceStatus =>
  missed === 0 ? 1 : missed >= missesToOffline ? 0 : status

const turn = (at: number, status: DeviceStatus, reason: string, cutOff: PolledDevice['cutOff']): DeviceEvent =>
  status === 1 ? { at, code: 'deviceOnline', values: {} } : { at, code: 'deviceOffline', values: { reason, ...cutOff } }

/** What an offline device said is no longer true. */
function silence(entry: PolledDevice, sinks: Sinks): void {
  sinks.clients.silence(entry.device.id)
  sinks.neighbors.forget(entry.device.id)
  sinks.live.clear(entry.device.row, ['seenAt'])
  entry.fullAt = 0
  delete entry.wans
  delete entry.ways
}

/** Keeps what the device said of its state; news go to main. */
function settle(entry: PolledDevice, sinks: Sinks, reason: Reason | '', news: News = {}): void {
  const at = Date.now()
  const status = statusAfter(entry)
  const turned = status !== entry.status
  const events = [...(news.events ?? []), ...(turned ? [turn(at, status, reason, entry.cutOff)] : [])]
  if (turned && status === 0) silence(entry, sinks)
  const said = reason !== entry.reason || events.length > 0 || news.facts !== undefined || news.wans !== undefined
  Object.assign(entry, { status, reason })
  const hourly = status === 1 && entry.missed === 0 && at - (entry.seenAt ?? 0) > seenEveryMs
  if (!said && !hourly) return
  if (entry.missed === 0) entry.seenAt = at
  sinks.tell({ ...news, id: entry.device.id, at, status, reason, events, seenAt: entry.seenAt })
}

/** The device answered. `reason`: why not all of it could be read. */
export function answered(
  entry: PolledDevice,
  { sinks, stats }: Ledger,
  reason: Reason | '' = '',
  news: News = {},
): void {
  entry.missed = 0
  entry.cutOff = undefined
  entry.answered++
  stats.answered++
  settle(entry, sinks, reason, news)
}

/** The device did not answer; its session ends. */
export function missed(entry: PolledDevice, { sinks }: Ledger, error: unknown): void {
  closeSession(entry)
  const { reason } = reasonOf(error)
  // Removed, or everything stopped, while it was polled: how that ended is nobody's business.
  if (reason === 'cancelled' || entry.gone) return
  // Its switch says so, too: one miss is enough.
  entry.missed = entry.cutOff ? missesToOffline : entry.missed + 1
  // Rates would be averages over the gap, and a restart in it would go unseen.
  entry.counters.at = 0
  sinks.history.add({ of: 'device', id: entry.device.id }, Date.now(), { answered: false })
  settle(entry, sinks, reason)
}

/** It answered, but its tables could not be read: they are left alone for a while, the device stays online. */
export function walkFailed(entry: PolledDevice, ledger: Ledger, error: unknown): void {
  backOff(entry, 'walk')
  answered(entry, ledger, reasonOf(error).reason)
  ledger.sinks.history.add({ of: 'device', id: entry.device.id }, Date.now(), { answered: true })
}

/** In its quiet time it was only looked for, and is there: walks go on failing, logins count as refused as before. */
export function pingAnswered(entry: PolledDevice, ledger: Ledger): void {
  if (entry.quietFor === 'walk') answered(entry, ledger, entry.reason)
  else missed(entry, ledger, new DeviceError(entry.reason || 'credentials'))
}

/** Two minutes of quiet, doubled each time up to half an hour. */
export function backOff(entry: PolledDevice, quietFor: PolledDevice['quietFor']): void {
  entry.quietFor = quietFor
  entry.quietMs = Math.min(quietMostMs, entry.quietMs ? entry.quietMs * 2 : quietFirstMs)
  entry.quietUntil = Date.now() + entry.quietMs
}

export function endQuiet(entry: PolledDevice): void {
  entry.quietMs = 0
  entry.quietUntil = 0
}

/** Whether the next login of this device has to wait. To connect by SNMP is the one GET: it is never held back. */
export const loginMustWait = ({ driver }: PolledDevice, error: unknown): boolean =>
  driver.protocol === 'ssh' && stubborn.has(reasonOf(error).reason)

/** How long the poll took that began then: a slow one is polled apart from now on. */
export function timed(entry: PolledDevice, began: number): void {
  entry.lastMs = Date.now() - began
  entry.lastAt = began
  entry.slow = entry.lastMs > slowMs
}

/** Whether it is polled apart: it was slow, or silent, or is offline. */
export const isSlow = ({ slow, status, missed }: PolledDevice): boolean => slow || status === 0 || missed > 0
