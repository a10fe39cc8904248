// An SSH key that the manager makes for itself: a real SSH server that knows its public half, and nothing else, lets it in.

import ssh2 from 'ssh2'
import { credentials } from '@/db/schema'
import { startOpenwrt } from '../../drivers/openwrt-server'
import { newKeyPair } from '../../drivers/ssh-server'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess({ pollMs: 3_600_000 })] })
  owner = await finishedWizard(manager)
})
afterAll(() => manager.stop())

/** The server's rule: who signs with the key of this line. */
function authorized(line: string) {
  const known = ssh2.utils.parseKey(line)
  if (known instanceof Error) throw known
  return (asked: ssh2.AuthContext) =>
    asked.method === 'publickey' &&
    asked.key.data.equals(known.getPublicSSH()) &&
    (!asked.signature || known.verify(asked.blob as Buffer, asked.signature) === true)
}

test('a device that has the public half is adopted by it', async () => {
  const { data } = await owner.post('system-settings/ssh', { name: 'Quay key', user: 'root' })
  expect(data.publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+ lanward-Quay-key$/)
  const device = await startOpenwrt({ auth: authorized(String(data.publicKey)) })
  const target = { address: '127.0.0.1', port: device.port, hostKey: device.fingerprint }
  const begun = await owner.post('devices/add', { ...target, credentialId: data.id })
  const items = await until(async () => {
    const answer = await owner.post('devices/adopt/result', { jobId: begun.data.jobId })
    return answer.data.state === 'done' && answer.data.items
  })
  await device.close()
  expect(items).toMatchObject([{ state: 'adopted' }])
  expect(device.attempts).toContain('publickey:signed')
})

test('the private half is in no answer, and stored sealed; the public one is told again', async () => {
  const made = await owner.post('system-settings/ssh', { name: 'Second', user: 'admin' })
  expect(Object.keys(made.data).sort()).toEqual(['id', 'publicKey'])
  const { data } = await owner.post('credentials/list')
  expect(data.result).toContainEqual(
    expect.objectContaining({ name: 'Second', login: { type: 'ssh', user: 'admin', privateKey: { set: true } } }),
  )
  const stored = manager.runtime.db.select().from(credentials).all()
  expect(JSON.stringify([made.data, data, stored])).not.toContain('PRIVATE KEY')
  const again = await owner.post('credentials/public-key/get', { id: made.data.id })
  expect(again.data.publicKey).toBe(made.data.publicKey)
})

test('a key that a person brought has its public half told, too; a password has none', async () => {
  const pair = newKeyPair('theirs')
  const save = (name: string, credential: object) => owner.post('credentials/save', { name, credential })
  const key = await save('Brought', { type: 'ssh', user: 'root', privateKey: pair.private })
  const word = await save('Word', { type: 'ssh', user: 'root', password: 'x' })
  const told = await owner.post('credentials/public-key/get', { id: key.data.id })
  expect(String(told.data.publicKey).split(' ').slice(0, 2)).toEqual(pair.public.split(' ').slice(0, 2))
  expect((await owner.post('credentials/public-key/get', { id: word.data.id })).data.fields).toEqual({
    id: 'notAllowed',
  })
})

test.each([
  ['a name that is taken', { name: 'Quay key', user: 'root' }, { name: 'nameExists' }],
  ['no name', { name: ' ', user: 'root' }, { name: 'required' }],
  ['no user', { name: 'Third', user: '' }, { user: 'required' }],
])('%s is refused at its field, and nothing is stored', async (_, input, fields) => {
  const before = manager.runtime.db.select().from(credentials).all().length
  expect((await owner.post('system-settings/ssh', input)).data.fields).toEqual(fields)
  expect(manager.runtime.db.select().from(credentials).all()).toHaveLength(before)
})
