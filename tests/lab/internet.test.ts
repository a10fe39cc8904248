// Ways to the internet and routes as a client meets them: a server out there tells which address a client comes from.
import type { DesiredDocument } from '@/server/devices/driver'
import { linuxDriver as driver } from '@/server/devices/linux/driver'
import { on, plan, push } from './_device'
import { lab, until } from './_lab'

jest.setTimeout(240_000)

const wan = (id: number, data: Record<string, unknown>): DesiredDocument => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  kind: 'wan',
  name: `WAN ${id}`,
  data: { name: `WAN ${id}`, ...data },
})
const first = wan(1, { interface: 'eth0', connection: 'kept', metric: 1 })
const second = wan(2, { interface: 'eth3', connection: 'dhcp', metric: 2 })
const route = (kind: string, data: Record<string, unknown>): DesiredDocument => ({
  id: '00000000-0000-4000-8000-000000000009',
  kind,
  name: 'Route',
  data: { name: 'Route', ...data },
})

const asked = 'timeout 5 busybox wget -q -O - http://192.88.99.7/cgi-bin/address'
/** The address by which a client is seen in the internet; nothing where it does not get there. */
const seenAs = async (device: 'c1' | 'c2') => (await lab.sh(device, asked)).stdout.trim()
const leavesBy = (device: 'c1' | 'c2', address: RegExp | string) =>
  until(
    async () => {
      const seen = await seenAs(device)
      if (typeof address === 'string' ? seen === address : address.test(seen)) return seen
      throw new Error(`seen as ${seen || 'nobody'}`)
    },
    { timeoutMs: 60_000 },
  )
const one = '203.0.113.2'
const two = /^198\.51\.100\.2\d\d$/

async function apply(documents: DesiredDocument[]): Promise<void> {
  await on('gw', async session => {
    const { next, warnings } = await plan(session, documents)
    expect(warnings.filter(warning => warning.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.verify(session, next)).toEqual([])
    await driver.confirm(session, pending)
  })
}

beforeAll(async () => {
  await lab.up()
  // The device's own firewall knows one way out; a person who adds one opens it.
  await lab.sh(
    'gw',
    `sed -i 's/iifname "eth1" oifname "eth0" accept/iifname "eth1" accept/' /etc/nftables.conf && systemctl restart nftables`,
  )
  await lab.in('inet', ['ip', 'route', 'replace', '10.77.0.0/22', 'via', '203.0.113.2'])
})

afterAll(async () => {
  for (const device of ['inet', 'gw', 'c1', 'c2'] as const) await lab.reset(device)
})

test('a second way is addressed by DHCP, and taken only while the first does not work', async () => {
  await apply([first, second])
  await leavesBy('c1', one)
  // The provider's router falls silent while the link stays up.
  await lab.in('inet', ['ip', 'addr', 'del', '203.0.113.1/24', 'dev', 'eth0'])
  await leavesBy('c1', two)
  await lab.in('inet', ['ip', 'addr', 'add', '203.0.113.1/24', 'dev', 'eth0'])
  await leavesBy('c1', one)
  // The cable is pulled.
  await lab.in('inet', ['ip', 'link', 'set', 'eth0', 'down'])
  await leavesBy('c1', two)
  await lab.in('inet', ['ip', 'link', 'set', 'eth0', 'up'])
  await leavesBy('c1', one)
})

test('a way counts by what answers behind it', async () => {
  await apply([{ ...first, data: { ...first.data, targets: ['192.0.2.99'] } }, second])
  await leavesBy('c1', two)
  await apply([{ ...first, data: { ...first.data, targets: ['192.0.2.99', '192.88.99.7'] } }, second])
  await leavesBy('c1', one)
})

test('ways of the same metric share the traffic', async () => {
  await apply([first, { ...second, data: { ...second.data, metric: 1 } }])
  const seen = new Set<string>()
  await until(
    async () => {
      seen.add((await seenAs('c1')).replace(two, 'two'))
      return seen.has(one) && seen.has('two')
    },
    { timeoutMs: 90_000 },
  )
})

test('a policy route leads one client by the other way, while that works', async () => {
  const policy = route('policyRoute', { source: '10.77.2.101/32', wan: second.data })
  await apply([first, second, policy])
  await leavesBy('c1', two)
  await leavesBy('c2', one)
  await lab.in('inet', ['ip', 'link', 'set', 'eth1', 'down'])
  await leavesBy('c1', one)
  await lab.in('inet', ['ip', 'link', 'set', 'eth1', 'up'])
  await leavesBy('c1', two)
})

test('a fixed address; a static route takes its destination by it and is gone with its document', async () => {
  const fixed = wan(2, {
    interface: 'eth3',
    connection: 'static',
    address: '198.51.100.150',
    prefix: 25,
    gateway: '198.51.100.129',
    metric: 2,
  })
  await apply([first, fixed])
  await leavesBy('c1', one)
  await apply([first, fixed, route('staticRoute', { destination: '192.88.99.7/32', gateway: '198.51.100.129' })])
  await leavesBy('c1', '198.51.100.150')
  // Neither networkd nor a reboot takes it away.
  await lab.in('gw', ['systemctl', 'restart', 'systemd-networkd'])
  await lab.reboot('gw')
  await leavesBy('c1', '198.51.100.150')
  await apply([first, fixed])
  await leavesBy('c1', one)
})

test('everything can be taken away, and what was not ours is as it was', async () => {
  await apply([])
  await leavesBy('c1', one)
  const left = (
    await lab.sh('gw', 'ip rule; ip route show table all; ip -4 addr show dev eth3; nft list tables; ls /etc/lanward')
  ).stdout
  expect(left).not.toMatch(/lookup 77|proto 77|table 77|lanward|198\.51\.100\.\d+/)
})

test('an interface that somebody else configured, or that is not there, is named', async () => {
  await on('gw', async session => {
    const documents = [wan(1, { interface: 'eth0' }), wan(2, { interface: 'eth9' })]
    const { next, warnings } = await plan(session, documents)
    expect(next.blocks).toEqual([])
    expect(warnings).toMatchObject([
      { code: 'wanForeign', blocks: true, values: { interface: 'eth0', by: '/etc/network/interfaces' } },
      { code: 'wanMissing', blocks: true, values: { interface: 'eth9' } },
    ])
  })
})
