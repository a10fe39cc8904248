import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { codes } from '@/model/codes'
import { startAlerts } from '@/server/alerts/delivery'
import { moveMailServer } from '@/server/alerts/notices'
import { raiseAlert } from '@/server/alerts/raise'
import { setSetting } from '@/server/kernel/settings'
import { type Browser, finishedWizard, type Manager, startTestManager } from './_manager'
import { organization } from './_people'
import { smtpServer } from './_smtp'

let one: Manager
let browser: Browser
const closers: (() => Promise<unknown> | unknown)[] = []
beforeEach(async () => {
  const times = { gatherMs: 50, retryMs: [100, 100] }
  one = await startTestManager({ starters: [runtime => startAlerts(runtime, times)] })
  browser = await finishedWizard(one)
})
afterEach(async () => {
  await one.stop()
  for (const close of closers.splice(0)) await close()
})

async function until<T>(what: () => T | Promise<T>, ms = 60_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + ms; ; ) {
    const seen = await what()
    if (seen) return seen as NonNullable<T>
    if (Date.now() > end) throw new Error('it did not happen')
    await new Promise(done => setTimeout(done, 20))
  }
}
const raise = (device = 'ap1') => raiseAlert(one.runtime, { type: 'deviceOffline', level: 5, values: { device } })
const last = async () =>
  (await browser.post('alerts/notice/query')).data.last as { ok: boolean; error: string; waiting: number } | null

async function mailServer() {
  const server = await smtpServer()
  closers.push(server.close)
  return server
}

type Post = { headers: IncomingMessage['headers']; body: string }
async function hook(
  answer: (n: number) => number = () => 200,
  port = 0,
): Promise<{ url: string; port: number; posts: Post[]; server: Server }> {
  const posts: Post[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      posts.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') })
      response.writeHead(answer(posts.length), { location: 'http://127.0.0.1:1/elsewhere' }).end()
    })
  })
  await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
  closers.push(() => new Promise(done => server.close(done)))
  const at = (server.address() as AddressInfo).port
  return { url: `http://127.0.0.1:${at}/alerts?x=1`, port: at, posts, server }
}

const byMail = { mode: 'mail', mail: { to: ['ops@example.test'] } }
/** The manager's mail server, and alerts by it. */
async function useMail(port: number, password = 'mail-Secret-1', notice = {}) {
  const server = { host: '127.0.0.1', port, security: 'none', user: 'nms', from: 'nms@example.test', password }
  const saved = await browser.post('system-settings/smtp/save', { ...server, publicUrl: 'https://nms.example.test' })
  expect(saved.retCode).toBe(0)
  expect((await browser.post('alerts/notice/save', { ...byMail, ...notice })).retCode).toBe(0)
}

test('one mail by SMTP, with login; several alerts at once are one letter', async () => {
  const { port, letters } = await mailServer()
  await useMail(port)
  raise('ap1')
  raise('ap2')
  const letter = await until(() => letters[0])
  expect(letter).toMatchObject({ user: 'nms', to: ['ops@example.test'] })
  expect(letter.text).toContain('Subject: [Harbour House] 2 alerts')
  expect(letter.text).toContain('Emergency: ap1 is offline')
  expect(letter.text).toContain('ap2 is offline')
  await until(async () => (await last())?.ok)
  expect(letters).toHaveLength(1)
})

test('only alerts at least as grave as asked', async () => {
  const { port, letters } = await mailServer()
  await useMail(port, undefined, { level: 5 })
  raiseAlert(one.runtime, { type: 'deviceOnline', level: 15, values: { device: 'quiet' } })
  raise('loud')
  await until(() => letters[0])
  expect(letters.map(letter => letter.text).join()).not.toContain('quiet')
})

test('alerts of another company on the manager stay with it', async () => {
  const { port, letters } = await mailServer()
  await useMail(port)
  const theirs = organization(one, 'Beta Ltd')
  raiseAlert(one.runtime, { type: 'deviceOffline', level: 5, organization: theirs, values: { device: 'theirs' } })
  raise('ours')
  await until(() => letters[0])
  expect(letters.map(letter => letter.text).join()).not.toContain('theirs')
})

test('a refused login is shown, tried again and given up; the password is in no answer', async () => {
  const { port, letters } = await mailServer()
  await useMail(port, 'not-the-Secret')
  raise()
  const failed = await until(async () => {
    const seen = await last()
    return seen && !seen.ok && seen.waiting === 0 ? seen : undefined
  })
  expect(failed.error).toMatch(/login|auth/i)
  expect(letters).toHaveLength(0)
  for (const path of ['alerts/notice/query', 'system-settings/smtp'])
    expect(JSON.stringify((await browser.post(path)).data)).not.toContain('not-the-Secret')
})

test('a webhook: signed over time and body, tried again until it is taken', async () => {
  const { url, posts } = await hook(n => (n === 1 ? 500 : 200))
  await browser.post('alerts/notice/save', { mode: 'webhook', webhook: { url }, webhookSecret: 'hook-Secret' })
  const since = Date.now()
  const id = raise('sw1')
  await until(() => posts.length === 2)
  const [first, second] = posts as [Post, Post]
  for (const post of [first, second]) {
    const stamp = String(post.headers['x-lanward-timestamp'])
    const mac = createHmac('sha256', 'hook-Secret').update(`${stamp}.${post.body}`).digest('hex')
    expect(post.headers['x-lanward-signature']).toBe(`sha256=${mac}`)
    expect(Number(stamp)).toBeGreaterThanOrEqual(since)
    expect(Number(stamp)).toBeLessThanOrEqual(Date.now())
  }
  expect(JSON.parse(second.body)).toMatchObject({
    manager: 'Harbour House',
    alerts: [{ id, level: 5, type: 'deviceOffline', text: 'sw1 is offline' }],
  })
  await until(async () => (await last())?.ok)
})

