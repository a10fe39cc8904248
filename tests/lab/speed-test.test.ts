import { lab, until } from './_lab'
import { speedTester } from './_speed-test'

// How fast the gateway of the lab reaches its internet by iperf3, beside the kernel's own counters.

let here: Awaited<ReturnType<typeof speedTester>>
const internet = '203.0.113.1'
const iperf3 = { type: 'iperf3', host: internet, port: 5201 }

beforeAll(async () => {
  here = await speedTester()
})
afterAll(async () => {
  await lab.sh('inet', 'pkill -x iperf3')
  await here?.site.end()
})

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
  expect(await here.ended(await here.begin(iperf3))).toMatchObject({
    state: 'failed',
    failure: { reason: 'commandFailed', detail: expect.stringContaining('Connection refused') },
  })
})

test('iperf3: what it tells of both directions went over the gateway’s interface; one at a time; kept', async () => {
  await lab.sh('inet', 'iperf3 -s -D')
  const before = await counted()
  const id = await here.begin(iperf3)
  expect(await here.start(iperf3)).toMatchObject({ retCode: 10011 })
  const { state, figures } = await here.ended(id)
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
  const { servers, devices } = await here.site.ok('dashboard/speed-test/servers')
  expect(servers).toEqual([{ name: `${internet}:5201`, server: iperf3 }])
  expect(devices).toMatchObject([{ id: here.gw }])
  const list = (await here.site.ok('dashboard/speed-test/list', {})) as unknown as {
    result: { id: string; state: string }[]
  }
  expect(list.result.map(one => one.state)).toEqual(['done', 'failed'])
})

test('canceled, nothing of it stays on the gateway; a device that is no gateway is refused at its field', async () => {
  const id = await here.begin(iperf3)
  await until(async () => Object.keys((await here.result(id)).figures).includes('download'))
  expect(await here.site.ok('dashboard/speed-test/stop', { id })).toEqual({ stopped: true })
  expect((await here.ended(id)).state).toBe('cancelled')
  await until(async () => (await lab.sh('gw', 'pgrep -x iperf3 | wc -l')).stdout.trim() === '0')
  expect(await here.start(iperf3, 4711)).toMatchObject({ data: { fields: { deviceId: 'notAllowed' } } })
  expect(await here.start({ ...iperf3, host: '-R' })).toMatchObject({
    data: { fields: { 'server.host': expect.any(String) } },
  })
  await here.site.ok('dashboard/speed-test/delete', { ids: [id] })
  expect((await here.site.browser.post('dashboard/speed-test/result', { id })).retCode).not.toBe(0)
})
