import { randomBytes, randomInt } from 'node:crypto'
import { part } from '@/server/kernel/part'
import { drawCode, letters } from './code-picture'
import { speakCode } from './code-speech'

const length = 5
const lifeMs = 5 * 60_000
const mostOpen = 5000
/** Of one address: a flood from there ends its own codes, and nobody else's. */
const mostOfOne = 50
/** Letters that sound alike are many: what is heard is digits. */
const digits = [...'0123456789']

const picked = (alphabet: readonly string[]) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')

type GraphicalCodes = {
  /** To be seen: an SVG. */
  issue(now: number, address: string): { code: string; codeToken: string }
  /** To be heard: a WAV file in base64. */
  issueSpoken(now: number, address: string): { audio: string; codeToken: string }
  check(token: string | undefined, answer: string | undefined, now: number): boolean
}

/** Codes live five minutes and are good for one try, right or wrong. */
export function createGraphicalCodes(): GraphicalCodes {
  const open = new Map<string, { answer: string; until: number; address: string }>()
  const keep = (answer: string, now: number, address: string) => {
    for (const [token, entry] of open) if (entry.until < now || open.size >= mostOpen) open.delete(token)
    const own = [...open].filter(([, entry]) => entry.address === address)
    for (const [token] of own.slice(0, Math.max(0, own.length + 1 - mostOfOne))) open.delete(token)
    const codeToken = randomBytes(18).toString('base64url')
    open.set(codeToken, { answer, until: now + lifeMs, address })
    return codeToken
  }
  return {
    issue(now, address) {
      const answer = picked(letters)
      return { code: drawCode(answer), codeToken: keep(answer, now, address) }
    },
    issueSpoken(now, address) {
      const answer = picked(digits)
      return { audio: speakCode(answer).toString('base64'), codeToken: keep(answer, now, address) }
    },
    check(token, answer, now) {
      const entry = token ? open.get(token) : undefined
      if (token) open.delete(token)
      return !!entry && entry.until >= now && entry.answer === answer?.replace(/\s/g, '').toUpperCase()
    },
  }
}

export const graphicalCodes = part('graphicalCodes', createGraphicalCodes)
