import { type Check, causeOf, checkNames, stateOf } from '@/model/troubleshooting/client-check'
import { routeOf, udpListeners } from '@/server/drivers/tools/gateway-probe'
import { type ClientSigns, judgeClient } from '@/server/worker/client-judge'

// The fault that is named by what was measured: one of each kind, none where there is none, unknown where nothing tells.

const mac = '02:00:5e:10:00:c2'
const at = Date.parse('2026-11-24T10:00:00Z')
const counters = (packets: number, errors: number) => ({ bits: 64, inPackets: packets, inErrors: errors }) as const
const echoes = (received: number, avgMs = 1) => ({ sent: 10, received, ...(received > 0 && { avgMs }) })

const port = { device: 'sw1', port: 'p4', duplex: 'full', before: counters(1000, 7), after: counters(3000, 7) } as const
const fine = {
  ...{ online: true, blocked: false, place: 'Office', at, wifi: true, device: { name: 'ap1', online: true } },
  ...{ signalDbm: -60, retryPercent: 5, radio: { channel: 36, utilizationPercent: 20 }, ports: [port] },
  address: '10.0.0.9',
  gateway: {
    ...{ name: 'gw', online: true, ownSubnet: true, wans: [] },
    leases: { lease: { mac, address: '10.0.0.9', expiresAt: at + 3_600_000 } },
    probe: {
      ...{ dhcpServer: true, dnsServer: true, dns: { state: 'found', answers: ['203.0.113.7'], ms: 3 } },
      ...{ echoes: echoes(10), neighbour: { mac }, route: { via: '203.0.113.1', interface: 'wan' }, hop: echoes(10) },
    },
  },
} satisfies ClientSigns

const judge = (signs: ClientSigns) => judgeClient(signs, { mac, name: 'example.com' })
const brief = (one: Check | undefined) => one && `${one.what} ${one.reason}`
const gateway = (change: object): ClientSigns => ({ ...fine, gateway: { ...fine.gateway, ...change } })
const probe = (change: object) => gateway({ probe: { ...fine.gateway.probe, ...change } })
const wired = { ...fine, wifi: false }

test('each check is made once, in order; where all is well no fault is named', () => {
  const checks = judge(fine)
  expect(checks.map(one => one.what)).toEqual(checkNames)
  expect(checks.map(stateOf)).toEqual(checkNames.map(() => 'fine'))
  expect(causeOf(checks)).toBeUndefined()
})

const faults: [string, ClientSigns, string][] = [
  ['weak signal', { ...fine, signalDbm: -78 }, 'signal weak'],
  ['frames sent again', { ...fine, retryPercent: 40 }, 'retries many'],
  ['a busy channel', { ...fine, radio: { channel: 36, utilizationPercent: 75 } }, 'channel busy'],
  ['port errors', { ...wired, ports: [{ ...port, after: counters(2998, 9) }] }, 'portErrors errors'],
  ['half duplex', { ...wired, ports: [port, { ...port, port: 'p1', duplex: 'half' }] }, 'duplex half'],
  ['no address', { ...gateway({ leases: {} }), address: undefined } as never, 'dhcp noAddress'],
  ['an address of its own making', { ...fine, address: '169.254.7.7' }, 'dhcp linkLocal'],
  ['an address of another segment', gateway({ ownSubnet: false }), 'dhcp otherSubnet'],
  ['no DHCP server', probe({ dhcpServer: false }), 'dhcp noServer'],
  ['no name server', probe({ dnsServer: false, dns: { missing: 'nslookup' } }), 'dns noServer'],
  ['a silent name server', probe({ dns: { state: 'silent', answers: [] } }), 'dns silent'],
  ['a name server that cannot ask others', probe({ dns: { state: 'refused', answers: [] } }), 'dns refused'],
  ['loss to the gateway', probe({ echoes: echoes(8) }), 'gateway loss'],
  ['nobody answers the gateway', probe({ echoes: echoes(0), neighbour: null }), 'gateway silent'],
  ['an address used twice', probe({ neighbour: { mac: '02:00:5e:10:00:99' } }), 'gateway conflict'],
  ['a gateway that is off', gateway({ online: false }), 'gateway offline'],
  ['no route', probe({ route: null, hop: undefined }), 'wan noRoute'],
  ['a silent next hop', probe({ hop: echoes(0), hopThere: false }), 'wan hopSilent'],
  ['loss on the WAN', probe({ hop: echoes(9) }), 'wan loss'],
  ['a WAN that is down', gateway({ wans: [{ up: false, interface: 'wan' }] }), 'wan down'],
  ['the block list', { ...fine, blocked: true }, 'connection blocked'],
  [
    'its access point is off',
    { ...fine, online: false, device: { name: 'ap1', online: false } },
    'connection deviceAway',
  ],
  ['it is gone', { ...fine, online: false }, 'connection gone'],
]
test.each(faults)('the fault is named: %s', (_, signs, named) => {
  expect(brief(causeOf(judge(signs)))).toBe(named)
})

