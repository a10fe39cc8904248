import { internetSource } from '@/model/internet/source'
import { wan } from '@/model/internet/wan'
import { check, type Data, type Kind } from '@/model/kind'
import { policyRoute } from '@/model/traffic/policy-route'
import { staticRoute } from '@/model/traffic/static-route'

const problemsOf =
  (kind: Kind, base: Data) =>
  (more: Data, others: Data[] = []) => {
    const checked = check(kind, { ...base, ...more }, { others })
    return 'data' in checked ? {} : checked.fields
  }
const problems = problemsOf(wan, { name: 'Fibre', interface: 'eth0' })
const fixed = { connection: 'static', address: '198.51.100.2', prefix: 30, gateway: '198.51.100.1' }

test.each([
  [{ vlan: 0 }, { vlan: 'tooSmall' }],
  [{ vlan: 1, vlanPriority: -1 }, { vlanPriority: 'tooSmall' }],
  [{ vlan: 1, vlanPriority: 0 }, {}],
  [{ vlan: 7, vlanPriority: 7 }, {}],
  [{ vlan: 7, vlanPriority: 8 }, { vlanPriority: 'tooLarge' }],
  [{ vlan: 4093 }, {}],
  [{ vlan: 665 }, {}],
  [{ vlan: 666 }, { vlan: 'wanVlan' }],
  [{ vlan: 4094 }, { vlan: 'tooLarge' }],
  [{ vlanPriority: 1 }, { vlanPriority: 'notUsed' }],
  [{ connection: 'kept', vlan: 7 }, { vlan: 'notUsed' }],
])('P7: %j gives %j', (data, expected) => {
  expect(problems(data)).toEqual(expected)
})

test.each([
  [{}, {}],
  [{ gateway: '198.51.100.2' }, { gateway: 'gatewaySegment' }],
  [{ gateway: '198.51.100.5' }, { gateway: 'gatewaySegment' }],
  [{ gateway: '198.51.100.3' }, { gateway: 'gatewaySegment' }],
  [{ gateway: undefined }, { gateway: 'required' }],
  [{ address: undefined }, { address: 'required' }],
  [{ prefix: undefined }, { prefix: 'required' }],
  [{ prefix: 33 }, { prefix: 'tooLarge' }],
  [{ address: '127.0.0.1' }, { address: 'hostAddress' }],
])('P1 and P14: a fixed address with %j gives %j', (more, expected) => {
  expect(problems({ ...fixed, ...more })).toEqual(expected)
})

test('P14: without a fixed address there is none to give', () => {
  expect(problems({ address: '198.51.100.2' })).toEqual({ address: 'notUsed' })
})

const dialled = { connection: 'pppoe', user: 'me@isp', password: 'secret' }
test.each([
  [{}, {}],
  [
    { user: undefined, password: undefined },
    { user: 'required', password: 'required' },
  ],
  [{ mtu: 575 }, { mtu: 'tooSmall' }],
  [{ mtu: 576 }, {}],
  [{ mtu: 1492 }, {}],
  [{ mtu: 1493 }, { mtu: 'tooLarge' }],
  [{ address: '198.51.100.2' }, { address: 'notUsed' }],
  [{ user: 'a\nb' }, { user: 'controlCharacters' }],
])('PPPoE with %j gives %j', (more, expected) => {
  expect(problems({ ...dialled, ...more })).toEqual(expected)
})

test.each([
  [{ dns1: '9.9.9.9', dns2: '1.1.1.1' }, {}],
  [{ dns1: '9.9.9.9', dns2: '9.9.9.9' }, { dns2: 'dnsSame' }],
  [{ dns1: '9.9.9' }, { dns1: 'ipv4' }],
  [{ dns1: '224.0.0.1' }, { dns1: 'hostAddress' }],
  [{ connection: 'kept', dns1: '9.9.9.9' }, { dns1: 'notUsed' }],
])('P14 and N23: name servers %j give %j', (more, expected) => {
  expect(problems(more)).toEqual(expected)
})

