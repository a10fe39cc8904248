import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type Check, causeOf, stateOf } from '@/model/troubleshooting/client-check'
import type { Figures, Hop } from '@/model/troubleshooting/request'
import { managerWith, overSnmp, overSsh } from './_change'
import { addressOf, lab, until } from './_lab'

// What a person asks the network from a device of the lab, and from the manager, with the network broken on purpose.

type Shown = {
  id: string
  state: 'running' | 'done' | 'failed' | 'cancelled'
  figures?: Figures
  lines: string[]
  failure?: { reason: string; detail: string }
  by: string
}
type Site = Awaited<ReturnType<typeof managerWith>>

let site: Site
let [gw, ap, sw]: number[] = []
const gateway = '10.77.0.1'
const internet = '203.0.113.1'
const path = process.env.PATH ?? ''
let tools: string

beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
  site = await managerWith([await overSsh('gw', 'gateway'), await overSsh('ap1', 'ap'), await overSnmp()])
  ;[gw, ap, sw] = site.ids
  // The manager's place in the lab has the lab's own ping.
  tools = mkdtempSync(`${tmpdir()}/tools-`)
  const script = `${process.cwd()}/appliance/lab/lab.sh`
  writeFileSync(
    `${tools}/ping`,
    `#!/bin/sh\nexport PATH='${path}' LANWARD_LAB_PREFIX='${process.env.LANWARD_LAB_PREFIX ?? ''}'\nexec bash '${script}' tool ping "$@"\n`,
  )
  chmodSync(`${tools}/ping`, 0o755)
})
afterAll(async () => {
  process.env.PATH = path
  await site?.end()
  if (tools) rmSync(tools, { recursive: true })
})

const begin = async (request: object, deviceId?: number) =>
  String((await site.ok('diagnostics/run', { request, ...(deviceId !== undefined && { deviceId }) })).id)
const result = (id: string) => site.ok('diagnostics/result', { id }) as Promise<unknown> as Promise<Shown>
const ended = (id: string) =>
  until(async () => {
    const now = await result(id)
    return now.state !== 'running' && now
  })
const look = async (request: object, deviceId?: number) => ended(await begin(request, deviceId))
const addresses = (hops: readonly Hop[]) => hops.map(hop => hop.address)
const hopsOf = ({ figures }: Shown) => (figures?.tool === 'mtr' || figures?.tool === 'traceroute' ? figures.hops : [])
/** Programs of that name that run on the access point. */
const left = async (name: string) => (await lab.sh('ap1', `pgrep -x ${name} | wc -l`)).stdout.trim()

test('ping from a device: all answers, in figures and in lines', async () => {
  const seen = await look({ tool: 'ping', host: gateway, count: 3 }, ap)
  expect(seen).toMatchObject({ state: 'done', figures: { tool: 'ping', sent: 3, received: 3 } })
  const { figures } = seen
  if (figures?.tool !== 'ping') throw new Error('no ping')
  expect(figures.minMs).toBeGreaterThan(0)
  expect(figures.avgMs).toBeLessThanOrEqual(figures.maxMs ?? 0)
  expect(seen.lines[0]).toMatch(/^PING 10\.77\.0\.1/)
  expect(seen.lines.filter(line => line.includes('bytes from 10.77.0.1'))).toHaveLength(3)
})

test('loss that the network really has is told in figures, as ping itself counts it', async () => {
  const rules =
    'table inet lossy { chain in { type filter hook input priority -300; icmp type echo-request numgen inc mod 4 < 1 drop; }; }'
  await lab.in('gw', ['nft', '-f', '-'], { input: rules })
  try {
    const seen = await look({ tool: 'ping', host: gateway, count: 8 }, ap)
    expect(seen.figures).toMatchObject({ sent: 8, received: 6 })
    expect(seen.lines.find(line => line.includes('packets transmitted'))).toContain('25% packet loss')
  } finally {
    await lab.sh('gw', 'nft delete table inet lossy')
  }
})

test('traceroute: the gateway, then the host behind it', async () => {
  const seen = await look({ tool: 'traceroute', host: internet }, ap)
  expect(seen).toMatchObject({ state: 'done', figures: { tool: 'traceroute', reached: true } })
  expect(addresses(hopsOf(seen))).toEqual([gateway, internet])
})

