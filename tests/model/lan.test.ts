import { check, type Data } from '@/model/kind'
import { lan } from '@/model/lan/lan'
import { proposedPool } from '@/model/lan/pool'

const base: Data = {
  name: 'Guests',
  vlan: 20,
  address: '192.168.20.1/24',
  poolStart: '192.168.20.100',
  poolEnd: '192.168.20.199',
}
const problems = (more: Data, others: Data[] = []) => {
  const checked = check(lan, { ...base, ...more }, { others })
  return 'data' in checked ? {} : checked.fields
}

test.each([
  [0, { vlan: 'lanVlan' }],
  [1, {}],
  [665, {}],
  [666, { vlan: 'lanVlan' }],
  [667, {}],
  [4093, {}],
  [4094, { vlan: 'lanVlan' }],
  [undefined, { vlan: 'required' }],
])('N14: the VLAN %j gives %j', (vlan, expected) => {
  expect(problems({ vlan })).toEqual(expected)
})

test('N14: one interface per VLAN', () => {
  const other = { ...base, name: 'Other', address: '192.168.30.1/24' }
  expect(problems({}, [other])).toEqual({ vlan: 'vlanTaken' })
  expect(problems({}, [{ ...other, vlan: 30 }])).toEqual({})
})

test.each([
  ['192.168.20.1/24', '192.168.21.1/24', {}],
  ['192.168.20.1/24', '192.168.20.129/25', { address: 'segmentTaken' }],
  ['192.168.20.1/24', '192.168.0.1/16', { address: 'segmentTaken' }],
  ['192.168.20.1/24', '192.168.20.2/24', { address: 'segmentTaken' }],
])('P1: the segments %s and %s together give %j', (address, theirs, expected) => {
  expect(problems({ address }, [{ ...base, vlan: 30, address: theirs }])).toEqual(expected)
})

test.each([
  ['192.168.20.2', '192.168.20.254', {}],
  ['192.168.20.0', '192.168.20.9', { poolStart: 'poolSegment' }],
  ['192.168.20.1', '192.168.20.9', { poolStart: 'poolGateway' }],
  ['192.168.20.2', '192.168.20.255', { poolEnd: 'poolSegment' }],
  ['192.168.19.9', '192.168.20.9', { poolStart: 'poolSegment' }],
  ['192.168.20.9', '192.168.21.9', { poolEnd: 'poolSegment' }],
  ['192.168.20.9', '192.168.20.9', { poolEnd: 'poolOrder' }],
  ['192.168.20.9', '192.168.20.8', { poolEnd: 'poolOrder' }],
  [undefined, '192.168.20.8', { poolStart: 'required' }],
  ['192.168.20.9', undefined, { poolEnd: 'required' }],
])('P3: the pool %s to %s gives %j', (poolStart, poolEnd, expected) => {
  expect(problems({ poolStart, poolEnd })).toEqual(expected)
})

test('P3: a gateway in the middle of the pool; without DHCP there is no pool', () => {
  expect(problems({ address: '192.168.20.150/24' })).toEqual({ poolStart: 'poolGateway' })
  expect(problems({ dhcp: false })).toEqual({ poolStart: 'notUsed', poolEnd: 'notUsed' })
  expect(problems({ dhcp: false, poolStart: undefined, poolEnd: undefined })).toEqual({})
})

test.each([
  [1, { lease: 'tooSmall' }],
  [2, {}],
  [2880, {}],
  [2881, { lease: 'tooLarge' }],
])('P4: the lease of %j minutes gives %j', (lease, expected) => {
  expect(problems({ lease })).toEqual(expected)
})

test.each([
  ['9.9.9.9', '1.1.1.1', {}],
  ['9.9.9.9', '9.9.9.9', { dns2: 'dnsSame' }],
  ['127.0.0.1', undefined, { dns1: 'hostAddress' }],
  ['9.9.9', undefined, { dns1: 'ipv4' }],
])('P14 and P3: the DNS servers %s and %s give %j', (dns1, dns2, expected) => {
  expect(problems({ dns1, dns2 })).toEqual(expected)
})

test.each([
  ['guest.example', {}],
  ['lan', {}],
  ['a b', { domain: 'domain' }],
  ['x"y', { domain: 'domain' }],
])('P14: the domain %s gives %j', (domain, expected) => {
  expect(problems({ domain })).toEqual(expected)
})

