import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { type MetricsStore, metricsStore } from '@/model/insight/metrics-store'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { hostOrganization } from '@/server/people/accounts/actor'
import { collect } from './collect'
import { type Described, type Request, requestsOf, writeHeaders } from './remote-write'
import { type MetricsSources, metricsSources } from './sources'

/** How the store that is set takes what it is sent. */
export type StoreState = {
  /** Unix ms. */
  last?: { at: number; ok: boolean; series: number; error: string }
  /** Requests that wait for the store to answer again, and series that were given up. */
  waiting: number
  dropped: number
}
type Writing = { settings: string; queue: Request[]; described: Described; state: StoreState; running?: Promise<void> }

const writingPart = part<Writing>('metricsWriting', () => ({
  settings: '',
  queue: [],
  described: new Set(),
  state: { waiting: 0, dropped: 0 },
}))

const everyMs = 60_000
const limitMs = 20_000
/** While the store is away so many bytes wait in memory; then the oldest are given up. */
const mostBytes = 32_000_000

const readStore = (runtime: Runtime): MetricsStore => readOwnOrDefaults(runtime.db, metricsStore, runtime)

const jobId = 'metricsStore'

export const metricsStoreSettings: OwnSettings<MetricsStore> = {
  kind: metricsStore,
  topics: ['settings', 'metrics'],
  applied: runtime => void writeAnew(runtime).catch(error => console.error('metrics store:', error)),
}

type Answer = { kind: 'taken' } | { kind: 'refused' | 'away'; error: string }

/** A store that refuses samples (400) refuses them again; one that is busy or broken (429, 5xx) is asked later. */
async function send({ url = '', user, password }: MetricsStore, { body }: Request): Promise<Answer> {
  const headers: Record<string, string> = { ...writeHeaders, 'user-agent': 'Lanward' }
  if (user) headers.authorization = `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`
  try {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body), redirect: 'manual', signal })
    const text = (await answer.text()).slice(0, 200)
    if (answer.ok) return { kind: 'taken' }
    const error = `HTTP ${answer.status} ${text}`.trim()
    return { kind: answer.status === 429 || answer.status >= 500 ? 'away' : 'refused', error }
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
    return { kind: 'away', error: name === 'TimeoutError' ? 'timeout' : (cause?.code ?? cause?.message ?? message) }
  }
}

/** The oldest go first: a store takes no sample that is older than one it has. */
function giveUp({ queue, state }: Writing): void {
  let bytes = queue.reduce((sum, one) => sum + one.body.length, 0)
  while (bytes > mostBytes) {
    const oldest = queue.shift()
    bytes -= oldest?.body.length ?? bytes
    state.dropped += oldest?.series ?? 0
  }
}

async function drain(writing: Writing, settings: MetricsStore): Promise<void> {
  const { queue, state } = writing
  let series = 0
  let error = ''
  for (let next = queue[0]; next; next = queue[0]) {
    const answer = await send(settings, next)
    if (answer.kind !== 'taken') error = answer.error
    if (answer.kind === 'away') break
    queue.shift()
    if (answer.kind === 'taken') series += next.series
    else state.dropped += next.series
  }
  giveUp(writing)
  state.waiting = queue.length
  state.last = { at: Date.now(), ok: error === '', series, error }
}

/** Networks of the manager's own organization: those of others are not its to copy. */
const ownNetworks = ({ db }: Runtime) =>
  db
    .select({ id: networks.id, name: networks.name })
    .from(networks)
    .where(eq(networks.organization, hostOrganization(db) ?? 0))
    .all()

async function write(runtime: Runtime, writing: Writing): Promise<void> {
  const settings = readStore(runtime)
  const known = JSON.stringify(settings)
  // What waits was meant for the former store.
  if (writing.settings !== known)
    Object.assign(writing, { settings: known, queue: [], described: new Set(), state: { waiting: 0, dropped: 0 } })
  if (!settings.enabled) return
  const { interfaces, clients } = settings
  const groups = collect(runtime, { networks: ownNetworks(runtime), manager: true, interfaces, clients })
  for await (const request of requestsOf(groups, Date.now(), writing.described)) writing.queue.push(request)
  await drain(writing, settings)
}

/** Writes the samples of now, and before them what waits. While it is at it, others wait for the same. */
export function writeNow(runtime: Runtime): Promise<void> {
  const writing = writingPart.of(runtime)
  writing.running ??= write(runtime, writing).finally(() => {
    delete writing.running
  })
  return writing.running
}

export const storeState = (runtime: Runtime): StoreState => writingPart.of(runtime).state

/** By settings that were just saved: what is being written goes by the former ones. */
async function writeAnew(runtime: Runtime): Promise<void> {
  await writingPart.of(runtime).running?.catch(() => undefined)
  await writeNow(runtime)
}

export function startMetrics(runtime: Runtime, sources: MetricsSources): void {
  metricsSources.start(runtime, sources)
  runtime.jobs.start({ id: jobId, every: everyMs, run: writeNow })
}
