// What devices log: real sockets, real files, hostile senders.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { folderOf, startLogs } from '@/server/insight/logs/reception'
import { freePort } from '../../appliance/_manager'
import { stopClock, untilLater as until } from '../../drivers/_timers'
import { fleetInProcess } from '../_fleet'
import { logsInProcess } from '../_logs'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

type Line = {
  id: number
  text: string
  tag: string
  severity?: number
  cut?: number
  source?: string
  device: object | null
}
type Now = {
  udp: unknown
  tcp: unknown
  received: number
  kept: number
  unknown: number
  dropped: number
  writeError?: string
  strangers: { address: string; lines: number }[]
}

let manager: Manager
let browser: Browser
let port: number
let ap: number

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}
const device = (address: string, name: string, network = 1) =>
  manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network, address, name, port: 22, driver: 'linux', kind: 'ap' as const },
      ...{ status: 1 as const, statusAt: 1, createdAt: 1 },
    })
    .returning({ id: devices.id })
    .get().id
const receive = async (more: object = {}) => {
  const { revision } = await must('settings/logReception/get')
  await must('settings/logReception/save', { revision, protocol: 'both', port, ...more })
}
const now = async () => (await must('logs/status')).now as Now
const find = async (input: object = {}) => (await must('logs/find', input)).lines as Line[]
const listening = () =>
  until(async () => {
    const { udp, tcp } = await now()
    return udp === 'listening' && tcp === 'listening'
  })

const open: Socket[] = []
beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
  port = await freePort()
  ap = device('127.0.0.1', 'ap-1')
  // The reception's own intervals go on while a test waits.
  stopClock()
  startLogs(manager.runtime, { threads: logsInProcess })
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  jest.useRealTimers()
  await manager.stop()
})

/** Datagrams from an address of this machine. */
async function sendUdp(lines: readonly (string | Buffer)[], from = '127.0.0.1') {
  const socket = createSocket('udp4')
  await new Promise<void>(done => socket.bind(0, from, done))
  for (const line of lines) await new Promise(done => socket.send(line, port, '127.0.0.1', done))
  socket.close()
}
async function tcp(from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  open.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
const written = (socket: Socket, bytes: string | Buffer) => new Promise(done => socket.write(bytes, done))

test('nothing is received until somebody wants it; then lines over UDP and TCP are found within 5 seconds', async () => {
  expect((await must('logs/status')).settings).toMatchObject({ protocol: 'off', port: 514 })
  expect(await now()).toMatchObject({ udp: 'off', tcp: 'off' })
  await receive()
  await listening()
  await sendUdp(['<30>Nov 23 10:00:00 ap-1 hostapd[8]: STA 02:aa associated'])
  const socket = await tcp()
  await written(socket, '<27>Nov 23 10:00:01 ap-1 pppd[9]: LCP timeout\n')
  // By the clock that the reception's intervals go by.
  const begun = performance.now()
  const lines = await until(async () => {
    const found = await find()
    return found.length === 2 && found
  })
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(lines).toEqual([
    expect.objectContaining({
      tag: 'pppd[9]',
      text: 'LCP timeout',
      severity: 3,
      way: 'tcp',
      device: { id: ap, name: 'ap-1' },
    }),
    expect.objectContaining({ tag: 'hostapd[8]', severity: 6, facility: 3, way: 'udp' }),
  ])
  expect((await find({ search: '02:aa' })).map(line => line.text)).toEqual(['STA 02:aa associated'])
  expect(await find({ search: '02:aa', severity: 4 })).toEqual([])
  expect(await find({ device: ap + 1 })).toEqual([])
})

test('lines of unknown and forged senders are counted, and kept only where it is wished, for who holds the manager', async () => {
  await receive()
  await listening()
  await sendUdp(['<13>evil: forged'], '127.0.0.9')
  for (let at = 20; at < 120; at++) await sendUdp(['<13>evil: many'], `127.0.7.${at}`)
  const seen = await until(async () => {
    const status = await now()
    return status.unknown === 101 && status
  })
  expect(seen.kept).toBe(0)
  expect(seen.strangers).toHaveLength(10)
  expect(seen.strangers[0]).toMatchObject({ address: '127.0.7.119', lines: 1 })
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' })
  await once(
    socket.on('error', () => undefined),
    'close',
  )
  await receive({ unknown: true })
  await sendUdp(['<13>evil: forged again'], '127.0.0.9')
  const kept = await until(async () => {
    const found = await find({ unknown: true })
    return found.length > 0 && found
  })
  expect(kept).toMatchObject([{ text: 'forged again', source: '127.0.0.9', device: null }])
  expect(await find()).toEqual([])
})

test('floods, lines of 64 kB and garbage: each line over TCP is kept, in order, and the reception goes on', async () => {
  await receive()
  await listening()
  const socket = await tcp()
  const count = 30_000
  let text = ''
  for (let at = 0; at < count; at++) text += `<14>flood: ${at} of it\n`
  await written(socket, text)
  await written(socket, `<14>big: ${'x'.repeat(65_000)}\n<14>after: big\n`)
  await written(socket, Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 + 13) % 256)))
  await written(socket, '\n<14>end: of garbage\n')
  await until(async () => (await find({ search: '"of garbage"' })).length > 0)
  expect(await now()).toMatchObject({ dropped: 0 })
  expect((await find({ search: '"after big"' })).length + (await find({ search: 'big' })).length).toBeGreaterThan(0)
  expect((await find({ search: 'xxx*' }))[0]?.cut).toBe(65_000 - 8192)
  let before: number | undefined
  const seen: string[] = []
  for (;;) {
    const page = await must('logs/find', { search: 'flood', pageSize: 200, ...(before && { before }) })
    seen.push(...(page.lines as Line[]).map(line => line.text))
    if (page.next === undefined) break
    before = page.next as number
  }
  expect(seen).toEqual(Array.from({ length: count }, (_, at) => `${count - 1 - at} of it`))
})

