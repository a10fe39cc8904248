import type { RenderInput } from '@/server/drivers/driver'
import { blockedRenderer } from '@/server/drivers/linux/blocked'
import { parseFilters } from '@/server/drivers/linux/filters'
import { firewallRenderer, rulesFile } from '@/server/drivers/linux/firewall'
import { defaultRoutes } from '@/server/drivers/linux/interfaces'
import { wirelessRenderer } from '@/server/drivers/linux/wireless-rules'
import { addresses, remark } from '@/server/drivers/unix/nft'

const rule = (id: string, data: Record<string, unknown>) => ({
  id,
  kind: 'wiredRule',
  name: String(data.name ?? id),
  data: { name: id, ...data },
})
const lan = { key: 'eth1', name: 'eth1', type: 'ethernet' as const, addresses: ['10.0.0.1/24'] }
const wan = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, addresses: ['10.9.9.2/24'], defaultRoute: true }

function render(documents: RenderInput['documents'], more: Partial<RenderInput['observation']> & object = {}) {
  const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'nftables'] }
  const observation = { takenAt: 0, depth: 'full' as const, interfaces: [lan, wan], ...more }
  return firewallRenderer.render({ facts, observation, documents, windowSeconds: 90 })
}
const lines = (documents: RenderInput['documents']) =>
  render(documents)
    .blocks.find(block => block.id === `file:${rulesFile.path}`)
    ?.text.split('\n')
    .filter(line => line.includes('comment "'))
    .map(line => line.trim().replace(/ comment "[^"]*"/, ''))

test.each([
  ['out to the internet', {}, ['iifname != "eth0" oifname "eth0" counter drop']],
  [
    'in from the internet',
    { from: 'wan', to: 'lan', action: 'allow' },
    ['iifname "eth0" oifname != "eth0" counter accept'],
  ],
  ['anything through', { from: 'any', to: 'any' }, ['counter drop']],
  ['to the gateway', { from: 'lan', to: 'device' }, ['iifname != "eth0" counter drop']],
  ['from the gateway', { from: 'device', to: 'wan' }, ['oifname "eth0" counter drop']],
  [
    'ports',
    { from: 'any', to: 'any', protocol: 'tcp', ports: '80,443,8000-8100' },
    ['tcp dport { 80, 443, 8000-8100 } counter drop'],
  ],
  [
    'both protocols',
    { from: 'any', to: 'any', protocol: 'tcpUdp', ports: '53', sourcePorts: '1024-65535' },
    ['meta l4proto { tcp, udp } th sport 1024-65535 th dport 53 counter drop'],
  ],
  ['a protocol alone', { from: 'any', to: 'any', protocol: 'udp' }, ['meta l4proto udp counter drop']],
  ['ICMP', { from: 'any', to: 'any', protocol: 'icmp' }, ['meta l4proto { icmp, ipv6-icmp } counter drop']],
  [
    'reject, by what the protocol understands',
    { from: 'any', to: 'any', action: 'reject' },
    ['meta l4proto tcp counter reject with tcp reset', 'counter reject'],
  ],
  [
    'each version of the addresses that both ends have',
    { from: 'any', to: 'any', sources: ['10.1.0.0/16', '2001:db8::/32'], destinations: ['192.0.2.7'] },
    ['ip saddr 10.1.0.0/16 ip daddr 192.0.2.7 counter drop'],
  ],
  [
    'both versions',
    { from: 'any', to: 'any', sources: ['10.1.2.3', '2001:db8::1'] },
    ['ip saddr 10.1.2.3 counter drop', 'ip6 saddr 2001:db8::1 counter drop'],
  ],
  [
    'a LAN network by reference, as its segment',
    {
      from: 'lan',
      fromLan: { address: '10.0.20.1/24', vlan: 20 },
      to: 'lan',
      toLan: { address: '10.0.30.1/24', vlan: 30 },
    },
    ['iifname != "eth0" oifname != "eth0" ip saddr 10.0.20.0/24 ip daddr 10.0.30.0/24 counter drop'],
  ],
  [
    'a LAN network, and some of its addresses',
    { fromLan: { address: '10.0.20.1/24', vlan: 20 }, sources: ['10.0.20.7', '2001:db8::7'] },
    ['iifname != "eth0" oifname "eth0" ip saddr 10.0.20.0/24 ip saddr 10.0.20.7 counter drop'],
  ],
  [
    'MAC addresses (N4)',
    { from: 'any', to: 'any', macs: ['00-1A-2B-3C-4D-5E', '001a2b3c4d5f'] },
    ['ether saddr { 00:1a:2b:3c:4d:5e, 00:1a:2b:3c:4d:5f } counter drop'],
  ],
])('a rule: %s', (_name, data, expected) => {
  expect(lines([rule('1', data)])).toEqual(expected)
})

test('rules keep their order, those that are off are left out, and each chain holds its own', () => {
  const documents = [
    rule('b', { from: 'any', to: 'any', action: 'allow' }),
    rule('off', { enabled: false }),
    rule('a', { from: 'any', to: 'any' }),
    rule('in', { from: 'lan', to: 'device' }),
  ]
  expect(lines(documents)).toEqual(['counter accept', 'counter drop', 'iifname != "eth0" counter drop'])
  const text = render(documents).blocks[0]?.text ?? ''
  expect(text.match(/chain \w+/g)).toEqual(['chain forward', 'chain input'])
  expect(text).toContain('icmpv6 type { nd-router-solicit')
  expect(lines([rule('off', { enabled: false })])).toBeUndefined()
})

test('what a set cannot hold twice is said once', () => {
  const list = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '192.0.2.1', '192.0.2.1/32', '2001:db8::1', '2001:db8::/64']
  expect(addresses(list, 4)).toEqual(['10.0.0.0/8', '192.0.2.1'])
  expect(addresses(list, 6)).toEqual(['2001:db8::/64'])
  expect(addresses(['64:ff9b::192.0.2.1/128', '64:ff9b::c000:0201'], 6)).toEqual(['64:ff9b:0:0:0:0:c000:201/128'])
  expect(addresses(['0.0.0.0/0', '10.1.2.3'], 4)).toEqual(['0.0.0.0/0'])
})

