/** A series of a chart: one value for each time; null where nothing is known, which is never drawn as 0. */
export type Series = {
  label: string
  /** Token's name without the dashes: `chart-1` … `chart-6`. */
  color: string
  values: (number | null)[]
  /** Drawn below the zero line, on the same scale: upload under download. */
  mirrored?: boolean
}
export type Unit = { factor: number; unit: string }

const steps = [1, 2, 2.5, 5, 10]

/** The smallest of 1, 2, 2.5, 5 × 10^n that is not below `value`; 0 and less give 1. */
export function niceCeil(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value) + 1e-12)
  const step = steps.find(one => one * power >= value * (1 - 1e-9)) ?? 10
  return step * power
}

const largest = (values: (number | null)[]) => values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)

/**
 * Ends of the axis and its 3-6 ticks, in the values' own unit. `end` fixes the upper end, for budgets and percent;
 * `factor` turns ticks round in the shown unit (1,000,000 for Mbps); `whole`: of things that are counted; `start` fixes the
 * lower end too, of values that are below zero by nature (dBm).
 */
export function axisOf(
  series: readonly Series[],
  end?: number,
  unitOf: (max: number) => Unit = () => one,
  whole = false,
  start?: number,
) {
  if (start !== undefined) return fixedAxis(start, end ?? 0, unitOf)
  const above = Math.max(...series.filter(one => !one.mirrored).map(one => largest(one.values)), 0)
  const below = Math.max(...series.filter(one => one.mirrored).map(one => largest(one.values)), 0)
  const unit = unitOf(Math.max(above, below, end ?? 0))
  const hasBelow = series.some(one => one.mirrored)
  const half = end ? end / 2 : (niceCeil(Math.max(above, below) / unit.factor) / 2) * unit.factor
  const step = whole ? Math.ceil(half) : half
  const max = end ?? (hasBelow ? Math.max(step, Math.ceil(above / step - 1e-9) * step) : 2 * step)
  const min = hasBelow ? -Math.max(step, Math.ceil(below / step - 1e-9) * step) : 0
  const ticks: number[] = []
  for (let tick = min; tick <= max + step / 1e6; tick += step) ticks.push(Math.abs(tick) < step / 1e6 ? 0 : tick)
  return { min, max, ticks, unit }
}
const one: Unit = { factor: 1, unit: '' }

function fixedAxis(min: number, max: number, unitOf: (max: number) => Unit) {
  const step = (max - min) / 4
  return { min, max, ticks: [0, 1, 2, 3, 4].map(at => min + at * step), unit: unitOf(max) }
}

/** Places of values with nothing known on either side: no line leads there, so they are drawn as points. */
export const alone = (values: readonly (number | null | undefined)[]): number[] =>
  values.flatMap((value, at) => (value != null && values[at - 1] == null && values[at + 1] == null ? [at] : []))

/** Runs of indexes where no series has a value: [from, to], both inside. */
export function unknownRuns(series: readonly Series[], count: number): [number, number][] {
  const runs: [number, number][] = []
  for (let i = 0; i < count; i++) {
    if (series.some(one => one.values[i] !== null && one.values[i] !== undefined)) continue
    const last = runs.at(-1)
    if (last && last[1] === i - 1) last[1] = i
    else runs.push([i, i])
  }
  return runs
}
