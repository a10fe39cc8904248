// The mail server's settings, its test, and what a person does with what waits.
import { accounts, changelog } from '@/db/schema'
import { codes } from '@/model/codes'
import { queueMail } from '@/server/mail/queue'
import { startMail } from '@/server/mail/start'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { smtpServer } from '../_smtp'

let one: Manager
let browser: Browser
const closers: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  one = await startTestManager({ starters: [runtime => startMail(runtime, [3_600_000])] })
  browser = await finishedWizard(one)
})
afterEach(async () => {
  await one.stop()
  for (const close of closers.splice(0)) await close()
})

const settings = (port: number, more = {}) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  user: 'nms',
  password: 'mail-Secret-1',
  from: 'nms@example.test',
  publicUrl: 'https://nms.example.test',
  ...more,
})
const save = (port: number, more = {}) => browser.post('system-settings/smtp/save', settings(port, more))
const serve = async (...given: Parameters<typeof smtpServer>) => {
  const server = await smtpServer(...given)
  closers.push(server.close)
  return server
}
const queue = (to: string, organization: number | null = 1) =>
  queueMail(one.runtime, one.runtime.db, { organization, to, locale: 'en', template: 'test', values: {} })
type Row = { id: number; recipient: string; state: string; error: string }
const list = async () => (await browser.post('mail/list')).data as { result: Row[]; total: number }

test('saved sealed, shown without its password, told in the changelog without it', async () => {
  expect((await save(25)).data.server).toMatchObject({ password: { set: true }, port: 25 })
  const { data } = await browser.post('system-settings/smtp')
  const log = JSON.stringify(one.runtime.db.select().from(changelog).all())
  const file = JSON.stringify(one.runtime.sqlite.prepare('SELECT * FROM settings').all())
  for (const place of [JSON.stringify(data), log, file]) expect(place).not.toContain('mail-Secret-1')
  expect(log).toContain('mailServer')
  expect((await browser.post('system-settings/smtp/delete')).retCode).toBe(0)
  expect((await browser.post('system-settings/smtp')).data.server).toBeNull()
  expect((await browser.post('system-settings/smtp/delete')).retCode).toBe(codes.mailNotSet)
})

test('a kept password goes to the server it was given for, in the way and for the user it was, and to no other', async () => {
  await save(25)
  const again = settings(25, { password: { set: true } })
  expect((await browser.post('system-settings/smtp/save', again)).retCode).toBe(0)
  const others = [{ host: 'evil.example.test' }, { user: 'else' }, { port: 26 }, { security: 'tls' }, { verify: false }]
  for (const other of others)
    for (const path of ['system-settings/smtp/save', 'system-settings/test-email']) {
      const to = path.endsWith('email') ? { to: 'a@b.test' } : {}
      const { data } = await browser.post(path, { ...again, ...other, ...to })
      expect(data.fields).toEqual({ password: 'typeAgain' })
    }
})

test('a password is given over https, or from the machine itself', async () => {
  const plain = { 'x-forwarded-proto': 'http' }
  const direct = one.browser('127.0.0.1')
  for (const [from, code] of [
    [browser, codes.secureOnly],
    [direct, 0],
  ] as const) {
    // Over http the cookie has another name.
    from.cookies.set('next-auth.session-token', browser.cookies.get('__Secure-next-auth.session-token') ?? '')
    expect((await from.post('system-settings/smtp/save', settings(25), plain)).retCode).toBe(code)
  }
})

test.each([
  ['host', ''],
  ['host', 'mail server'],
  ['host', 'a;b'],
  ['port', 0],
  ['port', 65_536],
  ['from', 'nms'],
  ['from', 'a@b.test\r\nBcc: c@d.test'],
  ['fromName', 'x\r\nBcc: c@d.test'],
  ['fromName', 'x'.repeat(65)],
  ['replyTo', 'nobody'],
  ['publicUrl', ''],
  ['publicUrl', 'https://nms.example.test/path'],
  ['security', 'ssl'],
])('%s %j is refused at its field', async (field, value) => {
  const { retCode, data } = await save(25, { [field]: value })
  const code = /^(from|replyTo)$/.test(String(field)) ? codes.emailFormat : codes.invalidInput
  expect([retCode, Object.keys(data.fields as object)]).toEqual([code, [field]])
})

test('a test says what the server said, saves nothing; and what went wrong, without the password', async () => {
  const { port, letters } = await serve()
  const test = (more = {}) =>
    browser.post('system-settings/test-email', { ...settings(port), to: 'ana@example.test', ...more })
  const fine = await test()
  expect(fine.data.response).toMatch(/^250 /)
  expect(letters[0]?.text).toContain('This is a test message.')
  expect((await browser.post('system-settings/smtp')).data.server).toBeNull()
  const wrong = await test({ password: 'wrong-Secret-2' })
  expect([wrong.retCode, wrong.data.detail]).toEqual([codes.mailFailed, expect.stringMatching(/no such user/)])
  expect(JSON.stringify(wrong.data)).not.toContain('wrong-Secret-2')
  const dark = await test({ security: 'starttls' })
  expect(dark.data.detail).toMatch(/STARTTLS/)
  expect(letters).toHaveLength(1)
})

test('the queue: what waits is tried now when asked, what was given up too, and dropped', async () => {
  let away = true
  const { port, letters } = await serve({
    recipient: to =>
      away && to.startsWith('ana')
        ? { code: 450, words: 'come again' }
        : to.startsWith('nobody')
          ? { code: 550, words: 'not here' }
          : undefined,
  })
  await save(port)
  for (const name of ['ana', 'nobody']) queue(`${name}@example.test`)
  const { result } = await until(async () => {
    const seen = await list()
    return seen.result.every(row => row.error) && seen
  })
  expect(result.map(({ recipient, state, error }) => [recipient, state, error])).toEqual([
    ['nobody@example.test', 'failed', expect.stringContaining('not here')],
    ['ana@example.test', 'waiting', expect.stringContaining('come again')],
  ])
  away = false
  const ids = result.map(row => row.id)
  expect((await browser.post('mail/retry', { ids: [...ids, 999] })).retCode).toBe(codes.mailNotFound)
  expect((await browser.post('mail/retry', { ids })).retCode).toBe(0)
  await until(() => letters.length === 1)
  const left = await until(async () => {
    const seen = await list()
    return seen.total === 1 && seen.result[0]?.state === 'failed' && seen
  })
  expect((await browser.post('mail/delete', { ids: [left.result[0]?.id] })).data).toEqual({ deleted: 1 })
  expect((await list()).total).toBe(0)
})

test('letters of another organization are not there', async () => {
  one.runtime.sqlite.prepare("INSERT INTO organizations (id, name, created_at) VALUES (7, 'Other', 0)").run()
  queue('theirs@example.test', 7)
  queue('ours@example.test')
  queue('everybody@example.test', null)
  const { result } = await list()
  expect(result.map(row => row.recipient)).toEqual(['everybody@example.test', 'ours@example.test'])
  for (const path of ['mail/retry', 'mail/delete'])
    expect((await browser.post(path, { ids: [1] })).retCode).toBe(codes.mailNotFound)
})

test('the mail server is the super administrator’s alone', async () => {
  one.runtime.db.update(accounts).set({ role: 'platformAdministrator' }).run()
  for (const path of ['system-settings/smtp', 'mail/list'])
    expect((await browser.post(path)).retCode).toBe(codes.noAuthority)
  expect((await save(25)).retCode).toBe(codes.noAuthority)
})
