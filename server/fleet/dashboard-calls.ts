import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { alerts } from '@/db/schema'
import { alertRows, unreadCounts } from '@/server/alerts/calls'
import { ranges } from '@/server/history/tiers'
import { call, type NetworkContext } from '@/server/kernel/call'
import { listInput } from '@/server/kernel/lists'
import { countDevices, deviceKinds } from './device-query'
import { fleetOf } from './fleet'
import { type DeviceSummary, summaries } from './summary'

// What the dashboard shows. Every number comes from polls; what no device told is absent or null, never 0.

const reading = { scope: 'network', authority: 'dashboard', changes: false } as const
const range = z.enum(ranges).default('1d')
const most = z.int().min(1).max(50).default(5)

const read = new WeakMap<Request, readonly DeviceSummary[]>()

/** The network's devices, read once for all parts of a page that is drawn in one request. */
function devicesOf({ request, runtime, network, now }: NetworkContext): readonly DeviceSummary[] {
  const rows = read.get(request) ?? summaries(runtime, fleetOf(runtime), network.id, now)
  read.set(request, rows)
  return rows
}

export const health = call({
  ...reading,
  path: 'dashboard/health',
  input: z.strictObject({}),
  /**
   * `state`: `unknown` without devices or before the first poll, `critical` while any is offline, `warning` while any
   * has a problem, else `ok`; the devices that make it so, newest change first.
   */
  run(context) {
    const rows = devicesOf(context)
    const counts = countDevices(rows)
    const trouble = rows
      .filter(row => row.status === 0 || row.openLogin || (row.status === 1 && row.reason))
      .sort((a, b) => a.status - b.status || b.statusAt - a.statusAt)
      .slice(0, 10)
      .map(({ id, name, kind, status, statusAt, reason, openLogin, seenAt }) => ({
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
  run(context) {
    const rows = devicesOf(context)
    const result = deviceKinds.map(kind => {
      const own = rows.filter(row => row.kind === kind)
      const of = (status: number) => own.filter(row => row.status === status).length
      return { kind, total: own.length, online: of(1), offline: of(0), waiting: of(3) }
    })
    return { result, total: rows.length }
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
  async run(context, input) {
    const rows = devicesOf(context).filter(row => !input.kind || row.kind === input.kind)
    const { totals = [] } = await fleetOf(context.runtime).ask('history', {
      of: 'totals',
      devices: rows.map(row => row.id),
      range: input.range,
      now: context.now,
    })
    const byId = new Map(rows.map(row => [row.id, row]))
    const result = totals.slice(0, input.most).flatMap(({ device, inOctets, outOctets }) => {
      const row = byId.get(device)
      return row
        ? [
            {
              id: row.id,
              name: row.name,
              kind: row.kind,
              status: row.status,
              clients: row.clients,
              inBps: row.inBps,
              outBps: row.outBps,
              inOctets,
              outOctets,
            },
          ]
        : []
    })
    return { result }
  },
})

/** Names of the devices that clients hang on. */
const names = (rows: readonly { id: number; name: string }[]) => new Map(rows.map(row => [row.id, row.name]))

export const topClients = call({
  ...reading,
  path: 'dashboard/top-clients',
  input: z.strictObject({ most }),
  /** Clients by octets since they connected, where their access point counts them. */
  async run(context, input) {
    const sort = { field: 'traffic', direction: 'desc' } as const
    const query = { network: context.network.id, sort, page: 1, pageSize: input.most }
    const found = await fleetOf(context.runtime).ask('clients', query)
    const known = names(devicesOf(context))
    const result = found.result.map(one => ({ ...one, deviceName: known.get(one.device ?? 0) ?? '' }))
    return { result, total: found.total }
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

const clientList = call({
  scope: 'network',
  authority: 'clients',
  changes: false,
  path: 'clients/list',
  input: z.strictObject({ ...listInput, deviceId: z.int().min(1).optional() }),
  /** End devices that are connected now, as the network's devices see them. */
  async run(context, { deviceId, ...input }) {
    const found = await fleetOf(context.runtime).ask('clients', {
      network: context.network.id,
      device: deviceId,
      ...input,
    })
    const known = names(devicesOf(context))
    return { ...found, result: found.result.map(one => ({ ...one, deviceName: known.get(one.device ?? 0) ?? '' })) }
  },
})

export const dashboardCalls = [
  health,
  deviceTiles,
  clientsCount,
  bandwidth,
  topDevices,
  topClients,
  recentAlerts,
  clientList,
] as const
