const width = 64
const height = 20

/**
 * A small line without axes beside the number it belongs to: what the number did lately. Unknown time is a gap, a value
 * that stands alone a dot. Decoration for the eye: the number and the chart behind it tell the same.
 */
export function Spark({ values }: { values: readonly (number | null)[] }) {
  const top = Math.max(1, ...values.map(value => value ?? 0))
  const x = (at: number) => ((at / Math.max(1, values.length - 1)) * width).toFixed(1)
  const y = (value: number) => (height - 1 - (value / top) * (height - 2)).toFixed(1)
  const path = values
    .map((value, at) => {
      if (value === null) return ''
      const before = values[at - 1] ?? null
      return before === null ? `M${x(at)} ${y(value)}h0` : `L${x(at)} ${y(value)}`
    })
    .join('')
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {path && <path d={path} />}
    </svg>
  )
}
