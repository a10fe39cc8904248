import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { uncompress } from 'snappyjs'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Driver } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import type { Observation } from '@/server/drivers/observation'
import { families } from '@/server/insight/metrics/families'
import { startMetrics, writeNow } from '@/server/insight/metrics/store'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { keyed, network, organization, person } from '../_people'

// What collectors are told of a network whose devices say what is written here.

let one: Manager
let browser: Browser
let says: Partial<Observation>

const gateway = {
  ...linuxDriver,
  connect: async () => ({}),
  close: () => undefined,
  observe: async () => ({ takenAt: Date.now(), depth: 'full', ...says }),
} as unknown as Driver<unknown>

const verifiedAt = 1_800_000_000_000

beforeEach(async () => {
  says = {}
  one = await startTestManager({
    starters: [
      fleetInProcess({ drivers: () => gateway }),
      runtime => startMetrics(runtime, { verifiedAt: async () => verifiedAt }),
    ],
  })
  browser = await finishedWizard(one)
})
afterEach(() => one.stop())

async function device(name: string, place = { organization: 1, network: 1 }): Promise<number> {
  const credential = insertCredential(one.runtime, place, { type: 'ssh', user: 'root', password: 'x' })
  const row = {
    ...{ name, address: '127.9.0.1', port: 9, driver: 'linux', kind: 'gateway', status: 1 },
    ...{ ...place, statusAt: 1, createdAt: 1, credential },
  } satisfies typeof devices.$inferInsert
  const { id } = one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get()
  fleetOf(one.runtime).upsert(id)
  await fleetOf(one.runtime).ask('observeNow', id)
  return id
}

