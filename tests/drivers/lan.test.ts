import type { RenderInput } from '@/server/drivers/driver'
import { lanRenderer as linux } from '@/server/drivers/linux/lan'
import { configuredBy, readServers } from '@/server/drivers/linux/owners'
import { planPush } from '@/server/drivers/linux/push'
import type { Interface, Observation } from '@/server/drivers/observation'
import { lanRenderer as openwrt } from '@/server/drivers/openwrt/lan'
import { equal, parseShow, planPush as planUci } from '@/server/drivers/openwrt/push'

const document = (vlan: number, data: Record<string, unknown> = {}) => ({
  id: `id-${vlan}`,
  kind: 'lan',
  name: `LAN ${vlan}`,
  data: {
    name: `LAN ${vlan}`,
    vlan,
    address: `192.168.${vlan}.1/24`,
    poolStart: `192.168.${vlan}.100`,
    poolEnd: `192.168.${vlan}.150`,
    ...data,
  },
})
const port = (name: string, type: Interface['type'], more: Partial<Interface> = {}): Interface => ({
  key: name,
  name,
  type,
  ...more,
})
const ethernet = [
  port('eth0', 'ethernet', { defaultRoute: true, addresses: ['203.0.113.2/24'] }),
  port('eth1', 'ethernet', { addresses: ['10.0.0.1/24'] }),
]
const able = ['root', 'systemd', 'dnsmasq', 'nftables']

function onLinux(documents: RenderInput['documents'], seen: Partial<Observation> = {}, capabilities = able) {
  return linux.render({
    facts: { kind: 'gateway', capabilities },
    observation: { takenAt: 0, depth: 'full', interfaces: ethernet, ...seen },
    documents,
    windowSeconds: 90,
  })
}
const fileOf = ({ blocks }: ReturnType<typeof onLinux>, path: string) =>
  blocks.find(block => block.id === `file:${path}`)?.text ?? ''

test('a VLAN is an 802.1Q interface of the LAN port, addressed by networkd', () => {
  const plan = onLinux([document(20, { ipv6: 'ula' })])
  expect(fileOf(plan, '/etc/lanward/vlans.sh')).toContain('ip link add link "$port" name "$1" type vlan id "$2"')
  expect(fileOf(plan, '/etc/lanward/vlans.sh')).toContain("port='eth1'\n")
  expect(fileOf(plan, '/etc/lanward/vlans.sh')).toContain('\nadd lan20 20 || exit 1\n')
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-lan-lan20.network').split('\n')).toEqual([
    '# Written by Lanward. Changes made here are replaced.',
    '[Match]',
    'Name=lan20',
    '',
    '[Link]',
    'RequiredForOnline=no',
    '',
    '[Network]',
    'Address=192.168.20.1/24',
    expect.stringMatching(/^Address=fd[0-9a-f]{2}:[0-9a-f]{4}:[0-9a-f]{4}:14::1\/64$/),
    'LinkLocalAddressing=ipv6',
    'IPv6AcceptRA=no',
    'IPForward=yes',
    'ConfigureWithoutCarrier=yes',
    '',
  ])
  expect(() => planPush('1', { blocks: [] }, plan, 60)).not.toThrow()
})

test('dnsmasq is told what clients get; what the network says itself goes before what its fields mean', () => {
  const options = [
    { code: 6, type: 'address', value: '10.9.9.9' },
    { code: 66, type: 'text', value: 'a "b\\, $(c)' },
    { code: 224, type: 'text', value: '1500' },
  ]
  const leases = [{ mac: '02:00:00:00:00:01', address: '192.168.20.7', name: 'printer' }]
  const plan = onLinux([document(20, { options, leases, dns1: '9.9.9.9', domain: 'guest.test', lease: 5 })])
  expect(fileOf(plan, '/etc/lanward/dhcp-lan20.conf').split('\n').slice(6)).toEqual([
    'dhcp-range=192.168.20.100,192.168.20.150,255.255.255.0,5m',
    'dhcp-authoritative',
    'domain=guest.test',
    'dhcp-option=3,192.168.20.1',
    'dhcp-option=6,10.9.9.9',
    'dhcp-option=66,"a \\"b\\\\, $(c)"',
    'dhcp-option=224,31:35:30:30',
    'dhcp-host=02:00:00:00:00:01,192.168.20.7,printer',
    '',
  ])
})

