import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alerts } from '@/db/schema'
import type { AlertType } from '@/model/notify/catalogue'

/** Recovers alerts of a type that are about nothing any more, and tells nobody. */
export const endQuietly = (db: Db, type: AlertType, where: SQL | undefined): void =>
  void db
    .update(alerts)
    .set({ recoveredAt: Date.now(), tellAt: null })
    .where(and(eq(alerts.type, type), isNull(alerts.recoveredAt), where))
    .run()

/** Puts an alert below the one that names its cause, or lets it stand for itself; `tellAt`: when it is told of. */
export const putBelow = (db: Db, id: number, parent: number | null, tellAt: number | null): void =>
  void db.update(alerts).set({ parent, tellAt }).where(eq(alerts.id, id)).run()

/** What an alert says while it is open, and how grave it is. */
export const restate = (db: Db, id: number, level: number, values: Record<string, string | number>): void =>
  void db
    .update(alerts)
    .set({ level, values: JSON.stringify(values) })
    .where(eq(alerts.id, id))
    .run()
