// All that is wrong is told at once: a rule is judged beside wrong fields, unless it hangs on one of them.
import { wiredRule } from '@/model/firewall/wired'
import { wan } from '@/model/internet/wan'
import { check, type Data, type Kind, kind, rule, section } from '@/model/kind'
import { lan } from '@/model/lan/lan'
import { kindIds, loadKind } from '@/model/registry'
import { checkSingle, inheritedFrom, valuesOf } from '@/model/single'
import { mesh } from '@/model/wifi/mesh'
import { ssid } from '@/model/wifi/ssid'
import { randomOf } from '../soak/random'
import { randomDocument } from './_random'

type Case = [Data, Data, Data[]?]
const told = (of: Kind, data: Data, others: Data[] = []) => {
  const checked = check(of, data, { others })
  return 'data' in checked ? {} : checked.fields
}

const fixed = { connection: 'static', address: '198.51.100.2', prefix: 30 }
const other = { name: 'Other', interface: 'eth0', ipv6: 'auto', connection: 'dhcp', ddns: 'off' }
test.each<Case>([
  [
    { name: '', ...fixed },
    { name: 'required', gateway: 'required' },
  ],
  [
    { mtu: 9000, connection: 'pppoe' },
    { mtu: 'tooLarge', user: 'required', password: 'required' },
  ],
  [
    { dns1: '9.9.9', connection: 'pppoe', user: 'me' },
    { dns1: 'ipv4', password: 'required' },
  ],
  // Rule P14: whether the gateway lies in the segment hangs on the prefix.
  [
    { ...fixed, gateway: '198.51.100.9', metric: 0 },
    { metric: 'tooSmall', gateway: 'gatewaySegment' },
  ],
  [{ ...fixed, gateway: '198.51.100.9', prefix: 33 }, { prefix: 'tooLarge' }],
  // How it is addressed says which fields there are: nothing is told of them.
  [{ connection: 'dial', address: '198.51.100.2', vlanPriority: 3 }, { connection: 'notAllowed' }],
  [{ vlanPriority: 3, vlan: 4094 }, { vlan: 'tooLarge' }],
  [
    { vlanPriority: 3, metric: 0 },
    { vlanPriority: 'notUsed', metric: 'tooSmall' },
  ],
  // Rule N23.
  [
    { dns1: '9.9.9.9', dns2: '9.9.9.9', weight: 11 },
    { dns2: 'dnsSame', weight: 'tooLarge' },
  ],
  [{ dns1: '9.9.9', dns2: '9.9.9.9' }, { dns1: 'ipv4' }],
  // Rule P7.
  [{ ipv6: 'auto', delegatedLength: 65, pdLength: 48 }, { delegatedLength: 'tooLarge' }],
  [
    { ipv6: 'auto', pdLength: 48, metric: 256 },
    { pdLength: 'pdLength', metric: 'tooLarge' },
  ],
  // Rule P8, and one interface leads out once: by the other ways.
  [{ ipv6: 'auto', weight: 0 }, { weight: 'tooSmall', ipv6: 'ipv6Taken', interface: 'wanTaken' }, [other]],
  [{ interface: 'no interface', ipv6: 'auto' }, { interface: expect.any(String), ipv6: 'ipv6Taken' }, [other]],
  [{ ipv6: 'on', vlan: 5000 }, { ipv6: 'notAllowed', vlan: 'tooLarge' }, [other]],
])('wan: %j gives %j', (more, expected, others = []) => {
  expect(told(wan, { name: 'Fibre', interface: 'eth0', ...more }, others)).toEqual(expected)
})

const pool = { name: 'Guests', vlan: 20, address: '10.20.0.1/24', poolStart: '10.20.0.10', poolEnd: '10.20.0.99' }
test.each<Case>([
  [
    { vlan: 4094, poolEnd: '10.21.0.9' },
    { vlan: expect.any(String), poolEnd: 'poolSegment' },
  ],
  [
    { name: undefined, poolStart: undefined },
    { name: 'required', poolStart: 'required' },
  ],
  // Rule P3: nothing of the pool is told beside an address that is none.
  [{ address: '10.20.0.1', poolEnd: '10.21.0.9' }, { address: 'interfaceAddress' }],
  [
    { poolStart: '10.20.0', poolEnd: '10.21.0.9' },
    { poolStart: 'ipv4', poolEnd: 'poolSegment' },
  ],
  [{ poolStart: '10.20.0', poolEnd: '10.20.0.2' }, { poolStart: 'ipv4' }],
  [{ dhcp: 'yes', poolStart: undefined }, { dhcp: 'wrongType' }],
  [
    { lease: 1, leases: [{ mac: '020000000001', address: '10.9.0.9' }] },
    { lease: 'tooSmall', leases: 'leaseSegment' },
  ],
  [{ leases: [{ mac: 'x', address: '10.9.0.9' }] }, { 'leases.0.mac': 'mac' }],
  // Rules G20 and P15.
  [
    { lease: 1, options: [{ code: 43, type: 'hex', value: 'a' }] },
    { lease: 'tooSmall', options: 'optionValue' },
  ],
  // Rule N14: by the other networks.
  [{ lease: 1 }, { lease: 'tooSmall', vlan: 'vlanTaken', address: 'segmentTaken' }, [pool]],
  [{ address: '10.20.0.1' }, { address: 'interfaceAddress', vlan: 'vlanTaken' }, [pool]],
])('lan: %j gives %j', (more, expected, others = []) => {
  expect(told(lan, { ...pool, ...more }, others)).toEqual(expected)
})

