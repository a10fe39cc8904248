import { blockedClient } from '@/model/firewall/blocked'
import { portForward } from '@/model/firewall/forward'
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
  expect(problems({ from: 'wan', fromLan: '00000000-0000-4000-8000-000000000000' })).toEqual({ fromLan: 'notUsed' })
  expect(problems({ to: 'wan', toLan: '00000000-0000-4000-8000-000000000000' })).toEqual({ toLan: 'notUsed' })
  expect(problems({ from: 'device', macs: ['001a2b3c4d5e'] })).toEqual({ macs: 'notUsed' })
})

test('a rule goes from somewhere to somewhere else, in one version of addresses', () => {
  expect(problems({ from: 'device', to: 'device' })).toEqual({ to: 'ruleToItself' })
  expect(problems({ sources: ['10.1.1.1'], destinations: ['2001:db8::1'] })).toEqual({
    destinations: 'addressVersions',
  })
  expect(problems({ sources: ['10.1.1.1', '2001:db8::2'], destinations: ['2001:db8::1'] })).toEqual({})
})

describe('port forwards', () => {
  const problemsOf = (data: Data, others: Data[] = []) => {
    const checked = check(portForward, { name: 'a', address: '10.0.0.7', ports: '80', ...data }, { others })
    return 'data' in checked ? {} : checked.fields
  }

  test.each([
    ['10.0.0.7', undefined],
    ['127.0.0.1', 'hostAddress'],
    ['224.0.0.1', 'hostAddress'],
    ['240.0.0.1', 'hostAddress'],
    ['0.1.2.3', 'hostAddress'],
    ['10.0.0', 'ipv4'],
    ['2001:db8::1', 'ipv4'],
  ])('P1: the server %j gives %s', (address, expected) => {
    expect(problemsOf({ address })).toEqual(expected ? { address: expected } : {})
  })

  test('P2: one port may lead to another, several keep their numbers', () => {
    expect(problemsOf({ ports: '8080', innerPort: 80 })).toEqual({})
    expect(problemsOf({ ports: '8080', innerPort: 0 })).toEqual({ innerPort: 'tooSmall' })
    expect(problemsOf({ ports: '8080', innerPort: 65_536 })).toEqual({ innerPort: 'tooLarge' })
    expect(problemsOf({ ports: '80-90', innerPort: 80 })).toEqual({ innerPort: 'notUsed' })
    expect(problemsOf({ ports: '' })).toEqual({ ports: 'ports' })
  })

  test('a port is forwarded once for the same sources', () => {
    const other = { name: 'b', protocol: 'tcp', ports: '80-90', address: '10.0.0.8', sources: [] as string[] }
    expect(problemsOf({ ports: '90' }, [other])).toEqual({ ports: 'portsTaken' })
    expect(problemsOf({ ports: '91' }, [other])).toEqual({})
    expect(problemsOf({ ports: '90', protocol: 'udp' }, [other])).toEqual({})
    expect(problemsOf({ ports: '90', protocol: 'tcpUdp' }, [other])).toEqual({ ports: 'portsTaken' })
    expect(problemsOf({ ports: '90', sources: ['198.51.100.1'] }, [other])).toEqual({})
  })

  test('only IPv4 sources', () => {
    expect(problemsOf({ sources: ['2001:db8::/32'] })).toEqual({ sources: 'ipv4Only' })
  })
})

describe('blocked clients', () => {
  const problemsOf = (data: Data) => {
    const checked = check(blockedClient, data)
    return 'data' in checked ? {} : checked.fields
  }

  test('N4: a MAC address in any of its forms is one', () => {
    const stored = (mac: string) => check(blockedClient, { mac })
    expect(stored('00-1A-2B-3C-4D-5E')).toEqual({ data: { mac: '00:1a:2b:3c:4d:5e' } })
    expect(stored('001a2b3c4d5e')).toEqual(stored('00:1A:2b:3c:4d:5e'))
    expect(problemsOf({ mac: '00:1a:2b:3c:4d:5e:6f' })).toEqual({ mac: 'mac' })
  })

  test.each([
    ['2026-11-22T20:00:00Z', undefined],
    ['2026-02-30T20:00:00Z', 'instant'],
    ['2026-11-22T24:00:00Z', 'instant'],
    ['2026-11-22T20:00:00+01:00', 'instant'],
    ['2026-11-22', 'instant'],
    ['1999-12-31T23:59:59Z', 'instant'],
  ])('until %s gives %s', (until, expected) => {
    expect(problemsOf({ mac: '001a2b3c4d5e', until })).toEqual(expected ? { until: expected } : {})
  })

  test('W13: 1000 in all', () => expect(blockedClient.max).toBe(1000))
})
