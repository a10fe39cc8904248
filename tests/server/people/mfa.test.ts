import { codes } from '@/model/codes'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { person } from '../_people'
import { type Clock, codeOf, right, stillClock, turnOn } from '../_second-factor'

let manager: Manager
let clock: Clock
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
  clock = stillClock()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await manager.stop()
})

async function signedIn(address?: string) {
  const browser = manager.browser(address)
  expect((await browser.post('login', right)).retCode).toBe(0)
  return browser
}
const minute = 60_000
const security = { sessionTimeout: 60, syncTimeouts: true, passwordNoticeDays: 90, forceMfa: false }

test('A3: six digits, trimmed; the code of one step before or after is taken, none twice, none further away', async () => {
  const browser = await signedIn()
  const { secret } = await turnOn(browser, clock)
  const guess = manager.browser('10.0.0.9')
  for (const checkCode of ['', '12345', '1234567', '12345a', '１２３４５６', '12 345'])
    expect((await guess.post('login', { ...right, checkCode })).data.fields).toEqual({ checkCode: 'mfaCode' })
  const next = codeOf(secret, clock.now())
  expect((await browser.post('login', { ...right, checkCode: ` ${next} ` })).retCode).toBe(0)
  expect((await guess.post('login', { ...right, checkCode: next })).retCode).toBe(codes.mfaWrong)
  clock.pass(10 * minute)
  for (const [steps, retCode] of [
    [-2, codes.mfaWrong],
    [2, codes.mfaWrong],
    [-1, 0],
    [0, 0],
    [1, 0],
    [1, codes.mfaWrong],
    [0, codes.mfaWrong],
  ] as const) {
    const one = manager.browser(`10.0.1.${steps + 10}`)
    one.cookies.set('lanward.browser', browser.cookies.get('lanward.browser') ?? '')
    manager.runtime.sqlite.exec('DELETE FROM sign_in_failures')
    expect([
      steps,
      (await one.post('login', { ...right, checkCode: codeOf(secret, clock.now(), steps) })).retCode,
    ]).toEqual([steps, retCode])
  }
})

test('with a second factor the password opens no session: the code does, from the same browser, within ten minutes', async () => {
  const { secret } = await turnOn(await signedIn(), clock)
  const browser = manager.browser()
  expect((await browser.post('auth/check-factor', right)).data).toMatchObject({ googleAuth: '1' })
  expect((await browser.post('login', right)).data).toMatchObject({ url: '/login/mfa', googleAuth: '1' })
  expect((await browser.post('account/info')).status).toBe(401)
  expect((await manager.browser().post('login', { checkCode: codeOf(secret, clock.now()) })).retCode).toBe(
    codes.mfaExpired,
  )
  expect((await browser.post('auth/pending-factor')).data).toEqual({ account: owner.account, wanted: 'code' })
  clock.pass(10 * minute + 1)
  expect((await browser.post('login', { checkCode: codeOf(secret, clock.now()) })).retCode).toBe(codes.mfaExpired)
  await browser.post('login', right)
  expect((await browser.post('login', { checkCode: codeOf(secret, clock.now()) })).retCode).toBe(0)
  expect((await browser.post('account/info')).status).toBe(200)
})

test('check-factor: 0 without a second factor; a wrong password says nothing of it and counts', async () => {
  const browser = manager.browser()
  expect((await browser.post('auth/check-factor', right)).data).toEqual({ googleAuth: '0', mfaSetup: false })
  expect((await browser.post('account/info')).status).toBe(401)
  const wrong = await browser.post('auth/check-factor', { ...right, userPwd: '0'.repeat(64) })
  expect([wrong.retCode, wrong.data.remainCount]).toEqual([codes.wrongPassword, 3])
})

test('1111009: wrong codes tell the attempts left (lock 1), the fourth locks for 30 minutes (lock 2), the right one too', async () => {
  const { secret } = await turnOn(await signedIn(), clock)
  const browser = manager.browser()
  await browser.post('login', right)
  const wrong = codeOf(secret, clock.now(), 5)
  for (const remainCount of [3, 2, 1]) {
    const answer = await browser.post('login', { checkCode: wrong })
    expect(answer.retCode).toBe(codes.mfaWrong)
    expect(answer.data).toMatchObject({ lockStatus: 1, remainCount })
  }
  const fourth = await browser.post('login', { checkCode: wrong })
  expect(fourth.retCode).toBe(codes.mfaWrong)
  expect(fourth.data).toMatchObject({ lockStatus: 2, lockTime: 30 })
  expect((await browser.post('login', { checkCode: codeOf(secret, clock.now()) })).retCode).toBe(codes.accountLocked)
  clock.pass(30 * minute + 1)
  await browser.post('login', right)
  expect((await browser.post('login', { checkCode: codeOf(secret, clock.now()) })).retCode).toBe(0)
})

