// The people of a manager: who is listed, added, invited, changed, shut out and deleted, and by whom.
import { desc, eq } from 'drizzle-orm'
import { accounts, changelog, mails, sessions } from '@/db/schema'
import { codes } from '@/model/codes'
import { valuesPlace } from '@/server/mail/queue'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { countFailure } from '@/server/people/accounts/lock'
import { saveMailServer } from '../_mail-server'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, type Person, person, role, signedIn } from '../_people'

let manager: Manager
let owner: Browser
let other: number
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  other = network(manager, 'Other house')
})
afterAll(() => manager.stop())

type User = Record<string, unknown> & { id: number; account: string; why: string; state: string }
const usersOf = async (browser: Browser, input: object = {}) =>
  (await browser.post('users/list', { pageSize: 200, ...input })).data.result as User[]
const userOf = async (name: string) => (await usersOf(owner)).find(user => user.account === name)
const logged = () => {
  const row = manager.runtime.db.select().from(changelog).orderBy(desc(changelog.id)).limit(1).get()
  return row && { action: row.action, object: row.object, name: row.name, fields: JSON.parse(row.fields) as unknown }
}
const open = (id: number) => manager.runtime.db.select().from(sessions).where(eq(sessions.account, id)).all().length
const tokenOf = (link: unknown) => String(link).split('#')[1] ?? ''
const editor = { role: 'guestEditor', networks: [1] }
let added = 0
const fresh = async (input: object = {}, by: Browser = owner) => {
  added += 1
  const account = `fresh${added}`
  const answer = await by.post('users/add', { account, ...editor, ...input })
  expect(answer.retCode).toBe(0)
  return { account, id: Number(answer.data.id), token: tokenOf(answer.data.link), link: answer.data.link }
}
const good = 'Gr8!mole-x'
const nobody = () => manager.browser(`10.1.0.${(added % 200) + 1}`)

