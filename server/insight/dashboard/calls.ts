import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { alerts } from '@/db/schema'
import { countsOf, deviceKinds } from '@/server/devices/inventory/device-query'
import {
  deviceIds,
  deviceName,
  summaryOf,
  type Tally,
  tallyOf,
  troubledDevices,
} from '@/server/devices/inventory/summary'
import { fleetOf } from '@/server/devices/link/fleet'
import { ranges } from '@/server/history/tiers'
import { call } from '@/server/kernel/call'
import type { Runtime } from '@/server/kernel/runtime'
import { alertRows, unreadCounts } from '@/server/notify/alerts/calls'
import type { Client } from '@/server/worker/clients-merge'

// What the dashboard shows. Every number comes from polls; what no device told is absent or null, never 0.

const reading = { tag: 'dashboard', scope: 'network', authority: 'dashboard', changes: false } as const
const range = z.enum(ranges).default('1d')
const most = z.int().min(1).max(50).default(5)

export const health = call({
  ...reading,
  path: 'dashboard/health',
  input: z.strictObject({}),
  /**
   * `state`: `unknown` without devices or before the first poll, `critical` while any is offline, `warning` while any
   * has a problem, else `ok`; the devices that make it so, newest change first.
   */
  run({ runtime, network, now }) {
    const counts = countsOf(tallyOf(runtime, network.id))
    const fleet = fleetOf(runtime)
    const rows = troubledDevices(runtime, network.id, 10).flatMap(id => summaryOf(runtime, fleet, id, now) ?? [])
    const trouble = rows.map(({ id, name, kind, status, statusAt, reason, openLogin, seenAt }) => ({
      id,
      name,
      kind,
      status,
      statusAt,
      reason,
      openLogin,
      seenAt,
    }))
    const heard = counts.online + counts.offline > 0
    const state = !heard ? 'unknown' : counts.offline ? 'critical' : counts.warnings ? 'warning' : 'ok'
    return { state: state as 'unknown' | 'critical' | 'warning' | 'ok', counts, trouble }
  },
})

export const deviceTiles = call({
  ...reading,
  path: 'dashboard/devices',
  input: z.strictObject({}),
  /** By kind: total, online, offline, waiting (adopted, not heard yet). */
  run({ runtime, network }) {
    const tally = tallyOf(runtime, network.id)
    const sum = (rows: readonly Tally[]) => rows.reduce((total, row) => total + row.count, 0)
    const result = deviceKinds.map(kind => {
      const own = tally.filter(row => row.kind === kind)
      const of = (status: number) => sum(own.filter(row => row.status === status))
      return { kind, total: sum(own), online: of(1), offline: of(0), waiting: of(3) }
    })
    return { result, total: sum(tally) }
  },
})

export const clientsCount = call({
  ...reading,
  path: 'dashboard/clients-count',
  input: z.strictObject({ range }),
  /** Clients now, and over time; absent when no device of the network tells of clients. */
  async run({ runtime, network, now }, input) {
    const { ask } = fleetOf(runtime)
    const [current, series] = await Promise.all([
      ask('clientCounts', network.id),
      ask('history', { of: 'network', network: network.id, range: input.range, now }),
    ])
    return { ...current, range: input.range, stepSeconds: series.stepSeconds, at: series.at, clients: series.clients }
  },
})

export const bandwidth = call({
  ...reading,
  path: 'dashboard/bandwidth',
  input: z.strictObject({ range }),
  /** The network's throughput: HistorySeries and, in `now`, the last poll's rates and what they are measured at. */
  async run({ runtime, network, now }, input) {
    const { ask } = fleetOf(runtime)
    const [current, series] = await Promise.all([
      ask('traffic', network.id),
      ask('history', { of: 'network', network: network.id, range: input.range, now }),
    ])
    return { ...series, now: current }
  },
})

export const topDevices = call({
  ...reading,
  path: 'dashboard/top-aps',
  input: z.strictObject({ range, most, kind: z.enum(deviceKinds).optional() }),
  /** Devices by octets carried in the range, most first; those of which nothing is known are left out. */
  async run({ runtime, network, now }, { kind, range, most }) {
    const fleet = fleetOf(runtime)
    const devices = deviceIds(runtime, network.id, kind)
    const { totals = [] } = await fleet.ask('history', { of: 'totals', devices, range, most, now })
    const result = totals.flatMap(({ device, inOctets, outOctets }) => {
      const row = summaryOf(runtime, fleet, device, now)
      if (!row) return []
      const { id, name, kind, status, clients, clientsCounted, inBps, outBps } = row
      return [{ id, name, kind, status, clients, clientsCounted, inBps, outBps, inOctets, outOctets }]
    })
    return { result }
  },
})

/** Clients with the names of the devices that they hang on. */
const named = (runtime: Runtime, clients: readonly Client[]) =>
  clients.map(one => ({ ...one, deviceName: deviceName(runtime, one.device) }))

export const topClients = call({
  ...reading,
  path: 'dashboard/top-clients',
  input: z.strictObject({ most }),
  /** Clients by octets since they connected, where their access point counts them. */
  async run({ runtime, network }, input) {
    const sort = { field: 'traffic', direction: 'desc' } as const
    const query = { network: network.id, sort, page: 1, pageSize: input.most }
    const found = await fleetOf(runtime).ask('clients', query)
    return { result: named(runtime, found.result), total: found.total }
  },
})

export const recentAlerts = call({
  ...reading,
  path: 'dashboard/alerts',
  input: z.strictObject({ most }),
  /** Unread alerts, newest first, and how many there are of each level. */
  run: (context, input) => ({
    result: alertRows(context, eq(alerts.read, false), input.most),
    unread: unreadCounts(context),
  }),
})

export const dashboardCalls = [
  health,
  deviceTiles,
  clientsCount,
  bandwidth,
  topDevices,
  topClients,
  recentAlerts,
] as const