test('a name stays on its line and turns no other text around', () => {
  expect(remark('a\u202Eb\u2028"$(id)` \uE000\\')).toBe('# ab"$(id)` \\')
})

test('without a way to the internet nothing that speaks of it is planned', () => {
  const inside = { interfaces: [lan] }
  expect(render([rule('1', {})], inside)).toEqual({
    blocks: [],
    warnings: [{ code: 'noUplink', kind: 'wiredRule', blocks: true }],
  })
  expect(render([rule('1', { from: 'any', to: 'any' })], inside).warnings).toEqual([])
})

test('a chain of somebody else that would still stop what is allowed is named', () => {
  const filters = parseFilters(
    [
      'inet filter input input drop -',
      'inet filter forward forward drop -d',
      'ip docker FORWARD forward accept -j',
      'ip docker DENY - accept -s',
      'ip quiet forward forward accept -j',
      'inet lanward forward forward accept -s',
      'nonsense',
    ].join('\n'),
  )
  expect(filters.filter(one => one.stops).map(one => one.chain)).toEqual([
    'inet filter input',
    'inet filter forward',
    'ip docker FORWARD',
  ])
  const warned = (data: object) =>
    render([rule('1', { name: 'Camera', ...data })], { filters }).warnings.map(one => one.values?.chain)
  expect(warned({ action: 'allow', from: 'wan', to: 'lan' })).toEqual(['inet filter forward', 'ip docker FORWARD'])
  expect(warned({ action: 'allow', from: 'wan', to: 'device' })).toEqual(['inet filter input'])
  expect(warned({ action: 'deny', from: 'wan', to: 'lan' })).toEqual([])
})

test('only what passes packets on gets rules, and it needs nftables', () => {
  const documents = [rule('1', {})]
  const on = (kind: 'ap' | 'gateway', capabilities: string[]) =>
    firewallRenderer.render({ facts: { kind, capabilities }, documents, windowSeconds: 90 })
  expect(on('ap', ['root', 'systemd', 'nftables'])).toEqual({ blocks: [], warnings: [] })
  expect(on('gateway', ['root', 'systemd']).warnings).toEqual([
    { code: 'needs.nftables', kind: 'wiredRule', blocks: true },
  ])
})

test('default routes, of one way and of several', () => {
  const text =
    'default via 192.0.2.1 dev eth0 \ndefault proto static \\\tnexthop via 1.1.1.1 dev a \\\tnexthop dev b.7\n'
  expect([...defaultRoutes(text)]).toEqual(['eth0', 'a', 'b.7'])
  expect([...defaultRoutes(undefined)]).toEqual([])
})

