// The guests' port speaks http and TLS: whatever comes is told apart by its first byte.
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import tls from 'node:tls'
import { alsoByTls } from '@/appliance/http/first-byte'
import { makeCertificate } from '@/appliance/http/tls'

const server = http.createServer((request, reply) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  request.on('end', () => reply.end(`${request.socket instanceof tls.TLSSocket ? 'TLS' : 'plain'} ${bytes}`))
})
let secure: tls.Server
let port: number
beforeAll(async () => {
  secure = alsoByTls(server, await makeCertificate(['first.example']))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

type Agent = http.Agent | https.Agent
function ask(agent: Agent, body = ''): Promise<string> {
  const { request } = agent instanceof https.Agent ? https : http
  return new Promise((done, failed) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', agent, rejectUnauthorized: false }, reply => {
      let text = ''
      reply.on('data', chunk => {
        text += chunk
      })
      reply.on('end', () => done(text))
    })
    sent.on('error', failed)
    sent.end(body)
  })
}
/** Everything that comes until the connection ends. */
function told(send: (socket: ReturnType<typeof connect>) => void): Promise<string> {
  return new Promise(done => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => send(socket))
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => done(text))
  })
}

test.each([
  ['plain', () => new http.Agent({ keepAlive: true })],
  ['TLS', () => new https.Agent({ keepAlive: true })],
])(
  '%s: one request after the other on a connection, with nothing lost of what comes with its first bytes',
  async (kind, make) => {
    const agent = make()
    for (const bytes of [0, 10, 200_000, 1]) expect(await ask(agent, 'x'.repeat(bytes))).toBe(`${kind} ${bytes}`)
    agent.destroy()
  },
)

test('a request that comes in pieces is answered, what is neither ends the connection, and nothing ends the server', async () => {
  const pieces = await told(socket => {
    socket.write('G')
    setImmediate(() => socket.write('ET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))
  })
  expect(pieces).toContain('plain 0')
  await told(socket => socket.write(Buffer.from([22, 3, 1, 0, 4, 9, 9, 9, 9])))
  expect(await told(socket => socket.write('\u0000\r\n\r\n'))).toContain('400 Bad Request')
  await told(socket => socket.resetAndDestroy())
  expect(await ask(new http.Agent())).toBe('plain 0')
})

test('another certificate is shown from the next connection on', async () => {
  const shown = () =>
    new Promise<string>((done, failed) => {
      const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        done(socket.getPeerX509Certificate()?.subject ?? '')
        socket.destroy()
      })
      socket.on('error', failed)
    })
  expect(await shown()).toBe('CN=first.example')
  secure.setSecureContext(await makeCertificate(['second.example']))
  expect(await shown()).toBe('CN=second.example')
})
