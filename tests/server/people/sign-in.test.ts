import { codes } from '@/model/codes'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
})
afterEach(() => manager.stop())

const right = { userName: owner.account, userPwd: passwordDigest(owner.password) }
const wrong = { userName: owner.account, userPwd: passwordDigest('Wr0ng!pass') }

test('signs in, sees the own account, signs out, and the cookie is worth nothing after', async () => {
  const browser = manager.browser()
  expect((await browser.post('account/info')).status).toBe(401)
  expect((await browser.post('login', right)).retCode).toBe(0)
  expect((await browser.post('account/info')).data).toMatchObject({
    account: owner.account,
    register: 1,
    localDeploy: 1,
  })
  const kept = new Map(browser.cookies)
  expect((await browser.post('logout')).retCode).toBe(0)
  for (const [name, value] of kept) browser.cookies.set(name, value)
  expect((await browser.post('account/info')).status).toBe(401)
})

test('A1: account and password are required, at their fields', async () => {
  const answer = await manager.browser().post('login', { userName: ' ' })
  expect(answer.retCode).toBe(codes.invalidInput)
  expect(answer.data.fields).toEqual({ userName: 'required', userPwd: 'required' })
})

test('after a wrong password the graphical code is asked; a wrong code is refused and used up', async () => {
  const browser = manager.browser()
  const first = await browser.post('login', wrong)
  expect(first.retCode).toBe(codes.wrongPassword)
  expect(first.data).toMatchObject({ lockStatus: 1, remainCount: 3, showCode: true })
  expect((await browser.post('login', right)).retCode).toBe(codes.codeRequired)
  const { codeToken } = (await browser.post('auth/login-valid')).data
  expect((await browser.post('login', { ...right, code: 'WRONG', codeToken })).retCode).toBe(codes.codeWrong)
  expect((await browser.post('login', { ...right, code: 'WRONG', codeToken })).retCode).toBe(codes.codeWrong)
})

test('an unknown account answers as a wrong password does', async () => {
  const known = await manager.browser('10.0.0.6').post('login', wrong)
  const unknown = await manager.browser('10.0.0.7').post('login', { ...wrong, userName: 'nobody.1' })
  expect({ ...unknown.data, retCode: unknown.retCode }).toEqual({ ...known.data, retCode: known.retCode })
})

test('the session times out after the set minutes without a person, and a page polling by itself does not prolong it', async () => {
  const browser = manager.browser()
  await browser.post('login', right)
  const { sqlite } = manager.runtime
  sqlite.prepare('UPDATE sessions SET seen_at = seen_at - ?').run(59 * 60_000)
  expect((await browser.post('account/info', {}, { 'x-lanward-background': '1' })).status).toBe(200)
  sqlite.prepare('UPDATE sessions SET seen_at = seen_at - ?').run(2 * 60_000)
  expect((await browser.post('account/info')).status).toBe(401)
})

test('state-changing calls need X-Requested-With and an Origin equal to Host', async () => {
  const browser = manager.browser()
  await browser.post('login', right)
  const cross = await browser.post('networks/add', {}, { origin: 'https://evil.test' })
  expect([cross.status, cross.retCode]).toEqual([403, codes.sameOriginOnly])
  const bare = await browser.post('networks/add', {}, { 'x-requested-with': '' })
  expect([bare.status, bare.retCode]).toEqual([403, codes.sameOriginOnly])
})
