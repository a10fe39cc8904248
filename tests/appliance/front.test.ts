// What stands before the pages, over real sockets: what no browser sends is refused, and costs little.
import { connect } from 'node:net'
import { type Manager, removeFolder, startManager } from './_manager'

let manager: Manager

beforeAll(async () => {
  manager = await startManager()
})
afterAll(async () => {
  await manager.stop()
  removeFolder(manager.data)
})

const dial = (from?: string) =>
  connect({ port: Number(new URL(manager.http).port), host: '127.0.0.1', ...(from && { localAddress: from }) })

/** Everything that is answered until the manager closes the connection. */
function send(text: string): Promise<string> {
  return new Promise(done => {
    const socket = dial()
    let answer = ''
    socket.on('connect', () => socket.write(text))
    socket.on('data', chunk => {
      answer += chunk
    })
    // What was not read of a refused request makes the close a reset.
    socket.on('error', () => done(answer))
    socket.on('close', () => done(answer))
  })
}
const own = 'Host: localhost\r\nConnection: close\r\n'
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

test.each([
  ['GET http://evil.example/login', 400],
  ['GET http://evil.example/app/health', 400],
  ['GET *', 400],
  ['GET /login/%zz', 400],
  ['GET /app/%ff', 400],
  ['TRACE /', 405],
  ['OPTIONS /app/login', 405],
  ['PUT /login', 405],
  ['POST /login', 405],
  ['POST /', 405],
  ['POST //a:b', 405],
  ['POST /app/../login', 405],
  ['POST /app/%2e%2e/login', 405],
  ['POST /app\\..\\login', 405],
  ['DELETE /app/users/delete', 405],
])('%s is refused and leads nowhere', async (line, status) => {
  const answer = await send(`${line} HTTP/1.1\r\n${own}\r\n`)
  expect(statusOf(answer)).toBe(status)
  expect(answer).not.toMatch(/^(location|refresh):/im)
  expect(answer).toMatch(/"type":"error"/)
})

test.each(['//evil.example/', '/\\evil.example/', '/%5Cevil.example/', '/%2F%2Fevil.example/', '/a%0d%0aX-Own:1/'])(
  'the way to the tidy form of %s stays on this host, in one header',
  async path => {
    const answer = await send(`GET ${path} HTTP/1.1\r\n${own}\r\n`)
    const location = /^location: (.*)\r$/im.exec(answer)?.[1] ?? ''
    expect(new URL(location, 'http://localhost').host).toBe('localhost')
    expect(answer).not.toMatch(/^x-own:/im)
  },
)

test.each([
  ['two lengths of one kind', 'Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc'],
  ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG'],
  ['a coding that is none', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['a chunk without a size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n'],
  ['a length with a sign', 'Content-Length: +2\r\n\r\n{}'],
])('a body that ends in two places is nobody’s: %s', async (_, rest) => {
  // What follows would be the next one's request.
  const answer = await send(
    `POST /app/login HTTP/1.1\r\nHost: localhost\r\n${rest}GET /app/health HTTP/1.1\r\n${own}\r\n`,
  )
  expect(statusOf(answer)).toBe(400)
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
})

test('an upgrade is a request as any other: its host is checked, and nothing stays open', async () => {
  const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n'
  // The first request is what makes Next listen for upgrades.
  expect(statusOf(await send(`GET /app/health HTTP/1.1\r\n${own}\r\n`))).toBe(200)
  expect(statusOf(await send(`GET //x HTTP/1.1\r\nHost: evil.example\r\n${upgrade}`))).toBe(421)
  expect(statusOf(await send(`GET //x HTTP/1.1\r\nHost: localhost\r\n${upgrade}`))).toBe(308)
  expect(statusOf(await send(`GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: localhost\r\n${upgrade}`))).toBe(400)
})

test('a refusal is framed and sniffed by nobody either', async () => {
  const big = `POST /app/login HTTP/1.1\r\n${own}Content-Length: 99999999\r\n\r\n`
  for (const text of [
    'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    big,
    `TRACE / HTTP/1.1\r\n${own}\r\n`,
  ]) {
    const answer = await send(text)
    expect(statusOf(answer)).toBeGreaterThanOrEqual(400)
    expect(answer).toMatch(
      /^content-security-policy: .*script-src 'nonce-[^']+' 'strict-dynamic'; .*frame-ancestors 'none'/im,
    )
    expect(answer).toMatch(/^x-content-type-options: nosniff/im)
    expect(answer).toMatch(/^x-frame-options: DENY/im)
    expect(answer).toMatch(/^cache-control: no-store/im)
  }
})

test('headers are bounded, and a broken cookie is none', async () => {
  expect(statusOf(await send(`GET /login HTTP/1.1\r\n${own}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`))).toBe(431)
  const cookie = 'Cookie: next-auth.session-token=%zz\r\n'
  expect(statusOf(await send(`GET /app/events HTTP/1.1\r\n${own}${cookie}\r\n`))).toBe(401)
})

test('one address holds a bounded number of connections, which is no matter of others', async () => {
  const sockets = Array.from({ length: 300 }, () => dial('127.0.0.2'))
  const held = await Promise.all(
    sockets.map(
      socket =>
        new Promise<boolean>(done => {
          socket.on('error', () => done(false))
          socket.on('close', () => done(false))
          socket.on('data', () => done(true))
          socket.on('connect', () => socket.write('GET //x HTTP/1.1\r\nHost: localhost\r\n\r\n'))
        }),
    ),
  )
  expect(held.filter(Boolean)).toHaveLength(256)
  expect(statusOf(await send(`GET /app/health HTTP/1.1\r\n${own}\r\n`))).toBe(200)
  for (const socket of sockets) socket.destroy()
})
