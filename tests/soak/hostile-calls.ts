// Every call with hostile inputs, as people of all kinds: what must never happen, whatever they send.
import { readdirSync } from 'node:fs'
import { codes } from '@/model/codes'
import { isKindId, type KindId } from '@/model/registry'
import { calls } from '@/server/door/calls'
import { inputSchema, type Schema } from '@/server/door/schemas'
import type { AnyCall } from '@/server/kernel/call'
import { type Browser, type Manager, owner } from '../server/_manager'
import { keyed, organization, person } from '../server/_people'
import { bodyFor, one, type Pool, type Random, savedBy, shaped } from './hostile-input'

/** They put the whole manager aside, or look for devices in the LAN of whoever runs this. */
const leftOut = /^(backups\/restore|wizard\/restore|manager\/restart|devices\/discover$|wizard\/discover$)/
const hangMs = 20_000
/** Work that goes on beside any call writes these; and being refused is itself noted in some. */
const beside = new Set([
  'devices',
  'device_events',
  'alerts',
  'webhook_deliveries',
  'mails',
  'sign_in_failures',
  'sign_in_locks',
  'jobs',
  'sqlite_sequence',
])
/** They go with whom they belong to, and a look is noted there. */
const noted = new Set(['sessions', 'api_keys', 'account_tokens'])

type Actor = { name: string; browser: Browser }
type Target = { call: AnyCall; schema: Schema; kind: KindId | undefined }
type Finding = { path: string; actor: string; body: string; problem: string }

function actorsOf(manager: Manager, company: number): Promise<Actor>[] {
  const who = async (name: string, make: () => Promise<Browser> | Browser) => ({ name, browser: await make() })
  return [
    who('nobody', () => manager.browser()),
    who('head', () => person(manager, { role: 'superAdministrator', all: true })),
    who('administrator', () => person(manager, { role: 'networkAdministrator', networks: [1] })),
    who('head elsewhere', () => person(manager, { role: 'superAdministrator', all: true, organization: company })),
    who('key', async () => {
      const { account } = await person(manager, { role: 'superAdministrator', all: true })
      const { keyAuthorities } = await import('@/model/api-keys')
      const { authorities } = await import('@/model/authority')
      return keyed(manager, account, { authorities: keyAuthorities(authorities) })
    }),
  ]
}

/** Which tables were written since the last question, by triggers of this connection alone; what was rolled back is not told. */
function writesOf({ runtime: { sqlite } }: Manager): () => string[] {
  const tables = sqlite
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
  sqlite.exec('CREATE TEMP TABLE touched (name TEXT)')
  for (const name of tables.all() as string[])
    for (const verb of ['INSERT', 'UPDATE', 'DELETE'])
      sqlite.exec(
        `CREATE TEMP TRIGGER "${verb} ${name}" AFTER ${verb} ON main."${name}" BEGIN INSERT INTO touched VALUES ('${name}'); END`,
      )
  const read = sqlite.prepare('DELETE FROM touched RETURNING name').pluck()
  return () => [...new Set(read.all() as string[])]
}

/** Puts what an answer names into the pool: ids and names at any depth, a few of each. */
function harvest(pool: Pool, value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'object') harvest(pool, inner, path)
    else if (/id$|name$|code$|token$|address|account/i.test(key)) keep(pool, key, inner)
  }
  const [, kind = ''] = /^settings\/(\w+)\//.exec(path) ?? []
  const { id } = value as { id?: unknown }
  if (kind && typeof id === 'string') keep(pool, `${kind} id`, id)
}
function keep(pool: Pool, key: string, value: unknown): void {
  const known = pool.get(key) ?? []
  if (!known.includes(value)) pool.set(key, [...known, value].slice(-12))
}

async function targets(): Promise<Target[]> {
  const every = (calls as readonly AnyCall[]).filter(call => !leftOut.test(call.path))
  return Promise.all(
    every.map(async call => {
      const [, area = '', verb] = /^(?:settings\/)?(.+)\/(\w+)$/.exec(call.path) ?? []
      const kind = verb === 'save' && isKindId(area) ? area : undefined
      return { call, kind, schema: await inputSchema(call, { networkId: '', kept: '' }) }
    }),
  )
}