const way = (data: Record<string, unknown>) => ({
  id: 'way',
  kind: 'wan',
  name: 'Way',
  data: { name: 'Way', interface: 'eth0', ...data },
})

test('name servers of the ways to the internet are asked for clients’ names', () => {
  const text = (data: object) => fileOf(onLinux([document(20), way({ ...data })]), '/etc/lanward/dhcp-lan20.conf')
  expect(text({ dns1: '9.9.9.9', dns2: '1.1.1.1' })).toContain('\nno-resolv\nserver=9.9.9.9\nserver=1.1.1.1\n')
  expect(text({})).not.toMatch(/no-resolv|server=/)
})

test('a delegated prefix is divided by networkd, a fixed one by VLAN; what nobody gives is said', () => {
  const lans = [20, 276, 30].map(vlan =>
    document(vlan, {
      ipv6: 'delegated',
      poolStart: undefined,
      poolEnd: undefined,
      dhcp: false,
      address: `10.${vlan % 200}.0.1/24`,
    }),
  )
  const file = (plan: ReturnType<typeof onLinux>, vlan: number) =>
    fileOf(plan, `/etc/systemd/network/05-lanward-lan-lan${vlan}.network`)
  const auto = onLinux([...lans, way({ ipv6: 'auto', connection: 'pppoe', user: 'u', password: 'p' })])
  expect(file(auto, 20)).toContain('\nDHCPPrefixDelegation=yes\n')
  expect(file(auto, 20)).toMatch(/\[DHCPPrefixDelegation\]\nUplinkInterface=pppoe-eth0\nAnnounce=no\nToken=::1\n$/)
  expect(fileOf(auto, '/etc/lanward/dhcp-lan20.conf')).toContain(
    'enable-ra\ndhcp-range=::,constructor:lan20,ra-stateless,64\n',
  )
  const asked = onLinux([document(20, { ipv6: 'ula', dhcp6: true, lease: 9 })])
  expect(fileOf(asked, '/etc/lanward/dhcp-lan20.conf')).toMatch(
    /dhcp-range=(fd[0-9a-f:]+)::1000,\1::1fff,slaac,64,9m\n/,
  )
  const fixed = {
    ipv6: 'static',
    address6: '2001:db8::2',
    prefix6: 64,
    gateway6: 'fe80::1',
    delegated: '2001:db8:5000::/56',
  }
  const plan = onLinux([...lans, way(fixed)])
  expect([20, 30, 276].map(vlan => /^Address=(2001.*)$/m.exec(file(plan, vlan))?.[1])).toEqual([
    '2001:db8:5000:14::1/64',
    '2001:db8:5000:1e::1/64',
    // The number of its VLAN is taken: the next.
    '2001:db8:5000:15::1/64',
  ])
  const wide = onLinux([...lans, way({ ipv6: 'auto', delegatedLength: 56, pdLength: 60 })])
  expect(wide.warnings.map(({ code, values }) => [code, values?.length])).toEqual(lans.map(() => ['lanPrefixWide', 60]))
  expect(onLinux([lans[0] as (typeof lans)[0], way({})]).warnings).toMatchObject([{ code: 'lanWithoutPrefix' }])
})

test('the order of the documents does not change the plan', () => {
  const two = [document(30), document(20)]
  expect(onLinux(two)).toEqual(onLinux(two.toReversed()))
})

test.each<[string, object[], Partial<Observation>, string[]]>([
  [
    'lanForeign',
    [document(1)],
    { interfaces: [port('eth1', 'ethernet', { configuredBy: '/etc/network/interfaces' })] },
    able,
  ],
  ['lanNameTaken', [document(20)], { interfaces: [...ethernet, port('lan20', 'ethernet')] }, able],
  ['lanServer', [document(20)], { servers: [{ port: 53, program: 'unbound' }] }, able],
  ['lanServer', [document(20)], { servers: [{ port: 67, program: 'dhcpd' }] }, able],
  ['noLanPort', [document(20)], { interfaces: ethernet.slice(0, 1) }, able],
  ['needs.dnsmasq', [document(20)], {}, ['root', 'systemd']],
  ['needs.nftables', [document(20, { isolation: true })], {}, ['root', 'systemd', 'dnsmasq']],
])('what stands in the way is named and stops the push: %s', (code, documents, seen, capabilities) => {
  const { blocks, warnings } = onLinux(documents as RenderInput['documents'], seen, capabilities)
  expect(blocks).toEqual([])
  expect(warnings).toMatchObject([{ code, blocks: true }])
})

