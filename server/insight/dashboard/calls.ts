import { and, count, eq, gte } from 'drizzle-orm'
import * as z from 'zod'
import { alerts } from '@/db/schema'
import type { AlertType } from '@/model/notify/catalogue'
import { byUrgency } from '@/model/urgency'
import { tallyOf, troubledDevices, urgencyOf } from '@/server/devices/inventory/device-index'
import { countsOf, deviceKinds } from '@/server/devices/inventory/device-query'
import type { Tally } from '@/server/devices/inventory/stored-devices'
import { summaryOf } from '@/server/devices/inventory/summary'
import { fleetOf } from '@/server/devices/link/fleet'
import { rangeOf } from '@/server/history/tiers'
import { call } from '@/server/kernel/call'
import { alertRows, ownCause, unreadCounts, visible } from '@/server/notify/alerts/rows'
import { clientsCount, clientsGeneral, clientsPie, clientsStatistics, guestTile, topClients } from './client-calls'
import { dashboardLayout, saveDashboard } from './layout-calls'
import { noticesOf } from './notices'
import { most, range, reading } from './reading'
import { bandwidth, channelTile, topDevices, topSsids, usageRealtime, wanOverview } from './traffic-calls'
import { topWebsites } from './website-calls'

// What the dashboard shows. Every number comes from polls; what no device told is absent or null, never 0.

export const health = call({
  ...reading,
  path: 'dashboard/health',
  input: z.strictObject({}),
  /**
   * `state`: `unknown` without devices, while one was never heard or nobody looked at the settings yet, `critical`
   * while any device or way to the internet is offline, `warning` while any has a problem or something else needs a look,
   * else `ok`; the devices that make it so and `notices` of what else does, each with its level and since when (unix ms;
   * absent: not known), what is worse first, of the same the newest.
   */
  async run(context) {
    const { runtime, network, now } = context
    const counts = countsOf(tallyOf(runtime, network.id))
    const fleet = fleetOf(runtime)
    const rows = troubledDevices(runtime, network.id, 10).flatMap(id => summaryOf(runtime, fleet, id, now) ?? [])
    const trouble = rows
      .map(({ id, name, kind, status, statusAt, reason, openLogin, seenAt, reasonAt }) => ({
        ...{ id, name, kind, status, statusAt, reason, openLogin, seenAt },
        ...urgencyOf({ status, statusAt, reason, openLogin, seenAt, reasonAt }),
      }))
      .sort((a, b) => byUrgency(a, b) || a.id - b.id)
    const { notices, known } = await noticesOf(context)
    const heard = counts.online + counts.silent + counts.offline > 0
    const fine = known && counts.paired === 0 ? 'ok' : 'unknown'
    const critical = counts.offline > 0 || notices.some(one => one.level === 'critical')
    const state = !heard ? 'unknown' : critical ? 'critical' : counts.warnings + notices.length ? 'warning' : fine
    return { state: state as 'unknown' | 'critical' | 'warning' | 'ok', counts, trouble, notices }
  },
})

export const deviceTiles = call({
  ...reading,
  path: 'dashboard/devices',
  input: z.strictObject({}),
  /** By kind: total, online, silent (no answer to the last poll), offline, waiting (adopted, not heard yet). */
  run({ runtime, network }) {
    const tally = tallyOf(runtime, network.id)
    const sum = (rows: readonly Tally[]) => rows.reduce((total, row) => total + row.count, 0)
    const result = deviceKinds.map(kind => {
      const own = tally.filter(row => row.kind === kind)
      const of = (status: number) => sum(own.filter(row => row.status === status))
      const silent = own.reduce((total, row) => total + row.silent, 0)
      return { kind, total: sum(own), online: of(1) - silent, silent, offline: of(0), waiting: of(3) }
    })
    return { result, total: sum(tally) }
  },
})

export const recentAlerts = call({
  ...reading,
  path: 'dashboard/alerts',
  input: z.strictObject({ most }),
  /** Unread alerts, newest first, and how many there are of each level. */
  run: (context, input) => ({
    result: alertRows(context, and(ownCause, eq(alerts.read, false)), input.most),
    unread: unreadCounts(context),
  }),
})

export const alertsOverview = call({
  ...reading,
  path: 'dashboard/alerts-overview',
  input: z.strictObject({ range }),
  /** How many alerts are unread by level; those raised in the range by level and, most first, by type. */
  run(context, input) {
    const since = context.now - rangeOf[input.range].seconds * 1000
    const rows = context.runtime.db
      .select({ level: alerts.level, type: alerts.type, n: count() })
      .from(alerts)
      .where(and(visible(context), ownCause, gte(alerts.at, since)))
      .groupBy(alerts.level, alerts.type)
      .all()
    const of = (level: number) => rows.reduce((sum, row) => sum + (row.level === level ? row.n : 0), 0)
    const types = rows
      .map(({ type, n }) => ({ type: type as AlertType, alerts: n }))
      .sort((a, b) => b.alerts - a.alerts)
    return {
      unread: unreadCounts(context),
      raised: { emergency: of(5), warning: of(10), notice: of(15) },
      types: types.slice(0, 10),
    }
  },
})

export const dashboardCalls = [
  ...[health, deviceTiles, recentAlerts, alertsOverview],
  ...[clientsCount, clientsGeneral, clientsStatistics, clientsPie, topClients, guestTile],
  ...[bandwidth, usageRealtime, topDevices, topSsids, topWebsites, channelTile, wanOverview],
  ...[dashboardLayout, saveDashboard],
] as const
