import {
  fitted,
  opening,
  scales,
  showing,
  steadied,
  zoomed,
} from '@/app/(console)/network/[networkId]/insight/topology/_parts/view'

const size = { width: 800, height: 600 }
const place = (x: number, y: number) => ({ x, y, width: 100, height: 40, row: false })
const onScreen = (view: { x: number; y: number; k: number }, at: { x: number; y: number }) => ({
  x: view.x + at.x * view.k,
  y: view.y + at.y * view.k,
})

test('all of it is on the screen, and never larger than drawn', () => {
  for (const bounds of [
    { x: -50, y: 20, width: 5000, height: 900 },
    { x: 0, y: 0, width: 60, height: 40 },
  ]) {
    const view = fitted(bounds, size)
    expect(view.k).toBeLessThanOrEqual(1)
    const [low, high] = [
      onScreen(view, bounds),
      onScreen(view, { x: bounds.x + bounds.width, y: bounds.y + bounds.height }),
    ]
    expect(low.x).toBeGreaterThanOrEqual(0)
    expect(low.y).toBeGreaterThanOrEqual(0)
    expect(high.x).toBeLessThanOrEqual(size.width)
    expect(high.y).toBeLessThanOrEqual(size.height)
  }
})

test('a network too large to be read whole opens at its first node, in readable size', () => {
  const view = opening({ x: 0, y: 0, width: 20_000, height: 900 }, place(9000, 0), size)
  expect(view.k).toBe(scales.readable)
  const at = onScreen(view, { x: 9050, y: 0 })
  expect(at.x).toBeCloseTo(400)
  expect(at.y).toBeGreaterThan(0)
})

test('zooming keeps the point under the pointer, within its bounds', () => {
  const view = { x: 10, y: -30, k: 0.8 }
  const at = { x: 333, y: 222 }
  const point = { x: (at.x - view.x) / view.k, y: (at.y - view.y) / view.k }
  expect(onScreen(zoomed(view, 1.7, at), point).x).toBeCloseTo(at.x)
  expect(onScreen(zoomed(view, 1.7, at), point).y).toBeCloseTo(at.y)
  expect(zoomed(view, 1e9, at).k).toBe(scales.most)
  expect(zoomed(view, 1e-9, at).k).toBe(scales.least)
})

test('a node that is on the screen moves nothing, one beside it as little as it takes', () => {
  const view = { x: 0, y: 0, k: 1 }
  expect(showing(view, place(300, 300), size)).toEqual(view)
  expect(showing(view, place(900, 300), size).x).toBe(800 - 28 - 1000)
  expect(showing(view, place(-50, 300), size).x).toBe(78)
})

test('after a new drawing, what stood in the middle stays there', () => {
  const view = { x: 0, y: 0, k: 1 }
  const before = new Map([
    ['a', place(350, 280)],
    ['b', place(0, 0)],
  ])
  const after = new Map([
    ['a', place(550, 380)],
    ['b', place(0, 0)],
  ])
  const next = steadied(view, size, before, after)
  expect(onScreen(next, { x: 550, y: 380 })).toEqual({ x: 350, y: 280 })
  expect(steadied(view, size, before, new Map())).toEqual(view)
})
