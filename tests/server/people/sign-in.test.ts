import { codes } from '@/model/codes'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { heardIn } from '../_spoken'

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

test('after one wrong password the right one signs in without a code, and the count begins anew', async () => {
  const browser = manager.browser()
  for (let times = 0; times < 3; times++) {
    const first = await browser.post('login', wrong)
    expect(first.retCode).toBe(codes.wrongPassword)
    expect(first.data).toMatchObject({ lockStatus: 1, remainCount: 3, showCode: false })
    expect((await browser.post('login', right)).retCode).toBe(0)
  }
})

test('a browser that was in before is asked for no code because of failures elsewhere at its address', async () => {
  const mine = manager.browser()
  await mine.post('login', right)
  await mine.post('logout')
  const other = manager.browser()
  for (let times = 0; times < 3; times++) await other.post('login', wrong)
  expect((await other.post('login', right)).retCode).toBe(codes.codeRequired)
  expect((await mine.post('login', right)).retCode).toBe(0)
})

test('the code can be heard instead of seen: digits of a code of their own, as a WAV file', async () => {
  const browser = manager.browser()
  for (let times = 0; times < 2; times++) await browser.post('login', wrong)
  expect((await browser.post('login', right)).retCode).toBe(codes.codeRequired)
  const { audio, codeToken } = (await browser.post('auth/login-spoken')).data as { audio: string; codeToken: string }
  const file = Buffer.from(audio, 'base64')
  expect([file.toString('latin1', 0, 4), file.readUInt32LE(4) + 8]).toEqual(['RIFF', file.length])
  expect(file.length).toBeLessThan(80_000)
  const code = [...heardIn(audio)].join(' ')
  expect((await browser.post('login', { ...right, code, codeToken })).retCode).toBe(0)
})

test('one address cannot keep the manager busy with codes to be heard; another one gets its own', async () => {
  const ask = async (address: string) => (await manager.browser(address).post('auth/login-spoken')).retCode
  for (let n = 0; n < 60; n++) expect(await ask('10.0.0.66')).toBe(0)
  expect(await ask('10.0.0.66')).toBe(codes.rateLimited)
  expect(await ask('10.0.0.67')).toBe(0)
})

test('the picture is one path of short pieces in no order: no stroke of a letter stands in it', async () => {
  const { code } = (await manager.browser().post('auth/login-valid')).data as { code: string }
  expect(code.match(/<path/g)).toHaveLength(1)
  const pieces = [...code.matchAll(/M([\d.-]+) [\d.-]+L([\d.-]+) [\d.-]+/g)].map(([, a]) => Number(a))
  expect(pieces.length).toBeGreaterThan(60)
  const climbs = pieces.filter((x, at) => x > (pieces[at - 1] ?? 0)).length
  expect(Math.abs(climbs / pieces.length - 0.5)).toBeLessThan(0.25)
})

test('after two wrong passwords the graphical code is asked; a wrong code is refused and used up', async () => {
  const browser = manager.browser()
  await browser.post('login', wrong)
  const second = await browser.post('login', wrong)
  expect(second.retCode).toBe(codes.wrongPassword)
  expect(second.data).toMatchObject({ lockStatus: 1, remainCount: 2, showCode: true })
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
