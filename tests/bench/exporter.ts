import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { snmpDriver } from '@/server/devices/snmp/driver'
import { freePort, removeFolder } from '../appliance/_manager'
import { startFarm } from './farm'
import { cpuSeconds } from './fleet'
import { farmAddress } from './seed'
import { type Row, row } from './table'

// The CPU a round of polling takes, beside Debian's prometheus-snmp-exporter reading the same columns of the same agents.

const interfaces = 28
const width = 64
const rounds = 3

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

async function driverRound(count: number, port: number): Promise<number> {
  const sessions: Awaited<ReturnType<typeof snmpDriver.connect>>[] = []
  const credential = { type: 'snmp2c', community: 'public' } as const
  await all(count, async i => {
    const target = { address: farmAddress(i + 1), port, credential }
    const session = await snmpDriver.connect(target, AbortSignal.timeout(20_000))
    await snmpDriver.observe(session, 'full')
    sessions.push(session)
  })
  return leastOf(async () => {
    const before = process.cpuUsage()
    await all(count, async i => {
      const session = sessions[i]
      if (session) await snmpDriver.observe(session, 'counters')
    })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  })
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

export async function measureExporter(count: number): Promise<Row[]> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-exporter-`)
  const farm = await startFarm(await freePort(), interfaces, 0)
  try {
    const own = await driverRound(count, farm.port)
    const name = `a poll of ${count} devices of ${interfaces} interfaces`
    const rows = [row(`${name}: the driver's CPU, without history`, own, 's', undefined)]
    const binary = exporterBinary(folder)
    if (!binary) {
      rows.push({ what: `${name}: prometheus-snmp-exporter`, figure: 'not to be had here', aim: '', met: undefined })
      return rows
    }
    const other = await exporterRound(binary, folder, count, farm.port)
    rows.push(row(`${name}: prometheus-snmp-exporter's CPU, the same columns`, other, 's', undefined))
    rows.push(row(`${name}: driver to exporter`, own / other, 'times', 1))
    return rows
  } finally {
    await farm.end()
    removeFolder(folder)
  }
}
