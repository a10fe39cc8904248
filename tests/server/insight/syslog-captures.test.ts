// Rule S8: a capture of syslog ends by itself. Real sockets and files.
import { createSocket } from 'node:dgram'
import { desc, eq } from 'drizzle-orm'
import { changelog, devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { startLogs } from '@/server/insight/logs/reception'
import { freePort } from '../../appliance/_manager'
import { stopClock, untilLater as until } from '../../drivers/_timers'
import { fleetInProcess } from '../_fleet'
import { logsInProcess } from '../_logs'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

type Capture = { id: number; device: object | null; until: number; endedAt: number | null; lines: number }

const minuteMs = 60_000
let manager: Manager
let browser: Browser
let port: number
let ap: number
let other: number
let shift: number

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}
const device = (address: string, name: string) =>
  manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: 1, address, name, port: 22, driver: 'linux', kind: 'ap' as const },
      ...{ status: 1 as const, statusAt: 1, createdAt: 1 },
    })
    .returning({ id: devices.id })
    .get().id
const state = async () => (await must('logs/status')).now as Record<string, unknown>
const captures = async () => (await must('syslog/list')).result as Capture[]
const texts = async () => ((await must('logs/find')).lines as { text: string }[]).map(line => line.text)
const begin = async () => startLogs(manager.runtime, { threads: logsInProcess })

beforeEach(async () => {
  shift = 0
  const real = Date.now
  jest.spyOn(Date, 'now').mockImplementation(() => real() + shift)
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
  port = await freePort()
  ap = device('127.0.0.1', 'ap-1')
  other = device('127.0.0.2', 'ap-2')
  stopClock()
  await begin()
  const { revision } = await must('settings/logReception/get')
  await must('settings/logReception/save', { revision, protocol: 'off', port })
})
afterEach(async () => {
  jest.useRealTimers()
  jest.restoreAllMocks()
  await manager.stop()
})

async function send(line: string, from = '127.0.0.1') {
  const socket = createSocket('udp4')
  await new Promise<void>(done => socket.bind(0, from, done))
  await new Promise(done => socket.send(line, port, '127.0.0.1', done))
  socket.close()
}
const open = () => until(async () => (await state()).udp === 'listening')
const closed = () => until(async () => (await state()).udp === 'off')
const received = (count: number) => until(async () => (await state()).received === count)

test('S8: while nothing else is received, lines of its device and its severity are kept, counted, and no others', async () => {
  expect(await state()).toMatchObject({ udp: 'off', tcp: 'off' })
  expect(await must('logs/target', { deviceId: ap })).toEqual({ target: null, traps: null, why: 'off' })
  const where = { target: { protocol: 'tcp', host: '127.0.0.1', port }, traps: null }
  expect(await must('logs/target', { deviceId: ap, capturing: true })).toEqual(where)
  const { id } = await must('syslog/start', { deviceId: ap, severity: 4, minutes: 5 })
  await open()
  expect((await state()).tcp).toBe('listening')
  expect((await must('logs/status')).capturing).toBe(true)
  expect(await must('logs/target', { deviceId: ap })).toEqual(where)
  await send('<28>daemon: a warning')
  await send('<29>daemon: a notice')
  await send('daemon: without a severity')
  await send('<28>daemon: of another', '127.0.0.2')
  await received(4)
  await until(async () => (await captures())[0]?.lines === 1)
  expect(await texts()).toEqual(['a warning'])
  expect(await captures()).toMatchObject([{ id, device: { id: ap, name: 'ap-1' }, endedAt: null }])
})

test('S8: it ends by itself when its time is over, to the millisecond, and the ports are closed again', async () => {
  const { until: end } = await must('syslog/start', { minutes: 1 })
  await open()
  await send('<31>daemon: at its debug level')
  await send('<31>daemon: of another', '127.0.0.2')
  await until(async () => (await captures())[0]?.lines === 2)
  shift = minuteMs
  // Whatever comes before anybody looked: it is over.
  await send('<31>daemon: late')
  await closed()
  expect(await captures()).toMatchObject([{ device: null, endedAt: end, lines: 2 }])
  expect((await texts()).toSorted()).toEqual(['at its debug level', 'of another'])
  expect(await must('logs/target', { deviceId: ap })).toEqual({ target: null, traps: null, why: 'off' })
})

