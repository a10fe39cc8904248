import type { Credential } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { get, openChannel } from '@/server/drivers/snmp/protocol/transport'
import { passTime, stopClock, timePassed } from './_timers'
import { type Agent, answer, type Entry, parseQuestion, parseWalk, type Question, respond, serve } from './snmp-agent'

// Agents that mean well and cannot do much: each is adopted, and what it can tell is told.

const open: Agent[] = []
const pass = () => passTime(() => open.reduce((sum, each) => sum + each.requests, 0))
// An agent's silence is what ends a wait: no answer is too late on a busy machine, and nothing is waited for in vain.
beforeEach(stopClock)
afterEach(async () => {
  await timePassed()
  jest.useRealTimers()
  await Promise.all(open.splice(0).map(each => each.close()))
})

const mib2 = '1.3.6.1.2.1'
const ports = Array.from({ length: 8 }, (_, i) => i + 1)
/** A switch of eight ports that has something in each table that is asked for. */
const lines = [
  `${mib2}.1.1.0|4|Acme switch`,
  `${mib2}.1.2.0|6|1.3.6.1.4.1.171.10.1`,
  `${mib2}.1.3.0|67|123456`,
  `${mib2}.1.5.0|4|sw-1`,
  `${mib2}.17.1.1.0|4x|02005e100001`,
  `${mib2}.17.1.2.0|2|8`,
  `${mib2}.16.19.2.0|4|4.38.01`,
  '1.3.6.1.6.3.10.2.1.3.0|2|9000',
  `${mib2}.25.3.3.1.2.1|2|17`,
  `${mib2}.25.2.3.1.2.1|6|1.3.6.1.2.1.25.2.1.2`,
  `${mib2}.25.2.3.1.4.1|2|1024`,
  `${mib2}.25.2.3.1.5.1|2|1000`,
  `${mib2}.25.2.3.1.6.1|2|250`,
  '1.3.6.1.4.1.2021.10.1.3.1|4|0.42',
  '1.3.6.1.4.1.171.12.1.1.12.0|4|SERIAL1',
  ...ports.flatMap(i => [
    `${mib2}.2.2.1.2.${i}|4|Ethernet port number ${i} of this switch`,
    `${mib2}.2.2.1.3.${i}|2|6`,
    `${mib2}.2.2.1.4.${i}|2|1500`,
    `${mib2}.2.2.1.6.${i}|4x|02005e1000${i}0`,
    `${mib2}.2.2.1.7.${i}|2|1`,
    `${mib2}.2.2.1.8.${i}|2|1`,
    `${mib2}.2.2.1.10.${i}|65|${i}000`,
    `${mib2}.2.2.1.14.${i}|65|0`,
    `${mib2}.31.1.1.1.1.${i}|4|port${i}`,
    `${mib2}.31.1.1.1.6.${i}|70|${i}000`,
    `${mib2}.31.1.1.1.10.${i}|70|${i}500`,
    `${mib2}.31.1.1.1.15.${i}|66|1000`,
    `${mib2}.31.1.1.1.18.${i}|4|A rather long alias of port ${i}, as people write them to find a cable again`,
    `${mib2}.17.1.4.1.2.${i}|2|${i}`,
    `${mib2}.17.4.3.1.2.2.0.0.0.1.${i}|2|${i}`,
    `${mib2}.17.4.3.1.3.2.0.0.0.1.${i}|2|3`,
    `1.0.8802.1.1.2.1.4.1.1.5.0.${i}.1|4x|02005e20000${i}`,
    `1.0.8802.1.1.2.1.4.1.1.7.0.${i}.1|4|uplink`,
    `1.0.8802.1.1.2.1.4.1.1.9.0.${i}.1|4|neighbour-${i}`,
    `1.0.8802.1.1.2.1.4.1.1.10.0.${i}.1|4|${'A description as long as such things are. '.repeat(4)}`,
    `${mib2}.47.1.1.1.1.5.${i}|2|${i === 1 ? 3 : 6}`,
    `${mib2}.47.1.1.1.1.7.${i}|4|Part ${i}`,
  ]),
]
const entries = parseWalk(lines.join('\n'))

type Rule = (question: Question, whole: () => Buffer) => Buffer | undefined | Promise<Buffer | undefined>

