// Records of clients' traffic, from the gateway's lines to the page, the file and the log server.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { changelog, clients, devices, documents, groups } from '@/db/schema'
import { codes } from '@/model/codes'
import { folderOf, startLogs } from '@/server/insight/logs/reception'
import { readSent } from '@/server/insight/records/sent'
import { trafficLogsNow } from '@/server/insight/records/settings'
import { startRecords } from '@/server/insight/records/start'
import { type RecordKind, recordFolder } from '@/server/worker/intake/record-table'
import { freePort } from '../../appliance/_manager'
import { stopClock, untilLater as until } from '../../drivers/_timers'
import { fleetInProcess, temporaryFolder } from '../_fleet'
import { logsInProcess } from '../_logs'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { keyed, network, organization, person, role, sharedNetwork } from '../_people'

type Found = {
  id: number
  at: number
  name?: string
  outer?: string
  device: object | null
  client: { address: string; name?: string; mac?: string }
}
type Kind = {
  on: boolean
  bytes: number
  sending: { sentAt?: number; dropped: number; failed?: { error: string; code: number } } | null
}
type Status = {
  url: Kind
  nat: Kind
  keepDays: number | null
  logServer: string | null
  receiving: boolean
  damaged: boolean
}

let manager: Manager
let browser: Browser
let port: number
let gateway: number

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}
/** As the settings kind is stored, of a network, a group or a device. */
function set(data: object, scope: 'network' | 'group' | 'device' = 'network', scopeId = 1) {
  const { db, bus } = manager.runtime
  const row = { organization: 1, scope, scopeId, kind: 'trafficLogs', name: '', data: JSON.stringify(data) }
  const by = { createdAt: 1, changedAt: 1, changedBy: 'x' }
  const id = `traffic-${scope}-${scopeId}`
  db.insert(documents)
    .values({ id, ...row, ...by })
    .onConflictDoUpdate({ target: documents.id, set: { data: row.data } })
    .run()
  bus.emit({ topic: 'settings', network: 1 })
}
const device = (address: string, name: string, of = 1) =>
  manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: of, address, name, port: 22, driver: 'linux', kind: 'gateway' as const },
      ...{ status: 1 as const, statusAt: 1, createdAt: 1 },
    })
    .returning({ id: devices.id })
    .get().id
const client = (mac: string, address: string, hostname: string, online = true, name = '') =>
  manager.runtime.db
    .insert(clients)
    .values({ network: 1, mac, address, hostname, name, online, wifi: false, firstSeenAt: 1, seenAt: 1 })
    .run()
const status = async () => (await must('records/status')) as unknown as Status
const find = async (kind: RecordKind = 'url', input: object = {}) =>
  (await must('records/find', { kind, ...input })).records as Found[]
const names = async (input: object = {}) => (await find('url', input)).map(one => one.name)
const folder = (kind: RecordKind, of = 1) => recordFolder(folderOf(manager.runtime), of, kind)

const query = (name: string, address = '192.168.1.23', verb = `query[A] ${name} from ${address}`) =>
  `<30>Nov 30 06:00:00 gw dnsmasq[12]: 7 ${address}/51234 ${verb}`
const half = (side: 'in' | 'out', source: string, sport: number, number = 4711) =>
  `<7>Nov 30 06:00:00 gw kernel: [  93.1] lanward-nat-${side} IN=lan OUT=wan MAC=72:fa SRC=${source} DST=203.0.113.9 LEN=60 TTL=63 ID=${number} PROTO=TCP SPT=${sport} DPT=443 SEQ=1 `

async function say(...lines: string[]) {
  const socket = createSocket('udp4')
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  for (const line of lines) await new Promise(done => socket.send(line, port, '127.0.0.1', done))
  socket.close()
}
/** What was said is found: all before it, too. */
async function recorded(...lines: string[]) {
  await say(...lines, query('last.said.test'))
  await until(async () => (await names({ search: 'last.said.test' })).length > 0)
}
const isRecorded = (kind: RecordKind, on = true) => until(async () => (await status())[kind].on === on)

