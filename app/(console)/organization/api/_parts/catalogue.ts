// Calls as openapi.json describes them, in the form that the page draws.

export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
  minimum?: number
  maximum?: number
  description?: string
}
type Operation = {
  summary: string
  tags: string[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  'x-lanward': { authority: string; scope: string; changes: boolean; keys: boolean }
}
export type Description = { tags: { name: string }[]; paths: Record<string, { post: Operation }> }

export type CallView = {
  path: string
  summary: string
  tag: string
  /** Name of the right that it asks for; `open`, `session`. */
  authority: string
  changes: boolean
  keys: boolean
  /** Undefined where bytes are sent. */
  input: Schema | undefined
}

/** Every call, area by area in the description's order. */
export function callsOf({ tags, paths }: Description): CallView[] {
  const all = Object.entries(paths).map(([path, { post }]): CallView => {
    const { authority, changes, keys } = post['x-lanward']
    const input = post.requestBody?.content['application/json']?.schema
    return { path: path.slice(1), summary: post.summary, tag: post.tags[0] ?? '', authority, changes, keys, input }
  })
  return tags.flatMap(({ name }) => all.filter(call => call.tag === name))
}

/** Those that hold each of the words, in whatever order. */
export function matching(calls: readonly CallView[], search: string): CallView[] {
  const words = search.trim().toLowerCase().split(/\s+/)
  return calls.filter(({ path, summary, tag }) => {
    const text = `${path} ${summary} ${tag}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

export const byTag = (calls: readonly CallView[]): [string, CallView[]][] =>
  [...new Set(calls.map(call => call.tag))].map(tag => [tag, calls.filter(call => call.tag === tag)])

const boundsOf = ({ minimum, maximum }: Schema): string => {
  // What JSON Schema writes for "any whole number" says nothing to anybody.
  const shown = (bound: number | undefined) => (bound === undefined || Math.abs(bound) > 1e15 ? '' : String(bound))
  const [from, to] = [shown(minimum), shown(maximum)]
  if (from && to) return ` ${from}…${to}`
  return from ? ` ≥ ${from}` : to && ` ≤ ${to}`
}

const deepest = 3

/** A schema in a word or two: `integer 1…100`, `"on" | "off"`, `text[]`, `{group, device}`. */
export function typeOf(schema: Schema, depth = 0): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(one => typeOf(one, depth)))].join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.items) {
    const item = typeOf(schema.items, depth + 1)
    return item.includes(' ') ? `(${item})[]` : `${item}[]`
  }
  if (schema.properties && depth < deepest) return `{${Object.keys(schema.properties).join(', ')}}`
  return `${[schema.type ?? 'any'].flat().join(' | ')}${boundsOf(schema)}`
}

function emptyOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return emptyOf(first)
  const type = [schema.type].flat()[0]
  if (type === 'array') return []
  if (type === 'object') return exampleOf(schema)
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 0)
  return type === 'boolean' ? false : ''
}

/** What a call can begin with: the fields it needs, and the network where it is about one. */
export function exampleOf(schema: Schema | undefined, network?: number): Record<string, unknown> {
  const properties = schema?.properties ?? {}
  const needed = (schema?.required ?? []).map(key => [key, emptyOf(properties[key] ?? {})] as const)
  const about = 'networkId' in properties && network !== undefined ? { networkId: network } : {}
  return { ...about, ...Object.fromEntries(needed) }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same call in a shell; the key comes from the environment, so that it is in no history. */
export const curlOf = (origin: string, path: string, body: string): string =>
  [
    `curl ${quoted(`${origin}/app/${path}`)}`,
    '-H "Authorization: Bearer $LANWARD_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')

/** An object of a JSON text in one line, undefined where it is none. */
export function objectIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : undefined
  } catch {
    return undefined
  }
}

/** A JSON text over several lines; what is none stays as it is. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
