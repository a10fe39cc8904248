import { limits } from '@/model/limits'
import { intern } from '@/server/kernel/intern'
import type { HistoryStore } from './history'
import type { Sample } from './sample'
import type { Series } from './series'
import { bucketOf, tiers } from './tiers'

// How a gateway's ways to the internet did: all of them one series, each figure of a way where an interface's octets stand
// elsewhere, as a sum over the readings that told it.

const figures = ['lossPercent', 'latencyMs', 'jitterMs'] as const
type Figure = (typeof figures)[number]
/** Each undefined where it was not told. */
type Uplink = { key: string } & Partial<Record<Figure, number>>

const slotKey = (figure: Figure, key: string) => `${figure} ${key}`

/** One reading of all ways of a gateway. */
export function uplinkSample(ways: readonly Uplink[]): Sample {
  const cells = ways.flatMap(way =>
    figures.map(figure => [slotKey(figure, way.key), way[figure] ?? Number.NaN] as const),
  )
  return {
    answered: true,
    // A reading counts as one second: what is kept is how many there were.
    counters: {
      store: { keys: intern(cells.map(([key]) => key)), deltas: Float64Array.from(cells.flatMap(([, n]) => [n, 0])) },
      seconds: 1,
    },
  }
}

/** Columns as long as `at`, each bucket's start (unix s); null where nothing was told. */
export type UplinkHistory = {
  stepSeconds: number
  at: number[]
  ways: Record<string, Record<Figure, (number | null)[]>>
}

/** The last twelve hours of a gateway's ways, on average over five minutes each. */
export function uplinkHistory(
  store: Pick<HistoryStore, 'sums' | 'slotOf'>,
  { device, keys, now }: { device: number; keys: readonly string[]; now: number },
): UplinkHistory {
  const own: Series = { of: 'wan', id: device }
  const step = tiers[0].seconds
  const last = bucketOf(now, step)
  const steps = (limits.wanHealthHours * 3600) / step
  const at = Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * step)
  const all = at.map(bucket => store.sums(0, bucket, own, true))
  const column = (figure: Figure, key: string) => {
    const slot = store.slotOf(own, slotKey(figure, key))
    return all.map(sums => {
      const readings = sums?.known[slot] ?? 0
      return readings > 0 ? (sums?.octets[slot * 2] ?? 0) / readings : null
    })
  }
  const columns = (key: string) =>
    Object.fromEntries(figures.map(figure => [figure, column(figure, key)])) as Record<Figure, (number | null)[]>
  return { stepSeconds: step, at, ways: Object.fromEntries(keys.map(key => [key, columns(key)])) }
}