test('a port that is set by us, and a dnsmasq bound to other interfaces, are in nobody’s way', () => {
  const own = { configuredBy: '/etc/systemd/network/05-lanward-lan-eth1.network' }
  const seen = { interfaces: [port('eth1', 'ethernet', own)], servers: [{ port: 67 as const, program: 'dnsmasq' }] }
  expect(onLinux([document(1)], seen).warnings).toEqual([])
})

test('an isolated network is cut off from every other of the gateway', () => {
  const rules = fileOf(onLinux([document(20, { isolation: true }), document(30)]), '/etc/lanward/lan.nft')
  expect(rules).toContain('iifname "lan20" ip daddr { 10.0.0.1, 192.168.30.1 } drop')
  expect(rules).toContain('iifname "lan20" oifname { "eth1", "lan30" } drop')
  expect(rules).toContain('iifname { "eth1", "lan30" } oifname "lan20" drop')
})

test('who configures what, and who serves on every interface', () => {
  expect(configuredBy('index=3 /etc/systemd/network/10 lan.network\nname=eth0 ifupdown\nx\n')).toEqual(
    new Map([
      ['index=3', '/etc/systemd/network/10 lan.network'],
      ['name=eth0', 'ifupdown'],
    ]),
  )
  const users = (name: string, pid: number) => `0.0.0.0:* users:(("${name}",pid=${pid},fd=4))`
  const said = [
    'own 12',
    `UNCONN 0 0 0.0.0.0:53 ${users('unbound', 7)}`,
    `UNCONN 0 0 [::]:53 ${users('unbound', 7)}`,
    `UNCONN 0 0 0.0.0.0:67 ${users('dnsmasq', 12)}`,
    `UNCONN 0 0 0.0.0.0%eth1:67 ${users('dnsmasq', 9)}`,
    `UNCONN 0 0 127.0.0.1:53 ${users('dnsmasq', 9)}`,
  ].join('\n')
  expect(readServers(said)).toEqual([{ port: 53, program: 'unbound' }])
  expect(readServers(undefined)).toBeUndefined()
})

