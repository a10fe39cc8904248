import { wiredRule } from '@/model/firewall/wired'
import { check, type Data } from '@/model/kind'

const problems = (data: Data) => {
  const checked = check(wiredRule, { name: 'Rule', ...data })
  return 'data' in checked ? {} : checked.fields
}

test.each([
  ['1', undefined],
  ['65535', undefined],
  ['0', 'ports'],
  ['65536', 'ports'],
  ['4, 5-10', undefined],
  ['5-4', 'rangeOrder'],
  ['5-5', 'rangeOrder'],
  ['80,80', 'rangesOverlap'],
  ['80-90,85-95', 'rangesOverlap'],
  ['80,', 'ports'],
  ['http', 'ports'],
])('P2: the ports %j give %s', (ports, expected) => {
  expect(problems({ protocol: 'tcp', ports })).toEqual(expected ? { ports: expected } : {})
})

test.each([
  ['10.0.0.0/8', undefined],
  ['10.0.0.1/8', 'hostBits'],
  ['192.0.2.1/32', undefined],
  ['192.0.2.1/33', 'addressOrSegment'],
  ['2001:db8::1/128', undefined],
  ['2001:db8::/129', 'addressOrSegment'],
  ['256.1.1.1', 'addressOrSegment'],
])('P1: the source %j gives %s', (source, expected) => {
  const wanted = expected ? { 'sources.0': expected } : {}
  expect(problems({ sources: [source] })).toEqual(wanted)
})

test.each([
  ['00:1a:2b:3c:4d:5e', undefined],
  ['00-1A-2B-3C-4D-5E', undefined],
  ['001a2b3c4d5e', undefined],
  ['00:1a:2b:3c:4d', 'mac'],
  ['00:1a-2b:3c:4d:5e', 'mac'],
])('N4: the MAC %j gives %s', (mac, expected) => {
  expect(problems({ macs: [mac] })).toEqual(expected ? { 'macs.0': expected } : {})
})

test('ports and MAC addresses are there only where they mean something', () => {
  expect(problems({ protocol: 'icmp', ports: '80' })).toEqual({ ports: 'notUsed' })
  expect(problems({ protocol: 'any', sourcePorts: '80' })).toEqual({ sourcePorts: 'notUsed' })
  expect(problems({ from: 'device', macs: ['001a2b3c4d5e'] })).toEqual({ macs: 'notUsed' })
})

test('a rule goes from somewhere to somewhere else, in one version of addresses', () => {
  expect(problems({ from: 'device', to: 'device' })).toEqual({ to: 'ruleToItself' })
  expect(problems({ sources: ['10.1.1.1'], destinations: ['2001:db8::1'] })).toEqual({
    destinations: 'addressVersions',
  })
  expect(problems({ sources: ['10.1.1.1', '2001:db8::2'], destinations: ['2001:db8::1'] })).toEqual({})
})
