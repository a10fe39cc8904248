import type { WanReading } from '@/server/drivers/observation'
import type { WanState } from '@/server/drivers/wan'

// Whether a way to the internet is online, degraded or offline, by one reading after the other. Pure.

/** A reading with this much lost, or this slow, is a bad one; `leastMs`: so quick nobody feels what it was before. */
const bounds = { lossPercent: 3, latencyMs: 200, timesUsual: 3, leastMs: 50 }
/** Where a device is read more rarely, the reading before counts for so long. */
const rareMs = 600_000
/** Latencies by which it is known what is usual, of readings that were good. */
const usual = { least: 30, most: 720 }

export type UplinkMemory = {
  state: WanState
  /** When it was read last, and when the bad ones of late were, unix ms. */
  at: number
  bad: readonly number[]
  usualMs: readonly number[]
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function isBad({ lossPercent = 0, latencyMs = 0 }: WanReading, usualMs: readonly number[]): boolean {
  if (lossPercent >= bounds.lossPercent || latencyMs >= bounds.latencyMs) return true
  if (usualMs.length < usual.least || latencyMs < bounds.leastMs) return false
  return latencyMs >= median(usualMs) * bounds.timesUsual
}

/**
 * What a way is after a reading at `at` (unix ms). Its gateway says whether it is up, after rounds without any answer; one
 * bad reading changes nothing. Two within `windowMs` degrade a way, and that time without any brings it back.
 */
export function judgeUplink(
  before: UplinkMemory | undefined,
  reading: WanReading,
  at: number,
  windowMs = 60_000,
): UplinkMemory {
  const usualMs = before?.usualMs ?? []
  if (!reading.up) return { state: 'offline', at, bad: [at], usualMs }
  const isLate = (one: number) => at - one <= windowMs || (one === before?.at && at - one <= rareMs)
  const wasBad = before?.bad.filter(isLate) ?? []
  const bad = isBad(reading, usualMs) ? [...wasBad, at] : wasBad
  const held = before !== undefined && before.state !== 'online' && at - (bad.at(-1) ?? 0) < windowMs
  const { latencyMs } = reading
  const isKept = latencyMs !== undefined && bad.at(-1) !== at
  return {
    state: bad.length > 1 || held ? 'degraded' : 'online',
    ...{ at, bad },
    usualMs: isKept ? [...usualMs, latencyMs].slice(-usual.most) : usualMs,
  }
}