test('names that cannot be looked up are the consequence of a WAN that is down, and not its cause', () => {
  const dns = { dns: { state: 'silent', answers: [] }, route: null }
  expect(brief(causeOf(judge(probe(dns))))).toBe('wan noRoute')
  expect(brief(causeOf(judge(probe({ ...dns, dnsServer: false }))))).toBe('dns noServer')
})

test('between fine and a fault it is fair, and no fault is named', () => {
  const signs = { ...probe({ echoes: echoes(9) }), signalDbm: -68, retryPercent: 16 }
  const checks = judge({ ...signs, radio: { channel: 1, utilizationPercent: 51 } })
  expect(checks.filter(one => stateOf(one) === 'fair').map(brief)).toEqual([
    ...['signal fair', 'retries fair', 'channel fair', 'gateway lossy'],
  ])
  expect(causeOf(checks)).toBeUndefined()
})

test('what nothing tells is unknown, and never fine', () => {
  const { online, blocked, place, wifi } = fine
  const bare = { ...{ online, blocked, place, at, wifi }, ports: [] }
  const unknown = (signs: ClientSigns) =>
    judge(signs)
      .filter(one => stateOf(one) === 'unknown')
      .map(brief)
  expect(unknown(bare)).toEqual([
    ...['signal untold', 'retries untold', 'channel untold', 'portErrors untold', 'duplex untold'],
    ...['dhcp noGateway', 'dns noGateway', 'gateway noGateway', 'wan noGateway'],
  ])
  const { probe: _, leases: __, ...silent } = fine.gateway
  expect(unknown({ ...fine, gateway: silent })).toEqual([
    ...['dhcp untold', 'dns noPrograms', 'gateway noPrograms', 'wan noPrograms'],
  ])
  // Counters that began anew, and a name server that could not be asked.
  const anew = { ...probe({ dns: { missing: 'nslookup' } }), ports: [{ ...port, after: counters(5, 0) }] }
  expect(unknown(anew)).toEqual(['portErrors untold', 'dns missing'])
  expect(causeOf(judge(bare))).toBeUndefined()
})

test('who answers ARP and no ping is there; a client on the air may answer late, one by cable not', () => {
  const at = (signs: ClientSigns) => brief(judge(signs).find(one => one.what === 'gateway'))
  expect(at(probe({ echoes: echoes(0) }))).toBe('gateway arp')
  const late = probe({ echoes: echoes(10, 200) })
  expect(at(late)).toBe('gateway reached')
  expect(at({ ...late, wifi: false })).toBe('gateway slow')
})

test('a client by cable has no signal, one that is gone no ports; neither is a fault', () => {
  const of = (signs: ClientSigns) => Object.fromEntries(judge(signs).map(one => [one.what, one.reason]))
  expect(of(wired)).toMatchObject({ signal: 'wired', retries: 'wired', channel: 'wired' })
  expect(of({ ...fine, online: false })).toMatchObject({
    portErrors: 'away',
    duplex: 'away',
    dhcp: 'away',
    dns: 'answers',
  })
})

test('which servers listen is read of the kernel’s table, without loopback', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue',
    '  12: 00000000:0043 00000000:0000 07 00000000:00000000 00:00000000',
    '  13: 3500007F:0035 00000000:0000 07 00000000:00000000 00:00000000',
    '  14: 00000000000000000000000000000000:0202 00000000000000000000000000000000:0000 07',
  ]
  expect([...udpListeners(table.join('\n'))]).toEqual([67, 514])
})

test.each([
  ['192.0.2.1 via 203.0.113.1 dev eth0 src 203.0.113.2 uid 0', { via: '203.0.113.1', interface: 'eth0' }],
  ['192.0.2.1 dev pppoe-wan src 100.64.0.2', { interface: 'pppoe-wan' }],
  ['RTNETLINK answers: Network is unreachable', null],
])('the way out: %s', (text, route) => expect(routeOf(text)).toEqual(route))