const fixed6 = { ipv6: 'static', address6: '2001:db8::2', prefix6: 64, gateway6: '2001:db8::1' }
test.each([
  [{ ipv6: 'auto', delegatedLength: 31 }, { delegatedLength: 'tooSmall' }],
  [{ ipv6: 'auto', delegatedLength: 32 }, {}],
  [{ ipv6: 'auto', delegatedLength: 64 }, {}],
  [{ ipv6: 'auto', delegatedLength: 65 }, { delegatedLength: 'tooLarge' }],
  [{ ipv6: 'auto', delegatedLength: 56, pdLength: 55 }, { pdLength: 'pdLength' }],
  [{ ipv6: 'auto', delegatedLength: 56, pdLength: 56 }, {}],
  [{ ipv6: 'auto', pdLength: 65 }, { pdLength: 'tooLarge' }],
  [{ ...fixed6 }, {}],
  [{ ...fixed6, delegated: '2001:db8:1::/60' }, {}],
  [{ ...fixed6, delegated: '2001:db8:1::/60', pdLength: 59 }, { pdLength: 'pdLength' }],
  [
    { ...fixed6, delegated: '2001:db8:1::/65' },
    { delegated: 'delegatedLong', pdLength: 'pdLength' },
  ],
  [{ ...fixed6, delegated: '2001:db8:1::1/60' }, { delegated: 'hostBits' }],
  [{ ...fixed6, address6: 'ff02::1' }, { address6: 'hostAddress' }],
  [{ ...fixed6, prefix6: 129 }, { prefix6: 'tooLarge' }],
  [{ ipv6: 'static' }, { address6: 'required', prefix6: 'required', gateway6: 'required' }],
  [{ ipv6: 'off', pdLength: 60 }, { pdLength: 'notUsed' }],
  [{ connection: 'kept', ipv6: 'auto' }, { ipv6: 'notUsed' }],
])('P7 and P1: IPv6 with %j gives %j', (more, expected) => {
  expect(problems(more)).toEqual(expected)
})

const named = { ddns: 'dyn', ddnsHost: 'home.example.org', ddnsUser: 'me', ddnsPassword: 'secret' }
test('P8: one way has IPv6, and one dynamic DNS', () => {
  const other = { name: 'Other', interface: 'eth9', connection: 'dhcp', ipv6: 'auto', ddns: 'noIp' }
  expect(problems({ ipv6: 'auto', ...named }, [other])).toEqual({ ipv6: 'ipv6Taken', ddns: 'ddnsTaken' })
  expect(problems({ ipv6: 'auto', ...named }, [{ ...other, ipv6: 'off', ddns: 'off' }])).toEqual({})
  expect(problems({}, [other])).toEqual({})
})

test.each([
  [{}, {}],
  [{ ddnsHost: undefined }, { ddnsHost: 'required' }],
  [
    { ddnsUser: undefined, ddnsPassword: undefined },
    { ddnsUser: 'required', ddnsPassword: 'required' },
  ],
  [{ ddnsHost: 'no host' }, { ddnsHost: 'domain' }],
  [{ ddns: 'custom' }, { ddnsServer: 'required' }],
  [{ ddns: 'custom', ddnsServer: 'https://dns.example.org:8443/nic/update' }, {}],
  [{ ddns: 'custom', ddnsServer: 'https://me:pw@dns.example.org/' }, { ddnsServer: 'ddnsServer' }],
  [{ ddns: 'custom', ddnsServer: 'https://dns.example.org/?a=1' }, { ddnsServer: 'ddnsServer' }],
  [{ ddns: 'custom', ddnsServer: 'ftp://dns.example.org/' }, { ddnsServer: 'urlFormat' }],
  [{ ddnsServer: 'https://dns.example.org/' }, { ddnsServer: 'notUsed' }],
])('P8: dynamic DNS with %j gives %j', (more, expected) => {
  expect(problems({ ...named, ...more })).toEqual(expected)
})

