import type { Vendor } from '@/server/drivers/models/vendor'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { portNames } from '@/server/drivers/snmp/tables/bridge'
import { type Agent, parseWalk, startAgent } from './snmp-agent'

// What is made of values that devices are known to give: nothing is invented, and what cannot be is not shown.

const open: Agent[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(each => each.close()))
})

const mib2 = '1.3.6.1.2.1'
type Port = { key: number; name: string; type?: number; mac?: string; connector?: 1 | 2; oper?: number; speed?: number }
const port = ({ key, name, type = 6, mac, connector, oper = 1, speed }: Port) => [
  `${mib2}.2.2.1.2.${key}|4|${name}`,
  `${mib2}.2.2.1.3.${key}|2|${type}`,
  `${mib2}.2.2.1.8.${key}|2|${oper}`,
  ...(mac ? [`${mib2}.2.2.1.6.${key}|4x|${mac}`] : []),
  ...(connector ? [`${mib2}.31.1.1.1.17.${key}|2|${connector}`] : []),
  ...(speed === undefined ? [] : [`${mib2}.2.2.1.5.${key}|66|${speed}`]),
]
const system = (objectId = '99999.1', description = 'Box') => [
  `${mib2}.1.1.0|4|${description}`,
  `${mib2}.1.2.0|6|1.3.6.1.4.1.${objectId}`,
  `${mib2}.1.3.0|67|123456`,
]

async function sessionOf(lines: string[]) {
  const agent = await startAgent(parseWalk(lines.join('\n')))
  open.push(agent)
  const credential = { type: 'snmp2c', community: 'public' } as const
  return snmpDriver.connect({ address: '127.0.0.1', port: agent.port, credential }, AbortSignal.timeout(60_000))
}
async function observe(lines: string[], vendor?: Omit<Vendor, 'enterprises'>) {
  const session = await sessionOf([...system(), ...lines])
  if (vendor) session.vendor = { name: 'Acme', enterprises: ['99999'], ...vendor }
  return snmpDriver.observe(session, 'full')
}