test('MTR: the router that loses packets is the one with the loss', async () => {
  const rules = `table inet lossy { chain in { type filter hook input priority -300; icmp type echo-request ip ttl > 2 numgen inc mod 2 < 1 drop; }; }`
  await lab.in('gw', ['nft', '-f', '-'], { input: rules })
  try {
    const seen = await look({ tool: 'mtr', host: internet, rounds: 4 }, ap)
    const [first, second] = hopsOf(seen)
    expect(first).toMatchObject({ address: gateway, sent: 4, received: 2 })
    expect(second).toMatchObject({ address: internet, sent: 4, received: 4 })
  } finally {
    await lab.sh('gw', 'nft delete table inet lossy')
  }
})

test('DNS: by the device’s own resolver and by a server from the manager; no record, a refusal, silence', async () => {
  const own = await look({ tool: 'dns', name: 'www.internet.test' }, gw)
  expect(own.figures).toMatchObject({ state: 'found', answers: [internet] })
  const asked = { tool: 'dns', name: 'www.internet.test', server: gateway }
  expect((await look(asked)).figures).toMatchObject({ state: 'found', answers: [internet] })
  await lab.sh('gw', 'echo local=/lab.test/ >/etc/dnsmasq.d/own.conf && systemctl restart dnsmasq')
  expect((await look({ ...asked, name: 'nobody.lab.test' })).figures).toMatchObject({ state: 'none', answers: [] })
  expect((await look({ ...asked, name: 'nobody.test' })).figures).toMatchObject({ state: 'refused', answers: [] })
  expect((await look({ ...asked, name: internet })).figures).toMatchObject({ answers: ['www.internet.test'] })
  expect((await look({ ...asked, server: '10.77.0.77' })).figures).toMatchObject({ state: 'silent' })
})

test('the neighbor table of the gateway has the access point with its MAC address', async () => {
  await look({ tool: 'ping', host: gateway, count: 1 }, ap)
  const { figures } = await look({ tool: 'neighbours' }, gw)
  if (figures?.tool !== 'neighbours') throw new Error('no neighbours')
  const { addresses: known } = await lab.up()
  expect(figures.neighbours.find(one => one.address === known.ap1)).toMatchObject({
    mac: '02:00:5e:10:00:03',
    interface: 'eth1',
  })
})

test('TCP port: open, refused and filtered, from a device and from the manager', async () => {
  const rules = 'table inet shut { chain in { type filter hook input priority -300; tcp dport 4444 drop; }; }'
  await lab.in('gw', ['nft', '-f', '-'], { input: rules })
  try {
    for (const from of [ap, undefined]) {
      expect((await look({ tool: 'port', host: gateway, port: 22 }, from)).figures).toMatchObject({ state: 'open' })
      expect((await look({ tool: 'port', host: gateway, port: 23 }, from)).figures).toMatchObject({ state: 'refused' })
      expect((await look({ tool: 'port', host: gateway, port: 4444 }, from)).figures).toMatchObject({ state: 'silent' })
    }
  } finally {
    await lab.sh('gw', 'nft delete table inet shut')
  }
})

test('ping from the manager by its own program; where it has none, the package is named', async () => {
  process.env.PATH = `${tools}:${path}`
  expect((await look({ tool: 'ping', host: gateway, count: 2 })).figures).toMatchObject({ sent: 2, received: 2 })
  const id = await begin({ tool: 'ping', host: '10.77.0.77', count: 60 })
  await until(async () => (await result(id)).lines.length > 1)
  await site.ok('diagnostics/stop', { id })
  await until(async () => (await lab.tool('pgrep', '-f', '10.77.0.77')).stdout === '')
  process.env.PATH = '/nowhere'
  const seen = await look({ tool: 'ping', host: gateway })
  process.env.PATH = path
  expect(seen).toMatchObject({ state: 'failed', failure: { reason: 'missing', detail: 'ping' } })
})

test('canceled: it says so, keeps what was heard, and leaves no process on the device', async () => {
  const id = await begin({ tool: 'ping', host: gateway, count: 60 }, ap)
  await until(async () => (await result(id)).lines.length > 2)
  expect(await left('ping')).toBe('1')
  expect(await site.ok('diagnostics/stop', { id })).toEqual({ stopped: true })
  const seen = await ended(id)
  expect(seen).toMatchObject({ state: 'cancelled', figures: { tool: 'ping' } })
  await until(async () => (await left('ping')) === '0')
  expect(await site.ok('diagnostics/stop', { id })).toEqual({ stopped: false })
})

