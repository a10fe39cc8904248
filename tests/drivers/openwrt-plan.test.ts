import { renderAll } from '@/server/drivers/assess'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { networkRoles } from './_network-roles'

test('a wireless network in the VLAN of a LAN network joins it: nothing is written twice', () => {
  const lan = {
    ...{ name: 'Guests', vlan: 20, address: '192.168.20.1/24' },
    ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.200' },
  }
  const { blocks } = renderAll(openwrtDriver.renderers, {
    facts: { kind: 'gateway', capabilities: ['root', 'uci', 'fw4', 'wifi'] },
    observation: {
      ...{ takenAt: 0, depth: 'full' },
      interfaces: [{ key: 'br-lan', name: 'br-lan', type: 'bridge', addresses: ['192.168.1.1/24'] }],
      radios: [{ key: 'radio0', name: 'radio0', band: '2g', up: true }],
      networks: [{ name: 'lan', device: 'br-lan' }],
      networkRoles,
    },
    documents: [
      { id: 'l', kind: 'lan', name: 'Guests', data: lan },
      { id: 's', kind: 'ssid', name: 'Guests', data: { name: 'Guests', security: 'open', vlan: 20 } },
    ],
    confirmSeconds: 90,
    imported: [],
  })
  const ids = blocks.map(block => block.id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(blocks.find(block => block.id === 'uci:network.lw_lan20')?.text).toContain("proto='static'")
  expect(blocks.find(block => block.id === 'uci:wireless.lw_s_radio0')?.text).toContain("network='lw_lan20'")
})
