import { wan } from '@/model/internet/wan'
import { check, type Data } from '@/model/kind'
import { policyRoute } from '@/model/traffic/policy-route'
import { staticRoute } from '@/model/traffic/static-route'

const problemsOf =
  (kind: typeof wan, base: Data) =>
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
