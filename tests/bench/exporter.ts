import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import type { Observation } from '@/server/drivers/observation'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import type { Session } from '@/server/drivers/snmp/observe/session'
import { openHistory } from '@/server/history/history'
import { createClients } from '@/server/worker/clients'
import { liveTable, newLiveBuffer } from '@/server/worker/live'
import { createNeighborBook } from '@/server/worker/neighbor-book'
import { newPolledDevice, type PolledDevice } from '@/server/worker/polled-device'
import { record } from '@/server/worker/record'
import { freePort, removeFolder } from '../appliance/_manager'
import { startFarm } from './farm'
import { cpuSeconds } from './fleet'
import { farmAddress } from './seed'
import { type Row, row } from './table'

// The CPU a round of polling takes, beside Debian's prometheus-snmp-exporter reading the same columns of the same agents.

const interfaces = 28
const width = 64
const rounds = 3
/** The coarsest bucket of history, and the finest. */
const [bucketMs, finestMs] = [10_800_000, 300_000]

/** What a poll of the driver reads of such a device: these columns, the processors' load and the uptime. */
const columns: readonly (readonly [name: string, oid: string])[] = [
  ['ifAdminStatus', '1.3.6.1.2.1.2.2.1.7'],
  ['ifOperStatus', '1.3.6.1.2.1.2.2.1.8'],
  ['ifInDiscards', '1.3.6.1.2.1.2.2.1.13'],
  ['ifInErrors', '1.3.6.1.2.1.2.2.1.14'],
  ['ifOutDiscards', '1.3.6.1.2.1.2.2.1.19'],
  ['ifOutErrors', '1.3.6.1.2.1.2.2.1.20'],
  ['ifHCInOctets', '1.3.6.1.2.1.31.1.1.1.6'],
  ['ifHCOutOctets', '1.3.6.1.2.1.31.1.1.1.10'],
  ['ifHighSpeed', '1.3.6.1.2.1.31.1.1.1.15'],
  ['hrProcessorLoad', '1.3.6.1.2.1.25.3.3.1.2'],
]

const exporterConfig = () =>
  [
    'bench:',
    `  walk: [${columns.map(([, oid]) => oid).join(', ')}]`,
    '  get: [1.3.6.1.2.1.1.3.0]',
    '  metrics:',
    '  - {name: sysUpTime, oid: 1.3.6.1.2.1.1.3, type: gauge, help: uptime}',
    ...columns.map(
      ([name, oid]) =>
        `  - {name: ${name}, oid: ${oid}, type: gauge, help: column, indexes: [{labelname: row, type: gauge}]}`,
    ),
    '  version: 2',
    '  auth: {community: public}',
    '',
  ].join('\n')

/** Runs `work` for 0 … count − 1, `width` at a time. */
async function all(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

const leastOf = async (measure: () => Promise<number>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds; i++) least = Math.min(least, await measure())
  return least
}

type Read = { entry: PolledDevice; session: Session; seen: Observation }

/** Every device connected and read whole once, as the poller does at start. */
async function readAll(count: number, port: number): Promise<Read[]> {
  const read: Read[] = []
  const credential = { type: 'snmp2c', community: 'public' } as const
  await all(count, async i => {
    const target = { address: farmAddress(i + 1), port, credential }
    const session = await snmpDriver.connect(target, AbortSignal.timeout(20_000))
    const seen = await snmpDriver.observe(session, 'full')
    const device = {
      id: i + 1,
      row: i,
      network: 1,
      driver: 'snmp',
      kind: 'switch',
      name: '',
      target,
      status: 1,
    } as const
    read.push({ entry: newPolledDevice(device, snmpDriver, 0), session: session as Session, seen })
  })
  return read
}

const ownCpu = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

type DriverRound = { read: number; written: number; rolledUp: number }