test.each([
  [{ code: 1, type: 'text', value: 'a' }, { 'options.0.code': 'dhcpOption' }],
  [{ code: 2, type: 'text', value: 'a' }, {}],
  [{ code: 53, type: 'text', value: 'a' }, { 'options.0.code': 'dhcpOption' }],
  [{ code: 254, type: 'text', value: 'x'.repeat(255) }, {}],
  [{ code: 255, type: 'text', value: 'a' }, { 'options.0.code': 'dhcpOption' }],
  [{ code: 254, type: 'text', value: 'x'.repeat(256) }, { options: 'optionValue' }],
  [{ code: 254, type: 'text', value: '' }, { 'options.0.value': 'required' }],
  [{ code: 42, type: 'address', value: '10.0.0.1, 10.0.0.2' }, {}],
  [{ code: 42, type: 'address', value: '10.0.0.1,' }, { options: 'optionValue' }],
  // dnsmasq takes nothing else for them.
  [{ code: 3, type: 'hex', value: '0a000001' }, { options: 'optionValue' }],
  [{ code: 150, type: 'text', value: 'boot' }, { options: 'optionValue' }],
])('G20: the option %j gives %j', (option, expected) => {
  expect(problems({ options: [option] })).toEqual(expected)
})

test.each([
  ['01', { options: 'optionValue' }],
  ['0104', {}],
  ['010', { options: 'optionValue' }],
  ['01040', { options: 'optionValue' }],
  ['ab'.repeat(128), {}],
  ['zz00', { options: 'optionValue' }],
])('P15: the hexadecimal content %s gives %j', (value, expected) => {
  expect(problems({ options: [{ code: 43, type: 'hex', value }] })).toEqual(expected)
  expect(problems({ options: [{ code: 66, type: 'hex', value }] })).toEqual({ options: 'optionValue' })
})

const lease = (last: number, address: string) => ({ mac: `02:00:00:00:00:0${last}`, address })
test.each([
  [[lease(1, '192.168.20.7'), lease(2, '192.168.20.8')], {}],
  [[lease(1, '192.168.20.7'), lease(1, '192.168.20.8')], { 'leases.1.mac': 'duplicate' }],
  [[lease(1, '192.168.20.7'), lease(2, '192.168.20.7')], { 'leases.1.address': 'duplicate' }],
  [[lease(1, '192.168.21.7')], { leases: 'leaseSegment' }],
  [[lease(1, '192.168.20.1')], { leases: 'leaseSegment' }],
  [[lease(1, '192.168.20.255')], { leases: 'leaseSegment' }],
  [[{ mac: '02-00-00-00-00', address: '192.168.20.7' }], { 'leases.0.mac': 'mac' }],
])('N4, P1 and N23: the static leases %j give %j', (leases, expected) => {
  expect(problems({ leases })).toEqual(expected)
})

test('N23: WINS servers are hosts, each once, at most two', () => {
  expect(problems({ wins: ['192.168.20.5', '192.168.20.6'] })).toEqual({})
  expect(problems({ wins: ['192.168.20.5', '192.168.20.5'] })).toEqual({ 'wins.1': 'duplicate' })
  expect(problems({ wins: ['224.0.0.1'] })).toEqual({ 'wins.0': 'hostAddress' })
  expect(problems({ wins: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })).toEqual({ wins: 'tooMany' })
  expect(problems({ dhcp: false, poolStart: undefined, poolEnd: undefined, wins: ['10.0.0.1'] })).toEqual({
    wins: 'notUsed',
  })
})

test('N23: an option once', () => {
  const option = { code: 42, type: 'address', value: '10.0.0.1' }
  expect(problems({ options: [option, option] })).toEqual({ 'options.1.code': 'duplicate' })
})

test.each([
  ['192.168.20.1/24', '192.168.20.11', '192.168.20.254'],
  ['192.168.20.254/24', '192.168.20.10', '192.168.20.253'],
  ['10.0.5.200/16', '10.0.5.210', '10.0.255.254'],
  ['192.168.20.17/28', '192.168.20.18', '192.168.20.30'],
  ['192.168.20.2/29', '192.168.20.3', '192.168.20.6'],
])('P3: for the gateway %s the pool %s to %s is proposed, and is taken', (address, poolStart, poolEnd) => {
  expect(proposedPool(address)).toEqual({ poolStart, poolEnd })
  expect(problems({ address, poolStart, poolEnd })).toEqual({})
})

test.each(['', '192.168.20.1', '192.168.20.1/31', '192.168.20.1/30', '300.1.1.1/24'])(
  'P3: for %j no pool is proposed',
  address => expect(proposedPool(address)).toBeUndefined(),
)
