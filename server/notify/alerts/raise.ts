import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { alerts, organizations } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'
import { tellHooks } from '@/server/notify/webhooks/events'
import { sentence } from './sentence'

/** 5 emergency, 10 warning, 15 notice (specification section 9). */
export type AlertLevel = 5 | 10 | 15
/** Keys in locales/en/alerts.json. */
export type AlertType =
  | 'deviceOffline'
  | 'deviceOnline'
  | 'pushReverted'
  | 'pushFailed'
  | 'backupFailed'
  | 'workerRestarted'
  | 'webhookPaused'
  | 'noticeTest'
export type NewAlert = {
  type: AlertType
  level: AlertLevel
  /** Absent: the only organization's. */
  organization?: number
  network?: number
  device?: number
  values?: Record<string, string | number>
  at?: number
}
/** Alerts kept of one organization; the oldest go first. */
const alertsKept = 10_000

/** Hears that there are new alerts, for delivery by mail; set by startAlerts. */
export type AlertListener = () => void

/** Stores an alert and returns its number; delivery by mail and webhooks follows by itself. May be called inside a transaction. */
export function raiseAlert(runtime: Runtime, alert: NewAlert): number {
  const { db } = runtime
  const organization = alert.organization ?? db.select({ id: organizations.id }).from(organizations).limit(1).get()?.id
  // Before the wizard has finished there is nobody to tell.
  if (organization === undefined) return 0
  const { type, level, network = null, device = null, values = {}, at = Date.now() } = alert
  const id = db.transaction(() => {
    const row = db
      .insert(alerts)
      .values({ organization, network, device, level, type, values: JSON.stringify(values), at })
      .returning({ id: alerts.id })
      .get()
    trim(runtime, organization)
    const data = { id: row.id, level, type, device, values, text: sentence({ type, values }) }
    tellHooks(runtime, { topic: 'alerts', type: 'alert.raised', organization, network, at, level, data })
    return row.id
  })
  ;(runtime.parts.get('alertDelivery') as AlertListener | undefined)?.()
  runtime.bus.emit({ topic: 'alerts', organization, network: alert.network })
  return id
}

function trim(runtime: Runtime, organization: number): void {
  const oldest = runtime.db
    .select({ id: alerts.id })
    .from(alerts)
    .where(eq(alerts.organization, organization))
    .orderBy(desc(alerts.id))
    .limit(1)
    .offset(alertsKept)
    .get()
  if (oldest)
    runtime.db
      .delete(alerts)
      .where(and(eq(alerts.organization, organization), lt(alerts.id, oldest.id + 1)))
      .run()
}

type About = { id: number; organization: number; network: number; name: string }

/** An alert about one device; its name goes into the words. */
export const deviceAlert = (
  runtime: Runtime,
  device: About,
  type: AlertType,
  level: AlertLevel,
  values: Record<string, string | number> = {},
  at = Date.now(),
): number =>
  raiseAlert(runtime, {
    type,
    level,
    at,
    organization: device.organization,
    network: device.network,
    device: device.id,
    values: { device: device.name, ...values },
  })

/** Marks a device's open alerts of a type as recovered and, where there were any, tells so by another one. */
export function recoverAlerts(
  runtime: Runtime,
  device: About,
  type: AlertType,
  recovery: AlertType,
  at = Date.now(),
): void {
  const closed = runtime.db
    .update(alerts)
    .set({ recoveredAt: at })
    .where(and(eq(alerts.device, device.id), eq(alerts.type, type), isNull(alerts.recoveredAt)))
    .run()
  if (closed.changes > 0) deviceAlert(runtime, device, recovery, 15, {}, at)
}