describe('adding somebody', () => {
  test('gives a link once where no mail server is set; opened, it sets name and password, and they sign in', async () => {
    const made = await fresh({ username: 'Ana 1', email: 'ana\u200b@quay.example', company: 'Quay' })
    expect(made.link).toMatch(/^\/login\/activate#[\w-]{43}$/)
    expect(logged()).toEqual({
      ...{ action: 'add', object: 'user', name: made.account },
      fields: {
        ...{ username: [null, 'Ana 1'], email: [null, 'ana@quay.example'], company: [null, 'Quay'] },
        ...{ role: [null, 'guestEditor'], networks: [null, 'Harbour House'] },
      },
    })
    expect(await userOf(made.account)).toMatchObject({ state: 'inactivated', email: 'ana@quay.example', why: '' })
    const guest = nobody()
    const before = { userName: made.account, userPwd: passwordDigest(good) }
    expect((await guest.post('login', before)).retCode).toBe(codes.wrongPassword)
    const { token } = made
    expect((await guest.post('auth/activation', { token })).data).toMatchObject({
      ...{ account: made.account, username: 'Ana 1', manager: 'Harbour House', secure: true },
    })
    const entered = { token, username: 'Ana Reis', password: good, repeat: good }
    expect((await guest.post('auth/activate', entered)).data).toEqual({ account: made.account, waits: false })
    expect(logged()).toMatchObject({ action: 'activate', object: 'user', name: made.account })
    const browser = manager.browser('10.0.9.9')
    expect((await browser.post('login', before)).retCode).toBe(0)
    const listed = await userOf(made.account)
    expect(listed).toMatchObject({ state: 'active', username: 'Ana Reis', invitedUntil: 0 })
    expect(Number(listed?.lastSignInAt)).toBeGreaterThan(Date.now() - 600_000)
    for (const path of ['auth/activate', 'auth/activation'])
      expect((await guest.post(path, path === 'auth/activate' ? entered : { token })).retCode).toBe(
        codes.activationDone,
      )
  })

  test.each([
    ['A6', { account: 'two words' }, 'account', codes.invalidInput],
    ['A6, unique whatever the case', { account: 'MARTA1' }, 'account', codes.accountExists],
    ['A7', { username: 'letters' }, 'username', codes.invalidInput],
    ['A8', { email: 'nobody' }, 'email', codes.emailFormat],
    ['A8, unique whatever the case', { email: 'Taken@Quay.example' }, 'email', codes.emailInvalid],
    ['A14', { company: 'x'.repeat(129) }, 'company', codes.invalidInput],
    ['a role that is not there', { role: 'custom:999' }, 'role', codes.invalidInput],
    ['another super administrator', { role: 'superAdministrator' }, 'role', codes.invalidInput],
    ['a network that is not there', { networks: [999] }, 'networks', codes.invalidInput],
  ])('%s: refused at its field, and nobody is added', async (_rule, input, field, code) => {
    if (!(await userOf('marta1')))
      await owner.post('users/add', { account: 'marta1', email: 'taken@quay.example', ...editor })
    const before = (await usersOf(owner)).length
    const answer = await owner.post('users/add', { account: 'new1', ...editor, ...input })
    expect([answer.retCode, Object.keys(answer.data.fields as object)]).toEqual([code, [field]])
    expect(await usersOf(owner)).toHaveLength(before)
  })

  test('a link that would be shown is not given over plain http; with loopback it is', async () => {
    const plain = { 'x-forwarded-proto': 'http' }
    const cookies = new Map([...owner.cookies].map(([name, value]) => [name.replace('__Secure-', ''), value]))
    const browser = manager.browser()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const input = { account: 'plain1', ...editor }
    expect((await browser.post('users/add', input, plain)).retCode).toBe(codes.secureOnly)
    expect(await userOf('plain1')).toBeUndefined()
    expect((await browser.post('users/add', input, { ...plain, 'x-lanward-remote': '127.0.0.1' })).retCode).toBe(0)
  })
})

describe('activation', () => {
  test.each([
    ['A7', { username: 'letters' }, codes.invalidInput, { username: 'userNameKind' }],
    ['A9', { password: 'short1!', repeat: 'short1!' }, codes.passwordFormat, { password: 'passwordShort' }],
    ['A9, both entries', { repeat: `${good}x` }, codes.passwordFormat, { repeat: 'passwordsDiffer' }],
  ])('%s: refused at its field, and the link stays good', async (_rule, input, code, fields) => {
    const { token } = await fresh()
    const entered = { token, username: 'Ana 2', password: good, repeat: good }
    const answer = await nobody().post('auth/activate', { ...entered, ...input })
    expect([answer.retCode, answer.data.fields]).toEqual([code, fields])
    expect((await nobody().post('auth/activate', entered)).retCode).toBe(0)
  })

  test('S9: invalid, run out, taken back, deleted: each says what it is; no password goes over plain http', async () => {
    const ask = async (token: string) => (await nobody().post('auth/activation', { token })).retCode
    expect(await ask('x'.repeat(43))).toBe(codes.activationInvalid)
    const { id, token } = await fresh()
    const { sqlite } = manager.runtime
    const days = (count: number) => {
      sqlite.prepare('UPDATE account_tokens SET expires_at = expires_at - ?').run(count * 86_400_000)
      sqlite.prepare('UPDATE accounts SET invited_at = invited_at - ? WHERE id = ?').run(count * 86_400_000, id)
    }
    const entered = { token, username: 'Ana 3', password: good, repeat: good }
    const plain = await nobody().post('auth/activate', entered, { 'x-forwarded-proto': 'http' })
    expect(plain.retCode).toBe(codes.secureOnly)
    days(2.99)
    expect(await ask(token)).toBe(0)
    days(0.02)
    expect(await ask(token)).toBe(codes.activationExpired)
    expect((await nobody().post('auth/activate', entered)).retCode).toBe(codes.activationExpired)
    const again = await owner.post('users/resend-invitation', { id })
    expect([again.retCode, await ask(token)]).toEqual([0, codes.activationInvalid])
    const next = tokenOf(again.data.link)
    expect(await ask(next)).toBe(0)
    await owner.post('users/delete', { id })
    expect(await ask(next)).toBe(codes.activationInvalid)
  })

  test('S9: another link not before a minute has passed, counted here', async () => {
    const { id, token } = await fresh()
    const invitedAt = manager.runtime.sqlite.prepare('SELECT invited_at FROM accounts WHERE id = ?').pluck().get(id)
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Number(invitedAt) + 5000)
    const soon = await owner.post('users/resend-invitation', { id })
    clock.mockRestore()
    expect(soon).toMatchObject({ retCode: codes.resendTooSoon, data: { seconds: 55 } })
    expect((await nobody().post('auth/activation', { token })).retCode).toBe(0)
    manager.runtime.sqlite.prepare('UPDATE accounts SET invited_at = invited_at - 60000 WHERE id = ?').run(id)
    expect((await owner.post('users/resend-invitation', { id })).retCode).toBe(0)
    expect(logged()).toMatchObject({ action: 'invite', object: 'user' })
  })

  test('S5: an account that waits keeps its role in use', async () => {
    const own = role(manager, 'Watchers', ['dashboard'])
    const { id } = await fresh({ role: own })
    expect((await owner.post('roles/delete', { id: own })).retCode).toBe(codes.roleInUse)
    await owner.post('users/delete', { id })
    expect((await owner.post('roles/delete', { id: own })).retCode).toBe(0)
  })
})

