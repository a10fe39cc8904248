// Stored logins that a device would be told go to new places by those alone who hold the right over logins. The devices
// are real SSH servers, and somebody else's: they write down what they are told.

import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { discloses, newTarget } from '@/server/devices/adoption/credential-disclosure'
import type { Credential } from '@/server/drivers/driver'
import { newKeyPair, type SshServer, startSshServer } from '../../drivers/ssh-server'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { organization, person, role, sharedNetwork } from '../_people'

const password: Credential = { type: 'ssh', user: 'root', password: 'the-house-password' }
const key: Credential = { type: 'ssh', user: 'root', privateKey: newKeyPair().private }
const community: Credential = { type: 'snmp2c', community: 'the-house-community' }
const user3: Credential = { type: 'snmp3', user: 'reader', level: 'noAuthNoPriv' }

test.each<[string, Credential, boolean]>([
  ['a password', password, true],
  ['a password beside a key, which the device may refuse', { ...key, ...password } as Credential, true],
  ['a key', key, false],
  ['no password at all', { type: 'ssh', user: 'root' }, false],
  ['a community of v1', { type: 'snmp1', community: 'x' }, true],
  ['a community of v2c', community, true],
  ['SNMPv3', user3, false],
])('is told to the device: %s', (_, credential, told) => expect(discloses(credential)).toBe(told))

const place = { address: '10.0.0.9', port: 22, hostKey: 'SHA256:a', credential: 1 }
test.each([
  ['another login', password, { credential: 2 }, 'credentialId'],
  ['another host key', password, { hostKey: 'SHA256:b' }, 'hostKey'],
  ['another address behind the same host key', password, { address: '10.0.0.10', port: 23 }, undefined],
  ['another address without one', community, { address: '10.0.0.10' }, 'address'],
  ['another port without one', community, { port: 1161 }, 'port'],
  ['nothing else', community, {}, undefined],
])('a new place: %s', (_, login, change, field) =>
  expect(newTarget(place, { ...place, ...change }, login)).toEqual(field ? { [field]: 'loginNotYours' } : {}),
)

