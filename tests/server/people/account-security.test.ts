import { codes } from '@/model/codes'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { right } from '../_second-factor'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
})
afterEach(() => manager.stop())

async function signedIn(address?: string) {
  const browser = manager.browser(address)
  expect((await browser.post('login', right)).retCode).toBe(0)
  return browser
}
const security = { sessionTimeout: 60, syncTimeouts: true, passwordNoticeDays: 90, forceMfa: false }
const session = '__Secure-next-auth.session-token'
const dayMs = 86_400_000

test('A9: a new password is checked here too; the old one is asked, and the other sessions end', async () => {
  const browser = await signedIn()
  const other = await signedIn('10.0.0.6')
  const change = (oldPassword: string, password: string, repeat = password) =>
    browser.post('account/password', { oldPassword, password, repeat })
  for (const [password, problem] of [
    ['Hk7#mQ2', 'passwordShort'],
    ['Hk7#mQ2xHk7#mQ2xw', 'passwordLong'],
    ['Hk7mQ2xpd', 'passwordSymbol'],
    ['Hk7#mQ2xabc', 'passwordConsecutive'],
    ['Hk7#mQ2x321', 'passwordConsecutive'],
    ['Hk7#mQ2xaaa', 'passwordRepeated'],
  ] as const) {
    const { fields } = (await change(owner.password, password)).data
    expect([password, fields]).toEqual([password, { password: problem }])
  }
  expect((await change(owner.password, 'Nw8!zK3p', 'Nw8!zK3q')).data.fields).toEqual({ repeat: 'passwordsDiffer' })
  expect((await change(owner.password, owner.password)).data.fields).toEqual({ password: 'passwordSame' })
  expect((await other.post('account/info')).status).toBe(200)
  for (const password of ['Nw8!zK3p', 'Nw8!zK3pQ5#tY7vM']) {
    const old = password === 'Nw8!zK3p' ? owner.password : 'Nw8!zK3p'
    expect((await change(old, password)).retCode).toBe(0)
  }
  expect((await other.post('account/info')).status).toBe(401)
  expect((await browser.post('account/info')).status).toBe(200)
  expect((await manager.browser('10.0.0.8').post('login', right)).retCode).toBe(codes.wrongPassword)
})

test('a wrong old password counts as a try at signing in: the fourth locks that browser', async () => {
  const browser = await signedIn()
  const guess = () =>
    browser.post('account/password', { oldPassword: 'Wr0ng!pass', password: 'Nw8!zK3p', repeat: 'Nw8!zK3p' })
  for (const remainCount of [3, 2, 1]) {
    const answer = await guess()
    expect(answer.retCode).toBe(codes.oldPasswordWrong)
    expect(answer.data).toMatchObject({ lockStatus: 1, remainCount, fields: { oldPassword: 'passwordWrong' } })
  }
  expect((await guess()).retCode).toBe(codes.accountLocked)
  expect((await browser.post('login', right)).retCode).toBe(codes.accountLocked)
  expect((await manager.browser().post('login', right)).retCode).toBe(0)
})

test('no language is kept for an account that no letter to it can be written in', async () => {
  const browser = await signedIn()
  const kept = async () => (await browser.post('account/info')).data.locale
  for (const locale of ['!!', '__proto__', 'constructor', 'xx-broken', 'en-GB']) {
    expect((await browser.post('account/save', { locale })).retCode).toBe(0)
    expect([locale, await kept()]).toEqual([locale, 'en'])
  }
  expect((await browser.post('account/save', { locale: 'de' })).data.fields).toEqual({ locale: 'notAllowed' })
})

test('a password passes over no plain line, except from this machine', async () => {
  const input = { oldPassword: owner.password, password: 'Nw8!zK3p', repeat: 'Nw8!zK3p' }
  for (const [address, retCode] of [
    ['10.0.0.5', codes.secureOnly],
    ['127.0.0.1', 0],
  ] as const) {
    const browser = manager.browser(address)
    const plain = { 'x-forwarded-proto': 'http' }
    await browser.post('login', right, plain)
    expect([address, (await browser.post('account/password', input, plain)).retCode]).toEqual([address, retCode])
  }
})

test('A16: the time-out is 5 to 1440 minutes; one for all, or an own one where that is allowed', async () => {
  const browser = await signedIn()
  const save = (change: object) => browser.post('account/security/save', { ...security, ...change })
  const timeout = async () => (await browser.post('account/info')).data.sessionTimeout
  for (const [sessionTimeout, problem] of [
    [4, 'tooSmall'],
    [1441, 'tooLarge'],
    [5.5, 'wrongType'],
  ] as const)
    expect((await save({ sessionTimeout })).data.fields).toEqual({ sessionTimeout: problem })
  for (const sessionTimeout of [5, 1440]) {
    expect((await save({ sessionTimeout })).retCode).toBe(0)
    expect(await timeout()).toBe(sessionTimeout)
  }
  expect((await browser.post('account/save', { sessionTimeout: 30 })).data.fields).toEqual({
    sessionTimeout: 'timeoutForAll',
  })
  await save({ syncTimeouts: false })
  expect((await browser.post('account/save', { sessionTimeout: 4 })).data.fields).toEqual({
    sessionTimeout: 'tooSmall',
  })
  expect((await browser.post('account/save', { sessionTimeout: 5 })).retCode).toBe(0)
  expect(await timeout()).toBe(5)
  await save({ syncTimeouts: true })
  await save({ syncTimeouts: false })
  expect(await timeout()).toBe(60)
  await browser.post('account/save', { sessionTimeout: 5 })
  manager.runtime.sqlite.prepare('UPDATE sessions SET seen_at = seen_at - ?').run(6 * 60_000)
  expect((await browser.post('account/info')).status).toBe(401)
})

