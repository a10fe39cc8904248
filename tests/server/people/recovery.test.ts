// Whoever cannot sign in: the letters they get, what the links in them do, and what nobody learns by asking.
import { eq } from 'drizzle-orm'
import { accounts, accountTokens, changelog, mails, sessions } from '@/db/schema'
import mailWords from '@/locales/en/mail.json'
import { codes } from '@/model/codes'
import { startMail } from '@/server/mail/start'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { countFailure } from '@/server/people/accounts/lock'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { person } from '../_people'
import { codeOf } from '../_second-factor'
import { decoded, type Received, smtpServer } from '../_smtp'

let one: Manager
let browser: Browser
let letters: Received[]
let close: () => Promise<unknown>
const fresh = { password: 'Harb0ur-Gate!', repeat: 'Harb0ur-Gate!' }

beforeEach(async () => {
  one = await startTestManager({ starters: [runtime => startMail(runtime)] })
  browser = await finishedWizard(one)
  const server = await smtpServer()
  ;({ letters, close } = server)
  await browser.post('system-settings/smtp/save', {
    ...{ host: '127.0.0.1', port: server.port, security: 'none', from: 'nms@example.test' },
    publicUrl: 'https://nms.example.test:8443',
  })
  one.runtime.db.update(accounts).set({ email: 'Marta@example.test' }).run()
})
afterEach(async () => {
  await one.stop()
  await close()
})

const stranger = (address = '10.9.9.9') => one.browser(address)
const ask = (account: string, address?: string) => stranger(address).post('auth/forgot-password', { account })
const letter = async (n = 0) => decoded((await until(() => letters[n])).text)
const tokenIn = (text: string) =>
  /https:\/\/nms\.example\.test:8443\/login\/reset-password#([\w-]{43})/.exec(text)?.[1] ?? ''
const reset = (token: string, more = {}) => stranger().post('auth/reset-password', { token, ...fresh, ...more })
const signIn = (password: string) =>
  stranger('10.8.8.8').post('login', { userName: owner.account, userPwd: passwordDigest(password) })
/** Everything that was asked for has been done: a later question of another account has its letter. */
async function settled(): Promise<void> {
  const before = letters.length
  await stranger('10.7.7.7').post('auth/forgot-username', { email: 'marta@example.test' })
  await until(() => letters.slice(before).some(each => each.text.includes('Your account name')))
}

test.each([owner.account, owner.account.toUpperCase(), 'marta@EXAMPLE.test'])(
  'a link for %s sets a new password once, ends every session and every lock, and tells the owner',
  async name => {
    countFailure(one.runtime.db, owner.account, '10.8.8.8', false, Date.now())
    expect(await ask(name)).toMatchObject({ retCode: 0, data: {} })
    const text = await letter()
    expect(letters[0]?.to).toEqual(['Marta@example.test'])
    const token = tokenIn(text)
    expect(one.runtime.db.select().from(sessions).all()).toHaveLength(1)
    expect((await reset(token)).retCode).toBe(0)
    expect(one.runtime.db.select().from(sessions).all()).toHaveLength(0)
    expect((await browser.post('account/info')).status).toBe(401)
    expect((await signIn(owner.password)).retCode).toBe(codes.wrongPassword)
    one.runtime.sqlite.exec('DELETE FROM sign_in_failures')
    expect((await signIn(fresh.password)).retCode).toBe(0)
    expect((await reset(token)).retCode).toBe(codes.resetLinkInvalid)
    expect(await letter(1)).toContain('was changed from 10.9.9.9')
    const logged = one.runtime.db.select().from(changelog).where(eq(changelog.action, 'resetPassword')).all()
    expect(logged).toMatchObject([{ account: owner.account, address: '10.9.9.9' }])
    expect(JSON.stringify(one.runtime.db.select().from(mails).all())).not.toContain(token)
  },
)

test('a lock of the sign-in is lifted by a reset', async () => {
  for (let n = 0; n < 4; n++) countFailure(one.runtime.db, owner.account, '10.8.8.8', false, Date.now())
  expect((await signIn(owner.password)).retCode).toBe(codes.accountLocked)
  await ask(owner.account)
  expect((await reset(tokenIn(await letter()))).retCode).toBe(0)
  expect((await signIn(fresh.password)).retCode).toBe(0)
})

test('an account that is not there, has no address, no password or is not active: the same answer, and no letter', async () => {
  const own = one.runtime.db.select().from(accounts).get() as typeof accounts.$inferSelect
  const others = [
    { account: 'dora.1', email: 'dora@example.test', state: 'disabled' },
    { account: 'ina.1', email: 'ina@example.test', state: 'inactivated' },
    { account: 'ivo.1', email: null, state: 'active' },
    { account: 'sam.1', email: 'sam@example.test', state: 'active', source: 'saml' },
  ] as const
  for (const other of others)
    one.runtime.db
      .insert(accounts)
      .values({ ...own, id: undefined, ...other })
      .run()
  const there = { ...(await ask(owner.account)), headers: expect.anything() }
  for (const name of ['nobody.1', 'nobody@example.test', 'dora.1', 'dora@example.test', 'ina.1', 'ivo.1', 'sam.1'])
    expect([name, await ask(name)]).toEqual([name, there])
  for (const email of ['nobody@example.test', 'dora@example.test', 'sam@example.test'])
    expect([email, await stranger().post('auth/forgot-username', { email })]).toEqual([email, there])
  await letter()
  await settled()
  expect(letters.map(each => each.to)).toEqual([['Marta@example.test'], ['Marta@example.test']])
})