describe('who edits devices, and no logins', () => {
  let manager: Manager
  let owner: Browser
  let hands: Browser
  let trap: SshServer
  const here = { organization: 1, network: 1 }
  const store = (credential: Credential, name: string, network = 1) =>
    insertCredential(manager.runtime, { ...here, network }, credential, name)
  beforeAll(async () => {
    manager = await startTestManager({ starters: [fleetInProcess({ pollMs: 3_600_000 })] })
    owner = await finishedWizard(manager)
    hands = await person(manager, { role: role(manager, 'Hands', ['devices', 'devices_edit']), networks: [1] })
    await hands.post('networks/switch', { networkId: 1 })
    trap = await startSshServer({ offers: ['publickey', 'password'] })
  })
  afterAll(async () => {
    await manager.stop()
    await trap.close()
  })
  const target = () => ({ address: '127.0.0.1', port: trap.port, hostKey: trap.fingerprint })
  const tried = async (by: Browser, jobId: unknown) =>
    until(async () => (await by.post('devices/adopt/result', { jobId })).data.state === 'done')

  test('have a stored password sent nowhere: one by one, together, from a file', async () => {
    const credentialId = store(password, 'House')
    const one = await hands.post('devices/add', { ...target(), credentialId })
    const each = await hands.post('devices/adopt', { devices: [{ ...target(), credentialId }] })
    const all = await hands.post('devices/adopt', { devices: [target()], credentialId })
    expect([one, each, all].map(({ status, data }) => [status, data.fields])).toEqual([
      [200, { credential: 'loginNotYours' }],
      [200, { 'devices.0.credentialId': 'loginNotYours' }],
      [200, { credential: 'loginNotYours' }],
    ])
    const file = `address,port,credential,hostKey\n127.0.0.1,${trap.port},House,${trap.fingerprint}\n`
    const { data } = await hands.post('devices/import', { file })
    expect(data).toMatchObject({ errors: [{ row: 2, field: 'credential', problem: 'loginNotYours' }], jobId: '' })
    expect(trap.attempts).toEqual([])
  })

  test('have a key tried, and a login of their own; who holds the right over logins has the stored one tried', async () => {
    const byKey = await hands.post('devices/add', { ...target(), credentialId: store(key, 'Key') })
    await tried(hands, byKey.data.jobId)
    expect(trap.attempts.filter(one => one.startsWith('password'))).toEqual([])
    expect(trap.attempts).toContain('publickey')
    const own = await hands.post('devices/add', { ...target(), credential: { ...password, password: 'of-mine' } })
    await tried(hands, own.data.jobId)
    const theirs = await owner.post('devices/add', { ...target(), credentialId: store(password, 'Again') })
    await tried(owner, theirs.data.jobId)
    expect(trap.attempts.filter(one => one.startsWith('password'))).toEqual([
      'password:of-mine',
      'password:the-house-password',
    ])
  })

  test('do not lead a device that uses one elsewhere, nor give it to another; the rest of a device is theirs', async () => {
    const [used, other] = [store(password, 'Used'), store(password, 'Other')]
    const base = { ...here, name: 'Core', kind: 'switch', status: 1, statusAt: 1, createdAt: 1 } as const
    const insert = (row: object) =>
      manager.runtime.db
        .insert(devices)
        .values({ ...base, address: '127.9.0.1', port: 22, driver: 'linux', ...row })
        .returning()
        .get()
    const core = insert({ credential: used, hostKey: `SHA256:${'a'.repeat(43)}` })
    const plain = insert({ address: '127.9.0.2', port: 161, driver: 'snmp', credential: store(community, 'Plain') })
    const refused = async (id: number, change: object) =>
      (await hands.post('devices/config/save', { id, ...change })).data.fields
    expect(await refused(core.id, { hostKey: trap.fingerprint })).toEqual({ hostKey: 'loginNotYours' })
    expect(await refused(core.id, { credentialId: other })).toEqual({ credentialId: 'loginNotYours' })
    expect(await refused(plain.id, { address: '127.0.0.1' })).toEqual({ address: 'loginNotYours' })
    expect(await refused(plain.id, { port: trap.port })).toEqual({ port: 'loginNotYours' })
    expect(await refused(core.id, { name: 'Core 1', address: '127.9.0.3', port: 2222 })).toBeUndefined()
    const rows = manager.runtime.db.select().from(devices).where(eq(devices.network, 1)).all()
    expect(rows.find(row => row.id === core.id)).toMatchObject({
      address: '127.9.0.3',
      credential: used,
      name: 'Core 1',
    })
    expect(rows.find(row => row.id === plain.id)).toMatchObject({ address: '127.9.0.2', port: 161 })
    const { data } = await owner.post('devices/config/save', { id: plain.id, address: '127.9.0.4' })
    expect(data).toEqual({ id: plain.id })
  })

  test('of another company, in a network that is shared to be managed: not even its super administrator', async () => {
    const elsewhere = organization(manager, 'Elsewhere')
    const shared = sharedNetwork(manager, 'Lent', 1, elsewhere, 'manage')
    const guest = await person(manager, { role: 'superAdministrator', organization: elsewhere })
    const credentialId = store(password, 'Lent house', shared)
    const before = trap.attempts.length
    const { data } = await guest.post('devices/add', { ...target(), credentialId, networkId: shared })
    expect(data.fields).toEqual({ credential: 'loginNotYours' })
    const list = await guest.post('credentials/list', { networkId: shared })
    expect(list.data.result).toMatchObject([{ name: 'Lent house', mayBring: false }])
    const rotated = { id: credentialId, credential: password, networkId: shared }
    expect((await guest.post('credentials/rotate', rotated)).retCode).toBe(codes.notInShared)
    expect(trap.attempts).toHaveLength(before)
  })
})