const leaks = [
  /\n\s+at /,
  /node_modules/,
  /\bat \w+ \(/,
  /SQLITE_|SqliteError/,
  new RegExp(owner.password.replace(/[^\w]/g, '\\$&')),
]

type Sent = { path: string; init: RequestInit }
function requestOf({ call }: Target, body: string, random: Random): Sent {
  const odd = random()
  if (odd < 0.02) return { path: call.path, init: { method: one(random, ['PUT', 'DELETE', 'PATCH', 'OPTIONS']), body } }
  if (odd < 0.05) {
    const type = one(random, [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=utf-16',
    ])
    return { path: call.path, init: { method: 'POST', body, headers: { 'content-type': type } } }
  }
  if (odd < 0.08 || call.body === 'stream') {
    const flat = Object.entries(inputOf(body)).filter(([, value]) => typeof value !== 'object')
    const query = flat.map(pair => pair.map(part => encodeURIComponent(String(part).toWellFormed())).join('='))
    const search = query.length ? `?${query.join('&').slice(0, 8000)}` : ''
    return { path: call.path + search, init: call.body === 'stream' ? { method: 'POST', body } : { method: 'GET' } }
  }
  return { path: call.path, init: { method: 'POST', body } }
}
function inputOf(body: string): object {
  try {
    const parsed = JSON.parse(body) as unknown
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

const within = async <T>(work: Promise<T>): Promise<T | 'hangs'> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'hangs'>(done => {
    timer = setTimeout(() => done('hangs'), hangMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What is wrong with an answer by itself; `refused`: it says that nothing was done. */
async function judge(response: Response, pool: Pool, path: string): Promise<{ problem?: string; refused: boolean }> {
  const text = await response.text()
  const leak = leaks.find(one => one.test(text))
  if (response.status >= 500) return { problem: `HTTP ${response.status}: ${text.slice(0, 200)}`, refused: true }
  if (leak && path !== 'exports/support') return { problem: `leaks ${leak}: ${text.slice(0, 300)}`, refused: false }
  if (!response.headers.get('content-type')?.startsWith('application/json')) return { refused: false }
  const { retCode, data } = JSON.parse(text) as { retCode?: number; data?: unknown }
  // A file that is JSON itself.
  if (retCode === undefined) return { refused: false }
  if (retCode === codes.unknownError) return { problem: 'an internal error', refused: true }
  if (retCode === 0) harvest(pool, data, path)
  return { refused: retCode !== 0 }
}

export type Fuzzed = { sent: number; taken: number; findings: Finding[] }

type Round = { target: Target; actor: Actor; body: string; sent: Sent; times: number }

async function draw(all: readonly Target[], actors: readonly Actor[], random: Random, pool: Pool): Promise<Round> {
  const target = one(random, all)
  const whole = target.kind && random() < 0.7
  const input = whole ? await savedBy(target.kind as KindId, random, pool) : shaped(target.schema, random, pool)
  const body = bodyFor(input, random)
  const sent = requestOf(target, body, random)
  // Two tabs at once, now and then.
  const actor = random() < 0.5 ? (actors[1] as Actor) : one(random, actors)
  return { target, actor, body, sent, times: random() < 0.05 ? 2 : 1 }
}

/** Sends it; what is wrong with what came of it, and how many were not refused. */
async function send({ target, actor, sent, times }: Round, pool: Pool, writes: () => string[]) {
  writes()
  const asked = Array.from({ length: times }, () => actor.browser.raw(sent.path, sent.init))
  const answers = await within(Promise.all(asked))
  if (answers === 'hangs') return { problems: [`no answer within ${hangMs / 1000} s`], taken: 0 }
  const seen = await Promise.all(answers.map(answer => judge(answer, pool, target.call.path)))
  const changed = writes().filter(name => !beside.has(name) && !noted.has(name))
  const quiet = !changed.length || seen.some(one => !one.refused)
  const problems = seen
    .flatMap(one => one.problem ?? [])
    .concat(quiet ? [] : `refused, and changed ${changed.join(', ')}`)
  return { problems, taken: seen.filter(one => !one.refused).length }
}

const isThere = ({ runtime: { sqlite } }: Manager, company: number): boolean =>
  sqlite.prepare('SELECT 1 FROM organizations WHERE id = ?').get(company) !== undefined

/**
 * Sends so many inputs to random calls as random people, and more, up to four times as many, until more than `enough` were
 * not refused: which calls there are decides what a seed draws. A finding: a 5xx, an internal error, a stack or a secret in an
 * answer, no answer within 20 s, or a refusal that changed the database. Stops at ten.
 */
export async function fuzzCalls(
  manager: Manager,
  { count, enough = -1 }: { count: number; enough?: number },
  random: Random,
  only = /^/,
): Promise<Fuzzed> {
  let company = organization(manager, 'Elsewhere')
  const all = (await targets()).filter(({ call }) => only.test(call.path))
  const writes = writesOf(manager)
  const pool: Pool = new Map()
  const fuzzed: Fuzzed = { sent: 0, taken: 0, findings: [] }
  let actors: Actor[] = []
  const isDone = () => fuzzed.sent >= count * 4 || (fuzzed.sent >= count && fuzzed.taken > enough)
  while (!isDone() && fuzzed.findings.length < 10) {
    // Some of what is sent ends sessions, or removes people and organizations.
    if (fuzzed.sent % 100 < 2) {
      if (!isThere(manager, company)) company = organization(manager, `Elsewhere ${fuzzed.sent}`)
      actors = await Promise.all(actorsOf(manager, company))
    }
    const round = await draw(all, actors, random, pool)
    const { problems, taken } = await send(round, pool, writes)
    const path = `${round.sent.init.method} ${round.sent.path.slice(0, 300)}`
    for (const problem of problems)
      fuzzed.findings.push({ path, actor: round.actor.name, body: round.body.slice(0, 600), problem })
    fuzzed.sent += round.times
    fuzzed.taken += taken
  }
  if (Object.keys(Object.prototype).length || 'polluted' in {})
    fuzzed.findings.push({ path: '', actor: '', body: '', problem: 'Object.prototype is polluted' })
  return fuzzed
}

/** What is wrong with what is left behind: the file, its references, half files in the data folder. */
export function leftBehind({ runtime, data }: Manager): string[] {
  const { sqlite } = runtime
  const whole = sqlite.pragma('integrity_check', { simple: true })
  const broken = sqlite.pragma('foreign_key_check') as unknown[]
  const half = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.(tmp|part|partial)$/.test(name),
  )
  return [...(whole === 'ok' ? [] : [String(whole)]), ...broken.map(row => JSON.stringify(row)), ...half]
}