/** An agent of these entries whose answers a rule lets pass, changes or drops. */
async function weak(rule: Rule, from: Entry[] = entries) {
  const agent = await serve('127.0.0.1', data => {
    const question = parseQuestion(data)
    return rule(question, () => respond(from, question))
  })
  agent.onSilence = pass
  open.push(agent)
  return { address: '127.0.0.1', port: agent.port, credential: { type: 'snmp2c', community: 'public' } as Credential }
}

const honest: Rule = (_, whole) => whole()
const parts = (oid: string) => oid.split('.').map(Number)
const isBelow = (name: number[], branch: number[]) => branch.every((part, i) => name[i] === part)

/** As a person adopts a device: it is asked what it is, read whole, and polled. */
async function adopt(target: Awaited<ReturnType<typeof weak>>) {
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const facts = await snmpDriver.facts(session)
  const seen = await snmpDriver.observe(session, 'full')
  const polled = await snmpDriver.observe(session, 'counters')
  return { facts, seen, polled }
}

/** One after the other: time that passes for one would pass for all. */
async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const found: R[] = []
  for (const one of all) found.push(await work(one))
  return found
}

/** All that the switch tells, without what is of the moment. */
const told = ({ takenAt: _t, path: _p, ...seen }: Observation) => seen

let all: Observation
beforeAll(async () => {
  all = (await adopt(await weak(honest))).seen
})

test('the switch of these tests tells of everything', () => {
  expect(all.interfaces).toHaveLength(8)
  expect(all.hosts).toHaveLength(8)
  expect(all.neighbours).toHaveLength(8)
  expect(all.powerSupplies).toHaveLength(7)
  expect(all.health).toMatchObject({ cpuPercent: 17, load1: 0.42, memoryTotalBytes: 1_024_000 })
  expect(all.facts).toMatchObject({ firmware: '4.38.01', serial: 'SERIAL1' })
  expect(all.problems).toBeUndefined()
})

const branches = [
  `${mib2}.25`,
  `${mib2}.25.3`,
  '1.0.8802',
  `${mib2}.17`,
  '1.3.6.1.4.1.2021',
  `${mib2}.16`,
  '1.3.6.1.6.3.10',
  `${mib2}.31`,
  '1.3.6.1.4.1.171',
  `${mib2}.47`,
  `${mib2}.1.1`,
  `${mib2}.1.3`,
]

/** What a switch tells that stays silent about a branch, and how many questions it left unanswered at each reading. */
async function readSilent(branch: string) {
  const silent = parts(branch)
  let unanswered = 0
  const target = await weak((question, whole) => {
    if (!question.names.some(name => isBelow(name, silent))) return whole()
    unanswered += 1
    return undefined
  })
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  const seen = await snmpDriver.observe(session, 'full')
  const full = unanswered
  const polled = await snmpDriver.observe(session, 'counters')
  return { branch, seen, polled, full, poll: unanswered - full }
}

/** A maker's branch has the most names, which are tried one by one before they are left alone: 90 were seen. */
const mostUnanswered = 120

test('silent about a branch: everything else is told, and the next poll does not wait', async () => {
  const readings = await inTurn(branches, readSilent)
  const expected = branches.map(branch => ({
    branch,
    up: 8,
    neighbours: branch === '1.0.8802' ? undefined : 8,
    hosts: branch === `${mib2}.17` ? undefined : 8,
    supplies: branch === `${mib2}.47` ? undefined : 7,
    cpu: branch.startsWith(`${mib2}.25`) ? undefined : 17,
    load: branch === '1.3.6.1.4.1.2021' ? undefined : 0.42,
    serial: branch === '1.3.6.1.4.1.171' ? undefined : 'SERIAL1',
    octets: ports.map(i => i * 1000),
    reasons: [],
    unanswered: [true, 0],
  }))
  const found = readings.map(({ branch, seen, polled, full, poll }) => ({
    branch,
    up: seen.interfaces?.filter(each => each.up).length,
    neighbours: seen.neighbours?.length,
    hosts: seen.hosts?.length,
    supplies: seen.powerSupplies?.length,
    cpu: seen.health?.cpuPercent,
    load: seen.health?.load1,
    serial: seen.facts?.serial,
    octets: polled.interfaces?.map(each => each.counters?.inOctets),
    reasons: (seen.problems ?? []).map(each => each.reason).filter(each => each !== 'timeout'),
    unanswered: [full <= mostUnanswered, poll],
  }))
  expect(found).toEqual(expected)
})

