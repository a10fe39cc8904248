import { createSocket } from 'node:dgram'
import { type Credential, isDeviceError, type Reason } from '@/server/drivers/driver'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { oid } from '@/server/drivers/snmp/protocol/ber'
import { discover, get, greet, openChannel } from '@/server/drivers/snmp/protocol/transport'
import { walk } from '@/server/drivers/snmp/protocol/walk'
import { times } from '../_sample'
import { stopTimers, waitIsOver } from './_timers'
import {
  type Agent,
  answer,
  encodeName,
  encodeNumber,
  parseQuestion,
  parseWalk,
  serve,
  startAgent,
  tlv,
} from './snmp-agent'

// Agents that lie, stammer or stay silent: each ends in bounded time, with its reason, and the process goes on.

const system = [
  '1.3.6.1.2.1.1.1.0|4|Hostile box',
  '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.99999.1',
  '1.3.6.1.2.1.1.3.0|67|123456',
]
const open: Agent[] = []
const keep = (agent: Agent) => {
  agent.onSilence = waitIsOver
  open.push(agent)
  return agent
}
// The driver's waits are over when an agent kept silent, and never before: no answer is too late on a busy machine.
beforeEach(stopTimers)
afterEach(async () => {
  jest.useRealTimers()
  await Promise.all(open.splice(0).map(each => each.close()))
})

const v2c: Credential = { type: 'snmp2c', community: 'public' }
const channelTo = (port: number, credential: Credential = v2c) =>
  openChannel({ address: '127.0.0.1', port, credential })

async function reasonOf(work: Promise<unknown>): Promise<Reason | 'none' | 'unknown'> {
  return work.then(
    () => 'none' as const,
    error => (isDeviceError(error) ? error.reason : 'unknown'),
  )
}

/** One binding, its identifier as numbers. */
const bind = (name: number[], value: Buffer) => tlv(0x30, Buffer.concat([tlv(6, encodeName(name)), value]))
const column = '1.3.6.1.2.1.2.2.1.2'
const columnParts = column.split('.').map(Number)

test('a wrong community gets no answer: timeout', async () => {
  const agent = keep(await startAgent(parseWalk(system.join('\n')), { community: 'secret' }))
  expect(await reasonOf(channelTo(agent.port).then(channel => greet(channel)))).toBe('timeout')
})

test('a silent port: timeout, after its tries', async () => {
  const agent = keep(await serve('127.0.0.1', () => undefined))
  expect(await reasonOf(channelTo(agent.port).then(channel => greet(channel)))).toBe('timeout')
  expect(agent.requests).toBe(4)
})

test('a closed port: refused, not waited for', async () => {
  const agent = await serve('127.0.0.1', () => undefined)
  await agent.close()
  expect(await reasonOf(channelTo(agent.port).then(channel => greet(channel)))).toBe('refused')
})

test('a name that does not exist: noRoute', async () => {
  const target = { address: 'no-such-host.invalid', port: 161, credential: v2c }
  expect(await reasonOf(openChannel(target))).toBe('noRoute')
})

test.each(['snmp1', 'snmp2c'] as const)('%s: an agent that shows nothing at all: noView', async type => {
  const agent = keep(await startAgent([]))
  expect(await reasonOf(channelTo(agent.port, { type, community: 'public' }).then(channel => greet(channel)))).toBe(
    'noView',
  )
})

test('answers that are no SNMP: malformed', async () => {
  const noise = Buffer.from(Array.from({ length: 40 }, (_, at) => (at * 167 + 13) % 256))
  const agent = keep(
    await serve('127.0.0.1', () => {
      waitIsOver()
      return noise
    }),
  )
  expect(await reasonOf(channelTo(agent.port).then(channel => greet(channel)))).toBe('malformed')
})