describe('clients behind bridge ports', () => {
  const base = [49153, 49154].flatMap((key, i) => [
    ...port({ key, name: `gigabitEthernet 1/0/${i + 1}` }),
    `${mib2}.17.1.4.1.2.${key}|2|${key}`,
    `${mib2}.17.7.1.4.5.1.1.${key}|66|10`,
  ])
  const learned = (id: number, at: number) => [
    `${mib2}.17.7.1.2.2.1.2.${id}.2.0.0.0.0.${at}|2|${at}`,
    `${mib2}.17.7.1.2.2.1.3.${id}.2.0.0.0.0.${at}|2|3`,
  ]

  test('ports counted from 1 where the bridge counts by ifIndex, VLANs by the vendor’s own list', async () => {
    const seen = await observe([...base, ...learned(20, 1), ...learned(30, 2), `1.3.6.1.4.1.99999.6.1.2.20|4|Desks`], {
      lists: {
        vlans: [{ name: 'acmeVlanTable', entry: '99999.6.1', fields: { id: { index: 0 }, name: { column: 2 } } }],
      },
    })
    expect(seen.hosts).toEqual([
      { mac: '02:00:00:00:00:01', port: '49153', vlan: 20, source: 'fdb' },
      { mac: '02:00:00:00:00:02', port: '49154', source: 'fdb' },
    ])
    expect(seen.ports?.map(each => each.nativeVlan)).toEqual([10, 10])
    expect(seen.vlans).toEqual([{ id: 20, name: 'Desks' }])
  })

  test('a number beyond the bridge’s ports is no port', async () => {
    const seen = await observe([...base, ...learned(20, 9)])
    expect(seen.hosts).toEqual([{ mac: '02:00:00:00:00:09', source: 'fdb' }])
  })

  test('without a table of bridge ports they are ifIndexes, if such interfaces are there', async () => {
    const lines = [...port({ key: 1, name: 'eth1' }), ...port({ key: 2, name: 'eth2' }), ...learned(20, 2)]
    const seen = await observe([...lines, `${mib2}.17.7.1.4.5.1.1.1|66|7`])
    expect(seen.hosts).toEqual([{ mac: '02:00:00:00:00:02', port: '2', source: 'fdb' }])
    expect(seen.ports?.map(each => each.nativeVlan)).toEqual([7, undefined])
    const other = await observe([...lines, ...learned(20, 40)])
    expect(other.hosts?.map(each => each.port)).toEqual([undefined, undefined])
  })

  test('tagged VLANs and PVIDs by a vendor’s tables that name ports in words', async () => {
    const seen = await observe(
      [
        ...base.filter(line => !line.includes('.17.7.')),
        '1.3.6.1.4.1.99999.6.1.3.20|4|1/0/1-2',
        '1.3.6.1.4.1.99999.7.1.2.1|4|1/0/2',
        '1.3.6.1.4.1.99999.7.1.3.1|2|20',
      ],
      {
        lists: {
          vlans: [{ name: 'acmeVlanTable', entry: '99999.6.1', fields: { id: { index: 0 }, tagged: { column: 3 } } }],
          portVlans: [
            { name: 'acmePortTable', entry: '99999.7.1', fields: { port: { column: 2 }, pvid: { column: 3 } } },
          ],
        },
      },
    )
    expect(seen.ports?.map(each => [each.nativeVlan, each.taggedVlans])).toEqual([
      [undefined, [20]],
      [20, [20]],
    ])
    expect(portNames('1/0/1-1/0/3,1/0/9')).toEqual(['1/0/1', '1/0/2', '1/0/3', '1/0/9'])
  })

  test('IEEE8021-Q-BRIDGE-MIB where the older one is not', async () => {
    const q = '1.3.111.2.802.1.1.4.1'
    const seen = await observe([
      ...port({ key: 5, name: 'eth1' }),
      '1.3.111.2.802.1.1.2.1.1.4.1.3.1.1|2|5',
      `${q}.2.2.1.2.1.30.2.0.0.0.0.1|66|1`,
      `${q}.2.2.1.3.1.30.2.0.0.0.0.1|2|3`,
      `${q}.4.3.1.3.1.30|4|Voice`,
      `${q}.4.3.1.4.1.30|4x|80`,
      `${q}.4.5.1.1.1.1|66|9`,
    ])
    expect(seen.hosts).toEqual([{ mac: '02:00:00:00:00:01', port: '5', vlan: 30, source: 'fdb' }])
    expect(seen.vlans).toEqual([{ id: 30, name: 'Voice' }])
    expect(seen.ports).toMatchObject([{ nativeVlan: 9, taggedVlans: [30] }])
  })
})

describe('the front panel', () => {
  const names = (seen: Awaited<ReturnType<typeof observe>>) =>
    seen.ports?.map(each => seen.interfaces?.find(one => one.key === each.interface)?.name)

  test('places of a stack that no switch is in are none; an empty cage is one', async () => {
    const unit = (number: number, oper: (i: number) => number) =>
      [1, 2, 3].flatMap(i => port({ key: number * 100 + i, name: `gi${number}/0/${i}`, oper: oper(i), connector: 1 }))
    const seen = await observe([...unit(1, i => (i === 3 ? 6 : 1)), ...unit(2, () => 6), ...unit(3, () => 6)])
    expect(names(seen)).toEqual(['gi1/0/1', 'gi1/0/2', 'gi1/0/3'])
  })

  test('what is not of copper or glass is none, whatever the agent says of its connector', async () => {
    const virtual = [
      'wds0',
      'apcli0',
      'wl0.1',
      'wlan-1-1',
      'npi1A2B',
      'loop0',
      'br0',
      'usb0',
      'bluetooth 0',
      'Virtual Interface',
      'internal',
      'WLAN-DBSS1:3',
      'ath0',
      'switch0',
      'imq0',
      'eth0.100',
    ]
    const lines = ['eth0', 'eth1', ...virtual].flatMap((name, i) => port({ key: i + 1, name, connector: 1 }))
    expect(names(await observe(lines))).toEqual(['eth0', 'eth1'])
  })

  test('ten thousand Ethernet interfaces are not all sockets', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => port({ key: i + 1, name: `eth${i}` })).flat()
    expect((await observe(lines)).ports).toHaveLength(1024)
  })
})

