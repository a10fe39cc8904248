import { vendorOf } from '@/server/drivers/models/registry'
import { inetAddress, ipv6, prefixOf, typeOf } from '@/server/drivers/snmp/tables/interfaces'
import { labels } from '@/server/drivers/snmp/tables/panel'

const range = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => name(i + 1))

test.each([
  ['one group: the last number', range(3, i => `GigabitEthernet1/0/${i}`), '1 2 3'],
  ['faster uplinks: their initial', [...range(3, i => `GigabitEthernet0/${i}`), 'TenGigabitEthernet0/1'], '1 2 3 T1'],
  ['a second slot: slot and number', [...range(3, i => `ethernet1/1/${i}`), 'ethernet1/2/1'], '1 2 3 2/1'],
  ['short names as they are', ['P1', 'P2', 'G1'], 'P1 P2 G1'],
  ['counted from zero without a path: the name', ['eth0', 'eth1'], 'eth0 eth1'],
  ['counted from zero with a path: the number on the box', ['ge-0/0/0', 'ge-0/0/1'], '0 1'],
  ['words after the number', range(2, i => `gigabitEthernet 1/0/${i} : copper`), '1 2'],
  ['words all around the number', range(2, i => `Unit: 1 Slot: 0 Port: ${i} Gigabit - Level`), '1 2'],
  ['a management port without a number', ['ethernet1/1', 'ethernet1/2', 'management'], '1 2 mgmt'],
])('labels, %s', (_, names, expected) => {
  expect(labels(names).join(' ')).toBe(expected)
})

test.each([
  ['GigabitEthernet0/1', 6, 'ethernet'],
  ['port1', 6, 'ethernet'],
  ['site-a', 6, 'ethernet'],
  ['eth0.40', 6, 'vlan'],
  ['ge-0/0/0.0', 53, 'vlan'],
  ['Vlan10', 53, 'vlan'],
  ['br-lan', 6, 'bridge'],
  ['Port-channel1', 53, 'lag'],
  ['bond0', 6, 'lag'],
  ['wlan0', 6, 'wifi'],
  ['lo', 24, 'loopback'],
  ['wg0', 1, 'tunnel'],
  ['Null0', 1, 'virtual'],
  ['anything', 161, 'lag'],
  ['something', 1, 'other'],
] as const)('type of %s (ifType %i) is %s', (name, ifType, expected) => {
  expect(typeOf(name, '', ifType)).toBe(expected)
})

test('masks, addresses in indexes, and the shortest form of IPv6', () => {
  expect([
    prefixOf('255.255.255.0'),
    prefixOf('255.255.255.255'),
    prefixOf('0.0.0.0'),
    prefixOf('255.0.255.0'),
  ]).toEqual([24, 32, 0, undefined])
  expect(inetAddress('1.4.10.1.123.2')).toBe('10.1.123.2')
  expect(inetAddress('4.20.254.128.0.0.0.0.0.0.2.0.94.255.254.16.0.1.0.0.0.3')).toBe('fe80::200:5eff:fe10:1')
  expect(inetAddress('1.4.10.1')).toBeUndefined()
  expect(ipv6([0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 1])).toBe('2001:db8::1')
  expect(ipv6(Array(16).fill(0))).toBe('::')
})

test('makers: the longest number wins, an agent’s number is no maker', () => {
  const nameOf = (objectId: string, description = '') => vendorOf(objectId, description)?.name
  expect(nameOf('1.3.6.1.4.1.9.1.617')).toBe('Cisco')
  expect(nameOf('1.3.6.1.4.1.2011.10.1.1')).toBe('H3C')
  expect(nameOf('1.3.6.1.4.1.2011.2.23.276')).toBe('Huawei')
  expect(nameOf('1.3.6.1.4.1.8072.3.2.10', 'Linux box')).toBeUndefined()
  expect(nameOf('1.3.6.1.4.1.8072.3.2.10', 'UAP-AC-Pro-Gen2 4.3.20')).toBe('Ubiquiti')
  expect(nameOf('1.3.6.1.4.1.30065.1.3011')).toBe('Arista')
  expect(nameOf('1.3.6.1.4.1.99999.1')).toBeUndefined()
})
