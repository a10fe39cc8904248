import { branchesToAsk, vendorOf } from '@/server/drivers/models/registry'
import { at, type Vendor } from '@/server/drivers/models/vendor'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { answering, openChannel } from '@/server/drivers/snmp/protocol/transport'
import { type Agent, parseWalk, startAgent } from './snmp-agent'

// What a maker's row can point at: each against an agent that has such tables.

const open: Agent[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(each => each.close()))
})

const own = '1.3.6.1.4.1.99999'
const base = [
  '1.3.6.1.2.1.1.1.0|4|Box 12 of Acme',
  `1.3.6.1.2.1.1.2.0|6|${own}.1`,
  '1.3.6.1.2.1.1.3.0|67|123456',
  '1.3.6.1.2.1.2.2.1.2.1|4|eth1',
  '1.3.6.1.2.1.2.2.1.3.1|2|6',
  '1.3.6.1.2.1.2.2.1.6.1|4x|02005e100001',
  '1.3.6.1.2.1.2.2.1.2.2|4|eth2',
  '1.3.6.1.2.1.2.2.1.3.2|2|6',
]

async function agentOf(lines: string[]) {
  const agent = await startAgent(parseWalk([...base, ...lines].join('\n')))
  open.push(agent)
  return { address: '127.0.0.1', port: agent.port, credential: { type: 'snmp2c', community: 'public' } } as const
}

/** A full reading of an agent with these lines, by this row of a maker. */
async function observe(lines: string[], vendor: Omit<Vendor, 'enterprises'> = {}) {
  const target = await agentOf(lines)
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  session.vendor = { name: 'Acme', enterprises: ['99999'], ...vendor }
  return { seen: await snmpDriver.observe(session, 'full'), session }
}

test('fans, power supplies and sensors by the vendor’s tables, in the words of the model', async () => {
  const { seen } = await observe(
    [
      `${own}.7.1.2.1|4|Front fan`,
      `${own}.7.1.3.1|66|4200`,
      `${own}.7.1.4.1|2|1`,
      `${own}.7.1.2.2|4|Rear fan`,
      `${own}.7.1.4.2|2|2`,
      `${own}.7.1.4.3|2|9`,
      `${own}.8.1.0|2|1`,
      `${own}.8.2.0|2|3`,
      `${own}.9.1.2.1|4|Board`,
      `${own}.9.1.3.1|2|415`,
      `${own}.9.1.2.2|4|Empty`,
      `${own}.9.1.3.2|2|0`,
    ],
    {
      lists: {
        fans: [
          {
            name: 'acmeFanTable',
            entry: '99999.7.1',
            fields: { name: { column: 2 }, rpm: { column: 3 }, state: { column: 4, means: { 1: 'ok', 2: 'failed' } } },
          },
        ],
        powerSupplies: [
          {
            scalars: [
              { name: 'Internal', fields: { state: { column: '99999.8.1.0', means: { 1: 'ok' } } } },
              { fields: { state: { column: '99999.8.2.0', means: { 3: 'absent' } } } },
            ],
          },
        ],
        temperatures: [
          {
            name: 'acmeTempTable',
            entry: '99999.9.1',
            fields: { name: { column: 2 }, celsius: { column: 3, times: 0.1 } },
          },
        ],
      },
    },
  )
  expect(seen.fans).toEqual([
    { name: 'Front fan', rpm: 4200, state: 'ok' },
    { name: 'Rear fan', state: 'failed' },
  ])
  expect(seen.powerSupplies).toEqual([{ name: 'Internal', state: 'ok' }, { state: 'absent' }])
  expect(seen.temperatures).toEqual([{ name: 'Board', celsius: 41.5 }])
})