test('the manager ends while a message is under way: nothing is written any more', async () => {
  let answer: (() => void) | undefined
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      answer = () => response.setHeader('connection', 'close').end()
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await browser.post('alerts/notice/save', { mode: 'webhook', webhook: { url }, webhookSecret: 'hook-Secret' })
  raise()
  const finish = await until(() => answer)
  await one.stop()
  const broken: unknown[] = []
  const note = (error: unknown) => void broken.push(error)
  process.on('unhandledRejection', note)
  finish()
  await new Promise(done => server.close(done))
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  process.off('unhandledRejection', note)
  expect(broken).toEqual([])
})

test('a redirect is followed nowhere', async () => {
  const { url, posts } = await hook(() => 302)
  const answer = await browser.post('alerts/notice/test', { mode: 'webhook', webhook: { url } })
  expect(answer.retCode).not.toBe(0)
  expect(answer.data.detail).toContain('302')
  expect(posts).toHaveLength(1)
})

test('a test message says what went wrong, and saves nothing', async () => {
  expect((await browser.post('alerts/notice/test', byMail)).retCode).toBe(codes.mailNotSet)
  expect((await browser.post('alerts/notice/save', byMail)).retCode).toBe(codes.mailNotSet)
  await useMail(1)
  await browser.post('alerts/notice/save', { mode: 'off' })
  const answer = await browser.post('alerts/notice/test', byMail)
  expect(answer.data.detail).toMatch(/ECONNREFUSED/)
  expect((await browser.post('alerts/notice/query')).data.mode).toBe('off')
})

test('a saved secret stays when {set: true} comes back, and goes when it is left out', async () => {
  const { url } = await hook()
  const settings = { mode: 'webhook', webhook: { url }, webhookSecret: 'hook-Secret' }
  await browser.post('alerts/notice/save', settings)
  const kept = await browser.post('alerts/notice/save', { ...settings, webhookSecret: { set: true } })
  expect(kept.data.webhookSecret).toEqual({ set: true })
  const { webhookSecret: _gone, ...without } = settings
  expect((await browser.post('alerts/notice/save', without)).data).not.toHaveProperty('webhookSecret')
})

test('the mail server that alerts had of their own becomes the one for everything, password and all', async () => {
  const { port, letters } = await mailServer()
  const old = {
    mode: 'mail',
    level: 15,
    mail: {
      host: '127.0.0.1',
      port,
      security: 'none',
      verify: true,
      user: 'nms',
      from: 'nms@example.test',
      to: ['ops@example.test'],
    },
    mailPassword: 'mail-Secret-1',
    webhookSecret: '',
  }
  const sealed = one.runtime.secrets.seal(JSON.stringify(old), 'settings:notices:sealed')
  setSetting(one.runtime.db, 'notices', { sealed })
  moveMailServer(one.runtime)
  expect((await browser.post('alerts/notice/query')).data).toMatchObject({ ...byMail, mailServer: true })
  expect((await browser.post('system-settings/smtp')).data.server).toMatchObject({
    port,
    publicUrl: '',
    password: { set: true },
  })
  raise('ap1')
  expect((await until(() => letters[0])).user).toBe('nms')
})

describe('the list', () => {
  const list = async (filter = {}, more = {}) =>
    (await browser.post('alerts/list', { filter, ...more })).data as {
      result: { id: number; read: boolean }[]
      total: number
      unread: number
    }

  test('newest first, unread until read, deleted when asked', async () => {
    const [a, b, c] = [raise('a'), raise('b'), raise('c')]
    expect((await list()).result.map(alert => alert.id)).toEqual([c, b, a])
    expect((await browser.post('alerts/unread')).data).toEqual({ unread: true, count: 3 })
    await browser.post('alerts/read', { ids: [a] })
    expect((await list({ read: false })).result.map(alert => alert.id)).toEqual([c, b])
    await browser.post('alerts/read', { all: true })
    expect((await browser.post('alerts/unread')).data).toEqual({ unread: false, count: 0 })
    await browser.post('alerts/delete', { ids: [b] })
    expect((await list()).result.map(alert => alert.id)).toEqual([c, a])
  })

  test.each([
    ['north', [0]],
    ['IS OFFLINE', [1, 0]],
    ['storage', [2]],
    ['device', []],
    ['%', []],
  ])('searched for %j in names, values and words', async (search, found) => {
    const ids = [raise('North gate'), raise('ap2')]
    ids.push(raiseAlert(one.runtime, { type: 'backupFailed', level: 10, values: { reason: 'storageFull' } }))
    const { result, total } = await list({}, { search })
    expect(result.map(alert => alert.id)).toEqual(found.map(index => ids[index]))
    expect(total).toBe(found.length)
  })

  test('one number that does not exist refuses the whole call', async () => {
    const id = raise()
    expect((await browser.post('alerts/delete', { ids: [id, 999] })).retCode).toBe(10041)
    expect((await list()).total).toBe(1)
  })

  test('alerts/delete-all answers GET and POST, and GET only with the same-origin header', async () => {
    raise()
    const without = await browser.raw('alerts/delete-all', { method: 'GET', headers: { 'x-requested-with': '' } })
    expect(without.status).toBe(403)
    expect((await list()).total).toBe(1)
    const answer = await browser.raw('alerts/delete-all', { method: 'GET' })
    expect(await answer.json()).toMatchObject({ retCode: 0, data: { deleted: 1 } })
    raise()
    expect((await browser.post('alerts/delete-all')).data).toEqual({ deleted: 1 })
  })
})
