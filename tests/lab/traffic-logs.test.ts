// URL and NAT logs of a gateway: a client in a LAN of ours asks for a name and opens a connection.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan } from './_device'
import { lab, until } from './_lab'
import { apply, client, confirm, guest } from './_lan'
import { join, trunkOff, trunkOn } from './_vlan'

const port = 5517
const seen: string[] = []
let mgr: string
const socket = createSocket('udp4', data => seen.push(data.toString()))

const single = (id: string, data: Record<string, unknown>): DesiredDocument => ({ id, kind: id, name: '', data })
// Of the rest of the log errors alone are sent: records are none.
const system = () => single('system', { syslog: 'udp', syslogHost: mgr, syslogPort: port, syslogLevel: 'error' })
const records = (data: Record<string, unknown>) => single('trafficLogs', { lawAccepted: true, ...data })
const gw = async (line: string) => (await lab.sh('gw', line)).stdout.trim()
const ask = (name: string) => client(`busybox nslookup -type=a ${name} 192.168.20.1`)
const open = () => client('timeout 10 busybox wget -q -O /dev/null http://203.0.113.1/ && echo opened')
const local = 'cat /var/log/syslog /var/log/messages /var/log/daemon.log /var/log/kern.log 2>/dev/null'
const questions = (name: string) => seen.filter(one => one.includes(` ${name} `))
/** Packets that each of the two rules has counted. */
const counted = async () =>
  [...(await gw('nft list table inet lanward_traffic')).matchAll(/counter packets (\d+)/g)].map(([, n]) => Number(n))

beforeAll(async () => {
  mgr = (await lab.up()).addresses.mgr
  socket.bind(port, mgr)
  await once(socket, 'listening')
  await trunkOn()
})
afterAll(async () => {
  socket.close()
  await trunkOff()
})

test('a device whose log goes nowhere records nothing, and the plan says so', async () => {
  const both = records({ urlLog: true, natLog: true })
  const { next, warnings } = await on('gw', session => plan(session, [guest, both]))
  expect(warnings.map(({ code }) => code)).toContain('trafficUnsent')
  expect(next.blocks.map(({ id }) => id).filter(id => id.includes('traffic'))).toEqual([])
  expect(next.blocks.map(({ text }) => text).join('')).not.toContain('log-queries')
})

test('a question of a client arrives as one line with its address, and no file of the device holds it', async () => {
  await confirm(await apply([guest, system(), records({ urlLog: true })]))
  const [, address = ''] = /^ip='?([\d.]+)/m.exec(await join(20)) ?? []
  const [line = ''] = await until(async () => {
    await ask('www.internet.test')
    return questions('www.internet.test').length > 0 && questions('www.internet.test')
  })
  const text = String.raw`dnsmasq\[\d+\]: \d+ ADDRESS/\d+ query\[A\] www\.internet\.test from ADDRESS$`
  expect(line).toMatch(new RegExp(`^<30>.* ${text.replaceAll('ADDRESS', address.replaceAll('.', '\\.'))}`))
  // Later lines of the log have come: answers would be there by now.
  await lab.in('gw', ['logger', '-p', 'user.err', '-t', 'lab', 'said-later'])
  await until(() => seen.some(one => one.includes('said-later')))
  expect(seen.filter(one => one.includes('dnsmasq') && !one.includes(' query['))).toEqual([])
  expect(await gw(local)).toContain('said-later')
  expect(await gw(`${local} | grep -F www.internet.test`)).toBe('')
  expect(await gw('nft list tables')).not.toContain('lanward_traffic')
})

test('a new connection is logged with the client’s address, and with the one that it was translated to', async () => {
  await confirm(await apply([guest, system(), records({ natLog: true })]))
  const [, address = ''] = /^ip='?([\d.]+)/m.exec(await join(20)) ?? []
  // What the kernel would print of a packet in a namespace of its own it tells whoever traces: the packet at each rule.
  const watched = await lab.in('gw', ['nft', '-f', '-'], {
    input: `table ip lab_trace {
  chain watched {
    type filter hook prerouting priority raw;
    ip saddr ${address} tcp dport 80 meta nftrace set 1
  }
}\n`,
  })
  expect(watched.stderr).toBe('')
  const monitor = await gw('setsid stdbuf -oL nft monitor trace </dev/null >/run/trace 2>&1 & echo $!')
  await until(async () => {
    await open()
    return (await gw('cat /run/trace')).includes('lanward-nat-out')
  })
  await gw(`kill ${monitor}`)
  const lines = (await gw('cat /run/trace')).split('\n')
  const packetAt = (prefix: string) => {
    const rule = lines.find(one => one.includes(`log prefix "lanward-nat-${prefix} "`)) ?? ''
    const [, id = 'none', at = 'none'] = /^trace id (\w+) inet lanward_traffic (\w+) rule/.exec(rule) ?? []
    return lines.find(one => one.startsWith(`trace id ${id} inet lanward_traffic ${at} packet:`)) ?? ''
  }
  expect(packetAt('in')).toContain(`ip saddr ${address} ip daddr 203.0.113.1`)
  expect(packetAt('out')).toContain('ip saddr 203.0.113.2 ip daddr 203.0.113.1')
  await gw('nft delete table ip lab_trace')
})

test('each connection is two lines, however many packets it has; those of the gateway itself are none', async () => {
  const before = await counted()
  expect(before).toHaveLength(2)
  expect(await open()).toContain('opened')
  await gw('timeout 5 busybox wget -q -O /dev/null http://203.0.113.1/')
  // Nobody answers there: all packets are of a new connection.
  await lab.in('c2', ['bash', '-c', 'exec 3>/dev/udp/203.0.113.9/5000; for n in 1 2 3 4 5; do echo x >&3; done'])
  const after = await counted()
  expect(after.map((packets, at) => packets - (before[at] ?? 0))).toEqual([2, 2])
  expect(questions('www.internet.test').length).toBeGreaterThan(0)
  expect(await gw('cat /etc/lanward/dhcp-lan20.conf')).not.toContain('log-queries')
})

test('off again, nothing of it is left', async () => {
  await confirm(await apply([guest, system(), records({ urlLog: true, natLog: true })]))
  expect(await gw('nft list tables')).toContain('inet lanward_traffic')
  await confirm(await apply([guest, system(), single('trafficLogs', { urlLog: false, natLog: false })]))
  expect(await gw('nft list tables; ls /etc/rsyslog.d /etc/lanward /etc/systemd/system')).not.toContain('traffic')
  seen.length = 0
  await join(20)
  await ask('www.internet.test')
  await lab.in('gw', ['logger', '-p', 'user.err', '-t', 'lab', 'said-last'])
  await until(() => seen.some(one => one.includes('said-last')))
  expect(questions('www.internet.test')).toEqual([])
  expect(await on('gw', session => driver.selfCheck(session, { blocks: [] }))).toEqual([])
})
