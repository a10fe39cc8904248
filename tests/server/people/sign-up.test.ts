// Whoever asks for an account: closed unless opened, the same answer to everybody, an address proven by a real letter, and an administrator's word.
import { eq } from 'drizzle-orm'
import { accounts, changelog, signUps } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { startMail } from '@/server/mail/start'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { until } from '../../lab/_lab'
import { saveMailServer } from '../_mail-server'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { organization, person, role } from '../_people'
import { decoded, type Received, smtpServer } from '../_smtp'

let one: Manager
let owner: Browser
let letters: Received[]
let close: () => Promise<unknown>
const good = 'Gr8!mole-x'
const server = { host: '127.0.0.1', security: 'none', from: 'nms@example.test' } as const

const rules = { sessionTimeout: 60, syncTimeouts: true, passwordNoticeDays: 90, forceMfa: false }
const open = (signUp: boolean) => owner.post('account/security/save', { ...rules, signUp })

beforeAll(async () => {
  one = await startTestManager({ starters: [runtime => startMail(runtime)] })
  owner = await finishedWizard(one)
  const smtp = await smtpServer()
  ;({ letters, close } = smtp)
  expect((await open(true)).data.fields).toEqual({ signUp: 'needsMail' })
  const publicUrl = 'https://nms.example.test:8443'
  await owner.post('system-settings/smtp/save', { ...server, port: smtp.port, publicUrl })
  one.runtime.db.update(accounts).set({ email: 'Marta@example.test' }).run()
})
afterAll(async () => {
  await one.stop()
  await close()
})
beforeEach(async () => {
  letters.length = 0
  one.runtime.parts.delete('rates')
  one.runtime.db.delete(signUps).run()
  expect((await open(true)).retCode).toBe(0)
})

let asked = 0
const wish = (input: object = {}) => ({ account: `wish${asked}`, username: 'Ana Reis', email: mailOf(), ...input })
const mailOf = () => `ana${asked}@example.test`
/** Asks as somebody new, unless told otherwise. */
const ask = (input: object = {}, address = '10.9.9.9', headers = {}) => {
  asked += 1
  return one.browser(address).post('auth/sign-up', wish(input), headers)
}
const same = { retCode: 0, data: { seconds: limits.resendSeconds, days: 3 } }
const letterTo = async (to: string, words: string) =>
  decoded((await until(() => letters.find(each => each.to[0] === to && decoded(each.text).includes(words)))).text)
const tokenIn = (text: string) => /\/login\/activate#([\w-]{43})/.exec(text)?.[1] ?? ''
const entered = (token: string) => ({ token, username: 'Ana Reis', password: good, repeat: good })
const activate = (token: string, more = {}) => one.browser().post('auth/activate', { ...entered(token), ...more })
const waiting = async (browser = owner) =>
  (await browser.post('users/sign-ups/list')).data as { result: { id: number; account: string }[]; total: number }
/** Somebody whose address is proven. */
async function proven(input: object = {}): Promise<{ id: number; account: string; token: string; email: string }> {
  await ask(input)
  const email = mailOf()
  const token = tokenIn(await letterTo(email, 'choose a password'))
  expect((await activate(token)).data).toMatchObject({ waits: true })
  const row = one.runtime.db.select().from(signUps).where(eq(signUps.email, email)).get() as typeof signUps.$inferSelect
  return { ...row, token }
}
const rights = { role: 'guestEditor', networks: [1] }
const signIn = (userName: string) => one.browser('10.0.9.1').post('login', { userName, userPwd: passwordDigest(good) })
const logged = () => one.runtime.db.select().from(changelog).all().slice(-1)

