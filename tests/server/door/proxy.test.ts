// A proxy on the manager's own machine, before the real front and the real calls: whom they take for whom.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { doorsOf } from '@/appliance/http/doors'
import { front } from '@/appliance/http/front'
import { codes } from '@/model/codes'
import { dispatch } from '@/server/door/dispatch'
import { countFailure, lockState } from '@/server/people/accounts/lock'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { right } from '../_second-factor'

let manager: Manager
const servers: http.Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise(done => server.close(done))
  await manager.stop()
})

async function serve(listener: http.RequestListener): Promise<number> {
  const server = http.createServer(listener)
  servers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** As Next hands a request to the one door. */
async function answer(request: http.IncomingMessage, reply: http.ServerResponse): Promise<void> {
  const { method, url = '' } = request
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
  const body = Buffer.concat(await Readable.from(request).toArray())
  const asked = new Request(`http://localhost${url}`, { method, headers, ...(body.length > 0 && { body }) })
  const answered = await dispatch(url.replace('/app/', ''), asked)
  const cookies = answered.headers.getSetCookie()
  reply.writeHead(answered.status, { 'content-type': 'application/json', connection: 'close', 'set-cookie': cookies })
  reply.end(await answered.text())
}

type Set = { trustedProxies?: string[]; setupCode?: string; http?: 'redirect' | 'console' }
async function start({ trustedProxies = [], setupCode = 'off', http = 'redirect' }: Set) {
  manager = await startTestManager({ setupCode })
  const asked = { names: ['net.example'], httpPort: 8080, httpsPort: 8443, portalPort: 0, trustedProxies, http }
  const door = doorsOf(asked).find(({ name }) => name === 'http')
  if (!door) throw new Error('no such door')
  return serve(front((request, reply) => void answer(request, reply), door, { dev: false }))
}

/** Hands all on to the manager over a connection from loopback, with what `adds` says of each. */
const proxyTo = (port: number, adds: (headers: http.IncomingHttpHeaders) => http.OutgoingHttpHeaders) =>
  serve((request, reply) => {
    const { method, url: path } = request
    const headers = { ...request.headers, ...adds(request.headers) }
    const on = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, answered => {
      reply.writeHead(answered.statusCode ?? 0, answered.headers)
      answered.pipe(reply)
    })
    request.pipe(on)
  })

/** A proxy whose client has the address that `x-test-client` names: what the client itself sent stands on the left. */
const proxy = (port: number) =>
  proxyTo(port, ({ 'x-test-client': client, 'x-forwarded-for': before }) => ({
    'x-forwarded-for': [before, client].filter(Boolean).join(', '),
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'net.example',
  }))

type Reply = { status: number; location?: string; cookie?: string; retCode?: number; data?: Record<string, unknown> }
function post(port: number, path: string, input: object, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((done, failed) => {
    const sent = { 'content-type': 'application/json', 'x-requested-with': 'test', host: 'localhost', ...headers }
    const options = { host: '127.0.0.1', port, path: `/app/${path}`, method: 'POST', headers: sent, agent: false }
    const request = http.request(options as http.RequestOptions, async reply => {
      const text = Buffer.concat(await reply.toArray()).toString()
      const { location, 'set-cookie': [cookie] = [] } = reply.headers
      done({ status: reply.statusCode ?? 0, location, cookie, ...(text.startsWith('{') && JSON.parse(text)) })
    })
    request.on('error', failed)
    request.end(JSON.stringify(input))
  })
}
const from = (client: string) => ({ 'x-test-client': client })
const spoofed = (client: string) => ({ ...from(client), 'x-forwarded-for': '127.0.0.1' })

test('a setup code is asked of what comes by a proxy, and of this machine itself none', async () => {
  const port = await start({ setupCode: 'ABCD-2345', http: 'console' })
  const by = await proxy(port)
  for (const headers of [from('203.0.113.9'), from('127.0.0.1'), spoofed('203.0.113.9')])
    expect((await post(by, 'wizard/unlock', { code: '' }, headers)).retCode).toBe(codes.setupCodeWrong)
  expect((await post(by, 'wizard/unlock', { code: 'ABCD-2345' }, from('203.0.113.9'))).retCode).toBe(0)
  expect((await post(port, 'wizard/unlock', { code: '' })).retCode).toBe(0)
})

test('a setup code is asked, and tries are counted, by what a trusted proxy says', async () => {
  const port = await start({ setupCode: 'ABCD-2345', trustedProxies: ['127.0.0.1'] })
  const by = await proxy(port)
  const enter = async (code: string, headers: Record<string, string>) =>
    (await post(by, 'wizard/unlock', { code }, headers)).retCode
  for (let n = 0; n < 10; n++) expect(await enter('', spoofed('203.0.113.9'))).toBe(codes.setupCodeWrong)
  expect(await enter('ABCD-2345', from('203.0.113.9'))).toBe(codes.rateLimited)
  expect(await enter('', from('127.0.0.1'))).toBe(codes.setupCodeWrong)
  expect(await enter('ABCD-2345', from('203.0.113.10'))).toBe(0)
  expect((await post(port, 'wizard/unlock', { code: '' })).retCode).toBe(0)
})

test('plain http leads what comes by a proxy to https, as everybody but this machine', async () => {
  const port = await start({ trustedProxies: ['127.0.0.1'] })
  const plain = await proxyTo(port, () => ({ 'x-forwarded-proto': 'http', 'x-forwarded-host': 'net.example:80' }))
  // The proxy's own https, not the manager's port behind it.
  expect(await post(plain, 'login', right)).toMatchObject({ status: 308, location: 'https://net.example/app/login' })
  expect((await post(await proxy(port), 'wizard/unlock', {}, from('203.0.113.9'))).status).toBe(200)
  const untold = await proxyTo(port, () => ({ via: '1.1 edge' }))
  expect((await post(untold, 'login', right)).status).toBe(308)
  expect((await post(port, 'wizard/unlock', {})).status).toBe(200)
})

