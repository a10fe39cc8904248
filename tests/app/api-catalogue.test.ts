import { execFileSync } from 'node:child_process'
import {
  byTag,
  callsOf,
  curlOf,
  type Description,
  exampleOf,
  matching,
  objectIn,
  typeOf,
} from '@/app/(console)/organization/api/_parts/catalogue'
import { calls } from '@/server/calls'
import { document } from '@/server/developer-api/openapi'
import type { AnyCall } from '@/server/kernel/call'

let all: ReturnType<typeof callsOf>
beforeAll(async () => {
  all = callsOf(JSON.parse(await document(calls as readonly AnyCall[])) as Description)
})
const one = (path: string) => {
  const found = all.find(call => call.path === path)
  if (!found) throw new Error(path)
  return found
}

test('every call is listed once, under an area, with what it takes in words', () => {
  expect(all.map(call => call.path).toSorted()).toEqual(calls.map(call => call.path).toSorted())
  const grouped = byTag(all)
  expect(grouped.flatMap(([, list]) => list)).toEqual(all)
  expect(grouped.map(([tag]) => tag).slice(0, 2)).toEqual(['Dashboard', 'Devices'])
  const fields = all.flatMap(({ path, input }) =>
    Object.entries(input?.properties ?? {}).map(([name, schema]) => [path, name, typeOf(schema)] as const),
  )
  expect(fields.filter(([, , words]) => words === '' || words.includes('undefined'))).toEqual([])
  expect(one('backups/upload').input).toBeUndefined()
  expect(one('devices/list')).toMatchObject({ authority: 'devices', changes: false, keys: true })
})

test.each([
  [{ type: 'integer', minimum: 1, maximum: 365 }, 'integer 1…365'],
  [{ type: 'integer', minimum: 1 }, 'integer ≥ 1'],
  [{ type: 'integer', maximum: 9 }, 'integer ≤ 9'],
  [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'integer'],
  [{ enum: ['on', 'off'] }, '"on" | "off"'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: [1, 2] } }, '(1 | 2)[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'string | null'],
  [{ type: 'object', properties: { a: {}, b: {} } }, '{a, b}'],
  [{ const: true }, 'true'],
  [{}, 'any'],
])('a schema in words: %j is %s', (schema, words) => {
  expect(typeOf(schema)).toBe(words)
})

test('search takes each word, wherever it stands', () => {
  const found = (text: string) => matching(all, text).map(call => call.path)
  expect(found('push preview')).toEqual(['devices/push/preview'])
  expect(found('  PREVIEW devices/push ')).toEqual(['devices/push/preview'])
  expect(found('settings/ssid/save')).toEqual(['settings/ssid/save'])
  expect(found('')).toHaveLength(all.length)
  expect(found('nothing like it')).toEqual([])
})

test('what is tried begins with the fields that are needed, and the network', () => {
  expect(exampleOf(one('devices/info').input, 3)).toEqual({ networkId: 3, id: expect.any(Number) })
  expect(exampleOf(one('devices/list').input)).toEqual({})
  expect(exampleOf(one('backups/delete').input, 3)).toEqual({ names: [] })
  expect(exampleOf(undefined, 3)).toEqual({})
})

test('the line for a shell gives curl the same words, whatever stands in them', () => {
  const body = JSON.stringify({ name: `it's "$HOME" \`id\` \\ ü` })
  const line = curlOf('https://lanward.test', 'devices/list', body)
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${line}`
  const said = execFileSync('sh', ['-c', script], { env: { ...process.env, LANWARD_KEY: 'lw_x y' }, encoding: 'utf8' })
  expect(said.trimEnd().split('\n')).toEqual([
    'https://lanward.test/app/devices/list',
    ...['-H', 'Authorization: Bearer lw_x y'],
    ...['-H', 'Content-Type: application/json'],
    ...['-d', body],
  ])
})

test.each([
  ['{"a": 1}', '{"a":1}'],
  ['', '{}'],
  ['[]', undefined],
  ['null', undefined],
  ['{"a":', undefined],
])('what is sent has to be an object: %s', (text, sent) => {
  expect(objectIn(text)).toBe(sent)
})