test('canceled while nothing answers: the program has nothing to print, and ends all the same', async () => {
  const id = await begin({ tool: 'traceroute', host: '10.77.3.250' }, ap)
  await until(async () => (await left('ping')) === '1')
  await site.ok('diagnostics/stop', { id })
  await until(async () => (await left('ping')) === '0')
  expect((await ended(id)).state).toBe('cancelled')
})

test('a device’s polls go on while a test runs', async () => {
  const id = await begin({ tool: 'ping', host: gateway, count: 60 }, ap)
  await until(async () => (await result(id)).lines.length > 1)
  await site.ok('devices/sync', { id: ap })
  expect((await result(id)).state).toBe('running')
  await site.ok('diagnostics/stop', { id })
})

test.each([
  ['-c', 'addressFormat'],
  ['$(reboot)', 'addressFormat'],
  ['a;b', 'addressFormat'],
  ['a b', 'addressFormat'],
  ['', 'addressFormat'],
  ['256.1.1.1', 'addressFormat'],
])('a host that is none is refused at its field and starts nothing: %j', async host => {
  const before = (await site.ok('diagnostics/list')) as { total: number }
  const answer = await site.browser.post('diagnostics/run', { deviceId: ap, request: { tool: 'ping', host } })
  expect(answer).toMatchObject({ data: { fields: { 'request.host': expect.any(String) } } })
  expect(await site.ok('diagnostics/list')).toMatchObject({ total: before.total })
})

test('a device without SSH cannot run tests, and is not offered', async () => {
  const answer = await site.browser.post('diagnostics/run', { deviceId: sw, request: { tool: 'neighbours' } })
  expect(answer).toMatchObject({ data: { fields: { deviceId: 'notAllowed' } } })
  const offered = (await site.ok('diagnostics/places')) as unknown as { manager: boolean; devices: { id: number }[] }
  expect(offered.manager).toBe(true)
  expect(offered.devices.map(one => one.id).sort()).toEqual([gw, ap].sort())
})

// Why a client is slow or offline: a client of the switch, with faults that are really there.

const clientMac = async () => (await lab.sh('c2', 'cat /sys/class/net/eth0/address')).stdout.trim()
/** What its checks come to. */
async function checked(): Promise<{ checks: readonly Check[]; cause: string | undefined }> {
  for (const id of site.ids) await site.known(id)
  const seen = await look({ tool: 'client', mac: await clientMac(), name: 'www.internet.test' })
  if (seen.figures?.tool !== 'client') throw new Error(`${seen.state}: ${JSON.stringify(seen.failure)}`)
  const { checks } = seen.figures
  const cause = causeOf(checks)
  return { checks, cause: cause && `${cause.what} ${cause.reason}` }
}
/** The same while the shell line holds on a device, which `undo` ends. */
async function during(device: 'gw' | 'sw1' | 'inet', fault: string, undo: string) {
  try {
    const ran = await lab.sh(device, fault)
    if (ran.code !== 0) throw new Error(ran.stderr)
    return await checked()
  } finally {
    await lab.sh(device, undo)
  }
}
const dropping = (rule: string, hook = 'output') =>
  `nft 'table inet faulty { chain one { type filter hook ${hook} priority -300; ${rule}; }; }'`
const noMore = 'nft delete table inet faulty'