describe('with a mail server', () => {
  const server = {
    ...{ host: '127.0.0.1', port: 2525, security: 'none' as const, verify: true, user: '', password: '' },
    ...{ from: 'quay@quay.example', fromName: '', replyTo: '' as const, publicUrl: 'https://quay.example' },
  }
  beforeAll(() => saveMailServer(manager.runtime, server))
  afterAll(() => saveMailServer(manager.runtime, undefined))
  const letters = (to: string) =>
    manager.runtime.db
      .select()
      .from(mails)
      .where(eq(mails.recipient, to))
      .all()
      .map(row => JSON.parse(manager.runtime.secrets.open(row.values, valuesPlace(row.message))) as { link: string })

  test('the letter alone carries the link, which begins with the address that was set', async () => {
    const { account, link } = await fresh({ email: 'rui@quay.example' })
    expect(link).toBe('')
    const [letter] = letters('rui@quay.example')
    expect(letter).toMatchObject({ account, days: 3, link: expect.stringMatching(/^https:\/\/quay\.example\/login/) })
    expect((await nobody().post('auth/activation', { token: tokenOf(letter?.link) })).retCode).toBe(0)
  })

  test('a new address gets a new link, and the one at the old address is worth nothing', async () => {
    const { id } = await fresh({ email: 'old@quay.example' })
    const fields = { id, username: 'Rui 1', ...editor, email: 'new@quay.example' }
    expect((await owner.post('users/edit', fields)).retCode).toBe(0)
    const ask = async (to: string) =>
      (await nobody().post('auth/activation', { token: tokenOf(letters(to)[0]?.link) })).retCode
    expect([await ask('old@quay.example'), await ask('new@quay.example')]).toEqual([codes.activationInvalid, 0])
  })

  test('whoever lost the letter asks for another: the answer is the same where nobody waits', async () => {
    const { id } = await fresh({ email: 'lost@quay.example' })
    const asked = manager.browser('10.2.0.1')
    const ask = async (email: string) => {
      const { retCode, data } = await asked.post('auth/resend-activation', { email })
      await new Promise(done => setImmediate(done))
      return { retCode, data }
    }
    const same = { retCode: 0, data: { seconds: 60 } }
    expect(await ask('lost@quay.example')).toEqual(same)
    expect(letters('lost@quay.example')).toHaveLength(1)
    manager.runtime.sqlite.prepare('UPDATE accounts SET invited_at = invited_at - 60000 WHERE id = ?').run(id)
    expect(await ask('LOST@quay.example')).toEqual(same)
    expect(letters('lost@quay.example')).toHaveLength(2)
    expect(await ask('nobody@quay.example')).toEqual(same)
    for (const count of [4, 5, 6])
      expect([count, (await ask('lost@quay.example')).retCode]).toEqual([count, count > 5 ? codes.rateLimited : 0])
    expect(letters('lost@quay.example')).toHaveLength(2)
  })
})

