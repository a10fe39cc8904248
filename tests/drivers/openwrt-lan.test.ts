import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { lanOf, rolesOf } from '@/server/drivers/openwrt/uci/network-roles'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { unmanagedItems } from '@/server/drivers/openwrt/unmanaged'
import { commands, input, observation, planned, take } from './_imported'
import { networkRoles } from './_network-roles'
import { air, router, withOption } from './_router'

// A LAN is what it is on the device, whatever it is called there.

const without = (text: string, section: string) =>
  text
    .split('\n')
    .filter(line => !line.startsWith(`${section}.`) && !line.startsWith(`${section}=`))
    .join('\n')
const network = (name: string, device: string, more = "proto='static'") =>
  [`network.${name}=interface`, `network.${name}.device='${device}'`, `network.${name}.${more}`].join('\n')
const zone = (name: string, networks: string, more = "input='ACCEPT'") =>
  [
    `firewall.${name}=zone`,
    ...[`name='${name}'`, `network=${networks}`, more].map(one => `firewall.${name}.${one}`),
  ].join('\n')
const bridge = (name: string, ports = "'eth0'") =>
  [
    `network.${name.replace('-', '_')}=device`,
    ...[`name='${name}'`, "type='bridge'", ...(ports ? [`ports=${ports}`] : [])].map(
      one => `network.${name.replace('-', '_')}.${one}`,
    ),
  ].join('\n')
const pool = (name: string) => `dhcp.${name}=dhcp\ndhcp.${name}.interface='${name}'`

test.each<[string, string[], string | undefined]>([
  ['a system as it comes', [router], 'lan'],
  [
    'one called otherwise',
    [bridge('br-home'), network('home', 'br-home'), network('lan', 'wan0', "gateway='10.0.0.1'")],
    'home',
  ],
  [
    'an access point that is a client of its LAN',
    [bridge('br-lan'), network('office', 'br-lan', "proto='dhcp'")],
    'office',
  ],
  [
    'the wired one beside a guest network that an access point translates',
    [
      ...[bridge('br-lan'), network('lan', 'br-lan', "gateway='10.0.0.1'"), zone('lan', "'lan'", "masq='1'")],
      ...[
        bridge('br-guest', ''),
        network('guest', 'br-guest'),
        pool('guest'),
        zone('guest', "'guest'", "input='REJECT'"),
      ],
    ],
    'lan',
  ],
  [
    'a socket that serves, beside one that leads out',
    [network('a', 'eth0'), pool('a'), network('b', 'eth1', "proto='dhcp'"), zone('b', "'b'", "masq='1'")],
    'a',
  ],
  [
    'the open one of two VLANs',
    [bridge('br0'), network('a', 'br0.10'), network('b', 'br0.20'), zone('b', "'b'"), zone('a', "'a'", "input='DROP'")],
    'b',
  ],
  ['the plain one of two VLANs', [bridge('br0'), network('a', 'br0'), network('b', 'br0.20')], 'a'],
  [
    'what the system calls lan, of two that are alike',
    [bridge('br0'), network('lan', 'br0.10'), network('b', 'br0.20')],
    'lan',
  ],
  ['none of two that are alike', [bridge('br0'), network('a', 'br0.10'), network('b', 'br0.20')], undefined],
  ['no way out', [network('wan', 'eth0', "proto='dhcp'"), zone('wan', "'wan'", "masq='1'")], undefined],
  ['no network of ours', [bridge('br0'), network('lw_lan20', 'br0.20')], undefined],
  ['nothing', [], undefined],
])('the LAN is %s', (_name, parts, name) => {
  expect(lanOf(sectionsOf(parts.join('\n')))?.name).toBe(name)
})

test('the networks and zones of a system as it comes', () => {
  expect(rolesOf(sectionsOf(router))).toEqual(networkRoles)
})

/** The same router by other names. */
const renamed = (text: string) => text.replaceAll(/\b(br-)?lan\b(?!\d)/g, '$1home').replaceAll(/\bwan(6?)\b/g, 'line$1')
const documents: DesiredDocument[] = [
  ['lan', { name: 'Lab', vlan: 20, address: '10.20.0.1/24', dhcp: false, isolation: false }],
  ['ssid', { name: 'A', security: 'open', bands: ['2g'] }],
  ['ssid', { name: 'B', security: 'open', bands: ['2g'], vlan: 20 }],
  ['wiredRule', { name: 'r', action: 'deny', protocol: 'any', from: 'lan', to: 'wan' }],
  [
    'wiredRule',
    {
      name: 's',
      action: 'deny',
      protocol: 'any',
      from: 'wan',
      to: 'lan',
      toLan: { vlan: 1, address: '192.168.1.1/24' },
    },
  ],
  ['portForward', { name: 'f', protocol: 'tcp', ports: '443', address: '192.168.1.7' }],
  ['wan', { name: 'w', interface: 'eth7', connection: 'dhcp', dmzHost: '192.168.1.7' }],
  ['bandwidthRule', { name: 'b', target: 'address', address: '10.0.0.7', upload: '1 Mbps', download: '8 Mbps' }],
].map(([kind, data], at) => ({
  id: `d${at}`,
  kind: String(kind),
  name: `d${at}`,
  data: data as object as Record<string, unknown>,
}))