describe('kind', () => {
  const kindOf = async (objectId: string, description: string, lines: string[]) => {
    const session = await sessionOf([...system(objectId, description), ...lines])
    return (await snmpDriver.facts(session)).kind
  }
  const wifi = [...port({ key: 1, name: 'eth0' }), ...port({ key: 2, name: 'radio0', type: 71 })]

  test('a printer with Wi-Fi is a printer, with its model and serial', async () => {
    const printer = [...wifi, `${mib2}.43.5.1.1.16.1|4|Laser 20`, `${mib2}.43.5.1.1.17.1|4|PR1`]
    const session = await sessionOf([...system(), ...printer])
    expect(await snmpDriver.facts(session)).toMatchObject({ kind: 'other', model: 'Laser 20', serial: 'PR1' })
    expect(await kindOf('99999.1', 'HP ETHERNET MULTI-ENVIRONMENT, HP LaserJet M1', wifi)).toBe('other')
    expect(await kindOf('99999.1', 'Box', wifi)).toBe('ap')
  })

  test('a host that forwards for its containers is no gateway', async () => {
    const host = [
      ...port({ key: 1, name: 'eth0' }),
      ...port({ key: 2, name: 'eth1' }),
      ...port({ key: 3, name: 'docker0' }),
      `${mib2}.4.1.0|2|1`,
      `${mib2}.4.20.1.2.192.0.2.1|2|1`,
      `${mib2}.4.20.1.2.172.17.0.1|2|3`,
    ]
    expect(await kindOf('99999.1', 'Linux box', host)).toBe('other')
    expect(await kindOf('99999.1', 'Linux box', [...host, `${mib2}.4.20.1.2.198.51.100.1|2|2`])).toBe('gateway')
  })

  test('a bridge of many ports is a switch, also where it does not count them', async () => {
    const ports = Array.from({ length: 8 }, (_, i) => [
      ...port({ key: i + 1, name: `eth${i}` }),
      `${mib2}.17.1.4.1.2.${i + 1}|2|${i + 1}`,
    ]).flat()
    expect(await kindOf('99999.1', 'Box', ports)).toBe('switch')
  })
})

describe('firmware', () => {
  test.each([
    ['3L2-', undefined],
    ['4.38.B01', '4.38.B01'],
  ])('RMON2’s %s is %s', async (told, firmware) => {
    expect((await observe([`${mib2}.16.19.2.0|4|${told}`])).facts?.firmware).toBe(firmware)
  })

  test('modules of several versions are not the device’s', async () => {
    const module = (index: number, class_: number, software: string) => [
      `${mib2}.47.1.1.1.1.5.${index}|2|${class_}`,
      `${mib2}.47.1.1.1.1.10.${index}|4|${software}`,
    ]
    const both = await observe([...module(1, 3, ''), ...module(2, 9, '12.2'), ...module(3, 9, '8.4')])
    expect(both.facts?.firmware).toBeUndefined()
    const same = await observe([...module(1, 3, ''), ...module(2, 9, '12.2'), ...module(3, 9, '12.2')])
    expect(same.facts?.firmware).toBe('12.2')
  })
})

