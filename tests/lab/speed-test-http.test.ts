import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lab } from './_lab'
import { speedTester } from './_speed-test'

// How fast the gateway of the lab reaches a web server, beside what that sent and took.

let here: Awaited<ReturnType<typeof speedTester>>
let files: Server
/** Bytes that the web server sent and took. */
let sent = 0
let taken = 0

beforeAll(async () => {
  here = await speedTester()
  const { addresses } = await lab.up()
  const piece = Buffer.alloc(1 << 16, 'x')
  files = createServer((request, response) => {
    if (request.method === 'POST') {
      request.on('data', data => {
        taken += data.length
      })
      return
    }
    const more = (): void => {
      while (!response.destroyed) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    more()
  })
  await new Promise<void>(done => files.listen(0, addresses.mgr, done))
})
afterAll(async () => {
  files?.closeAllConnections()
  files?.close()
  await here?.site.end()
})

test('by HTTP: the interface carried what the web server sent and took', async () => {
  const { port } = files.address() as AddressInfo
  const { addresses } = await lab.up()
  const base = `http://${addresses.mgr}:${port}`
  const id = await here.begin({ type: 'http', download: `${base}/file`, upload: `${base}/up` })
  const { state, figures, failure } = await here.ended(id)
  expect([state, failure]).toEqual(['done', undefined])
  const { download, upload } = figures
  // Counted over ten seconds of twelve, with the frames' heads; the server counts all that it gave away.
  expect(((download?.bps ?? 0) * 10) / 8).toBeLessThan(sent * 1.2)
  expect(download?.bps).toBeGreaterThan(1e6)
  expect(((upload?.bps ?? 0) * 10) / 8).toBeLessThan(taken * 1.2)
  expect(upload?.bps).toBeGreaterThan(1e6)
  expect((await lab.sh('gw', 'pgrep -x curl | wc -l')).stdout.trim()).toBe('0')
})
