import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { freePort, removeFolder, startManager } from '../appliance/_manager'
import { type Client, clientOf } from '../soak/client'
import { signIn } from '../soak/kills'
import { startFarm } from './farm'
import { measureLists } from './lists'
import { seedFleet } from './seed'
import { percentile, type Row, row } from './table'
import { cpuByThread } from './thread-cpu'

// Half a year of a large site: how large its data are, and how long lists and the dashboard take while it is polled.

const site = { devices: 1000, interfaces: 28, hosts: 20, seconds: 183 * 86_400 }
const clients = site.devices * site.hosts
/** What a poll reads of a device (octets of each interface both ways, processor, memory, clients, whether it answers). */
const readings = site.interfaces * 2 + 4
/** What is read of a client each minute, and kept for its charts: signal, octets both ways; the longest of them a month. */
const ofClient = { readings: 3, seconds: 31 * 86_400 }

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))

const sizeOf = (folder: string, name: string): number => {
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = own.filter(one => one.endsWith(name) || one.endsWith(`${name}-wal`))
  return files.reduce((sum, one) => sum + statSync(`${folder}/${one}`).size, 0)
}

/** Until every device was read whole and each of its hosts is a client that is connected. */
async function allConnected(client: Client): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { total } = (await client.must('clients/list', { pageSize: 10 })) as { total: number }
    if (total >= clients || performance.now() - begun > 900_000) return total
    await wait(2000)
  }
}

/** Charts of half a year, each of another device, and those of a client. */
async function chartRows(client: Client, name: string): Promise<Row[]> {
  const asked: [string, (round: number) => [string, object]][] = [
    [
      'traffic of a device, half a year',
      round => ['devices/usage', { id: 1 + ((round * 79) % site.devices), range: '6m' }],
    ],
    ['traffic of the network, half a year', () => ['dashboard/bandwidth', { range: '6m' }]],
    ['clients, half a year', () => ['dashboard/clients-count', { range: '6m' }]],
  ]
  const rows: Row[] = []
  for (const [what, of] of asked) {
    const ms: number[] = []
    for (let round = 0; round < 30; round++) {
      const [path, input] = of(round)
      const at = performance.now()
      await client.must(path, input)
      ms.push(performance.now() - at)
      await wait(20)
    }
    rows.push(
      row(`${name}: ${what} (p50 ${percentile(ms, 0.5).toFixed(0)} ms): p95`, percentile(ms, 0.95), 'ms', undefined, 0),
    )
  }
  return rows
}

/** 1,000 devices and 20,000 clients with six months of history, polled while everything is asked. */
export async function measureMonths(): Promise<Row[]> {
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  const port = await freePort()
  const begun = performance.now()
  await seedFleet(data, site.devices, port, site)
  const seeded = (performance.now() - begun) / 1000
  const [database, history] = [sizeOf(data, 'lanward.sqlite'), sizeOf(data, 'history.sqlite')]
  const minutes = site.seconds / 60
  const samples = site.devices * readings * minutes + (clients * ofClient.readings * ofClient.seconds) / 60
  const farm = await startFarm(port, site.interfaces, 0, site.hosts)
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    const client = clientOf(manager.http)
    await signIn(client)
    const connected = await allConnected(client)
    const worked = () => cpuByThread(manager.pid).main
    const calls = await measureLists({ client, worked, devices: site.devices, name: 'months' })
    const name = `${site.devices} devices, ${connected} clients, 6 months, polled, load ${loadavg()[0]?.toFixed(1)}`
    return [
      row(`${name}: settings, clients, events, alerts, changelog: file`, database / 1e6, 'MB', undefined, 0),
      row(`${name}: history: file (made in ${seeded.toFixed(0)} s)`, history / 1e6, 'MB', undefined, 0),
      row(
        `${name}: bytes a sample, of ${(samples / 1e9).toFixed(1)} billion`,
        (database + history) / samples,
        'bytes',
        2,
        3,
      ),
      ...(await chartRows(client, name)),
      ...calls.map(one => ({ ...one, what: `${name}: ${one.what}` })),
    ]
  } finally {
    await manager.stop()
    await farm.end()
    removeFolder(data)
  }
}
