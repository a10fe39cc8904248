import { mkdirSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { calls } from '@/server/door/calls'
import { root } from '../appliance/_manager'
import type { Client } from '../soak/client'
import { percentile, type Row, row } from './table'

// Every call that answers a list or a part of the dashboard, as the owner asks for it: by the registry of calls.

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))

/** Whether a call is a list's or the dashboard's, by its path. Those that need the id of one thing are refused and left out. */
const isList = (path: string) =>
  /(^|\/)(list|tree|options|unread|overview)$/.test(path) ||
  path.startsWith('dashboard/') ||
  path === 'search/find' ||
  path === 'devices/traffic'

/** Lists of settings are all made by the same code, and none of them grows with the devices: one stands for them. */
const isAlike = (path: string) => path.startsWith('settings/') && !path.startsWith('settings/ssid/')

const paths: readonly string[] = calls
  .filter(call => !call.changes && call.authority !== 'open' && isList(call.path) && !isAlike(call.path))
  .map(call => call.path)

/** What some calls must be asked beside. */
const asked: Readonly<Record<string, readonly object[]>> = {
  'search/find': [{ search: 'dev-77' }, { search: 'nothing has this' }],
  'devices/traffic': [{ ids: Array.from({ length: 50 }, (_, i) => i + 1) }],
  'dashboard/bandwidth': [{}, { range: '1w' }, { range: '6m' }],
  'dashboard/top-aps': [{}, { range: '2h' }, { range: '1w' }, { kind: 'switch' }],
}
/** Columns that a page sorts by under another name than its rows have. */
const otherColumns = ['state', 'what', 'signal', 'traffic', 'level', 'device', 'at', 'name', 'since']

type Answer = { result?: Record<string, unknown>[]; total?: number; pageSize?: number }
type Variant = { path: string; what: string; input: object }

const takes = (client: Pick<Client, 'must'>, path: string, input: object): Promise<Answer | undefined> =>
  client.must(path, input).then(
    answer => answer as Answer,
    () => undefined,
  )

/** A list's first page, its last, what holds a text and what holds none, and its order by each column that it can be sorted by. */
async function pagesOf(client: Pick<Client, 'must'>, path: string): Promise<Variant[]> {
  const first = await takes(client, path, { page: 1, pageSize: 50 })
  if (!first) return []
  const found: Variant[] = [{ path, what: 'first page', input: { page: 1, pageSize: 50 } }]
  const last = Math.ceil((first.total ?? 0) / 50)
  if (last > 1) found.push({ path, what: 'last page', input: { page: last, pageSize: 50 } })
  for (const search of ['dev-77', 'nothing has this'])
    if (await takes(client, path, { search })) found.push({ path, what: `search “${search}”`, input: { search } })
  const columns = new Set([...Object.keys(first.result?.[0] ?? {}), ...otherColumns])
  for (const field of columns) {
    const sort = { field, direction: 'desc' }
    const input = { page: 1, pageSize: 50, sort }
    if (await takes(client, path, input)) found.push({ path, what: `by ${field}`, input })
  }
  return found
}

async function variantsOf(client: Pick<Client, 'must'>, path: string): Promise<Variant[]> {
  const inputs = asked[path]
  if (inputs) return inputs.map(input => ({ path, what: JSON.stringify(input).slice(0, 40), input }))
  const pages = await pagesOf(client, path)
  if (pages.length > 0) return pages
  return (await takes(client, path, {})) ? [{ path, what: 'whole', input: {} }] : []
}

type Measured = Variant & { ms: number[]; mainMs: number }
/** CPU seconds of the main thread so far. */
type Worked = () => number

/** Wall time of each of `times` calls, and what the main thread worked for one of them. */
async function timed(client: Pick<Client, 'must'>, worked: Worked, variant: Variant, times: number): Promise<Measured> {
  const ms: number[] = []
  const before = worked()
  for (let i = 0; i < times; i++) {
    const begun = performance.now()
    await client.must(variant.path, variant.input)
    ms.push(performance.now() - begun)
    await wait(20)
  }
  return { ...variant, ms, mainMs: ((worked() - before) * 1000) / times }
}

const digits = (value: number) => value.toFixed(1)

/** All variants, one a line, beside the table of results. */
function keepAll(name: string, measured: readonly Measured[]): void {
  const lines = measured.map(({ path, what, ms, mainMs }) =>
    [path, what, digits(percentile(ms, 0.5)), digits(percentile(ms, 0.95)), digits(mainMs)].join('\t'),
  )
  mkdirSync(`${root}/dist`, { recursive: true })
  const head = ['call', 'of it', 'p50 ms', 'p95 ms', 'main thread CPU ms a call'].join('\t')
  writeFileSync(`${root}/dist/bench-lists-${name}.tsv`, `${[head, ...lines].join('\n')}\n`)
}

/** A line a call: the p95 over all its variants, the slowest of them, and the processor time of the main thread. */
function linesOf(path: string, own: readonly Measured[], aim: number): Row[] {
  const all = own.flatMap(({ ms }) => ms)
  const slowest = own.reduce((worst, one) => (percentile(one.ms, 0.5) > percentile(worst.ms, 0.5) ? one : worst))
  const figures = `p50 ${digits(percentile(all, 0.5))}, slowest “${slowest.what}” p50 ${digits(percentile(slowest.ms, 0.5))}, main thread ${digits(Math.max(...own.map(one => one.mainMs)))} ms CPU at most`
  return [row(`${path} (${own.length} variants; ${figures}): p95`, percentile(all, 0.95), 'ms', aim, 0)]
}

export type ListOptions = {
  client: Pick<Client, 'must'>
  worked: Worked
  devices: number
  times?: number
  name: string
}

/** Every list and every part of the dashboard at so many devices. */
export async function measureLists({ client, worked, devices, times = 12, name }: ListOptions): Promise<Row[]> {
  const aim = devices > 10_000 ? 250 : 100
  const measured: Measured[] = []
  const rows: Row[] = []
  for (const path of paths) {
    const own: Measured[] = []
    for (const variant of await variantsOf(client, path)) own.push(await timed(client, worked, variant, times))
    if (own.length === 0) continue
    measured.push(...own)
    rows.push(...linesOf(path, own, aim))
  }
  keepAll(name, measured)
  return rows
}
