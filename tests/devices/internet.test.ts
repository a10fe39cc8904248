import type { RenderInput } from '@/server/devices/driver'
import { internetRenderer as linux } from '@/server/devices/linux/internet'
import { planPush } from '@/server/devices/linux/push'
import type { Observation } from '@/server/devices/observation'
import { internetRenderer as openwrt } from '@/server/devices/openwrt/internet'
import { equal, parseShow, planPush as planUci } from '@/server/devices/openwrt/push'

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
  facts: { kind: 'gateway', capabilities: ['root', 'systemd', 'nftables'] },
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

describe('on OpenWrt', () => {
  const networks = [
    { name: 'lan', device: 'br-lan' },
    { name: 'wan', device: 'eth0' },
  ]
  const bridge = { key: 'br-lan', name: 'br-lan', type: 'bridge' as const, addresses: ['192.168.1.1/24'] }
  const render = (documents: RenderInput['documents']) =>
    openwrt.render(input(documents, { networks, interfaces: [bridge] }))

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

  test.each([
    ['wanForeign', { ...dsl, data: { ...dsl.data, interface: 'eth0', vlan: undefined, vlanPriority: undefined } }],
    ['routeUnreachable', { ...route, data: { ...route.data, gateway: '172.16.0.9' } }],
    ['policyWithoutTable', { ...policy, data: { ...policy.data, wan: kept.data } }],
  ])('what it cannot do is named: %s', (code, wanted) => {
    expect(render([wanted]).warnings.map(warning => warning.code)).toContain(code)
    expect(render([wanted]).blocks).toEqual([])
  })
})
