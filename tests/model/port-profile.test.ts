import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'

test('on a switch with a row of its own the profile has the ports of that row', () => {
  const on = (device: number) =>
    portProfile.onDevice?.({ ports: ['p1'], switches: [{ device: 7, ports: 'p3, p4,p3 ' }, { device: 8 }] }, device)
      .ports
  expect([on(6), on(7), on(8)]).toEqual([['p1'], ['p3', 'p4'], []])
})

const errors = (value: object) => {
  const judged = check(portProfile, { name: 'Desk', ports: ['p3'], ...value })
  return 'data' in judged ? {} : judged.fields
}

test.each([
  ['N15', { nativeVlan: 1 }, {}],
  ['N15', { nativeVlan: 4093 }, {}],
  ['N15', { nativeVlan: 4094 }, { nativeVlan: 'tooLarge' }],
  ['N15', { nativeVlan: -1 }, { nativeVlan: 'tooSmall' }],
  ['N15', { nativeVlan: 0 }, {}],
  ['N15', { nativeVlan: 1, allowedVlans: '1, 4093' }, {}],
  ['N15', { nativeVlan: 1, allowedVlans: '4094' }, { allowedVlans: 'vlans' }],
  ['N15', { nativeVlan: 1, allowedVlans: '0' }, {}],
  ['a trunk has a native VLAN', { allowedVlans: '20' }, { nativeVlan: 'portNativeMissing' }],
  ['256 VLANs', { nativeVlan: 1, allowedVlans: '2-257' }, {}],
  ['257 VLANs', { nativeVlan: 1, allowedVlans: '2-258' }, { allowedVlans: 'portTaggedMany' }],
  ['none yet: ports are given to it on the page of a switch', { ports: [] }, {}],
  ['a switch twice', { switches: [{ device: 1 }, { device: 1 }] }, { 'switches.1.device': 'duplicate' }],
  ['LAG1-8', { lag: 1 }, {}],
  ['LAG1-8', { lag: 8, lacpTimeout: 'fast' }, {}],
  ['LAG1-8', { lag: 9 }, { lag: 'tooLarge' }],
  ['LAG1-8', { lag: 0 }, { lag: 'tooSmall' }],
  ['no timeout without LACP', { lacpTimeout: 'fast' }, { lacpTimeout: 'notUsed' }],
  ['G17', { stormLimit: '999 Kbps' }, {}],
  ['G17', { stormLimit: '0 Kbps' }, { stormLimit: 'rate' }],
  ['a port twice', { ports: ['p3', 'p3'] }, { 'ports.1': 'duplicate' }],
  ['an observation port', { mirrorTo: 'p4', mirrorTraffic: 'in' }, {}],
  ['not itself', { mirrorTo: 'p3' }, { mirrorTo: 'mirrorItself' }],
  [
    'not itself on a switch of its own',
    { switches: [{ device: 1, ports: 'p9, p4' }], mirrorTo: 'p4' },
    { mirrorTo: 'mirrorItself' },
  ],
  ['nothing to copy to', { mirrorTraffic: 'in' }, { mirrorTraffic: 'notUsed' }],
  ['64 characters', { description: 'x'.repeat(64) }, {}],
  ['65 characters', { description: 'x'.repeat(65) }, { description: 'tooLong' }],
])('%s: %j', (_, value, expected) => {
  expect(errors(value)).toEqual(expected)
})

const others = (mirrorTo: string | undefined, ...all: (string | undefined)[]) => {
  const of = (to: string | undefined) => ({ ...(to !== undefined && { mirrorTo: to }) })
  const judged = check(portProfile, { name: 'Desk', ports: ['p3'], ...of(mirrorTo) }, { others: all.map(of) })
  return 'data' in judged ? {} : judged.fields
}
test.each([
  ['alone', undefined, [], {}],
  ['none besides', 'p4', [undefined], {}],
  ['the same', 'p4', [undefined, 'p4'], {}],
  ['another', 'p4', ['p5'], { mirrorTo: 'mirrorTwice' }],
  ['two others, and none itself', undefined, ['p4', 'p5'], {}],
])('a switch has one observation port: %s', (_, mirrorTo, all, expected) =>
  expect(others(mirrorTo, ...all)).toEqual(expected),
)
