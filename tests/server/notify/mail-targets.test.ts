// Alerts told by mail to those who look after some networks, or who come in late: by a real mail server.
import { noticeDeliveries, noticeTargets } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { startNotices } from '@/server/notify/targets/start'
import { until } from '../../lab/_lab'
import { saveMailServer } from '../_mail-server'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network } from '../_people'
import { decoded, smtpServer } from '../_smtp'

let manager: Manager
let owner: Browser
let annex = 0
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const patience = { retryMs: [20, 20], limitMs: 2000, gatherMs: 30 }
  manager = await startTestManager({ starters: [runtime => startNotices(runtime, patience)] })
  owner = await finishedWizard(manager)
  annex = network(manager, 'Annex')
})
afterAll(() => manager.stop())
afterEach(async () => {
  manager.runtime.db.delete(noticeTargets).run()
  saveMailServer(manager.runtime, undefined)
  for (const close of closers.splice(0)) await close()
})

async function must(path: string, body: object = {}): Promise<Record<string, unknown>> {
  const { retCode, data } = await owner.post(path, body)
  expect([path, retCode, data]).toEqual([path, 0, data])
  return data
}
async function serve(answers: Parameters<typeof smtpServer>[0] = {}) {
  const server = await smtpServer(answers)
  closers.push(server.close)
  const place = { host: '127.0.0.1', port: server.port, security: 'none', from: 'lanward@example.test', publicUrl: '' }
  saveMailServer(manager.runtime, place as Parameters<typeof saveMailServer>[1])
  return server
}
const fields = { name: 'Annex', enabled: true, service: 'mail', level: '15', to: ['a@example.test', 'b@example.test'] }
const save = async (more: object = {}, networks: number[] | null = [annex]) =>
  (await must('alerts/targets/save', { fields: { ...fields, ...more }, networks })).id as number
const raise = (device: string, on = annex) =>
  raiseAlert(manager.runtime, { type: 'deviceOffline', grade: 'gateway', network: on, values: { device } })
type Last = { error: string; answer: string; state: string } | null
const last = async (id: number) =>
  ((await must('alerts/targets/list')).result as { id: number; last: Last }[]).find(one => one.id === id)?.last

test('one letter to all of it, of the networks chosen alone; the test comes by the same way', async () => {
  const server = await serve()
  expect(await must('alerts/targets/test', { fields, networks: null })).toMatchObject({ error: '', confirmed: true })
  expect(server.letters).toHaveLength(1)
  const id = await save()
  raise('elsewhere', 1)
  raise('sw7')
  await until(async () => (await last(id))?.state === 'done')
  const [, letter, ...others] = server.letters
  expect(others).toEqual([])
  expect(letter?.to).toEqual(['a@example.test', 'b@example.test'])
  const text = decoded(letter?.text ?? '')
  expect(text).toContain('Subject: [Harbour House] sw7 is offline')
  expect(text).toMatch(/UTC {2}Emergency: sw7 is offline \(Annex\)/)
  expect(text).not.toContain('elsewhere')
})

test('a server that is busy is asked again, under the same Message-ID', async () => {
  const server = await serve({ letter: n => (n === 1 ? { code: 451, words: 'come back later' } : undefined) })
  const id = await save()
  raise('sw8')
  await until(async () => (await last(id))?.state === 'done')
  expect(server.letters).toHaveLength(1)
  const delivery = manager.runtime.db.select().from(noticeDeliveries).get()
  expect(delivery?.tries).toBe(2)
  expect(server.letters[0]?.text).toContain(`Message-ID: <${delivery?.message}@example.test>`)
})

test('whom the server refuses is named, and the others do not have it twice', async () => {
  const recipient = (address: string) =>
    address.startsWith('b@') ? { code: 550, words: 'no such mailbox' } : undefined
  const server = await serve({ recipient })
  const id = await save()
  raise('sw9')
  await until(async () => (await last(id))?.state === 'failed')
  expect(await last(id)).toMatchObject({ error: 'someReceivers', answer: 'b@example.test' })
  expect(server.letters.map(one => one.to)).toEqual([['a@example.test']])
})

test('a server that takes nothing: its words, after so many tries', async () => {
  await serve({ letter: () => ({ code: 554, words: 'policy forbids it' }) })
  const id = await save()
  raise('sw10')
  await until(async () => (await last(id))?.state === 'failed')
  expect(await last(id)).toMatchObject({ error: 'mailNotTaken', answer: expect.stringContaining('policy forbids it') })
})

test('without a mail server none is made, and one that is there says so', async () => {
  expect((await owner.post('alerts/targets/save', { fields })).retCode).toBe(codes.mailNotSet)
  await serve()
  const id = await save()
  saveMailServer(manager.runtime, undefined)
  raise('sw11')
  await until(async () => (await last(id))?.state === 'failed')
  expect(await last(id)).toMatchObject({ error: 'mailNotSet' })
})

const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.test`)
test.each<[string, object, object]>([
  ['nobody', { to: [] }, { to: 'required' }],
  ['nobody named', { to: undefined }, { to: 'required' }],
  ['no address', { to: ['a@example.test', 'nobody'] }, { 'to.1': 'emailFormat' }],
  ['A19: an address of 65 characters', { to: [`${'a'.repeat(52)}@example.test`] }, { to: 'receiverLong' }],
  ['too many', { to: many(limits.noticeRecipients + 1) }, { to: 'tooMany' }],
  ['a field of another service', { url: 'https://1.1.1.1/' }, { url: 'notUsed' }],
])('%s is refused at its field, and nothing is made', async (_, more, wrong) => {
  await serve()
  const { retCode, data } = await owner.post('alerts/targets/save', { fields: { ...fields, ...more } })
  expect([codes.invalidInput, codes.emailFormat]).toContain(retCode)
  expect(data.fields).toEqual(wrong)
  expect((await must('alerts/targets/list')).result).toEqual([])
})

test('A19: an address of 64 characters, and as many as may be', async () => {
  await serve()
  await save({ to: [`${'a'.repeat(51)}@example.test`, ...many(limits.noticeRecipients - 1)] })
})
