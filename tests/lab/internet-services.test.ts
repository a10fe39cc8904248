// What goes with a way to the internet: whether it works, what comes in by it, its name, its login, and one that is not ours.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { unmarked } from '@/server/drivers/unix/secret'
import { on, plan } from './_device'
import { apply, begin, end, first, one, route, second, wan } from './_internet'
import { lab, until } from './_lab'

const closing: (() => void)[] = []
beforeAll(begin)
afterAll(async () => {
  for (const close of closing) close()
  await end()
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
