import type { RenderInput } from '@/server/drivers/driver'
import { internetRenderer as linux } from '@/server/drivers/linux/internet'
import { planPush } from '@/server/drivers/linux/push'
import { pppoeLink } from '@/server/drivers/linux/wan-links'
import type { Observation } from '@/server/drivers/observation'
import { internetRenderer as openwrt } from '@/server/drivers/openwrt/internet'
import { equal, parseShow, planPush as planUci } from '@/server/drivers/openwrt/push'
import { unmarked } from '@/server/drivers/unix/secret'

const document = (kind: string, id: string, data: Record<string, unknown>) => ({
  id,
  kind,
  name: id,
  data: { name: id, ...data },
})
const kept = document('wan', 'a', { interface: 'eth0', connection: 'kept', metric: 1 })
const dsl = document('wan', 'b', {
  interface: 'eth3',
  vlan: 7,
  vlanPriority: 5,
  metric: 2,
  weight: 3,
  targets: ['9.9.9.9'],
})
const fixed = document('wan', 'c', {
  interface: 'eth4',
  connection: 'static',
  address: '198.51.100.2',
  prefix: 25,
  gateway: '198.51.100.1',
  metric: 3,
  nat: false,
})
const route = document('staticRoute', 'r', { destination: '10.9.0.0/16', gateway: '192.168.1.2', metric: 4 })
const policy = document('policyRoute', 'p', { source: '10.0.0.0/24', destination: '192.0.2.0/24', wan: dsl.data })

const input = (documents: RenderInput['documents'], seen: Partial<Observation>): RenderInput => ({
  facts: { kind: 'gateway', capabilities: ['root', 'systemd', 'nftables', 'pppoe', 'inadyn'] },
  observation: { takenAt: 0, depth: 'full', ...seen },
  documents,
  windowSeconds: 90,
})
const interfaces = ['eth0', 'eth3', 'eth4'].map(name => ({ key: name, name, type: 'ethernet' as const }))
const onLinux = (documents: RenderInput['documents'], seen: Partial<Observation> = {}) =>
  linux.render(input(documents, { interfaces, ...seen }))
const fileOf = (plan: ReturnType<typeof onLinux>, path: string) =>
  plan.blocks
    .find(block => block.id === `file:${path}`)
    ?.text.split('\n')
    .slice(1)
    .join('\n')

test('a tagged way is a VLAN of networkd with its priority, on an interface that has nothing else', () => {
  const plan = onLinux([dsl])
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-wan7.netdev')).toBe(
    '[NetDev]\nName=wan7\nKind=vlan\n\n[VLAN]\nId=7\nEgressQOSMaps=0-5\n',
  )
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-eth3.network')).toBe(
    '[Match]\nName=eth3\n\n[Link]\nRequiredForOnline=no\n\n[Network]\nVLAN=wan7\nLinkLocalAddressing=no\n',
  )
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-wan7.network')).toBe(
    '[Match]\nName=wan7\n\n[Link]\nRequiredForOnline=no\n\n[Network]\nDHCP=ipv4\nIPForward=ipv4\n\n[DHCPv4]\nRouteMetric=1026\n',
  )
  expect(() => planPush('1', { blocks: [] }, plan, 60)).not.toThrow()
})

test('a fixed address; what is kept as the device has it gets no file', () => {
  const plan = onLinux([kept, fixed])
  expect(plan.blocks.filter(block => block.id.includes('/systemd/network/')).map(block => block.id)).toEqual([
    'file:/etc/systemd/network/05-lanward-wan-eth4.network',
  ])
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-eth4.network')).toContain(
    'Address=198.51.100.2/25\nIPForward=ipv4\n\n[Route]\nGateway=198.51.100.1\nMetric=1027\n',
  )
  expect(fileOf(plan, '/etc/lanward/nat.nft')).toContain('oifname "eth0" masquerade')
})

test('the script knows the ways by rank, the routes, and the policies by the way they take', () => {
  const text = fileOf(onLinux([policy, route, fixed, dsl, kept]), '/etc/lanward/paths.sh')
  expect(text).toContain('  round 1 eth0 1 1\n  round 2 wan7 2 3 9.9.9.9\n  round 3 eth4 3 1\n')
  expect(text).toContain('  rule 28000 from 10.0.0.0/24 to 192.0.2.0/24 lookup 7702\n')
  expect(text).toContain('  ip route replace 10.9.0.0/16 via 192.168.1.2 metric 4 proto 77 2>/dev/null\n')
})

