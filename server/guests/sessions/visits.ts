import { and, count, eq, exists, gte, isNull, lt, ne, or } from 'drizzle-orm'
import { guests, portalVisits } from '@/db/schema'
import { guestStates } from '@/model/guests/session'
import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'

// Whom the portal asked how they want to come in, for the one figure that says how many then did.

const keptMs = 2 * 86_400_000

/** A device was shown the ways in. Of devices that make up addresses a network keeps so many, and no more. */
export function noteVisit({ db }: Runtime, network: number, mac: string, now: number): void {
  const own = eq(portalVisits.network, network)
  db.transaction(tx => {
    const { changes } = tx
      .update(portalVisits)
      .set({ at: now })
      .where(and(own, eq(portalVisits.mac, mac)))
      .run()
    if (changes > 0) return
    const kept = tx.select({ n: count() }).from(portalVisits).where(own).get()?.n ?? 0
    if (kept < limits.portalVisits) tx.insert(portalVisits).values({ network, mac, at: now }).run()
  })
}

export const trimVisits = ({ db }: Runtime, now: number): void => {
  db.delete(portalVisits)
    .where(lt(portalVisits.at, now - keptMs))
    .run()
}

/** Devices that were asked since then, unix ms, and how many of those are in or came in since. */
export function visitCounts({ db }: Runtime, network: number, since: number): { visits: number; entered: number } {
  const asked = and(eq(portalVisits.network, network), gte(portalVisits.at, since))
  const came = db
    .select({ id: guests.id })
    .from(guests)
    .where(
      and(
        eq(guests.network, network),
        eq(guests.mac, portalVisits.mac),
        ne(guests.state, guestStates.failed),
        or(isNull(guests.ended), gte(guests.started, since)),
      ),
    )
  const counted = (more?: ReturnType<typeof exists>) =>
    db.select({ n: count() }).from(portalVisits).where(and(asked, more)).get()?.n ?? 0
  return { visits: counted(), entered: counted(exists(came)) }
}