test('no answer waits for the work: until it is done nothing is written', async () => {
  const rows = () => one.runtime.db.select().from(accountTokens).all().length
  await ask(owner.account)
  expect(rows()).toBe(0)
  await until(() => rows() === 1)
})

test('the account is disabled while its link is under way: the link does nothing', async () => {
  await ask(owner.account)
  const token = tokenIn(await letter())
  one.runtime.db.update(accounts).set({ state: 'disabled' }).run()
  expect((await reset(token)).retCode).toBe(codes.resetLinkInvalid)
})

test('a link is good for an hour, and an older one is worth nothing', async () => {
  await ask(owner.account)
  const first = tokenIn(await letter())
  await ask(owner.account)
  const second = tokenIn(await letter(1))
  expect((await reset(first)).retCode).toBe(codes.resetLinkInvalid)
  one.runtime.db
    .update(accountTokens)
    .set({ expiresAt: Date.now() - 1 })

    .run()
  expect((await reset(second)).retCode).toBe(codes.resetLinkInvalid)
  expect((await reset('')).data.fields).toEqual({ token: 'required' })
})

test('A9: a password that is too weak, or typed differently, is refused at its field and costs no link', async () => {
  await ask(owner.account)
  const token = tokenIn(await letter())
  expect((await reset(token, { password: 'short1!', repeat: 'short1!' })).data.fields).toEqual({
    password: 'passwordShort',
  })
  expect((await reset(token, { repeat: 'Other-Gat3!' })).data.fields).toEqual({ repeat: 'passwordsDiffer' })
  const plain = await stranger().post('auth/reset-password', { token, ...fresh }, { 'x-forwarded-proto': 'http' })
  expect(plain.retCode).toBe(codes.secureOnly)
  expect((await reset(token)).retCode).toBe(0)
})

test('forgot account: the names of an address, to that address alone', async () => {
  await stranger().post('auth/forgot-username', { email: ' marta@\u200bexample.test' })
  const text = await letter()
  expect(letters[0]?.to).toEqual(['Marta@example.test'])
  expect(text).toContain(`Your account is: ${owner.account}`)
  expect((await stranger().post('auth/forgot-username', { email: 'no address' })).data.fields).toEqual({
    email: 'emailFormat',
  })
})

test('nobody fills a mailbox: three links an hour for an account, whoever asks', async () => {
  for (let n = 0; n < 5; n++) expect((await ask(owner.account, `10.1.1.${n}`)).retCode).toBe(0)
  await until(() => letters.length === 3)
  await settled()
  expect(letters).toHaveLength(4)
})

test('one address asks twenty times in ten minutes, whatever for; then it is told to wait', async () => {
  const answers = []
  for (let n = 0; n < 21; n++) answers.push((await ask(`nobody.${n}`)).retCode)
  expect(answers).toEqual([...Array(20).fill(0), codes.rateLimited])
  expect((await reset('x')).retCode).toBe(codes.rateLimited)
  expect((await ask('nobody.1', '10.1.1.1')).retCode).toBe(0)
})

test('the link begins with the address that is set, whatever Host says', async () => {
  await stranger().post(
    'auth/forgot-password',
    { account: owner.account },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  )
  expect(await letter()).not.toContain('evil')
})

test('without a mail server it is said that nothing can be sent', async () => {
  await browser.post('system-settings/smtp/delete')
  expect((await ask(owner.account)).retCode).toBe(codes.mailNotSet)
  expect((await ask('nobody.1')).retCode).toBe(codes.mailNotSet)
})

