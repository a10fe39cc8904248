import { eq } from 'drizzle-orm'
import { accounts, apiKeys } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { endOtherSessions } from '@/server/people/accounts/sessions'
import { findToken, issueCode, issueToken, takeCode } from '@/server/people/accounts/tokens'
import { unknownPassword } from '@/server/people/users/invitation'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { keyed, network, person, signedIn } from '../_people'
import { type Clock, stillClock } from '../_second-factor'

// What somebody may do ends: nothing that they began before must go on after.

let manager: Manager
let clock: Clock
beforeEach(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
  clock = stillClock()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await manager.stop()
})

const second = 1000
const db = () => manager.runtime.db
const state = (id: number) => db().select().from(accounts).where(eq(accounts.id, id)).get()

/** Sends a call whose body comes later: it was let in and waits for it; `finish` sends it, `answer` is what comes back then. */
async function heldBack(browser: Browser, path: string, body: object) {
  let waits = (): void => undefined
  const waiting = new Promise<void>(done => {
    waits = done
  })
  let finish = (): void => undefined
  const source = {
    pull: (controller: ReadableStreamDefaultController<Uint8Array>) =>
      new Promise<void>(done => {
        finish = () => {
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
          controller.close()
          done()
        }
        waits()
      }),
  }
  const stream = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 })
  const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit
  const answer = browser.raw(path, init).then(async reply => ({
    status: reply.status,
    retCode: ((await reply.json()) as { retCode: number }).retCode,
  }))
  await waiting
  return { answer, finish }
}

const newcomer = { account: 'backdoor', role: 'platformReadOnly' }

describe('a request whose end is held back while its sender is let out', () => {
  const cases: [string, () => Promise<{ browser: Browser; letOut(): void; status: number; retCode: number }>][] = [
    [
      'disabled',
      async () => {
        const admin = await person(manager, { role: 'platformAdministrator' })
        const letOut = () => {
          db().update(accounts).set({ state: 'disabled' }).where(eq(accounts.id, admin.account.id)).run()
          endOtherSessions(manager.runtime, admin.account)
        }
        return { browser: admin, letOut, status: 401, retCode: codes.sessionExpired }
      },
    ],
    [
      'given a smaller role',
      async () => {
        const admin = await person(manager, { role: 'platformAdministrator' })
        const letOut = () => {
          db().update(accounts).set({ role: 'guestEditor' }).where(eq(accounts.id, admin.account.id)).run()
        }
        return { browser: admin, letOut, status: 403, retCode: codes.noAuthority }
      },
    ],
    [
      'by a key that is deleted',
      async () => {
        const admin = await person(manager, { role: 'platformAdministrator' })
        const authorities = ['organization_users_edit', 'organization_users']
        const key = keyed(manager, admin.account, { authorities })
        const letOut = () => void db().delete(apiKeys).where(eq(apiKeys.id, key.id)).run()
        return { browser: key, letOut, status: 401, retCode: codes.keyInvalid }
      },
    ],
  ]
  test.each(cases)('%s: nothing is done', async (_, begin) => {
    const { browser, letOut, ...refused } = await begin()
    const made = await heldBack(browser, 'users/add', newcomer)
    letOut()
    clock.pass(second)
    made.finish()
    expect(await made.answer).toEqual(refused)
    expect(db().select().from(accounts).where(eq(accounts.account, newcomer.account)).get()).toBeUndefined()
  })

  test('who may still do it does it, however late', async () => {
    const admin = await person(manager, { role: 'platformAdministrator' })
    const late = await heldBack(admin, 'users/add', newcomer)
    clock.pass(20 * second)
    late.finish()
    expect(await late.answer).toMatchObject({ retCode: 0 })
  })
})

test('of two changes of one password at once, one counts: whoever is faster ends the other', async () => {
  const account = db().select().from(accounts).where(eq(accounts.account, owner.account)).get()
  const both = await Promise.all(['Harbour-77', 'Harbour-78'].map(() => signedIn(manager, account as never)))
  const change = (browser: Browser, password: string) =>
    browser.post('account/password', { oldPassword: owner.password, password, repeat: password })
  const answers = await Promise.all(both.map((browser, n) => change(browser, `Harbour-7${n}`)))
  expect(answers.map(answer => answer.retCode).sort()).toEqual([0, codes.sessionExpired].sort())
  const won = answers.findIndex(answer => answer.retCode === 0)
  const signIn = (password: string) =>
    manager.browser('10.0.0.9').post('login', { userName: owner.account, userPwd: passwordDigest(password) })
  expect((await signIn(`Harbour-7${won}`)).retCode).toBe(0)
  expect((await signIn(`Harbour-7${1 - won}`)).retCode).toBe(codes.wrongPassword)
})

test('who adds people waits in no queue of passwords, in which their own rights could end', async () => {
  expect(await unknownPassword()).toBe(await unknownPassword())
})

describe('links and codes in a mailbox that is no longer theirs', () => {
  const letters = (id: number) => {
    const both = { account: id, seconds: 3600, now: clock.now() }
    const token = issueToken(db(), { ...both, purpose: 'resetPassword' })
    const code = issueCode(manager.runtime, db(), { ...both, purpose: 'email' })
    return () => [
      findToken(db(), { token, purpose: 'resetPassword', now: clock.now() }) !== undefined,
      'data' in takeCode(manager.runtime, db(), { account: id, purpose: 'email', code, now: clock.now() }),
    ]
  }
  const fields = (username: string) => ({ username, role: 'networkReadOnly', networks: [network(manager, 'Attic')] })

  test('are worth nothing once an administrator gives the account another address', async () => {
    const admin = await person(manager, { role: 'platformAdministrator' })
    const { account } = await person(manager, { role: 'networkReadOnly' })
    db().update(accounts).set({ createdBy: admin.account.id, email: 'old@lanward.test' }).run()
    const good = letters(account.id)
    const input = { id: account.id, ...fields(account.account), email: 'new@lanward.test' }
    expect((await admin.post('users/edit', input)).retCode).toBe(0)
    expect(state(account.id)?.email).toBe('new@lanward.test')
    expect(good()).toEqual([false, false])
  })

  test('stay good where something else is changed', async () => {
    const admin = await person(manager, { role: 'platformAdministrator' })
    const { account } = await person(manager, { role: 'networkReadOnly' })
    const good = letters(account.id)
    expect((await admin.post('users/edit', { id: account.id, ...fields('Renamed 2') })).retCode).toBe(0)
    expect(good()).toEqual([true, true])
  })

  test('are worth nothing once the account was disabled, also when it is enabled again', async () => {
    const admin = await person(manager, { role: 'platformAdministrator' })
    const { account } = await person(manager, { role: 'networkReadOnly' })
    const good = letters(account.id)
    for (const disabled of [true, false])
      expect((await admin.post('users/disable', { id: account.id, disabled })).retCode).toBe(0)
    expect(good()).toEqual([false, false])
  })
})

test('what nobody need be signed in for takes no large bodies: strangers hold no memory', async () => {
  const browser = manager.browser()
  const send = (bytes: number) => browser.post('login', { lang: 'x'.repeat(bytes) })
  expect(await send(limits.openBodyBytes)).toMatchObject({ status: 413, retCode: codes.bodyTooLarge })
  expect(await send(limits.openBodyBytes - 100)).toMatchObject({ status: 200, retCode: codes.invalidInput })
})
