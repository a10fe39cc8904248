import { eq } from 'drizzle-orm'
import { mails, networkOffers, settings, webhooks } from '@/db/schema'
import words from '@/locales/en/alertTypes.json'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { notices } from '@/model/notify/notices'
import { storeOwn } from '@/server/kernel/own-settings'
import { startMail } from '@/server/mail/start'
import { startAlerts } from '@/server/notify/alerts/delivery'
import { migrateNotices } from '@/server/notify/alerts/migrate-notices'
import { newestAlert, queueAlerts, tellFrom } from '@/server/notify/alerts/notices'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { openSecret } from '@/server/notify/webhooks/hooks'
import { allowedSegments } from '@/server/notify/webhooks/targets'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, person, sharedNetwork } from '../_people'
import { smtpServer } from '../_smtp'

let one: Manager
let browser: Browser
const closers: (() => Promise<unknown> | unknown)[] = []
beforeEach(async () => {
  one = await startTestManager({
    starters: [runtime => startMail(runtime, [100]), runtime => startAlerts(runtime, 50)],
  })
  browser = await finishedWizard(one)
})
afterEach(async () => {
  await one.stop()
  for (const close of closers.splice(0)) await close()
})

const raise = (device = 'ap1') =>
  raiseAlert(one.runtime, { type: 'deviceOffline', grade: 'gateway', values: { device } })
async function mailServer() {
  const server = await smtpServer()
  closers.push(server.close)
  return server
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
  await until(() => one.runtime.db.select().from(mails).all().length === 0)
  expect(letters).toHaveLength(1)
  expect((await browser.post('alerts/notice/query')).data.last).toMatchObject({ ok: true })
})

test('only alerts at least as grave as asked', async () => {
  const { port, letters } = await mailServer()
  await useMail(port, undefined, { level: 5 })
  raiseAlert(one.runtime, { type: 'deviceOnline', values: { device: 'quiet' } })
  raise('loud')
  await until(() => letters[0])
  expect(letters.map(letter => letter.text).join()).not.toContain('quiet')
})

describe('another company on the manager', () => {
  const theirs = () => organization(one, 'Beta Ltd')
  const head = (company: number) => person(one, { role: 'superAdministrator', organization: company })
  const to = (address: string) => ({ mode: 'mail', mail: { to: [address] } })
  const tell = (of: number, place: number | undefined, device: string) =>
    raiseAlert(one.runtime, {
      type: 'deviceOffline',
      grade: 'gateway',
      organization: of,
      network: place,
      values: { device },
    })
  type Sent = { to: string[]; text: string }
  const lettersTo = (letters: Sent[], address: string) =>
    letters.filter(letter => letter.to.includes(address)).map(letter => letter.text)

  test('is told of its own networks and of those shared with it, while they are; nobody else is told of its', async () => {
    const { port, letters } = await mailServer()
    await useMail(port)
    const company = theirs()
    const lent = sharedNetwork(one, 'Lent', 1, company, 'read')
    const offered = sharedNetwork(one, 'Offered', 1, company, 'manage')
    one.runtime.db.update(networkOffers).set({ accepted: false }).where(eq(networkOffers.network, offered)).run()
    const beta = await head(company)
    expect((await beta.post('alerts/notice/query')).data).toMatchObject({ mode: 'off', mailServer: true, last: null })
    expect((await beta.post('alerts/notice/save', to('beta@example.test'))).retCode).toBe(0)
    tell(company, network(one, 'Beta house', company), 'theirs')
    tell(1, lent, 'lent-one')
    tell(1, offered, 'offered-one')
    await until(() => letters.length === 2)
    const [told] = lettersTo(letters, 'beta@example.test')
    expect(told).toContain('2 alerts')
    for (const device of ['theirs', 'lent-one']) expect(told).toContain(`${device} is offline`)
    const [ours] = lettersTo(letters, 'ops@example.test')
    for (const device of ['lent-one', 'offered-one']) expect(ours).toContain(`${device} is offline`)
    expect(ours).not.toContain('theirs')
    one.runtime.db.delete(networkOffers).run()
    tell(1, lent, 'taken-back')
    await until(() => letters.length > 2 && one.runtime.db.select().from(mails).all().length === 0)
    expect(lettersTo(letters, 'beta@example.test')).toHaveLength(1)
    expect((await browser.post('alerts/notice/query')).data).toMatchObject(byMail)
  })

  test('learns to whom a letter did not get, and nothing of the mail server', async () => {
    await useMail(1)
    const company = theirs()
    const beta = await head(company)
    await beta.post('alerts/notice/save', to('beta@example.test'))
    const refused = await beta.post('alerts/notice/test', to('beta@example.test'))
    expect([refused.retCode, refused.data.detail]).toEqual([codes.mailFailed, words.serverFault])
    tell(company, undefined, 'theirs')
    const last = await until(async () => (await beta.post('alerts/notice/query')).data.last)
    expect(last).toEqual({ at: expect.any(Number), ok: false, error: 'beta@example.test' })
  })

  test('does not fill the queue of all: beyond its share alerts wait for one later letter', async () => {
    const company = theirs()
    const many = Array.from({ length: 20 }, (_, at) => `beta${at}@example.test`)
    storeOwn({ runtime: one.runtime, actor: { organization: company, account: '' }, now: 0 }, one.runtime.db, notices, {
      ...{ mode: 'mail', level: '15', to: many },
    })
    tellFrom(one.runtime.db, company, newestAlert(one.runtime.db))
    const beta = () => one.runtime.db.select().from(mails).where(eq(mails.organization, company)).all()
    for (const wanted of Array.from({ length: limits.alertLettersWaiting / many.length }, (_, at) => at + 1)) {
      tell(company, undefined, `ap${wanted}`)
      queueAlerts(one.runtime)
    }
    expect(beta()).toHaveLength(limits.alertLettersWaiting)
    tell(company, undefined, 'late')
    expect(queueAlerts(one.runtime)).toBe(false)
    one.runtime.db.delete(mails).run()
    expect([queueAlerts(one.runtime), beta().length]).toEqual([true, many.length])
  })
})

