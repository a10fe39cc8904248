// What one failure takes along is one incident: on the list, and for those who are told. A scripted fleet, polled by the
// worker's own code, whose wiring is learned from what the devices tell by LLDP.
import { eq, isNotNull } from 'drizzle-orm'
import { alerts, deviceParents, devices } from '@/db/schema'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { regroup } from '@/server/devices/incidents/group'
import { learnParents } from '@/server/devices/incidents/learn'
import { startIncidents } from '@/server/devices/incidents/start'
import { fleetOf } from '@/server/devices/link/fleet'
import { DeviceError } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { startMail } from '@/server/mail/start'
import { startAlerts } from '@/server/notify/alerts/delivery'
import { tellDue } from '@/server/notify/alerts/tell'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { smtpServer } from '../_smtp'
import { driverWith } from '../worker/_entry'

const aps = 100
const soon = { timeoutMs: 20_000 }
const gone = new Set<string>()
let one: Manager
let browser: Browser
let mail: Awaited<ReturnType<typeof smtpServer>>

const macOf = (at: number) => `02:00:00:00:01:${at.toString(16).padStart(2, '0')}`
const port = (number: number) => ({ number, label: `p${number}`, interface: String(number) })
const face = (number: number) => ({ key: String(number), name: `p${number}`, type: 'ethernet' as const, up: true })

/** The gateway `gw` with `core` at its port 1, and there the access points. */
function seen(name: string, depth: 'counters' | 'full'): Observation {
  const common = { takenAt: Date.now(), depth, uptimeSeconds: 9999 }
  const facts = (mac: string, kind: 'gateway' | 'switch' | 'ap') => ({
    facts: { kind, capabilities: [], mac, hostname: name },
  })
  const told = (localPort: string, chassisId: string) => ({ localPort, chassisId })
  if (name === 'gw')
    return {
      ...{
        ...common,
        ...facts(macOf(254), 'gateway'),
        interfaces: [{ ...face(1), defaultRoute: true }],
        ports: [port(1)],
      },
      neighbours: [told('1', macOf(253))],
    }
  if (name === 'core') {
    const numbers = Array.from({ length: aps + 1 }, (_, at) => at + 1)
    return {
      ...{ ...common, ...facts(macOf(253), 'switch'), interfaces: numbers.map(face), ports: numbers.map(port) },
      neighbours: numbers.map(at => told(String(at), at > aps ? macOf(254) : macOf(at))),
    }
  }
  return { ...common, ...facts(macOf(Number(name.slice(2))), 'ap'), interfaces: [face(1)], ports: [port(1)] }
}

const cut = (name: string) => gone.has(name) || (name !== 'gw' && gone.has('core'))
const driver = driverWith({
  connect: async ({ address }) => {
    if (cut(address)) throw new DeviceError('timeout')
    return address
  },
  observe: async (session, depth) => {
    if (cut(String(session))) throw new DeviceError('timeout')
    return seen(String(session), depth)
  },
  ping: async session => {
    if (cut(String(session))) throw new DeviceError('timeout')
  },
})

type Row = { id: number; type: string; level: number; values: Record<string, unknown>; recoveredAt: number | null }
const list = async () =>
  (await browser.post('alerts/list', { pageSize: 100 })).data as { result: Row[]; unread: number }
const count = (status: number) => one.runtime.db.select().from(devices).where(eq(devices.status, status)).all().length

beforeAll(async () => {
  mail = await smtpServer()
  one = await startTestManager({
    starters: [
      runtime => startMail(runtime, [100]),
      runtime => startAlerts(runtime, 50),
      fleetInProcess({ drivers: () => driver, pollMs: 500 }),
      runtime => startIncidents(runtime, { gatherMs: 100 }),
    ],
  })
  browser = await finishedWizard(one)
  const server = { host: '127.0.0.1', port: mail.port, security: 'none', user: 'nms', from: 'nms@example.test' }
  await browser.post('system-settings/smtp/save', {
    ...{ ...server, password: 'mail-Secret-1', publicUrl: 'https://nms.example.test' },
  })
  await browser.post('alerts/notice/save', { mode: 'mail', mail: { to: ['ops@example.test'] } })
  const credential = insertCredential(one.runtime, { organization: 1, network: 1 }, { type: 'snmp2c', community: 'c' })
  const names = ['gw', 'core', ...Array.from({ length: aps }, (_, at) => `ap${at + 1}`)]
  const kindOf = (name: string) => (name === 'gw' ? 'gateway' : name === 'core' ? 'switch' : 'ap')
  for (const name of names) {
    const place = { organization: 1, network: 1, address: name, port: 9, driver: 'snmp', kind: kindOf(name) } as const
    const row = { ...place, name, credential, status: 3, statusAt: 1, createdAt: 1 }
    const { id } = one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get()
    fleetOf(one.runtime).upsert(id)
  }
  await until(() => count(1) === names.length, { timeoutMs: 30_000 })
  await until(
    async () => {
      await learnParents(one.runtime, 1)
      return one.runtime.db.select().from(deviceParents).all().length === aps + 1
    },
    { timeoutMs: 60_000 },
  )
}, 120_000)
afterAll(async () => {
  await one?.stop()
  await mail?.close()
})

