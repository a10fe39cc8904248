// Letters on their way out: what becomes of each when the server refuses, is away, or the manager ends in between.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { eq } from 'drizzle-orm'
import { mails } from '@/db/schema'
import { limits } from '@/model/limits'
import { mailServer } from '@/model/mail/server'
import { isRefusal } from '@/server/kernel/fail'
import { lastMail } from '@/server/mail/last'
import { type QueuedMail, queueMail } from '@/server/mail/queue'
import { mailReady, publicLink } from '@/server/mail/server'
import { startMail } from '@/server/mail/start'
import { until } from '../../lab/_lab'
import { saveMailServer } from '../_mail-server'
import { type Manager, startTestManager } from '../_manager'
import { decoded, smtpServer } from '../_smtp'

let one: Manager
const closers: (() => Promise<unknown>)[] = []
const start = (data?: string) =>
  startTestManager({ ...(data && { data }), starters: [runtime => startMail(runtime, [50, 50])] })
beforeEach(async () => {
  one = await start()
})
afterEach(async () => {
  await one.stop()
  for (const close of closers.splice(0)) await close()
})

const serve = async (...given: Parameters<typeof smtpServer>) => {
  const server = await smtpServer(...given)
  closers.push(server.close)
  return server
}
const use = (port: number, more = {}) => {
  const settings = { host: '127.0.0.1', port, security: 'none', from: 'nms@example.test', ...more }
  const shape = mailServer.fields.parse({ publicUrl: 'https://nms.example.test:8443/', ...settings })
  saveMailServer(one.runtime, { ...shape, password: 'mail-Secret-1' })
}
const queue = (more: Partial<QueuedMail> = {}) =>
  one.runtime.db.transaction(tx =>
    queueMail(one.runtime, tx, {
      organization: null,
      to: 'ana@example.test',
      locale: 'en',
      template: 'resetPassword',
      values: { account: 'ana', minutes: 60, link: 'https://nms.example.test/login/reset-password#secret-token' },
      ...more,
    }),
  )
const rows = () => one.runtime.db.select().from(mails).all()
const gone = () => until(() => rows().length === 0)

test('sent once, as text and HTML, from the address that is set; the link is in no row in clear', async () => {
  const server = await serve()
  use(server.port, { user: 'nms', fromName: 'Harbour House', replyTo: 'it@example.test' })
  queue()
  expect(JSON.stringify(rows())).not.toContain('secret-token')
  await gone()
  const [letter, ...more] = server.letters
  expect(more).toEqual([])
  expect(letter).toMatchObject({ user: 'nms', from: 'nms@example.test', to: ['ana@example.test'] })
  const text = decoded(letter?.text ?? '')
  for (const part of [
    'From: Harbour House <nms@example.test>',
    'Reply-To: it@example.test',
    'Subject: Set a new password',
  ])
    expect(text).toContain(part)
  expect(text.split('https://nms.example.test/login/reset-password#secret-token')).toHaveLength(4)
  expect(lastMail.read(one.runtime.db).last).toMatchObject({ ok: true })
})

test('a transaction that is taken back takes its letter back', async () => {
  const server = await serve()
  use(server.port)
  const broken = () =>
    one.runtime.db.transaction(tx => {
      queueMail(one.runtime, tx, { organization: null, to: 'a@b.test', locale: null, template: 'test', values: {} })
      throw new Error('no')
    })
  expect(broken).toThrow('no')
  queue()
  await gone()
  expect(server.letters.map(letter => letter.to)).toEqual([['ana@example.test']])
})

test('refused for now: tried again until it is taken, with the same Message-ID', async () => {
  const asked: number[] = []
  const server = await serve({
    letter: n => {
      asked.push(n)
      return n < 3 ? { code: 451, words: 'greylisted' } : undefined
    },
  })
  use(server.port)
  queue()
  const [row] = rows()
  await gone()
  expect(asked).toEqual([1, 2, 3])
  expect(server.letters).toHaveLength(1)
  expect(server.letters[0]?.text).toContain(`Message-ID: <${row?.message}@example.test>`)
})

