import { publicServers } from '@/model/notify/services'
import type { NoticeTarget } from '@/model/notify/target'
import { askOnce, type Outcome, type SendOptions, type WebRequest } from '@/server/notify/webhooks/send'
import { linesOf, type Notice, priorityOf } from './compose'
import { type Chat, type Json, type Template, templates } from './templates'

/**
 * How a try ended. `answer`: the service's own words; `waitMs`: how long it asks to be left alone; `last`: another try would
 * end the same.
 */
export type Told = { code: number; error: string; answer: string; waitMs?: number; last?: true }

export type Message = { id: string; notice: Notice }

type Holes = Readonly<Record<string, string | number>>
const hole = /\{(\w+)\}/g

const filled = (text: string, holes: Holes): string | number => {
  const [whole] = /^\{\w+\}$/.exec(text) ?? []
  const value = whole && holes[whole.slice(1, -1)]
  return typeof value === 'number' ? value : text.replace(hole, (_, name: string) => String(holes[name] ?? ''))
}

function fill(json: Json, holes: Holes): Json {
  if (typeof json === 'string') return filled(json, holes)
  if (Array.isArray(json)) return json.map(one => fill(one, holes))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fill(value, holes)]))
}

/** A part of an address; a colon means nothing there, and bots' names have one. */
const asPart = (value: string | number): string => encodeURIComponent(value).replaceAll('%3A', ':')

/** Addresses stand in the template's as they are, everything else as a part of one. */
const whole = new Set(['url', 'server'])
function urlOf({ url, query = {} }: Template, holes: Holes): URL {
  const made = new URL(
    url.replace(hole, (_, name: string) => (whole.has(name) ? String(holes[name]) : asPart(holes[name] ?? ''))),
  )
  for (const [key, value] of Object.entries(query)) made.searchParams.set(key, value)
  return made
}

const headersOf = ({ headers = {} }: Template, holes: Holes) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([, text]) => [...text.matchAll(hole)].every(([, name = '']) => holes[name] !== undefined))
      .map(([key, text]) => [key, String(filled(text, holes))]),
  )

/** The request by which a service is told. */
export function requestOf(target: NoticeTarget, { id, notice }: Message): WebRequest {
  const service = target.service as Chat
  const template = templates[service]
  const marks = template.escape ?? {}
  const marked = (text: string) => Object.entries(marks).reduce((done, [from, to]) => done.replaceAll(from, to), text)
  const subject = marked(notice.subject)
  const { breaks } = template
  const bytes = template.bytes - Buffer.byteLength(subject) - 1
  const lines = linesOf(notice, { bytes, marked, ...(breaks && { breaks }) })
  const given = Object.entries(target).filter((one): one is [string, string | number] => typeof one[1] !== 'boolean')
  const server = target.server ?? publicServers[service] ?? ''
  const own = { id, subject, lines, text: `${subject}\n${lines}`, priority: priorityOf(notice) }
  const holes = { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), server, ...own }
  return {
    url: urlOf(template, holes),
    headers: headersOf(template, holes),
    body: JSON.stringify(fill(template.body, holes)),
    ...(template.method && { method: template.method }),
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const at = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Record<string, unknown> | null | undefined)?.[key], json)

const longestAnswer = 200

/** What the service said, in one line; of a page for browsers nothing. */
function wordsOf({ reason = [] }: Template, answer: string): string {
  const json = jsonOf(answer)
  const said = json === undefined ? [answer] : reason.map(path => at(json, path))
  const [first = ''] = said.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  const line = first.replace(/\s+/g, ' ').trim()
  return line.startsWith('<') ? '' : line.slice(0, longestAnswer)
}

/** Retry-After is seconds or a date (RFC 9110 section 10.2.3); a service's own number is more exact. */
function waitOf({ wait }: Template, { answer, retryAfter }: Outcome, now: number): number | undefined {
  const own = wait && at(jsonOf(answer), wait.path)
  if (wait && typeof own === 'number') return Math.ceil(own * wait.ms)
  if (retryAfter === undefined) return undefined
  const seconds = Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const limited = 429

/** Tells a chat service once. Resolves however it ends; what it said stands without the secrets that were sent. */
export async function tellChat(target: NoticeTarget, message: Message, options: SendOptions): Promise<Told> {
  const template = templates[target.service as Chat]
  const outcome = await askOnce(() => requestOf(target, message), options)
  const [, hidden] = template.hidden?.exec(outcome.answer) ?? []
  const code = hidden ? Number(hidden) : outcome.code
  const error = hidden ? 'status' : outcome.error
  if (error === '') return { code, error, answer: '' }
  const secrets = [target.token, target.url].filter(one => one !== undefined)
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), wordsOf(template, outcome.answer))
  const waitMs = waitOf(template, outcome, Date.now())
  return { code, error: code === limited ? 'limited' : error, answer: said, ...(waitMs !== undefined && { waitMs }) }
}