test('a right password does not forget wrong codes', async () => {
  const { secret } = await turnOn(await signedIn(), clock)
  const browser = manager.browser()
  await browser.post('login', right)
  for (const steps of [5, 6]) await browser.post('login', { checkCode: codeOf(secret, clock.now(), steps) })
  expect((await browser.post('login', right)).retCode).toBe(codes.codeRequired)
})

test.each(['mfa/disable', 'mfa/recovery-codes'])(
  '%s: who has a session and the password has no more tries at the code than anybody',
  async path => {
    const browser = await signedIn()
    const { secret } = await turnOn(browser, clock)
    const password = owner.password
    const guess = async () => (await browser.post(path, { password, code: codeOf(secret, clock.now(), 9) })).retCode
    for (let n = 0; n < 4; n++) expect(await guess()).toBe(codes.mfaWrong)
    expect(await guess()).toBe(codes.accountLocked)
    // Nor does the password by itself, entered for something else, give new ones.
    const changed = { oldPassword: password, password: 'Harbour-9-lights', repeat: 'Harbour-9-lights' }
    expect((await browser.post('account/password', changed)).retCode).toBe(codes.accountLocked)
    clock.pass(30 * minute + 1)
    const right = { password, code: codeOf(secret, clock.now()) }
    expect((await browser.post(path, right)).retCode).toBe(0)
    expect(manager.runtime.sqlite.prepare('SELECT count(*) AS n FROM sign_in_failures').get()).toEqual({ n: 0 })
  },
)

test('each of ten recovery codes signs in once; they are stored as digests; new ones end the former', async () => {
  const browser = await signedIn()
  const { secret, recoveryCodes } = await turnOn(browser, clock)
  expect(new Set(recoveryCodes).size).toBe(10)
  const stored = JSON.stringify(manager.runtime.sqlite.prepare('SELECT * FROM recovery_codes').all())
  for (const code of recoveryCodes) expect(stored).not.toContain(code)
  const [first = '', second = '', third = ''] = recoveryCodes
  const use = async (recoveryCode: string) =>
    (await manager.browser('10.0.0.8').post('login', { ...right, recoveryCode })).retCode
  expect(await use(first.toLowerCase().replace('-', ' '))).toBe(0)
  expect(await use(first)).toBe(codes.mfaWrong)
  expect((await browser.post('auth/mfa-info')).data).toMatchObject({ enabled: true, recoveryLeft: 9 })
  const proof = { password: owner.password, recoveryCode: second }
  const renewed = (await browser.post('mfa/recovery-codes', proof)).data.recoveryCodes as string[]
  expect(renewed).toHaveLength(10)
  manager.runtime.sqlite.exec('DELETE FROM sign_in_failures')
  expect(await use(third)).toBe(codes.mfaWrong)
  expect(codeOf(secret, clock.now())).toMatch(/^\d{6}$/)
})

test('turning it on or off asks the password, off a code too, and ends the other sessions', async () => {
  const browser = await signedIn()
  const other = await signedIn('10.0.0.7')
  expect((await browser.post('mfa/setup')).data.fields).toEqual({ password: 'required' })
  const refused = await browser.post('mfa/setup', { password: 'Wr0ng!pass' })
  expect([refused.retCode, refused.data.fields, refused.data.remainCount]).toEqual([
    codes.oldPasswordWrong,
    { password: 'passwordWrong' },
    3,
  ])
  expect((await browser.post('mfa/enable', { code: '123456' })).retCode).toBe(codes.mfaExpired)
  const { secret } = await turnOn(browser, clock)
  expect((await other.post('account/info')).status).toBe(401)
  expect((await browser.post('mfa/setup', { password: owner.password })).retCode).toBe(codes.mfaOn)
  const disable = (input: Record<string, unknown>) => browser.post('mfa/disable', input)
  expect((await disable({ password: owner.password })).data.fields).toEqual({ code: 'required' })
  expect((await disable({ password: 'Wr0ng!pass', code: codeOf(secret, clock.now()) })).retCode).toBe(
    codes.oldPasswordWrong,
  )
  expect((await disable({ password: owner.password, code: codeOf(secret, clock.now(), 5) })).data.fields).toEqual({
    code: 'mfaCodeWrong',
  })
  expect((await disable({ password: owner.password, code: codeOf(secret, clock.now()) })).retCode).toBe(0)
  expect((await browser.post('auth/mfa-info')).data).toMatchObject({ enabled: false, recoveryLeft: 0 })
  expect((await browser.post('account/info')).status).toBe(200)
})