const rendered = (text: string, roles = rolesOf(sectionsOf(text))) => {
  const networks = ['lan', 'wan'].map(name => ({ name, device: name === 'lan' ? 'br-lan' : 'wan' }))
  const seen = {
    ...observation,
    networks,
    ...(text === router ? {} : { networks: JSON.parse(renamed(JSON.stringify(networks))) }),
    networkRoles: roles,
  }
  const facts = { kind: 'gateway' as const, capabilities: ['wifi' as const, 'fw4' as const] }
  return renderAll(driver.renderers, { ...input(documents, []), facts, observation: seen })
}

test('a router by other names is set as one by the usual ones', () => {
  const [usual, other] = [rendered(router), rendered(renamed(router))]
  // A section's own name may hold that of its zone.
  const told = (blocks: typeof usual.blocks) => blocks.map(({ text }) => text.replaceAll(/^(\w+)\.\w+/gm, '$1'))
  expect(usual.blocks.length).toBeGreaterThan(12)
  expect(usual.blocks.some(one => one.kind === 'portForward')).toBe(true)
  expect(told(other.blocks).join('\n')).not.toMatch(/'(lan|wan)'/)
  expect(told(other.blocks)).toEqual(told(usual.blocks).map(renamed))
  expect(JSON.stringify(other.warnings)).toBe(renamed(JSON.stringify(usual.warnings)))
})

test('where the LAN cannot be told, that is said, and nothing that needs it is written', () => {
  const { blocks, warnings } = rendered(router, { wans: [], wanZones: [], zones: {} })
  expect(blocks.filter(one => ['lan', 'ssid', 'portForward', 'wiredRule'].includes(one.kind ?? ''))).toEqual([])
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'lanUnknown', kind: 'lan', blocks: true }),
      expect.objectContaining({ code: 'lanUnknown', kind: 'portForward' }),
      expect.objectContaining({ code: 'ruleWithoutLan' }),
      expect.objectContaining({ code: 'networkMissing' }),
    ]),
  )
})

const home = withOption(
  withOption(
    withOption(renamed(router).replaceAll('line', 'wan'), 'network.wan.proto', "'static'"),
    'network.wan.ipaddr',
    "'10.40.0.2'",
  ),
  'network.wan.netmask',
  "'255.255.255.0'\nnetwork.wan.gateway='10.40.0.1'",
)

test('a router whose LAN is called home: its WAN is one, and taking all of it over is a push that does nothing', () => {
  const { items, taken, documents } = take(home)
  expect(items.find(one => one.id === 'uci:network.wan')?.about).toMatchObject({ way: 'wan', wayZone: 'wan' })
  expect(documents.find(one => one.kind === 'wan')?.data).toMatchObject({
    address: '10.40.0.2',
    gateway: '10.40.0.1',
    nat: true,
  })
  const lan = { name: 'home', vlan: 1, address: '192.168.1.1/24', poolStart: '192.168.1.100' }
  expect(documents.filter(one => one.kind === 'lan').map(one => one.data)).toMatchObject([lan])
  expect(commands(readImported(sectionsOf(home), taken), planned(documents, taken))).toBe('')
  // Its Wi-Fi joins it by its name, which is no VLAN's.
  const wifi = take(`${home}\n${renamed(air)}`, /wireless/).documents.find(one => one.kind === 'ssid')
  expect(wifi?.data).not.toHaveProperty('vlan')
})

test('of a router whose LAN cannot be told no network is offered, and why is said', () => {
  const alike = `${without(without(router, 'network.lan'), 'dhcp.lan')}\n${network('a', 'br-lan.10', "ipaddr='10.1.0.1/24'")}\n${network('b', 'br-lan.20', "ipaddr='10.2.0.1/24'")}\nnetwork.a.proto='static'\nnetwork.b.proto='static'`
  const items = unmanagedItems(alike, [])
  for (const name of ['a', 'b'])
    expect(items.find(one => one.id === `uci:network.${name}`)).toMatchObject({
      state: 'unsupported',
      why: 'lanUnknown',
    })
})