test('routes need no way of ours; a policy whose way is not there is named; what is switched off is left out', () => {
  expect(fileOf(onLinux([route]), '/etc/lanward/paths.sh')).toContain('10.9.0.0/16')
  expect(onLinux([kept, policy]).warnings.map(warning => warning.code)).toEqual(['policyWithoutWan'])
  expect(onLinux([{ ...route, data: { ...route.data, enabled: false } }]).blocks).toEqual([])
})

const dialled = document('wan', 'd', {
  ...{ interface: 'eth3', vlan: 7, connection: 'pppoe', user: 'me@isp', password: 'a"b\\', service: 'isp' },
  ...{ mtu: 1480, ipv6: 'auto', delegatedLength: 60, dns1: '9.9.9.9' },
})

test('PPPoE is pppd on the carrier, with its password marked, and networkd beside it for IPv6', () => {
  const plan = onLinux([dialled])
  const options = fileOf(plan, '/etc/lanward/pppoe-wan7.conf')?.split('\n')
  expect(options?.slice(0, 6)).toEqual([
    'plugin rp-pppoe.so',
    'rp_pppoe_service "isp"',
    'nic-wan7',
    'ifname pppoe-wan7',
    'user "me@isp"',
    'password \uE000"a\\"b\\\\"\uE001',
  ])
  expect(options).toEqual(expect.arrayContaining(['mtu 1480', 'mru 1480', '+ipv6', 'nodefaultroute']))
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-wan7.network')).toBe(
    '[Match]\nName=wan7\n\n[Link]\nRequiredForOnline=no\n\n[Network]\nLinkLocalAddressing=no\n',
  )
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-pppoe-wan7.network')).toBe(
    [
      ...['[Match]', 'Name=pppoe-wan7', '', '[Link]', 'RequiredForOnline=no', '', '[Network]', 'DHCP=ipv6'],
      ...['KeepConfiguration=yes', 'LinkLocalAddressing=ipv6', 'IPv6AcceptRA=yes', 'DNS=9.9.9.9', 'IPForward=yes', ''],
      ...['[IPv6AcceptRA]', 'DHCPv6Client=always', 'RouteMetric=1025', ''],
      ...['[DHCPv6]', 'PrefixDelegationHint=::/60', 'WithoutRA=solicit', ''],
    ].join('\n'),
  )
  expect(fileOf(plan, '/etc/lanward/nat.nft')).toContain(
    'oifname "pppoe-wan7" tcp flags syn / syn,rst tcp option maxseg size set 1440',
  )
  expect(fileOf(plan, '/etc/lanward/paths.sh')).toContain('  round 1 pppoe-wan7 1 1\n')
  const { files, settle } = planPush('1', { blocks: [] }, plan, 60)
  expect(files).toContain('/etc/lanward/pppoe-wan7.conf')
  expect(settle).toContain('lanward-pppoe@wan7.service')
  expect(pppoeLink('enp12s0f1np1')).toMatch(/^pppoe-[0-9a-f]{8}$/)
})

test('a fixed IPv6 address beside one of IPv4; nothing is let in to the LANs but what a rule opens', () => {
  const fixed6 = { ipv6: 'static', address6: '2001:db8::2', prefix6: 64, gateway6: 'fe80::1' }
  const both = { ...fixed, data: { ...fixed.data, ...fixed6 } }
  const rule = (id: string, data: object) =>
    document('wiredRule', id, { from: 'wan', to: 'lan', action: 'allow', ...data })
  const plan = onLinux([both, rule('in', { protocol: 'tcp', ports: '22' }), rule('no', { action: 'deny' })])
  expect(fileOf(plan, '/etc/systemd/network/05-lanward-wan-eth4.network')).toContain(
    'Address=198.51.100.2/25\nLinkLocalAddressing=ipv6\nIPv6AcceptRA=no\nAddress=2001:db8::2/64\nIPForward=yes\n\n[Route]\nGateway=198.51.100.1\nMetric=1027\n\n[Route]\nGateway=fe80::1\nGatewayOnLink=yes\nMetric=1027\n',
  )
  const inbound = fileOf(plan, '/etc/lanward/nat.nft') ?? ''
  expect(inbound).toContain('iifname "eth4" oifname != "eth4" tcp dport 22 counter accept comment "in"')
  expect(inbound).not.toContain('comment "no"')
  expect(inbound).toContain('\t\tcounter drop\n')
  expect(inbound).not.toContain('table ip lanward_nat {')
})