describe('health that cannot be', () => {
  const ram = (unit: number, size: number, used: number) => [
    `${mib2}.25.2.3.1.2.1|6|1.3.6.1.2.1.25.2.1.2`,
    `${mib2}.25.2.3.1.4.1|2|${unit}`,
    `${mib2}.25.2.3.1.5.1|2|${size}`,
    `${mib2}.25.2.3.1.6.1|2|${used}`,
  ]
  const ucd = (total: number, available: number, cached: number) => [
    `1.3.6.1.4.1.2021.4.5.0|2|${total}`,
    `1.3.6.1.4.1.2021.4.6.0|2|${available}`,
    `1.3.6.1.4.1.2021.4.15.0|2|${cached}`,
  ]
  test.each<[string, string[], object]>([
    ['a negative unit', ram(-1024, 2_000_000, 10), {}],
    ['more in use than there is', ram(1024, 1000, 2000), {}],
    [
      'a size that turned negative',
      ram(1024, -2_000_000_000, 1000),
      { memoryTotalBytes: 2_294_967_296 * 1024, memoryUsedBytes: 1_024_000 },
    ],
    ['less than nothing', ucd(-2048, 10, 0), {}],
    ['more free than there is', ucd(1000, 2000, 0), {}],
    [
      'a cache larger than what is in use',
      ucd(1000, 400, 5000),
      { memoryTotalBytes: 1_024_000, memoryUsedBytes: 614_400 },
    ],
  ])('%s', async (_, lines, health) => {
    expect((await observe(lines)).health).toEqual(health)
  })

  test('the end of a 32-bit gauge is no value', async () => {
    const seen = await observe(['1.3.6.1.4.1.99999.1.0|66|4294967295'], {
      health: { memoryTotalBytes: [{ oid: '1.3.6.1.4.1.99999.1.0' }] },
    })
    expect(seen.health).toEqual({})
  })

  test('EOS’ own names of buffers and cache are not in use', async () => {
    const row = (i: number, name: string, used: number) => [
      `${mib2}.25.2.3.1.2.${i}|6|1.3.6.1.2.1.25.2.1.2`,
      `${mib2}.25.2.3.1.3.${i}|4|${name}`,
      `${mib2}.25.2.3.1.4.${i}|2|1024`,
      `${mib2}.25.2.3.1.5.${i}|2|1000`,
      `${mib2}.25.2.3.1.6.${i}|2|${used}`,
    ]
    const seen = await observe([...row(1, 'RAM', 900), ...row(2, 'RAM (Buffers)', 100), ...row(3, 'RAM (Cache)', 300)])
    expect(seen.health).toEqual({ memoryTotalBytes: 1_024_000, memoryUsedBytes: 512_000 })
  })
})

test('speeds: ifSpeed where ifHighSpeed is zero, also at the polls; nothing negative', async () => {
  const lines = [
    ...port({ key: 1, name: 'eth1', speed: 100_000_000 }),
    `${mib2}.31.1.1.1.6.1|70|5`,
    `${mib2}.31.1.1.1.15.1|66|0`,
    ...port({ key: 2, name: 'eth2' }),
    `${mib2}.2.2.1.5.2|2|-5`,
    `${mib2}.31.1.1.1.6.2|70|5`,
    `${mib2}.31.1.1.1.15.2|2|-1`,
  ]
  const session = await sessionOf([...system(), ...lines])
  for (const depth of ['full', 'counters'] as const)
    expect((await snmpDriver.observe(session, depth)).interfaces?.map(each => each.speed)).toEqual([1e8, undefined])
})

test('six blanks, zeros or a group address are no interface’s MAC', async () => {
  const named = (key: number, mac: string) => port({ key, name: `eth${key}`, mac })
  const seen = await observe([
    ...named(1, '202020202020'),
    ...named(2, '000000000000'),
    ...named(3, 'ffffffffffff'),
    ...named(4, '0180c200000e'),
    ...named(5, '020000000005'),
  ])
  expect(seen.interfaces?.map(each => each.mac)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    '02:00:00:00:00:05',
  ])
  expect(seen.facts?.mac).toBe('02:00:00:00:00:05')
})

