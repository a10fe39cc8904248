// URL and NAT records all the way: what a client does behind a real gateway, from its LAN to the page, the file and the dashboard.

import { startLogs } from '@/server/insight/logs/reception'
import { startRecords } from '@/server/insight/records/start'
import { freePort } from '../appliance/_manager'
import { logsInProcess } from '../server/_logs'
import { managerWithGateway } from './_change'
import { lab, until } from './_lab'
import { client } from './_lan'
import { join, trunkOff, trunkOn } from './_vlan'

type Found = {
  name?: string
  type?: string
  port: number
  outer?: string
  outerPort?: number
  target?: string
  protocol?: string
  device: { name: string } | null
  client: { address: string }
}
let one: Awaited<ReturnType<typeof managerWithGateway>>
let address: string

const set = async (kind: string, fields: object) => {
  const { revision } = await one.ok(`settings/${kind}/get`)
  await one.ok(`settings/${kind}/save`, { revision, ...fields })
}
const records = async (kind: 'url' | 'nat', search: string) =>
  (await one.ok('records/find', { kind, search })).records as Found[]
const gateways = async (kind: 'url' | 'nat') =>
  ((await one.ok('records/gateways', { kind })).result as { state: string }[]).map(({ state }) => state)
const file = async (kind: 'url' | 'nat') =>
  (await one.browser.raw(`exports/url-record?networkId=1&kind=${kind}`, { method: 'GET' })).text()
const ask = (name: string, type = 'a') => client(`busybox nslookup -type=${type} ${name} 192.168.20.1`)

beforeAll(async () => {
  const here = (await lab.up()).addresses.mgr
  await trunkOn()
  one = await managerWithGateway()
  startLogs(one.runtime(), { threads: logsInProcess })
  startRecords(one.runtime())
  const port = await freePort()
  await set('logReception', { protocol: 'udp', port })
  const pool = { poolStart: '192.168.20.100', poolEnd: '192.168.20.150' }
  await one.ok('settings/lan/save', { name: 'Guests', vlan: 20, address: '192.168.20.1/24', ...pool })
  // Of the rest of its log the gateway sends errors alone.
  await set('system', { syslog: 'udp', syslogHost: here, syslogPort: port, syslogLevel: 'error' })
  await set('trafficLogs', { urlLog: true, natLog: true, lawAccepted: true })
})
afterAll(async () => {
  await one?.end()
  await trunkOff()
})

test('until it is pushed the page says so, then that the gateway records', async () => {
  expect([await gateways('url'), await gateways('nat')]).toEqual([['unpushed'], ['unpushed']])
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  expect([await gateways('url'), await gateways('nat')]).toEqual([['records'], ['records']])
  ;[, address = ''] = /^ip='?([\d.]+)/m.exec(await join(20)) ?? []
})

test('a name that a client looks up is a record of it, a row of the file, and counts for its site', async () => {
  await until(async () => {
    await ask('www.internet.test')
    return (await records('url', 'www.internet.test')).length > 0
  })
  await ask('cdn.internet.test', 'aaaa')
  await until(async () => (await records('url', 'cdn.internet.test')).length > 0)
  const [record] = await records('url', 'www.internet.test')
  expect(record).toMatchObject({ name: 'www.internet.test', type: 'A', device: { name: 'gw' }, client: { address } })
  expect(await file('url')).toContain(`,www.internet.test,A,gw\r\n`)
  const { on, result } = await one.ok('dashboard/top-websites')
  const asked = (await records('url', 'internet.test')).length
  expect([on, result]).toEqual([true, expect.arrayContaining([{ name: 'internet.test', lookups: asked }])])
  expect((await one.ok('logs/find', { search: 'internet.test' })).lines).toEqual([])
})

test('a connection’s two lines, as its kernel says them, are one record with both addresses', async () => {
  // The kernel prints nothing of a namespace: what it would is said in its name, and goes its way from there. That the
  // rules match a connection of a client is proved beside (traffic-logs.test.ts).
  const line = (side: 'in' | 'out', source: string, port: number) =>
    `[   93.100000] lanward-nat-${side} IN=lan20 OUT=eth0 SRC=${source} DST=203.0.113.1 LEN=60 TTL=63 ID=4711 PROTO=TCP SPT=${port} DPT=80 SEQ=1`
  await until(async () => {
    await lab.in('gw', ['logger', '-t', 'kernel', '-p', 'user.debug', line('in', address, 40_000)])
    await lab.in('gw', ['logger', '-t', 'kernel', '-p', 'user.debug', line('out', '203.0.113.2', 1025)])
    return (await records('nat', address)).some(({ outer }) => outer !== undefined)
  })
  const [record] = (await records('nat', address)).filter(({ outer }) => outer !== undefined)
  expect(record).toMatchObject({
    ...{ port: 40_000, outer: '203.0.113.2', outerPort: 1025, target: '203.0.113.1', protocol: 'TCP' },
    ...{ client: { address }, device: { name: 'gw' } },
  })
  expect(await file('nat')).toContain(',40000,203.0.113.2,1025,203.0.113.1,80,TCP,gw\r\n')
})