test('a controller’s access points: MACs in the index, clients added up over their radios', async () => {
  const mac = '0.11.22.51.68.85'
  const { seen } = await observe(
    [
      `${own}.2.1.3.${mac}|4|Lobby`,
      `${own}.2.1.4.${mac}|2|1`,
      `${own}.2.1.5.${mac}|64|192.0.2.7`,
      `${own}.2.1.3.0.11.22.51.68.86|4|Hall`,
      `${own}.2.1.4.0.11.22.51.68.86|2|2`,
      `${own}.3.1.2.${mac}.0|66|3`,
      `${own}.3.1.2.${mac}.1|66|4`,
    ],
    {
      lists: {
        accessPoints: [
          {
            name: 'acmeApTable',
            entry: '99999.2.1',
            fields: {
              name: { column: 3 },
              mac: { index: 0, numbers: 6 },
              address: { column: 5 },
              state: { column: 4, means: { 1: 'online', 2: 'offline' } },
              clients: { column: '99999.3.1.2', sum: true },
            },
          },
        ],
      },
    },
  )
  expect(seen.accessPoints).toEqual([
    { name: 'Lobby', mac: '00:0b:16:33:44:55', address: '192.0.2.7', state: 'online', clients: 7 },
    { name: 'Hall', mac: '00:0b:16:33:44:56', state: 'offline' },
  ])
  expect(seen.wirelessClients).toBe(7)
})

test('radios, networks and stations: keys lead from one to the other', async () => {
  const { seen } = await observe(
    [
      `${own}.4.1.2.1|4|wifi0`,
      `${own}.4.1.3.1|66|5180`,
      `${own}.5.1.2.1.7|4|Guests`,
      `${own}.5.1.3.1.7|4|2`,
      `${own}.6.1.2.1|4x|02005e1000aa`,
      `${own}.6.1.3.1|2|-61`,
      `${own}.6.1.4.1|4|1.7`,
    ],
    {
      lists: {
        radios: [
          { name: 'acmeRadioTable', entry: '99999.4.1', fields: { name: { column: 2 }, frequency: { column: 3 } } },
        ],
        bss: [
          {
            name: 'acmeBssTable',
            entry: '99999.5.1',
            fields: { ssid: { column: 2 }, clients: { column: 3 }, radio: { index: 0 } },
          },
        ],
        stations: [
          {
            name: 'acmeStaTable',
            entry: '99999.6.1',
            fields: { mac: { column: 2 }, signalDbm: { column: 3 }, bss: { column: 4 } },
          },
        ],
      },
    },
  )
  expect(seen.radios).toEqual([{ key: '1', name: 'wifi0', band: '5g', channel: 36 }])
  expect(seen.bss).toEqual([{ key: '1.7', radio: '1', ssid: 'Guests', up: true, clients: 2 }])
  expect(seen.stations).toEqual([{ mac: '02:00:5e:10:00:aa', bss: '1.7', ssid: 'Guests', signalDbm: -61 }])
})

test('PoE by the vendor’s table and totals; only rows of the kind it names', async () => {
  const { seen } = await observe(
    [
      `${own}.10.1.2.1|2|1`,
      `${own}.10.1.3.1|2|54`,
      `${own}.10.1.4.1|2|1`,
      `${own}.10.1.2.2|2|1`,
      `${own}.10.1.4.2|2|0`,
      `${own}.11.1.0|66|370`,
      `${own}.11.2.0|66|300`,
    ],
    {
      poe: { budgetWatts: [at('99999.11.1.0')], freeWatts: [at('99999.11.2.0')] },
      lists: {
        poePorts: [
          {
            name: 'acmePoeTable',
            entry: '99999.10.1',
            fields: { enabled: { column: 2 }, watts: { column: 3, times: 0.1 } },
            only: { column: 4, is: [1] },
          },
        ],
      },
    },
  )
  expect(seen.ports?.map(each => each.poe)).toEqual([{ enabled: true, watts: 5.4 }, undefined])
  expect(seen.poe).toEqual({ budgetWatts: 370, usedWatts: 70 })
})

test('a row a member: the device finds itself by its MAC', async () => {
  const facts = {
    serial: [at('99999.12.1.2', { pick: 'own', by: '99999.12.1.1' })],
  }
  const { seen } = await observe(
    [
      `${own}.12.1.1.1|4x|02005e1000ff`,
      `${own}.12.1.2.1|4|ANOTHER`,
      `${own}.12.1.1.2|4x|02005e100001`,
      `${own}.12.1.2.2|4|OWN`,
      `${own}.12.1.3.1|66|90`,
      `${own}.12.1.3.2|66|12`,
    ],
    { facts, health: { cpuPercent: [at('99999.12.1.3', { pick: 'own', by: '99999.12.1.1' })] } },
  )
  expect(seen.facts?.serial).toBe('OWN')
  expect(seen.health?.cpuPercent).toBe(12)
})