/** CPU seconds of a round: reading alone; with everything recorded and history written; the round's share of rolling it up. */
async function driverRound(count: number, port: number, folder: string): Promise<DriverRound> {
  const devices = await readAll(count, port)
  const history = openHistory(`${folder}/history.sqlite`, what => console.error(what))
  const sinks = {
    live: liveTable(newLiveBuffer()),
    history,
    clients: createClients(),
    neighbors: createNeighborBook(),
    tell: () => undefined,
  }
  for (const { entry, seen } of devices) record(entry, seen, sinks)
  const poll = (use: (device: Read) => void) =>
    all(devices.length, async i => {
      const device = devices[i]
      if (!device) return
      device.seen = await snmpDriver.observe(device.session, 'counters')
      use(device)
    })
  const read = await leastOf(() => ownCpu(() => poll(() => undefined)))
  const written = await leastOf(() =>
    ownCpu(async () => {
      await poll(({ entry, seen }) => record(entry, seen, sinks))
      history.flush()
    }),
  )
  const begin = Math.ceil(Date.now() / bucketMs) * bucketMs
  for (let at = begin; at < begin + bucketMs; at += finestMs) {
    for (const { entry, seen } of devices) record(entry, { ...seen, takenAt: at }, sinks)
    history.flush()
  }
  const rolled = await ownCpu(() => history.tidy(begin + bucketMs * 2))
  history.close()
  return { read, written, rolledUp: rolled / (bucketMs / 60_000) }
}

/** Debian's package unpacked into a folder, nothing installed. Undefined: there is none to be had here. */
function exporterBinary(folder: string): string | undefined {
  try {
    execFileSync('apt-get', ['download', 'prometheus-snmp-exporter'], { cwd: folder, stdio: 'ignore', timeout: 60_000 })
    const file = readdirSync(folder).find(name => name.endsWith('.deb'))
    if (!file) return undefined
    mkdirSync(`${folder}/root`)
    execFileSync('dpkg-deb', ['-x', `${folder}/${file}`, `${folder}/root`])
    return `${folder}/root/usr/bin/prometheus-snmp-exporter`
  } catch {
    return undefined
  }
}

async function exporterRound(binary: string, folder: string, count: number, port: number): Promise<number> {
  writeFileSync(`${folder}/snmp.yml`, exporterConfig())
  const web = await freePort()
  const options = [`--config.file=${folder}/snmp.yml`, `--web.listen-address=127.0.0.1:${web}`, '--log.level=error']
  const child = spawn(binary, options, { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: width })
  const scrape = (i: number) =>
    new Promise<number>(done => {
      const path = `/snmp?module=bench&target=${farmAddress(i + 1)}:${port}`
      get({ agent, host: '127.0.0.1', port: web, path }, reply => {
        reply.resume().on('end', () => done(reply.statusCode ?? 0))
      }).on('error', () => done(0))
    })
  try {
    for (let tries = 0; tries < 50 && (await scrape(0)) !== 200; tries++) await new Promise(go => setTimeout(go, 200))
    return await leastOf(async () => {
      const before = cpuSeconds(child.pid ?? 0)
      await all(count, scrape)
      return cpuSeconds(child.pid ?? 0) - before
    })
  } finally {
    agent.destroy()
    child.kill()
  }
}

/** Their rows, and the exporter's CPU seconds for a round where it is to be had. */
export async function measureExporter(count: number): Promise<{ rows: Row[]; exporter?: number }> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-exporter-`)
  const farm = await startFarm(await freePort(), interfaces, 0)
  try {
    const { read, written, rolledUp } = await driverRound(count, farm.port, folder)
    const name = `a poll of ${count} devices of ${interfaces} interfaces`
    const rows = [
      row(`${name}: the driver's CPU, without history`, read, 's', undefined),
      row(
        `${name}: recorded and written to history, its roll-up (${rolledUp.toFixed(3)} s) included`,
        written + rolledUp,
        's',
        undefined,
      ),
    ]
    const binary = exporterBinary(folder)
    if (!binary) {
      rows.push({ what: `${name}: prometheus-snmp-exporter`, figure: 'not to be had here', aim: '', met: undefined })
      return { rows }
    }
    const exporter = await exporterRound(binary, folder, count, farm.port)
    rows.push(row(`${name}: prometheus-snmp-exporter's CPU, the same columns`, exporter, 's', undefined))
    rows.push(row(`${name}: without history, to the exporter`, read / exporter, 'times', 1))
    rows.push(
      row(`${name}: with history, to the exporter (which keeps none)`, (written + rolledUp) / exporter, 'times', 1),
    )
    return { rows, exporter }
  } finally {
    await farm.end()
    removeFolder(folder)
  }
}
