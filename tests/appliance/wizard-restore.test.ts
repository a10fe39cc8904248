// A machine is gone: the setup of another one takes its place from a backup.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { codes } from '@/model/codes'
import { clientOf } from '../soak/client'
import { ask, type Manager, removeFolder, startManager } from './_manager'

const owner = { account: 'quay1', password: 'Tr0ub4dor&3x' }
const digest = createHash('sha256').update(owner.password.normalize('NFKC')).digest('hex')
const phrase = 'correct horse battery'

let former: Manager
let fresh: Manager
let wizard: ReturnType<typeof clientOf>
const archives: Record<'portable' | 'bound', Buffer> = { portable: Buffer.alloc(0), bound: Buffer.alloc(0) }

async function setUp(): Promise<void> {
  const client = clientOf(former.http)
  await client.must('wizard/unlock', { code: readFileSync(`${former.data}/setup-code`, 'utf8').trim() })
  const place = { step: 'general', name: 'Old quay', country: 'PT', timezone: 'Europe/Lisbon', language: 'en' }
  await client.must('wizard/general', place)
  await client.must('wizard/account', { step: 'account', ...owner, repeat: owner.password })
  await client.must('wizard/finish')
  const fetched = async (input: object) => {
    const { name } = await client.must('backups/create', input)
    return readFileSync(`${former.data}/backups/${name}`)
  }
  archives.portable = await fetched({ passphrase: phrase })
  expect(await client.must('backups/list')).toMatchObject({ lastProven: { portable: true } })
  archives.bound = await fetched({})
  expect(await client.must('backups/list')).toMatchObject({ lastProven: { portable: false } })
}

beforeAll(async () => {
  former = await startManager({ data: mkdtempSync(`${tmpdir()}/lanward-former-`) })
  await setUp()
  await former.stop()
  fresh = await startManager({ data: mkdtempSync(`${tmpdir()}/lanward-fresh-`) })
  wizard = clientOf(fresh.http)
})
afterAll(async () => {
  await fresh.stop()
  for (const one of [former, fresh]) removeFolder(one.data)
})

async function upload(body: Buffer, cookie = wizard.cookieLine()) {
  const headers = { 'content-type': 'application/octet-stream', 'x-requested-with': 'XMLHttpRequest', cookie }
  const reply = await ask(`${fresh.http}/app/wizard/restore/upload`, { method: 'POST', headers, body })
  return JSON.parse(reply.body) as { retCode: number; data: Record<string, unknown> }
}

test('nobody brings a file who did not enter the setup', async () => {
  expect((await upload(archives.portable, '')).retCode).toBe(codes.setupCodeWrong)
  await wizard.must('wizard/unlock', { code: readFileSync(`${fresh.data}/setup-code`, 'utf8').trim() })
})

test('what is no backup is refused at once; one without a key is told to be of no use here', async () => {
  expect((await upload(Buffer.from('no archive'))).retCode).toBe(codes.backupForeign)
  const { retCode, data } = await upload(archives.bound)
  expect([retCode, data]).toEqual([0, expect.objectContaining({ manager: 'Old quay', passphrase: false, ours: false })])
  await expect(wizard.must('wizard/restore', { name: data.name })).rejects.toThrow(String(codes.backupForeign))
})

test('with its passphrase everything is as it was, and its people sign in', async () => {
  const { data } = await upload(archives.portable)
  expect(data).toMatchObject({ manager: 'Old quay', passphrase: true, ours: false, createdAt: expect.any(Number) })
  const wrong = wizard.must('wizard/restore', { name: data.name, passphrase: 'another phrase' })
  await expect(wrong).rejects.toThrow(String(codes.backupPassphrase))
  expect(await wizard.must('wizard/initial-info')).toMatchObject({ finished: false })
  await wizard.must('wizard/restore', { name: data.name, passphrase: phrase })
  expect(await fresh.ended).toBe(75)
  fresh = await startManager({ data: fresh.data })
  const person = clientOf(fresh.http)
  await person.must('login', { userName: owner.account, userPwd: digest })
  expect(await person.must('networks/list')).toMatchObject({ result: [{ networkName: 'Old quay' }] })
  const late = clientOf(fresh.http)
  late.take(wizard)
  await expect(late.must('wizard/restore', { name: data.name })).rejects.toThrow(String(codes.wizardClosed))
})
