import type { Place } from './layout'

// How a link runs between two places: an SVG path, and where its words stand. Pure.

export type Way = { path: string; label: { x: number; y: number } }

const bend = 6

/** Down from the upper node, across, and down into the lower one. */
function trunk(upper: Place, lower: Place): Way {
  const [from, to] = [upper.x + upper.width / 2, lower.x + lower.width / 2]
  const [top, bottom] = [upper.y + upper.height, lower.y]
  const label = { x: to, y: bottom - 14 }
  if (Math.abs(from - to) < 1) return { path: `M${from} ${top}V${bottom}`, label }
  const across = Math.min(top + 24, (top + bottom) / 2)
  const turn = Math.sign(to - from) * Math.min(bend, Math.abs(to - from) / 2)
  const path = `M${from} ${top}V${across - bend}Q${from} ${across} ${from + turn} ${across}H${to - turn}Q${to} ${across} ${to} ${across + bend}V${bottom}`
  return { path, label }
}

/** Down beside what stands in between. */
function lane(upper: Place, lower: Place, rail: number): Way {
  const [from, to] = [upper.x + upper.width / 2, lower.x + lower.width / 2]
  const label = { x: to, y: lower.y - 14 }
  return { path: `M${from} ${upper.y + upper.height}v24H${rail}V${lower.y - 28}H${to}V${lower.y}`, label }
}

/** Along the rail beside a column of rows, and into the row. */
function rail(upper: Place, lower: Place): Way {
  const at = lower.x - 10
  const into = lower.y + lower.height / 2
  const top = upper.y + upper.height
  const straight = at >= upper.x && at <= upper.x + upper.width
  const centre = upper.x + upper.width / 2
  const start = straight ? `M${at} ${top}` : `M${centre} ${top}V${top + 12}H${at}`
  return { path: `${start}V${into - 5}Q${at} ${into} ${at + 5} ${into}H${lower.x}`, label: { x: at, y: into } }
}

/** Around: for what leads on no way from the gateway, and for what was put beside or above. */
function arc(upper: Place, lower: Place, nth: number): Way {
  const [a, b] = [upper, lower].map(one => ({
    x: one.x + one.width / 2,
    y: one.y + one.height / 2,
    half: one.width / 2,
  }))
  if (!a || !b) return { path: '', label: { x: 0, y: 0 } }
  const beside = Math.abs(a.x - b.x) > a.half + b.half
  const side = beside ? Math.sign(b.x - a.x) : 1
  const [from, to] = [a.x + a.half * side, b.x - b.half * (beside ? side : -1)]
  const out = beside ? Math.max(40, Math.abs(to - from) / 2) : 48 + nth * 16
  const [c, d] = beside ? [from + out * side, to - out * side] : [Math.max(from, to) + out, Math.max(from, to) + out]
  const drop = beside ? 18 + nth * 14 : 0
  return {
    path: `M${from} ${a.y}C${c} ${a.y + drop} ${d} ${b.y + drop} ${to} ${b.y}`,
    label: { x: (from + 3 * c + 3 * d + to) / 8, y: (a.y + b.y) / 2 + drop * 0.75 },
  }
}

/** The way of a link; `nth`: how many between the same two were drawn before it. */
export function wayOf(upper: Place, lower: Place, { extra = false, nth = 0 } = {}): Way {
  const isBelow = lower.y >= upper.y + upper.height + 10
  if (extra || nth > 0 || !isBelow) return arc(upper, lower, nth)
  if (lower.rail !== undefined) return lane(upper, lower, lower.rail)
  return lower.row ? rail(upper, lower) : trunk(upper, lower)
}
