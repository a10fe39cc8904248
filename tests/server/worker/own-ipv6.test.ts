// The IPv6 address that the list of devices shows.
import { ownIpv6 } from '@/server/worker/own-ipv6'

const face = (key: string, ...addresses: string[]) => ({ key, name: key, type: 'ethernet' as const, addresses })
const wan = face('wan', '203.0.113.2/24', '2001:db8::2/64')
const lan = face('lan', '192.168.1.1/24', 'fd00::1/64', '2001:DB8:1::1/64', 'fe80::1/64')

test.each([
  ['the first global one', { interfaces: [wan, lan] }, '2001:db8::2'],
  [
    'that of the interface asked over',
    { interfaces: [wan, lan], path: { peer: '', local: '', interface: 'lan' } },
    '2001:db8:1::1',
  ],
  [
    'the same, told by its address',
    { interfaces: [wan, lan], path: { peer: '', local: '192.168.1.1' } },
    '2001:db8:1::1',
  ],
  ['a local one where there is no other', { interfaces: [face('a', 'fe80::2%eth0/64', 'fd12:3::4/48')] }, 'fd12:3::4'],
  ['a global one before a local one', { interfaces: [face('a', 'fd12::4/48'), face('b', '2a00::9/64')] }, '2a00::9'],
  [
    'none, with link-local and multicast ones alone',
    { interfaces: [face('a', 'fe80::2/64', 'ff02::1/128', '::1/128')] },
    '',
  ],
  [
    'unknown where none tells of IPv6',
    { interfaces: [face('a', '10.0.0.1/24'), { key: 'b', name: 'b', type: 'ethernet' as const }] },
    undefined,
  ],
  ['unknown without interfaces', {}, undefined],
])('%s', (_, seen, address) => {
  expect(ownIpv6(seen)).toBe(address)
})
