// What a search makes of the signs of a device, whose MAC it is, and what is told when.

import { likelyKind, type Signs } from '@/server/worker/likely-kind'
import { macOwners } from '@/server/worker/mac-vendors'
import { probes } from '@/server/worker/probes'
import { type Found, type Probes, sweep } from '@/server/worker/sweep'

const registry = `${process.cwd()}/node_modules/oui-data/index.json`

test.each([
  ['f0:9f:c2:00:00:01', { vendor: 'Ubiquiti' }],
  ['00:00:f0:00:00:01', { vendor: 'Samsung Electronics' }],
  ['00:1b:63:00:00:01', { vendor: 'Apple' }],
  ['00:0c:29:00:00:01', { vendor: 'VMware' }],
  ['b8:27:eb:00:00:01', { vendor: 'Raspberry Pi Foundation' }],
  // A part of a number that IEEE gives out in smaller parts.
  ['c8:5c:e2:7a:bc:de', { vendor: 'SYNERGY SYSTEMS AND SOLUTIONS' }],
  // Its owner is named by nobody; a number that is nobody's; what a phone made up; a group of devices.
  ['ac:de:48:00:00:01', undefined],
  ['02:00:00:00:00:01', { private: true }],
  ['da:a1:19:00:00:01', { private: true }],
  ['01:00:5e:00:00:01', undefined],
  ['nonsense', undefined],
])('%s is of %j', async (mac, owner) => expect((await macOwners(registry))(mac)).toEqual(owner))

test('without the registry nobody is known, and a private address still is one', async () => {
  const ownerOf = await macOwners('/nowhere/index.json')
  expect(ownerOf('f0:9f:c2:00:00:01')).toBeUndefined()
  expect(ownerOf('02:00:00:00:00:01')).toEqual({ private: true })
})

test.each<[Signs, string | undefined]>([
  [{ objectId: '1.3.6.1.4.1.14988.1', description: 'RouterOS CCR1009-7G-1C-1S+' }, 'gateway'],
  [{ objectId: '1.3.6.1.4.1.41112.1.6', description: 'U6-Pro 6.5.28.14491' }, 'ap'],
  [{ objectId: '1.3.6.1.4.1.11.2.3.9.1', description: 'HP LaserJet M252dw' }, 'printer'],
  // What SNMP says goes before what a device announces.
  [{ objectId: '1.3.6.1.4.1.9.1.1', description: 'Cisco IOS Software, C2960X Software', services: ['ipp'] }, 'switch'],
  [{ capabilities: ['bridge', 'router'] }, 'gateway'],
  [{ capabilities: ['bridge', 'ap'] }, 'ap'],
  [{ capabilities: ['bridge'] }, 'switch'],
  [{ capabilities: ['bridge', 'phone'] }, 'phone'],
  [{ services: ['http', 'ipp'] }, 'printer'],
  [{ services: ['wsd:NetworkVideoTransmitter', 'wsd:Device'] }, 'camera'],
  [{ services: ['upnp:InternetGatewayDevice'] }, 'gateway'],
  [{ services: ['googlecast'] }, 'media'],
  [{ services: ['wsd:Device', 'wsd:Computer'] }, 'computer'],
  [{ services: ['apple-mobdev2'] }, 'phone'],
  [{ services: ['adisk', 'afpovertcp', 'smb'] }, 'storage'],
  [{ name: 'Annas-iPhone.lan' }, 'phone'],
  [{ name: 'ap-hall' }, 'ap'],
  [{ name: 'sw2.lan' }, 'switch'],
  [{ name: 'gw' }, 'gateway'],
  [{ name: 'apple' }, undefined],
  [{ name: 'gwen' }, undefined],
  [{ banner: 'SSH-2.0-ROSSSH' }, 'gateway'],
  [{ banner: 'SSH-2.0-OpenSSH_9.6p1 Ubuntu-3' }, 'computer'],
  [{ banner: 'SSH-2.0-dropbear' }, undefined],
  [{ vendor: 'AXIS COMMUNICATIONS AB' }, 'camera'],
  [{ vendor: 'Sonos' }, 'media'],
  [{ vendor: 'Ubiquiti' }, undefined],
  [{}, undefined],
])('%j is likely %s', (signs, kind) => expect(likelyKind(signs)).toBe(kind))

const silent: Probes = {
  ...probes,
  ssh: () => Promise.reject(Object.assign(new Error('timeout'), { reason: 'timeout' })),
  snmp: async () => undefined,
  name: async () => undefined,
  announcements: async () => new Map(),
}
const never = new AbortController().signal

test('who announces itself is found though its doors are silent, and what both tell is one', async () => {
  const said = new Map([
    ['10.0.0.1', { name: 'Laser', model: 'HL-L2350DW', services: ['ipp'] }],
    ['10.0.0.2', { services: ['workstation'] }],
  ])
  const some: Probes = {
    ...silent,
    announcements: async () => said,
    snmp: async address => (address === '10.0.0.2' ? { versions: ['v3'] } : undefined),
    name: async () => 'desk.lan',
  }
  const told: Found[] = []
  const input = { id: 'x', addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }
  const found = await sweep(input, some, never, ({ found: one }) => one && told.push(one))
  expect(found.toSorted((a, b) => a.address.localeCompare(b.address))).toEqual([
    { address: '10.0.0.1', from: 'sweep', name: 'Laser', model: 'HL-L2350DW', likely: 'printer', services: ['ipp'] },
    {
      ...{ address: '10.0.0.2', from: 'sweep', name: 'desk.lan', likely: 'computer' },
      snmp: { port: 161, versions: ['v3'] },
      services: ['workstation'],
    },
  ])
  // Told at once, and again when more was heard.
  expect(told.filter(one => one.address === '10.0.0.2')).toHaveLength(2)
})

test('what managed devices tell of an address beyond a router counts: its MAC and its kind', async () => {
  const neighbours = { '10.9.0.1': { mac: 'f0:9f:c2:00:00:01', capabilities: ['bridge', 'ap'] } }
  const some: Probes = { ...silent, snmp: async () => ({ versions: ['v3' as const] }) }
  const found = await sweep(
    { id: 'x', addresses: ['10.9.0.1'], neighbours, macs: registry },
    some,
    never,
    () => undefined,
  )
  expect(found).toMatchObject([{ mac: 'f0:9f:c2:00:00:01', vendor: 'Ubiquiti', likely: 'ap' }])
})
