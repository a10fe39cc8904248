// The guests' gate on a real gateway: who is led to the portal, and who is let in.
import { createHash } from 'node:crypto'
import { web } from './_firewall'
import { askPrefix, curl, isIn, isLed, location, long, macs, page, prefixOf } from './_guests'
import { lab, until } from './_lab'
import {
  admit,
  apply,
  begin,
  end,
  gate,
  guestLan,
  guests,
  key,
  list,
  openAddress,
  remove,
  useOf,
} from './_linux-guests'

beforeAll(begin)
afterAll(end)

test('a stranger is led to the portal, with who it is, signed, and gets there though its network is isolated', async () => {
  const asked = await until(() => location('c1', `${web}a%20b?c=%22d%22&e='$(id)'`))
  const to = new URL(asked)
  expect(`${to.origin}${to.pathname}`).toBe(`${gate.url}/${guestLan}`)
  const { mac, ip, at, url, sig } = Object.fromEntries(to.searchParams)
  expect([mac, url]).toEqual([macs.c1, `${web}a%20b?c=%22d%22&e='$(id)'`])
  expect(ip).toMatch(/^192\.168\.20\.1\d\d$/)
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(sig).toBe(hash(key + hash(`${key}${guestLan} ${mac} ${ip} ${at}`)))
  expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60)
  expect(await page('c1', asked)).toMatch(/^portal \/portal\//)
  expect((await curl('c1', '-L', web)).stdout).toMatch(/^portal /)
})

test('before that nothing passes but the portal and names: no https, no ping, no foreign DNS, no login', async () => {
  expect((await curl('c1', '-k', 'https://203.0.113.1/')).code).toBe(7)
  const fails = async (command: string) => (await lab.sh('c1', command)).code !== 0
  expect(await fails('ping -c 1 -W 1 203.0.113.1')).toBe(true)
  expect(await fails('ping -c 1 -W 1 192.168.20.1')).toBe(true)
  expect(await fails('timeout 3 busybox nslookup www.internet.test 203.0.113.1')).toBe(true)
  expect(await fails('busybox nc -w 2 192.168.20.1 22 </dev/null')).toBe(true)
  expect((await lab.sh('c1', 'busybox nslookup www.internet.test 192.168.20.1')).stdout).toContain('203.0.113.1')
})

test('who was let in is in, and nobody else; what it used and where it is is told', async () => {
  await admit('c1')
  await until(() => isIn('c1'))
  expect(await isLed('c2')).toBe(true)
  const use = await until(() => useOf('c1'))
  expect(use.secondsLeft).toBeGreaterThan(3500)
  expect(use.bytes).toBeGreaterThan(200)
  expect(use.idleSeconds).toBeLessThan(30)
  expect(use.addresses).toContainEqual(expect.stringMatching(/^192\.168\.20\.1\d\d$/))
  expect(await list()).toHaveLength(1)
  expect((await lab.sh('c1', 'ping -c 1 -W 2 203.0.113.1')).code).toBe(0)
})

test('a connection that was led to the portal before is reset once the guest is in', async () => {
  await remove('c1')
  // As browsers do that open one more than they need, and send by it later.
  const early = `use IO::Socket::IP; my $s = IO::Socket::IP->new(PeerHost => '203.0.113.1', PeerPort => 80) or die;
open my $told, '>', '/run/connected'; close $told; select undef, undef, undef, 0.05 until -e '/run/in';
print $s "GET / HTTP/1.0\\r\\n\\r\\n"; print defined sysread($s, my $text, 500) ? $text : "$!"`
  await lab.sh('c1', 'rm -f /run/connected /run/in')
  const answer = lab.in('c1', ['perl', '-e', early])
  await until(async () => (await lab.sh('c1', 'test -e /run/connected')).code === 0)
  await admit('c1')
  await lab.sh('c1', 'touch /run/in')
  expect((await answer).stdout).toBe('Connection reset by peer')
  await until(() => isIn('c1'))
})

test('who is in finds the page by its name, and by https is refused at once', async () => {
  expect((await lab.sh('c1', 'busybox nslookup wifi.internal 192.168.20.1')).stdout).toContain('192.0.2.1')
  const named = ['--resolve', 'wifi.internal:80:192.0.2.1', '--resolve', 'wifi.internal:443:192.0.2.1']
  const { stdout } = await curl('c1', '-o', '/dev/null', '-D', '-', ...named, 'http://wifi.internal/')
  const to = new URL(/^location: (\S+)/im.exec(stdout)?.[1] ?? '')
  expect(`${to.origin}${to.pathname}`).toBe(`${gate.url}/${guestLan}`)
  expect([to.searchParams.get('mac'), to.searchParams.get('url')]).toEqual([macs.c1, 'http://wifi.internal/'])
  expect((await curl('c1', '-k', ...named, 'https://wifi.internal/')).code).toBe(7)
  expect(await isIn('c1')).toBe(true)
})

