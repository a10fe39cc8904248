// The changelog at a log server: real sockets, lines as RFC 5424 has them, nothing lost while the server is away.

import { createSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { generate } from 'selfsigned'
import { codes } from '@/model/codes'
import type { Runtime } from '@/server/kernel/runtime'
import { startSyslog, syslogState } from '@/server/manager/changelog/syslog'
import { entryLine } from '@/server/manager/changelog/syslog-line'
import { runCommand } from '@/server/manager/command/commands'
import { freePort } from '../../appliance/_manager'
import { stopTimers, untilLater as until } from '../../drivers/_timers'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
/** It looks for entries again and again: its next look is when a test waits for one. */
const start = (runtime: Runtime) => {
  stopTimers()
  startSyslog(runtime)
}
beforeEach(async () => {
  manager = await startTestManager({ starters: [start] })
  browser = await finishedWizard(manager)
})
const closers: (() => unknown)[] = []
afterEach(async () => {
  jest.useRealTimers()
  await manager.stop()
  for (const close of closers.splice(0)) await close()
})

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect([path, answer.retCode, answer.data.fields]).toEqual([path, 0, undefined])
  return answer.data
}
const tag = (tagName: string) => must('networks/tags/add', { tagName })

async function udpServer() {
  const socket = createSocket('udp4')
  const lines: string[] = []
  socket.on('message', message => lines.push(message.toString()))
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  closers.push(() => socket.close())
  return { lines, port: socket.address().port }
}

/** Octets counted as RFC 6587 has them. */
function framed(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(' ', at)
    const size = Number(bytes.toString('utf8', at, blank))
    lines.push(bytes.toString('utf8', blank + 1, blank + 1 + size))
    at = blank + 1 + size
  }
  return lines
}

async function tcpServer(port: number) {
  const lines: string[] = []
  const open = new Set<Socket>()
  const server: Server = createServer(socket => {
    const parts: Buffer[] = []
    open.add(socket)
    socket.on('data', part => parts.push(part))
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.on('end', () => lines.push(...framed(Buffer.concat(parts))))
  })
  await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
  const close = () => {
    for (const socket of open) socket.destroy()
    return new Promise(done => server.close(done))
  }
  closers.push(close)
  return { lines, close }
}

const heads = (lines: readonly string[]) => lines.map(line => /head="([^"]+)"/.exec(line)?.[1] ?? '')

