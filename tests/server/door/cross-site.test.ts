// What a page elsewhere can make a browser send, with its cookies, changes nothing here; what is answered is for one browser alone.
import { codes } from '@/model/codes'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
const right = { userName: owner.account, userPwd: passwordDigest(owner.password) }

beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  await finishedWizard(manager)
  browser = manager.browser()
  await browser.post('login', right)
})
afterAll(() => manager.stop())

const every = calls as readonly AnyCall[]
const entries = () => manager.runtime.sqlite.prepare('SELECT count(*) AS n FROM changelog').get()

/** As a form, a script without leave, or a page of another host, port or no host at all sends it. */
const foreign: [string, Record<string, string>][] = [
  ['a form', { 'x-requested-with': '', 'content-type': 'application/x-www-form-urlencoded' }],
  ['plain text', { 'x-requested-with': '', 'content-type': 'text/plain' }],
  ['another host', { origin: 'https://evil.example' }],
  ['a host with our name in it', { origin: 'https://lanward.test.evil.example' }],
  ['another port', { origin: 'https://lanward.test:8443' }],
  ['a page without a host', { origin: 'null' }],
  ['an origin that is none', { origin: 'lanward.test' }],
]

test.each(foreign)('no call that changes something is made by %s', async (_, headers) => {
  const before = entries()
  for (const { path, body } of every.filter(one => one.changes)) {
    const answer = await browser.raw(path, { method: 'POST', body: '{}', headers })
    // What an identity provider's page posts is refused for what it says, and opens no session (saml.test.ts).
    const status = body === 'form' ? 200 : 403
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, status, []])
  }
  expect(entries()).toEqual(before)
})

test('no call that changes something is made by a link or a picture', async () => {
  // The specification has two such calls; what a page elsewhere cannot send is asked of them all the same.
  const both = every.filter(one => one.get && one.changes).map(one => one.path)
  expect(both).toEqual(['sso/redirect', 'alerts/delete-all'])
  const before = entries()
  for (const { path } of every.filter(one => one.changes)) {
    const answer = await browser.raw(path, { method: 'GET', headers: { 'x-requested-with': '' } })
    const { retCode } = (await answer.json()) as { retCode: number }
    expect([path, retCode]).toEqual([path, both.includes(path) ? codes.sameOriginOnly : codes.methodNotAllowed])
  }
  expect(entries()).toEqual(before)
})

test('every answer to who is signed in is kept nowhere', async () => {
  for (const { path } of every.filter(one => !one.changes)) {
    const answer = await browser.raw(path, { method: 'POST', body: '{}' })
    expect([path, answer.headers.get('cache-control')]).toEqual([path, expect.stringContaining('no-store')])
    await answer.body?.cancel()
  }
})

test('no script reads a cookie, none goes along with another site’s post, none over a plain line', async () => {
  const answer = await manager.browser().raw('login', { method: 'POST', body: JSON.stringify(right) })
  const lines = answer.headers.getSetCookie()
  expect(lines.map(line => line.split('=')[0])).toContain('__Secure-next-auth.session-token')
  for (const line of lines) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure(; Max-Age=\d+)?$/)
})

test('a cookie that is not encoded as ours are is none', async () => {
  const headers = { cookie: '__Secure-next-auth.session-token=%zz; locale=%' }
  const answer = await manager.browser().raw('account/info', { method: 'POST', body: '{}', headers })
  expect(answer.status).toBe(401)
})

test('a browser keeps its theme and its sidebar also while nobody is signed in, and nothing but those', async () => {
  const stranger = manager.browser()
  expect((await stranger.post('appearance/set', { appearance: 2, sidebar: 'slim' })).retCode).toBe(0)
  expect([...stranger.cookies]).toEqual([
    ['theme', '2'],
    ['sidebar', 'slim'],
  ])
  for (const input of [{ appearance: 4 }, { appearance: -1 }, { sidebar: 'x; Domain=.test' }])
    expect((await stranger.post('appearance/set', input)).retCode).toBe(codes.invalidInput)
})