let data: ReturnType<typeof temporaryFolder>
const start = async () => {
  manager = await startTestManager({ data: data.path, starters: [fleetInProcess()] })
}
const startBoth = () => {
  startLogs(manager.runtime, { threads: logsInProcess })
  // Who is waited for is tried again at once.
  startRecords(manager.runtime, { retryMs: [1] })
}
beforeEach(async () => {
  data = temporaryFolder()
  await start()
  browser = await finishedWizard(manager)
  port = await freePort()
  gateway = device('127.0.0.1', 'gw')
  stopClock()
  startBoth()
  const { revision } = await must('settings/logReception/get')
  await must('settings/logReception/save', { revision, protocol: 'udp', port })
  await until(async () => ((await must('logs/status')).now as { udp?: unknown } | null)?.udp === 'listening')
})
afterEach(async () => {
  jest.useRealTimers()
  await manager.stop()
  data.remove()
})

const lines = async (search: string) => (await must('logs/find', { search })).lines as object[]

test('off, they are lines like others; on, they are records and no lines, and answers of the resolver are neither', async () => {
  expect(await status()).toMatchObject({
    ...{ url: { on: false, sending: null }, nat: { on: false }, keepDays: null, logServer: null, receiving: true },
  })
  await say(query('ordinary.test'), half('in', '192.168.1.23', 40_000))
  await until(async () => (await lines('ordinary.test')).length === 1 && (await lines('"lanward-nat-in"')).length === 1)
  expect(await find('url')).toEqual([])

  set({ urlLog: true, natLog: true })
  await isRecorded('nat')
  client('02:00:00:00:00:23', '192.168.1.23', 'laptop')
  await recorded(
    query('www.example.com'),
    query('www.example.com', '192.168.1.23', 'reply www.example.com is 192.0.2.1'),
    query('www.example.com', '192.168.1.23', 'forwarded www.example.com to 9.9.9.9'),
    half('in', '192.168.1.23', 40_000),
    half('out', '203.0.113.2', 1025),
    '<30>Nov 30 06:00:00 gw dnsmasq[12]: started, version 2.90',
  )
  expect(await find('url', { search: 'example' })).toEqual([
    {
      ...{ id: expect.any(Number), at: expect.any(Number), name: 'www.example.com', type: 'A', port: 51_234 },
      device: { id: gateway, name: 'gw' },
      client: { address: '192.168.1.23', mac: '02:00:00:00:00:23', name: 'laptop' },
    },
  ])
  expect(await find('nat')).toMatchObject([
    {
      ...{ client: { address: '192.168.1.23', name: 'laptop' }, port: 40_000, outer: '203.0.113.2', outerPort: 1025 },
      ...{ target: '203.0.113.9', targetPort: 443, protocol: 'TCP' },
    },
  ])
  await until(async () => (await lines('"version 2.90"')).length === 1)
  expect(await lines('www.example.com')).toEqual([])
  expect(await lines('"lanward-nat-out"')).toEqual([])
  await until(async () => (await status()).url.bytes > 0)
})

test('found by the name and the MAC address of a client, by its address, page by page; names are those of now', async () => {
  set({ urlLog: true })
  await isRecorded('url')
  client('02:00:00:00:00:01', '10.0.0.1', 'printer')
  client('02:00:00:00:00:99', '10.0.0.1', 'gone-since', false)
  client('02:00:00:00:00:02', '10.0.0.2', 'tv', false, 'Living room')
  await recorded(...[1, 2, 3, 4].map(at => query(`site${at}.test`, `10.0.0.${at}`)))
  expect(await names({ search: 'printer' })).toEqual(['site1.test'])
  expect(await names({ search: 'living ROOM' })).toEqual(['site2.test'])
  expect(await names({ search: '00:00:02' })).toEqual(['site2.test'])
  expect(await names({ search: '10.0.0.3' })).toEqual(['site3.test'])
  expect(await names({ client: '10.0.0.4' })).toEqual(['site4.test'])
  expect(await names({ search: 'nobody' })).toEqual([])
  expect((await find('url', { search: 'site*' })).map(one => one.client.name)).toEqual([
    ...[undefined, undefined, 'Living room', 'printer'],
  ])
  const page = await must('records/find', { kind: 'url', search: 'site*', pageSize: 2 })
  const rest = await must('records/find', { kind: 'url', search: 'site*', before: page.next })
  expect([...(page.records as Found[]), ...(rest.records as Found[])].map(one => one.name)).toEqual(
    ['site4', 'site3', 'site2', 'site1'].map(one => `${one}.test`),
  )
  const wrong = await browser.post('records/find', { kind: 'dns', period: 2 })
  expect([wrong.retCode, Object.keys(wrong.data.fields as object)]).toEqual([codes.invalidInput, ['kind', 'period']])
})

