// Port profiles as the files and sections of devices that are spoken to over SSH.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import type { DesiredDocument, Renderer } from '@/server/drivers/driver'
import { portsRenderer as linux } from '@/server/drivers/linux/ports'
import { planPush } from '@/server/drivers/linux/push'
import type { DeviceKind, Interface, Observation } from '@/server/drivers/observation'
import { deviceSections } from '@/server/drivers/openwrt/interfaces'
import { portsRenderer as openwrt } from '@/server/drivers/openwrt/ports'
import { parseSections } from '@/server/drivers/openwrt/show'

const face = (name: string, more: Partial<Interface> = {}): Interface => ({
  ...{ key: name, name, type: 'ethernet', adminUp: true, up: true },
  ...more,
})
const seen: Observation = {
  takenAt: 0,
  depth: 'full',
  interfaces: [
    face('br0', { type: 'bridge', openvswitch: true }),
    face('br-lan', { type: 'bridge', vlanFiltering: false }),
    face('p1', { master: 'br0' }),
    face('p2', { master: 'br0' }),
    face('lan1', { master: 'br-lan' }),
    face('wan'),
  ],
  vlanBridges: [],
  ports: ['p1', 'p2', 'lan1', 'wan'].map((name, at) => ({ number: at + 1, interface: name, label: name })),
}
const profile = (name: string, fields: object): DesiredDocument => {
  const checked = check(portProfile, { name, ...fields })
  if (!('data' in checked)) throw new Error(JSON.stringify(checked))
  return { id: name, kind: 'portProfile', name, data: checked.data }
}
const render = (renderer: Renderer, documents: DesiredDocument[], more: object = {}, observation = seen) => {
  const facts = { kind: 'switch' as DeviceKind, capabilities: ['root', 'systemd', 'nftables'], ...more }
  const { blocks, warnings } = renderer.render({ facts, observation, documents, windowSeconds: 90 })
  const text = (id: string) =>
    blocks
      .find(block => block.id === id)
      ?.text.split('\n')
      .slice(1, -1)
  return { blocks, text, codes: warnings.map(({ code, blocks: stops = false }) => (stops ? `${code}!` : code)) }
}
const conf = (name: string) => `file:/etc/lanward/ports/${name}.conf`

test('Linux: a file a port, in Open vSwitch with all that a profile can say', () => {
  const { text, codes, blocks } = render(linux, [
    profile('Uplink', {
      ...{ ports: ['p1', 'p2'], description: 'To "$(id)" \\ `x`', speed: '100full', nativeVlan: 1 },
      ...{ allowedVlans: '20,30-32,1', isolation: 'on', stormLimit: '8 Mbps', lag: 3, lacpTimeout: 'fast' },
    }),
  ])
  expect(codes).toEqual([])
  expect(text(conf('p1'))).toEqual([
    ...['port=p1', 'link=up', 'description=To "$(id)" \\ `x`', 'speed=100full', 'native=1', 'tagged=20,30,31,32'],
    ...['isolated=on', 'storm=8000', 'lag=3', 'lacp=fast'],
  ])
  expect(blocks.map(block => block.id).slice(1)).toEqual([
    conf('p2'),
    'file:/etc/lanward/ports.sh',
    'file:/etc/systemd/system/lanward-ports.service',
    'file:/etc/systemd/system/multi-user.target.d/lanward-ports.conf',
  ])
  const plan = planPush('0', { blocks: [] }, { blocks }, 90)
  expect(plan.files).toHaveLength(5)
  expect(plan.settle).toContain('serve restart lanward-ports.service')
})

test('Linux: what a port cannot do is told and left out, and what the first VLAN does to a bridge', () => {
  const asked = { description: '', poe: 'on', nativeVlan: 20, isolation: 'off', stormLimit: '1 Mbps', lag: 1 }
  const kernel = render(linux, [profile('Desk', { ...asked, ports: ['lan1'] })])
  expect(kernel.text(conf('lan1'))).toEqual(['port=lan1', 'link=up', 'native=20', 'isolated=off', 'storm=1000'])
  expect(kernel.codes).toEqual([
    ...['portCannot.pethPsePortAdminEnable', 'portCannot.lag', 'portCannot.lagAlone', 'portFilterBegins'],
  ])
  const bare = render(linux, [profile('Way', { ...asked, ports: ['wan'], enabled: false })])
  expect(bare.text(conf('wan'))).toEqual(['port=wan', 'link=down'])
  expect(bare.codes).toEqual([
    ...['portCannot.pethPsePortAdminEnable', 'portCannot.noBridge', 'portCannot.isolation'],
    ...['portCannot.stormLimit', 'portCannot.lag'],
  ])
})

