import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import tls from 'node:tls'
import { endIdleReaders, type Look, look } from '@/appliance/http/readers'
import { loadTls } from '@/appliance/http/tls'

const data = mkdtempSync(`${tmpdir()}/lanward-readers-`)
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** A download without an end, that goes as fast as it is read; `ended` when its connection does. */
function download() {
  let end = (): void => undefined
  const ended = new Promise<void>(done => {
    end = done
  })
  const piece = Buffer.alloc(64 * 1024)
  const answer: http.RequestListener = (_, reply) => {
    const go = () => {
      while (!reply.destroyed && reply.write(piece));
    }
    reply.on('drain', go)
    reply.on('close', end)
    go()
  }
  return { answer, ended }
}

const lines: [string, (answer: http.RequestListener) => Promise<Server>, (port: number) => Socket][] = [
  ['http', async answer => http.createServer(answer), port => connect(port, '127.0.0.1')],
  [
    'https',
    async answer => https.createServer(await loadTls(data, []), answer),
    port => tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }),
  ],
]

test.each(lines)('who asks for a download over %s and reads nothing of it is sent away', async (_, serve, dial) => {
  const { answer, ended } = download()
  const server = await serve(answer)
  endIdleReaders(server, 20)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const socket = dial((server.address() as AddressInfo).port)
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  socket.pause()
  await ended
  socket.destroy()
  await new Promise(done => server.close(done))
})

const kb = 1024
/** What is sent and what waits at each look; the last look's count. */
const slowAfter = (...seen: [sent: number, waiting: number][]): number | undefined =>
  seen.reduce<Look | undefined>(
    (before, [sent, waiting]) => look(before, { bytesWritten: sent + waiting, writableLength: waiting }),
    undefined,
  )?.slow

test.each<[string, [number, number][], number]>([
  [
    'nothing is taken',
    [
      [0, 64],
      [0, 64],
      [0, 64],
      [0, 64],
    ],
    3,
  ],
  [
    'a trickle is taken',
    [
      [0, 64],
      [1, 64],
      [2, 64],
      [3, 64],
    ],
    3,
  ],
  [
    'a slow line takes all of it',
    [
      [0, 64],
      [20, 64],
      [40, 64],
      [60, 64],
    ],
    0,
  ],
  [
    'nothing waits: a page that is open',
    [
      [8, 0],
      [8, 0],
      [8, 0],
      [8, 0],
    ],
    0,
  ],
  [
    'something waits now and then',
    [
      [8, 1],
      [9, 0],
      [9, 1],
      [10, 0],
    ],
    0,
  ],
  [
    'it goes on after a pause',
    [
      [0, 64],
      [0, 64],
      [0, 64],
      [32, 64],
    ],
    0,
  ],
])('%s', (_, seen, slow) => {
  expect(slowAfter(...seen.map(([sent, waiting]): [number, number] => [sent * kb, waiting * kb]))).toBe(slow)
})
