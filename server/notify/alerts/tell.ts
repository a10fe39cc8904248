import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { alerts } from '@/db/schema'
import type { AlertLevel, AlertType } from '@/model/notify/catalogue'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { notifyWebhooks } from '@/server/notify/webhooks/events'
import { maintenanceAt } from './maintenance'
import { sentence } from './sentence'

// Telling people of alerts: at once, or when they are still open after a time.

/** Hears that there are alerts to tell of, for delivery by mail. */
export const alertDelivery = part<{ wake(): void }>('alertDelivery')

/** The next place in the order of telling. It comes from the counter of ids, so that letters go on where they were. */
const nextPlace = ({ db }: Runtime): number =>
  db.get<{ seq: number }>(sql`UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'alerts' RETURNING seq`).seq

/** Hands an alert to mail and webhooks, in the caller's transaction. */
export function tellAlert(runtime: Runtime, id: number, place = nextPlace(runtime)): void {
  const { db } = runtime
  const row = db
    .update(alerts)
    .set({ told: place, toldAt: Date.now(), tellAt: null })
    .where(eq(alerts.id, id))
    .returning()
    .get()
  const { organization, network, device, at } = row
  const [type, level] = [row.type as AlertType, row.level as AlertLevel]
  const values = JSON.parse(row.values) as Record<string, string | number>
  const data = { id, level, type, device, values, text: sentence({ type, values }) }
  notifyWebhooks(runtime, { topic: 'alerts', type: 'alert.raised', organization, network, at, level, data })
  alertDelivery.find(runtime)?.wake()
}

/** Open, told by nobody yet, and the cause of itself: what is behind another is told with that. */
const waiting = (more?: SQL) =>
  and(isNotNull(alerts.tellAt), isNull(alerts.told), isNull(alerts.parent), isNull(alerts.recoveredAt), more)

/** Open, behind one that is not: it has a while to come back, too. */
const left = sql`${alerts.recoveredAt} IS NULL AND EXISTS (SELECT 1 FROM alerts AS above WHERE above.id = ${alerts.parent} AND above.recovered_at IS NOT NULL)`

/** Networks in which something waits to be told. */
export const waitingNetworks = ({ db }: Runtime): number[] =>
  db
    .selectDistinct({ network: alerts.network })
    .from(alerts)
    .where(or(waiting(), left))
    .all()
    .flatMap(({ network }) => (network === null ? [] : [network]))

/** Tells of what is open still when its time has come; what is in maintenance then waits for its end. */
export function tellDue(runtime: Runtime, now = Date.now()): void {
  const { db } = runtime
  const due = db.transaction(() => {
    const found = db
      .select({ id: alerts.id, organization: alerts.organization, network: alerts.network, device: alerts.device })
      .from(alerts)
      .where(waiting(lte(alerts.tellAt, now)))
      .all()
    for (const { id, network, device } of found) {
      const held = maintenanceAt(db, { network, device }, now)
      const put = held && { tellAt: held.until, maintenance: held.name }
      if (put) db.update(alerts).set(put).where(eq(alerts.id, id)).run()
      else tellAlert(runtime, id)
    }
    return found
  })
  const places = new Map(due.map(one => [`${one.organization} ${one.network}`, one]))
  for (const { organization, network } of places.values())
    runtime.bus.emit({ topic: 'alerts', organization, ...(network !== null && { network }) })
}
