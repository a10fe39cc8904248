import { and, eq, isNull } from 'drizzle-orm'
import { alerts, organizations } from '@/db/schema'
import { keepNewest } from '@/server/kernel/keep-newest'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { notifyWebhooks } from '@/server/notify/webhooks/events'
import type { AlertLevel, AlertType, NewAlert } from './alert'
import { sentence } from './sentence'

/** Alerts kept of one organization; the oldest go first. */
const alertsKept = 10_000

/** Hears that there are new alerts, for delivery by mail. */
export const alertDelivery = part<{ wake(): void }>('alertDelivery')

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
    keepNewest(db, alerts, eq(alerts.organization, organization), alertsKept)
    const data = { id: row.id, level, type, device, values, text: sentence({ type, values }) }
    notifyWebhooks(runtime, { topic: 'alerts', type: 'alert.raised', organization, network, at, level, data })
    return row.id
  })
  alertDelivery.find(runtime)?.wake()
  runtime.bus.emit({ topic: 'alerts', organization, network: alert.network })
  return id
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
