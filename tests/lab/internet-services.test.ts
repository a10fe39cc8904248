// What goes with a way to the internet: whether it works, its name, its login, and one that is not ours.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { unmarked } from '@/server/drivers/unix/secret'
import { on, plan } from './_device'
import { apply, begin, end, first, second, wan } from './_internet'
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
      { code: 'wanUnmanaged', blocks: true, values: { interface: 'eth0', by: '/etc/network/interfaces' } },
      { code: 'wanMissing', blocks: true, values: { interface: 'eth9' } },
    ])
  })
})