test('the period and the days that are kept bound what is shown; turned off, or without its network, all is deleted', async () => {
  set({ urlLog: true, keepDays: '30' })
  await isRecorded('url')
  await recorded(query('new.test'))
  const [segment = ''] = readdirSync(folder('url')).filter(name => name.endsWith('.sqlite'))
  const file = new Database(`${folder('url')}/${segment}`)
  const old = (await names()).length
  // Three days ago: whose day is not over is not deleted yet.
  file.exec(`UPDATE record SET id = id - ${3 * 86_400_000 * 2048} WHERE name = 'new.test'`)
  file.close()
  expect(await names()).toHaveLength(old - 1)
  expect(await names({ period: 7 })).toHaveLength(old)
  set({ urlLog: true, keepDays: '1' })
  await until(async () => (await status()).keepDays === 1)
  expect(await names({ period: 7 })).toHaveLength(old - 1)
  set({ urlLog: false })
  await isRecorded('url', false)
  expect(await find('url')).toEqual([])
  expect(existsSync(folder('url'))).toBe(false)

  const { id } = await must('networks/add', { networkName: 'Other', country: 'PT', timezone: 'Europe/Lisbon' })
  const other = id as number
  set({ urlLog: true }, 'network', other)
  await until(() => existsSync(folder('url', other)))
  await must('networks/delete', { id: other })
  await until(() => !existsSync(folder('url', other)))
})

test('the settings of groups and gateways count for their network: recorded by one is recorded, and kept as short as one says', () => {
  const { db } = manager.runtime
  const group = db
    .insert(groups)
    .values({ organization: 1, network: 1, name: 'g', createdAt: 1 })
    .returning({ id: groups.id })
    .get().id
  expect(trafficLogsNow(manager.runtime)).toEqual(new Map())
  set({ keepDays: '30', logServer: 'https://logs.example.com/in' })
  set({ natLog: true, keepDays: '7', logServer: 'https://other.example.com' }, 'group', group)
  set({ urlLog: true }, 'device', gateway)
  const server = 'https://logs.example.com/in'
  expect(trafficLogsNow(manager.runtime).get(1)).toEqual({ urlLog: true, natLog: true, keepDays: 7, logServer: server })
  set({}, 'group', group)
  set({ logServer: server })
  expect(trafficLogsNow(manager.runtime).get(1)).toEqual({
    ...{ urlLog: true, natLog: false, keepDays: 7, logServer: server },
  })
  // A server that only a gateway names is none of a network whose own row cannot be read.
  set({ urlLog: true, logServer: 'https://other.example.com' }, 'device', gateway)
  set({ urlLog: 'yes', logServer: server })
  const damaged = { natLog: false, keepDays: 30, damaged: true }
  expect(trafficLogsNow(manager.runtime).get(1)).toEqual({ urlLog: true, ...damaged })
  // Of a network that never recorded anything nothing goes on.
  db.update(documents).set({ data: 'damaged' }).where(eq(documents.scope, 'device')).run()
  expect(trafficLogsNow(manager.runtime).get(1)).toEqual({ urlLog: false, ...damaged })
  set({ keepDays: '7' }, 'group', group)
  expect(trafficLogsNow(manager.runtime).get(1)).toMatchObject({ keepDays: 7 })
})

test('a row that cannot be read deletes nothing: what was recorded goes on, after a start too, and the page says so', async () => {
  set({ urlLog: true, keepDays: '30' })
  await isRecorded('url')
  await recorded(query('kept.test'))
  const damage = (data: string) => {
    manager.runtime.db.update(documents).set({ data }).where(eq(documents.kind, 'trafficLogs')).run()
    manager.runtime.bus.emit({ topic: 'settings', network: 1 })
  }
  for (const data of ['{"urlLog":"yes"}', '{"keepDays":"9"}', '{"urlLog":false,"later":1}', '{"urlLog":']) {
    damage(data)
    const onwards = { urlLog: true, natLog: false, keepDays: 30, damaged: true }
    expect([data, trafficLogsNow(manager.runtime).get(1)]).toEqual([data, onwards])
  }
  await until(async () => (await status()).damaged)
  expect(await names({ period: 30, search: 'kept.test' })).toEqual(['kept.test'])
  jest.useRealTimers()
  await manager.stop()
  await start()
  stopClock()
  startBoth()
  const { cookies } = browser
  browser = manager.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect(await status()).toMatchObject({ url: { on: true }, damaged: true })
  expect(await names({ search: 'kept.test' })).toEqual(['kept.test'])
  set({ urlLog: false })
  await isRecorded('url', false)
  expect(existsSync(folder('url'))).toBe(false)
})