test('forced: who has none sets it up before anything else, and cannot turn it off', async () => {
  const admin = await signedIn()
  expect((await admin.post('account/security/save', { ...security, forceMfa: true })).retCode).toBe(0)
  const browser = manager.browser()
  expect((await browser.post('login', right)).data).toMatchObject({ url: '/login/mfa', mfaSetup: true })
  expect((await browser.post('account/info')).status).toBe(401)
  expect((await manager.browser().post('mfa/setup')).retCode).toBe(codes.mfaExpired)
  const { secret, qr } = (await browser.post('mfa/setup')).data as { secret: string; qr: { path: string } }
  expect(qr.path).toMatch(/^M\d/)
  expect((await browser.post('mfa/enable', { code: codeOf(secret, clock.now(), 5) })).data.fields).toEqual({
    code: 'mfaCodeWrong',
  })
  const enabled = await browser.post('mfa/enable', { code: codeOf(secret, clock.now()) })
  expect(enabled.data.recoveryCodes).toHaveLength(10)
  expect((await browser.post('account/info')).status).toBe(200)
  const proof = { password: owner.password, code: codeOf(secret, clock.now(), 1) }
  expect((await browser.post('mfa/disable', proof)).retCode).toBe(codes.mfaForced)
})

test('check-factor: 2 where this browser was to set one up, and another did meanwhile', async () => {
  const admin = await signedIn()
  await admin.post('account/security/save', { ...security, forceMfa: true })
  const [first, second] = [manager.browser(), manager.browser()]
  expect((await first.post('auth/check-factor', right)).data).toEqual({ googleAuth: '0', mfaSetup: true })
  await second.post('login', right)
  clock.pass(1000)
  const { secret } = (await second.post('mfa/setup')).data as { secret: string }
  await second.post('mfa/enable', { code: codeOf(secret, clock.now()) })
  expect((await first.post('auth/check-factor', right)).data).toMatchObject({ googleAuth: '2' })
  expect((await manager.browser().post('auth/check-factor', right)).data).toMatchObject({ googleAuth: '1' })
})

test('a password that was changed meanwhile, and an account that was disabled, end a sign-in half way', async () => {
  const { secret } = await turnOn(await signedIn(), clock)
  const browser = manager.browser()
  await browser.post('login', right)
  manager.runtime.sqlite.prepare('UPDATE accounts SET password_changed_at = ?').run(clock.now() + 1)
  const code = { checkCode: codeOf(secret, clock.now()) }
  expect((await browser.post('login', code)).retCode).toBe(codes.mfaExpired)
  manager.runtime.sqlite.exec("UPDATE accounts SET password_changed_at = 0, state = 'disabled'")
  expect((await browser.post('login', code)).retCode).toBe(codes.accountDisabled)
})

test('secrets of the second factor are sealed, and pass over no plain line', async () => {
  const browser = await signedIn()
  const { secret } = await turnOn(browser, clock)
  const { mfa } = manager.runtime.sqlite.prepare('SELECT mfa FROM accounts').get() as { mfa: string }
  expect(mfa).toMatch(/^v1\./)
  expect(mfa).not.toContain(secret)
  browser.cookies.set('next-auth.session-token', browser.cookies.get('__Secure-next-auth.session-token') ?? '')
  const plain = { 'x-forwarded-proto': 'http' }
  for (const path of ['mfa/setup', 'mfa/disable', 'mfa/recovery-codes'])
    expect([path, (await browser.post(path, { password: 'x' }, plain)).retCode]).toEqual([path, codes.secureOnly])
})

test('removed by force: the sessions end, and the person comes back by a new invitation, with a new password', async () => {
  const admin = await signedIn()
  const other = await person(manager, { role: 'networkAdministrator' })
  const force = () => admin.post('mfa/force', { id: other.account.id })
  expect((await force()).retCode).toBe(codes.mfaOff)
  manager.runtime.sqlite.prepare("UPDATE accounts SET mfa = 'x' WHERE id = ?").run(other.account.id)
  expect((await other.post('mfa/force', { id: 1 })).retCode).toBe(codes.noAuthority)
  const { link } = (await force()).data as { link: string }
  expect((await other.post('account/info')).status).toBe(401)
  const password = 'Nw8!zK3pQ5'
  const input = { token: link.split('#')[1], username: 'Other 1', password, repeat: password }
  expect((await other.post('auth/activate', input)).retCode).toBe(0)
  const login = { userName: other.account.account, userPwd: passwordDigest(password) }
  expect((await other.post('login', login)).data).toMatchObject({ url: '', googleAuth: '0' })
})
