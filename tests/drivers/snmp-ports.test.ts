import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { adoptBlock } from '@/server/drivers/assess'
import type { DesiredDocument } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { managerPath } from '@/server/drivers/snmp/observe/manager-path'
import { parseVlans, partsOf, vlansText } from '@/server/drivers/snmp/ports/port-state'
import { portsRenderer } from '@/server/drivers/snmp/ports/ports'
import { vlanSettings, withPort } from '@/server/drivers/snmp/ports/vlan-write'
import type { Mib } from '@/server/drivers/snmp/protocol/table'
import { hosts, neighbours } from '@/server/drivers/snmp/tables/bridge'
import { ipNetToMedia, ipNetToPhysical } from '@/server/drivers/snmp/tables/mibs'

const face = (key: string, name: string, more = {}) => ({
  key,
  name,
  type: 'ethernet' as const,
  adminUp: true,
  up: true,
  ...more,
})
const seen: Observation = {
  takenAt: 0,
  depth: 'full',
  interfaces: [face('1', 'Gi1/0.1'), face('2', 'Gi1/0.2'), face('3', 'Gi1/0.3', { up: false })],
  ports: [
    { number: 1, interface: '1', label: '1', nativeVlan: 1 },
    { number: 2, interface: '2', label: '2', nativeVlan: 1, poe: { enabled: true } },
    { number: 3, interface: '3', label: '3' },
  ],
}
const profile = (name: string, data: object): DesiredDocument => {
  const checked = check(portProfile, { name, ...data })
  return { id: name, kind: 'portProfile', name, data: 'data' in checked ? checked.data : {} }
}
const render = (...documents: DesiredDocument[]) =>
  portsRenderer.render({
    facts: { kind: 'switch', capabilities: [] },
    observation: seen,
    documents,
    confirmSeconds: 90,
  })
const texts = (...documents: DesiredDocument[]) => render(...documents).blocks.map(({ id, text }) => [id, text])

test('a profile is the variables of its ports, named by interface or by label; what is not set stays', () => {
  const data = { ports: ['Gi1/0.1', '2'], description: 'Desk', nativeVlan: 10, allowedVlans: '20-21,10', poe: 'off' }
  const vlans = 'pvid 10\nuntagged 10\ntagged 20,21'
  const made = render(profile('a', data))
  expect(made.blocks.map(({ id, text }) => [id, text])).toEqual([
    ['snmp:Gi1/0.1.ifAdminStatus', 'up'],
    ['snmp:Gi1/0.1.ifAlias', 'Desk'],
    ['snmp:Gi1/0.1.vlans', vlans],
    ['snmp:Gi1/0.2.ifAdminStatus', 'up'],
    ['snmp:Gi1/0.2.ifAlias', 'Desk'],
    ['snmp:Gi1/0.2.pethPsePortAdminEnable', 'off'],
    ['snmp:Gi1/0.2.vlans', vlans],
  ])
  expect(made.warnings.map(one => one.code)).toEqual(['portCannot.pethPsePortAdminEnable'])
  expect(partsOf('snmp:Gi1/0.1.vlans')).toEqual({ port: 'Gi1/0.1', variable: 'vlans' })
  expect(texts(profile('b', { ports: ['3'], enabled: false }))).toEqual([['snmp:Gi1/0.3.ifAdminStatus', 'down']])
})

test.each([
  ['ifAdminStatus', 'down', { enabled: false }],
  ['ifAdminStatus', 'testing', undefined],
  ['ifAlias', 'By hand', { description: 'By hand' }],
  ['vlans', 'pvid 30\nuntagged 30\ntagged 20,40', { nativeVlan: 30, allowedVlans: '20,40' }],
  ['vlans', 'pvid 30\nuntagged 1,30\ntagged ', undefined],
])('%s as %j on the switch is in a profile %j', (variable, text, fields) => {
  const document = profile('a', { ports: ['1'], description: 'Desk', nativeVlan: 10 })
  const facts = { kind: 'switch' as const, capabilities: [] }
  const input = { facts, observation: seen, documents: [document], confirmSeconds: 90 }
  const driver = { renderers: [portsRenderer], equal: (a: { text: string }, b: { text: string }) => a.text === b.text }
  const told = adoptBlock(driver, input, { id: `snmp:Gi1/0.1.${variable}`, text })
  expect(told).toEqual(fields && [{ document: 'a', fields }])
})

