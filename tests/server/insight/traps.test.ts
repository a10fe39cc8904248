// SNMP traps and informs by other hands (the net-snmp package), over real sockets, and hostile ones.
import { createSocket } from 'node:dgram'
import snmp from 'net-snmp'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { startLogs } from '@/server/insight/logs/reception'
import { sampled } from '../../_sample'
import { freePort } from '../../appliance/_manager'
import { later, stopClock, untilLater as until } from '../../drivers/_timers'
import { fleetInProcess } from '../_fleet'
import { logsInProcess } from '../_logs'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

type Line = {
  id: number
  text: string
  tag: string
  severity?: number
  facility?: number
  way: string
  device: object | null
}
type Now = {
  traps: unknown
  received: number
  kept: number
  unknown: number
  dropped: number
  refusedTraps: Record<string, number>
  refusedSenders: { address: string; why: string }[]
}
type Session = {
  trap(type: number | string, varbinds: object[], options: object, done: (error: Error | null) => void): void
  inform(type: number | string, varbinds: object[], options: object, done: (error: Error | null) => void): void
  close(): void
}

const authKey = 'maplesyrup12'
const privKey = 'tannenbaum34'
const names = { ifIndex: '1.3.6.1.2.1.2.2.1.1.3', ifOperStatus: '1.3.6.1.2.1.2.2.1.8.3' }
const link = [
  { oid: names.ifIndex, type: snmp.ObjectType.Integer, value: 3 },
  { oid: names.ifOperStatus, type: snmp.ObjectType.Integer, value: 2 },
]

let manager: Manager
let browser: Browser
let port: number
let ap: number

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}
const now = async () => (await must('logs/status')).now as Now
const find = async (input: object = {}) => (await must('logs/find', input)).lines as Line[]
const receive = async (more: object = {}) => {
  const { revision } = await must('settings/logReception/get')
  await must('settings/logReception/save', { revision, traps: true, trapPort: port, ...more })
  await until(async () => (await now()).traps === 'listening')
}
const found = (search: string) =>
  until(async () => {
    const lines = await find({ search })
    return lines.length > 0 && lines
  })

beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
  port = await freePort()
  ap = manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: 1, address: '127.0.0.1', name: 'sw-1', port: 161, driver: 'snmp' },
      ...{ kind: 'switch' as const, status: 1 as const, statusAt: 1, createdAt: 1 },
    })
    .returning({ id: devices.id })
    .get().id
  // The reception's own intervals go on while a test waits, and no sender's patience ends before.
  stopClock()
  startLogs(manager.runtime, { threads: logsInProcess })
})
afterEach(async () => {
  jest.useRealTimers()
  await manager.stop()
})

const options = (more: object = {}) => ({ trapPort: port, retries: 1, timeout: 60_000, ...more })
const byCommunity = (version: number, community = 'public', more: object = {}) =>
  snmp.createSession('127.0.0.1', community, options({ version, ...more })) as unknown as Session
const byUser = (user: object, more: object = {}) =>
  snmp.createV3Session('127.0.0.1', user as never, options(more)) as unknown as Session

/** Sends one; resolves with undefined once it is sent, or answered, else with why not. */
const tell = (session: Session, how: 'trap' | 'inform', trap: number | string, varbinds: object[] = link) =>
  later(
    new Promise<string | undefined>(done => {
      session[how](trap, varbinds, {}, error => {
        session.close()
        done(error?.message)
      })
    }),
  )
async function sendRaw(datagrams: readonly Buffer[], from = '127.0.0.1') {
  const socket = createSocket('udp4')
  await new Promise<void>(done => socket.bind(0, from, done))
  for (const one of datagrams) await new Promise(done => socket.send(one, port, '127.0.0.1', done))
  socket.close()
}

test('nothing is received until somebody wants it; then traps and informs of versions 1 and 2c are found within 5 seconds, by name', async () => {
  expect((await must('logs/status')).settings).toMatchObject({ traps: false, trapPort: 162 })
  expect((await now()).traps).toBe('off')
  await receive()
  // By the clock that the reception's intervals go by.
  const begun = performance.now()
  expect(await tell(byCommunity(snmp.Version1), 'trap', snmp.TrapType.LinkDown)).toBeUndefined()
  expect(await tell(byCommunity(snmp.Version2c), 'trap', '1.3.6.1.4.1.9.9.43.2.0.1', [])).toBeUndefined()
  expect(await tell(byCommunity(snmp.Version2c), 'inform', snmp.TrapType.ColdStart, [])).toBeUndefined()
  // Once an inform is answered it is kept.
  expect(await find({ search: 'coldStart' })).toMatchObject([
    { way: 'inform2', tag: 'coldStart', severity: 4, text: '' },
  ])
  const [line] = await found('linkDown')
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(line).toMatchObject({
    ...{ way: 'trap1', tag: 'linkDown', severity: 4, device: { id: ap, name: 'sw-1' } },
    text: expect.stringContaining('ifIndex.3: 3, ifOperStatus.3: down'),
  })
  expect(line?.facility).toBeUndefined()
  expect(await found('ciscoConfigManEvent')).toMatchObject([{ way: 'trap2', severity: 5 }])
})

