// Log rules from their form to their alert: real sockets, real files, the thread's own code.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { codes, documentCode } from '@/model/codes'
import { limits } from '@/model/limits'
import { assignedRows, networkDocuments } from '@/server/devices/change/plan/desired'
import { startLogs } from '@/server/insight/logs/reception'
import type { IntakeEvents, LogThreads } from '@/server/insight/logs/threads'
import type { Runtime } from '@/server/kernel/runtime'
import { freePort, removeFolder } from '../../appliance/_manager'
import { stopClock, untilLater as until } from '../../drivers/_timers'
import { fleetInProcess } from '../_fleet'
import { logsInProcess } from '../_logs'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { right } from '../_second-factor'

type Row = {
  id: number
  type: string
  level: number
  values: Record<string, string | number>
  recoveredAt: number | null
  device: { id: number } | null
}
type Matches = { lines: number; devices: number; alerts: number; latest: { text: string }[]; searchedTo?: number }

let data: string
let manager: Manager
let browser: Browser
let port: number
let ap: number
let events: IntakeEvents

/** The same threads; what they say can be said for them, as at the end of a quiet time. */
const threads: LogThreads = {
  ...logsInProcess,
  intake(folder, given) {
    events = given
    return logsInProcess.intake(folder, given)
  },
}
/** The reception's own intervals go on while a test waits. */
const begin = (runtime: Runtime) => {
  stopClock()
  startLogs(runtime, { threads })
}

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}
const device = (address: string, name: string, group: number | null = null) =>
  manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: 1, address, name, group, port: 22, driver: 'linux', kind: 'ap' as const },
      ...{ status: 1 as const, statusAt: 1, createdAt: 1 },
    })
    .returning({ id: devices.id })
    .get().id
const listening = () =>
  until(async () => {
    const { udp, tcp } = (await must('logs/status')).now as { udp: unknown; tcp: unknown }
    return udp === 'listening' && tcp === 'listening'
  })

beforeEach(async () => {
  data = mkdtempSync(`${tmpdir()}/lanward-test-`)
  manager = await startTestManager({ data, starters: [fleetInProcess(), begin] })
  browser = await finishedWizard(manager)
  port = await freePort()
  ap = device('127.0.0.1', 'ap-1')
  manager.runtime.bus.emit({ topic: 'devices', organization: 1 })
  const { revision } = await must('settings/logReception/get')
  await must('settings/logReception/save', { revision, protocol: 'both', port })
  await listening()
  // Whose lines they are is known after a moment.
  await until(async () => {
    await send('<37>probe: known')
    return (await found('probe')).length > 0
  })
})
const stop = () => {
  jest.useRealTimers()
  return manager.stop()
}
afterEach(async () => {
  await stop()
  removeFolder(data)
})

async function signIn() {
  browser = manager.browser()
  await must('login', right)
}

async function send(...lines: string[]) {
  const socket = createSocket('udp4')
  for (const line of lines) await new Promise(done => socket.send(line, port, '127.0.0.1', done))
  socket.close()
}
const rule = async (more: object = {}) =>
  (await must('settings/logRule/save', { name: 'Sign-ins', text: 'failed * root', ...more })) as {
    id: string
    revision: number
  }
const raised = async () => ((await must('alerts/list')).result as Row[]).filter(one => one.type.startsWith('logRule'))
const line = '<37>sshd[812]: Failed password for root from 10.0.0.5'
const other = '<37>sshd[812]: Accepted password for root'
const found = async (search: string) => (await must('logs/find', { search })).lines as object[]
const matches = async (more: object = {}) => (await must('logs/matches', { text: 'failed * root', ...more })) as Matches

/** Sends it until it counts: who the devices are and what the rules say is known after a moment. */
const alertOf = (...lines: string[]) =>
  until(async () => {
    await send(...lines)
    const [row] = await raised()
    return row
  })

test('a line that a rule looks for is an alert with its level and words, once however many come', async () => {
  const { id } = await rule({ level: '5', message: 'Somebody tries passwords' })
  await send(other)
  // By the clock that the reception's intervals go by.
  const begun = performance.now()
  const row = await alertOf(line)
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(row).toMatchObject({ type: 'logRule', level: 5, recoveredAt: null, device: { id: ap } })
  expect(row.values).toMatchObject({ device: 'ap-1', rule: id, message: 'Somebody tries passwords' })
  expect(row.values).toMatchObject({ text: 'failed * root', severity: 'any', facility: 'any' })
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  await new Promise(done => socket.write(`${line}\n`.repeat(20_000), done))
  await new Promise(done => socket.end('<37>end: of-the-flood\n', () => done(undefined)))
  await until(async () => (await found('of-the-flood')).length > 0)
  expect(await raised()).toHaveLength(1)
})

