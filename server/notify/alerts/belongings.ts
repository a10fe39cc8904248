import { and, eq, inArray, isNotNull, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '@/db/client'
import { alertConfigs, alerts, heldNotices, maintenanceWindows, notices } from '@/db/schema'
import { type Belonging, type Moved, rowsOf } from '@/server/kernel/belonging'

/** A device's alerts go along; one incident is of one network, so that with others of the former one ends. */
function follow(db: Db, { devices, to }: Moved): void {
  const own = rowsOf(alerts.device, db, devices)
  db.update(alerts).set({ network: to }).where(own).run()
  const cause = alias(alerts, 'cause')
  const moved = db.select({ id: alerts.id }).from(alerts).where(own)
  const near = db
    .select({ one: sql`1` })
    .from(cause)
    .where(and(eq(cause.id, alerts.parent), eq(cause.network, alerts.network)))
  db.update(alerts)
    .set({ parent: null })
    .where(and(isNotNull(alerts.parent), or(own, inArray(alerts.parent, moved)), notExists(near)))
    .run()
}

export const alertBelongings: readonly Belonging[] = [
  {
    table: alerts,
    network: { of: alerts.network, deleted: 'cascades' },
    organization: { of: alerts.organization, deleted: 'deletes' },
    device: { of: alerts.device, deleted: 'empties' },
    handedOver: 'follows',
    moved: follow,
  },
  { table: alertConfigs, network: { of: alertConfigs.network, deleted: 'cascades' } },
  { table: maintenanceWindows, network: { of: maintenanceWindows.network, deleted: 'cascades' } },
  // Who was to be told is the former organization's.
  { table: heldNotices, organization: { of: heldNotices.organization, deleted: 'cascades' } },
  { table: notices, organization: { of: notices.organization, deleted: 'cascades' } },
]
