// The guests' gate on a real gateway: c1 and c2 are guests in VLAN 20, the portal is a server in the manager's place.
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DesiredDocument } from '@/server/drivers/driver'
import type { Admission, GuestUse } from '@/server/drivers/guests'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { web } from './_firewall'
import { askPrefix, type Client, curl, isIn, isLed, location, macs, page, prefixOf, rateOf } from './_guests'
import { lab, run, until } from './_lab'
import { holds, type Way } from './_rate'
import { join, trunkOff, trunkOn } from './_vlan'

const key = '00112233445566778899aabbccddeeff'
const guestLan = '00000000-0000-4000-8000-000000000020'
const openAddress = '203.0.113.9'

let server: Server
let gate: { url: string; key: string }

const portal = { name: 'Guests', methods: ['free'], walledGarden: [] as string[] }
const lan = (vlan: number, more: object = {}): DesiredDocument => ({
  id: `00000000-0000-4000-8000-0000000000${vlan}`,
  kind: 'lan',
  name: `LAN ${vlan}`,
  data: {
    name: `LAN ${vlan}`,
    vlan,
    address: `192.168.${vlan}.1/24`,
    poolStart: `192.168.${vlan}.100`,
    poolEnd: `192.168.${vlan}.150`,
    ...more,
  },
})
const guests = (more: Partial<typeof portal> = {}) =>
  lan(20, { isolation: true, ipv6: 'ula', portal: { ...portal, ...more } })

