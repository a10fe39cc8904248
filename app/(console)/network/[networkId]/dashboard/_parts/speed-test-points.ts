import { niceCeil } from '@/app/_ui/chart-scale'
import { type Direction, directions, type SpeedFigures, type SpeedServer } from '@/model/dashboard/speed-test'

type Test = {
  state: string
  createdAt: number
  server: SpeedServer
  device: { id: number } | null
  figures: SpeedFigures
}
/** Places in a chart, in percent of its width and height. */
export type Point = { x: number; y: number }
export type SpeedChart<T> = {
  /** What is drawn, oldest first. */
  tests: T[]
  /** bit/s at the upper edge. */
  most: number
  points: Record<Direction, Point[]>
}

const isAlike = (one: Test, other: Test): boolean =>
  JSON.stringify(one.server) === JSON.stringify(other.server) && one.device?.id === other.device?.id

/**
 * The tests that were done like the newest, over time: against the same server and from the same place, as others cannot be
 * compared. Undefined where there are not two of them.
 */
export function speedChart<T extends Test>(newestFirst: readonly T[]): SpeedChart<T> | undefined {
  const done = newestFirst.filter(
    one => one.state === 'done' && directions.some(way => one.figures[way]?.bps !== undefined),
  )
  const [newest] = done
  const tests = done.filter(one => newest && isAlike(one, newest)).toReversed()
  const [first] = tests
  if (!first || !newest || tests.length < 2) return undefined
  const length = Math.max(1, newest.createdAt - first.createdAt)
  const all = tests.flatMap(one => directions.flatMap(way => one.figures[way]?.bps ?? []))
  const most = niceCeil(Math.max(...all))
  const pointsOf = (way: Direction): Point[] =>
    tests.flatMap(({ createdAt, figures }) => {
      const bps = figures[way]?.bps
      return bps === undefined ? [] : [{ x: ((createdAt - first.createdAt) / length) * 100, y: (bps / most) * 100 }]
    })
  return { tests, most, points: { download: pointsOf('download'), upload: pointsOf('upload') } }
}