test('one’s own settings are kept, told in the changelog with what they were, and refused at their field', async () => {
  const browser = await signedIn()
  const log = () =>
    manager.runtime.sqlite
      .prepare("SELECT object, name, fields FROM changelog WHERE action IN ('edit', 'call') ORDER BY id")
      .all() as { object: string; name: string; fields: string }[]
  const before = log().length
  const change = { username: 'Ana M. 2', company: 'Quay Ltd', timeFormat: { format: 'dd/MM/yyyy', hour: 12 } }
  expect((await browser.post('account/save', { ...change, appearance: 2, locale: 'en-GB' })).retCode).toBe(0)
  expect((await browser.post('account/info')).data).toMatchObject({ ...change, appearance: 2, locale: 'en' })
  expect([browser.cookies.get('theme'), browser.cookies.get('locale')]).toEqual(['2', 'en'])
  const [entry] = log().slice(before)
  expect([entry?.object, entry?.name]).toEqual(['account', owner.account])
  expect(JSON.parse(entry?.fields ?? '')).toEqual({
    username: [owner.account, 'Ana M. 2'],
    company: ['', 'Quay Ltd'],
  })
  // How pages look to oneself is kept and no entry.
  const looks = { appearance: 1, locale: 'en', timezone: 'Europe/Rome', timeFormat: { format: 'yyyy-MM-dd', hour: 24 } }
  expect((await browser.post('account/save', looks)).retCode).toBe(0)
  expect((await browser.post('account/info')).data).toMatchObject(looks)
  expect(log()).toHaveLength(before + 1)
  // Saved again it is no change.
  expect((await browser.post('account/save', change)).retCode).toBe(0)
  expect(log()).toHaveLength(before + 1)
  for (const [wrong, field] of [
    [{ username: 'ana' }, 'username'],
    [{ username: '77' }, 'username'],
    [{ username: `1${'x'.repeat(64)}` }, 'username'],
    [{ company: 'x'.repeat(129) }, 'company'],
    [{ locale: 'sk' }, 'locale'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timeFormat: { format: 'd.M.yy', hour: 24 } }, 'timeFormat.format'],
    [{ timeFormat: { format: 'dd/MM/yyyy', hour: 13 } }, 'timeFormat.hour'],
    [{ appearance: 4 }, 'appearance'],
  ] as const)
    expect(Object.keys((await browser.post('account/save', wrong)).data.fields as object)).toEqual([field])
  expect(log()).toHaveLength(before + 1)
})

test('the notice about an old password comes after the set days, can be put off until the next sign-in, and 0 days turn it off', async () => {
  const browser = await signedIn()
  const shown = async () => (await browser.post('auth/password-notice')).data.isShowPasswordUpdateNotice
  const age = (days: number) =>
    manager.runtime.sqlite.prepare('UPDATE accounts SET password_changed_at = ?').run(Date.now() - days * dayMs)
  age(89)
  expect(await shown()).toBe(0)
  age(90)
  expect(await shown()).toBe(1)
  expect((await browser.post('auth/password-notice/later')).retCode).toBe(0)
  expect(await shown()).toBe(0)
  await browser.post('login', right)
  expect(await shown()).toBe(1)
  await browser.post('account/security/save', { ...security, passwordNoticeDays: 0 })
  expect(await shown()).toBe(0)
})

test('one sees the own sessions in words, ends one or all others, and nobody else’s', async () => {
  manager.runtime.sqlite.exec('DELETE FROM sessions')
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
  const other = manager.browser('10.0.0.6')
  await other.post('login', right, { 'user-agent': firefox })
  const browser = await signedIn()
  const list = async () => (await browser.post('sessions/list')).data.result as Record<string, unknown>[]
  const [own, second] = await list()
  expect(own).toMatchObject({ address: '10.0.0.5', current: true })
  expect(second).toMatchObject({ address: '10.0.0.6', browser: 'Firefox', system: 'Linux', current: false })
  expect((await browser.post('sessions/end', { id: own?.id })).retCode).toBe(codes.sessionNotFound)
  expect((await browser.post('sessions/end', { id: second?.id })).retCode).toBe(0)
  expect((await other.post('account/info')).status).toBe(401)
  const third = await signedIn('10.0.0.7')
  expect(await list()).toHaveLength(2)
  expect((await browser.post('sessions/end-others')).retCode).toBe(0)
  expect((await third.post('account/info')).status).toBe(401)
  expect(await list()).toHaveLength(1)
})

