import type words from '@/locales/en/openapi.json'
import { isForKeys } from '@/model/api-keys'
import { type CodeName, codes } from '@/model/codes'
import { isInherited, type Kind } from '@/model/kind'
import { limits } from '@/model/limits'
import { type Locale, localeShown } from '@/model/locales'
import { type AnyKindId, isKindId, loadKind, ownKindAt } from '@/model/registry'
import packageJson from '@/package.json'
import type { AnyCall } from '@/server/kernel/call'
import { wordsOf } from '@/server/kernel/words'
import { sessionCookie } from '@/server/people/accounts/sessions'
import { inputSchema, type Schema } from './schemas'

type Words = typeof words

const kindIn = (path: string): [AnyKindId, string] | undefined => {
  const own = ownKindAt(path)
  if (own) return own
  const [, id = '', verb = ''] = /^settings\/(\w+)\/(\w+)$/.exec(path) ?? []
  return isKindId(id) ? [id, verb] : undefined
}

/** Which sentences of the settings' calls are of a kind. */
const formOf = (kind: Kind) => (isInherited(kind) ? 'Single' : kind.single ? 'Own' : '')

/** What a call does, in a sentence; undefined where a translation lacks it. */
async function summaryOf(path: string, locale: Locale, all: Words): Promise<string | undefined> {
  const found = kindIn(path)
  // Words are found by dots: none stands in a key.
  if (!found) return (all.calls as Readonly<Record<string, string>>)[path.replace('.', '_')]
  const [id, verb] = found
  const kind = await loadKind(id)
  const area = await wordsOf<Record<string, { title: string }>>(locale, kind.area)
  const sentence = (all.settings as Record<string, string>)[verb + formOf(kind)]
  return sentence?.replace('{title}', area[id]?.title ?? id)
}

/** The refusals that the doors before a call give; those of the call itself are of the catalogue in RetCode. */
const doorCodes = (call: AnyCall): CodeName[] => [
  ...(['notReady', 'unknownError', 'storageFull', 'invalidInput', 'bodyTooLarge'] as const),
  ...(call.changes ? (['sameOriginOnly'] as const) : []),
  ...(call.authority === 'open' ? [] : (['sessionExpired'] as const)),
  ...(call.authority === 'open' || call.authority === 'session' ? [] : (['noAuthority'] as const)),
  ...(isForKeys(call) ? (['keyInvalid', 'apiOff', 'secureOnly', 'rateLimited'] as const) : (['personOnly'] as const)),
  ...(call.scope === 'network' ? (['networkNotFound'] as const) : []),
]

const ref = (part: string, name: string) => ({ $ref: `#/components/${part}/${name}` })
const json = (schema: Schema) => ({ 'application/json': { schema } })
const answer = {
  '200': ref('responses', 'Answer'),
  '401': ref('responses', 'Unsigned'),
  '403': ref('responses', 'Refused'),
  '429': ref('responses', 'TooMany'),
}

const queryOf = (schema: Schema) =>
  Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }))

function bodyOf(call: AnyCall, schema: Schema) {
  if (call.body === 'form')
    return { requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } } }
  if (call.body !== 'stream') return { requestBody: { content: json(schema) } }
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return { parameters: queryOf(schema), requestBody: { required: true, content } }
}

const securityOf = (call: AnyCall) =>
  call.authority === 'open' ? [] : [{ session: [] }, ...(isForKeys(call) ? [{ key: [] }] : [])]

async function operations(call: AnyCall, locale: Locale, all: Words): Promise<Record<string, object>> {
  const schema = await inputSchema(call, all)
  const about = {
    summary: await summaryOf(call.path, locale, all),
    tags: [all.tags[call.tag]],
    security: securityOf(call),
    responses: answer,
    'x-lanward': {
      authority: call.authority,
      ...(call.exports && { alsoNeeded: 'exports' }),
      scope: call.scope,
      changes: call.changes,
      keys: isForKeys(call),
      retCodes: doorCodes(call).map(name => codes[name]),
    },
  }
  const operationId = call.path.replaceAll(/[/.]/g, '_')
  return {
    ...(call.get && { get: { operationId: `get_${operationId}`, ...about, parameters: queryOf(schema) } }),
    post: { operationId, ...about, ...bodyOf(call, schema) },
  }
}

/** Every number a call can answer, with its name and words. */
async function retCodes(locale: Locale): Promise<Schema> {
  const texts = await wordsOf<Record<string, string>>(locale, 'codes')
  const known = Object.entries(codes).map(([title, code]) => ({ const: code, title, description: texts[code] ?? '' }))
  return { oneOf: known }
}

async function components(locale: Locale, all: Words) {
  const envelope = (type: 'success' | 'error', retCode: Schema): Schema => ({
    type: 'object',
    required: ['retCode', 'data', 'type'],
    properties: { retCode, data: { type: 'object' }, type: { const: type } },
  })
  const refusal = ref('schemas', 'Refusal')
  return {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: sessionCookie(true), description: all.session },
      key: { type: 'http', scheme: 'bearer', description: all.key },
    },
    schemas: {
      RetCode: await retCodes(locale),
      Answer: envelope('success', { const: 0 }),
      Refusal: envelope('error', ref('schemas', 'RetCode')),
    },
    responses: {
      Answer: { description: all.answer, content: json({ oneOf: [ref('schemas', 'Answer'), refusal] }) },
      Unsigned: { description: all.unsigned, content: json(refusal) },
      Refused: { description: all.refused, content: json(refusal) },
      TooMany: {
        description: all.tooMany,
        headers: { 'Retry-After': { schema: { type: 'integer' } } },
        content: json(refusal),
      },
    },
  }
}

async function make(calls: readonly AnyCall[], locale: Locale): Promise<string> {
  const all = await wordsOf<Words>(locale, 'openapi')
  const paths: Record<string, object> = {}
  for (const call of calls) paths[`/${call.path}`] = await operations(call, locale, all)
  const limit = { burst: limits.apiBurst, perSecond: limits.apiPerSecond }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Lanward', version: packageJson.version, description: all.about, 'x-rate-limit': limit },
    servers: [{ url: '/app' }],
    tags: Object.values(all.tags).map(name => ({ name })),
    paths,
    components: await components(locale, all),
  })
}

const made = new Map<Locale, Promise<string>>()

/** OpenAPI 3.1 of the manager's calls (all of them: it is made once), in the reader's language where there is one. */
export function document(calls: readonly AnyCall[], wanted?: string): Promise<string> {
  const locale = localeShown(wanted)
  const text = made.get(locale) ?? make(calls, locale)
  made.set(locale, text)
  return text
}