describe('the manager’s own way', () => {
  const observation = {
    takenAt: 0,
    depth: 'full' as const,
    interfaces: [lan, wan],
    hosts: [{ mac: '02:00:00:00:00:0a', address: '10.0.0.10', source: 'arp' as const }],
    path: { peer: '10.0.0.10', local: '10.0.0.1', interface: 'eth1', port: 'eth1', service: 22 },
  }
  const cutsOf = (...rules: Record<string, unknown>[]) => {
    const documents = rules.map((data, at) => rule(`r${at}`, data))
    return firewallRenderer.cuts?.({ blocks: [] }, { blocks: render(documents).blocks }, observation) ?? []
  }
  const device = { from: 'lan', to: 'device' }

  test.each([
    ['everything to the gateway', [device], 'r0'],
    ['its port', [{ ...device, protocol: 'tcp', ports: '20-25' }], 'r0'],
    ['another port', [{ ...device, protocol: 'tcp', ports: '23,80' }], undefined],
    ['another protocol', [{ ...device, protocol: 'udp' }], undefined],
    ['both protocols, its port', [{ ...device, protocol: 'tcpUdp', ports: '22', action: 'reject' }], 'r0'],
    ['its address', [{ ...device, sources: ['192.0.2.1', '10.0.0.0/28'] }], 'r0'],
    ['another address', [{ ...device, sources: ['10.0.0.11'] }], undefined],
    ['the other version', [{ ...device, sources: ['2001:db8::1'] }], undefined],
    ['its MAC address', [{ ...device, macs: ['02000000000a'] }], 'r0'],
    ['another MAC address', [{ ...device, macs: ['02000000000b'] }], undefined],
    ['from the internet', [{ from: 'wan', to: 'device' }], undefined],
    ['from anywhere', [{ from: 'any', to: 'device' }], 'r0'],
    ['the device’s other address', [{ ...device, destinations: ['10.9.9.2'] }], undefined],
    ['ICMP', [{ ...device, protocol: 'icmp' }], undefined],
    ['an exception before it', [{ ...device, action: 'allow', sources: ['10.0.0.10'] }, device], undefined],
    ['an exception after it', [device, { ...device, action: 'allow', sources: ['10.0.0.10'] }], 'r0'],
    [
      'an exception that leans on the source port',
      [{ ...device, action: 'allow', protocol: 'tcp', sourcePorts: '40000' }, device],
      'r1',
    ],
    [
      'an exception by schedule',
      [{ ...device, action: 'allow', schedule: { name: 'Office', weekly: 'mon-sun 00:00-24:00' } }, device],
      'r1',
    ],
    ['through the gateway', [{ from: 'any', to: 'any' }], undefined],
    ['from the gateway', [{ from: 'device', to: 'any' }], undefined],
  ])('%s', (_name, rules, document) => {
    expect(cutsOf(...rules).map(cut => cut.document)).toEqual(document === undefined ? [] : [document])
  })

  test('is told with the rule’s name, once, and not for a block that stays', () => {
    const { blocks } = render([rule('1', { ...device, name: 'Nobody' })])
    const told = firewallRenderer.cuts?.({ blocks: [] }, { blocks }, observation)
    expect(told).toMatchObject([{ code: 'firewall', values: { rule: 'Nobody', peer: '10.0.0.10' }, document: '1' }])
    expect(firewallRenderer.cuts?.({ blocks }, { blocks }, observation)).toEqual([])
    const { path: _path, ...unknown } = observation
    expect(firewallRenderer.cuts?.({ blocks: [] }, { blocks }, unknown)).toEqual([])
  })
})