test('the clock of the SNMP engine is the uptime where no other is told', async () => {
  const session = await sessionOf([`${mib2}.1.1.0|4|Box`, '1.3.6.1.6.3.10.2.1.3.0|2|86400'])
  const seen = await snmpDriver.observe(session, 'full')
  expect(seen.uptimeSeconds).toBe(86400)
})

test('dormant is not up', async () => {
  const seen = await observe([...port({ key: 1, name: 'eth1', oper: 5 }), ...port({ key: 2, name: 'eth2' })])
  expect(seen.interfaces?.map(each => each.up)).toEqual([false, true])
})

describe('neighbours', () => {
  test('Nexus by LLDP and by CDP, where its name has its serial number and its port a longer one: told once', async () => {
    const remote = `1.0.8802.1.1.2.1.4.1.1`
    const cdp = '1.3.6.1.4.1.9.9.23.1.2.1.1'
    const seen = await observe([
      ...port({ key: 17, name: '17' }),
      `${remote}.4.0.17.1|2|4`,
      `${remote}.5.0.17.1|4x|8c604f19163a`,
      `${remote}.7.0.17.1|4|Eth1/19`,
      `${remote}.9.0.17.1|4|core-01.example.net`,
      `${remote}.4.0.17.2|2|7`,
      `${remote}.5.0.17.2|4|core-01(SSI183706KP)`,
      `${remote}.7.0.17.2|4|Ethernet1/19`,
      `${cdp}.6.17.2|4|core-01(SSI183706KP)`,
      `${cdp}.7.17.2|4|Ethernet1/19`,
      `${cdp}.6.17.3|4|core-02`,
      `${cdp}.7.17.3|4|Ethernet1/19`,
    ])
    expect(seen.neighbours?.map(each => each.systemName)).toEqual(['core-01.example.net', 'core-02'])
  })

  test('a Brocade switch by FDP: whom it hears by CDP is told so, and whom LLDP tells of not again', async () => {
    const remote = '1.0.8802.1.1.2.1.4.1.1'
    const fdp = '1.3.6.1.4.1.1991.1.1.3.20.1.2.1.1'
    const row = (index: string, name: string, port: string, vendor: number, address = '') => [
      `${fdp}.3.${index}|4|${name}`,
      ...(address ? [`${fdp}.4.${index}|2|1`, `${fdp}.5.${index}|4x|${address}`] : []),
      `${fdp}.6.${index}|4|Version 08.0.30`,
      `${fdp}.7.${index}|4|${port}`,
      `${fdp}.8.${index}|4|Stacking System ICX6430-24`,
      `${fdp}.9.${index}|4|Switch`,
      `${fdp}.10.${index}|2|${vendor}`,
    ]
    const seen = await observe([
      ...system('1991.1.3.48.5.1', 'Brocade ICX6430-24'),
      ...port({ key: 1, name: 'GigabitEthernet1/1/1' }),
      ...port({ key: 2, name: 'GigabitEthernet1/1/2' }),
      `${remote}.4.0.2.1|2|4`,
      `${remote}.5.0.2.1|4x|02005e200001`,
      `${remote}.7.0.2.1|4|eth0`,
      `${remote}.9.0.2.1|4|ap1`,
      ...row('1.1', 'icx-core', 'GigabitEthernet2/1/7', 1, 'c0000205'),
      ...row('1.2', 'phone-1', 'Port 1', 2),
      ...row('2.1', 'ap1', 'eth0', 2),
      ...row('99.1', 'elsewhere', 'ge1', 1),
    ])
    expect(seen.neighbours?.slice(1)).toEqual([
      {
        ...{ protocol: 'fdp', localPort: '1', chassisId: 'icx-core', systemName: 'icx-core' },
        ...{ portId: 'GigabitEthernet2/1/7', systemDescription: 'Stacking System ICX6430-24' },
        managementAddress: '192.0.2.5',
      },
      expect.objectContaining({ protocol: 'cdp', systemName: 'phone-1', localPort: '1' }),
      expect.not.objectContaining({ localPort: expect.anything() }),
    ])
  })

  const lldp = '1.0.8802.1.1.2.1.4.1.1'
  test('a row without chassis and port is nobody; an index without a port names none', async () => {
    const seen = await observe([
      ...port({ key: 1, name: 'eth1' }),
      `${lldp}.4.0.1.1|2|4`,
      `${lldp}.9.0.1.1|4|nobody`,
      `${lldp}.5.0.7.2|4x|02005e200001`,
      `${lldp}.7.0.7.2|4|ge1`,
      `${lldp}.5.3|4x|02005e200002`,
      `${lldp}.7.3|4|ge2`,
      `${lldp}.5.0.1.4|4x|02005e200003`,
      `${lldp}.7.0.1.4|4|ge3`,
    ])
    expect(Object.fromEntries(seen.neighbours?.map(each => [each.portId, each.localPort]) ?? [])).toEqual({
      ge1: undefined,
      ge2: undefined,
      ge3: '1',
    })
  })
})

