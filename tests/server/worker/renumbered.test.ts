import { snmpDriver } from '@/server/drivers/snmp/driver'
import { slotMap } from '@/server/history/interface-slots'
import { fleetCalls } from '@/server/worker/fleet-calls'
import { lastingKeys } from '@/server/worker/interface-names'
import { emptyCounters, takeCounters } from '@/server/worker/rates'
import { record } from '@/server/worker/record'
import type { WorkerState } from '@/server/worker/worker-state'
import { type Agent, parseWalk, startAgent } from '../../drivers/snmp-agent'
import { memoryFile, device as series } from '../history/_file'
import { device, entryWith, newLedger } from './_entry'

// A device whose interfaces have other numbers after each start: real SNMP over a socket, with the clock of the test.

const minute = 60_000
const start = 1_800_000 * 10_800_000
const mib2 = '1.3.6.1.2.1'

let agent: Agent | undefined
afterEach(async () => {
  await agent?.close()
  agent = undefined
})

type Port = { index: number; name: string; octets: number }

const lines = (upMinutes: number, ports: readonly Port[]) => [
  `${mib2}.1.1.0|4|Linux router`,
  `${mib2}.1.2.0|6|1.3.6.1.4.1.8072.3.2.10`,
  `${mib2}.1.3.0|67|${upMinutes * 6000}`,
  ...ports.flatMap(({ index, name, octets }) => [
    `${mib2}.2.2.1.1.${index}|2|${index}`,
    `${mib2}.2.2.1.2.${index}|4|${name}`,
    `${mib2}.2.2.1.3.${index}|2|6`,
    `${mib2}.2.2.1.5.${index}|66|1000000000`,
    `${mib2}.2.2.1.8.${index}|2|1`,
    `${mib2}.31.1.1.1.1.${index}|4|${name}`,
    `${mib2}.31.1.1.1.6.${index}|70|${octets}`,
    `${mib2}.31.1.1.1.10.${index}|70|${octets}`,
  ]),
]

/** Polls, the numbers of wan0 and lan0 before and after a start in the middle, and what is asked of them then. */
async function polled(numbers: readonly { wan: number; lan: number; names?: [string, string] }[], each = 31) {
  const walk = parseWalk(lines(0, []).join('\n'))
  const own = await startAgent(walk)
  agent = own
  const target = {
    address: '127.0.0.1',
    port: own.port,
    credential: { type: 'snmp2c', community: 'public' },
  } as const
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const entry = entryWith({ device: device(1), status: 1 })
  const { sinks } = newLedger()
  let at = start
  for (const { wan, lan, names: [first, second] = ['wan0', 'lan0'] } of numbers) {
    for (let poll = 0; poll < each; poll++, at += minute) {
      const ports = [
        { index: wan, name: first, octets: 1e9 + poll * 75_000_000 },
        { index: lan, name: second, octets: 5e9 + poll * 75_000 },
      ]
      const now = lines(poll, ports)
      walk.splice(0, walk.length, ...parseWalk(now.join('\n')))
      const seen = await snmpDriver.observe(session, entry.fullAt ? 'counters' : 'full')
      record(entry, { ...seen, takenAt: at }, sinks)
    }
  }
  const worker = { history: sinks.history, poller: { entries: new Map([[1, entry]]) } } as unknown as WorkerState
  const rates = async (key: number) => {
    const query = { of: 'device', device: 1, interface: String(key), range: '2h', now: at - minute } as const
    return (await fleetCalls.history(worker, query)).inBps.filter(bps => bps !== null)
  }
  return rates
}

test('history goes on under an interface’s name when the device numbers anew', async () => {
  const rates = await polled([
    { wan: 2, lan: 3 },
    { wan: 3, lan: 2 },
  ])
  const [wan, lan] = [await rates(3), await rates(2)]
  expect(wan.length).toBeGreaterThan(10)
  expect(new Set(wan)).toEqual(new Set([10_000_000]))
  expect(lan).toHaveLength(wan.length)
  expect(new Set(lan)).toEqual(new Set([10_000]))
}, 120_000)

test('a number that bears another name is another interface, even where no start was noticed', () => {
  const reading = (names: readonly string[], octets: readonly number[]) =>
    names.map((name, index) => ({
      ...{ key: String(index), name, type: 'ethernet' as const },
      counters: { bits: 64 as const, inOctets: octets[index], outOctets: 0 },
    }))
  let store = takeCounters(emptyCounters(), reading(['wan0', 'lan0'], [1000, 5000]), 1000, false)
  store = takeCounters(store, reading(['lan0', 'wan0'], [5001, 9000]), 61_000, false)
  expect([store.deltas[0], store.deltas[2]]).toEqual([Number.NaN, Number.NaN])
  store = takeCounters(store, reading(['lan0', 'wan0'], [5002, 9010]), 121_000, false)
  expect([store.deltas[0], store.deltas[2]]).toEqual([1, 10])
})

test('what bears one name cannot be told apart but by its number, and nothing is joined', async () => {
  const names: [string, string] = ['port', 'port']
  const rates = await polled([{ wan: 2, lan: 3, names }], 8)
  expect(new Set(await rates(2))).toEqual(new Set([10_000_000]))
  expect(new Set(await rates(3))).toEqual(new Set([10_000]))
}, 120_000)

test.each([
  [
    'names that are alone',
    [
      ['1', 'wan0'],
      ['2', 'lan0'],
    ],
    ['wan0', 'lan0'],
  ],
  [
    'one name of two',
    [
      ['1', 'p'],
      ['2', 'p'],
      ['3', 'lan0'],
    ],
    ['1', '2', 'lan0'],
  ],
  [
    'a name that is another’s number',
    [
      ['1', '2'],
      ['2', 'lan0'],
    ],
    ['1', 'lan0'],
  ],
  [
    'no names but numbers',
    [
      ['1', '1'],
      ['2', '2'],
    ],
    ['1', '2'],
  ],
] as const)('kept under: %s', (_, interfaces, kept) => {
  expect(lastingKeys(interfaces.map(([key, name]) => ({ key, name })))).toEqual(kept)
})

test('history that was kept under the number goes on under the name, once', () => {
  const file = memoryFile()
  const book = () => ({ file, held: new Map() })
  expect([...slotMap(book(), series(1), ['2', '3']).map]).toEqual([0, 1])
  expect([...slotMap(book(), series(1), ['wan0', 'lan0'], ['2', '3']).map]).toEqual([0, 1])
  expect(file.slots(series(1))).toEqual(['wan0', 'lan0'])
  // Numbered anew afterwards: each stays with its own.
  expect([...slotMap(book(), series(1), ['lan0', 'wan0', 'new0'], ['2', '3', '4']).map]).toEqual([1, 0, 2])
})

test('a number that another interface is still kept under is not taken from it', () => {
  const file = memoryFile()
  const book = { file, held: new Map() }
  slotMap(book, series(1), ['1', '2'])
  expect([...slotMap(book, series(1), ['2', 'a'], ['9', '2']).map]).toEqual([1, 2])
})
