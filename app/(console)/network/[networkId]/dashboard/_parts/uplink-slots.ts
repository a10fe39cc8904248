import type { CallOutput } from '@/app/_api/client'

type Overview = CallOutput<'dashboard/wan-overview'>
export type Uplink = Overview['result'][number]
export type UplinkState = Uplink['state']
type Slot = { from: number; until: number; state: UplinkState }

/** Worst first: a slot shows the worst that was in it. */
const order: readonly UplinkState[] = ['offline', 'degraded', 'unknown', 'online']

/** The time from `from` to `until` (unix ms) in so many slots of equal length; before its first turn nothing is known. */
export function slotsOf(turns: Uplink['turns'], from: number, until: number, count: number): Slot[] {
  const length = (until - from) / count
  const parts = turns.map(([at, state], index) => ({ at, until: turns[index + 1]?.[0] ?? until, state }))
  const before = { at: Number.NEGATIVE_INFINITY, until: parts[0]?.at ?? until, state: 'unknown' as const }
  return Array.from({ length: count }, (_, index) => {
    const start = from + index * length
    const end = start + length
    const seen = [before, ...parts].filter(part => part.at < end && part.until > start).map(part => part.state)
    return { from: start, until: end, state: order.find(state => seen.includes(state)) ?? 'unknown' }
  })
}
