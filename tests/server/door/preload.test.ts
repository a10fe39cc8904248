import * as z from 'zod'
import { accounts } from '@/db/schema'
import { preload } from '@/server/door/preload'
import { deviceTiles, health } from '@/server/insight/dashboard/calls'
import { topDevices } from '@/server/insight/dashboard/traffic-calls'
import { call } from '@/server/kernel/call'
import { findSession, sessionCookie } from '@/server/people/accounts/sessions'
import type { PageSession } from '@/server/people/sign-in/page-session'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let browser: Browser
let page: PageSession
beforeAll(async () => {
  one = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(one)
  const session = await findSession(one.runtime, browser.cookies.get(sessionCookie(true)), false, '10.0.0.5')
  page = { runtime: one.runtime, session, wizardDone: true }
})
afterAll(() => one.stop())

const reading = { tag: 'dashboard', scope: 'network', authority: 'dashboard', changes: false } as const
const never = call({
  ...reading,
  path: 'test/never',
  input: z.strictObject({}),
  run: () => new Promise(() => undefined),
})

test('a page gets what its parts would have asked for, word for word', async () => {
  // However slow this machine is.
  const answers = await preload(page, 1, [[deviceTiles], [topDevices, { range: '1d', most: 7 }]], 60_000)
  expect(answers.map(({ path, input }) => [path, input])).toEqual([
    ['dashboard/devices', { networkId: 1 }],
    ['dashboard/top-aps', { networkId: 1, range: '1d', most: 7 }],
  ])
  const asked = await browser.post('dashboard/devices', { networkId: 1 })
  expect(JSON.parse(answers[0]?.json ?? '')).toEqual(asked.data)
})

test('what is refused or takes long is left to the part that asks for it', async () => {
  expect(await preload(page, 99, [[health]])).toEqual([])
  expect(await preload(page, 1, [[topDevices, { most: 1000 }]])).toEqual([])
  expect(await preload({ ...page, session: undefined }, 1, [[health]])).toEqual([])
  const found = await preload(page, 1, [[never as never], [health]])
  expect(found.map(({ path }) => path)).toEqual(['dashboard/health'])
})

test('a role that may not make a call gets no answer of it', async () => {
  one.runtime.db.update(accounts).set({ role: 'nobody' }).run()
  const session = await findSession(one.runtime, browser.cookies.get(sessionCookie(true)), false, '10.0.0.5')
  expect(await preload({ ...page, session }, 1, [[health]])).toEqual([])
})
