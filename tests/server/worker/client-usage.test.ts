// What each client moves, by the readings of its access point, or of its port where it is the only one there.
import type { Host, Interface, Station } from '@/server/drivers/observation'
import { fleetCalls } from '@/server/worker/fleet-calls'
import { record } from '@/server/worker/record'
import type { WorkerState } from '@/server/worker/worker-state'
import { device, driverWith, entryWith, newLedger } from './_entry'

const minute = 60_000
const at = Date.UTC(2026, 10, 24, 12)
const pc = '00:0a:f7:00:00:01'
const printer = '00:0a:f7:00:00:02'
const phone = '5c:cb:99:4e:21:b7'

let clock: jest.SpyInstance
beforeEach(() => {
  clock = jest.spyOn(Date, 'now').mockReturnValue(at)
})
afterEach(() => clock.mockRestore())

type Port = { octets: [number, number]; macs?: string[]; bits?: 32 | 64 }
type Seen = { ports?: Record<string, Port>; stations?: Station[]; table?: boolean; uptimeSeconds?: number }

function setUp() {
  const { sinks } = newLedger()
  const entries = [1, 2].map(id => entryWith({ device: device(id, { kind: 'switch' }), status: 1 }, driverWith(), id))
  return {
    sinks,
    /** A reading, minutes after the first: counters of ports, and who is behind each. */
    poll(id: number, minutes: number, { ports = {}, stations, table = true, uptimeSeconds }: Seen): void {
      clock.mockReturnValue(at + minutes * minute)
      sinks.clients.renew(1)
      const interfaces = Object.entries(ports).map(
        ([
          name,
          {
            octets: [inOctets, outOctets],
            bits = 64,
          },
        ]): Interface => ({
          ...{ key: name, name, type: 'ethernet', up: true, speed: 1e9 },
          counters: { bits, inOctets, outOctets },
        }),
      )
      const hosts = Object.entries(ports).flatMap(([port, { macs = [] }]) =>
        macs.map((mac): Host => ({ mac, port, source: 'fdb' })),
      )
      const depth = table ? 'full' : 'counters'
      record(
        entries[id - 1] as (typeof entries)[number],
        {
          ...{ takenAt: at + minutes * minute, depth, interfaces },
          ...(table && { hosts }),
          ...(stations && { stations, bss: [{ key: 'w0', ssid: 'Staff', up: true }] }),
          ...(uptimeSeconds !== undefined && { uptimeSeconds }),
        },
        sinks,
      )
    },
    async shown(sort?: string) {
      const query = {
        network: 1,
        page: 1,
        pageSize: 10,
        ...(sort && { sort: { field: sort, direction: 'desc' as const } }),
      }
      return (await fleetCalls.clients(sinks as unknown as WorkerState, query)).result
    },
  }
}

test('a client alone on its port has what the port carried, from one forwarding table to the next', async () => {
  const { poll, shown } = setUp()
  poll(1, 0, { ports: { lan1: { octets: [1_000, 2_000], macs: [pc] }, lan2: { octets: [0, 0], macs: [] } } })
  // Nothing is known before there is a difference.
  expect(await shown()).toEqual([expect.not.objectContaining({ day: expect.anything(), downBps: expect.anything() })])
  // Counters alone: who is there was not looked at again.
  poll(1, 1, { ports: { lan1: { octets: [1_500, 4_000] }, lan2: { octets: [0, 0] } }, table: false })
  poll(1, 2, { ports: { lan1: { octets: [1_600, 5_000], macs: [pc] }, lan2: { octets: [0, 0], macs: [] } } })
  expect(await shown()).toMatchObject([{ mac: pc, day: { down: 3_000, up: 600 }, downBps: 200, upBps: 40 }])
})

