import { and, count, desc, eq, inArray, isNull, min, or, type SQL } from 'drizzle-orm'
import { alerts, devices } from '@/db/schema'
import type { AlertLevel, AlertType } from '@/model/notify/catalogue'
import type { NetworkContext } from '@/server/kernel/call'

// Alerts as calls read them.

/** The network's alerts, and those of the manager itself for whoever looks after it. */
export function visible({ actor, network }: NetworkContext): SQL | undefined {
  const own = eq(alerts.network, network.id)
  const seen = actor.authorities.has('organization_manager') ? or(own, isNull(alerts.network)) : own
  return and(eq(alerts.organization, actor.organization), seen)
}

export type AlertRow = {
  id: number
  /** Unix ms. */
  at: number
  level: AlertLevel
  /** Key of alertTypes.json types; `values` go into its words. */
  type: AlertType
  values: Record<string, string | number>
  read: boolean
  recoveredAt: number | null
  device: { id: number; name: string } | null
  /** False of what is the manager's own matter. */
  inNetwork: boolean
  /** Unix ms; null: nobody has taken it over. */
  acknowledgedAt: number | null
  /** The maintenance window that keeps, or kept, people from being told. */
  maintenance: string | null
}

type Part = { offset?: number; order?: SQL[] }

export function alertRows(
  context: NetworkContext,
  where: SQL | undefined,
  limit: number,
  { offset = 0, order = [desc(alerts.id)] }: Part = {},
): AlertRow[] {
  const rows = context.runtime.db
    .select({ alert: alerts, deviceName: devices.name })
    .from(alerts)
    .leftJoin(devices, eq(devices.id, alerts.device))
    .where(and(visible(context), where))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .all()
  return rows.map(({ alert, deviceName }) => ({
    id: alert.id,
    at: alert.at,
    level: alert.level as AlertLevel,
    type: alert.type as AlertType,
    values: JSON.parse(alert.values) as Record<string, string | number>,
    read: alert.read,
    recoveredAt: alert.recoveredAt,
    acknowledgedAt: alert.acknowledgedAt,
    maintenance: alert.maintenance,
    inNetwork: alert.network !== null,
    device: alert.device !== null && deviceName !== null ? { id: alert.device, name: deviceName } : null,
  }))
}

export const countOf = (context: NetworkContext, where?: SQL): number =>
  context.runtime.db
    .select({ n: count() })
    .from(alerts)
    .leftJoin(devices, eq(devices.id, alerts.device))
    .where(and(visible(context), where))
    .get()?.n ?? 0

/** What is no consequence of another: an incident counts once. */
export const ownCause = isNull(alerts.parent)
export const unreadCount = (context: NetworkContext): number => countOf(context, and(ownCause, eq(alerts.read, false)))

/** When the oldest emergency or warning that is unread was raised. */
export const unreadSince = (context: NetworkContext): number | undefined =>
  context.runtime.db
    .select({ at: min(alerts.at) })
    .from(alerts)
    .where(and(visible(context), ownCause, eq(alerts.read, false), inArray(alerts.level, [5, 10])))
    .get()?.at ?? undefined

/** How many are unread, by level. */
export function unreadCounts(context: NetworkContext) {
  const of = (value: AlertLevel) => countOf(context, and(ownCause, eq(alerts.read, false), eq(alerts.level, value)))
  return { emergency: of(5), warning: of(10), notice: of(15) }
}