test('every truncation of an answer ends in a reason, and the process lives', async () => {
  jest.useRealTimers()
  const whole = bind([1, 3, 6, 1, 2, 1, 1, 1, 0], tlv(4, Buffer.from('Hostile box')))
  let cut = 0
  const agent = keep(
    await serve('127.0.0.1', data => {
      const full = answer(parseQuestion(data), 0, 0, [whole])
      return full.subarray(0, cut)
    }),
  )
  const channel = await channelTo(agent.port)
  const quick = [{ milliseconds: 25, connected: false }]
  const size = answer(
    {
      version: 1,
      community: Buffer.from('public'),
      type: 0xa0,
      id: Buffer.alloc(4, 1),
      first: 0,
      second: 0,
      names: [],
    },
    0,
    0,
    [whole],
  ).length
  for (cut = 1; cut < size - 4; cut++)
    expect(['malformed', 'timeout']).toContain(await reasonOf(get(channel, ['1.3.6.1.2.1.1.1.0'], quick)))
})

const damages = times(2000, 300)
test(`${damages} damaged answers: a reason or harmless values, never a crash`, async () => {
  jest.useRealTimers()
  const entries = parseWalk(
    [...system, ...Array.from({ length: 20 }, (_, i) => `${column}.${i + 1}|4|port${i + 1}`)].join('\n'),
  )
  const honest = keep(await startAgent(entries))
  const relay = createSocket('udp4').unref()
  await new Promise<void>(done => relay.bind(0, '127.0.0.1', done))
  let seed = 20_260_101
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  let client = { port: 0, address: '' }
  relay.on('message', (data, from) => {
    if (from.port !== honest.port) {
      client = from
      relay.send(data, honest.port, '127.0.0.1')
      return
    }
    const damaged = Buffer.from(data)
    for (let i = random(4); i >= 0; i--) damaged[random(damaged.length)] = random(256)
    relay.send(
      damaged.subarray(0, random(10) === 0 ? random(damaged.length) : damaged.length),
      client.port,
      client.address,
    )
  })
  const channel = await channelTo(relay.address().port)
  const quick = [{ milliseconds: 20, connected: false }]
  const seen = new Set<string>()
  for (let i = 0; i < damages; i++) {
    const oids = [oid(column)]
    seen.add(await reasonOf(channel.exchange({ type: 'getBulk', oids, maxRepetitions: 10 }, quick)))
  }
  await new Promise<void>(done => relay.close(done))
  expect([...seen].filter(each => !['none', 'malformed', 'timeout'].includes(each))).toEqual([])
  expect(seen.has('none')).toBe(true)
  expect(seen.has('malformed')).toBe(true)
})

test('identifiers that do not increase: malformed, what came before is kept', async () => {
  const agent = keep(
    await serve('127.0.0.1', data => {
      const question = parseQuestion(data)
      const rows = [1, 2, 3, 2, 3, 2, 3].map(i => bind([...columnParts, i], tlv(4, Buffer.from('x'))))
      return answer(question, 0, 0, rows)
    }),
  )
  const { columns, failure } = await walk(await channelTo(agent.port), [oid(column)])
  expect(failure?.reason).toBe('malformed')
  expect(columns[0]?.indexes).toEqual(['1', '2', '3'])
  expect(agent.requests).toBe(1)
})

test.each(['snmp1', 'snmp2c'] as const)('%s: a table that says the same row for ever ends', async type => {
  const agent = keep(
    await serve('127.0.0.1', data =>
      answer(parseQuestion(data), 0, 0, [bind([...columnParts, 7], tlv(4, Buffer.from('x')))]),
    ),
  )
  const { failure } = await walk(await channelTo(agent.port, { type, community: 'public' }), [oid(column)])
  expect(failure?.reason).toBe('malformed')
})

/** A column with rows up to `last`, made as it is asked for. */
const counting = (last: number) => (data: Buffer) => {
  const question = parseQuestion(data)
  const from = question.names[0]?.[columnParts.length] ?? 0
  const rows = Array.from({ length: Math.min(50, question.second) }, (_, i) => from + i + 1)
  const end = bind([1, 3, 6, 1, 2, 1, 2, 2, 1, 3, 1], encodeNumber(2, 6n))
  const name = (row: number) => bind([...columnParts, row], encodeNumber(2, BigInt(row)))
  return answer(
    question,
    0,
    0,
    rows.map(row => (row > last ? end : name(row))),
  )
}

test('a table of 10,000 rows is read whole', async () => {
  const agent = keep(await serve('127.0.0.1', counting(10_000)))
  const { columns, failure } = await walk(await channelTo(agent.port), [oid(column)])
  expect(failure).toBeUndefined()
  expect(columns[0]?.values).toHaveLength(10_000)
  expect(columns[0]?.values.at(-1)).toBe(10_000)
})

