import { mkdtempSync, readFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { type RecordKind, recordFolder } from '@/server/worker/intake/record-table'
import { segmentsIn } from '@/server/worker/intake/segment'
import { freePort, removeFolder, startManager } from '../appliance/_manager'
import { type Client, clientOf as callerOf } from '../soak/client'
import { signIn } from '../soak/kills'
import { startFarm } from './farm'
import { type Blast, type Sort, send } from './log-senders'
import { seedFleet } from './seed'
import { clientOf, seedLines, seedRecording, seedRecords } from './seed-logs'
import { percentile, type Row, row } from './table'

// Lines and records of traffic beside polling: what of them is lost, and how long the newest 50 of a search take.

type Scale = { devices: number; kept: number; blasts: readonly Omit<Blast, 'sort'>[]; times: number }
const scales: Readonly<Record<'whole' | 'short', Scale>> = {
  whole: {
    ...{ devices: 2000, kept: 10_000_000, times: 60 },
    blasts: [
      { rate: 20_000, seconds: 60 },
      { rate: 2000, seconds: 600 },
    ],
  },
  short: {
    ...{ devices: 100, kept: 100_000, times: 20 },
    blasts: [
      { rate: 20_000, seconds: 3 },
      { rate: 2000, seconds: 5 },
    ],
  },
}

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const many = (count: number) => count.toLocaleString('en')
const rssMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

type Now = { received: number; kept: number; dropped: number; droppedBySystem: number | null }
const statusOf = async (client: Client) => (await client.must('logs/status', {})).now as Now

/** Rows in all files of a folder, and those that came since the first was open. */
function rowsIn(folder: string, table: 'log' | 'record'): number {
  return segmentsIn(folder).reduce((sum, { path }) => {
    const file = new Database(path, { readonly: true })
    const { n } = file.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }
    file.close()
    return sum + n
  }, 0)
}

type Place = { client: Client; folder: string; network: number; port: number; pid: number }

const folderOf = ({ folder, network }: Place, sort: Sort): [string, 'log' | 'record'] =>
  sort === 'lines' ? [folder, 'log'] : [recordFolder(folder, network, sort === 'lookups' ? 'url' : 'nat'), 'record']

/** One blast: how many are lost of all that were sent, and what the process held at most. */
async function blasted(place: Place, blast: Blast): Promise<Row[]> {
  const { client, port, pid } = place
  const [folder, table] = folderOf(place, blast.sort)
  const before = { rows: rowsIn(folder, table), status: await statusOf(client) }
  let mostMb = 0
  const looking = setInterval(() => {
    mostMb = Math.max(mostMb, rssMb(pid))
  }, 500)
  await send(port, blast)
  // Halves of connections wait two seconds for each other.
  await wait(5000)
  clearInterval(looking)
  const after = await statusOf(client)
  const sent = blast.rate * blast.seconds
  const expected = blast.sort === 'connections' ? sent / 2 : sent
  const lost = expected - (rowsIn(folder, table) - before.rows)
  const own = after.dropped - before.status.dropped
  const bySystem = (after.droppedBySystem ?? 0) - (before.status.droppedBySystem ?? 0)
  const name = `${blast.sort}, ${many(blast.rate)} a second for ${blast.seconds} s beside polling`
  return [
    {
      what: name,
      figure: `${many(lost)} of ${many(expected)} lost (dropped by the socket ${many(bySystem)}, by the manager ${many(own)})`,
      aim: 'none lost',
      met: lost === 0,
    },
    row(`${name}: memory at most`, mostMb, 'MB', 512, 0),
  ]
}