test('a client without a fault: each check says what was measured, and none is blamed', async () => {
  const address = await addressOf('c2')
  await until(async () => {
    await lab.sh('c2', `ping -c1 -W1 ${gateway}`)
    await site.known(sw as number)
    const { result } = (await site.ok('clients/list')) as { result: { mac: string; port?: string }[] }
    return result.some(one => one.port === 'p4')
  })
  const { checks, cause } = await checked()
  expect(cause).toBeUndefined()
  const seen = Object.fromEntries(checks.map(one => [one.what, one]))
  expect(seen.connection).toMatchObject({ reason: 'connected', values: { place: 'p4' }, from: 'sw1' })
  expect(seen.signal).toMatchObject({ reason: 'wired' })
  expect(seen.portErrors).toMatchObject({ reason: 'clean' })
  expect(Number(seen.portErrors?.values.frames)).toBeGreaterThan(0)
  expect(seen.dhcp).toMatchObject({ reason: 'lease', values: { address }, from: 'gw' })
  expect(seen.dns).toMatchObject({ reason: 'answers', values: { answer: internet } })
  expect(seen.gateway).toMatchObject({ reason: 'reached', values: { sent: 10, received: 10 } })
  expect(seen.wan).toMatchObject({ reason: 'nextHop', values: { target: internet, received: 5 } })
  expect(checks.filter(one => stateOf(one) === 'unknown').map(one => one.what)).not.toContain('gateway')
})

test('the fault is named: no DHCP server', async () => {
  expect((await during('gw', 'systemctl stop dnsmasq', 'systemctl start dnsmasq')).cause).toBe('dhcp noServer')
})

test('the fault is named: no name server, while DHCP goes on', async () => {
  const off = 'echo port=0 >/etc/dnsmasq.d/fault.conf && systemctl restart dnsmasq'
  const { cause } = await during('gw', off, 'rm /etc/dnsmasq.d/fault.conf; systemctl restart dnsmasq')
  expect(cause).toBe('dns noServer')
})

test('the fault is named: loss between gateway and client', async () => {
  const address = await addressOf('c2')
  const half = dropping(`icmp type echo-request ip daddr ${address} numgen inc mod 2 < 1 drop`)
  expect((await during('gw', half, noMore)).cause).toBe('gateway loss')
})

test('the fault is named: loss on the WAN, and a next hop that is gone', async () => {
  const half = dropping(`icmp type echo-request ip daddr ${internet} numgen inc mod 2 < 1 drop`)
  expect((await during('gw', half, noMore)).cause).toBe('wan loss')
  const { cause } = await during('inet', 'ip link set eth0 down', 'ip link set eth0 up')
  expect(cause).toMatch(/^wan (hopSilent|noRoute)$/)
})

/** The next agent has begun when this ends. */
const restartAgent = `until [ -s /run/snmpd.pid ]; do sleep 0.1; done; old=$(cat /run/snmpd.pid); kill $old
until [ -s /run/snmpd.pid ] && [ "$(cat /run/snmpd.pid)" != $old ]; do sleep 0.1; done`
/** The switch's agent tells this of the client's port, in one column of a table; of others it says `other`. */
const agentSays = (column: string, type: string, value: string, other: string) => `cat >/etc/lab/says <<'END'
#!/bin/sh
port=$(cat /sys/class/net/p4/ifindex)
all=$(cat /sys/class/net/p[1-8]/ifindex | sort -n)
want=\${2#${column}}; want=\${want#.}
if [ "$1" = -g ]; then at=$want; else at=$(for one in $all; do [ "$one" -gt "\${want:-0}" ] && echo "$one" && break; done); fi
[ -n "$at" ] || exit 0
echo "${column}.$at"; echo ${type}
if [ "$at" = "$port" ]; then echo ${value}; else echo ${other}; fi
END
chmod +x /etc/lab/says
echo "pass ${column} /etc/lab/says" >/etc/snmp/snmpd.conf.d/says.conf
${restartAgent}`
const agentAsBefore = `rm /etc/snmp/snmpd.conf.d/says.conf; ${restartAgent}`

test('the fault is named: errors that the switch counts at the client’s port while it is looked at', async () => {
  const counting = agentSays('.1.3.6.1.2.1.2.2.1.14', 'counter', '$(( $(date +%s) % 1000000 * 10 ))', '0')
  const { cause, checks } = await during('sw1', counting, agentAsBefore)
  expect(cause).toBe('portErrors errors')
  expect(checks.find(one => one.what === 'portErrors')).toMatchObject({ values: { port: 'p4' }, from: 'sw1' })
})

test('the fault is named: the client’s port runs at half duplex', async () => {
  const half = agentSays('.1.3.6.1.2.1.10.7.2.1.19', 'integer', '2', '3')
  expect((await during('sw1', half, agentAsBefore)).cause).toBe('duplex half')
})

