import { randomBytes, randomInt } from 'node:crypto'
import { part } from '@/server/kernel/part'

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
const alphabet = Object.keys(glyphs)
const length = 5
const lifeMs = 5 * 60_000
const mostOpen = 5000
/** Of one address: a flood from there ends its own codes, and nobody else's. */
const mostOfOne = 50

const jitter = (spread: number) => (randomInt(0, 1000) / 1000 - 0.5) * spread

function drawGlyph(letter: string, index: number): string {
  const turn = jitter(36)
  const strokes = (glyphs[letter] ?? '').split('|').map(stroke => {
    const points = stroke.split(' ').map(pair => {
      const [x = 0, y = 0] = pair.split(',').map(Number)
      return `${(x * 4.6 + jitter(2.4)).toFixed(1)} ${(y * 4.6 + jitter(2.4)).toFixed(1)}`
    })
    return `M${points.join('L')}`
  })
  const x = 12 + index * 29 + jitter(6)
  const y = 9 + jitter(9)
  return `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)} 9 14)" d="${strokes.join('')}"/>`
}

/** An SVG of 160 x 48 in `currentColor`, crossed by noise. */
export function drawCode(answer: string): string {
  const letters = [...answer].map(drawGlyph).join('')
  const noise = Array.from({ length: 4 }, () => {
    const ys = [0, 40, 120, 160].map(() => randomInt(4, 44))
    return `<path stroke-width="1.2" opacity=".55" d="M0 ${ys[0]}C40 ${ys[1]} 120 ${ys[2]} 160 ${ys[3]}"/>`
  }).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 48" width="160" height="48" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${letters}${noise}</svg>`
}

type GraphicalCodes = {
  issue(now: number, address: string): { code: string; codeToken: string }
  check(token: string | undefined, answer: string | undefined, now: number): boolean
}

/** Codes live five minutes and are good for one try, right or wrong. */
export function createGraphicalCodes(): GraphicalCodes {
  const open = new Map<string, { answer: string; until: number; address: string }>()
  return {
    issue(now, address) {
      for (const [token, entry] of open) if (entry.until < now || open.size >= mostOpen) open.delete(token)
      const own = [...open].filter(([, entry]) => entry.address === address)
      for (const [token] of own.slice(0, Math.max(0, own.length + 1 - mostOfOne))) open.delete(token)
      const answer = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
      const codeToken = randomBytes(18).toString('base64url')
      open.set(codeToken, { answer, until: now + lifeMs, address })
      return { code: drawCode(answer), codeToken }
    },
    check(token, answer, now) {
      const entry = token ? open.get(token) : undefined
      if (token) open.delete(token)
      return !!entry && entry.until >= now && entry.answer === answer?.trim().toUpperCase()
    },
  }
}

export const graphicalCodes = part('graphicalCodes', createGraphicalCodes)
