import { mkdtempSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { type HistoryStore, openHistory } from '@/server/history/history'
import { queryHistory, slotTotals } from '@/server/history/query'
import { removeFolder } from '../appliance/_manager'
import { macOfClient, seedHistory } from './seed-history'
import { percentile, type Row, row } from './table'

const fleet = { devices: 10_000, network: 1, interfaces: 8, clients: 20_000 }
const times = 40

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e3
}

type Query = { what: string; ask(store: HistoryStore, round: number, now: number): unknown }
const some = (round: number, of: number) => 1 + ((round * 7919) % of)

/** Each asks for another device or client every time. */
const queries: readonly Query[] = [
  ...(['2h', '1d', '1w'] as const).map(range => ({
    what: `chart of a device, ${range}`,
    ask: (store: HistoryStore, round: number, now: number) =>
      queryHistory(store, { of: 'device', device: some(round, fleet.devices), range, now }),
  })),
  {
    what: 'chart of a network, 1d',
    ask: (store, _, now) => queryHistory(store, { of: 'network', network: fleet.network, range: '1d', now }),
  },
  {
    what: 'traffic of a client, 1d',
    ask: (store, round, now) => {
      return slotTotals(store, { of: 'client', id: some(round, fleet.clients) }, '1d', now)
    },
  },
  ...(['1d', '1w'] as const).map(range => ({
    what: `signal and traffic of a Wi-Fi client, ${range}`,
    ask: (store: HistoryStore, round: number, now: number) =>
      store.stations.query({ network: fleet.network, mac: macOfClient(some(round, fleet.clients - 1)), range, now }),
  })),
]

async function timed(store: HistoryStore, { what, ask }: Query, now: number): Promise<Row> {
  const ms: number[] = []
  const begun = process.cpuUsage()
  for (let round = 0; round < times; round++) {
    const asked = performance.now()
    await ask(store, round, now)
    ms.push(performance.now() - asked)
  }
  const cpu = (cpuMs(begun) / times).toFixed(1)
  return row(
    `${what} (p50 ${percentile(ms, 0.5).toFixed(1)} ms, ${cpu} ms CPU): p95`,
    percentile(ms, 0.95),
    'ms',
    undefined,
    1,
  )
}

/** What all devices carried in a day, where nobody added it up before. */
async function totalsRow(store: HistoryStore, now: number): Promise<Row> {
  const begun = process.cpuUsage()
  const devices = Array.from({ length: fleet.devices }, (_, i) => i + 1)
  await queryHistory(store, { of: 'totals', devices, range: '1d', most: 10, now })
  return row('the busiest devices of a day, nothing added up before, CPU', cpuMs(begun), 'ms', undefined, 0)
}

/** A day's history of a large site in its file: what it takes there, and how long its charts wait for it. */
export async function measureHistory(): Promise<Row[]> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  const file = `${folder}/history.sqlite`
  try {
    const begun = process.cpuUsage()
    const { samples, bytes } = seedHistory(file, fleet)
    const took = cpuMs(begun)
    const store = openHistory(file, what => console.error(what))
    const now = Date.now()
    const found = [
      row(`${samples} samples, and Wi-Fi clients packed: file`, statSync(file).size / 1e6, 'MB', undefined, 0),
      row('a sample, with its share of the file', bytes / samples, 'bytes', undefined, 1),
      row('written, CPU a sample', (took * 1e3) / samples, 'µs', undefined, 1),
    ]
    for (const query of queries) found.push(await timed(store, query, now))
    found.push(await totalsRow(store, now))
    store.close()
    const load = loadavg()[0]?.toFixed(1)
    const name = `a day of ${fleet.devices} devices of ${fleet.interfaces} interfaces and ${fleet.clients} clients, load ${load}`
    return found.map(one => ({ ...one, what: `${name}: ${one.what}` }))
  } finally {
    removeFolder(folder)
  }
}
