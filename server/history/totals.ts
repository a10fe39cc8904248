import { base } from './buckets'
import { pause, secondsOf, type Tiers } from './roll-up'
import { totalOf } from './sums'
import { tiers } from './tiers'

/** What a device carried in a time, and the seconds of it for which that is known. */
export type Total = { inOctets: number; outOctets: number; seconds: number }

function addTotal(found: Map<number, Total>, device: number, part: Total | undefined): void {
  if (!part) return
  const { inOctets = 0, outOctets = 0, seconds = 0 } = found.get(device) ?? {}
  found.set(device, {
    inOctets: inOctets + part.inOctets,
    outOctets: outOctets + part.outOctets,
    seconds: seconds + part.seconds,
  })
}

/** The coarsest tier of which a whole, finished bucket begins at `at` and ends by `until` (unix s). */
export function coarsestAt(rolled: readonly number[], at: number, until: number): number {
  for (let tier = tiers.length - 1; tier > 0; tier--) {
    const step = secondsOf(tier)
    if (at % step === 0 && at + step <= Math.min(until, rolled[tier] ?? 0)) return tier
  }
  return 0
}

/** Octets of every device between two times (unix s), from the coarsest buckets that fit; yields between buckets. */
export async function totals({ file, buckets, rolled }: Tiers, from: number, until: number) {
  const { open } = buckets
  const found = new Map<number, Total>()
  for (let at = Math.floor(from / base) * base; at < until; ) {
    const tier = coarsestAt(rolled, at, until)
    // Networks are kept under negative numbers; what is open is newer in memory.
    const rows = file.rowsIn(tier, at).filter(({ device }) => device > 0 && open.get(device)?.bucket !== at)
    for (const { device, data } of rows) addTotal(found, device, totalOf(data))
    at += secondsOf(tier)
    await pause()
  }
  const held = [...open].filter(([device, { bucket }]) => device > 0 && bucket >= from && bucket < until)
  for (const [device, one] of held) addTotal(found, device, one.sums)
  return found
}