test('a poll keeps to the own row of a table with a row a member', async () => {
  const cpu = [at('99999.12.1.3', { pick: 'own', by: '99999.12.1.1' })]
  const lines = [
    `${own}.12.1.1.1|4x|02005e1000ff`,
    `${own}.12.1.1.2|4x|02005e100001`,
    `${own}.12.1.3.1|66|90`,
    `${own}.12.1.3.2|66|12`,
  ]
  const { session } = await observe(lines, { health: { cpuPercent: cpu } })
  expect((await snmpDriver.observe(session, 'counters')).health?.cpuPercent).toBe(12)
})

test('only a share of memory and a kernel: told as that', async () => {
  const { seen } = await observe([`${own}.1.1.0|66|63`], {
    facts: { kernel: [{ pattern: /^Box (\d+)/ }] },
    health: { memoryUsedPercent: [at('99999.1.1.0')] },
  })
  expect(seen.health).toEqual({ memoryUsedPercent: 63 })
  expect(seen.facts?.kernel).toBe('12')
})

test('ENTITY-MIB: fans with the speed of the sensor in them, power supplies with their state, sensors by name', async () => {
  const entity = (index: number, in_: number, class_: number, name: string) => [
    `1.3.6.1.2.1.47.1.1.1.1.4.${index}|2|${in_}`,
    `1.3.6.1.2.1.47.1.1.1.1.5.${index}|2|${class_}`,
    `1.3.6.1.2.1.47.1.1.1.1.7.${index}|4|${name}`,
  ]
  const sensor = (index: number, type: number, value: number, status = 1) => [
    `1.3.6.1.2.1.99.1.1.1.1.${index}|2|${type}`,
    `1.3.6.1.2.1.99.1.1.1.2.${index}|2|9`,
    `1.3.6.1.2.1.99.1.1.1.3.${index}|2|0`,
    `1.3.6.1.2.1.99.1.1.1.4.${index}|2|${value}`,
    `1.3.6.1.2.1.99.1.1.1.5.${index}|2|${status}`,
  ]
  const { seen } = await observe([
    ...entity(1, 0, 3, 'Chassis'),
    ...entity(10, 1, 7, 'Fan 1'),
    ...entity(11, 10, 8, 'Speed'),
    ...sensor(11, 10, 5100),
    ...entity(20, 1, 6, 'PSU A'),
    ...entity(21, 1, 6, 'PSU B'),
    '1.3.6.1.2.1.131.1.1.1.3.20|2|3',
    '1.3.6.1.2.1.131.1.1.1.3.21|2|3',
    '1.3.6.1.2.1.131.1.1.1.5.21|4x|10',
    ...entity(30, 20, 8, 'Temperature'),
    ...sensor(30, 8, 38),
    ...entity(31, 21, 8, 'Temperature'),
    ...sensor(31, 8, 44),
    ...entity(32, 1, 8, 'Outlet'),
    ...sensor(32, 8, 99, 2),
  ])
  expect(seen.fans).toEqual([{ name: 'Fan 1', rpm: 5100 }])
  expect(seen.powerSupplies).toEqual([
    { name: 'PSU A', state: 'ok' },
    { name: 'PSU B', state: 'failed' },
  ])
  expect(seen.temperatures).toEqual([
    { name: 'PSU A Temperature', celsius: 38 },
    { name: 'PSU B Temperature', celsius: 44 },
  ])
  expect(seen.health?.temperatureCelsius).toBe(44)
})