test('of two that go on the one whose time is over ends, the other goes on', async () => {
  await must('syslog/start', { minutes: 5, severity: 3 })
  await must('syslog/start', { minutes: 600, severity: 6 })
  await open()
  shift = 10 * minuteMs
  const [long, short] = await until(async () => {
    const [first, second] = await captures()
    return second?.endedAt != null && first ? [first, second] : false
  })
  expect(short.endedAt).toBe(short.until)
  expect(long.endedAt).toBeNull()
  await send('<30>daemon: still')
  await until(async () => (await captures())[0]?.lines === 1)
})

test('somebody stops it before its time; both are in the changelog; its lines stay', async () => {
  const { id } = await must('syslog/start', { deviceId: other, minutes: 1440 })
  await open()
  await send('<31>daemon: one', '127.0.0.2')
  await until(async () => (await captures())[0]?.lines === 1)
  await must('syslog/stop', { id })
  await closed()
  const [{ endedAt, until: end }] = (await captures()) as [Capture]
  expect(endedAt).toBeLessThan(end)
  await must('syslog/stop', { id })
  expect((await captures())[0]?.endedAt).toBe(endedAt)
  expect(await texts()).toEqual(['one'])
  const entries = manager.runtime.db
    .select({ action: changelog.action, name: changelog.name })
    .from(changelog)
    .where(eq(changelog.object, 'syslogCapture'))
    .orderBy(desc(changelog.id))
    .all()
  expect(entries).toEqual([
    { action: 'stop', name: 'ap-2' },
    { action: 'start', name: 'ap-2' },
  ])
})

test('a device that is deleted takes its captures along, and the ports are closed', async () => {
  await must('syslog/start', { deviceId: other })
  await open()
  manager.runtime.db.delete(devices).where(eq(devices.id, other)).run()
  await closed()
  expect(await captures()).toEqual([])
})

test('where lines are received anyway, a capture takes nothing away when it ends', async () => {
  const { revision } = await must('settings/logReception/get')
  await must('settings/logReception/save', { revision, protocol: 'udp', port })
  const { id } = await must('syslog/start', { deviceId: other, severity: 0, minutes: 5 })
  await open()
  await send('<31>daemon: of no capture')
  await until(async () => (await texts()).length === 1)
  expect((await state()).tcp).toBe('off')
  await must('syslog/stop', { id })
  await send('<31>daemon: after it')
  await until(async () => (await texts()).length === 2)
  expect((await captures())[0]?.lines).toBe(0)
})

test.each([
  ['S8: no shorter than a minute', { minutes: 0 }, 'minutes'],
  ['S8: no longer than a day', { minutes: 1441 }, 'minutes'],
  ['a severity below debug', { severity: 8 }, 'severity'],
  ['a device that is not there', { deviceId: 99 }, 'deviceId'],
])('%s is refused at its field, and nothing is opened', async (_, input, field) => {
  const { retCode, data } = await browser.post('syslog/start', input)
  expect([retCode, Object.keys(data.fields as object)]).toEqual([codes.invalidInput, [field]])
  expect(await captures()).toEqual([])
})

test('five go on at once in a network, the sixth is refused; a foreign one cannot be stopped', async () => {
  for (let count = 0; count < 5; count++) await must('syslog/start', {})
  expect(await browser.post('syslog/start', {})).toMatchObject({
    retCode: codes.syslogCaptureLimit,
    data: { limit: 5 },
  })
  expect((await browser.post('syslog/stop', { id: 99 })).retCode).toBe(codes.syslogCaptureNotFound)
})