const rules: [string, Rule][] = [
  [
    'a GET of more than 10 variables is dropped',
    (q, whole) => (q.type === 0xa0 && q.names.length > 10 ? undefined : whole()),
  ],
  [
    'a GET of more than 3 variables is dropped',
    (q, whole) => (q.type === 0xa0 && q.names.length > 3 ? undefined : whole()),
  ],
  ['any request of more than 4 names is dropped', (q, whole) => (q.names.length > 4 ? undefined : whole())],
  ['GETBULK: genErr', (q, whole) => (q.type === 0xa5 ? answer(q, 5, 0, []) : whole())],
  ['GETBULK: tooBig', (q, whole) => (q.type === 0xa5 ? answer(q, 1, 0, []) : whole())],
  ['GETBULK is dropped', (q, whole) => (q.type === 0xa5 ? undefined : whole())],
  [
    'one binding a reply',
    (q, whole) =>
      q.type === 0xa0 && q.names.length > 1 ? respond(entries, { ...q, names: q.names.slice(0, 1) }) : whole(),
  ],
  [
    'replies over 484 bytes are dropped',
    (_, whole) => {
      const reply = whole()
      return reply.length > 484 ? undefined : reply
    },
  ],
]

test('requests that are refused, cut or dropped: adopted, and read whole in reasonable time', async () => {
  const found = await inTurn(rules, async ([name, rule]) => {
    // By the clock of the timers: what is waited for, and not what the machine needs.
    const began = performance.now()
    const { seen, polled } = await adopt(await weak(rule))
    const octets = polled.interfaces?.map(each => each.counters?.inOctets)
    return { name, seen: told(seen), octets, inTime: performance.now() - began < 30_000 }
  })
  const octets = ports.map(i => i * 1000)
  expect(found).toEqual(rules.map(([name]) => ({ name, seen: told(all), octets, inTime: true })))
})

test('each third packet is lost: adopted, read whole, and no poll fails', async () => {
  let count = 0
  const target = await weak((_, whole) => (++count % 3 === 0 ? undefined : whole()))
  const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
  expect(told(await snmpDriver.observe(session, 'full'))).toEqual(told(all))
  for (let i = 0; i < 5; i++) expect((await snmpDriver.observe(session, 'counters')).interfaces).toHaveLength(8)
})

test('two of three packets are lost, or each answer takes 2.9 s: the first words are heard', async () => {
  let count = 0
  const lossy = await weak((_, whole) => (++count % 3 === 0 ? whole() : undefined))
  const far = await weak(async (_, whole) => {
    pass()
    await new Promise(done => setTimeout(done, 2900))
    return whole()
  })
  const sessions = await inTurn([lossy, far], target => snmpDriver.connect(target, AbortSignal.timeout(60_000)))
  expect(sessions.map(each => each.description)).toEqual(['Acme switch', 'Acme switch'])
  // Nothing of its own is asked again by an older version.
  expect(sessions.map(each => each.channel.version)).toEqual([2, 2])
})

test('version 1 is all it can, and 2c is what it was asked by: adopted by version 1', async () => {
  const target = await weak((question, whole) => (question.version === 0 ? whole() : undefined))
  const { seen } = await adopt(target)
  expect(seen.interfaces).toHaveLength(8)
  expect(seen.hosts).toHaveLength(8)
})

test('version 1 alone, and a branch that stays silent', async () => {
  const silent = parts(`${mib2}.31`)
  const target = await weak((question, whole) =>
    question.names.some(name => isBelow(name, silent)) ? undefined : whole(),
  )
  const { seen } = await adopt({ ...target, credential: { type: 'snmp1', community: 'public' } })
  expect(seen.interfaces?.map(each => each.counters?.inOctets)).toEqual(ports.map(i => i * 1000))
})

test('an answer with another community is not taken', async () => {
  const target = await weak(question => {
    pass()
    return respond(entries, { ...question, community: Buffer.from('other') })
  })
  const channel = await openChannel(target)
  const quick = [{ milliseconds: 200, connected: false }]
  await expect(get(channel, [`${mib2}.1.1.0`], quick)).rejects.toMatchObject({ reason: 'timeout' })
})

test('nothing of the system group, but tables: adopted', async () => {
  const rest = parseWalk(lines.filter(line => !line.startsWith(`${mib2}.1.`)).join('\n'))
  const { seen, polled } = await adopt(await weak(honest, rest))
  expect(seen.interfaces).toHaveLength(8)
  expect(seen.facts).toMatchObject({ kind: 'switch', mac: '02:00:5e:10:00:01' })
  expect(seen.uptimeSeconds).toBe(9000)
  expect(polled.interfaces).toHaveLength(8)
})
