import { and, count, eq, gte, isNull, or, sql } from 'drizzle-orm'
import { guests } from '@/db/schema'
import { guestStates } from '@/model/guests/session'
import { dayStart } from '@/model/places'
import type { NetworkContext } from '@/server/kernel/call'

/** `method`: model/guests/methods.ts. `in`: now; the others since midnight of the network's zone. */
export type MethodCounts = { method: number; in: number; came: number; refused: number }

const sum = (condition: ReturnType<typeof sql>) => sql<number>`sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`

/** Guests by the way they came in, or were refused; a way that nobody tried is left out. `ever`: the network had a guest. */
export function countsByMethod({ runtime: { db }, network, now }: NetworkContext) {
  const since = dayStart(network.timezone, now)
  const own = eq(guests.network, network.id)
  const failed = sql`${guests.state} = ${guestStates.failed}`
  const today = sql`${guests.started} >= ${since}`
  const methods: MethodCounts[] = db
    .select({
      method: guests.method,
      in: sum(sql`${guests.ended} IS NULL`),
      came: sum(sql`${today} AND NOT ${failed}`),
      refused: sum(sql`${today} AND ${failed}`),
    })
    .from(guests)
    .where(and(own, or(isNull(guests.ended), gte(guests.started, since))))
    .groupBy(guests.method)
    .orderBy(guests.method)
    .all()
  const ever = (db.select({ n: count() }).from(guests).where(own).get()?.n ?? 0) > 0
  return { ever, methods }
}
