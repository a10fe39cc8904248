// What stands before the pages, over real sockets: nobody's flood keeps others from being answered.
import http from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { generate } from 'selfsigned'
import { limitBody, refuse } from '@/appliance/http/body'
import { clientOf } from '@/appliance/http/client'
import { limitConnections } from '@/appliance/http/connections'
import { doorsOf } from '@/appliance/http/doors'
import { front } from '@/appliance/http/front'
import { prepareHeaders } from '@/appliance/http/headers'
import { makeCertificate } from '@/appliance/http/tls'
import { inTurns } from '@/appliance/http/turns'
import { certificateIn, isIssued } from '@/server/kernel/certificates/read'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await new Promise(done => server.close(done))
})

async function serve(listener: http.RequestListener, prepare: (server: Server) => void = () => undefined) {
  const server = http.createServer(listener)
  servers.push(server)
  prepare(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** A connection from an address of this machine; `heard` is all that came, `ended` resolves when it is over. */
async function dial(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  let text = ''
  socket.on('data', data => {
    text += data
  })
  const ended = new Promise<void>(done => socket.once('close', () => done()))
  socket.on('error', () => undefined)
  await new Promise(done => socket.once('connect', done))
  const until = async (what: RegExp) => {
    while (!what.test(text)) await new Promise(done => setTimeout(done, 5))
  }
  return { socket, heard: () => text, ended, until }
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => Number(match[1]))

const most = { perAddress: 8, perSegment: 32, inAll: 20, forLoopback: 0 }

test('idle connections that take all there are shut nobody out: whoever holds most loses the oldest', async () => {
  const port = await serve(
    (_, reply) => reply.end('hello'),
    server => limitConnections(server, most),
  )
  const first = await dial(port, '127.0.1.1')
  const idle = [first]
  for (const [address, count] of [
    ['127.0.1.1', 7],
    ['127.0.1.2', 6],
    ['127.0.1.3', 6],
  ] as const)
    for (let i = 0; i < count; i++) idle.push(await dial(port, address))
  for (let i = 0; i < 8; i++) {
    const { socket, until, heard } = await dial(port, '127.0.2.1')
    socket.write(get('/'))
    await until(/hello/)
    expect(statuses(heard())).toEqual([200])
    socket.destroy()
  }
  await first.ended
  const lost = idle.flatMap(({ socket }, at) => (socket.destroyed ? [at] : []))
  // Of the first eight, which are of one address; the others keep theirs.
  expect(lost.every(at => at < 8)).toBe(true)
  expect(lost.length).toBeLessThan(4)
})

test('a connection on which something is asked is not taken from anybody', async () => {
  const replies: http.ServerResponse[] = []
  const port = await serve(
    inTurns((_, reply) => void replies.push(reply)),
    server => limitConnections(server, { ...most, inAll: 4 }),
  )
  const asking = await Promise.all(['127.0.1.1', '127.0.1.1', '127.0.1.2', '127.0.1.3'].map(from => dial(port, from)))
  for (const { socket } of asking) socket.write(get('/'))
  while (replies.length < 4) await new Promise(setImmediate)
  await (await dial(port, '127.0.2.1')).ended
  for (const reply of replies) reply.end('hello')
  for (const { until } of asking) await until(/hello/)
})

test('requests sent ahead on one connection are refused but for one, and the connection ends', async () => {
  let asked = 0
  const port = await serve(
    inTurns((_, reply) => {
      asked++
      setTimeout(() => reply.end('hello'), 20)
    }),
  )
  const { socket, heard, ended } = await dial(port)
  socket.write(get('/').repeat(1500))
  await ended
  expect(statuses(heard())).toEqual([200, 200, 429])
  expect(asked).toBeLessThan(10)
})

test('what one address asks beyond its turns waits, in order, and keeps no other waiting', async () => {
  const waiting: [string, http.ServerResponse][] = []
  const most = { address: 2, loopback: 2, connection: 2 }
  const port = await serve(inTurns((request, reply) => void waiting.push([request.url ?? '', reply]), most))
  const many = await Promise.all(Array.from({ length: 6 }, () => dial(port, '127.0.1.1')))
  for (const [at, { socket }] of many.entries()) {
    socket.write(get(`/${at}`))
    await new Promise(done => setTimeout(done, 5))
  }
  // One of those that wait gives up.
  many[3]?.socket.destroy()
  const other = await dial(port, '127.0.1.2')
  other.socket.write(get('/other'))
  while (waiting.length < 3) await new Promise(setImmediate)
  expect(waiting.map(([path]) => path)).toEqual(['/0', '/1', '/other'])
  for (let at = 0; at < waiting.length; at++) {
    waiting[at]?.[1].end('hello')
    await new Promise(done => setTimeout(done, 20))
  }
  expect(waiting.map(([path]) => path)).toEqual(['/0', '/1', '/other', '/2', '/4', '/5'])
})

test.each([
  ['each client that a trusted proxy tells has turns of its own', ['127.0.0.1'], ['/0', '/2']],
  ['clients of whom a proxy tells nothing share those of this machine', [], ['/0', '/1', '/2', '/3']],
] as const)('%s', async (_, trustedProxies, answered) => {
  const heard: string[] = []
  const most = { address: 1, loopback: 4, connection: 2 }
  const turns = inTurns(request => void heard.push(request.url ?? ''), most)
  let arrived = 0
  const port = await serve((request, reply) => {
    prepareHeaders(request, reply, clientOf(request, false, trustedProxies), { dev: false })
    turns(request, reply)
    arrived++
  })
  for (const [at, client] of ['203.0.113.7', '203.0.113.7', '203.0.113.8', '203.0.113.8'].entries()) {
    const { socket } = await dial(port)
    socket.write(`GET /${at} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`)
    while (arrived <= at) await new Promise(setImmediate)
  }
  expect(heard).toEqual(answered)
})

test('a live stream takes no turn of the other requests', async () => {
  const heard: string[] = []
  const most = { address: 1, loopback: 1, connection: 2 }
  const port = await serve(
    inTurns((request, reply) => {
      heard.push(request.url ?? '')
      if (request.url !== '/app/events') reply.end('hello')
    }, most),
  )
  ;(await dial(port)).socket.write(get('/app/events'))
  const { socket, until } = await dial(port)
  while (heard.length < 1) await new Promise(setImmediate)
  socket.write(get('/'))
  await until(/hello/)
})

test.each(['refused at once', 'refused in the middle'])(
  'a body %s leaves the connection to the next request',
  async how => {
    const port = await serve((request, reply) => {
      if (!limitBody(request, reply)) return
      if (request.method === 'GET') return void reply.end('hello')
      const answer = () => reply.writeHead(401).end('no')
      if (how === 'refused at once') answer()
      else request.once('data', () => request.pause() && answer())
    })
    const { socket, until, heard } = await dial(port)
    socket.write(
      `POST /app/auth/activate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n${'x'.repeat(400_000)}`,
    )
    await until(/401/)
    socket.write(get('/'))
    await until(/hello/)
    expect(statuses(heard())).toEqual([401, 200])
  },
)

test('a body that is too large is refused, and the connection ends', async () => {
  const port = await serve((request, reply) => limitBody(request, reply) && refuse(request, reply, 400, 1))
  const { socket, until, ended } = await dial(port)
  socket.write('POST /app/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000000\r\n\r\n')
  await until(/413/)
  await ended
}, 20_000)

test('browsers are told to insist on https where the certificate was issued, and over https alone', async () => {
  const name = (value: string) => [{ name: 'commonName', value }]
  const issuer = await generate(name('Harbour CA'), {
    keyType: 'ec',
    extensions: [{ name: 'basicConstraints', cA: true }],
  })
  const ca = { key: issuer.private, cert: issuer.cert }
  const one = await generate(name('lanward.example'), { keyType: 'ec', ca })
  expect(
    [issuer.cert, one.cert, (await makeCertificate(['localhost'])).cert].map(cert => isIssued(certificateIn(cert))),
  ).toEqual([false, true, false])
  const told = async (secure: boolean, cert: string, headers = {}) => {
    const asked = { names: [], httpPort: 80, httpsPort: 443, portalPort: 0, trustedProxies: ['127.0.0.1'] }
    const door = doorsOf({ ...asked, http: 'console' }).find(one => one.name === (secure ? 'https' : 'http'))
    if (!door) throw new Error('no such door')
    const options = { dev: false, strict: () => isIssued(certificateIn(cert)) }
    const port = await serve(front((_, reply) => void reply.end('hello'), door, options))
    return (await fetch(`http://127.0.0.1:${port}/`, { headers })).headers.get('strict-transport-security')
  }
  expect(await told(true, one.cert)).toBe('max-age=31536000')
  expect(await told(true, issuer.cert)).toBeNull()
  expect(await told(false, one.cert)).toBeNull()
  // The certificate that browsers see is the proxy's, which may be another.
  expect(await told(true, one.cert, { 'x-forwarded-proto': 'https' })).toBeNull()
})

test('a reply without a policy gets the page’s own; one that brings a stricter one keeps it', async () => {
  const port = await serve((request, reply) => {
    prepareHeaders(request, reply, clientOf(request, false, []), { dev: false })
    if (request.url === '/file') reply.setHeader('content-security-policy', 'sandbox')
    reply.end('hello')
  })
  const policyOf = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).headers.get('content-security-policy')
  expect(await policyOf('/file')).toBe('sandbox')
  expect(await policyOf('/')).toMatch(/script-src 'nonce-.+' 'strict-dynamic'.*frame-ancestors 'none'/)
})
