import { and, eq, gt, inArray, isNull, lte, not, or, type SQL } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alertConfigs, alerts, heldNotices, networks } from '@/db/schema'
import { quietEnd } from '@/model/notify/clock'
import { readConfig } from './config'

// Quiet hours of a network: what is not grave enough waits, for each who is told of it, and comes as one digest.

/** Who is told: an organization's mail (`target` null), or one of its targets. */
export type Recipient = { organization: number; target: number | null }

const of = ({ organization, target }: Recipient) =>
  and(
    eq(heldNotices.organization, organization),
    target === null ? isNull(heldNotices.target) : eq(heldNotices.target, target),
  )

/** Networks in which it is quiet now, until when, and what is grave enough to be told all the same. */
function quietNetworks(db: Db, now: number) {
  const rows = db
    .select({ network: networks.id, zone: networks.timezone })
    .from(alertConfigs)
    .innerJoin(networks, eq(networks.id, alertConfigs.network))
    .all()
  return rows.flatMap(({ network, zone }) => {
    const { quiet, quietFrom, quietUntil, quietLevel } = readConfig(db, network)
    const until = quiet ? quietEnd(zone, quietFrom, quietUntil, now) : undefined
    return until === undefined ? [] : [{ network, until, level: Number(quietLevel) }]
  })
}

const heldAlerts = (db: Db, who: Recipient, where?: SQL) =>
  db
    .select({ alert: heldNotices.alert })
    .from(heldNotices)
    .where(and(of(who), where))

/** Puts aside what of `fresh` is not to be told in the quiet hours of its network. */
export function holdQuiet(db: Db, who: Recipient, fresh: SQL | undefined, now: number): void {
  for (const { network, until, level } of quietNetworks(db, now)) {
    const waits = and(fresh, eq(alerts.network, network), gt(alerts.level, level))
    const rows = db
      .select({ id: alerts.id })
      .from(alerts)
      .where(and(waits, not(inArray(alerts.id, heldAlerts(db, who)))))
      .all()
    for (const { id } of rows)
      db.insert(heldNotices)
        .values({ ...who, alert: id, until })
        .run()
  }
}

/** What is to be told now: `fresh` without what is held, and what was held until now. */
export const tellable = (db: Db, who: Recipient, fresh: SQL | undefined, now: number): SQL | undefined =>
  or(
    and(fresh, not(inArray(alerts.id, heldAlerts(db, who)))),
    inArray(alerts.id, heldAlerts(db, who, lte(heldNotices.until, now))),
  )

/** Whether the quiet hours of something that was held have ended. */
export const isDigestDue = (db: Db, who: Recipient, now: number): boolean =>
  db
    .select({ id: heldNotices.id })
    .from(heldNotices)
    .where(and(of(who), lte(heldNotices.until, now)))
    .limit(1)
    .get() !== undefined

/** What was held until now has been told. */
export const forgetHeld = (db: Db, who: Recipient, now: number): void =>
  void db
    .delete(heldNotices)
    .where(and(of(who), lte(heldNotices.until, now)))
    .run()

/** Its quiet hours are others now: nothing waits for the former ones. */
export const endQuiet = (db: Db, network: number, now: number): void =>
  void db
    .update(heldNotices)
    .set({ until: now })
    .where(inArray(heldNotices.alert, db.select({ id: alerts.id }).from(alerts).where(eq(alerts.network, network))))
    .run()