test('a port that is not there is named; one in two profiles, and all ports off (N17), stop the push', () => {
  const codes = (...documents: DesiredDocument[]) =>
    render(...documents).warnings.map(({ code, blocks = false }) => [code, blocks])
  expect(codes(profile('a', { ports: ['9'] }))).toEqual([['portMissing', false]])
  expect(codes(profile('a', { ports: ['1'] }), profile('b', { ports: ['Gi1/0.1'] }))).toEqual([['portTwice', true]])
  expect(codes(profile('a', { ports: ['1', '2'], enabled: false }))).toEqual([])
  expect(codes(profile('a', { ports: ['1', '2', '3'], enabled: false }))).toEqual([['portsAllDisabled', true]])
})

test('an address table that tells states: who is stale there, and in no forwarding table, proves nothing', () => {
  const mac = (last: number) => `02:00:00:00:00:0${last}`
  const physical = [1, 2, 3].map(at => ({
    index: `7.1.4.10.0.0.${at}`,
    mac: mac(at),
    type: 3,
    state: at === 1 ? 1 : 2,
  }))
  const media = [{ index: '7.10.0.0.4', mac: mac(4), type: 3 }]
  const tables = new Map<unknown, object[]>([
    [ipNetToPhysical, physical],
    [ipNetToMedia, media],
  ])
  const mib = { rows: (table: unknown) => tables.get(table) ?? [] } as unknown as Mib
  const found = hosts([{ mac: mac(3), port: '2' }], neighbours(mib), new Set())
  expect(Object.fromEntries(found.map(host => [host.address, [host.source, host.stale]]))).toEqual({
    '10.0.0.1': ['arp', undefined],
    '10.0.0.2': ['arp', true],
    '10.0.0.3': ['both', undefined],
    '10.0.0.4': ['arp', undefined],
  })
})

test('the own way: by the forwarding table; where it is not known, a port with a link is not stopped', () => {
  const own = [{ mac: '02:00:00:00:00:0a', address: '10.0.0.9' }]
  const host = { mac: '02:00:00:00:00:0a', port: '2', source: 'fdb' as const }
  expect(managerPath([host], '10.0.0.1', own)).toEqual({ peer: '10.0.0.9', local: '10.0.0.1', port: '2' })
  expect(managerPath([{ ...host, source: 'arp' }], '10.0.0.1', own)).toBeUndefined()
  const cuts = (port: string, observation = seen) => {
    const { blocks } = render(profile('a', { ports: [port], enabled: false, description: 'x' }))
    const before = { blocks: blocks.map(block => ({ ...block, text: 'up' })) }
    return portsRenderer.cuts?.(before, { blocks }, observation).map(cut => cut.block)
  }
  expect(cuts('1')).toEqual(['snmp:Gi1/0.1.ifAdminStatus'])
  expect(cuts('3')).toEqual([])
  expect(cuts('1', { ...seen, path: { peer: '', local: '', port: '2' } })).toEqual([])
})

test('a port joins its new VLANs before its PVID moves and before it leaves the old ones', () => {
  const byte = (...bytes: number[]) => Buffer.from(bytes)
  const state = {
    ports: [],
    vlans: [
      { vlan: 1, egress: byte(0xff), untagged: byte(0xff) },
      { vlan: 20, egress: byte(0x80), untagged: byte(0x00) },
    ],
  }
  const text = vlansText({ pvid: 20, untagged: [20], tagged: [] })
  expect(parseVlans(text)).toEqual({ pvid: 20, untagged: [20], tagged: [] })
  const steps = vlanSettings(state, 3, text).flat()
  const entry = '1.3.6.1.2.1.17.7.1.4'
  expect(
    steps.map(({ oid, value }) => [oid.replace(entry, ''), Buffer.isBuffer(value) ? value.toString('hex') : value]),
  ).toEqual([
    ['.3.1.2.20', 'a0'],
    ['.3.1.4.20', '20'],
    ['.5.1.1.3', 20],
    ['.3.1.4.1', 'df'],
    ['.3.1.2.1', 'df'],
  ])
  expect(withPort(byte(0x80), 12, true).toString('hex')).toBe('8010')
})
