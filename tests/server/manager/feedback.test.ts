// Feedback: by mail to a real server, or kept on the manager; one attachment, sent ahead (rule P12).
import { readdirSync } from 'node:fs'
import { changelog } from '@/db/schema'
import { codes } from '@/model/codes'
import { attachmentBytes } from '@/model/feedback'
import { limits } from '@/model/limits'
import { startMail } from '@/server/mail/start'
import { deliverKept, startFeedback } from '@/server/manager/feedback/deliver'
import { dropStaged } from '@/server/manager/feedback/store'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person } from '../_people'
import { decoded, smtpServer } from '../_smtp'

let one: Manager
let owner: Browser
const closers: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  one = await startTestManager({ starters: [runtime => startMail(runtime), startFeedback] })
  owner = await finishedWizard(one)
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
const setServer = (port: number) =>
  owner.post('system-settings/smtp/save', {
    ...{ host: '127.0.0.1', port, security: 'none', user: 'nms', password: 'mail-Secret-1' },
    ...{ from: 'nms@example.test', publicUrl: 'https://nms.example.test' },
  })
const png = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\x1a\n'), Buffer.from('picture')])
const attach = async (browser: Browser, name: string, bytes: Uint8Array) => {
  const path = `feedback/attach?${new URLSearchParams({ name })}`
  const reply = await browser.raw(path, { method: 'POST', body: new Uint8Array(bytes) })
  return (await reply.json()) as {
    retCode: number
    data: { id: string; name: string; fields?: Record<string, string> }
  }
}
const problem = { kind: 'problem', text: 'The lamp is out.\n\n=2+5 <b>bold</b>\u202e\nthird line' }
const files = () => readdirSync(`${one.runtime.generation}/files`)
type Kept = { id: string; text: string; error: string; attachment?: { name: string } }
const list = async () => (await owner.post('feedback/list')).data as { result: Kept[]; total: number; address: string }

test('by mail: its lines as they were written, its attachment, and answers to who wrote it', async () => {
  const { port, letters } = await serve()
  await setServer(port)
  expect((await owner.post('feedback/info')).data).toMatchObject({ to: '', why: 'noAddress' })
  expect((await owner.post('feedback/save', { address: 'help@example.test' })).retCode).toBe(0)
  const rita = await person(one, { role: 'guestEditor' })
  expect((await rita.post('feedback/info')).data).toEqual({ to: 'help@example.test', why: null, reply: '' })
  const { data } = await attach(rita, '../the lamp\u202e.png', png)
  expect(data.name).toBe('the lamp.png')
  const sent = await rita.post('feedback/send', { ...problem, reply: 'rita@example.test', attachment: data.id })
  expect(sent.data).toEqual({ state: 'sent', to: 'help@example.test' })
  const [letter] = letters
  expect([letter?.from, letter?.to]).toEqual(['nms@example.test', ['help@example.test']])
  const text = decoded(letter?.text ?? '')
  expect(text).toMatch(/^Reply-To: rita@example\.test$/m)
  expect(text).toMatch(/^Subject: Problem: The lamp is out\.$/m)
  expect(text).toContain('The lamp is out.\n\n=2+5 <b>bold</b>\nthird line'.replaceAll('\n', '\r\n'))
  expect(text).toContain('=2+5 &lt;b&gt;bold&lt;/b&gt;')
  expect(text).toContain(`${rita.account.account} (${rita.account.account}) writes:`)
  expect(text).toContain('filename="the lamp.png"')
  expect(letter?.text.replaceAll('\r\n', '')).toContain(png.toString('base64'))
  expect(files()).toEqual([])
  expect(JSON.stringify(one.runtime.db.select().from(changelog).all())).not.toContain('The lamp')
})

test('kept without a server or an address, given as a letter to who may see it, sent when both are there', async () => {
  const rita = await person(one, { role: 'guestEditor' })
  const { data } = await attach(rita, 'plan.png', png)
  const kept = await rita.post('feedback/send', { ...problem, attachment: data.id })
  expect(kept.data).toEqual({ state: 'kept', why: 'noAddress', detail: '' })
  const { result } = await list()
  expect(result.map(({ text, attachment }) => [text, attachment?.name])).toEqual([[problem.text, 'plan.png']])
  const [{ id }] = result as [Kept]
  expect((await rita.post('feedback/list')).retCode).toBe(codes.noAuthority)
  const refused = await rita.raw(`feedback/download?id=${id}`, { method: 'GET' })
  expect(await refused.json()).toMatchObject({ retCode: codes.noAuthority })
  const reply = await owner.raw(`feedback/download?id=${id}`, { method: 'GET' })
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="feedback-[\d-]+-[0-9a-f]{8}\.eml"$/)
  const letter = await reply.text()
  expect(decoded(letter)).toContain('third line')
  expect(letter.replace(/\r?\n/g, '')).toContain(png.toString('base64'))
  await owner.post('feedback/save', { address: 'help@example.test' })
  expect((await rita.post('feedback/info')).data.why).toBe('noServer')
  const { port, letters } = await serve()
  await setServer(port)
  await deliverKept(one.runtime)
  expect(letters.map(each => each.to)).toEqual([['help@example.test']])
  expect([(await list()).total, files()]).toEqual([0, []])
})