test('100 devices behind one dead switch are one incident that names it, within 60 s', async () => {
  gone.add('core')
  const died = Date.now()
  await until(() => count(0) === aps + 1, { timeoutMs: 60_000 })
  const found = await until(
    async () => {
      const { result } = await list()
      return result.length === 1 && result[0]?.values.behind === aps ? result[0] : false
    },
    { timeoutMs: 20_000 },
  )
  expect(Date.now() - died).toBeLessThan(60_000)
  expect(found).toMatchObject({ type: 'deviceOffline', values: { device: 'core', behind: aps } })
  expect((await browser.post('alerts/unread')).data).toEqual({ unread: true, count: 1 })
  const { data } = await browser.post('alerts/detail', { id: found.id })
  expect(data).toMatchObject({
    ...{ told: false, tellAt: expect.any(Number), cause: null, behind: { total: aps } },
    hangsAt: { name: 'gw', port: 'p1' },
  })
  const [child] = (data.behind as { result: Row[] }).result
  expect((await browser.post('alerts/detail', { id: child?.id })).data.cause).toMatchObject({ id: found.id })
})

test('nobody is told before the offline time ends; then one letter names the switch', async () => {
  const [found] = (await list()).result
  tellDue(one.runtime, Date.now() + 60_000)
  expect(mail.letters).toHaveLength(0)
  tellDue(one.runtime, Date.now() + 121_000)
  const letter = await until(() => mail.letters[0])
  expect(letter.text.replace(/=\r?\n/g, '')).toContain(`core is offline. Unreachable behind it: ${aps}`)
  expect(letter.text).not.toMatch(/ap\d+ is offline/)
  tellDue(one.runtime, Date.now() + 600_000)
  const told = one.runtime.db.select().from(alerts).where(isNotNull(alerts.told)).all()
  expect(told.map(({ id }) => id)).toEqual([found?.id])
  expect(mail.letters).toHaveLength(1)
})

test('acknowledged with a note, by whom and when; a note that is too long changes nothing', async () => {
  const [found] = (await list()).result
  const refused = await browser.post('alerts/acknowledge', { id: found?.id, note: 'x'.repeat(501) })
  expect(refused.data).toMatchObject({ fields: { note: 'tooLong' } })
  const hidden = await browser.post('alerts/acknowledge', { id: found?.id, note: 'a\u0000b' })
  expect(hidden.data).toMatchObject({ fields: { note: 'controlCharacters' } })
  expect((await browser.post('alerts/detail', { id: found?.id })).data).toMatchObject({ acknowledgedBy: null })
  expect((await browser.post('alerts/acknowledge', { id: found?.id, note: 'On my way' })).retCode).toBe(0)
  const { data } = await browser.post('alerts/detail', { id: found?.id })
  expect(data).toMatchObject({ note: 'On my way', acknowledgedBy: expect.any(String), alert: { read: true } })
  expect((await browser.post('alerts/acknowledge', { id: 99_999 })).retCode).toBe(10041)
})

test('recovery closes the incident with all that come back, and is told once', async () => {
  gone.clear()
  gone.add('ap7')
  await until(() => count(1) === aps + 1, { timeoutMs: 60_000 })
  await until(() => mail.letters.length === 2, soon)
  expect(mail.letters[1]?.text).toContain('core is online again')
  const { result } = await list()
  expect(result.map(({ type, values }) => [type, values.device])).toEqual([
    ['deviceOnline', 'core'],
    ['deviceOffline', 'core'],
  ])
  expect(result[1]).toMatchObject({ recoveredAt: expect.any(Number), values: { behind: aps } })
  tellDue(one.runtime, Date.now() + 3_600_000)
  expect(mail.letters).toHaveLength(2)
})

/** Of each device by its name: percent online, and how many outages were its own. */
async function onlineStatus() {
  const answer = await browser.raw('exports/online-status?networkId=1&days=1', { method: 'GET' })
  const [head = [], ...rows] = (await answer.text())
    .trim()
    .split('\r\n')
    .map(line => line.split(','))
  const cell = (row: string[], name: string) => row[head.indexOf(name)]
  return new Map(rows.map(row => [cell(row, 'name'), [cell(row, 'online %'), cell(row, 'outages')]]))
}