const auths = ['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'] as const
const privs = ['aes', 'aes256b', 'aes256r'] as const

const pairs = auths.flatMap(auth => privs.map(priv => [auth, priv] as const))
test.each(sampled(pairs, 1, ([auth]) => auth))(
  'version 3 with %s and %s: a trap and an inform are kept, and the inform is answered',
  async (auth, priv) => {
    await receive({
      ...{ trapUser: 'trapper-one', trapAuth: auth, trapAuthKey: authKey, trapPriv: priv, trapPrivKey: privKey },
    })
    const user = {
      ...{ name: 'trapper-one', level: snmp.SecurityLevel.authPriv, authProtocol: snmp.AuthProtocols[auth], authKey },
      ...{ privProtocol: snmp.PrivProtocols[priv], privKey },
    }
    expect(await tell(byUser(user), 'inform', snmp.TrapType.LinkUp)).toBeUndefined()
    expect(await find({ search: 'linkUp' })).toMatchObject([{ way: 'inform3', severity: 5 }])
    expect(await tell(byUser(user), 'trap', snmp.TrapType.LinkDown)).toBeUndefined()
    expect(await found('linkDown')).toMatchObject([{ way: 'trap3', device: { id: ap } }])
    expect((await now()).refusedTraps).toEqual({})
  },
)

test('a wrong community, user, key or level is refused, counted by its reason, and an inform of it is not answered', async () => {
  await receive({ trapCommunity: 'right', trapUser: 'trapper-one', trapAuthKey: authKey, trapPrivKey: privKey })
  const user = {
    ...{ name: 'trapper-one', level: snmp.SecurityLevel.authPriv, authProtocol: snmp.AuthProtocols.sha, authKey },
    ...{ privProtocol: snmp.PrivProtocols.aes, privKey },
  }
  const quick = { retries: 0, timeout: 300 }
  expect(await tell(byCommunity(snmp.Version2c, 'wrong', quick), 'inform', snmp.TrapType.LinkDown)).toBeDefined()
  expect(await tell(byUser({ ...user, name: 'nobody' }, quick), 'trap', snmp.TrapType.LinkDown)).toBeUndefined()
  expect(await tell(byUser({ ...user, authKey: 'another-key' }), 'trap', snmp.TrapType.LinkDown)).toBeUndefined()
  expect(await tell(byUser({ ...user, privKey: 'another-key' }), 'trap', snmp.TrapType.LinkDown)).toBeUndefined()
  expect(
    await tell(byUser({ ...user, level: snmp.SecurityLevel.authNoPriv }), 'trap', snmp.TrapType.LinkDown),
  ).toBeUndefined()
  expect(await tell(byUser({ ...user, authKey: 'another-key' }, quick), 'inform', snmp.TrapType.LinkDown)).toBeDefined()
  await until(async () => {
    const { refusedTraps } = await now()
    return JSON.stringify(Object.keys(refusedTraps).toSorted()) === '["community","decryption","digest","level","user"]'
  })
  expect(await find()).toEqual([])
  expect((await now()).refusedSenders).toMatchObject([{ address: '127.0.0.1' }])
  expect(await tell(byCommunity(snmp.Version2c, 'right'), 'inform', snmp.TrapType.WarmStart)).toBeUndefined()
  expect(await find({ search: 'warmStart' })).toHaveLength(1)
})

