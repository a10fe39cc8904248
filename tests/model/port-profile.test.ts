import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'

const errors = (value: object) => {
  const judged = check(portProfile, { name: 'Desk', ports: ['p3'], ...value })
  return 'data' in judged ? {} : judged.fields
}

test.each([
  ['N15', { nativeVlan: 1 }, {}],
  ['N15', { nativeVlan: 4093 }, {}],
  ['N15', { nativeVlan: 4094 }, { nativeVlan: 'tooLarge' }],
  ['N15', { nativeVlan: -1 }, { nativeVlan: 'tooSmall' }],
  ['N15: 0 is no VLAN that a port could be in', { nativeVlan: 0 }, { nativeVlan: 'portNative' }],
  ['N15', { nativeVlan: 1, allowedVlans: '1, 4093' }, {}],
  ['N15', { nativeVlan: 1, allowedVlans: '4094' }, { allowedVlans: 'vlans' }],
  ['N15', { nativeVlan: 1, allowedVlans: '0' }, { allowedVlans: 'portTagged' }],
  ['a trunk has a native VLAN', { allowedVlans: '20' }, { nativeVlan: 'portNativeMissing' }],
  ['256 VLANs', { nativeVlan: 1, allowedVlans: '2-257' }, {}],
  ['257 VLANs', { nativeVlan: 1, allowedVlans: '2-258' }, { allowedVlans: 'portTaggedMany' }],
  ['no port', { ports: [] }, { ports: 'required' }],
  ['a port twice', { ports: ['p3', 'p3'] }, { 'ports.1': 'duplicate' }],
  ['64 characters', { description: 'x'.repeat(64) }, {}],
  ['65 characters', { description: 'x'.repeat(65) }, { description: 'tooLong' }],
])('%s: %j', (_, value, expected) => {
  expect(errors(value)).toEqual(expected)
})