test('the outage counts against the switch alone: what was behind it is unknown for so long', async () => {
  const found = await onlineStatus()
  expect(found.get('core')?.[1]).toBe('1')
  const unharmed = [...found].filter(([, [online, outages]]) => online === '100' && outages === '0')
  // The gateway and all behind the switch, the one that is away still, too.
  expect(unharmed).toHaveLength(aps + 1)
  const usage = async (name: string) => {
    const id = one.runtime.db.select().from(devices).where(eq(devices.name, name)).get()?.id
    return (await browser.post('devices/usage', { id, range: '2h' })).data as { availability: (number | null)[] }
  }
  const of = async (name: string) => (await usage(name)).availability.filter(value => value !== null)
  expect(new Set(await of('ap1'))).toEqual(new Set([100]))
  expect(Math.min(...(await of('core')).map(Number))).toBeLessThan(100)
})

test('one that stays away for the offline time after that stands for itself, and is told of', async () => {
  regroup(one.runtime, 1, Date.now() + 100_000)
  expect((await list()).result.find(({ values }) => values.device === 'ap7')).toBeUndefined()
  regroup(one.runtime, 1, Date.now() + 130_000)
  const found = (await list()).result.find(({ values }) => values.device === 'ap7')
  expect(found).toMatchObject({ type: 'deviceOffline', recoveredAt: null })
  tellDue(one.runtime, Date.now() + 131_000)
  await until(() => mail.letters.length === 3, soon)
  expect(mail.letters[2]?.text).toContain('ap7 is offline')
  const ap7 = one.runtime.db.select().from(devices).where(eq(devices.name, 'ap7')).get()
  const log = await browser.post('devices/event-log', { id: ap7?.id })
  const [last, before] = (log.data as { result: { code: string; values: object }[] }).result
  expect(last).toMatchObject({ code: 'deviceAlone', values: { cause: 'core' } })
  expect(before).toMatchObject({ code: 'deviceBehind', values: { cause: 'core' } })
  gone.clear()
  await until(() => count(1) === aps + 2, { timeoutMs: 60_000 })
  await until(() => mail.letters.length === 4, soon)
  const open = one.runtime.db.select().from(alerts).where(eq(alerts.type, 'deviceOffline')).all()
  expect(open.filter(({ recoveredAt }) => recoveredAt === null)).toEqual([])
})

test('one that goes again soon after is the same alert, counted, and not told again', async () => {
  const before = (await list()).result.length
  gone.add('core')
  await until(() => count(0) === aps + 1, { timeoutMs: 60_000 })
  regroup(one.runtime, 1)
  const { result } = await list()
  const root = result.find(({ values }) => values.device === 'core' && values.behind)
  expect(root?.recoveredAt).toBeNull()
  expect((await browser.post('alerts/detail', { id: root?.id })).data).toMatchObject({ times: 2, told: true })
  expect(result.length).toBeLessThanOrEqual(before)
  tellDue(one.runtime, Date.now() + 3_600_000)
  gone.clear()
  await until(() => count(1) === aps + 2, { timeoutMs: 60_000 })
  expect(mail.letters).toHaveLength(4)
})

describe('what a network wants to be told of', () => {
  const save = async (offlineMinutes: unknown) => {
    const { values, revision } = (await browser.post('alerts/config/query')).data as {
      values: object
      revision: number
    }
    return browser.post('alerts/config/save', { ...values, offlineMinutes, revision })
  }

  test.each([
    [2, undefined],
    [120, undefined],
    [1, 'tooSmall'],
    [121, 'tooLarge'],
    [2.5, 'wrongType'],
    ['5', 'wrongType'],
  ])('W11: an offline time of %j minutes', async (minutes, problem) => {
    const before = (await browser.post('alerts/config/query')).data.values
    const answer = await save(minutes)
    if (problem) expect(answer.data).toMatchObject({ fields: { offlineMinutes: problem } })
    else expect(answer.retCode).toBe(0)
    const after = (await browser.post('alerts/config/query')).data.values
    expect(after).toEqual(problem ? before : { ...(before as object), offlineMinutes: minutes })
  })

  test('what somebody else saved meanwhile is not written over', async () => {
    const refused = await browser.post('alerts/config/save', { offlineMinutes: 7, revision: 0 })
    expect(refused.data).toMatchObject({ current: { values: { offlineMinutes: 120 } } })
  })
})