test('a DMZ host gets what comes in by its way; the manager’s own connection too, which is told', () => {
  const plan = onLinux([{ ...kept, data: { ...kept.data, dmzHost: '10.0.0.7' } }, dsl])
  expect(fileOf(plan, '/etc/lanward/nat.nft')).toContain(
    'iifname "eth0" fib daddr type local meta l4proto != icmp counter dnat to 10.0.0.7 comment "a"',
  )
  const cuts = (name: string) =>
    linux.cuts?.({ blocks: [] }, plan, {
      ...{ takenAt: 0, depth: 'full' as const, interfaces },
      path: { peer: '192.0.2.1', local: '203.0.113.2', interface: name, service: 22 },
    })
  expect(cuts('eth0')).toMatchObject([{ code: 'dmz', kind: 'wan', document: 'a' }])
  expect(cuts('eth4')).toEqual([])
})

test.each([
  ['dyn', undefined, 'members.dyndns.org', '/nic/update', 'true'],
  ['noIp', undefined, 'dynupdate.no-ip.com', '/nic/update', 'true'],
  ['custom', 'http://192.0.2.1:8080/', '192.0.2.1:8080', '/nic/update', 'false'],
  ['custom', 'https://dns.test/up', 'dns.test', '/up', 'true'],
])('P8: dynamic DNS by %s %s', (ddns, ddnsServer, host, path, ssl) => {
  const one = {
    ...dsl,
    data: { ...dsl.data, ddns, ddnsServer, ddnsHost: 'h.test', ddnsUser: 'u', ddnsPassword: "a'b" },
  }
  const text = fileOf(onLinux([one]), '/etc/lanward/ddns.conf')
  expect(text).toContain("iface = 'wan7'\n")
  expect(text).toContain("    password = \uE000'a\\'b'\uE001\n")
  expect(text).toContain(`ddns-server = '${host}'\n    ddns-path = '${path}?hostname=%h&myip=%i'`)
  expect(text).toContain(`ssl = ${ssl}\n`)
})

test('a source has a table of its own, and its networks and segments lead there', () => {
  const lan = { name: 'Guests', vlan: 20, address: '192.168.20.1/24' }
  const source = document('internetSource', 's', {
    ...{ lans: [lan], sources: ['10.0.0.7/32'], wans: [fixed.data, dsl.data], mode: 'balance', strict: true },
  })
  const plan = onLinux([kept, dsl, fixed, source])
  expect(fileOf(plan, '/etc/lanward/paths.sh')).toContain(
    '  choose 7710 balance strict 2 3\n  from 28500 7710 192.168.20.0/24 10.0.0.7\n',
  )
  expect(plan.warnings).toEqual([])
  expect(onLinux([kept, source]).warnings.map(warning => warning.code)).toEqual(['sourceWithoutWan'])
})

test.each([
  ['needs.pppoe', dialled],
  ['needs.inadyn', { ...kept, data: { ...kept.data, ddns: 'dyn', ddnsHost: 'h', ddnsUser: 'u', ddnsPassword: 'p' } }],
])('a package that is missing is named: %s', (code, wanted) => {
  const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'nftables'] }
  expect(linux.render({ ...input([wanted], { interfaces }), facts })).toMatchObject({
    blocks: [],
    warnings: [{ code }],
  })
})

