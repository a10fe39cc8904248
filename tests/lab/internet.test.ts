// Ways to the internet and routes as a client meets them: a server out there tells which address a client comes from.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { unmarked } from '@/server/drivers/unix/secret'
import { on, plan, push } from './_device'
import { lab, until } from './_lab'

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
  until(async () => {
    const seen = await seenAs(device)
    if (typeof address === 'string' ? seen === address : address.test(seen)) return seen
    throw new Error(`seen as ${seen || 'nobody'}`)
  })
const one = '203.0.113.2'
const two = /^198\.51\.100\.2\d\d$/

async function apply(documents: DesiredDocument[]): Promise<void> {
  await on('gw', async session => {
    const { next, warnings } = await plan(session, documents)
    expect(warnings.filter(warning => warning.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
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

const closing: (() => void)[] = []
afterAll(async () => {
  for (const close of closing) close()
  for (const device of ['inet', 'gw', 'c1', 'c2'] as const) await lab.reset(device)
})

test('a way in a VLAN that the kernel cannot have is named before the push', async () => {
  const make = 'ip link add link eth3 name lab.7 type vlan id 7 && ip link del lab.7'
  const isMade = (await lab.sh('gw', make)).code === 0
  // A kernel that takes modules has them elsewhere than in the lab's devices: then nobody knows.
  const isWhole = (await lab.sh('gw', '[ -e /proc/modules ]')).code !== 0
  const tagged = wan(2, { interface: 'eth3', connection: 'dhcp', vlan: 7, metric: 2 })
  const { warnings } = await on('gw', session => plan(session, [first, tagged]))
  expect(warnings.some(({ code }) => code === 'needs.vlan')).toBe(isWhole && !isMade)
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

test('the gateway tells which way works, by its document', async () => {
  await apply([first, second])
  const seen = async () => {
    const { wans } = await on('gw', session => driver.observe(session, 'counters'))
    return Object.fromEntries((wans ?? []).map(one => [one.document, one.up]))
  }
  const said = (up: boolean) => JSON.stringify({ [first.id]: up, [second.id]: true })
  await until(async () => JSON.stringify(await seen()) === said(true))
  await lab.in('inet', ['ip', 'addr', 'del', '203.0.113.1/24', 'dev', 'eth0'])
  await until(async () => JSON.stringify(await seen()) === said(false))
  const { wans = [] } = await on('gw', session => driver.observe(session, 'counters'))
  expect(wans.find(one => one.document === first.id)?.lossPercent).toBeGreaterThan(0)
  await lab.in('inet', ['ip', 'addr', 'add', '203.0.113.1/24', 'dev', 'eth0'])
  await until(async () => JSON.stringify(await seen()) === said(true))
})

test('ways of the same metric share the traffic', async () => {
  await apply([first, { ...second, data: { ...second.data, metric: 1 } }])
  const seen = new Set<string>()
  await until(async () => {
    seen.add((await seenAs('c1')).replace(two, 'two'))
    return seen.has(one) && seen.has('two')
  })
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

test('a source takes its own way, and no other where it shall not', async () => {
  const source = (strict: boolean) =>
    route('internetSource', { sources: ['10.77.2.101/32'], wans: [second.data], strict })
  await apply([first, second, source(false)])
  await leavesBy('c1', two)
  await leavesBy('c2', one)
  const link = (state: 'up' | 'down') => lab.in('inet', ['ip', 'link', 'set', 'eth1', state])
  await link('down')
  await leavesBy('c1', one)
  await link('up')
  await leavesBy('c1', two)
  await apply([first, second, source(true)])
  await leavesBy('c1', two)
  await link('down')
  await until(async () => (await seenAs('c1')) === '')
  await leavesBy('c2', one)
  await link('up')
  await leavesBy('c1', two)
})

test('a way without a router’s address, as PPP makes it', async () => {
  await apply([first])
  const point = ['198.51.100.160', 'peer', '198.51.100.129', 'dev', 'eth3']
  await lab.sh('gw', `ip link set eth3 up && ip addr add ${point.join(' ')}`)
  await apply([wan(1, { interface: 'eth3', connection: 'kept' }), { ...first, data: { ...first.data, metric: 2 } }])
  await leavesBy('c1', '198.51.100.160')
  await apply([first])
  await lab.sh('gw', 'ip addr flush dev eth3')
  await leavesBy('c1', one)
})

describe('what comes in', () => {
  const content = async (port: number) =>
    (await lab.in('inet', ['curl', '-s', '-m', '3', `http://${one}:${port}/`])).stdout.trim()
  const comes = (port: number, wanted: string) => until(async () => (await content(port)) === wanted)
  const open = { ...first, data: { ...first.data, dmzHost: '10.77.2.101' } }
  const forward = route('portForward', { ports: '8080', address: '10.77.2.101', innerPort: 8000 })

  beforeAll(() =>
    lab.sh(
      'c1',
      `for port in 8000 8080 9000; do mkdir -p /tmp/$port; echo "on $port" >/tmp/$port/index.html; busybox httpd -p $port -h /tmp/$port; done`,
    ),
  )

  test('goes to the DMZ host where no port forward takes it, and only while that is set', async () => {
    await on('gw', async session => {
      const codes = (await plan(session, [open])).warnings.map(warning => warning.code)
      expect(codes).toContain('dmzFiltered')
    })
    await lab.in('gw', ['nft', 'insert', 'rule', 'inet', 'filter', 'forward', 'ct', 'status', 'dnat', 'accept'])
    await apply([open, forward])
    await comes(9000, 'on 9000')
    await comes(8080, 'on 8000')
    await apply([open])
    await comes(8080, 'on 8080')
    // Pings are answered by the gateway itself.
    await lab.sh('c1', 'sysctl -qw net.ipv4.icmp_echo_ignore_all=1')
    expect((await lab.in('inet', ['ping', '-c', '1', '-W', '5', one])).code).toBe(0)
    await lab.sh('c1', 'sysctl -qw net.ipv4.icmp_echo_ignore_all=0')
    await apply([first])
    expect(await content(9000)).toBe('')
  })
})

test('dynamic DNS: a server is told the address, and the next one', async () => {
  const told: string[] = []
  const server = createServer((request, response) => {
    const [, basic = ''] = (request.headers.authorization ?? '').split(' ')
    told.push(`${request.url} ${Buffer.from(basic, 'base64')}`)
    response.end(`good ${new URL(request.url ?? '', 'http://a').searchParams.get('myip')}\n`)
  })
  await new Promise<void>(done => server.listen(0, '10.77.0.10', done))
  const { port } = server.address() as AddressInfo
  const named = (more: object) =>
    wan(2, {
      ...{ interface: 'eth3', metric: 2, ddns: 'custom', ddnsServer: `http://10.77.0.10:${port}/nic/update` },
      ...{ ddnsHost: 'home.lab.test', ddnsUser: 'me', ddnsPassword: `p'\\"$HOME#` },
      ...more,
    })
  closing.push(() => server.close())
  const update = (address: RegExp) =>
    until(() => told.some(one => address.test(one) && one.endsWith(` me:p'\\"$HOME#`)))
  await apply([first, named({})])
  await update(/^\/nic\/update\?hostname=home\.lab\.test&myip=198\.51\.100\.2\d\d /)
  await apply([
    first,
    named({ connection: 'static', address: '198.51.100.150', prefix: 25, gateway: '198.51.100.129' }),
  ])
  // No file of the client's has changed: it finds out by itself, here before its minute is over.
  await lab.in('gw', ['systemctl', 'kill', '-s', 'USR2', 'lanward-ddns'])
  await update(/myip=198\.51\.100\.150 /)
})

test('the real pppd takes the login as it was written', async () => {
  const dialled = wan(2, {
    ...{ interface: 'eth3', connection: 'pppoe', user: `a b"c\\d'#$(id)`, password: '"\\ #x', service: 'isp' },
    metric: 2,
  })
  const next = await on('gw', async session => (await plan(session, [first, dialled])).next)
  const text = unmarked(next.blocks.find(block => block.id === 'file:/etc/lanward/pppoe-eth3.conf')?.text ?? '')
  const said = async (input: string) =>
    (await lab.in('gw', ['sh', '-c', 'cat >/run/p; pppd dryrun nodetach pty true file /run/p 2>&1'], { input })).stdout
  // The plugin asks the kernel for PPPoE as it is loaded, and pppd for PPP once it has read all: this one has neither.
  const known = text.replace(/^(?:plugin|rp_pppoe_service|nic-).*$/gm, '')
  expect(await said(known)).toContain("Couldn't open the /dev/ppp device")
  // A word that stands in an option's place is shown as it was read.
  expect(await said(known.replace(/^user /m, ''))).toContain(`unrecognized option 'a b"c\\d'#$(id)'`)
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