test('a proxy that nobody trusts makes no plain http private, and says of no https', async () => {
  const port = await start({ http: 'console' })
  const { account, password } = owner
  const input = { step: 'account', account, email: '', password, repeat: password }
  const over = async (entry: number) => {
    const { cookie = '' } = await post(entry, 'wizard/unlock', {})
    expect(cookie).not.toMatch(/secure/i)
    return (await post(entry, 'wizard/account', input, { cookie: cookie.split(';')[0] ?? '' })).retCode
  }
  expect(await over(await proxy(port))).toBe(codes.secureOnly)
  expect(await over(port)).toBe(0)
})

test('a name that a page made up for itself opens nothing, whichever header says it', async () => {
  const port = await start({ trustedProxies: ['127.0.0.1'] })
  const say = async (headers: http.OutgoingHttpHeaders) =>
    (await post(await proxyTo(port, () => ({ 'x-forwarded-proto': 'https', ...headers })), 'login', right)).status
  expect(await say({ host: 'net.example' })).toBe(200)
  expect(await say({ host: 'evil.example' })).toBe(421)
  expect(await say({ 'x-forwarded-host': 'evil.example' })).toBe(421)
  expect(await say({ host: 'evil.example', 'x-forwarded-host': 'net.example' })).toBe(421)
})

test('the page’s own name is the one that a trusted proxy tells', async () => {
  const port = await start({ trustedProxies: ['127.0.0.1'] })
  const by = await proxyTo(port, () => ({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'net.example' }))
  const asked = async (origin: string) => (await post(by, 'wizard/unlock', {}, { origin })).retCode
  expect(await asked('https://net.example')).toBe(0)
  expect(await asked('https://localhost')).toBe(codes.sameOriginOnly)
})

/** The setup is finished, and somebody at 203.0.113.9 has let in 203.0.113.0/28 alone. */
async function withWhitelist(set: Set) {
  const port = await start(set)
  const browser = await finishedWizard(manager, manager.browser('203.0.113.9'))
  expect((await browser.post('login', right)).retCode).toBe(0)
  expect((await browser.post('ip-whitelist/add', { ip: '203.0.113.0/28' })).retCode).toBe(0)
  return { port, by: await proxy(port), browser }
}

test('the whitelist judges the client that a trusted proxy tells, and its changes say where from', async () => {
  const { port, by, browser } = await withWhitelist({ trustedProxies: ['127.0.0.1'] })
  const signIn = async (headers: Record<string, string>) => (await post(by, 'login', right, headers)).retCode
  expect(await signIn(from('203.0.113.7'))).toBe(0)
  expect(await signIn(from('203.0.113.99'))).toBe(codes.ipRefused)
  expect(await signIn(spoofed('203.0.113.99'))).toBe(codes.ipRefused)
  expect(await signIn(from('127.0.0.1'))).toBe(codes.ipRefused)
  expect((await post(port, 'login', right)).retCode).toBe(0)
  const { result } = (await browser.post('changelog/list', {})).data as { result: { address: string }[] }
  expect(result.map(one => one.address)).toEqual(expect.arrayContaining(['203.0.113.7', '127.0.0.1']))
})

test('the whitelist lets nobody in by a proxy that nobody trusts', async () => {
  const { port, by } = await withWhitelist({ http: 'console' })
  for (const client of ['203.0.113.7', '127.0.0.1'])
    expect((await post(by, 'login', right, from(client))).retCode).toBe(codes.ipRefused)
  expect((await post(port, 'login', right)).retCode).toBe(0)
})

test('wrong passwords lock the client’s address, and nobody else behind the proxy', async () => {
  const port = await start({ trustedProxies: ['127.0.0.1'] })
  await finishedWizard(manager)
  const by = await proxy(port)
  const { db } = manager.runtime
  const [one, other] = ['203.0.113.9', '203.0.113.10']
  for (let n = 0; n < 2; n++) await post(by, 'login', { ...right, userPwd: '0'.repeat(64) }, spoofed(one))
  const counted = [one, other, '127.0.0.1', 'via 127.0.0.1'].map(
    address => lockState(db, owner.account, address, false, Date.now()) as { failures?: number },
  )
  expect(counted.map(({ failures }) => failures)).toEqual([2, 0, 0, 0])
  // From the third on a picture's code is asked, too.
  for (let n = 0; n < 2; n++) countFailure(db, owner.account, one, false, Date.now())
  expect((await post(by, 'login', right, from(one))).retCode).toBe(codes.accountLocked)
  expect((await post(by, 'login', right, from(other))).retCode).toBe(0)
  expect((await post(port, 'login', right)).retCode).toBe(0)
})

test('wrong passwords by a proxy that nobody trusts lock it, and not this machine itself', async () => {
  const port = await start({ http: 'console' })
  await finishedWizard(manager)
  const by = await proxy(port)
  const wrong = { ...right, userPwd: '0'.repeat(64) }
  for (let n = 0; n < 2; n++) await post(by, 'login', wrong, from(`203.0.113.${n}`))
  expect((await post(by, 'login', right, from('203.0.113.9'))).retCode).toBe(codes.codeRequired)
  expect((await post(port, 'login', right)).retCode).toBe(0)
})