test('what the server does not take stays with the reason, and goes once when it does', async () => {
  let away = true
  const { port, letters } = await serve({ letter: () => (away ? { code: 452, words: 'no room' } : undefined) })
  await setServer(port)
  await owner.post('feedback/save', { address: 'help@example.test' })
  const first = await owner.post('feedback/send', problem)
  expect(first.data).toMatchObject({ state: 'kept', why: 'failed', detail: expect.stringContaining('no room') })
  expect((await list()).result[0]?.error).toContain('no room')
  away = false
  await Promise.all([deliverKept(one.runtime), deliverKept(one.runtime)])
  expect([letters.length, (await list()).total]).toEqual([1, 0])
})

test('another address is tried at once', async () => {
  const { port, letters } = await serve()
  await setServer(port)
  await owner.post('feedback/send', problem)
  await owner.post('feedback/save', { address: 'help@example.test' })
  await until(async () => letters.length === 1 && (await list()).total === 0)
})

test('P12: a file is refused at its field and nothing of it stays; another takes the place of one', async () => {
  for (const [name, bytes, wrong] of [
    ['x.exe', png, 'attachmentType'],
    ['x.jpg', png, 'attachmentContent'],
    ['x.png', Buffer.alloc(0), 'attachmentEmpty'],
    ['x.txt', Buffer.alloc(attachmentBytes + 1, 'x'), 'attachmentTooLarge'],
  ] as const) {
    const { retCode, data } = await attach(owner, name, bytes)
    expect([name, retCode, data.fields]).toEqual([name, codes.invalidInput, { attachment: wrong }])
  }
  expect(files()).toEqual([])
  expect((await attach(owner, '', png)).data.fields).toEqual({ name: 'required' })
  const most = await attach(owner, 'x.txt', Buffer.alloc(attachmentBytes, 'x'))
  expect(most.retCode).toBe(0)
  const newer = await attach(owner, 'x.png', png)
  expect(files()).toHaveLength(1)
  const send = (attachment: string) => owner.post('feedback/send', { ...problem, attachment })
  expect((await send(most.data.id)).data.fields).toEqual({ attachment: 'attachmentGone' })
  const other = await person(one, { role: 'platformAdministrator' })
  expect((await other.post('feedback/send', { ...problem, attachment: newer.data.id })).data.fields).toEqual({
    attachment: 'attachmentGone',
  })
  expect((await list()).total).toBe(0)
  expect((await owner.post('feedback/detach')).retCode).toBe(0)
  expect([(await send(newer.data.id)).data.fields, files()]).toEqual([{ attachment: 'attachmentGone' }, []])
})

test('P12: of a file that tells no size no more is read than may be', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      read += piece.length
      stream.enqueue(piece)
      if (read > 4 * attachmentBytes) stream.close()
    },
  })
  const sent = { method: 'POST', body, duplex: 'half' } as RequestInit
  const reply = (await (await owner.raw('feedback/attach?name=x.txt', sent)).json()) as { data: object }
  expect(reply.data).toEqual({ fields: { attachment: 'attachmentTooLarge' } })
  expect(read).toBeLessThan(attachmentBytes + 4 * piece.length)
  expect(files()).toEqual([])
})

test('a file whose feedback never comes is thrown away', async () => {
  await attach(owner, 'x.png', png)
  dropStaged(one.runtime, Date.now() - 60_000)
  expect(files()).toHaveLength(1)
  dropStaged(one.runtime, Date.now() + 60_000)
  await new Promise(setImmediate)
  expect(files()).toEqual([])
})

test.each([
  ['no text', 'text', { text: '' }],
  ['blanks', 'text', { text: '   \n ' }],
  ['a text that is too long', 'text', { text: 'x'.repeat(limits.feedbackCharacters + 1) }],
  ['a control character', 'text', { text: 'a\u0000b' }],
  ['an unknown kind', 'kind', { kind: 'praise' }],
  ['no address', 'reply', { reply: 'rita' }],
  ['a header in the address', 'reply', { reply: 'a@b.test\r\nBcc: c@d.test' }],
  ['a path for an attachment', 'attachment', { attachment: '../../etc/passwd' }],
])('%s is refused at its field: %s', async (_, field, wrong) => {
  const { retCode, data } = await owner.post('feedback/send', { ...problem, ...wrong })
  const code = field === 'reply' ? codes.emailFormat : codes.invalidInput
  expect([retCode, Object.keys(data.fields as object)]).toEqual([code, [field]])
  expect((await list()).total).toBe(0)
})

test('as many an hour as a person writes, as much as there is room; deleted it is gone', async () => {
  const rita = await person(one, { role: 'guestEditor' })
  for (let n = 0; n < limits.feedbackPerHour; n++)
    expect((await rita.post('feedback/send', problem)).data.state).toBe('kept')
  expect((await rita.post('feedback/send', problem)).retCode).toBe(codes.rateLimited)
  let written = limits.feedbackPerHour
  while (written < limits.feedbackKept) {
    const next = await person(one, { role: 'guestEditor' })
    for (let n = 0; n < limits.feedbackPerHour && written < limits.feedbackKept; n++, written++)
      expect((await next.post('feedback/send', problem)).retCode).toBe(0)
  }
  expect((await owner.post('feedback/send', problem)).retCode).toBe(codes.feedbackFull)
  const { result, total } = await list()
  expect(total).toBe(limits.feedbackKept)
  const id = result[0]?.id
  expect((await owner.post('feedback/delete', { id })).retCode).toBe(0)
  expect((await owner.post('feedback/delete', { id })).retCode).toBe(codes.feedbackNotFound)
  expect((await owner.post('feedback/send', problem)).retCode).toBe(0)
})