describe('websites on the dashboard', () => {
  type Websites = { on: boolean; since?: number; result: { name: string; lookups: number }[] }
  const top = async (input: object = {}) => (await must('dashboard/top-websites', input)) as unknown as Websites
  const tiles = async (by = browser) => {
    const { data } = await by.post('dashboard/layout', { networkId: 1 })
    return { shown: (data.tiles as { id: string }[]).map(one => one.id), offered: data.offered as string[] }
  }
  const hourMs = 3_600_000

  test('off, nothing is known and no tile is shown; on, what clients looked up is counted by site, most first', async () => {
    set({ natLog: true })
    await isRecorded('nat')
    expect(await top()).toEqual({ on: false, result: [] })
    expect((await tiles()).shown).not.toContain('topWebsites')
    set({ urlLog: true })
    await isRecorded('url')
    expect((await tiles()).shown).toContain('topWebsites')
    await recorded(
      query('www.example.com'),
      query('cdn.example.com', '10.0.0.2', 'query[AAAA] cdn.example.com from 10.0.0.2'),
      query('www.example.com', '10.0.0.2', 'query[HTTPS] www.example.com from 10.0.0.2'),
      query('www.example.co.uk'),
      query('printer'),
    )
    const { on, since = 0, result } = await top({ most: 2 })
    expect([on, result]).toEqual([
      true,
      [
        { name: 'example.com', lookups: 2 },
        { name: 'example.co.uk', lookups: 1 },
      ],
    ])
    expect([since % hourMs, Math.ceil((Date.now() - since) / hourMs)]).toEqual([0, 25])
    const { id } = await must('networks/add', { networkName: 'Other', country: 'PT', timezone: 'Europe/Lisbon' })
    expect(await top({ networkId: id as number })).toEqual({ on: false, result: [] })
    for (const wrong of [{ range: '1y' }, { most: 51 }, { most: 0 }])
      expect((await browser.post('dashboard/top-websites', wrong)).retCode).toBe(codes.invalidInput)
    set({ urlLog: false })
    await isRecorded('url', false)
    expect(await top({ range: '6m' })).toEqual({ on: false, result: [] })
  })

  test('a range ends where records are no longer kept', async () => {
    set({ urlLog: true, keepDays: '7' })
    await isRecorded('url')
    const days = async (range: string) => Math.floor((Date.now() - ((await top({ range })).since ?? 0)) / (24 * hourMs))
    expect(await Promise.all(['2h', '1d', '1w', '1m', '6m'].map(days))).toEqual([0, 1, 7, 7, 7])
  })

  test('who may not see records sees no websites, and is offered no tile of them, not even of their own', async () => {
    set({ urlLog: true })
    await isRecorded('url')
    const reader = await person(manager, { role: 'networkReadOnly', networks: [1], all: false })
    expect((await reader.post('dashboard/top-websites', { networkId: 1 })).retCode).toBe(codes.noAuthority)
    const own = ['counts', 'topWebsites'].map(id => ({ id, size: 'full' }))
    expect((await reader.post('dashboard/save', { networkId: 1, tiles: own })).retCode).toBe(0)
    const { shown, offered } = await tiles(reader)
    expect([shown, offered.includes('topWebsites'), offered.includes('counts')]).toEqual([['counts'], false, true])
    expect((await tiles()).offered).toContain('topWebsites')
  })
})