describe('changing somebody', () => {
  let ana: Person
  beforeEach(async () => {
    ana = await person(manager, { role: 'networkReadOnly', networks: [1] })
  })
  const { id } = { id: () => ana.account.id }

  test('is logged with before and after; other rights end the sessions, another name does not', async () => {
    const fields = { id: id(), username: 'Ana 4', role: 'networkReadOnly', networks: [1] }
    expect((await owner.post('users/edit', fields)).retCode).toBe(0)
    expect(logged()).toMatchObject({ action: 'edit', fields: { username: [ana.account.account, 'Ana 4'] } })
    expect(open(id())).toBe(1)
    expect((await owner.post('users/edit', { ...fields, networks: [1, other] })).retCode).toBe(0)
    expect(logged()).toMatchObject({ fields: { networks: ['Harbour House', 'Harbour House, Other house'] } })
    expect(open(id())).toBe(0)
    const again = await signedIn(manager, ana.account)
    await owner.post('users/edit', { ...fields, role: 'platformReadOnly', networks: [] })
    expect(logged()).toMatchObject({ fields: { role: ['networkReadOnly', 'platformReadOnly'] } })
    expect((await again.post('account/info')).status).toBe(401)
  })

  test('who is disabled is out at once and stays out until enabled', async () => {
    expect((await owner.post('users/disable', { id: id(), disabled: true })).retCode).toBe(0)
    expect([(await ana.post('account/info')).status, open(id())]).toEqual([401, 0])
    expect(await userOf(ana.account.account)).toMatchObject({ state: 'disabled' })
    expect((await owner.post('users/disable', { id: id(), disabled: true })).retCode).toBe(codes.userState)
    expect((await owner.post('users/disable', { id: id(), disabled: false })).retCode).toBe(0)
    expect((await (await signedIn(manager, ana.account)).post('account/info')).status).toBe(200)
  })

  test('who is deleted is out at once, and what they made is nobody’s', async () => {
    manager.runtime.db.update(accounts).set({ role: 'platformAdministrator' }).where(eq(accounts.id, id())).run()
    const made = await fresh({}, await signedIn(manager, ana.account))
    expect((await owner.post('users/delete', { id: id() })).retCode).toBe(0)
    expect((await ana.post('account/info')).status).toBe(401)
    const left = manager.runtime.db.select().from(accounts).where(eq(accounts.id, made.id)).get()
    expect(left?.createdBy).toBe(0)
    expect((await owner.post('users/delete', { id: id() })).retCode).toBe(codes.userNotFound)
  })

  test('who locked themselves out by wrong passwords is listed so, and unlocked', async () => {
    const wrong = { userName: ana.account.account, userPwd: passwordDigest(good) }
    const browser = manager.browser('10.3.0.1')
    for (let count = 0; count < 4; count++)
      countFailure(manager.runtime.db, wrong.userName, '10.3.0.1', false, Date.now())
    expect(await userOf(wrong.userName)).toMatchObject({ state: 'locked' })
    expect((await browser.post('login', wrong)).retCode).toBe(codes.accountLocked)
    expect((await owner.post('users/unlock', { id: id() })).retCode).toBe(0)
    expect(await userOf(wrong.userName)).toMatchObject({ state: 'active', lockedUntil: 0 })
    expect((await browser.post('login', wrong)).retCode).toBe(codes.wrongPassword)
  })
})

