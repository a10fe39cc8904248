import { authorities } from '@/model/authority'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { sampled } from '../_sample'
import {
  browser,
  every,
  expectRefused,
  junk,
  manager,
  propertiesOf,
  send,
  setUp,
  stored,
  tried,
  withBody,
} from './_calls-matrix'

setUp()

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

test.each(tried)('%s: broken JSON, a body that is no object, an unknown field', async (path, call) => {
  const before = stored()
  for (const body of ['{"a":', '[]', '"text"', 'null', '5']) expectRefused(await send(call, body), `${path} ${body}`)
  const unknown = await send(call, JSON.stringify({ surelyUnknown: 1 }))
  expectRefused(unknown, path)
  if (unknown.retCode === codes.invalidInput && !path.startsWith('wizard/'))
    expect(unknown.data.fields).toMatchObject({ surelyUnknown: 'unknownField' })
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