describe('as a file', () => {
  const get = async (by: Browser, query = '') => {
    const answer = await by.raw(`exports/url-record?networkId=1${query}`, { method: 'GET' })
    return { headers: answer.headers, text: await answer.text() }
  }
  test('all that matches, no cell of it a formula; who took what is in the changelog', async () => {
    set({ urlLog: true, natLog: true })
    await isRecorded('nat')
    client('02:00:00:00:00:01', '10.0.0.1', '=1+1')
    await recorded(
      ...Array.from({ length: 2500 }, (_, at) => query(`n${at}.test`, '10.0.0.2')),
      query('=cmd|calc', '10.0.0.1'),
      half('in', '10.0.0.1', 5),
      half('out', '203.0.113.2', 6),
    )
    const { headers, text } = await get(browser)
    expect(headers.get('content-disposition')).toMatch(/filename="url-records-\d{4}-\d\d-\d\d\.csv"/)
    const rows = text.trimEnd().split('\r\n')
    expect(rows[0]).toBe('time,client,client_name,client_mac,domain,type,gateway')
    expect(rows).toHaveLength(1 + 2500 + 2)
    expect(rows.find(row => row.includes('calc'))).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z,10\.0\.0\.1,"'=1\+1",02:00:00:00:00:01,"'=cmd\|calc",A,gw$/,
    )
    const nat = (await get(browser, '&kind=nat&period=7')).text.trimEnd().split('\r\n')
    expect(nat[0]).toContain('translated,translated_port,destination,destination_port,protocol')
    expect(nat[1]).toMatch(/,5,203\.0\.113\.2,6,203\.0\.113\.9,443,TCP,gw$/)
    expect((await get(browser, '&search=n7.test')).text.trimEnd().split('\r\n')).toHaveLength(2)
    expect(JSON.parse((await get(browser, '&period=31')).text)).toMatchObject({ retCode: codes.invalidInput })
    const noted = manager.runtime.db.select().from(changelog).where(eq(changelog.action, 'export')).all()
    expect(noted.map(({ object, fields, network: of }) => [object, fields, of])).toEqual([
      ['urlRecords', '{"days":[null,1]}', 1],
      ['natRecords', '{"days":[null,7]}', 1],
      ['urlRecords', '{"days":[null,1]}', 1],
    ])
  }, 60_000)
})

test('a right of its own: administrators have it, nobody who reads alone, nor to whom the network is shared', async () => {
  set({ urlLog: true })
  await isRecorded('url')
  const code = async (by: Browser, path = 'records/find') =>
    (await by.post(path, { networkId: 1, ...(path === 'records/find' && { kind: 'url' }) })).retCode
  const of = (name: string) => person(manager, { role: name, networks: [1], all: name.startsWith('platform') })
  for (const name of ['networkAdministrator', 'platformAdministrator']) expect(await code(await of(name))).toBe(0)
  const none = ['networkReadOnly', 'platformReadOnly', 'guestAdministrator', 'guestEditor']
  for (const name of none)
    for (const path of ['records/find', 'records/status', 'exports/url-record'])
      expect([name, path, await code(await of(name), path)]).toEqual([name, path, codes.noAuthority])
  const own = await of(role(manager, 'Auditor', ['records']))
  expect(await code(own)).toBe(0)
  // Without the right to take files along.
  expect(await code(own, 'exports/url-record')).toBe(codes.noAuthority)
  expect(await code(keyed(manager, own.account, { authorities: ['logs'] }))).toBe(codes.noAuthority)
  const far = network(manager, 'Far')
  expect((await own.post('records/find', { networkId: far, kind: 'url' })).retCode).toBe(codes.networkNotFound)
  const company = organization(manager, 'Elsewhere')
  const shared = sharedNetwork(manager, 'Shared', 1, company, 'manage')
  const guest = await person(manager, { role: 'superAdministrator', organization: company, all: true })
  expect((await guest.post('records/find', { networkId: shared, kind: 'url' })).retCode).toBe(codes.notInShared)
})