describe('stations', () => {
  const unifi = [...system('41112.1.6.1', 'UAP'), ...port({ key: 1, name: 'eth0' })]
  const vap = (index: number, stations: number) => [
    `1.3.6.1.4.1.41112.1.6.1.2.1.6.${index}|4|net${index}`,
    `1.3.6.1.4.1.41112.1.6.1.2.1.8.${index}|2|${stations}`,
  ]
  test('an access point that only counts them: no list, and their number', async () => {
    const seen = await snmpDriver.observe(await sessionOf([...unifi, ...vap(1, 3), ...vap(2, 1)]), 'full')
    expect(seen.stations).toBeUndefined()
    expect(seen.wirelessClients).toBe(4)
  })
  test('networks that say they have some, and no table of them', async () => {
    const bss = {
      lists: {
        bss: [{ name: 'acmeBss', entry: '99999.5.1', fields: { ssid: { column: 2 }, clients: { column: 3 } } }],
        stations: [{ name: 'acmeSta', entry: '99999.6.1', fields: { mac: { column: 1 } } }],
      },
    }
    const table = (clients: number) => ['1.3.6.1.4.1.99999.5.1.2.1|4|a', `1.3.6.1.4.1.99999.5.1.3.1|2|${clients}`]
    const some = await observe(table(5), bss)
    expect([some.wirelessClients, some.stations]).toEqual([5, undefined])
    expect(await observe(table(0), bss)).toMatchObject({ wirelessClients: 0, stations: [] })
  })
})

test('70,000 addresses of an ARP table: every one', async () => {
  const rows = Array.from({ length: 70_000 }, (_, i) => {
    const at = `1.10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    const mac = `0200${i.toString(16).padStart(8, '0')}`
    return [`${mib2}.4.22.1.2.${at}|4x|${mac}`, `${mib2}.4.22.1.4.${at}|2|3`]
  }).flat()
  const seen = await observe([...port({ key: 1, name: 'eth1' }), ...rows])
  expect(seen.hosts).toHaveLength(70_000)
  expect(seen.problems).toBeUndefined()
})

test('an agent with 32-bit counters alone tells packets beside octets, of both kinds or not at all', async () => {
  const counted = (key: number, rows: Record<number, number>) =>
    Object.entries(rows).map(([column, value]) => `${mib2}.2.2.1.${column}.${key}|65|${value}`)
  const seen = await observe([
    ...port({ key: 1, name: 'p1', speed: 1e9 }),
    ...port({ key: 2, name: 'p2', speed: 1e9 }),
    ...counted(1, { 10: 4200, 11: 2 ** 32 - 1, 12: 5, 16: 100, 17: 3, 18: 1 }),
    ...counted(2, { 10: 4200, 11: 7, 16: 100, 17: 3 }),
  ])
  const octets = { bits: 32, inOctets: 4200, outOctets: 100 }
  expect(seen.interfaces?.map(one => one.counters)).toEqual([{ ...octets, inPackets: 4, outPackets: 4 }, octets])
})