test('asks, proves the address, waits, is let in under the name and with the rights that are given, and signs in', async () => {
  expect(await ask()).toMatchObject(same)
  const text = await letterTo(mailOf(), 'choose a password')
  expect(text).toContain('https://nms.example.test:8443/login/activate#')
  expect(await waiting()).toMatchObject({ total: 0, open: true })
  const token = tokenIn(text)
  expect((await one.browser().post('auth/activation', { token })).data).toMatchObject({
    ...{ account: `wish${asked}`, username: 'Ana Reis', asked: true, manager: 'Harbour House' },
  })
  expect((await activate(token)).data).toEqual({ account: `wish${asked}`, waits: true })
  expect((await activate(token)).retCode).toBe(codes.signUpWaits)
  expect((await signIn(`wish${asked}`)).retCode).toBe(codes.wrongPassword)
  expect(await letterTo('Marta@example.test', 'requests an account')).toContain(mailOf())
  const [row] = (await waiting()).result
  expect(row).toMatchObject({ username: 'Ana Reis', email: mailOf(), account: `wish${asked}` })

  const accept = { id: row?.id, account: 'anareis', ...rights }
  expect((await owner.post('users/sign-ups/accept', accept)).retCode).toBe(0)
  expect(await letterTo(mailOf(), 'Your account is: anareis')).toMatch(/^https:\/\/nms\.example\.test:8443\/login\r?$/m)
  one.runtime.sqlite.exec('DELETE FROM sign_in_failures')
  expect((await signIn('anareis')).retCode).toBe(0)
  const users = (await owner.post('users/list')).data.result as { account: string }[]
  expect(users.find(user => user.account === 'anareis')).toMatchObject({ ...{ role: 'guestEditor', state: 'active' } })
  expect((await activate(token)).retCode).toBe(codes.activationDone)
  expect(await waiting()).toMatchObject({ total: 0 })
})

test('closed, there is no such call, and open links do nothing', async () => {
  await ask()
  const token = tokenIn(await letterTo(mailOf(), 'choose a password'))
  await open(false)
  const unknown = await one.browser().post('auth/sign-upp', wish())
  expect(await ask()).toMatchObject({ status: unknown.status, retCode: unknown.retCode })
  expect((await activate(token)).retCode).toBe(codes.activationInvalid)
  expect((await one.browser().post('auth/activation', { token })).retCode).toBe(codes.activationInvalid)
})

test('over plain http nobody asks', async () => {
  expect((await ask({}, '10.9.9.9', { 'x-forwarded-proto': 'http' })).retCode).toBe(codes.secureOnly)
})

test.each([
  ['A6', { account: 'two words' }, { account: 'alphanumeric' }],
  ['A7', { username: 'letters' }, { username: 'userNameKind' }],
  ['A8', { email: 'nobody' }, { email: 'emailFormat' }],
  ['A14', { company: 'x'.repeat(129) }, { company: 'tooLong' }],
])('%s: refused at its field', async (_rule, input, fields) => {
  expect((await ask(input)).data.fields).toEqual(fields)
})

test('A9: a weak password costs no link', async () => {
  await ask()
  const token = tokenIn(await letterTo(mailOf(), 'choose a password'))
  const weak = { password: 'short1!', repeat: 'short1!' }
  expect((await activate(token, weak)).data.fields).toEqual({ password: 'passwordShort' })
  expect((await activate(token)).retCode).toBe(0)
})

test('who has an account, waits already or takes a name that is taken: the same answer, at once; the letter alone differs', async () => {
  const { email } = await proven()
  letters.length = 0
  expect(await ask({ email: 'MARTA@example.test' })).toMatchObject(same)
  expect(one.runtime.db.select().from(signUps).all()).toHaveLength(1)
  expect(await ask({ email })).toMatchObject(same)
  expect(await ask({ account: 'marta1' })).toMatchObject(same)
  // Until the answer has gone nothing is written.
  expect(one.runtime.db.select().from(signUps).all()).toHaveLength(1)
  expect(await letterTo('Marta@example.test', 'It already has one')).toContain('/login/forgot-password')
  await letterTo(email, 'waiting for an administrator')
  await letterTo(mailOf(), 'choose a password')
})

test('S9: a link is good for three days, and for one letter; another is sent a minute later at the earliest', async () => {
  await ask()
  const first = tokenIn(await letterTo(mailOf(), 'choose a password'))
  const again = () => one.browser('10.9.9.8').post('auth/resend-activation', { email: mailOf().toUpperCase() })
  const move = (ms: number) =>
    one.runtime.db
      .update(signUps)
      .set({ sentAt: Date.now() - ms })
      .run()
  const linkOf = () => one.runtime.db.select().from(signUps).get()?.link
  const before = linkOf()
  expect((await again()).data).toEqual({ seconds: limits.resendSeconds })
  await new Promise(done => setImmediate(done))
  expect(linkOf()).toBe(before)
  move(61_000)
  await again()
  await until(() => linkOf() !== before)
  const second = tokenIn(
    decoded(
      (await until(() => letters.find(each => each.to[0] === mailOf() && !decoded(each.text).includes(first)))).text,
    ),
  )
  expect((await activate(first)).retCode).toBe(codes.activationInvalid)
  move(3 * 86_400_000)
  expect((await activate(second)).retCode).toBe(codes.activationExpired)
  move(3 * 86_400_000 - 60_000)
  expect((await activate(second)).retCode).toBe(0)
})