describe('a log server', () => {
  let server: Server
  let heard: { name?: string; seq?: number; [key: string]: unknown }[]
  let requests: IncomingMessage[]
  let answer: (response: ServerResponse) => void
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?token=secret`
  const serve = async (at = 0) => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      requests.push(request)
      answer(response)
      if (response.statusCode === 200)
        heard.push(
          ...body
            .trimEnd()
            .split('\n')
            .map(line => JSON.parse(line)),
        )
    })
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = () => new Promise(done => server.close(done).closeAllConnections())
  beforeEach(async () => {
    ;[heard, requests, answer] = [[], [], response => void response.end()]
    await serve()
    await must('webhooks/segments/save', { segments: ['127.0.0.1'] })
  })
  afterEach(close)
  const arrives = (name: string) => until(() => heard.some(one => one.name === name))
  const sending = async (kind: 'url' | 'nat' = 'url') => (await status())[kind].sending

  test('hears each record once, as lines of JSON in their order, and nothing of before', async () => {
    set({ urlLog: true, natLog: true })
    await isRecorded('nat')
    await recorded(query('before.test'))
    set({ urlLog: true, natLog: true, logServer: url() })
    await until(async () => (await sending()) !== null)
    client('02:00:00:00:00:01', '10.0.0.1', 'printer')
    await until(() => readSent(folder('url')) && readSent(folder('nat')))
    await say(...Array.from({ length: 1200 }, (_, at) => query(`n${at}.test`, '10.0.0.1')))
    await say(half('in', '10.0.0.1', 5), half('out', '203.0.113.2', 6))
    await arrives('n1199.test')
    await until(() => heard.some(one => one.kind === 'nat'))
    const asked = heard.filter(one => one.kind === 'url').map(one => one.name)
    expect(asked).toEqual(Array.from({ length: 1200 }, (_, at) => `n${at}.test`))
    expect(heard.find(one => one.name === 'n0.test')).toEqual({
      ...{ kind: 'url', time: expect.stringMatching(/Z$/), network: { id: 1, name: expect.any(String) } },
      ...{ id: expect.any(Number), name: 'n0.test', type: 'A', port: 51_234, device: { id: gateway, name: 'gw' } },
      client: { address: '10.0.0.1', mac: '02:00:00:00:00:01', name: 'printer' },
    })
    expect(heard.find(one => one.kind === 'nat')).toMatchObject({ outer: '203.0.113.2', target: '203.0.113.9' })
    expect(requests[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/x-ndjson' } })
    const seen = await status()
    expect(seen.url.sending).toEqual({ dropped: 0, sentAt: expect.any(Number) })
    // What may be a token in its address is shown to nobody.
    expect(seen.logServer).toBe(new URL(url()).origin)
    set({ urlLog: true })
    await until(() => !existsSync(`${folder('url')}/sent.json`))
  }, 60_000)

  test('that is away, refuses or leads elsewhere is tried again, said with the cause, and told later; what was deleted by then is counted', async () => {
    set({ urlLog: true, logServer: url() })
    await isRecorded('url')
    await until(() => readSent(folder('url')))
    await say(query('first.test'))
    await arrives('first.test')
    answer = response => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    await say(query('lost1.test'), query('lost2.test'))
    await until(async () => (await sending())?.failed?.error === 'redirect')
    answer = response => void response.writeHead(503).end()
    await until(async () => (await sending())?.failed?.code === 503)
    const at = (server.address() as AddressInfo).port
    await close()
    await until(async () => (await sending())?.failed?.error === 'ECONNREFUSED')
    await recorded(query('kept.test'))
    const [segment = ''] = readdirSync(folder('url')).filter(name => name.endsWith('.sqlite'))
    const file = new Database(`${folder('url')}/${segment}`)
    file.exec("DELETE FROM record WHERE name LIKE 'lost%'")
    file.close()
    answer = response => void response.end()
    await serve(at)
    await arrives('kept.test')
    expect(heard.map(one => one.name)).toEqual(['first.test', 'kept.test', 'last.said.test'])
    await until(async () => !(await sending())?.failed)
    expect(await sending()).toEqual({ dropped: 2, sentAt: expect.any(Number) })
  }, 60_000)

  test('in a network that nobody allowed gets nothing; over plain HTTP nothing leaves for the internet', async () => {
    await must('webhooks/segments/save', { segments: [] })
    set({ urlLog: true, logServer: url() })
    await isRecorded('url')
    await until(() => readSent(folder('url')))
    await say(query('private.test'))
    await until(async () => (await sending())?.failed?.error === 'targetPrivate')
    set({ urlLog: true, logServer: 'http://8.8.8.8/in' })
    await until(async () => (await sending())?.failed?.error === 'targetHttp')
    expect(requests).toEqual([])
  })

  test('whose setting cannot be read waits, and is sent what came meanwhile once it can', async () => {
    set({ urlLog: true, logServer: url() })
    await isRecorded('url')
    await until(() => readSent(folder('url')))
    await say(query('one.test'))
    await arrives('one.test')
    set({ urlLog: true, logServer: 4 })
    await until(async () => (await status()).damaged)
    expect(await sending()).toBeNull()
    await recorded(query('two.test'))
    set({ urlLog: true, logServer: url() })
    await arrives('two.test')
    expect(heard.map(one => one.name).slice(0, 2)).toEqual(['one.test', 'two.test'])
  })

  test('goes on after a restart where it was', async () => {
    set({ urlLog: true, logServer: url() })
    await isRecorded('url')
    await until(() => readSent(folder('url')))
    await say(query('one.test'))
    await arrives('one.test')
    await until(() => readSent(folder('url'))?.at !== undefined)
    const at = (server.address() as AddressInfo).port
    await close()
    await say(query('two.test'))
    await until(async () => (await names()).includes('two.test'))
    jest.useRealTimers()
    await manager.stop()
    await start()
    stopClock()
    await serve(at)
    startBoth()
    await arrives('two.test')
    expect(heard.map(one => one.name)).toEqual(['one.test', 'two.test'])
  })
})