test('while nothing can be written it is said, senders over TCP wait, and later all of theirs is there', async () => {
  await receive()
  await listening()
  const folder = folderOf(manager.runtime)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  const socket = await tcp()
  const count = 60_000
  for (let at = 0; at < count; at += 1000)
    socket.write(Array.from({ length: 1000 }, (_, more) => `<14>wait: ${at + more} ${'.'.repeat(60)}\n`).join(''))
  await until(async () => (await now()).writeError !== undefined)
  await until(async () => (await now()).received >= 20_000)
  const held = await now()
  expect(held).toMatchObject({ kept: 0, writeError: expect.stringMatching(/CANTOPEN|ENOTDIR/) })
  expect(held.received).toBeLessThan(count)
  rmSync(folder)
  mkdirSync(folder)
  const after = await until(async () => {
    const status = await now()
    return status.kept === count && status
  })
  expect(after).toMatchObject({ received: count, kept: count, dropped: 0 })
  expect(after.writeError).toBeUndefined()
})

test('a port that another program holds is said, and taken once it is free', async () => {
  const other = createServer()
  other.listen(port, '::')
  await once(other, 'listening')
  await receive()
  await until(async () => JSON.stringify((await now()).tcp) === '{"error":"EADDRINUSE"}')
  expect((await now()).udp).toBe('listening')
  await new Promise(done => other.close(done))
  await listening()
})

test('a network shows its own lines alone; what a line says is no formula in a table', async () => {
  const { id } = await must('networks/add', { networkName: 'Other', country: 'PT', timezone: 'Europe/Lisbon' })
  const networkId = id as number
  device('127.0.0.3', 'far', networkId)
  manager.runtime.bus.emit({ topic: 'devices' })
  await receive({ protocol: 'udp' })
  await until(async () => (await now()).udp === 'listening')
  await until(async () => {
    await sendUdp(['<13>x: =HYPERLINK("http://a")'], '127.0.0.3')
    return (await find({ networkId })).length > 0
  })
  expect(await find({ networkId: 1 })).toEqual([])
  const file = await browser.raw(`exports/logs?networkId=${networkId}`, { method: 'GET' })
  const text = await file.text()
  expect(text).toContain(`"'=HYPERLINK(""http://a"")"`)
  expect(text.split('\r\n')[0]).toBe('time,device,address,severity,facility,protocol,program,text')
  expect(await (await browser.raw('exports/logs?networkId=1', { method: 'GET' })).text()).not.toContain('HYPERLINK')
})

test('a device that is stored by its name is known by the addresses of the name', async () => {
  manager.runtime.db.update(devices).set({ address: 'localhost' }).where(eq(devices.id, ap)).run()
  manager.runtime.bus.emit({ topic: 'devices' })
  await receive({ protocol: 'udp' })
  await until(async () => (await now()).udp === 'listening')
  const lines = await until(async () => {
    await sendUdp(['<13>by: name'])
    const found = await find()
    return found.length > 0 && found
  })
  expect(lines[0]).toMatchObject({ tag: 'by', text: 'name', device: { id: ap } })
})

test('what is saved is checked: a refused value changes nothing', async () => {
  const { revision } = await must('settings/logReception/get')
  const wrong = await browser.post('settings/logReception/save', { revision, protocol: 'both', port: 70_000, days: 0 })
  expect(wrong.retCode).toBe(codes.invalidInput)
  expect(Object.keys(wrong.data.fields as object)).toEqual(['port', 'days'])
  expect(await now()).toMatchObject({ udp: 'off' })
})

test('where a device has to send to is the address by which the manager reaches it', async () => {
  expect(await must('logs/target', { deviceId: ap })).toEqual({ target: null, traps: null, why: 'off' })
  await receive({ protocol: 'udp' })
  const target = { protocol: 'udp', host: '127.0.0.1', port }
  expect(await must('logs/target', { deviceId: ap })).toEqual({ target, traps: null })
  const trapPort = await freePort()
  await receive({ protocol: 'udp', traps: true, trapPort })
  const traps = { host: '127.0.0.1', port: trapPort }
  expect(await must('logs/target', { deviceId: ap })).toEqual({ target, traps })
  await receive({ protocol: 'off', traps: true, trapPort })
  expect(await must('logs/target', { deviceId: ap })).toEqual({ target: null, traps })
  expect((await browser.post('logs/target', { deviceId: 99 })).retCode).toBe(codes.deviceNotFound)
})
