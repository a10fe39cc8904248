import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { eq } from 'drizzle-orm'
import { accounts, accountTokens, apiKeys, mails, networkOffers, webhookDeliveries, webhooks } from '@/db/schema'
import { codes } from '@/model/codes'
import { makeBackup, restoreFrom } from '@/server/manager/backups/service'
import { backupFolder } from '@/server/manager/backups/storage'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { addHook, newSecret } from '@/server/notify/webhooks/hooks'
import { issueToken, type TokenPurpose } from '@/server/people/accounts/tokens'
import { finishedWizard, type Manager, owner, startTestManager } from '../_manager'
import { keyed, organization, sharedNetwork, signedIn } from '../_people'

// A backup is a past in which doors stood open that were shut since.

const [data, fresh] = [mkdtempSync(`${tmpdir()}/lanward-doors-`), mkdtempSync(`${tmpdir()}/lanward-doors-`)]
let manager: Manager
let backup: string
const passphrase = 'a lane with a gate'
afterAll(async () => {
  await manager.stop()
  for (const folder of [data, fresh]) rmSync(folder, { recursive: true, force: true })
})

const db = () => manager.runtime.db
const ownerRow = () => db().select().from(accounts).where(eq(accounts.account, owner.account)).get()
const scope = { authorities: ['organization_users'] }

const letter = {
  ...{ message: 'then', organization: 1, recipient: 'a@lanward.test', locale: 'en', template: 'test', values: '' },
  ...{ state: 'waiting' as const, createdAt: 0, nextAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
}

test('after a restore nothing lets in that was taken back since: sessions, keys, links, letters, webhooks, shares', async () => {
  manager = await startTestManager({ data })
  await finishedWizard(manager)
  const account = ownerRow()
  if (!account) throw new Error('no owner')
  const session = await signedIn(manager, account)
  const stolen = keyed(manager, account, scope)
  const kept = keyed(manager, account, scope)
  const link = (purpose: TokenPurpose) => issueToken(db(), { account: account.id, purpose, seconds: 3600 })
  for (const purpose of ['activation', 'email', 'resetPassword'] as const) link(purpose)
  db().insert(mails).values(letter).run()
  const hook = (one: string) => {
    const made = { account: account.id, name: one, url: 'https://1.1.1.1/', topics: '["alerts"]', level: 15 }
    return addHook(manager.runtime, { ...made, networks: null, state: 'on' }, newSecret(), 0)
  }
  const [gone, stays] = [hook('gone'), hook('stays')]
  const guests = organization(manager, 'Guests')
  const shares = (['read', 'manage'] as const).map(kind => sharedNetwork(manager, kind, 1, guests, kind))
  raiseAlert(manager.runtime, { type: 'backupFailed' })
  const name = await makeBackup(manager.runtime, { automatic: false, history: false, passphrase })
  backup = `${backupFolder(manager.runtime)}/${name}`
  db().delete(apiKeys).where(eq(apiKeys.id, stolen.id)).run()
  db().delete(webhooks).where(eq(webhooks.id, gone)).run()
  db().delete(networkOffers).where(eq(networkOffers.kind, 'manage')).run()
  const by = { account: owner.account, address: '', organization: 1 }
  await restoreFrom(manager.runtime, backup, by, Date.now(), passphrase)
  await manager.stop()
  manager = await startTestManager({ data })
  const again = async (one: typeof session) => {
    const browser = manager.browser()
    for (const cookie of one.cookies) browser.cookies.set(...cookie)
    return (await browser.post('account/info')).status
  }
  expect(await again(session)).toBe(401)
  const call = (key: string) =>
    manager.browser().post('users/list', {}, { authorization: `Bearer ${key}`, 'x-requested-with': '' })
  expect((await call(kept.key)).retCode).toBe(0)
  expect((await call(stolen.key)).retCode).toBe(codes.keyInvalid)
  expect(db().select({ purpose: accountTokens.purpose }).from(accountTokens).all()).toEqual([{ purpose: 'activation' }])
  expect(db().select().from(mails).all()).toEqual([])
  expect(db().select({ id: webhooks.id, state: webhooks.state }).from(webhooks).all()).toEqual([
    { id: gone, state: 'off' },
    { id: stays, state: 'on' },
  ])
  expect(db().select().from(webhookDeliveries).all()).toEqual([])
  expect(db().select({ network: networkOffers.network }).from(networkOffers).all()).toEqual([{ network: shares[0] }])
})

test('a new machine, which knows nothing of a network, shares it as it was shared', async () => {
  await manager.stop()
  manager = await startTestManager({ data: fresh })
  await restoreFrom(manager.runtime, backup, { account: '', address: '', organization: null }, Date.now(), passphrase)
  await manager.stop()
  manager = await startTestManager({ data: fresh })
  const shares = db().select({ kind: networkOffers.kind }).from(networkOffers).all()
  expect(shares.map(one => one.kind).sort()).toEqual(['manage', 'read'])
})
