import { mkdtempSync, readFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { freePort, type Manager, removeFolder, startManager } from '../appliance/_manager'
import { type Client, clientOf } from '../soak/client'
import { signIn } from '../soak/kills'
import { type Farm, startFarm } from './farm'
import { measureLists } from './lists'
import { measureDashboard } from './page'
import { type Completeness, completeness } from './rounds'
import { farmAddress, seedFleet } from './seed'
import { type Row, row } from './table'
import { cpuByThread } from './thread-cpu'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const deadEvery = 50
const interfaces = 28
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

/** Signs in, and waits until every device was read whole: two rounds, as after any start. */
async function settle(manager: Manager): Promise<Client> {
  const client = clientOf(manager.http)
  await signIn(client)
  await wait(150_000)
  return client
}

/** `cpu` seconds a minute; of one: how busy the main thread and the polling one are. */
type Window = { minutes: number; cpu: number; main: number; worker: number; mostMb: number }

/** Nothing but polling for `minutes`. */
async function quietWindow(pid: number, minutes: number): Promise<Window> {
  const begun = { cpu: cpuSeconds(pid), ...cpuByThread(pid), at: performance.now() }
  let mostMb = 0
  while (performance.now() - begun.at < minutes * 60_000) {
    await wait(Math.min(5000, Math.max(0, minutes * 60_000 - (performance.now() - begun.at))))
    mostMb = Math.max(mostMb, rssMb(pid))
  }
  const took = (performance.now() - begun.at) / 60_000
  const { main, busiest } = cpuByThread(pid)
  return {
    minutes: took,
    cpu: (cpuSeconds(pid) - begun.cpu) / took,
    main: (main - begun.main) / took,
    worker: (busiest - begun.busiest) / took,
    mostMb,
  }
}

function roundRows(name: string, found: Completeness): Row[] {
  if (found.due === 0)
    return [{ what: `${name}: live devices`, figure: `${found.live}, no whole round`, aim: '', met: undefined }]
  const missed = found.due - found.inTime
  const share = (found.inTime / found.due) * 100
  return [
    { what: `${name}: live devices, rounds due`, figure: `${found.live}, ${found.due}`, aim: '', met: undefined },
    {
      what: `${name}: rounds complete within their 60 s`,
      figure: `${found.inTime} (${share.toFixed(3)} %, ${missed} missed, by ${found.behind} devices)`,
      aim: 'at least 99.9 %',
      met: share >= 99.9,
    },
    row(`${name}: longest time between two rounds of a device`, found.worstGapMs / 1000, 's', undefined, 1),
  ]
}

function windowRows(
  name: string,
  devices: number,
  window: Window,
  afterMb: number,
  exporter: number | undefined,
): Row[] {
  const { cpu, main, worker, mostMb } = window
  const aim = devices > 10_000 ? 1500 : 400
  const rows = [
    row(`${name}: manager's CPU for a round of all, all it does (every fifth reading whole)`, cpu, 's', undefined),
    row(`${name}: of it the main thread`, main, 's', undefined),
    row(`${name}: of it the thread that polls`, worker, 's', undefined),
    row(`${name}: manager's most memory while polling`, mostMb, 'MB', aim, 0),
    row(`${name}: manager's memory after the calls and pages below`, afterMb, 'MB', aim, 0),
  ]
  if (exporter !== undefined)
    rows.push(row(`${name}: manager's CPU for a round, to prometheus-snmp-exporter's`, cpu / exporter, 'times', 1))
  return rows
}

export type FleetOptions = {
  count: number
  minutes: number
  /** CPU seconds that prometheus-snmp-exporter took in this run for a round of as many devices. */
  exporter?: number
}

type Measured = { quiet: Window; found: Completeness; calls: Row[]; afterMb: number }

async function measure(
  { count, minutes }: FleetOptions,
  manager: Manager,
  farm: Farm,
  network: number,
): Promise<Measured> {
  const client = await settle(manager)
  farm.begin()
  const quiet = await quietWindow(manager.pid, minutes)
  const rounds = await farm.notes()
  const live = Array.from({ length: count }, (_, i) => farmAddress(i + 1)).filter(address => !isDead(address))
  const found = completeness(rounds, live, quiet.minutes * 60_000)
  const calls = [
    ...(await measureLists({ client, worked: () => cpuByThread(manager.pid).main, devices: count, name: `${count}` })),
    ...(await measureDashboard(manager.http, network)),
  ]
  return { quiet, found, calls, afterMb: rssMb(manager.pid) }
}

/** `count` devices with 28 interfaces each, every 50th dead, for `minutes` after two rounds of learning them. */
export async function measureFleet(options: FleetOptions): Promise<Row[]> {
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  const port = await freePort()
  const network = await seedFleet(data, options.count, port, { interfaces })
  const farm = await startFarm(port, interfaces, deadEvery)
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    const { quiet, found, calls, afterMb } = await measure(options, manager, farm, network)
    const load = loadavg()[0]?.toFixed(1)
    const name = `${options.count} devices of ${interfaces} interfaces, 2 % dead, ${quiet.minutes.toFixed(1)} min, load ${load}`
    return [...roundRows(name, found), ...windowRows(name, options.count, quiet, afterMb, options.exporter), ...calls]
  } finally {
    await manager.stop()
    await farm.end()
    removeFolder(data)
  }
}
