// The management VLAN of an OpenWrt whose bridge tells VLANs apart: the device of its interface `lan`, once imported.
import { adoptBlock, assess, renderAll, sayable } from '@/server/drivers/assess'
import type { DesiredDocument } from '@/server/drivers/driver'
import type { DeviceRole, Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { unmanagedItems } from '@/server/drivers/openwrt/unmanaged'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import { networkRoles } from './_network-roles'

const bridge = `network.@device[0]=device
network.@device[0].name='br-lan'
network.@device[0].type='bridge'
network.@device[0].ports='lan1' 'lan2'
network.@bridge-vlan[0]=bridge-vlan
network.@bridge-vlan[0].device='br-lan'
network.@bridge-vlan[0].vlan='1'
network.@bridge-vlan[0].ports='lan1' 'lan2'
`
const byDhcp = `network.lan=interface\nnetwork.lan.device='br-lan.1'\nnetwork.lan.proto='dhcp'\n`
const fixed = `network.lan=interface\nnetwork.lan.device='br-lan.1'\nnetwork.lan.proto='static'
network.lan.ipaddr='192.168.1.2'\nnetwork.lan.netmask='255.255.255.0'\n`
const plain = `network.lan=interface\nnetwork.lan.device='br-lan'\nnetwork.lan.proto='dhcp'\n`

const facts = (kind: DeviceRole) => ({ kind, capabilities: ['wifi'] })
const observation = (vlans: number[]): Observation => ({
  ...{ takenAt: 0, depth: 'full', networks: [{ name: 'lan', device: 'br-lan.1' }], networkRoles },
  interfaces: [{ key: 'lan1', name: 'lan1', type: 'ethernet', adminUp: true, up: true, master: 'br-lan' }],
  ports: [{ number: 1, interface: 'lan1', label: 'lan1' }],
  vlanBridges: [{ name: 'br-lan', vlans, ports: { lan1: { nativeVlan: 1 } } }],
  path: { peer: '192.0.2.9', local: '192.168.1.2', interface: 'br-lan.1' },
})
const offered = (text: string, kind: DeviceRole = 'ap') => {
  const item = sayable(unmanagedItems(text, []), driver.renderers, facts(kind)).find(
    one => one.id === 'uci:network.lan',
  )
  return item?.options.flatMap(one => (one.kind ? [`${one.option} ${one.kind}.${one.field}`] : []))
}
const taken: ImportedItem = { id: 'uci:network.lan', options: { device: "'br-lan.1'" }, about: { type: 'interface' } }
const system = (managementVlan?: number): DesiredDocument => ({
  ...{ id: 'system', kind: 'system', name: '', data: managementVlan === undefined ? {} : { managementVlan } },
})
const plan = (documents: DesiredDocument[], vlans: number[], kind: DeviceRole = 'ap', imported = [taken]) =>
  renderAll(driver.renderers, {
    ...{ facts: facts(kind), observation: observation(vlans), documents, confirmSeconds: 60, imported },
  })

test.each<[string, string, string[] | undefined]>([
  ['by DHCP', bridge + byDhcp, ['device system.managementVlan']],
  ['with an address', bridge + fixed, ['device system.managementVlan']],
  ['on a bridge that does not tell VLANs apart', plain, []],
])('what is offered of the interface, %s', (_name, text, options) => {
  expect(offered(text)).toEqual(options)
})

test('importing it proposes the VLAN that it has, and changes nothing', () => {
  const proposals = driver.renderers.flatMap(
    one => one.proposes?.([taken], [], { facts: facts('ap'), documents: [], confirmSeconds: 60 }) ?? [],
  )
  expect(proposals).toEqual([{ kind: 'system', fields: { managementVlan: 1 }, items: ['uci:network.lan'] }])
  expect(plan([system(1)], [1]).blocks.map(block => block.text)).toEqual(["network.lan.device='br-lan.1'"])
})

test('another VLAN is the interface’s device; it is a cut of the manager’s way, and told where no port has it', () => {
  const next = plan([system(20)], [1, 20])
  expect(next).toMatchObject({
    blocks: [{ id: 'uci:network.lan', text: "network.lan.device='br-lan.20'" }],
    warnings: [],
  })
  const before = { blocks: driver.ownership?.former(taken) ?? [] }
  expect(assess(driver, before, next, observation([1, 20]), () => []).cuts).toMatchObject([
    { code: 'interface', values: { interface: 'br-lan.1' }, block: 'uci:network.lan' },
  ])
  const values = { vlan: 20, bridge: 'br-lan' }
  expect(plan([system(20)], [1]).warnings).toEqual([{ code: 'managementUncarried', kind: 'system', values }])
  const profile = { name: 'Up', ports: ['lan1'], switches: [], nativeVlan: 1, allowedVlans: '20', enabled: true }
  const ports = {
    id: 'up',
    kind: 'portProfile',
    name: 'Up',
    data: { ...profile, speed: 'keep', poe: 'keep', isolation: 'keep' },
  }
  expect(plan([system(20), ports], [1]).warnings).toEqual([])
})

test('not imported it stays, and a gateway has the addresses of its LANs', () => {
  expect(plan([system(20)], [1, 20], 'ap', [])).toMatchObject({
    ...{ blocks: [], warnings: [{ code: 'systemOption.managementVlan' }] },
  })
  expect(plan([system(20)], [1, 20], 'gateway')).toMatchObject({
    blocks: [],
    warnings: [{ code: 'managementGateway' }],
  })
})

test('what somebody changed on the device goes into the settings', () => {
  const input = {
    facts: facts('ap'),
    observation: observation([1]),
    documents: [system(1)],
    confirmSeconds: 60,
    imported: [taken],
  }
  const seen = { id: 'uci:network.lan', item: 'uci:network.lan', text: "network.lan.device='br-lan.30'" }
  expect(adoptBlock(driver, input, seen)).toEqual([{ document: 'system', fields: { managementVlan: 30 } }])
})
