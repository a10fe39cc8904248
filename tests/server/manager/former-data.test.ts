// What the last state with many migrations wrote: a data folder, and backups of it with and without a passphrase.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extract } from 'tar'
import { restoreFrom } from '@/server/manager/backups/service'
import { verifyLog } from '@/server/manager/changelog/verify'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../_manager'

const files = `${process.cwd()}/tests/recordings/data-0.1.0`
const passphrase = 'a lane with a gate'
let folder: string
let manager: Manager | undefined
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/lanward-former-`)
})
afterEach(async () => {
  await manager?.stop()
  manager = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function signedIn(one: Manager): Promise<Browser> {
  const browser = one.browser()
  const userPwd = createHash('sha256').update(owner.password).digest('hex')
  expect((await browser.post('login', { userName: 'marta.1', userPwd })).retCode).toBe(0)
  return browser
}

/** What it said then, by the calls of a page. */
async function expectAll(one: Manager): Promise<void> {
  const browser = await signedIn(one)
  const data = async (path: string, body = {}) => (await browser.post(path, body)).data
  const rows = async (path: string) => (await data(path)).result as Record<string, unknown>[]
  const [ssid] = await rows('settings/ssid/list')
  const [schedule] = await rows('settings/schedule/list')
  expect(ssid).toMatchObject({ name: 'Café', security: 'wpa2', vlan: 20, schedule: schedule?.id, key: { set: true } })
  expect(await rows('settings/radius/list')).toMatchObject([{ name: 'Radius', secret: { set: true } }])
  expect(await rows('settings/lan/list')).toMatchObject([{ name: 'Guests', vlan: 30 }])
  expect(await data('settings/targets')).toMatchObject({ devices: [{ name: 'Pier AP' }] })
  expect(await data('system-settings/smtp')).toMatchObject({ server: { port: 2525, password: { set: true } } })
  expect(await data('alerts/notice/query')).toMatchObject({ mode: 'mail', mail: { to: ['ops@example.test'] } })
  expect(await data('account/security/get')).toMatchObject({ sessionTimeout: 45, syncTimeouts: false, signUp: true })
  expect(await data('changelog/syslog/get')).toMatchObject({ protocol: 'udp', host: '127.0.0.1', port: 5514 })
  expect(await data('ldap/get')).toMatchObject({
    directory: { host: 'ldap.example.test', bindPassword: { set: true } },
  })
  expect(await data('saml/get')).toMatchObject({ identifier: 'harbour', enabled: true })
  expect(await data('webhooks/get')).toMatchObject({ segments: ['127.0.0.1/32'] })
  const verdict = await verifyLog(one.runtime.sqlite, one.runtime.secrets)
  expect(verdict.problems).toEqual([])
}

test('a data folder of before opens as it is', async () => {
  await extract({ file: `${files}/data.tar.gz`, cwd: folder })
  manager = await startTestManager({ data: folder })
  await expectAll(manager)
})

test('a backup of before with its passphrase is restored on a new machine', async () => {
  manager = await startTestManager({ data: folder })
  await finishedWizard(manager)
  const by = { account: owner.account, address: '', organization: 1 }
  await restoreFrom(manager.runtime, `${files}/backup-with-passphrase.tar.gz`, by, Date.now(), passphrase)
  await manager.stop()
  manager = await startTestManager({ data: folder })
  await expectAll(manager)
})

test('a backup of before without a passphrase is restored beside its own key', async () => {
  await extract({ file: `${files}/data.tar.gz`, cwd: folder })
  manager = await startTestManager({ data: folder })
  const by = { account: owner.account, address: '', organization: 1 }
  await restoreFrom(manager.runtime, `${files}/backup.tar.gz`, by, Date.now(), undefined)
  await manager.stop()
  manager = await startTestManager({ data: folder })
  expect(readdirSync(folder)).toContain('gen-2')
  await expectAll(manager)
})