test('ENTITY-STATE-MIB: an alarm is one byte of bits; a text of zeros, as ProCurve gives it, is none', async () => {
  const supply = (index: number) => [
    `1.3.6.1.2.1.47.1.1.1.1.5.${index}|2|6`,
    `1.3.6.1.2.1.47.1.1.1.1.7.${index}|4|PSU ${index}`,
    `1.3.6.1.2.1.131.1.1.1.3.${index}|2|3`,
  ]
  const { seen } = await observe([
    ...supply(1),
    '1.3.6.1.2.1.131.1.1.1.5.1|4|00000000000',
    ...supply(2),
    '1.3.6.1.2.1.131.1.1.1.5.2|4x|0800',
  ])
  expect(seen.powerSupplies).toEqual([
    { name: 'PSU 1', state: 'ok' },
    { name: 'PSU 2', state: 'warning' },
  ])
})

test('the VLANs of a switch with their names', async () => {
  const { seen } = await observe([
    '1.3.6.1.2.1.17.7.1.4.3.1.1.1|4|default',
    '1.3.6.1.2.1.17.7.1.4.3.1.1.40|4|Cameras',
    '1.3.6.1.2.1.17.7.1.4.2.1.3.0.50|66|50',
  ])
  expect(seen.vlans).toEqual([{ id: 1, name: 'default' }, { id: 40, name: 'Cameras' }, { id: 50 }])
})

test('the vendor’s forwarding table: its VLANs, on interfaces that are there; what it has not, the standard’s tells', async () => {
  const { seen } = await observe(
    [
      `${own}.9.1.4.2.0.0.0.0.1.30.1.48|2|1`,
      `${own}.9.1.4.2.0.0.0.0.2.30.1.48|2|77`,
      '1.3.6.1.2.1.17.1.4.1.2.1|2|1',
      '1.3.6.1.2.1.17.4.3.1.2.2.0.0.0.0.1|2|1',
      '1.3.6.1.2.1.17.4.3.1.3.2.0.0.0.0.1|2|3',
      '1.3.6.1.2.1.17.4.3.1.2.2.0.0.0.0.2|2|1',
      '1.3.6.1.2.1.17.4.3.1.3.2.0.0.0.0.2|2|3',
    ],
    {
      lists: {
        learned: [
          {
            name: 'acmeFdbTable',
            entry: '99999.9.1',
            fields: { mac: { index: 0, numbers: 6 }, id: { index: 6 }, port: { column: 4 } },
          },
        ],
      },
    },
  )
  expect(seen.hosts).toEqual([
    { mac: '02:00:00:00:00:01', vlan: 30, port: '1', source: 'fdb' },
    { mac: '02:00:00:00:00:02', port: '1', source: 'fdb' },
  ])
})

describe('the row of a maker by what answers', () => {
  const nas: Vendor = { name: 'Nas', enterprises: ['6574'], answers: ['6574.1'] }
  const switches: Vendor = { name: 'Switches', enterprises: ['9.1'], answers: ['9.6.1.101'] }
  const plain: Vendor = { name: 'Plain', enterprises: ['9'] }
  const agentOnly: Vendor = { enterprises: ['8072'] }
  const rows = [nas, switches, plain, agentOnly]
  const number = (rest: string) => `1.3.6.1.4.1.${rest}`

  test.each([
    ['an agent’s number asks every branch', '8072.3.2.10', ['6574.1', '9.6.1.101']],
    ['a maker’s number asks only its own', '9.1.3216', ['9.6.1.101']],
    ['an unknown number asks every branch', '99999.1', ['6574.1', '9.6.1.101']],
  ])('%s', (_, objectId, branches) => {
    expect(branchesToAsk(number(objectId), '', rows)).toEqual(branches)
  })

  test.each([
    ['8072.3.2.10', ['6574.1'], nas],
    ['8072.3.2.10', [], agentOnly],
    ['9.1.3216', ['9.6.1.101'], switches],
    ['9.1.3216', [], plain],
    ['99999.1', ['9.6.1.101'], switches],
  ])('%s where %j answers', (objectId, answered, expected) => {
    expect(vendorOf(number(objectId), '', answered, rows)).toBe(expected)
  })

  test('what answers is asked with one question', async () => {
    const target = await agentOf([`${own}.1.1.0|66|63`, '1.3.6.1.4.1.100000.5.0|2|1'])
    const channel = await openChannel(target)
    expect(await answering(channel, ['6574.1', '99999.1', '99999.1.2', '100000', '100001'])).toEqual([
      '99999.1',
      '100000',
    ])
  })
})