test('over UDP: the entry about the server first, then each as it is written; its head is what verify-log takes', async () => {
  const server = await udpServer()
  await must('changelog/syslog/save', { protocol: 'udp', host: '127.0.0.1', port: server.port })
  await tag('Coast')
  await until(() => server.lines.some(line => line.includes('Coast')))
  expect(server.lines[0]).toMatch(
    /^<109>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ lanward \d+ change \[lanward@32473 head="\d+:[0-9a-f]{64}" account="marta7" address="10\.0\.0\.5" action="edit" object="syslog" name="127\.0\.0\.1" fields="[a-z ]+"\] entry \d+: marta7 edit syslog 127\.0\.0\.1$/,
  )
  const told = heads(server.lines.filter(line => line.includes('Coast')))[0] as string
  const verify = async (head: string) => (await runCommand(manager.runtime, 'verify-log', { head })).data.problems
  expect(await verify(told)).toEqual([])
  const { sqlite } = manager.runtime
  const { n } = sqlite.prepare('SELECT max(id) AS n FROM changelog').get() as { n: number }
  sqlite.prepare('DELETE FROM changelog WHERE id = ?').run(n)
  sqlite.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'changelog'").run(n - 1)
  expect(await verify(told)).toEqual([{ problem: 'head', head: told }])
  // The server is told the lower number at once.
  await until(() => server.lines.some(line => / head \[/.test(line) && heads([line])[0]?.startsWith(`${n - 1}:`)))
})

test('over TCP: what is written while the server is away comes later, each once; the newest number once an hour', async () => {
  // The same again later: of those that the system hands out somebody else could have it by then.
  const port = await freePort()
  const first = await tcpServer(port)
  await must('changelog/syslog/save', { protocol: 'tcp', host: '127.0.0.1', port })
  await tag('One')
  const { n } = manager.runtime.sqlite.prepare('SELECT max(id) AS n FROM changelog').get() as { n: number }
  await until(() => syslogState.read(manager.runtime.db).sent === n)
  await until(() => first.lines.some(line => line.includes('One')))
  await first.close()
  await tag('Two')
  const last = async () =>
    (await must('changelog/syslog/get')).last as { ok: boolean; error: string; at: number } | null
  await until(async () => (await last())?.ok === false)
  expect((await last())?.error).toBe('ECONNREFUSED')
  const second = await tcpServer(port)
  await tag('Three')
  // The wait after a failure is over, and so is the hour.
  syslogState.change(manager.runtime.db, { last: undefined, headAt: 0 })
  await until(() => second.lines.some(line => line.includes(' head [')))
  const names = [...first.lines, ...second.lines].flatMap(line => / add tag (\w+)$/.exec(line)?.[1] ?? [])
  expect(names).toEqual(['One', 'Two', 'Three'])
  expect(heads(second.lines).at(-1)).toBe(heads(second.lines).at(-2))
})

test('over TLS: a server whose authority and name are as set gets the lines, another gets none and why is told', async () => {
  const made = async (name: string) =>
    generate([{ name: 'commonName', value: name }], {
      extensions: [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name }] }],
    })
  const [own, stranger] = [await made('log.example.com'), await made('stranger.example.com')]
  const lines: string[] = []
  const server = createTlsServer({ key: own.private, cert: own.cert }, socket => {
    const parts: Buffer[] = []
    socket.on('data', part => parts.push(part))
    socket.on('error', () => undefined)
    socket.on('end', () => lines.push(...framed(Buffer.concat(parts))))
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  closers.push(() => new Promise(done => server.close(done)))
  const { port } = server.address() as { port: number }
  const to = { protocol: 'tls', host: '127.0.0.1', port }
  const failed = async (more: object) => {
    await must('changelog/syslog/save', { ...to, ...more })
    return until(async () => {
      const last = (await must('changelog/syslog/get')).last as { ok: boolean; error: string } | null
      return last && !last.ok && last.error
    })
  }
  expect(await failed({ ca: stranger.cert, peer: 'log.example.com' })).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/)
  expect(await failed({ ca: own.cert, peer: 'stranger.example.com' })).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await failed({ ca: own.cert })).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await failed({ peer: 'log.example.com' })).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/)
  expect(lines).toEqual([])
  await must('changelog/syslog/save', { ...to, ca: own.cert, peer: 'log.example.com' })
  await tag('Encrypted')
  await until(() => lines.some(line => line.includes('Encrypted')))
})

test('names from people and devices cannot forge a line or a value', () => {
  const row = {
    id: 7,
    organization: 1,
    network: null,
    at: 0,
    account: 'a',
    address: '::1',
    action: 'edit',
    object: 'x',
  }
  const name = `end"] \\ \n<13>1 forged\u2028\u202e${'x'.repeat(999)}`
  const line = entryLine({ ...row, name, fields: '{"vlan":[1,2]}', document: null, kept: null, mac: 'f'.repeat(64) })
  expect(line).toContain(`name="end\\"\\] \\\\ ?<13>1 forged??x`)
  expect(line).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
  expect(line.length).toBeLessThan(1500)
})

test('bad input is refused at its field, and changes nothing', async () => {
  const refused = async (body: object) => (await browser.post('changelog/syslog/save', body)).data.fields
  expect(await refused({ protocol: 'tcp', host: '' })).toEqual({ host: 'required' })
  expect(await refused({ protocol: 'udp', host: 'a b' })).toEqual({ host: 'addressFormat' })
  expect(await refused({ protocol: 'tls', host: 'a', ca: 'x' })).toEqual({ ca: 'certificateFormat' })
  expect(Object.keys((await refused({ protocol: 'udp', host: 'a', port: 0 })) as object)).toEqual(['port'])
  expect(await must('changelog/syslog/get')).toEqual({ protocol: 'off', host: '', port: 514, last: null })
  expect((await browser.post('changelog/syslog/save', { protocol: 'smoke' })).retCode).toBe(codes.invalidInput)
})