test('nobody floods: ten an hour from an address, sixty in all, three letters to a mailbox, two hundred requests kept', async () => {
  const answers = []
  for (let n = 0; n < 11; n++) answers.push((await ask({ email: 'one@example.test' }, '10.1.1.1')).retCode)
  expect(answers).toEqual([...Array(10).fill(0), codes.rateLimited])
  for (let n = 0; n < 50; n++) expect((await ask({}, `10.2.${n}.1`)).retCode).toBe(0)
  expect((await ask({}, '10.3.1.1')).retCode).toBe(codes.rateLimited)
  const toOne = () => letters.filter(each => each.to[0] === 'one@example.test').length
  await until(() => toOne() === 3 && letters.length >= 53)
  expect(toOne()).toBe(3)
  await until(() => one.runtime.db.select().from(signUps).all().length === 51)

  one.runtime.parts.delete('rates')
  one.runtime.sqlite.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 149)
    INSERT INTO sign_ups (organization, account, username, email, company, locale, link, sent_at)
    SELECT 1, 'old' || i, 'Old 1', 'old' || i || '@example.test', '', 'en', 'old' || i, ${Date.now() - 3_600_000} - i FROM n`)
  await ask()
  await until(() => one.runtime.db.select().from(signUps).where(eq(signUps.email, mailOf())).get())
  const kept = one.runtime.db.select().from(signUps).all()
  expect([kept.length, kept.some(row => row.account === 'old149')]).toEqual([limits.signUps, false])
})

test('a name that is taken, a role above one’s own, somebody else’s network: told at the field, and the request stays', async () => {
  const { id, account } = await proven()
  const accept = (input: object) => owner.post('users/sign-ups/accept', { id, account, ...rights, ...input })
  expect((await accept({ account: 'marta1' })).retCode).toBe(0)
  const next = await proven()
  const again = (input: object) =>
    owner.post('users/sign-ups/accept', { id: next.id, account: next.account, ...rights, ...input })
  expect((await again({ account: 'marta1' })).data.fields).toEqual({ account: 'nameExists' })
  expect((await again({ role: 'superAdministrator' })).data.fields).toEqual({ role: 'aboveOwn' })
  expect((await again({ networks: [999] })).data.fields).toEqual({ networks: 'notFound' })
  expect((await waiting()).result).toHaveLength(1)
})

test('refused, the request is gone and its link worth nothing; who asked hears of it', async () => {
  const { id, email, token, account } = await proven()
  expect((await owner.post('users/sign-ups/refuse', { id })).retCode).toBe(0)
  await letterTo(email, 'refused your request')
  expect(logged()).toMatchObject([{ action: 'refuse', object: 'signUp', name: account }])
  expect((await activate(token)).retCode).toBe(codes.activationInvalid)
  expect((await owner.post('users/sign-ups/refuse', { id })).retCode).toBe(codes.signUpNotFound)
})

test('a stranger’s deed stands in the changelog under nobody’s name, whatever name was wished for', async () => {
  const { account } = (await person(one, { role: 'platformAdministrator' })).account
  await proven({ account })
  expect(logged()).toMatchObject([{ action: 'activate', object: 'signUp', name: account, account: '' }])
})

test('who works in single networks, or for another organization, sees no request and decides none', async () => {
  const { id, account } = await proven()
  const people = role(one, 'People', ['organization_users', 'organization_users_edit', 'clients'])
  const far = organization(one, 'Elsewhere')
  const others = [
    await person(one, { role: people, networks: [1] }),
    await person(one, { role: 'superAdministrator', organization: far }),
  ]
  for (const other of others) {
    expect((await waiting(other)).total).toBe(0)
    expect((await other.post('users/sign-ups/refuse', { id })).retCode).toBe(codes.signUpNotFound)
    const accept = await other.post('users/sign-ups/accept', { id, account, role: 'guestEditor', networks: [] })
    expect(accept.retCode).toBe(codes.signUpNotFound)
  }
  expect((await waiting(await person(one, { role: people, all: true }))).total).toBe(1)
})

test('without a mail server it is closed, whatever is set', async () => {
  saveMailServer(one.runtime, undefined)
  expect((await ask()).status).toBe(404)
  expect(one.runtime.db.select().from(signUps).all()).toEqual([])
})
