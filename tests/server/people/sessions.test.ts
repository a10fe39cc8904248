import { eq } from 'drizzle-orm'
import { GET } from '@/app/app/events/route'
import { sessions } from '@/db/schema'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { organization, person } from '../_people'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
})
const open: (() => void)[] = []
afterEach(() => {
  for (const leave of open.splice(0)) leave()
  jest.restoreAllMocks()
  return manager.stop()
})

const signedIn = async (address: string) => {
  const browser = manager.browser(address)
  await browser.post('login', { userName: owner.account, userPwd: passwordDigest(owner.password) })
  return browser
}

/** Reads a browser's stream to its end. `heard` is all it said, but for the beats that keep it alive. */
async function listen(browser: Pick<Browser, 'cookies'>) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const leave = new AbortController()
  const headers = { cookie, 'x-forwarded-proto': 'https' }
  const response = await GET(new Request('https://lanward.test/app/events', { headers, signal: leave.signal }))
  open.push(() => leave.abort())
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const ended = (async () => {
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) return text
      // A part is what was sent at once.
      if (part.value !== 'event: beat\ndata:\n\n') text += part.value
    }
  })()
  return { ended, heard: () => text }
}
test('the other sessions of an account end with their streams at once; the excepted one goes on', async () => {
  const first = await signedIn('10.0.0.5')
  const second = await signedIn('10.0.0.6')
  const gone = await listen(first)
  const stays = await listen(second)
  const own = manager.runtime.db.select().from(sessions).where(eq(sessions.address, '10.0.0.6')).get()
  endOtherSessions(manager.runtime, { id: own?.account ?? 0, organization: 1 }, own?.id)
  manager.runtime.bus.emit({ topic: 'devices', organization: 1 })
  expect(await gone.ended).toBe(': open\n\ndata: {"topic":"signedOut"}\n\n')
  expect((await first.post('account/info')).status).toBe(401)
  expect((await second.post('account/info')).status).toBe(200)
  while (!stays.heard().includes('devices')) await new Promise(setImmediate)
  expect(stays.heard()).not.toContain('signedOut')
})

const streamOf = async (browser: Browser) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-forwarded-proto': 'https' }
  return (await GET(new Request('https://lanward.test/app/events', { headers }))).body
}
const news = (times: number) => {
  for (let n = 0; n < times; n++) manager.runtime.bus.emit({ topic: 'devices', organization: 1 })
}

test('a reader that reads nothing is cut off after a thousand news; the others hear all of them', async () => {
  const sleeping = await streamOf(await signedIn('10.0.0.5'))
  const awake = await listen(await signedIn('10.0.0.6'))
  for (let n = 0; n < 30; n++) {
    news(50)
    await new Promise(setImmediate)
  }
  while (awake.heard().split('devices').length - 1 < 1500) await new Promise(setImmediate)
  await expect(sleeping?.getReader().read()).rejects.toThrow('too slow')
})

test('a reader that left is told nothing more, and no news fails because of it', async () => {
  const stream = await streamOf(await signedIn('10.0.0.5'))
  const reader = stream?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(() => news(3)).not.toThrow()
})

test('signing out closes the streams of that session at once, and of no other', async () => {
  // No look at the clock finds out later.
  jest.spyOn(globalThis, 'setInterval').mockImplementation(() => undefined as never)
  const leaving = await signedIn('10.0.0.5')
  const staying = await signedIn('10.0.0.6')
  const gone = await listen(leaving)
  const stays = await listen(staying)
  expect((await leaving.post('logout')).retCode).toBe(0)
  expect(await gone.ended).toBe(': open\n\ndata: {"topic":"signedOut"}\n\n')
  manager.runtime.bus.emit({ topic: 'devices', organization: 1 })
  while (!stays.heard().includes('devices')) await new Promise(setImmediate)
  expect(stays.heard()).not.toContain('signedOut')
})

test('when a session ends is heard by nobody but its own person; who sees people is told that there is news', async () => {
  const other = await listen(await person(manager, { role: 'guestEditor' }))
  const admin = await listen(await person(manager, { role: 'platformAdministrator' }))
  const leaving = await signedIn('10.0.0.5')
  await leaving.post('logout')
  manager.runtime.bus.emit({ topic: 'devices', organization: 1 })
  while (!other.heard().includes('devices')) await new Promise(setImmediate)
  expect(other.heard()).toBe(': open\n\ndata: {"topic":"devices"}\n\n')
  while (!admin.heard().includes('devices')) await new Promise(setImmediate)
  expect(admin.heard()).toBe(': open\n\ndata: {"topic":"users"}\n\ndata: {"topic":"devices"}\n\n')
})

test('a session has sixteen streams and an account sixty-four; one that ends makes room', async () => {
  const statusOf = async (browser: Browser) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const leave = new AbortController()
    const request = new Request('https://lanward.test/app/events', {
      ...{ headers: { cookie, 'x-forwarded-proto': 'https' }, signal: leave.signal },
    })
    const { status, body } = await GET(request)
    if (status === 200) open.push(() => leave.abort())
    return { status, leave, body }
  }
  const first = await signedIn('10.0.0.5')
  const streams = await Promise.all(Array.from({ length: 16 }, () => statusOf(first)))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  expect((await statusOf(first)).status).toBe(429)
  streams[0]?.leave.abort()
  expect((await statusOf(first)).status).toBe(200)
  for (let n = 0; n < 3; n++) {
    const more = await signedIn(`10.0.1.${n}`)
    for (let i = 0; i < 16; i++) expect((await statusOf(more)).status).toBe(200)
  }
  expect((await statusOf(await signedIn('10.0.2.1'))).status).toBe(429)
  const other = await person(manager, { role: 'networkAdministrator', all: true })
  expect((await statusOf(other)).status).toBe(200)
})

test('all streams of a session hear the same, and what is the manager’s own its own people alone', async () => {
  const guests = organization(manager, 'Guests')
  const listeners = await Promise.all([
    ...(await Promise.all([signedIn('10.0.0.5')])).flatMap(one => [listen(one), listen(one)]),
    listen(await person(manager, { role: 'superAdministrator', all: true, organization: guests })),
    listen(await person(manager, { role: 'networkReadOnly', all: true })),
  ])
  const topics = ['backups', 'mail', 'users', 'webhooks'] as const
  for (const topic of topics)
    manager.runtime.bus.emit({ topic, ...((topic === 'users' || topic === 'webhooks') && { organization: 1 }) })
  manager.runtime.bus.emit({ topic: 'devices', organization: 1 })
  manager.runtime.bus.emit({ topic: 'devices', organization: guests })
  const said = ({ heard }: { heard(): string }) => [...heard().matchAll(/"topic":"(\w+)"/g)].map(match => match[1])
  while (listeners.some(one => !said(one).includes('devices'))) await new Promise(setImmediate)
  expect(listeners.map(said)).toEqual([[...topics, 'devices'], [...topics, 'devices'], ['devices'], ['devices']])
})

test('a page does nothing under the name of who signed in after its own person', async () => {
  const browser = await person(manager, { role: 'superAdministrator', all: true })
  const second = browser.account.id
  const tag = (id: unknown) => browser.post('networks/tags/list', {}, { 'x-lanward-account': String(id) })
  expect((await tag(second)).retCode).toBe(0)
  const refused = await browser.post('networks/clone', { networkId: 1 }, { 'x-lanward-account': '1' })
  expect([refused.status, refused.retCode]).toEqual([401, 10021])
  expect((await tag('')).retCode).toBe(10021)
  // The session itself is nobody else's: it goes on.
  expect((await browser.post('account/info')).retCode).toBe(0)
})
