// Several logins for one device, in turn: real SSH servers and SNMP agents on the loopback, which write down what they are
// told. How often a device may refuse before no more is tried stands in tryLimits.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { credentials, devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { countRefusal, mayTry, tryLimits } from '@/server/devices/adoption/login-tries'
import type { Credential } from '@/server/drivers/driver'
import { startOpenwrt } from '../../drivers/openwrt-server'
import { parseWalk, startAgent } from '../../drivers/snmp-agent'
import { newKeyPair, type Options, startSshServer } from '../../drivers/ssh-server'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person, role } from '../_people'

let one: Manager
let owner: Browser
const ends: (() => unknown)[] = []
beforeEach(async () => {
  one = await startTestManager({ starters: [fleetInProcess({ pollMs: 3_600_000 })] })
  owner = await finishedWizard(one)
})
afterEach(async () => {
  await one.stop()
  for (const end of ends.splice(0)) await end()
})

const key = newKeyPair().private
const password = (text: string): Credential => ({ type: 'ssh', user: 'root', password: text })
const byKey: Credential = { type: 'ssh', user: 'root', privateKey: key }
const community = (text: string): Credential => ({ type: 'snmp2c', community: text })
const here = { organization: 1, network: 1 }
const store = (credential: Credential, name: string) => insertCredential(one.runtime, here, credential, name)

async function ssh(options: Options = {}) {
  const server = await startSshServer({ offers: ['publickey', 'password', 'keyboard-interactive'], ...options })
  ends.push(server.close)
  return server
}

type Try = { name: string; type: string; tried: boolean; failure?: { reason: string; step: string } }
type Item = {
  state: string
  name?: string
  deviceId?: number
  failure?: { reason: string; step: string; hostKey?: string }
  tries?: Try[]
}
async function settled(jobId: unknown, by = owner): Promise<Item[]> {
  return until(async () => {
    const { data } = await by.post('devices/adopt/result', { jobId })
    return data.state !== 'running' && (data.items as Item[])
  })
}
async function adopt(device: object, logins: object[]): Promise<Item> {
  const { data } = await owner.post('devices/adopt', { devices: [{ address: '127.0.0.1', ...device }], logins })
  const [item] = await settled(data.jobId)
  return item as Item
}
const each = (...all: Credential[]) => all.map(credential => ({ credential }))
const reasons = (item: Item) => item.tries?.map(one => one.failure?.reason ?? 'worked')

test.each([
  [',', 'Kite;7-Harbor'],
  [';', 'Kite,7-Harbor'],
])('a file divided by %j: the whole password is tried, and the name is whole', async (delimiter, secret) => {
  const server = await ssh()
  const name = `Hall 2${delimiter === ',' ? ';' : ','} north`
  const lines = [
    ['address', 'name', 'port', 'protocol', 'user', 'password'],
    ['127.0.0.1', name, server.port, 'ssh', 'root', secret],
  ]
  const file = lines.map(line => line.join(delimiter)).join('\n')
  const { data } = await owner.post('devices/import', { file, trustHostKeys: true })
  const [item] = await settled(data.jobId)
  expect(item).toMatchObject({ state: 'failed', failure: { reason: 'credentials' } })
  expect(server.attempts).toContain(`password:${secret}`)
})

test('the first that the device takes is its login; what came before says why it did not work', async () => {
  const router = await startOpenwrt({ auth: context => context.method === 'publickey' })
  ends.push(router.close)
  const stored = store(byKey, 'House key')
  const item = await adopt({ port: router.port, hostKey: router.fingerprint }, [
    { credential: password('wrong') },
    { credentialId: stored },
    { credential: password('never sent') },
  ])
  expect(item).toMatchObject({ state: 'adopted', name: 'OpenWrt' })
  expect(item.tries).toEqual([
    { name: 'SSH root', type: 'ssh', tried: true, failure: expect.objectContaining({ reason: 'credentials' }) },
    { name: 'House key', type: 'ssh', tried: true },
  ])
  expect(router.attempts.filter(text => text.startsWith('password'))).toEqual(['password:wrong'])
  const row = one.runtime.db.select().from(devices).get()
  expect(row).toMatchObject({ id: item.deviceId, credential: stored })
  // Logins that did not work are kept by nobody.
  expect(one.runtime.db.select().from(credentials).all()).toHaveLength(1)
})

