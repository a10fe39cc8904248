import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deviceEvents, devices } from '@/db/schema'
import type { EventCode } from '@/server/drivers/words'
import type { Absence } from '@/server/history/query'

/** How long a device was what, of the time that is asked about; milliseconds. `outages`: those that fell into it. */
export type OnlineTime = {
  onlineMs: number
  offlineMs: number
  unknownMs: number
  outages: number
  longestMs: number
}
/** From `at` on; undefined: nobody knows. */
export type Turn = { at: number; online: boolean | undefined }

/** Adds up turns, the oldest first, between two moments (unix ms). */
export function onlineTime(turns: readonly Turn[], from: number, until: number): OnlineTime {
  const sum: OnlineTime = { onlineMs: 0, offlineMs: 0, unknownMs: 0, outages: 0, longestMs: 0 }
  const known = [{ at: from, online: undefined }, ...turns]
  for (const [index, { at, online }] of known.entries()) {
    const ms = Math.min(known[index + 1]?.at ?? until, until) - Math.max(at, from)
    if (ms <= 0) continue
    if (online === undefined) sum.unknownMs += ms
    else if (online) sum.onlineMs += ms
    else {
      sum.offlineMs += ms
      sum.outages += 1
      sum.longestMs = Math.max(sum.longestMs, ms)
    }
  }
  return sum
}

/** What each event of a device says of it from then on; behind another nobody knows whether it is on itself. */
const turning = {
  deviceOnline: true,
  deviceOffline: false,
  deviceBehind: undefined,
  deviceAlone: false,
} as const satisfies Partial<Record<EventCode, boolean | undefined>>
const isOnline = { 0: false, 1: true } as const

/** `behind`: another device is in the way; `seenAt`: its last answer before, where that is known. */
type DeviceTurn = Turn & { behind?: true; seenAt?: number }
type Row = Pick<typeof devices.$inferSelect, 'id' | 'status' | 'statusAt'>

/** Turns of devices, the oldest first, by their events and the state each is in now. */
function turnsOf(db: Db, rows: readonly Row[], which: SQL): Map<number, DeviceTurn[]> {
  const events = db
    .select({
      ...{ device: deviceEvents.device, at: deviceEvents.at, code: deviceEvents.code },
      seenAt: sql<number | null>`json_extract(${deviceEvents.values}, '$.seenAt')`,
    })
    .from(deviceEvents)
    .innerJoin(devices, eq(devices.id, deviceEvents.device))
    .where(and(which, inArray(deviceEvents.code, Object.keys(turning))))
    .orderBy(asc(deviceEvents.at), asc(deviceEvents.id))
    .all()
  const turns = new Map<number, DeviceTurn[]>(rows.map(row => [row.id, []]))
  for (const { device, at, code, seenAt } of events)
    turns.get(device)?.push({
      ...{ at, online: turning[code as keyof typeof turning] },
      ...(code === 'deviceBehind' && { behind: true, seenAt: seenAt ?? at }),
    })
  for (const { id, status, statusAt } of rows) {
    const own = turns.get(id) ?? []
    const online = isOnline[status as 0]
    const last = own.at(-1)
    // Who is behind another is offline to whoever polls it.
    const same = last && (last.online === online || (online === false && last.behind))
    if (!same) own.push({ at: statusAt, online })
  }
  return turns
}

/** Of each device of a network. */
export function onlineTimes(db: Db, network: number, from: number, until: number): Map<number, OnlineTime> {
  const own = eq(devices.network, network)
  const rows = db
    .select({ id: devices.id, status: devices.status, statusAt: devices.statusAt })
    .from(devices)
    .where(own)
    .all()
  return new Map([...turnsOf(db, rows, own)].map(([id, turns]) => [id, onlineTime(turns, from, until)]))
}

/**
 * When a device did not answer, until now (Unix ms): of itself, or because another one was in the way. The latter begins
 * with its last answer, from when on nobody could ask it.
 */
export function absencesOf(db: Db, device: number, now: number): Absence[] {
  const own = eq(devices.id, device)
  const rows = db
    .select({ id: devices.id, status: devices.status, statusAt: devices.statusAt })
    .from(devices)
    .where(own)
    .all()
  const turns = turnsOf(db, rows, own).get(device) ?? []
  return turns.flatMap(({ at, online, behind = false, seenAt }, index): Absence[] => {
    const until = turns[index + 1]?.at ?? now
    const away = until > at && (behind || online === false)
    return away ? [{ from: seenAt ?? at, until, behind }] : []
  })
}