async function scraped(query = '', by: Pick<Browser, 'raw'> = browser): Promise<string[]> {
  const answer = await by.raw(`metrics${query}`, { method: 'GET' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  return (await answer.text()).split('\n').slice(0, -1)
}
/** Label values hold no brace here. */
const sampleOf = (lines: readonly string[], series: string) =>
  lines.find(line => line.startsWith(`${series} `))?.slice(series.length + 1)

const port = (key: string, name: string, inOctets: number) => ({
  ...{ key, name, type: 'ethernet' as const, up: true, speed: 1e9 },
  counters: { bits: 64 as const, inOctets, outOctets: 2 ** 53 - 1 },
})

test('what a device tells is there in base units, and what it does not tell is no series', async () => {
  says = {
    interfaces: [port('1', 'eth0', 123_456), port('2', 'eth1', 0)],
    health: { cpuPercent: 25, temperatureCelsius: 41.5 },
    radios: [{ key: 'r', name: 'wlan0', band: '5g', channel: 36, widthMhz: 80, utilizationPercent: 12.5 }],
    bss: [{ key: 'b', radio: 'r', ssid: 'Home', bssid: '02:00:5e:00:53:0a', up: true }],
    stations: [{ mac: '00:00:5e:00:53:01', bss: 'b', ssid: 'Home', signalDbm: -61, txBytes: 10 }],
    wans: [{ interface: 'eth0', up: true, lossPercent: 5, latencyMs: 12 }],
  }
  const id = await device('gw')
  const lines = await scraped()
  const of = (name: string, more = '') => sampleOf(lines, `lanward_${name}{device="${id}"${more}}`)
  expect(of('interface_receive_bytes_total', ',interface="eth0"')).toBe('123456')
  expect(of('interface_receive_bytes_total', ',interface="eth1"')).toBe('0')
  expect(of('interface_transmit_bytes_total', ',interface="eth0"')).toBe('9007199254740991')
  expect(of('interface_speed_bytes_per_second', ',interface="eth0"')).toBe('125000000')
  expect(of('device_up')).toBe('1')
  expect(of('device_cpu_ratio')).toBe('0.25')
  expect(of('device_temperature_celsius')).toBe('41.5')
  expect(of('radio_width_hertz', ',radio="wlan0",band="5g"')).toBe('80000000')
  expect(of('radio_busy_ratio', ',radio="wlan0",band="5g"')).toBe('0.125')
  expect(of('bss_clients', ',ssid="Home",bssid="02:00:5e:00:53:0a",band="5g"')).toBe('1')
  expect(of('wan_loss_ratio', ',wan="eth0"')).toBe('0.05')
  expect(of('wan_latency_seconds', ',wan="eth0"')).toBe('0.012')
  for (const unknown of ['device_memory_ratio', 'interface_receive_errors', 'wan_jitter', 'radio_noise'])
    expect(lines.filter(line => line.startsWith(`lanward_${unknown}`))).toEqual([])
  expect(sampleOf(lines, 'lanward_manager_backup_verified_timestamp_seconds')).toBe(String(verifiedAt / 1000))
  expect(lines.some(line => line.includes('00:00:5e:00:53:01'))).toBe(false)
  const clients = await scraped('?clients=1')
  expect(sampleOf(clients, `lanward_client_signal_dbm{client="00:00:5e:00:53:01",device="${id}"}`)).toBe('-61')
  expect(await scraped('?interfaces=0')).not.toContainEqual(expect.stringMatching(/^lanward_interface/))
})

test('the format: each family once with its kind, no series twice, hostile names inside their quotes', async () => {
  const hostile = 'a"} 1\nlanward_device_up{device="9"} 0\\'
  says = { interfaces: [port('1', hostile, 1), port('2', hostile, 2), port('3', 'x'.repeat(255), 3)] }
  await device(`gw ${hostile}`)
  const lines = await scraped()
  const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
  const sample = new RegExp(`^([a-z_]+)(\\{${label}(?:,${label})*\\})? (-?[0-9.e+-]+)$`)
  const seen = new Set<string>()
  let family = ''
  for (const line of lines) {
    const head = /^# (?:HELP|TYPE) ([a-z_]+) (.+)$/.exec(line)
    if (head?.[1] && line.startsWith('# TYPE')) {
      expect(seen.has(head[1])).toBe(false)
      seen.add(head[1])
      family = head[1]
      expect(head[2]).toBe(families[family as keyof typeof families].type)
    }
    if (line.startsWith('#')) continue
    const found = sample.exec(line)
    expect([line, found?.[1]]).toEqual([line, family])
    expect(seen.has(`${found?.[1]}${found?.[2]}`)).toBe(false)
    seen.add(`${found?.[1]}${found?.[2]}`)
  }
  expect(lines.filter(line => line.startsWith('lanward_interface_receive_bytes_total'))).toHaveLength(3)
})

test('a key with nothing but this right scrapes, in its own networks alone, and none of another organization', async () => {
  says = { interfaces: [port('1', 'eth0', 1)] }
  const mine = await device('mine')
  const second = network(one, 'Second')
  const there = await device('there', { organization: 1, network: second })
  const foreign = organization(one, 'Others')
  const theirs = await device('theirs', { organization: foreign, network: network(one, 'Theirs', foreign) })
  await browser.post('developer-api/save', { enabled: true })
  const maker = await person(one, { role: 'superAdministrator' })
  const key = keyed(one, maker.account, { authorities: ['metrics'], networks: [second] })
  const raw = { raw: (path: string, init: RequestInit) => key.raw(path, init) }
  const ids = (lines: string[]) =>
    lines.flatMap(line => /^lanward_device_info\{device="(\d+)"/.exec(line)?.[1] ?? []).map(Number)
  expect(ids(await scraped('', raw))).toEqual([there])
  expect(ids(await scraped())).toEqual([mine, there])
  expect(ids(await scraped(`?network=${second}`))).toEqual([there])
  expect(await scraped('', raw)).not.toContainEqual(expect.stringMatching(/^process_|^lanward_manager/))
  expect((await key.post('devices/list', { networkId: second })).retCode).toBe(codes.noAuthority)
  expect((await browser.post('metrics', { network: 999 })).retCode).toBe(codes.networkNotFound)
  const other = keyed(one, maker.account, { authorities: ['dashboard'] })
  expect((await other.post('metrics')).retCode).toBe(codes.noAuthority)
  expect(theirs).toBeGreaterThan(0)
})

test('more devices than one answer holds are refused with what to do', async () => {
  const place = { organization: 1, network: 1 }
  const credential = insertCredential(one.runtime, place, { type: 'ssh', user: 'root', password: 'x' })
  one.runtime.db.transaction(tx => {
    for (let at = 0; at <= limits.metricsDevices; at++)
      tx.insert(devices)
        .values({
          ...{ name: `d${at}`, address: '127.9.0.1', port: at + 1, driver: 'linux', kind: 'switch', status: 0 },
          ...{ ...place, statusAt: 1, createdAt: 1, credential },
        })
        .run()
  })
  expect((await browser.post('metrics')).retCode).toBe(codes.metricsTooMany)
  expect((await scraped('?interfaces=0')).filter(line => line.startsWith('lanward_device_up'))).toHaveLength(
    limits.metricsDevices + 1,
  )
})

/** A store that answers with these statuses in turn, the last one for ever. */
async function store(statuses: number[], when: Promise<unknown> = Promise.resolve()) {
  const bodies: { authorization: string | undefined; text: string }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      await when
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204
      if (status < 300)
        bodies.push({
          authorization: request.headers.authorization,
          text: Buffer.from(uncompress(Buffer.concat(parts))).toString('latin1'),
        })
      response.writeHead(status).end(status === 400 ? 'out of order sample' : '')
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port: at } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${at}/api/v1/write`, bodies, close: () => server.close() }
}
const status = async () => (await browser.post('metrics/status')).data

test('a store that is away gets what it missed, in order; what it refuses is given up and said', async () => {
  says = { interfaces: [port('1', 'eth0', 1)] }
  await device('gw')
  const to = await store([503, 503, 204])
  try {
    const settings = { enabled: true, url: to.url, user: 'lanward', password: 'secret-one', revision: 0 }
    expect((await browser.post('settings/metricsStore/save', settings)).retCode).toBe(0)
    // The save has begun one already.
    for (let at = 0; at < 4; at++) await writeNow(one.runtime)
    expect(to.bodies.length).toBeGreaterThanOrEqual(2)
    expect(to.bodies[0]?.authorization).toBe(`Basic ${Buffer.from('lanward:secret-one').toString('base64')}`)
    expect(to.bodies[0]?.text).toContain('lanward_interface_receive_bytes_total')
    expect(await status()).toMatchObject({ last: { ok: true, error: '' }, waiting: 0, dropped: 0 })
  } finally {
    to.close()
  }
  const refuses = await store([400])
  try {
    const settings = { enabled: true, url: refuses.url, revision: 1 }
    expect((await browser.post('settings/metricsStore/save', settings)).retCode).toBe(0)
    for (let at = 0; at < 2; at++) await writeNow(one.runtime)
    const { last, dropped, waiting } = (await status()) as { last: object; dropped: number; waiting: number }
    expect(last).toMatchObject({ ok: false, error: 'HTTP 400 out of order sample' })
    expect([dropped > 0, waiting]).toEqual([true, 0])
  } finally {
    refuses.close()
  }
})

test('settings that are saved while the former ones are written by are written by at once, too', async () => {
  const answers = new EventEmitter()
  const [former, next] = [await store([204], once(answers, 'now')), await store([204])]
  const { revision } = (await browser.post('settings/metricsStore/get')).data as { revision: number }
  try {
    const save = (url: string, at: number) =>
      browser.post('settings/metricsStore/save', { enabled: true, url, revision: at })
    expect((await save(former.url, revision)).retCode).toBe(0)
    expect((await save(next.url, revision + 1)).retCode).toBe(0)
    answers.emit('now')
    await until(() => next.bodies.length > 0)
  } finally {
    former.close()
    next.close()
  }
})

test('G2: the address of a store is a web address, and asked for where it is on', async () => {
  for (const url of ['ftp://a', 'prometheus', `http://${'a'.repeat(512)}`])
    expect((await browser.post('settings/metricsStore/save', { enabled: true, url, revision: 0 })).data).toMatchObject({
      fields: { url: expect.anything() },
    })
  expect((await browser.post('settings/metricsStore/save', { enabled: true, revision: 0 })).data).toMatchObject({
    fields: { url: expect.anything() },
  })
})