test('A17: addresses and segments of both versions, each once however it is written', async () => {
  const browser = await signedIn('127.0.0.1')
  const add = async (ip: string) => {
    const { retCode, data } = await browser.post('ip-whitelist/add', { ip })
    return retCode === 0 ? data.ip : [retCode, (data.fields as Record<string, string>).ip]
  }
  for (const [ip, answer] of [
    ['10.0.0.5', '10.0.0.5/32'],
    ['10.0.0.5/32', [codes.ipExists, 'ipExists']],
    ['::ffff:10.0.0.5', [codes.ipExists, 'ipExists']],
    ['192.168.0.0/16', '192.168.0.0/16'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.168.0.1/16', [codes.ipIllegal, 'hostBits']],
    ['192.168.0.0/33', [codes.ipIllegal, 'addressOrSegment']],
    ['192.168.0.256', [codes.ipIllegal, 'addressOrSegment']],
    ['10.0.0', [codes.ipIllegal, 'addressOrSegment']],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::/32', [codes.ipExists, 'ipExists']],
    ['2001:db8::1/128', '2001:db8::1/128'],
    ['2001:db8::/129', [codes.ipIllegal, 'addressOrSegment']],
    ['fe80::1%eth0', [codes.ipIllegal, 'addressOrSegment']],
    ['', [codes.invalidInput, 'required']],
  ] as const)
    expect([ip, await add(ip)]).toEqual([ip, answer])
})

test('1140001-1140008: the list holds for sign-in, sessions and checks, and nobody can lock themselves out', async () => {
  const browser = await signedIn('10.0.0.5')
  const outside = await signedIn('192.0.2.1')
  const add = (ip: string) => browser.post('ip-whitelist/add', { ip })
  expect((await add('192.0.2.0/24')).retCode).toBe(codes.ipLocksOut)
  const own = (await add('10.0.0.0/24')).data.id
  expect((await outside.post('account/info')).status).toBe(401)
  expect((await outside.post('login', right)).retCode).toBe(codes.ipRefused)
  const further = (await add('2001:db8::/32')).data.id
  const update = (id: unknown, ip: string) => browser.post('ip-whitelist/update', { id, ip, remark: 'office' })
  expect((await update(own, '10.0.1.0/24')).retCode).toBe(codes.ipUneditable)
  expect((await update(9999, '10.0.1.0/24')).retCode).toBe(codes.ipNotFound)
  expect((await update(own, '2001:db8::/32')).retCode).toBe(codes.ipExists)
  expect((await update(own, '10.0.0.0/25')).retCode).toBe(0)
  expect((await browser.post('ip-whitelist/delete', { id: own })).retCode).toBe(codes.ipUndeletable)
  expect((await browser.post('ip-whitelist/delete', { id: 9999 })).retCode).toBe(codes.ipNotFound)
  const check = async (ip: string) => (await browser.post('ip-whitelist/check', { ip })).data
  expect(await check('10.0.0.128')).toEqual({ allowed: false, entry: null })
  expect(await check('2001:db8:1::9')).toEqual({ allowed: true, entry: '2001:db8::/32' })
  expect(await check('::1')).toEqual({ allowed: true, entry: null })
  expect((await browser.post('ip-whitelist/check', { ip: '10.0.0.0/24' })).retCode).toBe(codes.ipIllegal)
  expect((await browser.post('ip-whitelist/current')).data).toEqual({ ip: '10.0.0.5', loopback: false, listed: true })
  expect((await manager.browser('127.0.0.1').post('login', right)).retCode).toBe(0)
  await browser.post('ip-whitelist/delete', { id: further })
  expect((await browser.post('ip-whitelist/delete', { id: own })).retCode).toBe(0)
  expect((await outside.post('login', right)).retCode).toBe(0)
})

test('a session’s cookie from before the sign-in is never the one after it', async () => {
  const browser = manager.browser()
  browser.cookies.set(session, 'chosen-by-somebody-else')
  await browser.post('login', right)
  const first = browser.cookies.get(session)
  expect(first).not.toBe('chosen-by-somebody-else')
  await browser.post('login', right)
  const second = browser.cookies.get(session)
  expect(second).not.toBe(first)
  browser.cookies.set(session, first ?? '')
  expect((await browser.post('account/info')).status).toBe(401)
  browser.cookies.set(session, second ?? '')
  expect((await browser.post('account/info')).status).toBe(200)
})

test('a value that somebody put into a browser does not let them past the lock of an account', async () => {
  const planted = 'chosen-by-somebody-else'
  const browser = manager.browser()
  browser.cookies.set('lanward.browser', planted)
  await browser.post('login', right)
  const lock = manager.runtime.sqlite.prepare('INSERT INTO sign_in_locks (account, address, until) VALUES (?, ?, ?)')
  lock.run(owner.account, '*', Date.now() + dayMs)
  const other = manager.browser('10.0.0.9')
  other.cookies.set('lanward.browser', planted)
  expect((await other.post('login', right)).retCode).toBe(codes.accountLocked)
  expect((await browser.post('login', right)).retCode).toBe(0)
})