describe('one’s own account', () => {
  test('is deleted by who knows its password; the super administrator’s is not', async () => {
    const { account, token } = await fresh()
    await nobody().post('auth/activate', { token, username: 'Rita 1', password: good, repeat: good })
    const rita = manager.browser('10.4.0.1')
    await rita.post('login', { userName: account, userPwd: passwordDigest(good) })
    const wrong = await rita.post('account/delete', { password: `${good}y` })
    expect([wrong.retCode, wrong.data.fields]).toEqual([codes.oldPasswordWrong, { password: 'passwordWrong' }])
    const plain = { 'x-forwarded-proto': 'http' }
    expect((await rita.post('account/delete', { password: good }, plain)).retCode).not.toBe(0)
    expect(await userOf(account)).toMatchObject({ state: 'active' })
    expect((await rita.post('account/delete', { password: good })).retCode).toBe(0)
    expect(logged()).toMatchObject({ action: 'delete', object: 'user', name: account })
    expect([await userOf(account), (await rita.post('account/info')).status]).toEqual([undefined, 401])
    expect((await owner.post('account/delete', { password: 'any' })).retCode).toBe(codes.userNotYours)
  })
})

describe('who may do what to whom', () => {
  const changes = ['users/edit', 'users/disable', 'users/unlock', 'users/delete', 'users/resend-invitation']
  const inputOf = (path: string, id: number) => ({
    id,
    ...(path === 'users/edit' && { username: 'Other 1', role: 'guestEditor', networks: [1] }),
    ...(path === 'users/disable' && { disabled: true }),
  })
  /** The code of each change of one person by another; nothing may have changed. */
  async function refusals(by: Browser, id: number): Promise<number[]> {
    const row = () => JSON.stringify(manager.runtime.db.select().from(accounts).where(eq(accounts.id, id)).get())
    const before = row()
    const answers = []
    for (const path of changes) answers.push((await by.post(path, inputOf(path, id))).retCode)
    expect(row()).toBe(before)
    return answers
  }
  const all = (code: number) => changes.map(() => code)

  test('the super administrator and oneself are changed by nobody', async () => {
    const [first] = await usersOf(owner, { filter: { role: 'superAdministrator' } })
    const platform = await person(manager, { role: 'platformAdministrator' })
    expect(await refusals(owner, Number(first?.id))).toEqual(all(codes.userNotYours))
    expect(await refusals(platform, Number(first?.id))).toEqual(all(codes.userNotYours))
    expect(await refusals(platform, platform.account.id)).toEqual(all(codes.userNotYours))
  })

  test('a platform administrator leaves those alone whom the super administrator made', async () => {
    const platform = await person(manager, { role: 'platformAdministrator' })
    const { id } = await fresh()
    expect(await refusals(platform, id)).toEqual(all(codes.userNotYours))
    const own = await fresh({ role: 'platformAdministrator', networks: [] }, platform)
    expect((await platform.post('users/delete', { id: own.id })).retCode).toBe(0)
  })

  test.each([
    ['networkAdministrator', ['guestAdministrator', 'guestEditor']],
    ['guestAdministrator', ['guestEditor']],
  ])('%s makes people for guests in own networks, and knows of no others', async (role, below) => {
    const house = await person(manager, { role, networks: [1] })
    const add = async (input: object) => {
      const { retCode, data } = await house.post('users/add', { account: 'new2', ...editor, ...input })
      return [retCode, Object.keys((data.fields as object | undefined) ?? {})]
    }
    for (const above of ['networkAdministrator', 'guestAdministrator'].filter(one => !below.includes(one)))
      expect(await add({ role: above })).toEqual([codes.invalidInput, ['role']])
    expect(await add({ networks: [other] })).toEqual([codes.invalidInput, ['networks']])
    expect(await add({ allNetworks: true })).toEqual([codes.invalidInput, ['allNetworks']])
    const made = await fresh({}, house)
    const edit = { id: made.id, username: 'Guest 1', role: 'guestEditor', networks: [1, other] }
    expect((await house.post('users/edit', edit)).retCode).toBe(codes.invalidInput)
    const elsewhere = await fresh({ networks: [other] })
    expect(await refusals(house, elsewhere.id)).toEqual(all(codes.userNotFound))
    const seen = (await usersOf(house)).map(user => user.id)
    expect([seen.includes(made.id), seen.includes(elsewhere.id)]).toEqual([true, false])
    expect((await house.post('users/role')).data).toMatchObject({
      result: below.map(id => ({ id })),
      networks: [{ id: 1, name: 'Harbour House' }],
      allNetworks: false,
    })
  })

  test('another organization’s people do not exist', async () => {
    const foreign = await person(manager, {
      role: 'guestEditor',
      all: true,
      organization: organization(manager, 'Next door'),
    })
    expect(await refusals(owner, foreign.account.id)).toEqual(all(codes.userNotFound))
    expect((await usersOf(owner)).some(user => user.id === foreign.account.id)).toBe(false)
  })

  test('who only reads sees the list and changes nothing', async () => {
    const reader = await person(manager, { role: 'platformReadOnly' })
    expect((await usersOf(reader)).length).toBeGreaterThan(1)
    expect((await reader.post('users/role')).data.result).toEqual([])
    const { id } = await fresh()
    expect(await refusals(reader, id)).toEqual(all(codes.noAuthority))
  })
})

