import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deviceEvents, devices } from '@/db/schema'
import type { EventCode } from '@/server/drivers/words'

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

const turning = ['deviceOnline', 'deviceOffline'] as const satisfies EventCode[]
const isOnline = { 0: false, 1: true } as const

/** Of each device of a network, by its events and the state it is in now. */
export function onlineTimes(db: Db, network: number, from: number, until: number): Map<number, OnlineTime> {
  const rows = db
    .select({ id: devices.id, status: devices.status, statusAt: devices.statusAt })
    .from(devices)
    .where(eq(devices.network, network))
    .all()
  const events = db
    .select({ device: deviceEvents.device, at: deviceEvents.at, code: deviceEvents.code })
    .from(deviceEvents)
    .innerJoin(devices, eq(devices.id, deviceEvents.device))
    .where(and(eq(devices.network, network), inArray(deviceEvents.code, [...turning])))
    .orderBy(asc(deviceEvents.at), asc(deviceEvents.id))
    .all()
  const turns = new Map<number, Turn[]>(rows.map(row => [row.id, []]))
  for (const { device, at, code } of events) turns.get(device)?.push({ at, online: code === 'deviceOnline' })
  return new Map(
    rows.map(({ id, status, statusAt }) => {
      const own = turns.get(id) ?? []
      const online = isOnline[status as 0]
      const now = own.at(-1)?.online === online ? [] : [{ at: statusAt, online }]
      return [id, onlineTime([...own, ...now], from, until)]
    }),
  )
}
