import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SpeedFigures } from '@/model/dashboard/speed-test'
import { managerWith, overSsh } from './_change'
import { lab, until } from './_lab'

// How fast the gateway of the lab reaches its internet, by iperf3 and by HTTP, beside the kernel's own counters.

type Shown = {
  id: string
  state: 'running' | 'done' | 'failed' | 'cancelled'
  figures: SpeedFigures
  failure?: { reason: string; detail: string }
}
type Site = Awaited<ReturnType<typeof managerWith>>

let site: Site
let gw: number
let files: Server
/** Bytes that the web server sent and took. */
let sent = 0
let taken = 0
const internet = '203.0.113.1'

beforeAll(async () => {
  const { addresses } = await lab.up()
  await lab.reset('gw')
  site = await managerWith([await overSsh('gw', 'gateway')])
  gw = site.ids[0] ?? 0
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
  }).listen(0, addresses.mgr)
})
afterAll(async () => {
  files?.closeAllConnections()
  files?.close()
  await lab.sh('inet', 'pkill -x iperf3')
  await site?.end()
})

const iperf3 = { type: 'iperf3', host: internet, port: 5201 }
const start = (server: object, deviceId: number | undefined = gw) =>
  site.browser.post('dashboard/speed-test/start', { server, ...(deviceId !== undefined && { deviceId }) })
const begin = async (server: object) =>
  String((await site.ok('dashboard/speed-test/start', { server, deviceId: gw })).id)
const result = (id: string) => site.ok('dashboard/speed-test/result', { id }) as Promise<unknown> as Promise<Shown>
const ended = (id: string) =>
  until(
    async () => {
      const seen = await result(id)
      return seen.state !== 'running' && seen
    },
    { timeoutMs: 120_000 },
  )

/** Octets of the gateway's interface to the internet. */
async function counted(): Promise<{ in: number; out: number }> {
  const { stdout } = await lab.sh(
    'gw',
    'cat /sys/class/net/eth0/statistics/rx_bytes /sys/class/net/eth0/statistics/tx_bytes',
  )
  const [input = 0, output = 0] = stdout.trim().split('\n').map(Number)
  return { in: input, out: output }
}

test('nobody serves: it is said, and the next may begin', async () => {
  expect(await ended(await begin(iperf3))).toMatchObject({
    state: 'failed',
    failure: { reason: 'commandFailed', detail: expect.stringContaining('Connection refused') },
  })
})

test('iperf3: what it tells of both directions went over the gateway’s interface; one at a time; kept', async () => {
  await lab.sh('inet', 'iperf3 -s -D')
  const before = await counted()
  const id = await begin(iperf3)
  expect(await start(iperf3)).toMatchObject({ retCode: 10011 })
  const { state, figures } = await ended(id)
  const after = await counted()
  expect(state).toBe('done')
  const { idle, download, upload } = figures
  expect(idle?.lossPercent).toBe(0)
  expect(download?.rates.length).toBeGreaterThan(5)
  expect(download?.cpuPercent).toBeGreaterThan(0)
  // Ten seconds of it are told, and some more went over the line.
  const seconds = 10
  expect(((download?.bps ?? 0) * seconds) / 8).toBeGreaterThan(0)
  expect(((download?.bps ?? 0) * seconds) / 8).toBeLessThan(after.in - before.in)
  expect(((upload?.bps ?? 0) * seconds) / 8).toBeLessThan(after.out - before.out)
  const { servers, devices } = await site.ok('dashboard/speed-test/servers')
  expect(servers).toEqual([{ name: `${internet}:5201`, server: iperf3 }])
  expect(devices).toMatchObject([{ id: gw }])
  const list = (await site.ok('dashboard/speed-test/list', {})) as unknown as {
    result: { id: string; state: string }[]
  }
  expect(list.result.map(one => one.state)).toEqual(['done', 'failed'])
})

test('by HTTP: the interface carried what the web server sent and took', async () => {
  const { port } = files.address() as AddressInfo
  const { addresses } = await lab.up()
  const base = `http://${addresses.mgr}:${port}`
  const id = await begin({ type: 'http', download: `${base}/file`, upload: `${base}/up` })
  const { state, figures, failure } = await ended(id)
  expect([state, failure]).toEqual(['done', undefined])
  const { download, upload } = figures
  // Counted over ten seconds of twelve, with the frames' heads; the server counts all that it gave away.
  expect(((download?.bps ?? 0) * 10) / 8).toBeLessThan(sent * 1.2)
  expect(download?.bps).toBeGreaterThan(1e6)
  expect(((upload?.bps ?? 0) * 10) / 8).toBeLessThan(taken * 1.2)
  expect(upload?.bps).toBeGreaterThan(1e6)
  expect((await lab.sh('gw', 'pgrep -x curl | wc -l')).stdout.trim()).toBe('0')
})

test('canceled, nothing of it stays on the gateway; a device that is no gateway is refused at its field', async () => {
  const id = await begin(iperf3)
  await until(async () => Object.keys((await result(id)).figures).includes('download'))
  expect(await site.ok('dashboard/speed-test/stop', { id })).toEqual({ stopped: true })
  expect((await ended(id)).state).toBe('cancelled')
  await until(async () => (await lab.sh('gw', 'pgrep -x iperf3 | wc -l')).stdout.trim() === '0')
  expect(await start(iperf3, 4711)).toMatchObject({ data: { fields: { deviceId: 'notAllowed' } } })
  expect(await start({ ...iperf3, host: '-R' })).toMatchObject({
    data: { fields: { 'server.host': expect.any(String) } },
  })
  await site.ok('dashboard/speed-test/delete', { ids: [id] })
  expect((await site.browser.post('dashboard/speed-test/result', { id })).retCode).not.toBe(0)
})