test('so many lines are asked for, and no fewer', async () => {
  await rule({ count: 3, minutes: 5 })
  await rule({ name: 'Known', text: 'is it known' })
  await alertOf('<37>probe: is it known')
  const signIns = async () => (await raised()).filter(one => one.values.name === 'Sign-ins')
  await send(line, line, other)
  await until(async () => (await found('accepted')).length > 0)
  expect(await signIns()).toEqual([])
  await send(line)
  expect(await until(async () => (await signIns())[0])).toMatchObject({ values: { message: 'Sign-ins' }, level: 10 })
})

test('its end is said after the quiet time; what comes again soon is the same alert once more', async () => {
  const { id } = await rule()
  const { id: first } = await alertOf(line)
  events.onRule({ rule: id, device: ap, overAt: Date.now() })
  const [end, row] = await raised()
  expect([end, row]).toMatchObject([
    { type: 'logRuleQuiet', values: { name: 'Sign-ins', device: 'ap-1' } },
    { type: 'logRule', recoveredAt: expect.any(Number) },
  ])
  events.onRule({ rule: id, device: ap, reached: { from: Date.now(), at: Date.now() } })
  const again = (await raised()).filter(one => one.type === 'logRule')
  expect(again).toMatchObject([{ id: first, recoveredAt: null }])
  expect(await must('alerts/detail', { id: first })).toMatchObject({ times: 2 })
})

test('an alert ends with its rule, or when the rule is off or is about other devices, and nobody is told', async () => {
  const ends = async (end: (id: string, revision: number) => Promise<unknown>) => {
    const { id, revision } = await rule({ name: `Rule ${Math.random()}` })
    await until(async () => {
      await send(line)
      return (await raised()).some(one => one.values.rule === id)
    })
    await end(id, revision)
    await until(async () => (await raised()).every(one => one.recoveredAt !== null))
  }
  await ends(id => must('settings/logRule/delete', { ids: [id] }))
  await ends((id, revision) =>
    must('settings/logRule/save', { id, revision, name: 'Off', text: 'failed * root', enabled: false }),
  )
  const away = device('127.0.0.8', 'ap-2')
  await ends((id, revision) =>
    must('settings/logRule/save', { id, revision, name: 'Others', text: 'failed * root', assign: { devices: [away] } }),
  )
  expect((await raised()).map(one => one.type)).toEqual(['logRule', 'logRule', 'logRule'])
  // Of a device that is forgotten it ends with the quiet time.
  const { id } = await rule({ name: 'Last' })
  await until(async () => {
    await send(line)
    return (await raised()).some(one => one.values.rule === id)
  })
  manager.runtime.db.delete(devices).where(eq(devices.id, ap)).run()
  expect((await raised()).filter(one => one.recoveredAt === null)).toHaveLength(1)
  events.onRule({ rule: id, device: ap, overAt: Date.now() })
  expect((await raised()).filter(one => one.recoveredAt === null)).toEqual([])
  // A late word of a rule that is gone is none.
  events.onRule({ rule: crypto.randomUUID(), device: away, reached: { from: 1, at: 2 } })
  expect(await raised()).toHaveLength(4)
})

test('after a restart an open alert is not raised again, and one whose device went meanwhile is over', async () => {
  const { id } = await rule()
  await alertOf(line)
  await stop()
  manager = await startTestManager({ data, starters: [fleetInProcess(), begin] })
  await signIn()
  await listening()
  await send(line, '<37>end: after-restart')
  await until(async () => (await found('after-restart')).length > 0)
  expect(await raised()).toMatchObject([{ type: 'logRule', recoveredAt: null, values: { rule: id } }])
  await stop()
  manager = await startTestManager({
    data,
    starters: [runtime => void runtime.db.delete(devices).where(eq(devices.id, ap)).run(), fleetInProcess(), begin],
  })
  await signIn()
  expect(await raised()).toMatchObject([{ device: null, recoveredAt: expect.any(Number) }])
})

