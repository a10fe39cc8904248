import { eq } from 'drizzle-orm'
import { GET } from '@/app/app/events/route'
import { sessions } from '@/db/schema'
import { passwordDigest } from '@/server/accounts/accounts'
import { endOtherSessions } from '@/server/accounts/sessions'
import { finishedWizard, type Manager, owner, startTestManager } from './_manager'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
})
afterEach(() => manager.stop())

const signedIn = async (address: string) => {
  const browser = manager.browser(address)
  await browser.post('login', { userName: owner.account, userPwd: passwordDigest(owner.password) })
  return browser
}
type Browser = Awaited<ReturnType<typeof signedIn>>

/** Reads a browser's stream to its end. `heard` is all it said. */
async function listen(browser: Browser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const leave = new AbortController()
  const headers = { cookie, 'x-forwarded-proto': 'https' }
  const response = await GET(new Request('https://lanward.test/app/events', { headers, signal: leave.signal }))
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const ended = (async () => {
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) return text
      text += part.value
    }
  })()
  return { ended, heard: () => text, leave: () => leave.abort() }
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
  stays.leave()
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
  awake.leave()
})

test('a reader that left is told nothing more, and no news fails because of it', async () => {
  const stream = await streamOf(await signedIn('10.0.0.5'))
  const reader = stream?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(() => news(3)).not.toThrow()
})
