// VLANs of ports as `bridge-vlan` sections of ours, beside those of the system: what is made of them is in
// golden/openwrt/port-vlans, here is what follows from it.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { adoptBlock, renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeBlock } from '@/server/drivers/driver'
import type { Interface, Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { boardPorts, bridgeVlans, vlanBridges } from '@/server/drivers/openwrt/observe/interfaces'
import { portsRenderer } from '@/server/drivers/openwrt/ports/ports'
import { planPush } from '@/server/drivers/openwrt/push'
import { parseSections } from '@/server/drivers/openwrt/uci/show'
import { made } from './_golden'
import { networkRoles } from './_network-roles'

const names = ['lan1', 'lan2', 'lan3', 'lan4']
const system = `network.@bridge-vlan[0]=bridge-vlan
network.@bridge-vlan[0].device='br-lan'
network.@bridge-vlan[0].vlan='1'
network.@bridge-vlan[0].ports='lan1:u*' 'lan2' 'lan3:u*'
network.iptv=bridge-vlan
network.iptv.device='br-lan'
network.iptv.vlan='7'
network.iptv.ports='lan3:t' 'lan4:t'
`
const interfaces: Interface[] = names.map(name => ({ key: name, name, type: 'ethernet', master: 'br-lan' }))
const board = { network: { lan: { ports: names } } }

/** What is seen of a device whose sections are the system's and these of ours. */
function seenWith(ours: readonly NativeBlock[] = [], text = system): Observation {
  const own = parseSections(text + ours.map(block => block.text).join('\n'))
  return {
    ...{ takenAt: 0, depth: 'full', interfaces, vlanBridges: vlanBridges(own) },
    ports: boardPorts(board, interfaces, bridgeVlans(own)),
    networks: [{ name: 'lan', device: 'br-lan.1' }],
    networkRoles,
    radios: [{ key: 'radio0', name: 'radio0', band: '2g', country: 'DE', up: true }],
    path: { peer: '192.168.1.2', local: '192.168.1.1', interface: 'br-lan.1', port: 'lan1' },
  }
}
const profile = (name: string, fields: object): DesiredDocument => {
  const checked = check(portProfile, { name, ...fields })
  if (!('data' in checked)) throw new Error(JSON.stringify(checked))
  return { id: name, kind: 'portProfile', name, data: checked.data }
}
const trunk = profile('Trunk', { ports: ['lan1', 'lan2'], nativeVlan: 1, allowedVlans: '20,30' })
const desk = profile('Desk', { ports: ['lan4'], nativeVlan: 20, allowedVlans: '7' })
const air: DesiredDocument = {
  ...{ id: '5', kind: 'ssid', name: 'Guests' },
  data: { name: 'Guests', security: 'wpa2', key: 'correct horse', vlan: 20 },
}
const facts = { kind: 'ap' as const, capabilities: ['wifi'] }
const render = (documents: DesiredDocument[], observation = seenWith()) => {
  const { blocks, warnings } = renderAll(driver.renderers, { facts, observation, documents, confirmSeconds: 90 })
  const codes = warnings.map(({ code, blocks: stops = false }) => (stops ? `${code}!` : code))
  return { blocks, warnings, codes }
}

test('VLANs of the system by bridge; ours are none of them', () => {
  expect(seenWith(render([trunk, desk]).blocks).vlanBridges).toEqual([
    {
      ...{ name: 'br-lan', vlans: [1, 7] },
      ports: {
        lan1: { nativeVlan: 1, taggedVlans: [] },
        lan2: { nativeVlan: 1, taggedVlans: [] },
        lan3: { nativeVlan: 1, taggedVlans: [7] },
        lan4: { taggedVlans: [7] },
      },
    },
  ])
  expect(vlanBridges([])).toEqual([])
})

test('a push of the sections writes the network, and their ports as a list', () => {
  const plan = planPush('0', { blocks: [] }, made('openwrt/port-vlans/01-sections'), 90)
  expect(plan.files).toEqual(['/etc/config/network'])
  expect(plan.writes[0]?.text).toContain("add_list network.lw_vlan_br_lan_20.ports='lan4:u*'\n")
})

test('a wireless network joins the VLAN that the same plan gives to ports, and the plan stays so once it is there', () => {
  expect(render([air]).codes).toEqual(['vlanMissing'])
  const first = render([trunk, desk, air])
  expect(first.codes).toEqual([])
  const text = first.blocks.map(block => block.text).join('\n')
  expect(text).toContain("network.lw_lan20.device='br-lan.20'")
  expect(text).toContain(".network='lw_lan20'")
  const now = seenWith(first.blocks.filter(block => block.kind === 'portProfile'))
  expect(now.ports?.map(port => port.nativeVlan)).toEqual([1, 1, 1, 20])
  expect(render([trunk, desk, air], now).blocks).toEqual(first.blocks)
  expect(render([air], now).codes).toEqual(['vlanMissing'])
  // What somebody changed on the device is taken over with the VLAN that only a profile brings.
  const block = first.blocks.find(one => one.id === 'uci:wireless.lw_5_radio0')
  const seen = { id: block?.id ?? '', text: block?.text.replace("ssid='Guests'", "ssid='Visitors'") ?? '' }
  const input = { facts, observation: now, documents: [trunk, desk, air], confirmSeconds: 90 }
  expect(adoptBlock(driver, input, seen)).toMatchObject([{ document: '5', fields: { name: 'Visitors' } }])
})

test('who is cut for a moment: without a tag, or where the manager is', () => {
  const [twenty, thirty] = render([trunk, desk]).blocks
  const cut = (block: NativeBlock | undefined, seen: Observation) => block && portsRenderer.interrupts?.(block, seen)
  expect(cut(twenty, seenWith())).toEqual({ interfaces: ['lan4'] })
  expect(cut(thirty, seenWith())).toBeUndefined()
  const path = { peer: '192.168.30.2', local: '192.168.30.1', interface: 'br-lan.30' }
  expect(cut(thirty, { ...seenWith(), path })).toEqual({ interfaces: ['lan1', 'lan2'] })
})
