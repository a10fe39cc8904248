import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { freePort, type Manager, removeFolder, startManager } from '../appliance/_manager'
import { type Client, clientOf } from '../soak/client'
import { signIn } from '../soak/kills'
import { startFarm } from './farm'
import { measureDashboard } from './page'
import { farmAddress, seedFleet } from './seed'
import { percentile, type Row, row } from './table'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const deadEvery = 50
const interfaces = 28
const missedMs = 90_000
/** As the farm counts: the address as a number. */
const isDead = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) % deadEvery === 0

/** CPU seconds of the process and all its threads so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const rssMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function timings(client: Client, path: string, input: unknown, times: number): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const begun = performance.now()
    await client.must(path, input)
    taken.push(performance.now() - begun)
    await wait(50)
  }
  return taken
}

const pageCalls: readonly [string, object][] = [
  ['devices/list', { page: 3, pageSize: 50 }],
  ['dashboard/devices', {}],
  ['dashboard/health', {}],
  ['dashboard/clients-count', {}],
  ['dashboard/bandwidth', {}],
  ['dashboard/top-aps', {}],
  ['dashboard/top-clients', {}],
  ['dashboard/alerts', {}],
]

/** The calls of the two busiest pages while everything is polled; a call the manager refuses stops the measurement. */
async function measureCalls(client: Client): Promise<Row[]> {
  const rows: Row[] = []
  for (const [path, input] of pageCalls)
    rows.push(
      row(`p95 of ${path} while polling`, percentile(await timings(client, path, input, 60), 0.95), 'ms', 100, 0),
    )
  return rows
}

async function settle(manager: Manager): Promise<Client> {
  const client = clientOf(manager.http)
  await signIn(client)
  // Two rounds to learn every device, as after any start.
  await wait(150_000)
  return client
}

/** `count` devices with 28 interfaces each, every 50th dead, for `minutes` after two rounds of learning them. */
export async function measureFleet(count: number, minutes: number): Promise<Row[]> {
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  const port = await freePort()
  const network = await seedFleet(data, count, port)
  const farm = await startFarm(port, interfaces, deadEvery)
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  const client = await settle(manager)
  farm.begin()
  const begun = { cpu: cpuSeconds(manager.pid), at: performance.now() }
  const calls = [...(await measureCalls(client)), ...(await measureDashboard(manager.http, network))]
  await wait(minutes * 60_000 - (performance.now() - begun.at))
  const took = (performance.now() - begun.at) / 60_000
  const cpu = cpuSeconds(manager.pid) - begun.cpu
  const memory = rssMb(manager.pid)
  await manager.stop()
  const seen = await farm.end()
  removeFolder(data)
  const live = Array.from({ length: count }, (_, i) => farmAddress(i + 1)).filter(address => !isDead(address)).length
  // A window of whole minutes may catch one round more or less of a device: what counts is the time between two.
  const whole = seen.filter(device => device.rounds > 1 && device.longestGapMs < missedMs).length
  const gaps = seen.map(device => device.longestGapMs)
  const name = `${count} devices of ${interfaces} interfaces, 2 % dead, ${took.toFixed(1)} min`
  return [
    row(
      `${name}: live devices that missed a round (over 90 s between two)`,
      live - Math.min(live, whole),
      'devices',
      Math.floor(live * 0.001),
      0,
    ),
    row(`${name}: longest time between two rounds of a device`, Math.max(0, ...gaps) / 1000, 's', undefined, 1),
    row(`${name}: manager's CPU for a round of all (history written, calls answered)`, cpu / took, 's', undefined, 1),
    row(`${name}: manager's memory`, memory, 'MB', 512, 0),
    ...calls,
  ]
}
