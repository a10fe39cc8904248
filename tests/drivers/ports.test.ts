// What is made of port profiles is in golden/*/ports; here is what follows from it.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import type { DesiredDocument } from '@/server/drivers/driver'
import { portsRenderer as linux } from '@/server/drivers/linux/ports/ports'
import { planPush } from '@/server/drivers/linux/push'
import type { Interface, Observation } from '@/server/drivers/observation'
import { deviceSections } from '@/server/drivers/openwrt/observe/interfaces'
import { portsRenderer as openwrt } from '@/server/drivers/openwrt/ports/ports'
import { parseSections } from '@/server/drivers/openwrt/uci/show'
import { made } from './_golden'

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

test('Linux: a push writes each file and restarts the service that reads them', () => {
  const plan = planPush('0', { blocks: [] }, made('linux/ports/01-whole-profile'), 90)
  expect(plan.files).toHaveLength(5)
  expect(plan.settle).toContain('serve restart lanward-ports.service')
})

test('Linux: who loses the link; a description and a limit take nobody’s', () => {
  const touched = (fields: object) => {
    const facts = { kind: 'switch' as const, capabilities: ['root', 'systemd', 'nftables'] }
    const documents = [profile('Desk', { ports: ['p1'], ...fields })]
    const { blocks } = linux.render({ facts, observation: seen, documents, confirmSeconds: 90 })
    return blocks.flatMap(block => linux.interrupts?.(block, seen)?.interfaces ?? [])
  }
  expect(touched({ description: 'native=1', stormLimit: '8 Mbps' })).toEqual([])
  expect(touched({ enabled: false })).toEqual(['p1'])
  expect(touched({ nativeVlan: 20 })).toEqual(['p1'])
  expect(touched({ speed: 'auto' })).toEqual(['p1'])
  expect(touched({ isolation: 'on' })).toEqual(['p1'])
})

test('OpenWrt: who loses the link', () => {
  const { blocks } = made('openwrt/ports/01-section')
  expect(blocks.map(block => openwrt.interrupts?.(block, seen))).toEqual([{ interfaces: ['lan1'] }])
})

test('OpenWrt: a port that a section of the system sets is known, one that a section of ours sets is not its', () => {
  const own = deviceSections(
    parseSections(
      [
        ...['network.@device[0]=device', "network.@device[0].name='br-lan'", "network.@device[0].type='bridge'"],
        ...['network.@device[1]=device', "network.@device[1].name='lan1'"],
        "network.@device[1].macaddr='02:00:00:00:00:01'",
        ...['network.lw_port_wan=device', "network.lw_port_wan.name='wan'"],
      ].join('\n'),
    ),
  )
  expect([...own]).toEqual([['lan1', 'network.@device[1]']])
})