describe('on OpenWrt', () => {
  const networks = [
    { name: 'lan', device: 'br-lan' },
    { name: 'wan', device: 'eth0' },
  ]
  const bridge = { key: 'br-lan', name: 'br-lan', type: 'bridge' as const, addresses: ['192.168.1.1/24'] }
  const render = (documents: RenderInput['documents']) =>
    openwrt.render(input(documents, { networks, interfaces: [bridge] }))

  test('a login over PPPoE needs its package', () => {
    const facts = { ...input([], {}).facts, capabilities: ['noPppoe'] }
    const login = { ...dsl, data: { ...dsl.data, connection: 'pppoe', user: 'u', password: 'p', targets: [] } }
    const { blocks, warnings } = openwrt.render({ ...input([login], { networks }), facts })
    expect(blocks.filter(block => block.id.startsWith('uci:network.'))).toEqual([])
    expect(warnings).toMatchObject([{ code: 'needs.pppoe', document: login.id, blocks: true }])
  })

  test('an address by DHCPv6 needs its package: netifd would say nothing', () => {
    const six = { ...dsl, data: { ...dsl.data, ipv6: 'auto', targets: [] } }
    const made = (...capabilities: string[]) =>
      openwrt.render({ ...input([six], { networks }), facts: { ...input([], {}).facts, capabilities } })
    const isSix = ({ text }: { text: string }) => text.includes("proto='dhcpv6'")
    expect([made().blocks.some(isSix), made('noDhcpv6').blocks.some(isSix)]).toEqual([true, false])
    expect([made(), made('noDhcpv6')].map(one => one.warnings.map(({ code }) => code))).toEqual([[], ['needs.dhcpv6']])
  })

  test('where mwan3 is, ways are watched and share what is sent, before its own rules', () => {
    const mwan3 = { ...input([], {}).facts, capabilities: ['mwan3'] }
    const own = { ...kept, data: { ...kept.data, targets: ['192.0.2.9'] } }
    const ways = [own, dsl, { ...fixed, data: { ...fixed.data, metric: 2, weight: 3, targets: ['192.0.2.1'] } }]
    const { blocks, warnings } = openwrt.render({ ...input(ways, { networks }), facts: mwan3 })
    const watch = blocks.filter(block => block.id.startsWith('uci:mwan3.'))
    expect(warnings.map(warning => warning.code)).toEqual(['wanHealthOwn'])
    expect(watch.map(block => block.text)).toEqual([
      expect.stringContaining('mwan3.lw_wan_eth3_7=interface'),
      `mwan3.lw_wan_eth4=interface
mwan3.lw_wan_eth4.enabled='1'
mwan3.lw_wan_eth4.family='ipv4'
mwan3.lw_wan_eth4.track_ip='192.0.2.1'
mwan3.lw_wan_eth4.reliability='1'
mwan3.lw_wan_eth4.count='1'
mwan3.lw_wan_eth4.timeout='2'
mwan3.lw_wan_eth4.interval='5'
mwan3.lw_wan_eth4.down='3'
mwan3.lw_wan_eth4.up='3'`,
      `mwan3.lw_member1=member
mwan3.lw_member1.interface='wan'
mwan3.lw_member1.metric='1'
mwan3.lw_member1.weight='1'`,
      `mwan3.lw_member2=member
mwan3.lw_member2.interface='lw_wan_eth3_7'
mwan3.lw_member2.metric='2'
mwan3.lw_member2.weight='3'`,
      `mwan3.lw_member3=member
mwan3.lw_member3.interface='lw_wan_eth4'
mwan3.lw_member3.metric='2'
mwan3.lw_member3.weight='3'`,
      `mwan3.lw_ways=policy
mwan3.lw_ways.use_member='lw_member1' 'lw_member2' 'lw_member3'
mwan3.lw_ways.last_resort='default'`,
      `mwan3.lw_all=rule
mwan3.lw_all.family='ipv4'
mwan3.lw_all.proto='all'
mwan3.lw_all.dest_ip='0.0.0.0/0'
mwan3.lw_all.use_policy='lw_ways'`,
    ])
    const plan = planUci('id', { blocks: [] }, { blocks: watch }, 60)
    expect(plan.writes[0]?.text).toContain("add_list mwan3.lw_ways.use_member='lw_member3'\n")
    expect(plan.writes[0]?.text).toMatch(/reorder mwan3\.lw_all=0\n$/)
  })

  test('ways are interfaces in zones of ours, routes and rules beside them', () => {
    const { blocks, warnings } = render([
      kept,
      dsl,
      fixed,
      route,
      { ...policy, data: { ...policy.data, wan: fixed.data } },
    ])
    expect(warnings.map(warning => warning.code)).toEqual(['wanHealth'])
    expect(blocks.map(block => block.text)).toEqual([
      `network.lw_vlan_eth3_7=device
network.lw_vlan_eth3_7.type='8021q'
network.lw_vlan_eth3_7.ifname='eth3'
network.lw_vlan_eth3_7.vid='7'
network.lw_vlan_eth3_7.name='eth3.7'
network.lw_vlan_eth3_7.egress_qos_mapping='0:5'`,
      `network.lw_wan_eth3_7=interface
network.lw_wan_eth3_7.proto='dhcp'
network.lw_wan_eth3_7.device='eth3.7'
network.lw_wan_eth3_7.metric='2'`,
      `network.lw_wan_eth4=interface
network.lw_wan_eth4.proto='static'
network.lw_wan_eth4.device='eth4'
network.lw_wan_eth4.ipaddr='198.51.100.2'
network.lw_wan_eth4.netmask='255.255.255.128'
network.lw_wan_eth4.gateway='198.51.100.1'
network.lw_wan_eth4.metric='3'`,
      `firewall.lw_wan=zone
firewall.lw_wan.name='lw_wan'
firewall.lw_wan.network='lw_wan_eth3_7'
firewall.lw_wan.input='REJECT'
firewall.lw_wan.output='ACCEPT'
firewall.lw_wan.forward='REJECT'
firewall.lw_wan.masq='1'
firewall.lw_wan.mtu_fix='1'`,
      "firewall.lw_wan_from_lan=forwarding\nfirewall.lw_wan_from_lan.src='lan'\nfirewall.lw_wan_from_lan.dest='lw_wan'",
      expect.stringContaining("firewall.lw_wan_r.network='lw_wan_eth4'"),
      expect.stringContaining("firewall.lw_wan_r_from_lan.dest='lw_wan_r'"),
      `network.lw_route_r=route
network.lw_route_r.interface='lan'
network.lw_route_r.target='10.9.0.0/16'
network.lw_route_r.gateway='192.168.1.2'
network.lw_route_r.metric='4'`,
      `network.lw_table_eth4=route
network.lw_table_eth4.interface='lw_wan_eth4'
network.lw_table_eth4.target='0.0.0.0/0'
network.lw_table_eth4.gateway='198.51.100.1'
network.lw_table_eth4.table='7702'`,
      `network.lw_rule_p=rule
network.lw_rule_p.src='10.0.0.0/24'
network.lw_rule_p.dest='192.0.2.0/24'
network.lw_rule_p.lookup='7702'
network.lw_rule_p.priority='28000'`,
    ])
    const seen = parseShow(blocks.map(block => block.text).join('\n'))
    expect(blocks.every((block, at) => seen.blocks[at] && equal(block, seen.blocks[at]))).toBe(true)
    expect(planUci('id', { blocks: [] }, { blocks }, 60).files).toEqual(['/etc/config/network', '/etc/config/firewall'])
  })

  const texts = (documents: RenderInput['documents'], capabilities = ['ddns']) => {
    const facts = { kind: 'gateway' as const, capabilities }
    const { blocks, warnings } = openwrt.render({ ...input(documents, { networks, interfaces: [bridge] }), facts })
    const seen = parseShow(unmarked(blocks.map(block => block.text).join('\n')))
    expect(blocks.every((block, at) => seen.blocks[at] && equal(block, seen.blocks[at]))).toBe(true)
    return { codes: warnings.map(one => one.code), texts: blocks.map(block => block.text) }
  }

  test('two logins over interfaces with long names have links of their own', () => {
    const over = (id: string, vlan: number) => ({
      ...dialled,
      id,
      data: { ...dialled.data, interface: 'enp12s0f1', vlan },
    })
    const links = [over('1', 1071), over('2', 1072)].map(
      one => /pppname='(.*)'/.exec(texts([one]).texts.join('\n'))?.[1],
    )
    expect(links).toEqual([0, 1].map(() => expect.stringMatching(/^ppp-.{1,11}$/)))
    expect(new Set(links).size).toBe(2)
  })

  test('PPPoE with IPv6 over it, name servers, and what its zone has to let in', () => {
    const told = texts([dialled]).texts
    expect(told.slice(1, 3)).toEqual([
      `network.lw_wan_eth3_7=interface
network.lw_wan_eth3_7.proto='pppoe'
network.lw_wan_eth3_7.device='eth3.7'
network.lw_wan_eth3_7.username='me@isp'
network.lw_wan_eth3_7.password='\uE000a"b\\\uE001'
network.lw_wan_eth3_7.service='isp'
network.lw_wan_eth3_7.mtu='1480'
network.lw_wan_eth3_7.pppname='ppp-eth3.7'
network.lw_wan_eth3_7.ipv6='1'
network.lw_wan_eth3_7.metric='1'
network.lw_wan_eth3_7.peerdns='0'
network.lw_wan_eth3_7.dns='9.9.9.9'`,
      `network.lw_wan6_eth3_7=interface
network.lw_wan6_eth3_7.device='@lw_wan_eth3_7'
network.lw_wan6_eth3_7.proto='dhcpv6'
network.lw_wan6_eth3_7.reqaddress='try'
network.lw_wan6_eth3_7.reqprefix='60'
network.lw_wan6_eth3_7.metric='1'`,
    ])
    const zone = told.join('\n')
    expect(zone).toContain("firewall.lw_wan.network='lw_wan_eth3_7' 'lw_wan6_eth3_7'\n")
    expect(zone).toContain("firewall.lw_wan_dhcpv6.proto='udp'\nfirewall.lw_wan_dhcpv6.dest_port='546'\n")
  })

  test('a fixed IPv6 address, its prefix for the LANs, and a zone for each DMZ', () => {
    const fixed6 = { ipv6: 'static', address6: '2001:db8::2', prefix6: 64, gateway6: 'fe80::1' }
    const one = { ...fixed, data: { ...fixed.data, ...fixed6, delegated: '2001:db8:1::/56', dmzHost: '10.0.0.9' } }
    const told = texts([one]).texts
    expect(told[1]).toBe(
      `network.lw_wan6_eth4=interface
network.lw_wan6_eth4.device='eth4'
network.lw_wan6_eth4.proto='static'
network.lw_wan6_eth4.ip6addr='2001:db8::2/64'
network.lw_wan6_eth4.ip6gw='fe80::1'
network.lw_wan6_eth4.ip6prefix='2001:db8:1::/56'
network.lw_wan6_eth4.metric='3'`,
    )
    expect(told[2]).toMatch(/^firewall\.lw_dmz1=zone\n.*\n.*network='lw_wan_eth4' 'lw_wan6_eth4'\n(?:.*\n)*.*masq='0'/)
  })

  test('dynamic DNS by ddns-scripts where they are', () => {
    const named = {
      ddns: 'custom',
      ddnsServer: 'http://10.0.0.3:8000/up',
      ddnsHost: 'h.test',
      ddnsUser: 'u',
      ddnsPassword: 'p',
    }
    const one = { ...kept, data: { ...kept.data, ...named } }
    expect(texts([one]).texts).toEqual([
      `ddns.lw_ddns=service
ddns.lw_ddns.enabled='1'
ddns.lw_ddns.use_ipv6='0'
ddns.lw_ddns.update_url='http://[USERNAME]:[PASSWORD]@10.0.0.3:8000/up?hostname=[DOMAIN]&myip=[IP]'
ddns.lw_ddns.lookup_host='h.test'
ddns.lw_ddns.domain='h.test'
ddns.lw_ddns.username='u'
ddns.lw_ddns.password='\uE000p\uE001'
ddns.lw_ddns.use_https='0'
ddns.lw_ddns.ip_source='network'
ddns.lw_ddns.ip_network='wan'
ddns.lw_ddns.interface='wan'`,
    ])
    expect(texts([one], [])).toEqual({ codes: ['needs.ddns'], texts: [] })
  })

  test('a source takes its first way with a fixed address, which is said', () => {
    const source = document('internetSource', 's', { sources: ['10.0.0.0/24'], wans: [dsl.data, fixed.data] })
    const told = texts([dsl, fixed, source])
    expect(told.codes).toEqual(['wanHealth', 'sourceFirstWay'])
    expect(told.texts.at(-1)).toBe(
      "network.lw_rule_s_0=rule\nnetwork.lw_rule_s_0.src='10.0.0.0/24'\nnetwork.lw_rule_s_0.lookup='7702'\nnetwork.lw_rule_s_0.priority='28000'",
    )
  })

  test.each([
    ['wanForeign', { ...dsl, data: { ...dsl.data, interface: 'eth0', vlan: undefined, vlanPriority: undefined } }],
    ['routeUnreachable', { ...route, data: { ...route.data, gateway: '172.16.0.9' } }],
    ['policyWithoutTable', { ...policy, data: { ...policy.data, wan: kept.data } }],
  ])('what it cannot do is named: %s', (code, wanted) => {
    expect(render([wanted]).warnings.map(warning => warning.code)).toContain(code)
    expect(render([wanted]).blocks).toEqual([])
  })
})