test('Linux: who loses the link; a description and a limit take nobody’s', () => {
  const touched = (fields: object) => {
    const { blocks } = render(linux, [profile('Desk', { ports: ['p1'], ...fields })])
    return blocks.flatMap(block => linux.interrupts?.(block, seen)?.interfaces ?? [])
  }
  expect(touched({ description: 'native=1', stormLimit: '8 Mbps' })).toEqual([])
  expect(touched({ enabled: false })).toEqual(['p1'])
  expect(touched({ nativeVlan: 20 })).toEqual(['p1'])
  expect(touched({ speed: 'auto' })).toEqual(['p1'])
  expect(touched({ isolation: 'on' })).toEqual(['p1'])
})

test.each([
  ['linux', linux],
  ['openwrt', openwrt],
] as const)('%s: N17, a port twice, and names that no port has', (_, renderer) => {
  const all = profile('All', { ports: ['p1', 'p2', 'lan1', 'wan'], enabled: false })
  expect(render(renderer, [all]).codes).toEqual(['portsAllDisabled!'])
  expect(render(renderer, [profile('a', { ports: ['p1'] }), profile('b', { ports: ['p1'] })]).codes).toEqual([
    'portTwice!',
  ])
  expect(render(renderer, [{ id: 'x', kind: 'lan', name: 'x', data: {} }])).toMatchObject({ blocks: [], codes: [] })
  const none = [profile('a', { ports: ['p9'] })]
  expect(render(renderer, none).codes).toEqual(['portMissing'])
  // Given to all devices it means those that have such a port.
  expect(render(renderer, none, { kind: 'gateway' }).codes).toEqual([])
})

test('Linux: without systemd nothing is set', () => {
  const { blocks, codes } = render(linux, [profile('a', { ports: ['p1'] })], { capabilities: ['root'] })
  expect([blocks, codes]).toEqual([[], ['needs.systemd!']])
})

const router = { kind: 'gateway', firmware: 'OpenWrt 24.10.4 r28959' }
const section = (name: string) => `uci:network.lw_port_${name}`

test('OpenWrt: a section a port; what belongs to the system is told and left alone', () => {
  const asked = { ports: ['lan1'], enabled: false, isolation: 'on', speed: '100half', nativeVlan: 20, description: 'x' }
  const { blocks, codes } = render(openwrt, [profile('Desk', asked)], router)
  expect(blocks).toEqual([
    {
      ...{ id: section('lan1'), kind: 'portProfile', document: 'Desk' },
      text: [
        ...['=device', ".name='lan1'", ".enabled='0'", ".isolate='1'", ".speed='100'", ".duplex='0'", ".autoneg='0'"],
      ]
        .map(line => `network.lw_port_lan1${line}`)
        .join('\n'),
    },
  ])
  expect(codes).toEqual(['portCannot.ifAlias', 'portCannot.bridgeVlans'])
  expect(blocks.map(block => openwrt.interrupts?.(block, seen))).toEqual([{ interfaces: ['lan1'] }])
  const early = render(openwrt, [profile('Desk', { ports: ['lan1'], speed: '1000full' })], {
    firmware: 'OpenWrt 22.03.5',
  })
  expect([early.blocks, early.codes]).toEqual([[], ['portCannot.speed']])
})

test('OpenWrt: a port that a section of the system sets stays as it is', () => {
  const own = deviceSections(
    parseSections(
      [
        ...['network.@device[0]=device', "network.@device[0].name='br-lan'", "network.@device[0].type='bridge'"],
        ...[
          'network.@device[1]=device',
          "network.@device[1].name='lan1'",
          "network.@device[1].macaddr='02:00:00:00:00:01'",
        ],
        ...['network.lw_port_wan=device', "network.lw_port_wan.name='wan'"],
      ].join('\n'),
    ),
  )
  expect([...own]).toEqual([['lan1', 'network.@device[1]']])
  const ports = seen.ports?.map(port => ({ ...port, configuredBy: own.get(port.interface) }))
  const { blocks, codes } = render(openwrt, [profile('Desk', { ports: ['lan1'], isolation: 'on' })], router, {
    ...seen,
    ports,
  })
  expect([blocks, codes]).toEqual([[], ['portForeign']])
})