test('SNMP after SSH, each at its own port: one round over both', async () => {
  const agent = await startAgent(parseWalk('1.3.6.1.2.1.1.1.0|4|Switch\n1.3.6.1.2.1.1.5.0|4|sw-hall'), {
    community: 'house',
  })
  ends.push(agent.close)
  const item = await adopt({ port: agent.port }, each(community('public'), password('x'), community('house')))
  expect(item).toMatchObject({ state: 'adopted', name: 'sw-hall' })
  // Nothing listens on port 22 of the loopback, or somebody whose key nobody accepted: no password went there.
  expect(reasons(item)?.[0]).toBe('timeout')
  expect(['refused', 'hostKeyUnknown']).toContain(reasons(item)?.[1])
  expect(reasons(item)?.[2]).toBe('worked')
})

test('no third password is tried in turn, and each one is sent once; a key still is', async () => {
  const server = await ssh()
  const device = { port: server.port, hostKey: server.fingerprint }
  const item = await adopt(device, each(password('a'), password('b'), password('c'), byKey))
  expect(reasons(item)).toEqual(['credentials', 'credentials', 'lockOut', 'credentials'])
  expect(item.tries?.map(one => one.tried)).toEqual([true, true, false, true])
  expect(item).toMatchObject({ state: 'failed', failure: { step: 'login', reason: 'credentials' } })
  expect(server.attempts.filter(text => /^(password|keyboard)/.test(text))).toEqual(['password:a', 'password:b'])
  // Another round soon after sends none at all; one login alone is what a person means.
  const again = await adopt(device, each(password('d'), password('e')))
  expect(reasons(again)).toEqual(['lockOut', 'lockOut'])
  expect(again.failure?.reason).toBe('lockOut')
  await adopt(device, each(password('alone')))
  expect(server.attempts.filter(text => text.startsWith('password'))).toEqual([
    'password:a',
    'password:b',
    'password:alone',
  ])
})

test('a host key that nobody accepted: no login is sent over SSH, and it is what is told', async () => {
  const server = await ssh()
  const item = await adopt({ port: server.port }, each(password('a'), byKey))
  expect(item.failure).toMatchObject({ step: 'hostKey', reason: 'hostKeyUnknown', hostKey: server.fingerprint })
  expect(item.tries?.map(one => one.tried)).toEqual([true, false])
  expect(server.attempts).toEqual([])
})

test('a device that closes the door is asked no second time', async () => {
  let connections = 0
  const closing: Server = createServer(socket => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(closing, 'listening')
  ends.push(() => closing.close())
  const { port } = closing.address() as AddressInfo
  const item = await adopt({ port }, each(password('a'), password('b'), byKey))
  expect(reasons(item)).toEqual(['closed', 'closed', 'closed'])
  expect(item.tries?.map(one => one.tried)).toEqual([true, false, false])
  expect(connections).toBe(1)
})

test('an adoption that is cancelled ends at once; what waits has failed as cancelled', async () => {
  // Each hears the question and says nothing, so that none has failed by itself when it is cancelled.
  const targets = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const address = `127.0.0.${n + 1}`
      const mute = createSocket('udp4').bind(0, address)
      await once(mute, 'listening')
      ends.push(() => mute.close())
      return { address, port: mute.address().port }
    }),
  )
  const { data } = await owner.post('devices/adopt', { devices: targets, credential: community('x') })
  const other = await person(one, { role: role(one, 'Hands', ['devices', 'devices_edit']), networks: [] })
  expect((await other.post('devices/adopt/cancel', { jobId: data.jobId })).retCode).not.toBe(0)
  const began = Date.now()
  expect((await owner.post('devices/adopt/cancel', { jobId: data.jobId })).retCode).toBe(0)
  const items = await settled(data.jobId)
  expect(Date.now() - began).toBeLessThan(5_000)
  expect(new Set(items.map(item => item.state))).toEqual(new Set(['failed']))
  expect(items.at(-1)?.failure).toMatchObject({ reason: 'cancelled' })
  expect((await owner.post('devices/adopt/result', { jobId: data.jobId })).data.state).toBe('cancelled')
})

