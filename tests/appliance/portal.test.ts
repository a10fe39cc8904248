// The guests' own listener: nothing of the console is behind it, and nothing of it behind the console's.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { ask, freePort, type Manager, removeFolder, startManager } from './_manager'

let manager: Manager

beforeAll(async () => {
  manager = await startManager()
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
})

const lan = '00000000-0000-4000-8000-000000000000'
const page = `/portal/${lan}`

/** Everything that is answered to these bytes until the portal closes the connection. */
function send(text: string): Promise<string> {
  return new Promise(done => {
    const socket = connect({ port: Number(new URL(manager.portal).port), host: '127.0.0.1' })
    let answer = ''
    socket.on('connect', () => socket.write(text))
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', () => done(answer))
    socket.on('close', () => done(answer))
  })
}
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

test('the portal answers its page, in words, without script', async () => {
  const { status, headers, body } = await ask(`${manager.portal}${page}`)
  expect(status).toBe(404)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(body).toContain('No sign-in here')
  expect(body).not.toMatch(/<script/i)
})

test.each([
  '/',
  '/login',
  '/app/init-info',
  '/app/health',
  '/app/events',
  '/api/auth/session',
  '/cgi',
  '/_next/static/chunks/main.js',
  `${page}/../../app/init-info`,
  `/portal/../login`,
  `/portal/%2e%2e/login`,
  `/portal/${lan}/`,
  `/portal/${lan}%2f..%2f..%2flogin`,
  `//login`,
  `/\\login`,
  '/portal/1',
  `${page}/file/1`,
  `${page}/api/`,
  `${page}/api/1`,
  `${page}/api%2f..`,
  `${page}/page`,
  `${page}/page/`,
  `${page}/page/.env`,
  `${page}/page/../file`,
  `${page}/page/a/..%2f..`,
  `${page}/page/a//b`,
  `http://127.0.0.1/app/health`,
])('the console’s %s is not on the portal’s port', async path => {
  for (const method of ['GET', 'POST']) {
    const answer = await send(
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(statusOf(answer)).toBe(404)
    expect(answer).not.toMatch(/^location:/im)
  }
})

test('the portal is on no port of the console, and nobody can say that they came by the portal’s', async () => {
  const headers = { 'x-lanward-portal': '1' }
  for (const base of [manager.http, manager.https]) {
    const { status, body } = await ask(`${base}${page}`, { headers })
    expect([status, body]).toEqual([404, 'There is no page here.\n'])
    expect((await ask(`${base}${page}`, { method: 'POST', headers, body: 'method=free' })).status).toBe(405)
  }
})

test.each([
  ['PUT', 405],
  ['DELETE', 405],
  ['OPTIONS', 405],
  ['TRACE', 405],
])('%s is refused', async (method, status) => {
  expect(statusOf(await send(`${method} ${page} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))).toBe(
    status,
  )
})

test('a name that is not the manager’s, a form that is too large and an upgrade are refused', async () => {
  expect(statusOf(await send(`GET ${page} HTTP/1.1\r\nHost: evil.example\r\n\r\n`))).toBe(421)
  const large = `POST ${page} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16385\r\n\r\n`
  expect(statusOf(await send(large))).toBe(413)
  const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n'
  expect(statusOf(await send(`GET ${page} HTTP/1.1\r\nHost: localhost\r\n${upgrade}`))).toBe(404)
  const action = 'Next-Action: 00\r\nRSC: 1\r\nX-Middleware-Subrequest: x\r\nConnection: close\r\n\r\n'
  const answer = await send(`GET ${page} HTTP/1.1\r\nHost: localhost\r\n${action}`)
  expect(answer).toContain('No sign-in here')
})

test('the same port speaks TLS, with the same page and nothing of the console', async () => {
  const secure = manager.portal.replace('http:', 'https:')
  const { status, body, headers } = await ask(`${secure}${page}`)
  expect([status, headers['strict-transport-security']]).toEqual([404, undefined])
  expect(body).toContain('No sign-in here')
  for (const path of ['/', '/login', '/app/health', '/_next/static/chunks/main.js'])
    expect((await ask(`${secure}${path}`)).status).toBe(404)
})

test('what phones ask by themselves is answered by TLS alone, and as JSON', async () => {
  const secure = manager.portal.replace('http:', 'https:')
  const { status, body, headers } = await ask(`${secure}${page}/api`)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    ...[404, 'application/problem+json', 'private, no-store'],
  ])
  expect(JSON.parse(body)).toEqual({ title: 'There is no portal here.' })
  const said = { 'x-forwarded-proto': 'https', 'x-lanward-remote': '10.66.0.2' }
  expect(JSON.parse((await ask(`${manager.portal}${page}/api`, { headers: said })).body)).toEqual({
    title: 'There is no API here.',
  })
  // What says that a proxy handed it on is not from this machine itself, so plain http leads to https.
  for (const [base, status] of [
    [manager.http, 308],
    [manager.https, 404],
  ] as const)
    expect((await ask(`${base}${page}/api`, { headers: { ...said, 'x-lanward-portal': '1' } })).status).toBe(status)
  const posted = await ask(`${secure}${page}/api`, { method: 'POST', body: 'captive=false' })
  expect(posted.status).toBe(405)
})

test('a taken port keeps the console from nothing', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '::')
  const second = await startManager({ env: { LANWARD_PORTAL_PORT: String(port) } })
  expect((await ask(`${second.http}/app/health`)).status).toBe(200)
  expect(second.output()).toContain(`the guests' portal: Port ${port} is already used by another program.`)
  await second.stop()
  removeFolder(second.data)
  other.close()
})

test('0 is no portal at all', async () => {
  const second = await startManager({ env: { LANWARD_PORTAL_PORT: '0' } })
  await expect(ask(`${second.portal}${page}`)).rejects.toThrow('ECONNREFUSED')
  await second.stop()
  removeFolder(second.data)
})