describe('port forwards', () => {
  const forward = (id: string, data: Record<string, unknown>) => ({ ...rule(id, data), kind: 'portForward' })

  test.each([
    ['to the same port', { ports: '8080' }, 'tcp dport 8080 counter dnat ip to 10.0.0.7'],
    ['to another', { ports: '8080', innerPort: 80 }, 'tcp dport 8080 counter dnat ip to 10.0.0.7:80'],
    ['several', { ports: '80,443,5000-5010' }, 'tcp dport { 80, 443, 5000-5010 } counter dnat ip to 10.0.0.7'],
    [
      'both protocols, from some',
      { protocol: 'tcpUdp', ports: '53', sources: ['198.51.100.0/24'] },
      'ip saddr 198.51.100.0/24 meta l4proto { tcp, udp } th dport 53 counter dnat ip to 10.0.0.7',
    ],
  ])('%s', (_name, data, expected) => {
    expect(lines([forward('1', { address: '10.0.0.7', ...data })])).toEqual([
      `iifname "eth0" fib daddr type local ${expected}`,
      `iifname != "eth0" fib daddr type local fib daddr . iif type != local ${expected}`,
    ])
  })

  test('a server answers a client of its own network through the gateway', () => {
    const masked = (data: Record<string, unknown>) =>
      /^.*masquerade$/m
        .exec(render([forward('1', { address: '10.0.0.7', ports: '80', ...data })]).blocks[0]?.text ?? '')?.[0]
        .trim()
    const place = 'iifname != "eth0" oifname != "eth0" ct status dnat ip daddr 10.0.0.7'
    expect(masked({})).toBe(`${place} meta l4proto tcp th dport 80 masquerade`)
    expect(masked({ protocol: 'tcpUdp', innerPort: 8080 })).toBe(
      `${place} meta l4proto { tcp, udp } th dport 8080 masquerade`,
    )
  })

  test('a way that is set here counts as outside before it is up', () => {
    const way = { id: 'w', kind: 'wan', name: 'w', data: { name: 'w', interface: 'eth5', connection: 'pppoe' } }
    const text = render([forward('1', { ports: '80', address: '10.0.0.7' }), way]).blocks[0]?.text
    expect(text).toContain('iifname { "eth0", "pppoe-eth5" } fib daddr type local tcp dport 80')
    expect(render([way]).blocks).toEqual([])
  })

  test('the ones for few come before the one for all', () => {
    const list = [
      forward('a', { ports: '80', address: '10.0.0.7' }),
      forward('b', { ports: '80', address: '10.0.0.8', sources: ['198.51.100.1'] }),
    ]
    expect(lines(list)?.map(line => line.split(' ').at(-1))).toEqual(['10.0.0.8', '10.0.0.8', '10.0.0.7', '10.0.0.7'])
  })

  test('a chain that stops what is forwarded is named, one that lets it through is not', () => {
    const filters = parseFilters('inet one forward forward drop -\ninet two forward forward drop -d')
    const { warnings } = render([forward('1', { ports: '80', address: '10.0.0.7' })], { filters })
    expect(warnings).toMatchObject([{ code: 'foreignFirewall', values: { chain: 'inet one forward' } }])
  })

  test('the manager’s own connection from outside is not led elsewhere unseen', () => {
    const path = { peer: '198.51.100.9', local: '10.9.9.2', interface: 'eth0', service: 22 }
    const cuts = (ports: string) => {
      const { blocks } = render([forward('1', { ports, address: '10.0.0.7' })])
      const observation = { takenAt: 0, depth: 'full' as const, interfaces: [lan, wan], path }
      return firewallRenderer.cuts?.({ blocks: [] }, { blocks }, observation)
    }
    expect(cuts('20-22')).toMatchObject([{ code: 'portForward', document: '1', values: { port: 22 } }])
    expect(cuts('2222')).toEqual([])
  })

  test('nor is its own connection from inside, by an address of the other side alone', () => {
    const { blocks } = render([forward('1', { ports: '22', address: '10.0.0.7' })])
    const cuts = (local: string) =>
      firewallRenderer.cuts?.(
        { blocks: [] },
        { blocks },
        {
          takenAt: 0,
          depth: 'full' as const,
          interfaces: [lan, wan],
          path: { peer: '10.0.0.9', local, interface: 'eth1', service: 22 },
        },
      )
    expect(cuts('10.9.9.2')).toMatchObject([{ code: 'portForward', document: '1' }])
    expect(cuts('10.0.0.1')).toEqual([])
  })
})

describe('blocked clients', () => {
  const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'nftables'] }
  const blocked = (mac: string, until?: string) => ({
    id: mac,
    kind: 'blockedClient',
    name: mac,
    data: { mac, ...(until && { until }) },
  })
  const port = { key: 'p1', name: 'p1', type: 'ethernet' as const, master: 'br0' }
  const bridge = { key: 'br0', name: 'br0', type: 'bridge' as const }
  const textOf = (kind: 'gateway' | 'ap', interfaces: object[], ...documents: ReturnType<typeof blocked>[]) =>
    blockedRenderer.render({
      facts: { ...facts, kind },
      observation: { takenAt: 0, depth: 'full', interfaces: interfaces as (typeof lan)[] },
      documents,
      windowSeconds: 90,
    }).blocks[0]?.text

  test('for good in a set, for a while by the clock', () => {
    const text = textOf(
      'gateway',
      [lan],
      blocked('00:00:00:00:00:02', '2026-11-22T20:00:00Z'),
      blocked('00-00-00-00-00-01'),
    )
    expect(text).toContain('elements = { 00:00:00:00:00:01 }')
    expect(text).toContain('ether saddr 00:00:00:00:00:02 meta time < 1795377600 counter drop')
    expect(text?.match(/^table .* \{$/gm)).toEqual(['table inet lanward_blocked {'])
  })

  test('where frames are passed on, too: a bridge of the kernel’s own', () => {
    const tables = (kind: 'gateway' | 'ap', interfaces: object[]) =>
      textOf(kind, interfaces, blocked('000000000001'))?.match(/^table .* \{$/gm)
    expect(tables('ap', [bridge, port])).toEqual(['table bridge lanward_blocked {'])
    expect(tables('gateway', [bridge, port])).toHaveLength(2)
    expect(tables('ap', [bridge])).toBeUndefined()
  })

  test('the manager’s own MAC address on the list is told', () => {
    const observation = {
      takenAt: 0,
      depth: 'full' as const,
      interfaces: [lan],
      hosts: [{ mac: '02:00:00:00:00:0a', address: '10.0.0.10', source: 'arp' as const }],
      path: { peer: '10.0.0.10', local: '10.0.0.1' },
    }
    const cutsOf = (mac: string) => {
      const { blocks } = blockedRenderer.render({ facts, observation, documents: [blocked(mac)], windowSeconds: 90 })
      return blockedRenderer.cuts?.({ blocks: [] }, { blocks }, observation)
    }
    expect(cutsOf('02-00-00-00-00-0A')).toMatchObject([{ code: 'blocked', values: { mac: '02:00:00:00:00:0a' } }])
    expect(cutsOf('02:00:00:00:00:0b')).toEqual([])
  })
})