test('refused for good: given up at once with the reason, and nobody else waits for it', async () => {
  const server = await serve({
    recipient: to => (to.startsWith('nobody') ? { code: 550, words: 'no such mailbox' } : undefined),
  })
  use(server.port)
  queue({ to: 'nobody@example.test' })
  queue()
  await until(() => server.letters.length === 1)
  const [row] = await until(() => rows().length === 1 && rows())
  expect(row).toMatchObject({ state: 'failed', attempts: 1, recipient: 'nobody@example.test' })
  expect(row?.error).toContain('no such mailbox')
})

test('a server that is away is told; all that waited goes when another is set', async () => {
  use(1)
  queue()
  queue({ to: 'ben@example.test' })
  await until(() => rows().every(row => row.error.includes('ECONNREFUSED')))
  expect(lastMail.read(one.runtime.db).last).toMatchObject({ ok: false })
  const server = await serve()
  use(server.port)
  await gone()
  expect(server.letters.map(letter => letter.to[0]).toSorted()).toEqual(['ana@example.test', 'ben@example.test'])
})

test('what is worth nothing any more is not sent', async () => {
  const server = await serve()
  queue({ seconds: -1 })
  queue()
  use(server.port)
  await until(() => server.letters.length === 1)
  expect(await until(() => rows().length === 1 && rows())).toMatchObject([{ state: 'failed', error: 'expired' }])
})

test('what was on its way when the manager ended goes again, and what waited goes', async () => {
  const server = await serve()
  await one.stop()
  const data = mkdtempSync(`${tmpdir()}/lanward-test-`)
  closers.push(async () => rmSync(data, { recursive: true }))
  one = await startTestManager({ data })
  queue()
  queue({ to: 'ben@example.test' })
  const [half] = rows()
  one.runtime.db
    .update(mails)
    .set({ state: 'sending', attempts: 1 })
    .where(eq(mails.id, half?.id ?? 0))
    .run()
  use(server.port)
  await one.stop()
  one = await start(data)
  await gone()
  expect(server.letters.map(letter => letter.to[0]).toSorted()).toEqual(['ana@example.test', 'ben@example.test'])
  expect(server.letters.map(letter => letter.text).join()).toContain(`<${half?.message}@example.test>`)
})

test.each([
  ['a name', 'ana\r\nBcc: evil@example.test'],
  ['turned around', 'ana\u202e\u2028Bcc: evil@example.test'],
  ['markup', '<img src=x onerror=alert(1)>&"\''],
])('%s that stands in a letter adds no header, no recipient, no markup', async (_, account) => {
  const server = await serve()
  use(server.port)
  queue({ values: { account, minutes: 60, link: 'javascript:alert(1)' } })
  await gone()
  const { to, text } = server.letters[0] as { to: string[]; text: string }
  const plain = decoded(text)
  expect(to).toEqual(['ana@example.test'])
  expect(plain).not.toMatch(/^Bcc:/m)
  expect(plain.slice(plain.indexOf('<html'))).not.toMatch(/<img|href="javascript|\u202e/)
})

test('several addresses in one are none: a letter goes to whom it was for', async () => {
  const server = await serve()
  use(server.port)
  queue({ to: 'ana@example.test, evil@example.test' })
  await until(() => rows()[0]?.error)
  expect(server.letters.flatMap(letter => letter.to)).not.toContain('evil@example.test')
})

test('the queue is bounded', () => {
  for (let n = 0; n < limits.mailsWaiting; n++) queue()
  let refused: unknown
  try {
    queue()
  } catch (error) {
    refused = error
  }
  expect(isRefusal(refused) && refused.code).toBe('mailQueueFull')
  expect(rows()).toHaveLength(limits.mailsWaiting)
})

test('links begin with the address that was set, and with nothing else', () => {
  expect(mailServer.fields.shape.publicUrl.safeParse('https://nms.example.test:8443/').data).toBe(
    'https://nms.example.test:8443',
  )
  for (const wrong of ['ftp://x', 'https://x/y', 'https://u:p@x', 'https://x?y', 'javascript:alert(1)', '//x', ''])
    expect([wrong, mailServer.fields.shape.publicUrl.safeParse(wrong).success]).toEqual([wrong, false])
  expect(mailReady(one.runtime)).toBe(false)
  use(1)
  expect(mailReady(one.runtime)).toBe(true)
  expect(publicLink(one.runtime, '/login/x', 'tok')).toBe('https://nms.example.test:8443/login/x#tok')
})
