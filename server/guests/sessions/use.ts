import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { type guests, guestUse, networks } from '@/db/schema'
import type { GuestEnd } from '@/model/guests/session'
import { dayStart, offsetMinutes } from '@/model/places'
import type { PortalFields } from '@/model/profiles/portal'
import { dataBytes } from '@/model/rules'
import type { Runtime } from '@/server/kernel/runtime'

// What guests without a voucher use in a day and in a month, and what their portal leaves them of it.

type Guest = typeof guests.$inferSelect
type Device = Pick<Guest, 'network' | 'mac' | 'method'>
type Limits = Pick<PortalFields, 'useLimit' | 'dailyMinutes' | 'dailyData' | 'monthlyData'>

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** What is less is nothing: no gateway lets in for it. */
const leastMs = 1000

type Day = { start: number; next: number }
const lately = new Map<string, Day>()

/** The day of a moment in a zone; clocks change by less than twelve hours. */
function dayOf(zone: string, at: number): Day {
  const known = lately.get(zone)
  if (known && at >= known.start && at < known.next) return known
  const start = dayStart(zone, at)
  const found = { start, next: dayStart(zone, start + 36 * hourMs) }
  lately.set(zone, found)
  return found
}

/** When the month of a moment began, and when the next one does. */
export function monthOf(zone: string, at: number): Day {
  const { start } = dayOf(zone, at)
  const local = new Date(start + offsetMinutes(zone, start) * 60_000)
  const noon = start + 12 * hourMs - (local.getUTCDate() - 1) * dayMs
  const days = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
  return { start: dayStart(zone, noon), next: dayStart(zone, noon + days * dayMs) }
}

export const zoneOf = (db: Db, network: number): string =>
  prepared(db, 'zone of network', () =>
    db
      .select({ zone: networks.timezone })
      .from(networks)
      .where(eq(networks.id, sql.placeholder('network')))
      .prepare(),
  ).get({ network })?.zone ?? 'UTC'

const adding = (db: Db) =>
  prepared(db, 'use of guest', () => {
    const [network, mac, day, method, ms, bytes] = ['network', 'mac', 'day', 'method', 'ms', 'bytes'].map(
      sql.placeholder,
    )
    return db
      .insert(guestUse)
      .values({ network, mac, day, method, ms, bytes } as never)
      .onConflictDoUpdate({
        target: [guestUse.network, guestUse.mac, guestUse.day, guestUse.method],
        set: { ms: sql`${guestUse.ms} + excluded.ms`, bytes: sql`${guestUse.bytes} + excluded.bytes` },
      })
      .prepare()
  })

/** Adds what a session used since it was counted last: its time to each day that it touched, its bytes to the last. */
export function countUse({ db }: Pick<Runtime, 'db'>, guest: Guest, until: number, bytes = 0): void {
  if (guest.voucher !== null) return
  const { network, mac, method, countedAt, ends } = guest
  const zone = zoneOf(db, network)
  const end = Math.max(countedAt, Math.min(until, ends))
  for (let from = countedAt; from < end || (from === end && bytes > 0); ) {
    const { start, next } = dayOf(zone, from)
    const to = Math.min(next, end)
    adding(db).run({ network, mac, method, day: start, ms: to - from, bytes: to === end ? bytes : 0 })
    if (to === end) return
    from = to
  }
}

type Used = { ms: number; bytes: number; monthBytes: number }

function usedOf(db: Db, { network, mac, method }: Device, each: boolean, today: Day, month: Day): Used {
  const rows = prepared(db, 'use of device', () => {
    const own = and(eq(guestUse.network, sql.placeholder('network')), eq(guestUse.mac, sql.placeholder('mac')))
    return db
      .select()
      .from(guestUse)
      .where(and(own, gte(guestUse.day, sql.placeholder('since'))))
      .prepare()
  }).all({ network, mac, since: month.start })
  const counted = rows.filter(one => !each || one.method === method)
  const now = counted.filter(one => one.day >= today.start)
  const sum = (all: typeof rows, of: 'ms' | 'bytes') => all.reduce((total, one) => total + one[of], 0)
  return { ms: sum(now, 'ms'), bytes: sum(now, 'bytes'), monthBytes: sum(counted, 'bytes') }
}

export type UseLeft = {
  /** Nothing is left: of what, and when there is again (unix ms). */
  none?: { why: Extract<GuestEnd, 'dailyTime' | 'dailyBytes' | 'monthlyBytes'>; again: number }
  /** How long a session may last from now, through midnight into what the next day has; absent: no limit, as for `bytes`. */
  ms?: number
  bytes?: number
}

/** What a portal leaves a device, by a way in. */
export function restOf({ db }: Pick<Runtime, 'db'>, policy: Limits, device: Device, now: number): UseLeft {
  if ((policy.useLimit ?? 'off') === 'off') return {}
  const zone = zoneOf(db, device.network)
  const [today, month] = [dayOf(zone, now), monthOf(zone, now)]
  const used = usedOf(db, device, policy.useLimit === 'method', today, month)
  const { dailyMinutes, dailyData, monthlyData } = policy
  const ms = dailyMinutes === undefined ? undefined : dailyMinutes * 60_000 - used.ms
  const ofDay = dailyData === undefined ? undefined : dataBytes(dailyData) - used.bytes
  const ofMonth = monthlyData === undefined ? undefined : dataBytes(monthlyData) - used.monthBytes
  if (ofMonth !== undefined && ofMonth <= 0) return { none: { why: 'monthlyBytes', again: month.next } }
  if (ofDay !== undefined && ofDay <= 0) return { none: { why: 'dailyBytes', again: today.next } }
  if (ms !== undefined && ms < leastMs) return { none: { why: 'dailyTime', again: today.next } }
  const toMidnight = today.next - now
  const bytes = [ofDay, ofMonth].filter(one => one !== undefined)
  return {
    ...(ms !== undefined && { ms: ms < toMidnight ? ms : toMidnight + (dailyMinutes ?? 0) * 60_000 }),
    ...(bytes.length > 0 && { bytes: Math.min(...bytes) }),
  }
}

/** A session's bounds, drawn in to what is left. */
export const withinUse = <T extends { seconds: number; bytes?: number }>(bounds: T, { ms, bytes }: UseLeft): T => ({
  ...bounds,
  ...(ms !== undefined && { seconds: Math.min(bounds.seconds, Math.floor(ms / 1000)) }),
  ...(bytes !== undefined && { bytes: Math.min(bounds.bytes ?? bytes, bytes) }),
})

/** No limit looks back further than a month. */
export function trimUse({ db }: Pick<Runtime, 'db'>, now: number): void {
  db.delete(guestUse)
    .where(lt(guestUse.day, now - 32 * dayMs))
    .run()
}
