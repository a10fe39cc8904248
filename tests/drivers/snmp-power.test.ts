// Power over Ethernet of one port, on an agent that takes what is written: off, on, and what it refuses.
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { type Agent, type Entry, parseQuestion, parseWalk, respond, serve, takeSet } from './snmp-agent'

const mib2 = '1.3.6.1.2.1'
const ports = [1, 2, 3]
/** A switch of three ports; the first two give power, which the second one does not now. */
const lines = [
  `${mib2}.1.1.0|4|Acme switch`,
  `${mib2}.1.2.0|6|1.3.6.1.4.1.171.10.1`,
  `${mib2}.1.3.0|67|123456`,
  `${mib2}.1.5.0|4|sw-1`,
  ...ports.flatMap(i => [
    `${mib2}.2.2.1.2.${i}|4|port ${i}`,
    `${mib2}.2.2.1.3.${i}|2|6`,
    `${mib2}.2.2.1.7.${i}|2|1`,
    `${mib2}.2.2.1.8.${i}|2|1`,
    `${mib2}.31.1.1.1.1.${i}|4|port${i}`,
    `${mib2}.31.1.1.1.18.${i}|4|`,
    `${mib2}.17.1.4.1.2.${i}|2|${i}`,
  ]),
  `${mib2}.105.1.1.1.3.1.1|2|1`,
  `${mib2}.105.1.1.1.3.1.2|2|2`,
  `${mib2}.105.1.1.1.6.1.1|2|3`,
  `${mib2}.105.1.1.1.6.1.2|2|1`,
]
const admin = (port: number) => `${mib2}.105.1.1.1.3.1.${port}`

let entries: Entry[]
let agent: Agent
let sets: string[]
/** The agent says that it took a value, and did not. */
let deaf: boolean
let session: Awaited<ReturnType<typeof snmpDriver.connect>>
beforeEach(async () => {
  entries = parseWalk(lines.join('\n'))
  sets = []
  deaf = false
  agent = await serve('127.0.0.1', data => {
    const question = parseQuestion(data)
    if (question.type !== 0xa3) return respond(entries, question)
    sets.push(question.names.map(name => name.join('.')).join(' '))
    return takeSet(deaf ? parseWalk(lines.join('\n')) : entries, data)
  })
  const credential = { type: 'snmp2c', community: 'public', writeCommunity: 'private' } as const
  session = await snmpDriver.connect(
    { address: '127.0.0.1', port: agent.port, credential },
    AbortSignal.timeout(60_000),
  )
})
afterEach(async () => {
  snmpDriver.close(session)
  await agent.close()
})

const power = (port: string, on: boolean) => snmpDriver.actions.power?.(session, port, on)
const enabledAt = (port: number) => entries.find(({ oid }) => oid.join('.') === admin(port))?.value.at(-1)

test('off and on again, each written to that port alone and read back', async () => {
  await power('port1', false)
  expect([enabledAt(1), enabledAt(2)]).toEqual([2, 2])
  await power('port1', true)
  expect([enabledAt(1), enabledAt(2)]).toEqual([1, 2])
  expect(sets).toEqual([admin(1), admin(1)])
})

test('on twice is written once: it may be tried again', async () => {
  await power('port2', true)
  await power('port2', true)
  expect(sets).toEqual([admin(2)])
})

test.each([
  ['a port that is off already', 'port2', 'commandFailed'],
  ['a port without PoE', 'port3', 'unsupported'],
  ['a port that is not there', 'port9', 'unsupported'],
])('%s is not switched off, and nothing is written', async (_, port, reason) => {
  await expect(power(port, false)).rejects.toMatchObject({ reason })
  expect(sets).toEqual([])
})

test('a switch that says yes and does nothing is found out', async () => {
  deaf = true
  await expect(power('port1', false)).rejects.toMatchObject({ reason: 'commandFailed' })
  expect(sets).toEqual([admin(1)])
})