test('a table without end: tooLarge at its limit', async () => {
  const agent = keep(await serve('127.0.0.1', counting(200_000)))
  const { columns, failure } = await walk(await channelTo(agent.port), [oid(column)])
  expect(failure?.reason).toBe('tooLarge')
  expect(columns[0]?.values).toHaveLength(10_000)
})

test('a slow table ends with its time', async () => {
  const agent = keep(await serve('127.0.0.1', counting(200_000)))
  const { failure } = await walk(await channelTo(agent.port), [oid(column)], { rows: 1e6, milliseconds: 50 })
  expect(failure?.reason).toBe('tooLarge')
})

test('a device with 10,000 learned MACs: every one is a host on its port', async () => {
  const rows = ['1.3.6.1.2.1.2.2.1.2.1|4|eth1', '1.3.6.1.2.1.2.2.1.3.1|2|6', '1.3.6.1.2.1.17.1.4.1.2.1|2|1']
  for (let i = 0; i < 10_000; i++) {
    const mac = `2.0.0.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    rows.push(`1.3.6.1.2.1.17.4.3.1.2.${mac}|2|1`, `1.3.6.1.2.1.17.4.3.1.3.${mac}|2|3`)
  }
  const agent = keep(await startAgent(parseWalk([...system, ...rows].join('\n'))))
  const target = { address: '127.0.0.1', port: agent.port, credential: v2c }
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const seen = await snmpDriver.observe(session, 'full')
  expect(seen.hosts).toHaveLength(10_000)
  expect(seen.hosts?.filter(each => each.port === '1')).toHaveLength(10_000)
  expect(seen.problems).toBeUndefined()
})

test('giant values: a long text is cut, a 64-bit counter keeps its size, a wide integer is refused', async () => {
  const entries = parseWalk(
    [
      `1.3.6.1.2.1.1.1.0|4|${'A'.repeat(1300)}`,
      '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.99999.4294967295',
      '1.3.6.1.2.1.1.3.0|67|4294967295',
      '1.3.6.1.2.1.2.2.1.2.4294967295|4|far',
      '1.3.6.1.2.1.2.2.1.3.4294967295|2|6',
      '1.3.6.1.2.1.31.1.1.1.6.4294967295|70|18446744073709551615',
    ].join('\n'),
  )
  const agent = keep(await startAgent(entries))
  const target = { address: '127.0.0.1', port: agent.port, credential: v2c }
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const seen = await snmpDriver.observe(session, 'full')
  expect(seen.facts?.description).toHaveLength(1024)
  expect(seen.facts?.sysObjectId).toBe('1.3.6.1.4.1.99999.4294967295')
  expect(seen.interfaces?.[0]).toMatchObject({
    key: '4294967295',
    name: 'far',
    counters: { bits: 64, inOctets: 2 ** 64 },
  })

  const wide = keep(
    await serve('127.0.0.1', data =>
      answer(parseQuestion(data), 0, 0, [bind([1, 3, 6, 1, 2, 1, 1, 3, 0], tlv(67, Buffer.alloc(300, 1)))]),
    ),
  )
  expect(await reasonOf(channelTo(wide.port).then(channel => greet(channel)))).toBe('malformed')
})

/** A table without an end whose cells are as long as a packet carries, beside as much that nobody asked for. */
const endless = (text: number) =>
  serve('127.0.0.1', data => {
    const question = parseQuestion(data)
    const bindings = question.names.map(name => {
      const base = name.slice(0, columnParts.length)
      const next = (name[columnParts.length] ?? 0) + 1
      return bind([...base, next], tlv(4, Buffer.alloc(text, 65)))
    })
    return Buffer.concat([answer(question, 0, 0, bindings), Buffer.alloc(20_000)])
  })

test.each([
  ['long texts', 8_000],
  ['short texts in large packets', 20],
])('an endless table of %s ends, and what is kept of it stays within its bound', async (_, length) => {
  const agent = keep(await endless(length))
  const channel = await channelTo(agent.port)
  const budget = { left: 4 << 20 }
  const bases = [1, 2].map(number => oid(`1.3.6.1.2.1.2.2.1.${number}`))
  const { columns, failure } = await walk(channel, bases, { budget, rows: 5_000, milliseconds: 50_000 })
  expect(failure?.reason).toBe('tooLarge')
  const values = columns.flatMap(each => each.values) as Buffer[]
  expect(values.length).toBeGreaterThan(0)
  // What lies behind the values counts: a slice of a packet would hold the packet.
  const behind = new Set(values.map(each => each.buffer))
  const held = [...behind].reduce((sum, each) => sum + each.byteLength, 0)
  expect(held).toBeLessThan(8 << 20)
  // Nothing is left for the next table of the same reading once it is used up.
  const next = await walk(channel, bases, { budget: { left: 0 } })
  expect([next.failure?.reason, next.columns.flatMap(each => each.values)]).toEqual(['tooLarge', []])
})

test('an answer from another address is not taken', async () => {
  // A failing test must not hold the run open.
  const liar = createSocket('udp4').unref()
  await new Promise<void>(done => liar.bind(0, '127.0.0.2', done))
  const agent = keep(
    await serve('127.0.0.1', data => {
      const question = parseQuestion(data)
      const forged = answer(question, 0, 0, [bind([1, 3, 6, 1, 2, 1, 1, 1, 0], tlv(4, Buffer.from('forged')))])
      liar.send(forged, clientPort, '127.0.0.1')
      return undefined
    }),
  )
  let clientPort = 0
  agent.onFrom = port => {
    clientPort = port
  }
  const channel = await channelTo(agent.port)
  const quick = [{ milliseconds: 200, connected: false }]
  expect(await reasonOf(get(channel, ['1.3.6.1.2.1.1.1.0'], quick))).toBe('timeout')
  await new Promise<void>(done => liar.close(done))
})

test('a device that goes silent in the middle is lost in bounded time; one table it chokes on is named', async () => {
  const rows = [...system, '1.3.6.1.2.1.2.2.1.2.1|4|eth1', '1.3.6.1.2.1.2.2.1.3.1|2|6', '1.3.6.1.2.1.2.2.1.8.1|2|1']
  const choking = keep(await startAgent(parseWalk(rows.join('\n')), { silentBelow: '1.3.6.1.2.1.17.4.3' }))
  const target = { address: '127.0.0.1', port: choking.port, credential: v2c }
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const dying = keep(await startAgent(parseWalk(rows.join('\n')), { silentAfter: 6 }))
  const other = await snmpDriver.connect({ ...target, port: dying.port }, AbortSignal.timeout(60_000))
  const seen = await snmpDriver.observe(session, 'full')
  const lost = await reasonOf(snmpDriver.observe(other, 'full'))
  expect(seen.interfaces?.[0]).toMatchObject({ name: 'eth1', up: true })
  expect(seen.problems).toEqual([{ part: 'dot1dTpFdbTable', reason: 'timeout' }])
  expect(lost).toBe('timeout')
})

test('a poll names the counters the device chokes on, and goes on with the plain ones', async () => {
  const rows = [
    ...system,
    '1.3.6.1.2.1.2.2.1.2.1|4|eth1',
    '1.3.6.1.2.1.2.2.1.3.1|2|6',
    '1.3.6.1.2.1.2.2.1.8.1|2|1',
    '1.3.6.1.2.1.2.2.1.10.1|65|4200',
    '1.3.6.1.2.1.31.1.1.1.6.1|70|4200',
  ]
  const choking = keep(await startAgent(parseWalk(rows.join('\n')), { silentBelow: '1.3.6.1.2.1.31.1.1.1.6' }))
  const target = { address: '127.0.0.1', port: choking.port, credential: v2c }
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const seen = await snmpDriver.observe(session, 'counters')
  expect(seen.interfaces?.[0]).toMatchObject({ name: 'eth1', up: true, counters: { bits: 32, inOctets: 4200 } })
  expect(seen.problems).toEqual([{ part: 'ifTable, ifXTable', reason: 'timeout' }])
})

test('discovery needs no secret: silence where there is no SNMPv3', async () => {
  const agent = keep(await startAgent(parseWalk(system.join('\n'))))
  expect(await discover('127.0.0.1', agent.port)).toBeUndefined()
})
