import * as z from 'zod'
import { authorities } from '@/model/authority'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { sampled } from '../_sample'
import { type Browser, finishedWizard, type Manager } from '../server/_manager'
import { wordAt } from './_tree'
import { startWholeManager } from './_whole'

const every = calls as readonly AnyCall[]
const table = every.map(call => [call.path, call] as const)

test('each call is listed once, its path is plain, its authority exists', () => {
  expect(new Set(every.map(call => call.path)).size).toBe(every.length)
  expect(
    every
      .filter(call => !/^openapi\.json$|^[a-z0-9-]+(\/[a-z0-9-]+)*$|^settings\/[a-zA-Z0-9]+\/[a-z]+$/.test(call.path))
      .map(call => call.path),
  ).toEqual([])
  const known: readonly string[] = [...authorities, 'open', 'session']
  expect(every.filter(call => !known.includes(call.authority)).map(call => call.path)).toEqual([])
})

describe('bad input', () => {
  let manager: Manager
  let browser: Browser

  beforeAll(async () => {
    manager = await startWholeManager()
    browser = await finishedWizard(manager)
  })
  afterAll(() => manager.stop())

  // What reading changes by itself: when a session was seen last.
  const moving = new Set(['sessions', '__drizzle_migrations', 'sqlite_sequence', 'known_browsers'])
  /** All that is stored. */
  const stored = () => {
    const names = manager.runtime.sqlite
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(row => (row as { name: string }).name)
      .filter(name => !moving.has(name))
    return JSON.stringify(names.map(name => [name, manager.runtime.sqlite.prepare(`SELECT * FROM "${name}"`).all()]))
  }

  type Refused = { retCode: number; data: { fields?: Record<string, string>; requestId?: string } }
  const send = async (call: AnyCall, body: string): Promise<Refused & { status: number }> => {
    const response = await browser.raw(call.path, { method: 'POST', body })
    const answer = (await response.json()) as Refused
    return { ...answer, status: response.status }
  }

  /** A clear refusal: no server error, a code, words for it, and words for each field named. */
  function expectRefused(answer: Refused & { status: number }, what: string): void {
    expect([what, answer.status < 500]).toEqual([what, true])
    expect([what, answer.retCode]).not.toEqual([what, 0])
    expect([what, answer.retCode]).not.toEqual([what, codes.unknownError])
    expect(typeof wordAt('codes', String(answer.retCode))).toBe('string')
    if (answer.retCode !== codes.invalidInput) return
    const fields = Object.values(answer.data.fields ?? {})
    expect([what, fields.length > 0]).toEqual([what, true])
    expect([what, fields.filter(key => typeof wordAt('errors', key) !== 'string')]).toEqual([what, []])
  }

  const propertiesOf = (call: AnyCall): Record<string, { type?: string; anyOf?: { type?: string }[] }> => {
    const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, { type?: string }>
    }
    return schema.properties ?? {}
  }

  const withBody = table.filter(([, call]) => call.body === undefined || call.body === 'json')
  const areaOf = (path: string) => path.split('/')[0] ?? ''
  const tried = sampled(withBody, 1, ([path]) => areaOf(path))

  test.each(tried)('%s: broken JSON, a body that is no object, an unknown field', async (path, call) => {
    const before = stored()
    for (const body of ['{"a":', '[]', '"text"', 'null', '5']) expectRefused(await send(call, body), `${path} ${body}`)
    const unknown = await send(call, JSON.stringify({ surelyUnknown: 1 }))
    expectRefused(unknown, path)
    if (unknown.retCode === codes.invalidInput && !path.startsWith('wizard/'))
      expect(unknown.data.fields).toMatchObject({ surelyUnknown: 'unknownField' })
    expect(stored()).toBe(before)
  })

  const junk: [string, unknown][] = [
    ['an object', { deep: { deeper: [] } }],
    ['a list of lists', [[['x']]]],
    ['a very long text', 'x'.repeat(200_000)],
    ['control characters', '\u0000\u0007\ud800'],
    ['a huge number', 1e300],
    ['a number below all', -7],
    ['nothing', null],
    ['a boolean', true],
  ]

  test.each(tried)('%s: each field missing, of the wrong type, too long', async (path, call) => {
    const before = stored()
    const wrong = (body: object) => !call.input.safeParse(body).success
    const bodies = Object.keys(propertiesOf(call)).flatMap(key =>
      junk.map(([name, value]) => ({ key, name, body: { [key]: value } })),
    )
    for (const { key, name, body } of bodies)
      if (wrong(body)) expectRefused(await send(call, JSON.stringify(body)), `${path}: ${key} is ${name}`)
    if (wrong({})) expectRefused(await send(call, '{}'), `${path}: nothing given`)
    expect(stored()).toBe(before)
  })

  test.each(withBody)('%s: no text without a limit', (_path, call) => {
    const endless = Object.entries(propertiesOf(call))
      .filter(([, property]) => property.type === 'string')
      .filter(([key]) => {
        const parsed = call.input.safeParse({ [key]: 'x'.repeat(limits.bodyBytes + 1) })
        return !parsed.error?.issues.some(issue => issue.path[0] === key)
      })
    expect(endless.map(([key]) => key)).toEqual([])
  })

  test('a body over 1 MB is refused before it is parsed', async () => {
    const [, call] = withBody[0] as (typeof withBody)[number]
    const answer = await send(call, `{"a":"${'x'.repeat(1_100_000)}"}`)
    expect(answer).toMatchObject({ status: 413, retCode: codes.bodyTooLarge })
  })

  test('settings of every kind: junk in each field is refused at the field', async () => {
    const before = stored()
    for (const call of sampled(
      every.filter(one => /^settings\/[^/]+\/save$/.test(one.path)),
      5,
    ))
      for (const [name, value] of junk)
        for (const key of ['name', 'id', 'revision', 'assign', 'security', 'key']) {
          const answer = await send(call, JSON.stringify({ name: 'x', [key]: value }))
          expectRefused(answer, `${call.path}: ${key} is ${name}`)
        }
    expect(stored()).toBe(before)
  })

  test('without a session every call but the open ones is refused as such', async () => {
    const nobody = manager.browser()
    for (const call of every.filter(one => one.authority !== 'open')) {
      const response = await nobody.raw(call.path, { method: 'POST', body: '{}' })
      expect([call.path, response.status]).toEqual([call.path, 401])
    }
  })

  test('a call that changes state needs the same origin', async () => {
    // What another site posts by design, and nothing else.
    expect(every.filter(one => one.body === 'form').map(one => one.path)).toEqual(['sso/acs'])
    for (const call of every.filter(one => one.changes && one.body !== 'form')) {
      const foreign: Record<string, string>[] = [{ 'x-requested-with': '' }, { origin: 'https://elsewhere.test' }]
      for (const headers of foreign) {
        const response = await browser.raw(call.path, { method: 'POST', body: '{}', headers })
        expect([call.path, response.status]).toEqual([call.path, 403])
      }
    }
  })
})
