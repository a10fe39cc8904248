import { linuxDriver as driver } from '@/server/devices/linux/driver'
import { on, plan } from './_device'
import { apply, c1, document, reaches } from './_firewall'
import { type Device, lab, until } from './_lab'

// Rates are measured by iperf3 between a client and "the internet": 10 s, after 2 s in which TCP finds its speed.

const rule = (id: string, data: Record<string, unknown>) => document('bandwidthRule', id, data)
const macOfC1 = '02:00:5e:10:00:c1'
const addressOf = async (client: Device) =>
  (await lab.sh(client, "ip -o -4 addr show dev eth0 | sed 's/.* inet \\([0-9.]*\\).*/\\1/'")).stdout.trim()

type Way = 'download' | 'upload'

/** Mbit/s as the receiving end counted them. */
async function measure(client: Device, port: number, way: Way, seconds = 10): Promise<number> {
  await lab.sh('inet', `iperf3 -s -1 -D -p ${port}`)
  const words = ['iperf3', '-J', '-c', '203.0.113.1', '-p', `${port}`, '-O', '2', '-t', `${seconds}`]
  const run = () => lab.in(client, way === 'download' ? [...words, '-R'] : words)
  const { stdout } = await until(async () => {
    const ran = await run()
    return ran.code === 0 && ran
  })
  return JSON.parse(stdout).end.sum_received.bits_per_second / 1e6
}

/** Held within a tenth; on a machine that has no time to send, it is measured again. */
async function holds(client: Device, port: number, way: Way, rate: number): Promise<void> {
  const seen: number[] = []
  for (let attempt = 0; attempt < 10 && !seen.some(one => one >= rate * 0.9); attempt++) {
    seen.push(await measure(client, port + attempt, way))
    expect(seen.at(-1)).toBeLessThanOrEqual(rate * 1.1)
  }
  expect(seen.at(-1)).toBeGreaterThanOrEqual(rate * 0.9)
}

beforeAll(async () => {
  await lab.up()
  await lab.reset('gw')
  await Promise.all([reaches('c1'), reaches('c2')])
})
afterAll(() => lab.reset('gw'))

test('a client by its MAC address and another by its IP address hold their rates, both ways', async () => {
  const slow = rule('slow', { target: 'client', mac: macOfC1, download: '8 Mbps', upload: '2 Mbps' })
  const fast = rule('fast', {
    target: 'address',
    address: await addressOf('c2'),
    download: '50 Mbps',
    upload: '20 Mbps',
  })
  expect(await apply('gw', slow, fast)).toEqual([])
  await Promise.all([holds('c1', 5210, 'download', 8), holds('c2', 5220, 'download', 50)])
  await Promise.all([holds('c1', 5230, 'upload', 2), holds('c2', 5240, 'upload', 20)])
})

test('the nearest rule counts, and a network by reference is its segment', async () => {
  const lan = rule('all', { target: 'lan', lan: { address: '10.77.0.1/22' }, download: '1 Mbps', upload: '1 Mbps' })
  await apply('gw', lan, rule('one', { target: 'address', address: c1, download: '8 Mbps' }))
  await Promise.all([holds('c1', 5250, 'download', 8), holds('c2', 5260, 'download', 1)])
})

test('they are there after a reboot, and gone with the last rule', async () => {
  await lab.reboot('gw')
  await on('gw', async session => {
    const { next } = await plan(session, [rule('one', { target: 'address', address: c1, download: '2 Mbps' })])
    await until(async () => (await driver.verify(session, next)).length === 0)
  })
  await apply('gw')
  expect((await lab.sh('gw', 'tc qdisc show; nft list ruleset')).stdout).not.toMatch(/htb|lanward/)
  expect(await measure('c1', 5270, 'download', 2)).toBeGreaterThan(9)
})

test('a queue that somebody else has laid is left alone', async () => {
  await lab.sh('gw', 'tc qdisc replace dev eth0 root handle 1: htb')
  await on('gw', async session => {
    const { next, warnings } = await plan(session, [rule('one', { target: 'address', address: c1, upload: '2 Mbps' })])
    expect(next.blocks).toEqual([])
    expect(warnings).toMatchObject([
      { code: 'queueForeign', blocks: true, values: { interface: 'eth0', queue: 'htb' } },
    ])
  })
  await lab.sh('gw', 'tc qdisc del dev eth0 root')
})