/** Pushed, proven and confirmed; what the plan warns of the portal. */
const apply = (documents: DesiredDocument[], without = ''): Promise<string[]> =>
  on('gw', async session => {
    const { next, warnings } = await plan(session, documents, 60, { gate, without })
    expect(warnings.filter(one => one.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    const seen = await driver.read(session)
    const texts = (blocks: { id: string; text: string }[]) => Object.fromEntries(blocks.map(one => [one.id, one.text]))
    expect(texts(seen.blocks)).toEqual(texts(next.blocks))
    await driver.confirm(session, pending)
    return warnings.map(one => one.code).filter(one => one.startsWith('portal'))
  })

const gateOf = () => {
  const found = driver.actions.guests
  if (!found) throw new Error('no gate')
  return found
}
const admit = (client: Client, more: Partial<Admission> = {}) =>
  on('gw', session =>
    gateOf().admit(session, [{ mac: macs[client], lan: guestLan, seconds: 3600, idleSeconds: 300, ...more }]),
  )
const remove = (...clients: Client[]) =>
  on('gw', session =>
    gateOf().remove(
      session,
      clients.map(one => macs[one]),
    ),
  )
const list = () => on('gw', session => gateOf().list(session))
const useOf = async (client: Client): Promise<GuestUse | undefined> =>
  (await list()).find(one => one.mac === macs[client])

beforeAll(async () => {
  server = createServer((request, response) => response.end(`portal ${request.url}`))
  await new Promise<void>(ready => server.listen(0, '0.0.0.0', ready))
  gate = { url: `http://10.77.0.10:${(server.address() as AddressInfo).port}/portal`, key }
  await trunkOn()
  // The manager's place has no way but to its own network.
  await run('ip', ['route', 'replace', '192.168.0.0/16', 'via', '10.77.0.1'])
  await lab.sh(
    'inet',
    `ip addr add ${openAddress}/24 dev eth0; truncate -s 60M /srv/big; ip -6 addr add 2001:db8:f::1/64 dev eth0 nodad`,
  )
  await lab.sh(
    'gw',
    `echo host-record=open.internet.test,${openAddress} >>/etc/dnsmasq.d/lan.conf; systemctl restart dnsmasq
    sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0; ip -6 addr add 2001:db8:f::2/64 dev eth0 nodad
    nft insert rule inet filter input iifname eth0 meta l4proto ipv6-icmp accept`,
  )
  expect(await apply([guests()])).toEqual([])
  await join(20, 'c1')
  await join(20, 'c2')
})
afterAll(async () => {
  await trunkOff()
  await lab.reset('inet')
  await run('ip', ['route', 'del', '192.168.0.0/16'])
  server.close()
  await lab.reset('gw')
})

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
  await admit('c1', { seconds: 4 })
  await admit('c2', { idleSeconds: 4 })
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
  await lab.in('inet', ['iperf3', '-s', '-1', '-D', '-p', '5399'])
  const download = lab.sh('c1', `curl -s -m 30 -o /run/big ${web}big; echo $?`)
  const upload = lab.sh('c2', 'timeout 40 iperf3 -c 203.0.113.1 -p 5399 -t 60 >/dev/null; echo $?')
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

test('rates are held by the device, each guest its own', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await admit('c2', { download: 2000, upload: 8000 })
  await Promise.all([
    holds(8, attempt => rateOf('c1', 5400 + attempt, 'download')),
    holds(8, attempt => rateOf('c2', 5410 + attempt, 'upload')),
  ])
  await holds(2, attempt => rateOf('c1', 5420 + attempt, 'upload'))
})

test('a push, a reload and other limits keep who is in, with what they used', async () => {
  const used = (await until(() => useOf('c1'))).bytes
  const rule = {
    id: 'b',
    kind: 'bandwidthRule',
    name: 'b',
    data: { name: 'b', target: 'address', address: '192.168.20.200', download: '5 Mbps' },
  }
  await apply([guests({ walledGarden: [openAddress] }), rule])
  await lab.sh('gw', 'systemctl reload lanward-gate')
  expect((await until(() => useOf('c1'))).bytes).toBeGreaterThanOrEqual(used)
  await until(() => isIn('c1'))
  await holds(8, attempt => rateOf('c1', 5430 + attempt, 'download'))
  await apply([guests()])
  await holds(8, attempt => rateOf('c1', 5440 + attempt, 'download'))
})

test('without queues the packet filter holds the rates, and the plan says so', async () => {
  expect(await apply([guests()], 'tc')).toEqual(['portalDrops'])
  await admit('c1', { download: 8000, upload: 2000 })
  const nearly = async (rate: number, port: number, way: Way) =>
    until(async () => {
      const seen = await rateOf('c1', port++, way)
      return seen > rate * 0.75 && seen < rate * 1.25
    })
  await nearly(8, 5450, 'download')
  await nearly(2, 5470, 'upload')
  await apply([guests()])
})

test('what is open before is reached by address and by name, and nothing beside it', async () => {
  await remove('c1', 'c2')
  await apply([guests({ walledGarden: ['internet.test'] })])
  expect(await isLed('c1')).toBe(true)
  const url = `http://${openAddress}/`
  expect(await location('c1', url)).toBeDefined()
  await lab.sh('c1', 'busybox nslookup open.internet.test 192.168.20.1')
  await until(async () => (await page('c1', url)).includes('the internet of the lab'))
  expect(await isLed('c1')).toBe(true)
  await apply([guests({ walledGarden: [`${openAddress}/32`] })])
  expect(await page('c1', url)).toContain('the internet of the lab')
  expect((await lab.sh('gw', 'nft list table inet lanward_gate')).stdout).not.toContain('set found4_20')
  await apply([guests()])
  expect(await location('c1', url)).toBeDefined()
})

test('who is in is so in one network alone', async () => {
  await apply([guests(), lan(30, { portal })])
  await admit('c1')
  await until(() => isIn('c1'))
  await join(30, 'c1')
  await until(() => isLed('c1'))
  await expect(admit('c1', { lan: '00000000-0000-4000-8000-000000000040' })).rejects.toMatchObject({
    reason: 'unsupported',
  })
  await admit('c1', { lan: '00000000-0000-4000-8000-000000000030' })
  await until(() => isIn('c1'))
  await join(20, 'c1')
  await until(() => isLed('c1'))
})

test('a restart keeps who is in until the end that they had, and the gate is shut for everybody else', async () => {
  await admit('c1', { seconds: 1800, download: 8000 })
  await remove('c2')
  await lab.reboot('gw')
  await until(() => isLed('c2'))
  await until(() => isIn('c1'))
  const use = await until(() => useOf('c1'))
  expect(use.secondsLeft).toBeLessThanOrEqual(1800)
  expect(use.secondsLeft).toBeGreaterThan(1500)
  expect(await list()).toHaveLength(1)
  await until(async () => (await lab.sh('gw', 'tc class show dev lan20')).stdout.includes('rate 8Mbit'))
  await remove('c1')
  await lab.reboot('gw')
  await until(() => isLed('c1'))
  expect(await list()).toEqual([])
})

test('everything can be taken away', async () => {
  await admit('c1', { download: 8000, upload: 2000 })
  await apply([lan(20)])
  await until(() => isIn('c2'))
  const left = await lab.sh('gw', 'nft list tables; tc qdisc show; systemctl list-units; ls /etc/lanward*')
  expect(left.stdout).not.toMatch(/lanward.gate|lanward-portal\.|htb|answer/)
  await on('gw', async session => {
    expect(await gateOf().list(session)).toEqual([])
    await gateOf().remove(session, [macs.c1])
    await expect(
      gateOf().admit(session, [{ mac: macs.c1, lan: guestLan, seconds: 60, idleSeconds: 300 }]),
    ).rejects.toMatchObject({ reason: 'unsupported' })
  })
})