describe('one’s own mail address', () => {
  const save = (email: string, password = owner.password, headers = {}) =>
    browser.post('account/email/save', { email, password }, headers)
  const confirm = (code: string) => browser.post('account/email/confirm', { code })
  const codeIn = async (n = 0) => /^(\d{6})\r?$/m.exec(await letter(n))?.[1] ?? ''
  const stored = () => one.runtime.db.select().from(accounts).get()?.email

  test('counts once the code that was sent there is typed; the former one is told', async () => {
    expect(await save(' New@\u200bexample.test')).toMatchObject({ retCode: 0, data: { code: true } })
    const code = await codeIn()
    expect(letters[0]?.to).toEqual(['New@example.test'])
    expect([stored(), JSON.stringify((await browser.post('mail/list')).data)]).not.toContain('New@example.test')
    expect((await confirm(code)).retCode).toBe(0)
    expect(stored()).toBe('New@example.test')
    expect(await letter(1)).toContain('go to another address')
    expect(letters[1]?.to).toEqual(['Marta@example.test'])
    expect((await confirm(code)).retCode).toBe(codes.emailCodeWrong)
  })

  test('another code is sent a minute later, to the same address, and the first is worth nothing', async () => {
    const again = () => browser.post('code/generate-code')
    expect((await again()).data.fields).toEqual({ code: 'codeGone' })
    await save('new@example.test')
    const first = await codeIn()
    expect((await again()).retCode).toBe(codes.resendTooSoon)
    // A minute goes by.
    one.runtime.sqlite.exec('UPDATE account_tokens SET expires_at = expires_at - 60000')
    expect(await again()).toMatchObject({ retCode: 0, data: { email: 'new@example.test' } })
    const second = await codeIn(1)
    expect(letters[1]?.to).toEqual(['new@example.test'])
    if (first !== second) expect((await confirm(first)).data.fields).toEqual({ code: 'codeWrong' })
    expect((await confirm(second)).retCode).toBe(0)
    expect(stored()).toBe('new@example.test')
    expect((await again()).retCode).toBe(codes.emailCodeWrong)
  })

  test('three wrong codes, and the right one is worth nothing', async () => {
    await save('new@example.test')
    const code = await codeIn()
    const wrong = code === '000000' ? '000001' : '000000'
    const said = []
    for (let n = 0; n < 3; n++) said.push((await confirm(wrong)).data.fields)
    expect(said).toEqual([{ code: 'codeWrong' }, { code: 'codeWrong' }, { code: 'codeGone' }])
    expect((await confirm(code)).retCode).toBe(codes.emailCodeWrong)
    expect(stored()).toBe('Marta@example.test')
  })

  test('needs the password, over https; links that were sent to the former address are worth nothing', async () => {
    expect((await save('new@example.test', 'Wr0ng-Passw!')).data.fields).toEqual({ password: 'passwordWrong' })
    expect((await save('new@example.test', owner.password, { 'x-forwarded-proto': 'http' })).retCode).not.toBe(0)
    await ask(owner.account)
    const token = tokenIn(await letter())
    expect((await save('new@example.test')).retCode).toBe(0)
    await confirm(await codeIn(1))
    expect((await reset(token)).retCode).toBe(codes.resetLinkInvalid)
  })

  test('without a mail server it counts at once', async () => {
    await browser.post('system-settings/smtp/delete')
    expect((await save('new@example.test')).data).toEqual({ code: false })
    expect(stored()).toBe('new@example.test')
  })
})

describe('letters about what is changed in the console', () => {
  const to = (address: string, words: string) =>
    until(() => letters.find(each => each.to[0] === address && decoded(each.text).includes(words)))

  test('a password, a second factor, somebody’s address: its owner hears of it, at the former address too', async () => {
    await browser.post('account/password', { oldPassword: owner.password, ...fresh })
    await to('Marta@example.test', 'was changed from')
    const password = fresh.password
    const { secret } = (await browser.post('mfa/setup', { password })).data as { secret: string }
    const on = await browser.post('mfa/enable', { code: codeOf(secret, Date.now()) })
    await to('Marta@example.test', 'Two-factor sign-in was turned on')
    const [recoveryCode] = on.data.recoveryCodes as string[]
    expect((await browser.post('mfa/disable', { password, recoveryCode })).retCode).toBe(0)
    await to('Marta@example.test', 'Two-factor sign-in was turned off')

    const { account } = await person(one, { role: 'guestEditor', networks: [1] })
    const people = one.runtime.db.update(accounts)
    people.set({ email: 'old@example.test', mfa: 'x' }).where(eq(accounts.id, account.id)).run()
    const fields = { username: 'Ana 1', role: 'guestEditor', networks: [1] }
    const edit = (email: string) => browser.post('users/edit', { id: account.id, ...fields, email })
    expect((await edit('new@example.test')).retCode).toBe(0)
    await to('old@example.test', 'go to another address')
    await to('new@example.test', 'set this address for the account')
    expect((await browser.post('mfa/force', { id: account.id })).retCode).toBe(0)
    await to('new@example.test', 'removed two-factor sign-in')
  })

  test('a sign-in by another browser is told, one by the same is not', async () => {
    const right = { userName: owner.account, userPwd: passwordDigest(owner.password) }
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    // The first one of all is told to nobody.
    expect((await browser.post('login', right)).retCode).toBe(0)
    const other = stranger('10.4.4.4')
    expect((await other.post('login', right, agent)).retCode).toBe(0)
    const said = decoded((await to('Marta@example.test', 'not seen before')).text)
    expect(said).toContain('From: 10.4.4.4')
    expect(said).toContain('Browser: Firefox, Linux')
    expect((await other.post('login', right, agent)).retCode).toBe(0)
    expect((await browser.post('login', right)).retCode).toBe(0)
    await settled()
    expect(letters.filter(each => each.text.includes('New sign-in'))).toHaveLength(1)
  })
})

test('A20: the message with a code names the code and its ten minutes', () => {
  expect(mailWords.emailCode.text).toMatch(/\{code\}/)
  expect(mailWords.emailCode.text).toContain('10 minutes')
})
