// Every call as each of an organization's own people, and as whoever is signed in no more.

import { eq } from 'drizzle-orm'
import { accounts, apiKeys, sessions } from '@/db/schema'
import { authorities } from '@/model/authority'
import { keyed, type Person, person } from '../server/_people'
import { listedPaths, needOf } from './_rights'
import { ask, asked, every, manager, places, setUp, told, tryRows } from './_rights-matrix'

setUp()

test('what each call asks for is written down, and is what it asks for', () => {
  expect(every.filter(call => needOf(call.path) === undefined).map(call => call.path)).toEqual([])
  expect(every.filter(call => needOf(call.path) !== call.authority).map(call => call.path)).toEqual([])
  const paths = new Set(every.map(call => call.path))
  expect(listedPaths.filter(path => !paths.has(path))).toEqual([])
})

tryRows('people')

const ended: [string, (browser: Person) => void][] = [
  ['nobody', browser => browser.cookies.clear()],
  ['a session that was ended', ({ account }) => forget(account.id)],
  ['a session that ran out', ({ account }) => age(account.id)],
  ['a disabled account', ({ account }) => setState(account.id, 'disabled')],
]
const forget = (id: number) => manager.runtime.db.delete(sessions).where(eq(sessions.account, id)).run()
const age = (id: number) => manager.runtime.db.update(sessions).set({ seenAt: 0 }).where(eq(sessions.account, id)).run()
const setState = (id: number, state: 'disabled') =>
  manager.runtime.db.update(accounts).set({ state }).where(eq(accounts.id, id)).run()

test.each(ended)('%s is asked to sign in by every call but the open ones', async (_who, end) => {
  const browser = await person(manager, { role: 'superAdministrator' })
  end(browser)
  const closed = asked.filter(call => needOf(call.path) !== 'open')
  const seen = await Promise.all(closed.map(async call => [call.path, told(await ask(browser, call, places.here))]))
  expect(seen.filter(([, answer]) => answer !== 'signed out')).toEqual([])
})

const endedKeys: [string, (key: { id: number }, account: { id: number }) => void][] = [
  ['deleted', ({ id }) => manager.runtime.db.delete(apiKeys).where(eq(apiKeys.id, id)).run()],
  ['run out', ({ id }) => manager.runtime.db.update(apiKeys).set({ expiresAt: 1 }).where(eq(apiKeys.id, id)).run()],
  ['of a disabled account', (_, { id }) => setState(id, 'disabled')],
]
test.each(endedKeys)('an API key that is %s is refused by every call', async (_what, end) => {
  const { account } = await person(manager, { role: 'superAdministrator' })
  const script = keyed(manager, account, { authorities })
  end(script, account)
  const seen = await Promise.all(asked.map(async call => [call.path, told(await ask(script, call, places.here))]))
  expect(seen.filter(([, answer]) => answer !== 'signed out')).toEqual([])
})
