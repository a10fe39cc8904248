// Each listener in front, by its row: what there is behind it is reached, and nothing else, by whatever it is asked with.
import { type AddressInfo, connect } from 'node:net'
import tls from 'node:tls'
import { doorsOf } from '@/appliance/http/doors'
import { type Opened, openDoor } from '@/appliance/http/open'
import { makeCertificate } from '@/appliance/http/tls'

const lan = '00000000-0000-4000-8000-000000000000'
const portal = `/portal/${lan}`
const rows = doorsOf({
  ...{ httpPort: 1, httpsPort: 2, portalPort: 3, names: ['net.example'], trustedProxies: [], http: 'redirect' },
})

const ofPortal = [`GET ${portal}`, `GET ${portal}/api`, `HEAD ${portal}?a=b`]
/** Pages say themselves what they are not; what is posted comes to calls alone. */
const ofConsole = [
  'GET /',
  'GET /login',
  'GET /app/health',
  'POST /app/x/y',
  'POST /api/auth',
  'POST /cgi',
  ...ofPortal,
]
/** What is handed on by each row, as method and path; everything else that any row is asked for is not. */
const behind: Record<string, readonly string[]> = {
  http: ofConsole,
  https: ofConsole,
  "the guests' portal": [...ofPortal, `POST ${portal}`],
}
const never = [
  ...['PUT /', 'DELETE /app/x/y', `PUT ${portal}`, 'TRACE /', 'OPTIONS *', 'GET http://evil.example/', 'GET /%'],
  ...['POST /', 'POST /login', 'POST /app/../login', `POST ${portal}/../../login`],
]
const asked = [...new Set([...Object.values(behind).flat(), ...never])]

const opened: Opened[] = []
afterAll(() => {
  for (const { server } of opened) {
    server.closeAllConnections()
    server.close()
  }
})

type Said = { status: number; reached: string[] }
/** Answers by the row, over plain http and TLS as far as it speaks them. */
async function ask(index: number): Promise<(request: string, host?: string, byTls?: boolean) => Promise<Said>> {
  const row = rows[index]
  if (!row) throw new Error('no such row')
  const reached: string[] = []
  const one = openDoor(
    { ...row, port: 0 },
    ({ method, url }, reply) => {
      reached.push(`${method} ${url}`)
      reply.end()
    },
    await makeCertificate(['localhost']),
    { dev: false },
  )
  opened.push(one)
  // One that is optional listens when it does.
  const listening = new Promise(done => one.server.once('listening', done))
  await one.listen('127.0.0.1', error => {
    throw error
  })
  await listening
  const { port } = one.server.address() as AddressInfo
  return (request, host = 'localhost', byTls = row.tls === 'only') =>
    new Promise((done, failed) => {
      reached.length = 0
      const text = `${request} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
      const socket = byTls
        ? tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(text))
        : connect({ port, host: '127.0.0.1' }, () => socket.write(text))
      let answer = ''
      socket.on('data', chunk => {
        answer += chunk
      })
      socket.on('error', failed)
      socket.on('close', () => done({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), reached: [...reached] }))
    })
}

test('there is a row for each port, and none for a portal that there is not', () => {
  expect(rows.map(({ name, port, tls }) => [name, port, tls])).toEqual([
    ['http', 1, 'none'],
    ['https', 2, 'only'],
    ["the guests' portal", 3, 'both'],
  ])
  const none = doorsOf({
    ...{ httpPort: 1, httpsPort: 2, portalPort: 0, names: [], trustedProxies: [], http: 'console' },
  })
  expect(none.map(({ name }) => name)).toEqual(['http', 'https'])
  expect(Object.keys(behind)).toEqual(rows.map(({ name }) => name))
})

test.each(rows.map(({ name }, index) => ({ name, index })))('$name answers nothing outside its paths', async one => {
  const { tls: speaks } = rows[one.index] ?? {}
  const askOne = await ask(one.index)
  for (const byTls of speaks === 'both' ? [false, true] : [speaks === 'only'])
    for (const request of asked) {
      const { status, reached } = await askOne(request, 'localhost', byTls)
      const handed = behind[one.name]?.includes(request) ?? false
      expect([request, byTls, reached]).toEqual([request, byTls, handed ? [request] : []])
      expect(handed ? [200] : [400, 404, 405]).toContain(status)
      // Whatever is there, it is there by this manager's names alone.
      const other = await askOne(request, 'evil.example', byTls)
      expect([request, other]).toEqual([request, { status: 421, reached: [] }])
    }
})