test.each<[string, Seen, Seen]>([
  [
    'another was there',
    { ports: { lan1: { octets: [0, 0], macs: [pc] } } },
    { ports: { lan1: { octets: [9, 9], macs: [pc, printer] } } },
  ],
  [
    'another had been there',
    { ports: { lan1: { octets: [0, 0], macs: [pc, printer] } } },
    { ports: { lan1: { octets: [9, 9], macs: [pc] } } },
  ],
  [
    'it came in between',
    { ports: { lan1: { octets: [0, 0], macs: [printer] } } },
    { ports: { lan1: { octets: [9, 9], macs: [pc] } } },
  ],
  [
    'it changed its port',
    { ports: { lan1: { octets: [0, 0] }, lan2: { octets: [0, 0], macs: [pc] } } },
    { ports: { lan1: { octets: [9, 9], macs: [pc] }, lan2: { octets: [9, 9] } } },
  ],
  [
    'a counter was set back',
    { ports: { lan1: { octets: [900, 900], macs: [pc] } } },
    { ports: { lan1: { octets: [9, 9], macs: [pc] } } },
  ],
  [
    'the switch started anew',
    { uptimeSeconds: 9_000, ports: { lan1: { octets: [0, 0], macs: [pc] } } },
    { uptimeSeconds: 30, ports: { lan1: { octets: [9, 9], macs: [pc] } } },
  ],
  [
    'a managed device is behind the port, too',
    { ports: { lan1: { octets: [0, 0], macs: [pc] } } },
    { ports: { lan1: { octets: [9, 9], macs: [pc, '02:00:00:00:00:99'] } } },
  ],
])('nothing is known, and nothing counted, where %s', async (_why, first, second) => {
  const { poll, shown } = setUp()
  poll(1, 0, first)
  poll(1, 1, second)
  const found = (await shown()).find(one => one.mac === pc)
  expect(found).toMatchObject({ mac: pc })
  expect(found).not.toHaveProperty('day')
  expect(found).not.toHaveProperty('downBps')
})

test('a 32-bit counter of a port goes round', async () => {
  const { poll, shown } = setUp()
  poll(1, 0, { ports: { lan1: { octets: [2 ** 32 - 100, 5], macs: [pc], bits: 32 } } })
  poll(1, 0.5, { ports: { lan1: { octets: [400, 5], macs: [pc], bits: 32 } } })
  expect(await shown()).toMatchObject([{ day: { down: 0, up: 500 } }])
})

test('the uplink of another switch, which shows the same client alone, counts nothing twice', async () => {
  const { poll, shown, sinks } = setUp()
  sinks.clients.know({ id: 1, network: 1, mac: '02:00:00:00:00:99' })
  for (const [minutes, octets] of [
    [0, 0],
    [1, 700],
  ] as const) {
    poll(1, minutes, { ports: { lan1: { octets: [octets, octets], macs: [pc] } } })
    poll(2, minutes, { ports: { up: { octets: [octets, octets], macs: [pc] } } })
  }
  expect(await shown()).toMatchObject([{ mac: pc, day: { down: 700, up: 700 } }])
})

test('one on the air is counted by its access point alone, and the list goes by rate and by the day’s traffic', async () => {
  const { poll, shown } = setUp()
  const station = (txBytes: number, rxBytes: number, connectedSeconds: number): Station[] => [
    { mac: phone, bss: 'w0', txBytes, rxBytes, connectedSeconds },
  ]
  const ports = (octets: number) => ({
    lan1: { octets: [octets, octets] as [number, number], macs: [pc] },
    w0: { octets: [octets * 9, octets * 9] as [number, number], macs: [phone] },
    lan3: { octets: [0, 0] as [number, number], macs: [printer, '00:0a:f7:00:00:03'] },
  })
  poll(1, 0, { ports: ports(0), stations: station(10, 10, 900) })
  poll(1, 1, { ports: ports(3_000), stations: station(4_010, 10, 960) })
  poll(1, 2, { ports: ports(6_000), stations: station(4_010, 10, 1_020) })
  // Those of whom nothing is known come last.
  const [first, second, ...others] = await shown('traffic')
  expect([first, second]).toMatchObject([
    { mac: pc, day: { down: 6_000, up: 6_000 } },
    { mac: phone, day: { down: 4_000, up: 0 }, downBps: 0, upBps: 0 },
  ])
  expect(others.map(one => one.day)).toEqual([undefined, undefined])
  poll(1, 3, { ports: ports(6_000), stations: station(84_010, 10, 1_080) })
  expect((await shown('rate')).map(one => one.mac).slice(0, 2)).toEqual([phone, pc])
  expect((await shown('traffic')).map(one => one.mac).slice(0, 2)).toEqual([phone, pc])
})
