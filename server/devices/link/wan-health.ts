import { inArray } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { type WanState, wanStates } from '@/server/drivers/wan'
import { state } from '@/server/kernel/settings'

// How the ways to the internet were, by the turns they took: kept for twelve hours.

/** `unknown`: its gateway did not answer, or says nothing of it any more. */
export type ShownWan = WanState | 'unknown'
const turn = z.tuple([z.number(), z.enum([...wanStates, 'unknown'])])
/** From this moment on (unix ms) it was so. */
export type Turn = z.output<typeof turn>

const kept = state(
  'wanHealth',
  z.object({ devices: z.record(z.string(), z.record(z.string(), z.array(turn))).default({}) }),
)

const keptMs = limits.wanHealthHours * 3_600_000
/** A way that turns with every poll has no more in twelve hours. */
const mostTurns = 720

/** Turns of the last twelve hours, with the one that they began in. */
export const turnsSince = (turns: readonly Turn[], from: number): Turn[] => {
  const before = turns.filter(([at]) => at <= from).at(-1)
  return [...(before ? [before] : []), ...turns.filter(([at]) => at > from)].slice(-mostTurns)
}

/** Each way of a device by what it is known by, with its turns. */
export const wanTurns = (db: Db, device: number): Record<string, Turn[]> => kept.read(db).devices[device] ?? {}

/** How each way of all devices is now, and since when. */
export const latestTurns = (db: Db): { device: number; key: string; at: number; state: ShownWan }[] =>
  Object.entries(kept.read(db).devices).flatMap(([device, ways]) =>
    Object.entries(ways).flatMap(([key, turns]) => {
      const last = turns.at(-1)
      return last ? [{ device: Number(device), key, at: last[0], state: last[1] }] : []
    }),
  )

const forgotten = (turns: readonly Turn[], now: number) => {
  const last = turns.at(-1)
  return !last || (last[1] === 'unknown' && last[0] < now - keptMs)
}

export type Turned = { key: string; from: ShownWan | undefined; to: ShownWan }

/**
 * Keeps what a gateway says of its ways now; `states` undefined: it does not answer. Answers the ways that are
 * otherwise than before.
 */
export function noteWans(
  db: Db,
  device: number,
  states: Readonly<Record<string, WanState>> | undefined,
  now: number,
): Turned[] {
  const all = kept.read(db).devices
  const before = all[device] ?? {}
  const keys = [...new Set([...Object.keys(before), ...Object.keys(states ?? {})])]
  const turned = keys.flatMap((key): Turned[] => {
    const from = before[key]?.at(-1)?.[1]
    const to = states?.[key] ?? 'unknown'
    return from === to ? [] : [{ key, from, to }]
  })
  if (turned.length === 0) return []
  const after = keys.flatMap(key => {
    const to = turned.find(one => one.key === key)?.to
    const turns: Turn[] = [...(before[key] ?? []), ...(to ? [[now, to] as Turn] : [])]
    return forgotten(turns, now) ? [] : [[key, turnsSince(turns, now - keptMs)] as const]
  })
  const ids = Object.keys(all).map(Number)
  const there = new Set(
    db
      .select({ id: devices.id })
      .from(devices)
      .where(inArray(devices.id, [...ids, device]))
      .all()
      .map(row => String(row.id)),
  )
  const others = Object.entries(all).filter(([id]) => id !== String(device) && there.has(id))
  kept.change(db, { devices: Object.fromEntries([...others, [String(device), Object.fromEntries(after)]]) })
  return turned
}
