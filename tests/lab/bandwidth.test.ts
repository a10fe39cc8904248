import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { limitsRenderer } from '@/server/drivers/openwrt/ports/limits'
import { networkRoles } from '../drivers/_network-roles'
import { on, plan } from './_device'
import { apply, c1, document, reaches } from './_firewall'
import { addressOf, type Device, lab, until } from './_lab'
import { holds as heldAt, measure, type Way } from './_rate'

// Rates are measured between a client and "the internet".

const rule = (id: string, data: Record<string, unknown>) => document('bandwidthRule', id, data)
const macOfC1 = '02:00:5e:10:00:c1'

/** Mbit/s between a client and the internet. */
const measured = (client: Device, port: number, way: Way, seconds?: number) =>
  measure(
    { client: command => lab.in(client, command), server: command => lab.in('inet', command) },
    ...(['203.0.113.1', port, way, seconds] as const),
  )
const holds = (client: Device, port: number, way: Way, rate: number) =>
  heldAt(rate, attempt => measured(client, port + attempt, way))

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
  // The fastest beside the slowest: the lab's switch is a program.
  await Promise.all([holds('c1', 5210, 'upload', 2), holds('c2', 5220, 'download', 50)])
  await Promise.all([holds('c1', 5230, 'download', 8), holds('c2', 5240, 'upload', 20)])
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
    await until(async () => (await driver.selfCheck(session, next)).length === 0)
  })
  await apply('gw')
  expect((await lab.sh('gw', 'tc qdisc show; nft list ruleset')).stdout).not.toMatch(/htb|lanward/)
  let port = 5270
  await until(async () => (await measured('c1', port++, 'download', 2)) > 9)
})

test('a queue that somebody else has laid is left alone', async () => {
  await lab.sh('gw', 'tc qdisc replace dev eth0 root handle 1: htb')
  await on('gw', async session => {
    const { next, warnings } = await plan(session, [rule('one', { target: 'address', address: c1, upload: '2 Mbps' })])
    expect(next.blocks).toEqual([])
    expect(warnings).toMatchObject([
      { code: 'queueUnmanaged', blocks: true, values: { interface: 'eth0', queue: 'htb' } },
    ])
  })
  await lab.sh('gw', 'tc qdisc del dev eth0 root')
})

/** A client on a socket of the gateway's own: the lab's switch loses bursts that no limit has lost. */
async function plugIn(...hosts: string[]): Promise<void> {
  const inside = 'ip netns exec plug'
  const lines = [
    'ip netns add plug && ip link add plug0 type veth peer name eth0 netns plug',
    'ip address add 10.99.0.1/24 dev plug0 && ip link set plug0 up',
    ...hosts.map(host => `${inside} ip address add ${host}/24 dev eth0`),
    `${inside} ip link set eth0 up && ${inside} ip route add default via 10.99.0.1`,
    'nft insert rule inet filter forward iifname plug0 accept',
    'nft insert rule inet filter forward oifname plug0 accept',
  ]
  expect((await lab.sh('gw', lines.join(' && '))).code).toBe(0)
}

test('where nothing has queues the packet filter alone holds the rates, both ways', async () => {
  const [slow, fast] = ['10.99.0.2', '10.99.0.3'] as const
  await plugIn(slow, fast)
  const limits = [
    rule('slow', { target: 'address', address: slow, download: '8 Mbps', upload: '2 Mbps' }),
    rule('fast', { target: 'address', address: fast, download: '50 Mbps', upload: '20 Mbps' }),
  ]
  const { blocks, warnings } = limitsRenderer.render({
    facts: { kind: 'gateway', capabilities: ['fw4'] },
    observation: { takenAt: 0, depth: 'full', networks: [{ name: 'wan', device: 'eth0' }], networkRoles },
    documents: limits,
    confirmSeconds: 60,
  })
  expect(warnings.map(one => one.code)).toEqual(['limitDrops', 'limitDrops'])
  expect((await lab.in('gw', ['nft', '-f', '-'], { input: blocks[0]?.text ?? '' })).stderr).toBe('')
  expect((await lab.sh('gw', 'tc qdisc show')).stdout).not.toContain('htb')
  const held = (host: string, port: number, way: Way, rate: number) =>
    heldAt(rate, attempt =>
      measure(
        {
          client: command => lab.in('gw', ['ip', 'netns', 'exec', 'plug', ...command, '-B', host]),
          server: command => lab.in('inet', command),
        },
        ...(['203.0.113.1', port + attempt, way] as const),
      ),
    )
  await Promise.all([
    held(slow, 5300, 'download', 8),
    held(slow, 5310, 'upload', 2),
    held(fast, 5320, 'download', 50),
    held(fast, 5330, 'upload', 20),
  ])
})