test('P7: no two ways lead to one DMZ host', () => {
  const other = { name: 'Other', interface: 'eth9', dmzHost: '192.168.1.9' }
  expect(problems({ dmzHost: '192.168.1.9' }, [other])).toEqual({ dmzHost: 'dmzTaken' })
  expect(problems({ dmzHost: '192.168.1.8' }, [other])).toEqual({})
  expect(problems({ dmzHost: '127.0.0.1' })).toEqual({ dmzHost: 'hostAddress' })
})

test.each([
  [{}, {}],
  [{ lans: [], sources: ['10.0.0.0/24'] }, {}],
  [{ lans: [] }, { lans: 'sourceRequired' }],
  [{ wans: [] }, { wans: 'required' }],
  [{ sources: ['10.0.0.1/24'] }, { 'sources.0': 'hostBits' }],
  [{ sources: ['10.0.0.0/24', '10.0.0.0/24'] }, { 'sources.1': 'duplicate' }],
])('N23: a source with %j gives %j', (more, expected) => {
  const [lan, way] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const source = problemsOf(internetSource, { name: 'Guests', lans: [lan], wans: [way] })
  expect(source(more)).toEqual(expected)
  expect(source({}, [{ lans: [lan], sources: [] }])).toEqual({ lans: 'sourceTaken' })
})

test.each([
  [0, { metric: 'tooSmall' }],
  [1, {}],
  [255, {}],
  [256, { metric: 'tooLarge' }],
])('N19: the metric %j gives %j', (metric, expected) => {
  expect(problems({ metric })).toEqual(expected)
})

test('an interface leads out once, but once more in each VLAN', () => {
  const other = { name: 'Other', interface: 'eth0' }
  expect(problems({}, [other])).toEqual({ interface: 'wanTaken' })
  expect(problems({ vlan: 7 }, [other])).toEqual({})
})

test('P13: the default is kept, unless another of its rank is left', () => {
  const one = { metric: 2 }
  expect(wan.keeps?.(one, [])).toBe(true)
  expect(wan.keeps?.(one, [{ metric: 3 }])).toBe(true)
  expect(wan.keeps?.(one, [{ metric: 2 }])).toBe(false)
  expect(wan.keeps?.(one, [{ metric: 1 }, { metric: 3 }])).toBe(false)
  expect(wan.max).toBe(8)
})

test.each([
  [{}, {}],
  [{ destination: '10.0.0.1/8' }, { destination: 'hostBits' }],
  [{ destination: '10.0.0.0' }, { destination: 'cidr4' }],
  [{ gateway: '224.0.0.1' }, { gateway: 'hostAddress' }],
  [{ metric: 0 }, { metric: 'tooSmall' }],
  [{ metric: 255 }, {}],
  [{ metric: 256 }, { metric: 'tooLarge' }],
])('N19 and P1: a static route with %j gives %j', (more, expected) => {
  const route = problemsOf(staticRoute, { name: 'Lab', destination: '10.0.0.0/8', gateway: '192.168.1.2' })
  expect(route(more)).toEqual(expected)
  expect(route({}, [{ destination: '10.0.0.0/8', metric: 1 }])).toEqual({ metric: 'routeTaken' })
})

test.each([
  [{ source: '10.0.0.0/24' }, {}],
  [{ destination: '10.0.0.0/24' }, {}],
  [{}, { source: 'sourceOrDestination' }],
  [{ source: '10.0.0.0/24', metric: 256 }, { metric: 'tooLarge' }],
  [{ source: '10.0.0.0/24', wan: 'fibre' }, { wan: 'notFound' }],
])('N19: a policy route with %j gives %j', (more, expected) => {
  const wanId = '00000000-0000-4000-8000-000000000001'
  expect(problemsOf(policyRoute, { name: 'Cameras', wan: wanId })(more)).toEqual(expected)
})