describe('the list', () => {
  test('is searched, filtered, sorted and paged; an unknown order is refused', async () => {
    await fresh({ company: 'Lighthouse Ltd' })
    expect(await usersOf(owner, { search: 'lighthouse' })).toHaveLength(1)
    const waiting = await usersOf(owner, { filter: { state: 'inactivated' } })
    expect(new Set(waiting.map(user => user.state))).toEqual(new Set(['inactivated']))
    const names = (await usersOf(owner, { sort: { field: 'account', direction: 'desc' } })).map(user => user.account)
    expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a, undefined, { numeric: true })))
    const page = (await owner.post('users/list', { page: 99, pageSize: 10 })).data
    expect(page).toMatchObject({ page: Math.ceil(Number(page.total) / 10), pageSize: 10 })
    const odd = await owner.post('users/list', { sort: { field: 'password', direction: 'asc' } })
    expect(odd.data.fields).toEqual({ 'sort.field': 'notAllowed' })
    expect(JSON.stringify(await usersOf(owner))).not.toMatch(/argon2|"password|"invitation"/)
  })

  test('as a file: cells that a spreadsheet would run are defused', async () => {
    await fresh({ username: '=HYPERLINK("http://evil.example")', company: '+1' })
    const answer = await owner.raw('exports/users?search=HYPERLINK', { method: 'GET' })
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="users-/)
    const text = await answer.text()
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(text).toContain(`"'+1"`)
    expect(text.trim().split('\r\n')).toHaveLength(2)
  })

  test('A8: the server’s own check: hidden characters are stripped, a wrong or taken address is 1110018', async () => {
    await fresh({ email: 'once@quay.example' })
    const ask = async (email: string) => {
      const { retCode, data } = await owner.post('email/check', { email })
      return [retCode, data.email ?? data.fields]
    }
    expect(await ask(' free\u200b@quay.example')).toEqual([0, 'free@quay.example'])
    expect(await ask('free@')).toEqual([1110018, { email: 'emailFormat' }])
    expect(await ask('ONCE@quay.example')).toEqual([1110018, { email: 'emailTaken' }])
  })
})
