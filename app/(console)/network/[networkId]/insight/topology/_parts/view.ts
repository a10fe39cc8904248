import type { Bounds, Place } from './layout'

// Which part of the drawing is on the screen: a point of it stands at `x + k × point`. Pure.

export type View = { x: number; y: number; k: number }
export type Size = { width: number; height: number }

export const scales = { least: 0.04, most: 2.5, readable: 0.62, plain: 0.9 }
const margin = 28
const clamp = (k: number) => Math.max(scales.least, Math.min(scales.most, k))

/** All of it, in the middle, never larger than drawn. */
export function fitted(bounds: Bounds, { width, height }: Size): View {
  const k = clamp(Math.min(1, (width - margin * 2) / bounds.width, (height - margin * 2) / bounds.height))
  const top = (height - bounds.height * k) / 2
  return {
    k,
    x: (width - bounds.width * k) / 2 - bounds.x * k,
    y: Math.max(margin, Math.min(top, margin * 2)) - bounds.y * k,
  }
}

/** What one sees first: all of it where that can be read, else the first node and what is below it. */
export function opening(bounds: Bounds, first: Place | undefined, size: Size): View {
  const whole = fitted(bounds, size)
  if (whole.k >= scales.readable || !first) return whole
  const k = scales.readable
  return { k, x: size.width / 2 - (first.x + first.width / 2) * k, y: margin - first.y * k }
}

/** Larger or smaller about a point of the screen. */
export function zoomed(view: View, factor: number, at: { x: number; y: number }): View {
  const k = clamp(view.k * factor)
  const by = k / view.k
  return { k, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

/** Moved as little as it takes for a place to be on the screen; `centred`: to its middle, and large enough to be read. */
export function showing(view: View, place: Place, size: Size, centred = false): View {
  const k = centred ? Math.max(view.k, scales.plain) : view.k
  if (centred)
    return {
      k,
      x: size.width / 2 - (place.x + place.width / 2) * k,
      y: size.height / 2 - (place.y + place.height / 2) * k,
    }
  const moved = (now: number, start: number, length: number, room: number) => {
    const [low, high] = [now + start * k, now + (start + length) * k]
    if (low < margin) return now + margin - low
    return high > room - margin ? now + room - margin - high : now
  }
  return { k, x: moved(view.x, place.x, place.width, size.width), y: moved(view.y, place.y, place.height, size.height) }
}

/** After a new drawing: what stood nearest to the middle of the screen stays where it is. */
export function steadied(
  view: View,
  { width, height }: Size,
  before: ReadonlyMap<string, Place>,
  after: ReadonlyMap<string, Place>,
): View {
  const centre = { x: (width / 2 - view.x) / view.k, y: (height / 2 - view.y) / view.k }
  let best: { far: number; dx: number; dy: number } | undefined
  for (const [id, was] of before) {
    const is = after.get(id)
    if (!is) continue
    const far = Math.hypot(was.x + was.width / 2 - centre.x, was.y + was.height / 2 - centre.y)
    if (!best || far < best.far) best = { far, dx: is.x - was.x, dy: is.y - was.y }
  }
  return best ? { ...view, x: view.x - best.dx * view.k, y: view.y - best.dy * view.k } : view
}
