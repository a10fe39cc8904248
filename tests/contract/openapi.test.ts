import { Validator } from '@seriousme/openapi-schema-validator'
import words from '@/locales/en/openapi.json'
import { isForKeys } from '@/model/api-keys'
import { codes } from '@/model/codes'
import type { AnyOwnPath, KindId } from '@/model/registry'
import { type CallMap, calls } from '@/server/door/calls'
import { document } from '@/server/door/openapi'
import type { AnyCall } from '@/server/kernel/call'

const every = calls as readonly AnyCall[]
type Operation = {
  operationId: string
  summary?: string
  tags?: string[]
  security: Record<string, string[]>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  parameters?: { name: string }[]
  'x-lanward': { authority: string; keys: boolean; changes: boolean; retCodes: number[] }
}
type Schema = { properties?: Record<string, unknown>; required?: string[]; additionalProperties?: unknown }
type Document = { paths: Record<string, { get?: Operation; post: Operation }> }

let text: string
let all: Document
beforeAll(async () => {
  text = await document(every)
  all = JSON.parse(text) as Document
})
const postOf = (path: string) => all.paths[`/${path}`]?.post as Operation
const schemaOf = (path: string) => postOf(path).requestBody?.content['application/json']?.schema as Schema

test('it is a valid OpenAPI 3.1 document, and refers to nothing that is not in it', async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(text))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(text).not.toMatch(/"\$ref":"(?!#\/components\/)/)
  const names = Object.values(all.paths).flatMap(({ get, post }) => [get?.operationId, post.operationId])
  const given = names.filter(name => name !== undefined)
  expect(new Set(given).size).toBe(given.length)
})

test('each call stands in it with a sentence, its area, its right, and whether a key may make it', () => {
  expect(Object.keys(all.paths).toSorted()).toEqual(every.map(call => `/${call.path}`).toSorted())
  const posts = every.map(call => ({ call, post: postOf(call.path) }))
  expect(posts.filter(({ post }) => !post.summary || /[{}]/.test(post.summary)).map(({ call }) => call.path)).toEqual(
    [],
  )
  expect(posts.filter(({ post }) => post.tags?.length !== 1).map(({ call }) => call.path)).toEqual([])
  for (const { call, post } of posts) {
    const { authority, changes, get = false } = call
    expect([call.path, post['x-lanward']]).toEqual([
      call.path,
      expect.objectContaining({ authority, changes, keys: isForKeys(call) }),
    ])
    expect([call.path, all.paths[`/${call.path}`]?.get !== undefined]).toEqual([call.path, get])
    expect([call.path, post.security.some(one => 'key' in one)]).toEqual([call.path, isForKeys(call)])
  }
})

type KeyOf<Path extends string> = Path extends `${infer Name}.${infer Ending}` ? `${Name}_${Ending}` : Path
/** The calls that bring a sentence of their own; those of settings have one for all kinds. */
type Worded = KeyOf<Exclude<keyof CallMap, `settings/${KindId}/${string}` | AnyOwnPath>>

test('each call has a sentence, or this does not compile; none is of a call that is gone', () => {
  const sentences: Readonly<Record<Worded, string>> = words.calls
  const paths = new Set(every.map(call => call.path.replace('.', '_')))
  expect(Object.keys(sentences).filter(path => !paths.has(path))).toEqual([])
})

test('a call has the fields that it takes, a setting those of its kind', () => {
  expect(Object.keys(schemaOf('devices/list').properties ?? {})).toEqual(
    expect.arrayContaining(['networkId', 'page', 'pageSize', 'search', 'sort', 'filter']),
  )
  const ssid = schemaOf('settings/ssid/save')
  expect(Object.keys(ssid.properties ?? {})).toEqual(
    expect.arrayContaining(['networkId', 'id', 'revision', 'assign', 'name', 'security', 'key']),
  )
  expect(ssid).toMatchObject({ required: expect.arrayContaining(['name']), additionalProperties: false })
  expect(schemaOf('settings/ssid/save').properties?.key).toMatchObject({
    anyOf: [{ type: 'string', writeOnly: true }, { properties: { set: { const: true } } }],
  })
  expect(Object.keys(schemaOf('settings/system/save').properties ?? {})).toEqual(
    expect.arrayContaining(['networkId', 'scope', 'revision']),
  )
  expect(Object.keys(schemaOf('settings/schedule/save').properties ?? {})).not.toContain('assign')
  const download = all.paths['/backups/download']?.get
  expect(download?.parameters).toEqual([expect.objectContaining({ name: 'name', in: 'query', required: true })])
  expect(postOf('backups/upload').requestBody?.content).toHaveProperty(['application/octet-stream'])
  expect(text).not.toMatch(/"widget"|"deviceOnly"/)
})

test('what the doors before a call can answer', () => {
  const { retCodes } = postOf('devices/push')['x-lanward']
  expect(retCodes).toEqual(
    expect.arrayContaining([codes.keyInvalid, codes.rateLimited, codes.noAuthority, codes.networkNotFound]),
  )
  expect(postOf('logout')['x-lanward'].retCodes).toContain(codes.personOnly)
  expect(postOf('login')['x-lanward'].retCodes).not.toContain(codes.sessionExpired)
})
