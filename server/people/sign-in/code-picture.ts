import { randomInt } from 'node:crypto'

// Strokes on a 4 x 6 grid, pen moves as "x,y x,y|…": drawn, so that the answer stands nowhere as text.
export const glyphs: Record<string, string> = {
  A: '0,6 2,0 4,6|1,4 3,4',
  C: '4,1 2,0 0,2 0,4 2,6 4,5',
  E: '4,0 0,0 0,6 4,6|0,3 3,3',
  F: '4,0 0,0 0,6|0,3 3,3',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  J: '1,0 4,0|3,0 3,5 2,6 0,5',
  K: '0,0 0,6|4,0 0,3 4,6',
  L: '0,0 0,6 4,6',
  M: '0,6 0,0 2,3 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 3,0 4,1 4,2 3,3 0,3',
  R: '0,6 0,0 3,0 4,1 4,2 3,3 0,3|2,3 4,6',
  T: '0,0 4,0|2,0 2,6',
  U: '0,0 0,5 1,6 3,6 4,5 4,0',
  V: '0,0 2,6 4,0',
  W: '0,0 1,6 2,3 3,6 4,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  Z: '0,0 4,0 0,6 4,6',
  '4': '3,6 3,0 0,4 4,4',
  '7': '0,0 4,0 1,6',
}
export const letters = Object.keys(glyphs)

type Point = readonly [x: number, y: number]
const jitter = (spread: number) => (randomInt(0, 1000) / 1000 - 0.5) * spread

/** The pen's ways of one letter, in the picture's own units. */
function waysOf(letter: string, index: number): Point[][] {
  const turn = (jitter(36) * Math.PI) / 180
  const [left, top] = [12 + index * 29 + jitter(6), 9 + jitter(9)]
  const turned = (x: number, y: number): Point => [
    left + 9 + (x - 9) * Math.cos(turn) - (y - 14) * Math.sin(turn),
    top + 14 + (x - 9) * Math.sin(turn) + (y - 14) * Math.cos(turn),
  ]
  return (glyphs[letter] ?? '').split('|').map(stroke =>
    stroke.split(' ').map(pair => {
      const [x = 0, y = 0] = pair.split(',').map(Number)
      return turned(x * 4.6 + jitter(2.4), y * 4.6 + jitter(2.4))
    }),
  )
}

/** A line through the whole picture, of pieces as long as those of the letters. */
const strayLine = (): Point[] => {
  const [from, slope, bend] = [randomInt(8, 40), jitter(0.3), jitter(16)]
  return Array.from({ length: 17 }, (_, n) => [n * 10, from + slope * n * 10 + bend * Math.sin(n / 3)])
}

/** The ways cut into short pieces, each drawn in either direction. */
function piecesOf(ways: readonly Point[][]): string[] {
  const shown = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
  return ways.flatMap(points =>
    points.slice(1).flatMap((to, at) => {
      const from = points[at] ?? to
      const middle: Point = [(from[0] + to[0]) / 2 + jitter(1), (from[1] + to[1]) / 2 + jitter(1)]
      return [
        [from, middle],
        [middle, to],
      ].map(piece => {
        const [a, b] = randomInt(2) === 0 ? piece : piece.toReversed()
        return a && b ? `M${shown(a)}L${shown(b)}` : ''
      })
    }),
  )
}

function shuffled<T>(list: readonly T[]): T[] {
  const keyed = list.map(one => [randomInt(1 << 30), one] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, one]) => one)
}

/**
 * An SVG of 160 x 48 in `currentColor`, crossed by stray lines. All is one path of short pieces in no order: which of them
 * make a letter is seen only by whoever looks at the picture.
 */
export function drawCode(answer: string): string {
  const ways = [...[...answer].flatMap(waysOf), strayLine(), strayLine()]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 48" width="160" height="48" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="${shuffled(piecesOf(ways)).join('')}"/></svg>`
}
