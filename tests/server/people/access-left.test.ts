// What acts in somebody's name without a session: a new password ends it where that is asked for, and nothing else.
import { eq } from 'drizzle-orm'
import { accounts, apiKeys, changelog, mails, webhookDeliveries, webhooks } from '@/db/schema'
import { codes } from '@/model/codes'
import { issueToken } from '@/server/people/accounts/tokens'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { type Keyed, keyed, person } from '../_people'

let manager: Manager
let browser: Browser
let key: Keyed
let others: Keyed
const next = { password: 'Harb0ur-Gate!', repeat: 'Harb0ur-Gate!' }
const db = () => manager.runtime.db
const own = () => db().select().from(accounts).where(eq(accounts.account, owner.account)).get()

const hook = (account: number, name: string, state: 'on' | 'off' | 'paused' = 'on') =>
  db()
    .insert(webhooks)
    .values({
      ...{ account, name, state, url: 'https://a.example', secret: '', topics: '["alerts"]', level: 15, logged: 0 },
      createdAt: 1,
    })
    .returning({ id: webhooks.id })
    .get().id

beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  const id = own()?.id ?? 0
  const scope = { authorities: ['organization_network'] }
  key = keyed(manager, { id }, scope)
  keyed(manager, { id }, { ...scope, expiresAt: 1 })
  hook(id, 'on')
  hook(id, 'paused', 'paused')
  hook(id, 'off', 'off')
  const other = await person(manager, { role: 'superAdministrator', all: true })
  others = keyed(manager, other.account, scope)
  hook(other.account.id, 'theirs')
})
afterEach(() => manager.stop())

const states = () =>
  Object.fromEntries(
    db()
      .select()
      .from(webhooks)
      .all()
      .map(one => [one.name, one.state]),
  )
const calls = async (one: Keyed) => (await one.post('networks/list')).retCode
const entry = (action: 'changePassword' | 'resetPassword') =>
  db().select().from(changelog).where(eq(changelog.action, action)).get()?.fields
const change = (more: object) => browser.post('account/password', { oldPassword: owner.password, ...next, ...more })
const linked = (more: object) => {
  const token = issueToken(db(), {
    ...{ account: own()?.id ?? 0, purpose: 'resetPassword', seconds: 3600, now: Date.now() },
  })
  return { token, answer: () => manager.browser().post('auth/reset-password', { token, ...next, ...more }) }
}

test('both are counted for their owner, and by a link that is good; what has ended is not', async () => {
  expect((await browser.post('account/access')).data).toEqual({ keys: 1, webhooks: 2 })
  const { token } = linked({})
  const asked = await manager.browser().post('auth/reset-password/access', { token })
  expect(asked.data).toEqual({ keys: 1, webhooks: 2 })
  const wrong = await manager.browser().post('auth/reset-password/access', { token: `${token}x` })
  expect(wrong.retCode).toBe(codes.resetLinkInvalid)
  // Looking costs no link.
  expect((await manager.browser().post('auth/reset-password', { token, ...next })).retCode).toBe(0)
})

test.each([
  ['a change', 'changePassword', (more: object) => change(more)],
  ['a reset', 'resetPassword', (more: object) => linked(more).answer()],
] as const)('%s leaves both as they are unless it is asked to end them', async (_, action, set) => {
  expect((await set({})).retCode).toBe(0)
  expect(await calls(key)).toBe(0)
  expect(states()).toEqual({ on: 'on', paused: 'paused', off: 'off', theirs: 'on' })
  expect(entry(action)).toBe('{}')
})

test.each([
  ['a change', 'changePassword', (more: object) => change(more)],
  ['a reset', 'resetPassword', (more: object) => linked(more).answer()],
] as const)(
  '%s ends the keys at once, turns the webhooks off, keeps both in their lists, and says so',
  async (_, action, set) => {
    expect((await set({ endKeys: true, endWebhooks: true })).retCode).toBe(0)
    expect(await calls(key)).toBe(codes.keyInvalid)
    expect(states()).toEqual({ on: 'off', paused: 'off', off: 'off', theirs: 'on' })
    expect(await calls(others)).toBe(0)
    expect(db().select().from(apiKeys).all()).toHaveLength(3)
    expect(JSON.parse(entry(action) ?? '')).toEqual({ apiKeys: [1, 0], webhooks: [2, 0] })
  },
)

test('each by itself; with the wrong password, or a link that is none, neither ends', async () => {
  expect((await change({ oldPassword: 'Wr0ng!pass', endKeys: true, endWebhooks: true })).retCode).not.toBe(0)
  const none = { token: 'x'.repeat(43), ...next, endKeys: true, endWebhooks: true }
  expect((await manager.browser().post('auth/reset-password', none)).retCode).toBe(codes.resetLinkInvalid)
  expect(await calls(key)).toBe(0)
  expect(states().on).toBe('on')
  expect((await change({ endWebhooks: true })).retCode).toBe(0)
  expect(await calls(key)).toBe(0)
  expect(states().on).toBe('off')
  expect(db().select().from(webhookDeliveries).all()).toEqual([])
  expect(db().select().from(mails).all()).toEqual([])
})