const raw = '0123456789abcdef'.repeat(4)
test.each<Case>([
  [
    { name: 'Bar！', security: 'wpa3', key: raw },
    { name: 'fullWidth', key: 'wpa3Key' },
  ],
  [
    { vlan: 1, bands: ['6g'] },
    { vlan: 'ssidVlan', bands: 'band6' },
  ],
  [
    { bands: ['60g'], security: 'wpa2' },
    { 'bands.0': 'notAllowed', key: 'keyRequired' },
  ],
  [
    { security: 'wpa9', key: 'abcdefghijklm', bands: ['6g'], radius: 'x' },
    { security: 'notAllowed', radius: 'notFound' },
  ],
  [
    { security: 'wpa3Enterprise', dtim: 0 },
    { dtim: 'tooSmall', radius: 'required' },
  ],
  [{ macFilter: 'some', macList: ['020000000001'] }, { macFilter: 'notAllowed' }],
  [
    { macFilter: 'block', ssid: 1 },
    { ssid: 'unknownField', macList: 'macsRequired' },
  ],
  [
    { macFilter: 'block', macList: ['x'], key: 'harbour1234' },
    { 'macList.0': 'mac', key: 'notUsed' },
  ],
  // Rules W4 and N16: by the other networks.
  [
    { beaconInterval: 99, dtim: 11 },
    { beaconInterval: 'beaconNetworks', dtim: 'tooLarge' },
    Array(4).fill({ vlan: 20 }),
  ],
  [{ vlan: 20, dtim: 11 }, { vlan: 'vlanSsids', dtim: 'tooLarge' }, Array(4).fill({ vlan: 20 })],
])('ssid: %j gives %j', (more, expected, others = []) => {
  expect(told(ssid, { name: 'Harbour', security: 'open', ...more }, others)).toEqual(expected)
})

test.each<Case>([
  [
    { name: '', from: 'device', to: 'device' },
    { name: 'required', to: 'ruleToItself' },
  ],
  [{ from: 'here', to: 'device', macs: ['020000000001'] }, { from: 'notAllowed' }],
  [{ protocol: 'gre', ports: '80' }, { protocol: 'notAllowed' }],
  [
    { protocol: 'tcp', ports: '0', sources: ['10.0.0.1'], destinations: ['2001:db8::1'] },
    { ports: 'ports', destinations: 'addressVersions' },
  ],
  [{ sources: ['10.0.0'], destinations: ['2001:db8::1'] }, { 'sources.0': 'addressOrSegment' }],
])('wired rule: %j gives %j', (more, expected) => {
  expect(told(wiredRule, { name: 'Rule', ...more })).toEqual(expected)
})

test.each<[Data, Data, Data]>([
  [{ enabled: true, cascades: 4 }, {}, { cascades: 'tooLarge', meshId: 'required' }],
  [
    { key: raw, meshTime: 0 },
    { enabled: true, meshId: 'Hall' },
    { meshTime: 'tooSmall', key: 'wpa3Key' },
  ],
  [{ cascades: 2, band: '6g' }, {}, { cascades: 'notUsed', band: 'notAllowed' }],
  // A wrong value is not taken for the one above it.
  [{ enabled: 'yes' }, { enabled: true }, { enabled: 'wrongType' }],
  [{ enabled: 'yes', cascades: 2 }, { enabled: false }, { enabled: 'wrongType' }],
  [{ strange: 1 }, { enabled: true }, { strange: 'unknownField', meshId: 'required' }],
])('mesh: %j below %j gives %j', (own, above, expected) => {
  const inherited = { ...valuesOf(inheritedFrom(mesh, [])), ...above }
  const checked = checkSingle(mesh, own, inherited)
  expect('data' in checked ? {} : checked.fields).toEqual(expected)
})

test('a rule that fails for another reason is not hidden', () => {
  const { fields } = wan
  const failing = () => {
    throw new Error('broken')
  }
  const broken = kind({
    ...{ id: 'broken', area: 'test', scope: 'network', max: 1, title: 'name', columns: ['name'], fields },
    sections: [section('all', ['name'])],
    rules: [rule('invalid', 'interface', failing)],
  })
  expect(() => check(broken, { name: '', interface: 'eth0' })).toThrow('broken')
})

const ids = Object.fromEntries(kindIds.map(id => [id, ['0b0e3a52-8f8f-4d43-9a44-0d7a3f2a1c11']]))
const junk = [null, 7, -0.5, '', '\n', [], [7], {}, { set: true }, 'x'.repeat(3000), true, Number.NaN]
test.each(kindIds)('%s: no value of a field breaks a rule, and what is wrong by itself is always told', async id => {
  const one = await loadKind(id)
  const whole = randomDocument(one, randomOf(5), { ids })
  for (const key of Object.keys(one.fields.shape))
    for (const value of junk)
      for (const data of [{ ...whole, [key]: value }, { [key]: value }]) {
        const parsed = one.fields.safeParse(data)
        const wrong = parsed.success ? [] : parsed.error.issues.map(issue => issue.path.join('.'))
        const checked = check(one, data, { others: [whole] })
        const fields = 'data' in checked ? [] : Object.keys(checked.fields)
        expect([data, fields]).toEqual([data, expect.arrayContaining(wrong)])
      }
})