test('a device may send with what its own settings give to its agent, and with nothing else', async () => {
  const snmpTrapHost = '192.0.2.9'
  const own = (more: object) => ({ scope: { device: ap }, snmp: 'on', snmpTrapHost, ...more })
  await receive({ trapCommunity: 'of-the-reception' })
  await must('settings/system/save', { revision: 0, ...own({ snmpCommunity: 'of-this-agent' }) })
  const quick = { retries: 0, timeout: 300 }
  await until(async () => {
    const session = byCommunity(snmp.Version2c, 'of-this-agent', quick)
    return (await tell(session, 'inform', snmp.TrapType.ColdStart, [])) === undefined
  })
  const keys = { snmpUser: 'agent-user', snmpAuthKey: authKey, snmpPrivKey: privKey }
  await must('settings/system/save', { revision: 1, ...own(keys) })
  const user = {
    ...{ name: 'agent-user', level: snmp.SecurityLevel.authPriv, authProtocol: snmp.AuthProtocols.sha, authKey },
    ...{ privProtocol: snmp.PrivProtocols.aes, privKey },
  }
  await until(async () => (await tell(byUser(user, quick), 'inform', snmp.TrapType.LinkUp)) === undefined)
  expect(await find({ search: 'linkUp' })).toMatchObject([{ way: 'inform3', device: { id: ap } }])
  const former = byCommunity(snmp.Version2c, 'of-this-agent', quick)
  expect(await tell(former, 'inform', snmp.TrapType.WarmStart, [])).toBeDefined()
  expect((await now()).refusedTraps.community).toBeGreaterThan(0)
  expect(await find({ search: 'warmStart' })).toEqual([])
})

test('malformed traps and floods: what is no trap is counted, memory is bounded, and the reception goes on', async () => {
  await receive()
  let seed = 11
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed
  }
  const garbage = Array.from({ length: 400 }, (_, at) =>
    Buffer.from(
      Array.from({ length: 1 + (random() % 400) }, (_, place) => (place === 0 && at % 2 ? 0x30 : random() >> 8) & 255),
    ),
  )
  await sendRaw(garbage)
  await sendRaw([Buffer.alloc(60_000, 0x30), Buffer.alloc(0)])
  await until(async () => ((await now()).refusedTraps.malformed ?? 0) >= 390)
  const session = byCommunity(snmp.Version2c)
  const many = 5000
  for (let at = 0; at < many; at++)
    await new Promise<void>(done => session.trap(snmp.TrapType.LinkUp, link, {}, () => done()))
  session.close()
  // Sent once, however long the reception takes over the flood: one that is sent again is received twice and kept once.
  const patient = byCommunity(snmp.Version2c, 'public', { retries: 0, timeout: 60_000 })
  expect(await tell(patient, 'inform', snmp.TrapType.WarmStart, [])).toBeUndefined()
  const { kept, dropped, received, refusedTraps } = await until(async () => {
    const status = await now()
    return status.kept + status.dropped >= many + 1 && status
  })
  expect([kept + dropped, received]).toEqual([many + 1, many + 1 + (refusedTraps.malformed ?? 0)])
})

test('of unknown and forged senders nothing is kept unless it is wished', async () => {
  await receive()
  const session = byCommunity(snmp.Version2c, 'public', { sourceAddress: '127.0.0.9', retries: 0, timeout: 300 })
  expect(await tell(session, 'inform', snmp.TrapType.LinkDown)).toBeDefined()
  await until(async () => (await now()).unknown === 1)
  await receive({ unknown: true })
  const again = byCommunity(snmp.Version2c, 'public', { sourceAddress: '127.0.0.9' })
  expect(await tell(again, 'inform', snmp.TrapType.LinkDown)).toBeUndefined()
  expect(await find({ unknown: true })).toMatchObject([{ tag: 'linkDown', source: '127.0.0.9', device: null }])
  expect(await find()).toEqual([])
})

/** An inform as a sender puts it into a datagram. */
async function onTheWire(): Promise<Buffer> {
  const socket = createSocket('udp4')
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  const heard = new Promise<Buffer>(done => socket.once('message', done))
  const to = { version: snmp.Version2c, trapPort: socket.address().port, retries: 0, timeout: 200 }
  const session = snmp.createSession('127.0.0.1', 'public', to) as unknown as Session
  void tell(session, 'inform', snmp.TrapType.WarmStart, [])
  const bytes = await heard
  socket.close()
  return bytes
}

test('an inform that is sent again is kept once; what is saved is checked', async () => {
  await receive()
  const inform = await onTheWire()
  const socket = createSocket('udp4')
  const answers: Buffer[] = []
  socket.on('message', bytes => answers.push(bytes))
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  for (let at = 0; at < 3; at++) socket.send(inform, port, '127.0.0.1')
  await until(() => answers.length >= 1)
  socket.send(inform, port, '127.0.0.1')
  await until(() => answers.length >= 2)
  socket.close()
  expect(answers[0]?.includes(0xa2)).toBe(true)
  expect(await find({ search: 'warmStart' })).toHaveLength(1)
  const { revision } = await must('settings/logReception/get')
  const wrong = await browser.post('settings/logReception/save', {
    ...{ revision, protocol: 'udp', port, traps: true, trapPort: port, trapUser: 'trapper-one' },
  })
  expect(wrong.retCode).toBe(codes.invalidInput)
  expect(wrong.data.fields).toEqual({ trapAuthKey: 'required', trapPort: 'syslogHasPort' })
})
