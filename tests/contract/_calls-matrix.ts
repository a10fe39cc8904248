// What every call is sent that it should refuse.

import * as z from 'zod'
import { codes } from '@/model/codes'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { sampled } from '../_sample'
import { type Browser, finishedWizard, type Manager } from '../server/_manager'
import { wordAt } from './_tree'
import { startWholeManager } from './_whole'

export const every = calls as readonly AnyCall[]
const table = every.map(call => [call.path, call] as const)

export let manager: Manager
export let browser: Browser

/** Each file of these has a manager of its own. */
export function setUp(): void {
  beforeAll(async () => {
    manager = await startWholeManager()
    browser = await finishedWizard(manager)
  })
  afterAll(() => manager.stop())
}

// What reading changes by itself: when a session was seen last.
const moving = new Set(['sessions', '__drizzle_migrations', 'sqlite_sequence', 'known_browsers'])
/** All that is stored. */
export const stored = () => {
  const names = manager.runtime.sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(row => (row as { name: string }).name)
    .filter(name => !moving.has(name))
  return JSON.stringify(names.map(name => [name, manager.runtime.sqlite.prepare(`SELECT * FROM "${name}"`).all()]))
}

type Refused = { retCode: number; data: { fields?: Record<string, string>; requestId?: string } }
export const send = async (call: AnyCall, body: string): Promise<Refused & { status: number }> => {
  const response = await browser.raw(call.path, { method: 'POST', body })
  const answer = (await response.json()) as Refused
  return { ...answer, status: response.status }
}

/** A clear refusal: no server error, a code, words for it, and words for each field named. */
export function expectRefused(answer: Refused & { status: number }, what: string): void {
  expect([what, answer.status < 500]).toEqual([what, true])
  expect([what, answer.retCode]).not.toEqual([what, 0])
  expect([what, answer.retCode]).not.toEqual([what, codes.unknownError])
  expect(typeof wordAt('codes', String(answer.retCode))).toBe('string')
  if (answer.retCode !== codes.invalidInput) return
  const fields = Object.values(answer.data.fields ?? {})
  expect([what, fields.length > 0]).toEqual([what, true])
  expect([what, fields.filter(key => typeof wordAt('errors', key) !== 'string')]).toEqual([what, []])
}

export const propertiesOf = (call: AnyCall): Record<string, { type?: string; anyOf?: { type?: string }[] }> => {
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string }>
  }
  return schema.properties ?? {}
}

export const withBody = table.filter(([, call]) => call.body === undefined || call.body === 'json')
const areaOf = (path: string) => path.split('/')[0] ?? ''
export const tried = sampled(withBody, 1, ([path]) => areaOf(path))

export const junk: [string, unknown][] = [
  ['an object', { deep: { deeper: [] } }],
  ['a list of lists', [[['x']]]],
  ['a very long text', 'x'.repeat(200_000)],
  ['control characters', '\u0000\u0007\ud800'],
  ['a huge number', 1e300],
  ['a number below all', -7],
  ['nothing', null],
  ['a boolean', true],
]

/** Each field of these calls missing, of the wrong type, too long. */
export function tryFields(which: (path: string) => boolean): void {
  test.each(tried.filter(([path]) => which(path)))(
    '%s: each field missing, of the wrong type, too long',
    async (path, call) => {
      const before = stored()
      const wrong = (body: object) => !call.input.safeParse(body).success
      const bodies = Object.keys(propertiesOf(call)).flatMap(key =>
        junk.map(([name, value]) => ({ key, name, body: { [key]: value } })),
      )
      for (const { key, name, body } of bodies)
        if (wrong(body)) expectRefused(await send(call, JSON.stringify(body)), `${path}: ${key} is ${name}`)
      if (wrong({})) expectRefused(await send(call, '{}'), `${path}: nothing given`)
      expect(stored()).toBe(before)
    },
  )
}
