import { eq } from 'drizzle-orm'
import { sessions } from '@/db/schema'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { setBack, startClock } from '@/server/people/accounts/clock'
import { countFailure, lockState } from '@/server/people/accounts/lock'
import { findSession, openSession } from '@/server/people/accounts/sessions'
import { findToken, issueToken } from '@/server/people/accounts/tokens'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'

let manager: Manager
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
})
afterEach(() => manager.stop())
afterEach(() => jest.useRealTimers())

const minute = 60_000
const hour = 60 * minute
const found = (cookie: string, now: number) => findSession(manager.runtime, cookie, true, '10.0.0.5', now)
const opened = () =>
  openSession(manager.runtime, { id: 1, account: owner.account }, { address: '10.0.0.5', agent: '', network: null })

test('a clock that is set back keeps no idle session open, no link good and no lock shut for longer', async () => {
  const { db } = manager.runtime
  const now = Date.now()
  const cookie = await opened()
  const token = issueToken(db, { account: 1, purpose: 'activation', seconds: 3600, now })
  for (let i = 0; i < 4; i++) countFailure(db, 'anna', '10.0.0.9', false, now)
  expect(lockState(db, 'anna', '10.0.0.9', false, now).lockStatus).toBe(2)
  const back = 5 * hour
  setBack(manager.runtime, back, now - back)
  // By the new clock, everything is where it was by the old one.
  expect(await found(cookie, now - back + minute)).toBeDefined()
  expect(lockState(db, 'anna', '10.0.0.9', false, now - back + 29 * minute).lockStatus).toBe(2)
  expect(lockState(db, 'anna', '10.0.0.9', false, now - back + 31 * minute).lockStatus).toBe(0)
  expect(findToken(db, { token, purpose: 'activation', now: now - back + 59 * minute })).toBeDefined()
  expect(findToken(db, { token, purpose: 'activation', now: now - back + 61 * minute })).toBeUndefined()
  expect(await found(cookie, now - back + 25 * hour)).toBeUndefined()
})

test('the manager notices by itself that its clock was set back, and does not mind the corrections of every day', async () => {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] })
  const { db } = manager.runtime
  const row = () => db.select().from(sessions).get()
  await opened()
  const seenAt = row()?.seenAt ?? 0
  let [wall, steady] = [Date.now(), 0]
  startClock(
    manager.runtime,
    () => wall,
    () => steady,
  )
  const step = (byWall: number, bySteady: number) => {
    ;[wall, steady] = [wall + byWall, steady + bySteady]
    jest.advanceTimersByTime(5_000)
  }
  step(5_000, 5_000)
  step(3_000, 5_000)
  step(hour, 5_000)
  expect(row()?.seenAt).toBe(seenAt)
  step(5_000 - 3 * hour, 5_000)
  expect(row()?.seenAt).toBe(seenAt - 3 * hour)
})

test('what was seen later than now, by a clock that was ahead before the start, counts as seen now', async () => {
  const { db } = manager.runtime
  await opened()
  db.update(sessions)
    .set({ seenAt: Date.now() + 9 * hour })
    .run()
  startClock(manager.runtime)
  expect(Math.abs((db.select().from(sessions).get()?.seenAt ?? 0) - Date.now())).toBeLessThan(minute)
})

test('a session ends after thirty days, however much it is used', async () => {
  const { db } = manager.runtime
  const browser = manager.browser()
  await browser.post('login', { userName: owner.account, userPwd: passwordDigest(owner.password) })
  expect((await browser.post('account/info')).status).toBe(200)
  const day = 24 * hour
  const all = eq(sessions.account, 1)
  db.update(sessions)
    .set({ createdAt: Date.now() - 29 * day })
    .where(all)
    .run()
  expect((await browser.post('account/info')).status).toBe(200)
  db.update(sessions)
    .set({ createdAt: Date.now() - 30 * day - minute })
    .where(all)
    .run()
  expect((await browser.post('account/info')).status).toBe(401)
})
