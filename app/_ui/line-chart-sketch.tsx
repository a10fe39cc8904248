import { alone, axisOf } from './chart-scale'
import type { PlotModel } from './line-chart-plot'

/** Height of the drawing in its own units; its width is one a step. */
const height = 1000

/** One line as an SVG path: it ends where nothing is known, and begins again. */
export function pathOf(values: readonly (number | null)[], place: (value: number) => number): string {
  const points = new Set(alone(values))
  const steps = values.map((value, at) =>
    value === null
      ? ''
      : `${values[at - 1] == null ? 'M' : 'L'}${at} ${Math.round(place(value))}${points.has(at) ? 'h0' : ''}`,
  )
  return steps.join('')
}

/**
 * The lines as they come with the page itself, at the place and scale that the chart will have: on a slow line its script
 * is there seconds later.
 */
export function Sketch(model: Pick<PlotModel, 'times' | 'series' | 'end' | 'unitOf' | 'whole' | 'start'>) {
  const { times, series, end, unitOf, whole, start } = model
  const { min, max } = axisOf(series, end, unitOf, whole, start)
  const place = (value: number) => ((max - value) / (max - min)) * height
  return (
    <svg
      className={unitOf ? 'sketch with-unit' : 'sketch'}
      viewBox={`0 0 ${Math.max(1, times.length - 1)} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line className="zero" x1="0" x2={times.length} y1={place(start ?? 0)} y2={place(start ?? 0)} />
      {series.map(({ label, color, values, mirrored }) => (
        <path key={label} d={pathOf(values, value => place(mirrored ? -value : value))} stroke={`var(--${color})`} />
      ))}
    </svg>
  )
}