describe('on OpenWrt', () => {
  const render = (documents: RenderInput['documents'], networks = [{ name: 'lan', device: 'br-lan' }]) =>
    openwrt.render({
      facts: { kind: 'gateway', capabilities: [] },
      observation: { takenAt: 0, depth: 'full', networks },
      documents,
      windowSeconds: 90,
    })
  const leases = [{ mac: '02:00:00:00:00:01', address: '192.168.20.7', name: 'printer' }]

  test('a network is an interface, a pool with its hosts, and a zone', () => {
    const options = [{ code: 42, type: 'address', value: '10.0.0.1,10.0.0.2' }]
    const { blocks, warnings } = render([document(20, { leases, options, domain: 'guest.test', isolation: true })])
    expect(warnings).toEqual([])
    expect(blocks.map(block => block.text)).toEqual([
      `network.lw_br20=device
network.lw_br20.name='br-lw20'
network.lw_br20.type='bridge'
network.lw_br20.ports='br-lan.20'
network.lw_br20.bridge_empty='1'`,
      `network.lw_lan20=interface
network.lw_lan20.proto='static'
network.lw_lan20.device='br-lw20'
network.lw_lan20.ipaddr='192.168.20.1'
network.lw_lan20.netmask='255.255.255.0'`,
      `dhcp.lw_lan20=dhcp
dhcp.lw_lan20.interface='lw_lan20'
dhcp.lw_lan20.start='100'
dhcp.lw_lan20.limit='51'
dhcp.lw_lan20.leasetime='120m'
dhcp.lw_lan20.dhcpv4='server'
dhcp.lw_lan20.dhcp_option='15,"guest.test"' '3,192.168.20.1' '6,192.168.20.1' '42,10.0.0.1,10.0.0.2'`,
      `dhcp.lw_lan20_020000000001=host
dhcp.lw_lan20_020000000001.mac='02:00:00:00:00:01'
dhcp.lw_lan20_020000000001.ip='192.168.20.7'
dhcp.lw_lan20_020000000001.name='printer'`,
      `firewall.lw_lan20=zone
firewall.lw_lan20.name='lw_lan20'
firewall.lw_lan20.network='lw_lan20'
firewall.lw_lan20.input='REJECT'
firewall.lw_lan20.output='ACCEPT'
firewall.lw_lan20.forward='REJECT'`,
      `firewall.lw_lan20_dhcp=rule
firewall.lw_lan20_dhcp.name='lw_lan20 DHCP and DNS'
firewall.lw_lan20_dhcp.src='lw_lan20'
firewall.lw_lan20_dhcp.proto='tcp' 'udp'
firewall.lw_lan20_dhcp.dest_port='53 67'
firewall.lw_lan20_dhcp.target='ACCEPT'`,
      `firewall.lw_lan20_to_wan=forwarding
firewall.lw_lan20_to_wan.src='lw_lan20'
firewall.lw_lan20_to_wan.dest='wan'`,
    ])
    const seen = parseShow(blocks.map(block => block.text).join('\n'))
    expect(blocks.every((block, at) => seen.blocks[at] && equal(block, seen.blocks[at]))).toBe(true)
  })

  test('a delegated prefix is assigned in the length that the way says, with addresses by DHCPv6', () => {
    const { blocks, warnings } = render([
      document(20, { ipv6: 'delegated', dhcp6: true }),
      way({ ipv6: 'auto', pdLength: 62 }),
    ])
    expect(warnings).toMatchObject([{ code: 'lanPrefixWide', values: { length: 62 } }])
    const text = blocks.map(block => block.text).join('\n')
    expect(text).toContain("network.lw_lan20.ip6assign='62'\n")
    expect(text).toContain("dhcp.lw_lan20.ra='server'\ndhcp.lw_lan20.dhcpv6='server'\n")
  })

  test('an isolated network with IPv6 hears its router and neighbours, and is given addresses', () => {
    const { blocks } = render([document(20, { isolation: true, ipv6: 'ula' })])
    const text = blocks.map(block => block.text).join('\n')
    expect(text).toContain("firewall.lw_lan20_dhcp.dest_port='53 67 547'\n")
    expect(text).toContain(`firewall.lw_lan20_icmpv6=rule
firewall.lw_lan20_icmpv6.name='lw_lan20 ICMPv6'
firewall.lw_lan20_icmpv6.family='ipv6'
firewall.lw_lan20_icmpv6.src='lw_lan20'
firewall.lw_lan20_icmpv6.proto='icmp'
firewall.lw_lan20_icmpv6.icmp_type='router-solicitation' 'router-advertisement' 'neighbour-solicitation' 'neighbour-advertisement'
firewall.lw_lan20_icmpv6.target='ACCEPT'`)
  })

  test('a push touches the three files, makes lists of lists, and keeps the order where it counts', () => {
    const before = render([document(20)])
    const next = render([document(20, { isolation: true, leases })])
    const plan = planUci('id', before, next, 60)
    expect(plan.files).toEqual(['/etc/config/dhcp', '/etc/config/firewall'])
    expect(plan.apply).not.toContain('delete network.')
    expect(plan.apply).toContain('uci -q delete firewall.lw_lan20_to_wan\n')
    const text = plan.writes[0]?.text ?? ''
    expect(text).toContain("add_list firewall.lw_lan20.network='lw_lan20'\n")
    expect(text).toContain("add_list firewall.lw_lan20_dhcp.proto='tcp'\nadd_list firewall.lw_lan20_dhcp.proto='udp'\n")
    expect(text.indexOf('firewall.lw_lan20=zone')).toBeLessThan(text.indexOf('firewall.lw_lan20_to_wan=forwarding'))
    expect(planUci('id', next, next, 60).files).toEqual([])
  })

  test.each([
    ['lanForeign', [{ name: 'lan', device: 'br-lan' }], document(1)],
    [
      'lanForeign',
      [
        { name: 'lan', device: 'br-lan' },
        { name: 'guest', device: 'br-lan.20' },
      ],
      document(20),
    ],
    ['noLanPort', [{ name: 'wan', device: 'eth1' }], document(20)],
  ])('what the device has already is left alone: %s', (code, networks, wanted) => {
    expect(render([wanted], networks)).toMatchObject({ blocks: [], warnings: [{ code, blocks: true }] })
  })

  test('a bridge that tells VLANs apart needs them on its ports', () => {
    const { blocks, warnings } = render([document(20)], [{ name: 'lan', device: 'br-lan.1' }])
    expect(warnings.map(warning => warning.code)).toEqual(['lanVlanPorts'])
    expect(blocks[0]?.text).toContain("network.lw_lan20.device='br-lan.20'")
  })
})