test('IPv6 is no way past, and counts on the same bytes', async () => {
  const six = 'http://[2001:db8:f::1]/'
  for (const client of ['c1', 'c2'] as const) await askPrefix(client)
  const prefix = await until(() => prefixOf('c1'))
  await until(() => prefixOf('c2'))
  await lab.sh('inet', `ip -6 route replace ${prefix}::/64 via 2001:db8:f::2`)
  const before = (await until(() => useOf('c1'))).bytes
  await until(async () => (await page('c1', six)).includes('the internet of the lab'))
  expect((await until(() => useOf('c1'))).bytes).toBeGreaterThan(before + 200)
  expect(await page('c2', six)).not.toContain('the internet of the lab')
  expect((await lab.sh('c2', 'ping -6 -c 1 -W 1 2001:db8:f::1')).code).not.toBe(0)
})

test('bytes end it, in both directions together', async () => {
  await admit('c1', { bytes: 3_000_000 })
  const size = Number((await curl('c1', '-o', '/dev/null', '-w', '%{size_download}', `${web}big`)).stdout)
  // What the lab's switch loses was counted, too.
  expect(size).toBeGreaterThan(1_500_000)
  expect(size).toBeLessThan(3_000_000)
  expect((await curl('c1', '-k', 'https://203.0.113.1/')).code).not.toBe(0)
  expect((await until(() => useOf('c1'))).bytes).toBeGreaterThan(2_900_000)
  await admit('c1')
  expect((await until(() => useOf('c1'))).bytes).toBeLessThan(100_000)
  await until(() => isIn('c1'))
})

test('time ends it, and so does having sent nothing', async () => {
  await admit('c1', { seconds: 15 })
  await admit('c2', { idleSeconds: 15 })
  expect(await list()).toHaveLength(2)
  await until(async () => (await list()).length === 0)
  expect([await isLed('c1'), await isLed('c2')]).toEqual([true, true])
  // What is left of those who are out goes when the next one comes.
  await admit('c1')
  expect((await lab.sh('gw', 'nft list map inet lanward_gate mark_of')).stdout.match(/02:00:5e/g)).toHaveLength(1)
  expect((await lab.sh('gw', 'nft list quotas table inet lanward_gate')).stdout.match(/quota /g)).toHaveLength(1)
})

test('a removal cuts what is open', async () => {
  await admit('c1', { download: 8000 })
  await admit('c2', { upload: 8000 })
  await until(() => isIn('c1'))
  await until(() => isIn('c2'))
  await lab.sh('inet', 'tail -f /dev/null | busybox nc -l -p 5399 >/dev/null 2>&1 &')
  await until(async () => (await lab.sh('inet', 'ss -ltn')).stdout.includes(':5399'))
  const download = long('c1', `curl -s -Y 1 -y 30 -o /run/big ${web}big; echo $?`)
  const upload = long('c2', 'timeout 500 busybox nc 203.0.113.1 5399 </dev/zero 2>/dev/null; echo $?')
  const size = async () => Number((await lab.sh('c1', 'stat -c %s /run/big 2>/dev/null')).stdout)
  await until(async () => (await size()) > 500_000)
  await until(async () => ((await useOf('c2'))?.bytes ?? 0) > 500_000)
  await remove('c1', 'c2')
  const cut = await size()
  // Who sends is told, long before it would have ended by itself.
  expect((await upload).stdout.trim()).toBe('1')
  await until(() => isLed('c1'))
  expect(await list()).toEqual([])
  // Who only waits may hear nothing: reset, or over at its own end. It writes down last what it held itself.
  expect((await download).stdout.trim()).toMatch(/^(56|28)$/)
  expect((await size()) - cut).toBeLessThan(20_000)
})

test('what is open before is reached by address and by name, and nothing beside it', async () => {
  await remove('c1', 'c2')
  await apply([guests({ walledGarden: ['internet.test'] })])
  expect(await isLed('c1')).toBe(true)
  const url = `http://${openAddress}/`
  expect(await location('c1', url)).toBeDefined()
  await lab.sh('c1', 'busybox nslookup open.internet.test 192.168.20.1')
  await until(async () => (await page('c1', url)).includes('the internet of the lab'))
  await until(() => isLed('c1'))
  await apply([guests({ walledGarden: [`${openAddress}/32`] })])
  expect(await page('c1', url)).toContain('the internet of the lab')
  expect((await lab.sh('gw', 'nft list table inet lanward_gate')).stdout).not.toContain('set found4_20')
  await apply([guests()])
  expect(await location('c1', url)).toBeDefined()
})