test('stored logins come in the order that people set, new ones after them', async () => {
  const [a, b] = [store(password('a'), 'A'), store(community('b'), 'B')]
  const names = async () => (await owner.post('credentials/list')).data.result as { name: string }[]
  expect((await names()).map(({ name }) => name)).toEqual(['A', 'B'])
  expect((await owner.post('credentials/order', { ids: [b, a] })).retCode).toBe(0)
  store(byKey, 'C')
  expect((await names()).map(({ name }) => name)).toEqual(['B', 'A', 'C'])
  for (const ids of [[b], [b, a, a], [b, a, 999]])
    expect((await owner.post('credentials/order', { ids })).retCode).toBe(codes.credentialNotFound)
})

test('in a file several stored ones stand in turn, and lines without any have those of the whole file', async () => {
  store(password('a'), 'Core')
  store(byKey, 'Edge')
  const check = async (file: string, more = {}) =>
    (await owner.post('devices/import', { file, check: true, ...more })).data
  expect(await check('address,credential\n10.0.0.1,Core|Edge\n10.0.0.2,Edge\n')).toMatchObject({ rows: 2, errors: [] })
  expect((await check('address,credential\n10.0.0.1,Core|Nobody\n')).errors).toMatchObject([
    { row: 2, field: 'credential', problem: 'notFound' },
  ])
  const server = await ssh()
  const file = `address,port,hostKey\n127.0.0.1,${server.port},${server.fingerprint}\n`
  const { data } = await owner.post('devices/import', { file, logins: each(password('one'), byKey) })
  const [item] = await settled(data.jobId)
  expect(item?.tries?.map(({ name }) => name)).toEqual(['SSH root', 'SSH root'])
  expect(server.attempts).toContain('password:one')
})

test('who may not bring a stored login anywhere has it refused at its place', async () => {
  const server = await ssh()
  const hands = await person(one, { role: role(one, 'Hands', ['devices', 'devices_edit']), networks: [1] })
  await hands.post('networks/switch', { networkId: 1 })
  const logins = [{ credential: password('mine') }, { credentialId: store(password('house'), 'House') }]
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint }
  const { data } = await hands.post('devices/adopt', { devices: [target], logins })
  expect(data.fields).toEqual({ 'logins.1.credentialId': 'loginNotYours' })
  const own = await hands.post('devices/adopt', { devices: [{ ...target, logins }] })
  expect(own.data.fields).toEqual({ 'devices.0.logins.1.credentialId': 'loginNotYours' })
  expect(server.attempts).toEqual([])
})

test('refusals are forgotten after their time, and counted by device and sort', () => {
  const { runtime } = one
  const place = '10.0.0.1:22'
  const may = (credential: Credential, now: number, at = place) => mayTry(runtime, at, credential, now)
  for (let n = 0; n < tryLimits.passwords; n++) {
    expect(may(password('x'), n)).toBe(true)
    countRefusal(runtime, place, password('x'), n)
  }
  expect(may(password('x'), 5)).toBe(false)
  expect(may(password('x'), 5, '10.0.0.2:22')).toBe(true)
  expect(may(byKey, 5)).toBe(true)
  for (let n = tryLimits.passwords; n < tryLimits.ssh; n++) countRefusal(runtime, place, byKey, n)
  expect(may(byKey, 5)).toBe(false)
  expect(may(community('x'), 5)).toBe(true)
  const later = tryLimits.minutes * 60_000 + 5
  expect(may(password('x'), later)).toBe(true)
})