test('a client that no device ever saw, and one with a device to look from, are refused at their fields', async () => {
  const ask = (request: object, more = {}) => site.browser.post('diagnostics/run', { request, ...more })
  expect(await ask({ tool: 'client', mac: '02:00:00:00:00:77' })).toMatchObject({
    data: { fields: { 'request.mac': 'notFound' } },
  })
  expect(await ask({ tool: 'client', mac: await clientMac() }, { deviceId: ap })).toMatchObject({
    data: { fields: { deviceId: 'notAllowed' } },
  })
  expect(await ask({ tool: 'client', mac: 'x' })).toMatchObject({
    data: { fields: { 'request.mac': expect.any(String) } },
  })
})

/** Octets that came in by a device's cable so far, in its kernel's count: what was lost on the way is not among them. */
const carried = async (device: 'gw' | 'ap1', name: string) =>
  Number((await lab.sh(device, `cat /sys/class/net/${name}/statistics/rx_bytes`)).stdout)

test.each([
  ['gw', 'eth1', false],
  ['ap1', 'eth0', true],
] as const)('iperf3 between two devices: what it counts came in at %s', async (device, name, reverse) => {
  const before = await carried(device, name)
  const seen = await look({ tool: 'iperf3', peer: gw, seconds: 3, reverse }, ap)
  const { figures } = seen
  if (figures?.tool !== 'iperf3') throw new Error(JSON.stringify(seen))
  const { bytes = 0, bps = 0, rates, peer } = figures
  expect({ state: seen.state, peer, seconds: rates.length }).toEqual({ state: 'done', peer: 'gw', seconds: 3 })
  expect(bps).toBeGreaterThan(0)
  const share = ((await carried(device, name)) - before) / bytes
  expect(share).toBeGreaterThan(1)
  expect(share).toBeLessThan(1.1)
})

test('iperf3 is canceled on both devices, and needs another device that can run it', async () => {
  const id = await begin({ tool: 'iperf3', peer: gw, seconds: 30 }, ap)
  await until(async () => (await result(id)).figures)
  await site.ok('diagnostics/stop', { id })
  expect((await ended(id)).state).toBe('cancelled')
  const leftOn = async (device: 'ap1' | 'gw') => (await lab.sh(device, 'pgrep -x iperf3 | wc -l')).stdout.trim()
  await until(async () => (await leftOn('ap1')) === '0' && (await leftOn('gw')) === '0')
  const ask = (peer: number | undefined, more: object) =>
    site.browser.post('diagnostics/run', { request: { tool: 'iperf3', peer }, ...more })
  for (const peer of [ap, sw, 999])
    expect(await ask(peer, { deviceId: ap })).toMatchObject({ data: { fields: { 'request.peer': 'notAllowed' } } })
  expect(await ask(gw, {})).toMatchObject({ data: { fields: { deviceId: 'required' } } })
})

test('a device without iperf3 is named', async () => {
  await lab.sh('gw', 'mv /usr/bin/iperf3 /usr/bin/iperf3.away')
  try {
    const seen = await look({ tool: 'iperf3', peer: gw, seconds: 1 }, ap)
    expect(seen).toMatchObject({
      ...{ state: 'failed', failure: { reason: 'missing', detail: 'iperf3 gw' } },
      figures: { peer: 'gw', rates: [] },
    })
  } finally {
    await lab.sh('gw', 'mv /usr/bin/iperf3.away /usr/bin/iperf3')
  }
})

test('four at a time, the fifth is refused; the newest thirty are kept, also across a restart', async () => {
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push(await begin({ tool: 'ping', host: gateway, count: 60 }, ap))
  expect(await site.browser.post('diagnostics/run', { deviceId: ap, request: { tool: 'neighbours' } })).toMatchObject({
    retCode: 10011,
  })
  for (const id of ids) await site.ok('diagnostics/stop', { id })
  for (const id of ids) await ended(id)
  for (let n = 0; n < 31; n++) await look({ tool: 'port', host: gateway, port: 1000 + n })
  const kept = (await site.ok('diagnostics/list')) as unknown as { total: number; result: Shown[] }
  expect(kept.total).toBe(30)
  expect(kept.result[0]).toMatchObject({ state: 'done', request: { port: 1030 } })
  await site.restart()
  expect(await site.ok('diagnostics/list')).toMatchObject({ total: 30, result: kept.result })
})