test('what a rule would have found is counted, of chosen devices and groups, too', async () => {
  await send(line, line, other, '<3>kernel: Failed to mount root')
  await until(async () => (await found('mount')).length > 0)
  expect(await matches()).toMatchObject({ lines: 3, devices: 1, alerts: 1 })
  expect((await matches()).latest[0]).toMatchObject({ text: 'Failed to mount root', device: { id: ap, name: 'ap-1' } })
  expect(await matches({ severity: '3' })).toMatchObject({ lines: 1 })
  expect(await matches({ facility: 'auth' })).toMatchObject({ lines: 2 })
  expect(await matches({ count: 4 })).toMatchObject({ lines: 3, alerts: 0 })
  expect(await matches({ text: 'accepted password for' })).toMatchObject({ lines: 1 })
  expect(await matches({ text: 'ccepted passwor' })).toMatchObject({ lines: 1 })
  expect(await matches({ text: '(a+)+$' })).toMatchObject({ lines: 0, latest: [] })
  expect(await matches({ assign: { devices: [ap] } })).toMatchObject({ lines: 3 })
  expect(await matches({ assign: {} })).toMatchObject({ lines: 0, devices: 0, alerts: 0 })
  const { groupId } = (await must('groups/add', { groupName: 'Upstairs', parentId: -1 })) as { groupId: number }
  manager.runtime.db.update(devices).set({ group: groupId }).where(eq(devices.id, ap)).run()
  expect(await matches({ assign: { groups: [groupId] } })).toMatchObject({ lines: 3 })
})

test('the lines of an alert are found as the rule finds them, and given out so', async () => {
  await send(line, other, '<86>login: failed for ROOT', '<3>kernel: Failed to mount root')
  await until(async () => (await found('mount')).length > 0)
  const texts = async (more: object) =>
    ((await must('logs/find', more)).lines as { text: string }[]).map(one => one.text)
  expect(await texts({ like: 'failed*root' })).toEqual([
    'Failed to mount root',
    'failed for ROOT',
    'Failed password for root from 10.0.0.5',
  ])
  expect(await texts({ like: 'failed*root', facility: 10 })).toEqual(['failed for ROOT'])
  expect(await texts({ like: 'failed*root', search: 'password' })).toEqual(['Failed password for root from 10.0.0.5'])
  expect(await texts({ like: 'failed*root', pageSize: 1 })).toEqual(['Failed to mount root'])
  const { next } = (await must('logs/find', { like: 'failed*root', pageSize: 1 })) as { next: number }
  expect(await texts({ like: 'failed*root', before: next })).toHaveLength(2)
  const file = await browser.raw('exports/logs?networkId=1&like=failed*root&facility=10', { method: 'GET' })
  expect((await file.text()).trim().split('\n')).toHaveLength(2)
})

test('it is a setting like others: checked, limited, undone, copied; and nothing of it waits for a push', async () => {
  const refused = await browser.post('settings/logRule/save', { name: 'Empty' })
  expect([refused.retCode, refused.data.fields]).toEqual([codes.invalidInput, { text: 'logRuleTerms' }])
  const { id } = await rule()
  expect(await browser.post('settings/logRule/save', { name: 'Sign-ins', text: 'other' })).toMatchObject({
    retCode: codes[documentCode('logRule', 'nameExists')],
    data: { fields: { name: 'nameExists' } },
  })
  const given = { id: ap, network: 1, group: null }
  expect(assignedRows(networkDocuments(manager.runtime.db, 1), given)).toEqual([])
  await must('settings/logRule/delete', { ids: [id] })
  const [entry] = (await must('changelog/list', { filter: { object: 'logRule' } })).result as { id: number }[]
  await must('changelog/revert', { id: entry?.id })
  expect((await must('settings/logRule/list')).result).toMatchObject([{ name: 'Sign-ins', text: 'failed * root' }])
  const { networkId } = (await must('networks/clone', { id: 1, networkName: 'Copy' })) as { networkId: number }
  expect((await must('settings/logRule/list', { networkId })).result).toMatchObject([
    { name: 'Sign-ins', assign: { all: true } },
  ])
  for (let at = 1; at < limits.logRules; at++) await rule({ name: `Rule ${at}` })
  const full = await browser.post('settings/logRule/save', { name: 'One more', text: 'failed' })
  expect([full.retCode, full.data.max]).toEqual([codes[documentCode('logRule', 'limit')], limits.logRules])
})