describe('wireless rules', () => {
  const radio = { key: 'wlan0', name: 'wlan0', band: '2g' as const, interface: 'wlan0', bridge: 'br-lan', maxBss: 8 }
  const network = (id: string, data: Record<string, unknown>) => ({
    id,
    kind: 'ssid',
    name: id,
    data: { name: id, security: 'open', ...data },
  })
  const wireless = (id: string, data: Record<string, unknown>) => ({ ...rule(id, data), kind: 'wirelessRule' })
  const renderAp = (documents: RenderInput['documents'], more: object = {}) =>
    wirelessRenderer.render({
      facts: { kind: 'ap', capabilities: ['root', 'systemd', 'nftables', 'hostapd', 'wifi'] },
      observation: { takenAt: 0, depth: 'full', interfaces: [lan], radios: [{ ...radio, driver: 'nl80211', ...more }] },
      documents,
      windowSeconds: 90,
    })
  const rulesOf = (...documents: RenderInput['documents']) =>
    renderAp(documents)
      .blocks[0]?.text.split('\n')
      .filter(line => line.includes('comment "'))
      .map(line => line.trim().replace(/ comment "[^"]*"/, ''))

  test('each is about the interface that its network is sent out on, or about all of them', () => {
    const both = [network('Guest', {}), network('Office', {})]
    const guest = wireless('1', { ssid: { name: 'Guest' }, destinations: ['10.0.0.0/8', '2001:db8::/32'] })
    const office = wireless('2', { ssid: { name: 'Office' }, protocol: 'tcp', ports: '80', action: 'allow' })
    const all = wireless('3', { protocol: 'udp', macs: ['001a2b3c4d5e'] })
    expect(rulesOf(...both, guest, office, all)).toEqual([
      'iifname "wlan0" ip daddr 10.0.0.0/8 counter drop',
      'iifname "wlan0" ip6 daddr 2001:db8::/32 counter drop',
      'iifname "wlan0_1" tcp dport 80 counter accept',
      'iifname { "wlan0", "wlan0_1" } ether saddr 00:1a:2b:3c:4d:5e meta l4proto udp counter drop',
    ])
  })

  test('one whose network the device does not send out is left out and told', () => {
    const { blocks, warnings } = renderAp([network('Office', {}), wireless('1', { ssid: { name: 'Guest' } })])
    expect(blocks).toEqual([])
    expect(warnings).toMatchObject([{ code: 'ruleWithoutNetwork', document: '1' }])
  })

  test('a manager that comes in by the network is not shut out unseen', () => {
    const documents = [network('Office', {}), wireless('1', { name: 'Quiet', protocol: 'tcp', ports: '1-100' })]
    const path = { peer: '10.0.0.10', local: '10.0.0.3', interface: 'br-lan', service: 22 }
    const cutsBy = (port: string) =>
      wirelessRenderer.cuts?.(
        { blocks: [] },
        { blocks: renderAp(documents).blocks },
        {
          takenAt: 0,
          depth: 'full',
          interfaces: [
            { key: 'wlan0', name: 'wlan0', type: 'wifi' },
            { key: 'eth0', name: 'eth0', type: 'ethernet' },
          ],
          path: { ...path, port },
        },
      )
    expect(cutsBy('wlan0')).toMatchObject([{ code: 'firewall', kind: 'wirelessRule', values: { rule: 'Quiet' } }])
    expect(cutsBy('eth0')).toEqual([])
  })
})