type Search = { what: string; path: string; sort: Sort; input: (at: number) => object }
const words = (what: string, input: (at: number) => object): Search => ({
  what,
  path: 'logs/find',
  sort: 'lines',
  input,
})
const lineSearches = (devices: number): Search[] => [
  words('the newest', () => ({})),
  words('a word of each second line', () => ({ search: 'associated' })),
  words('three words', at => ({ search: `port ${at % 48} down` })),
  words('a phrase', at => ({ search: `"aid ${(at * 37) % 2006}"` })),
  words('a beginning', () => ({ search: 'associ*' })),
  words('a word of 1 in 10,000', () => ({ search: 'flapping' })),
  words('a word of 1 in a million', () => ({ search: 'overheated' })),
  words('two words, one of them rare', () => ({ search: 'transceiver overheated' })),
  words('a MAC address', at => ({ search: `02:aa:bb:00:${(at % 256).toString(16).padStart(2, '0')}:2a` })),
  words('a word of none', () => ({ search: 'nowhere' })),
  words('a device', at => ({ device: 1 + ((at * 31) % devices) })),
  words('a device and a word of each second line', at => ({ device: 1 + ((at * 62) % devices), search: 'associated' })),
  words('a device and a rare word', at => ({ device: 1 + ((at * 31) % devices), search: 'flapping' })),
  words('a severity', () => ({ severity: 0 })),
]
const records = (what: string, kind: RecordKind, input: (at: number) => object): Search => ({
  what: `${kind}: ${what}`,
  path: 'records/find',
  sort: kind === 'url' ? 'lookups' : 'connections',
  input: at => ({ kind, period: 30, ...input(at) }),
})
const recordSearches: Search[] = [
  records('the newest', 'url', () => ({})),
  records('a frequent name', 'url', at => ({ search: `host-${1 + (at % 996)}` })),
  records('a name of 1 in 60,000', 'url', at => ({ search: `cdn-${3 * at}.example.com` })),
  records('a word of 1 in a million', 'url', () => ({ search: 'rare*' })),
  records('a word of none', 'url', () => ({ search: 'nowhere' })),
  records('a client', 'url', at => ({ client: clientOf(at * 17) })),
  records('a client and a frequent name', 'url', at => ({ client: clientOf(at * 17), search: 'example.com' })),
  records('an address and a port', 'nat', at => ({ search: `198.51.${at % 97}.${at % 251} 443` })),
  records('a client', 'nat', at => ({ client: clientOf(at * 17) })),
]

/** The newest 50 of a search, each time of another value where it has one. */
async function searched(client: Client, { what, path, input }: Search, kept: number, times: number): Promise<Row> {
  const ms: number[] = []
  let found = 0
  let cut = 0
  for (let at = 0; at < times; at++) {
    const begun = performance.now()
    const page = (await client.must(path, input(at))) as { lines?: []; records?: []; searchedTo?: number }
    ms.push(performance.now() - begun)
    found += (page.lines ?? page.records ?? []).length
    cut += page.searchedTo === undefined ? 0 : 1
  }
  const figures = `p50 ${percentile(ms, 0.5).toFixed(1)} ms, ${(found / times).toFixed(0)} found, ${cut} of ${times} not whole`
  return row(`search in ${many(kept)}, ${what} (${figures}): p95`, percentile(ms, 0.95), 'ms', 100, 0)
}

async function measured(place: Place, scale: Scale): Promise<Row[]> {
  const { client } = place
  const rows: Row[] = []
  // Of records the manager keeps no more than their room has: what went at its start is not searched.
  for (const one of [...lineSearches(scale.devices), ...recordSearches])
    rows.push(await searched(client, one, rowsIn(...folderOf(place, one.sort)), scale.times))
  for (const blast of scale.blasts)
    for (const sort of ['lines', 'lookups', 'connections'] as const)
      rows.push(...(await blasted(place, { sort, ...blast })))
  return rows
}

/** Every device of a farm polled; its lines and records of weeks are there; `short`: in some seconds, to see that it goes. */
export async function measureLogs(size: 'whole' | 'short'): Promise<Row[]> {
  const scale = scales[size]
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  const farmPort = await freePort()
  const network = await seedFleet(data, scale.devices, farmPort)
  const folder = `${data}/gen-1/logs`
  const of = { network, devices: scale.devices }
  const begun = performance.now()
  seedLines(folder, scale.kept, of)
  const seeded = (performance.now() - begun) / 1000
  for (const kind of ['url', 'nat'] as const) seedRecords(folder, kind, scale.kept, of)
  seedRecording(`${data}/gen-1`, network)
  const farm = await startFarm(farmPort, 28, 0)
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    const client = callerOf(manager.http)
    await signIn(client)
    const port = await freePort()
    const reception = { revision: 0, protocol: 'udp', port, days: 60, megabytes: 100_000, unknown: false }
    await client.must('settings/logReception/save', reception)
    // Two rounds in which each device is read whole, and senders are known.
    await wait(size === 'whole' ? 150_000 : 5000)
    const place = { client, folder, network, port, pid: manager.pid }
    const rows = await measured(place, scale)
    const load = loadavg()[0]?.toFixed(1)
    return [
      row(`lines of ${many(scale.kept)} written to the files, each`, (seeded / scale.kept) * 1e6, 'µs', undefined, 1),
      ...rows.map(one => ({ ...one, what: `${scale.devices} devices polled, load ${load}: ${one.what}` })),
    ]
  } finally {
    await manager.stop()
    await farm.end()
    removeFolder(data)
  }
}