test('tests of one company are counted', async () => {
  await useMail(1)
  const answers: number[] = []
  for (const _ of Array.from({ length: limits.noticeTests.most + 1 }))
    answers.push((await browser.post('alerts/notice/test', byMail)).retCode)
  expect(new Set(answers.slice(0, -1))).toEqual(new Set([codes.mailFailed]))
  expect(answers.at(-1)).toBe(codes.rateLimited)
})

test('a refused login is shown, and the letter waits for another try; the password is in no answer', async () => {
  const { port, letters } = await mailServer()
  await useMail(port, 'not-the-Secret')
  raise()
  const failed = await until(async () => {
    const { last } = (await browser.post('alerts/notice/query')).data as { last: { ok: boolean; error: string } | null }
    return last && !last.ok ? last : undefined
  })
  expect(failed.error).toMatch(/login|auth/i)
  expect([letters.length, one.runtime.db.select().from(mails).all().length]).toEqual([0, 1])
  for (const path of ['alerts/notice/query', 'system-settings/smtp'])
    expect(JSON.stringify((await browser.post(path)).data)).not.toContain('not-the-Secret')
})

test('what was raised before letters were wanted is not sent; each alert goes into one letter for each recipient', async () => {
  const { port, letters } = await mailServer()
  raise('before')
  await useMail(port, undefined, { mail: { to: ['ops@example.test', 'night@example.test'] } })
  raise('after')
  await until(() => letters.length === 2)
  expect(letters.map(letter => letter.to[0]).sort()).toEqual(['night@example.test', 'ops@example.test'])
  raise('later')
  await until(() => letters.length === 4)
  expect(letters.map(letter => letter.text).join()).not.toContain('before')
  expect(
    letters
      .slice(2)
      .map(letter => letter.text)
      .join(),
  ).not.toContain('after')
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
  one.runtime.db
    .insert(settings)
    .values({ key: 'notices', value: JSON.stringify({ sealed }) })
    .run()
  migrateNotices(one.runtime)
  expect((await browser.post('alerts/notice/query')).data).toMatchObject({ ...byMail, mailServer: true })
  expect((await browser.post('system-settings/smtp')).data.server).toMatchObject({
    port,
    publicUrl: '',
    password: { set: true },
  })
  raise('ap1')
  expect((await until(() => letters[0])).user).toBe('nms')
})

test('the web address that alerts had of their own becomes a webhook, secret and all, and stays in reach', async () => {
  const old = {
    mode: 'webhook',
    level: 10,
    webhook: { url: 'http://10.1.2.3/alerts?x=1' },
    webhookSecret: 'hook-Secret',
  }
  const sealed = one.runtime.secrets.seal(JSON.stringify(old), 'settings:notices:sealed')
  one.runtime.db
    .insert(settings)
    .values({ key: 'notices', value: JSON.stringify({ sealed }) })
    .run()
  migrateNotices(one.runtime)
  migrateNotices(one.runtime)
  expect((await browser.post('alerts/notice/query')).data).toMatchObject({ mode: 'off', level: 10 })
  const [row, ...more] = one.runtime.db.select().from(webhooks).where(eq(webhooks.url, old.webhook.url)).all()
  expect(more).toEqual([])
  expect(row).toMatchObject({ state: 'on', topics: '["alerts"]', level: 10, networks: null })
  expect(openSecret(one.runtime, row as never)).toBe('hook-Secret')
  expect(allowedSegments(one.runtime)).toEqual(['10.1.2.3/32'])
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
    ids.push(raiseAlert(one.runtime, { type: 'backupFailed', values: { reason: 'storageFull' } }))
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
