import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alerts, maintenanceWindows, networks } from '@/db/schema'
import { spanOf } from '@/model/notify/clock'
import { type Maintenance, maintenance } from '@/model/notify/maintenance'
import { offlineMs } from './config'

// Times in which nobody is told of alerts. They stand in the list, marked; what is open still at the end is told then.

export type WindowRow = typeof maintenanceWindows.$inferSelect

export const windowsOf = (db: Db, network: number): WindowRow[] =>
  db
    .select()
    .from(maintenanceWindows)
    .where(eq(maintenanceWindows.network, network))
    .orderBy(asc(maintenanceWindows.name))
    .all()

/** Undefined of one that is damaged: it holds nothing back. */
export const valuesOf = ({ data }: WindowRow): Maintenance | undefined =>
  maintenance.fields.safeParse(JSON.parse(data)).data as Maintenance | undefined

/** Null: the whole network. */
export const devicesOf = ({ devices }: WindowRow) => (devices === null ? null : (JSON.parse(devices) as number[]))

/** The span of a window that is on or comes next; undefined of one that is past. */
export function spanOfWindow(row: WindowRow, zone: string, now: number) {
  const values = valuesOf(row)
  return values && spanOf(values, zone, now)
}

const zoneOf = (db: Db, network: number): string =>
  db.select({ zone: networks.timezone }).from(networks).where(eq(networks.id, network)).get()?.zone ?? 'UTC'

/** The window that a device, or the network's own matters, are in, with its end (unix ms): that which ends last. */
export function maintenanceAt(
  db: Db,
  { network, device }: { network: number | null; device: number | null },
  now: number,
) {
  const rows = network === null ? [] : windowsOf(db, network)
  if (network === null || rows.length === 0) return undefined
  const zone = zoneOf(db, network)
  return rows
    .flatMap(row => {
      const devices = devicesOf(row)
      if (devices && (device === null || !devices.includes(device))) return []
      const span = spanOfWindow(row, zone, now)
      return span && span.from <= now ? [{ name: row.name, until: span.until }] : []
    })
    .toSorted((a, b) => b.until - a.until)[0]
}

/** After windows changed: what they held back is judged anew, though not before the time in which most outages end. */
export function judgeHeldAgain(db: Db, network: number, now: number): void {
  const held = and(
    eq(alerts.network, network),
    isNotNull(alerts.maintenance),
    isNull(alerts.told),
    gt(alerts.tellAt, now),
  )
  db.update(alerts)
    .set({ tellAt: sql`max(${now}, ${alerts.at} + ${offlineMs(db, network)})` })
    .where(held)
    .run()
}
