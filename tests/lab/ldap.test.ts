// People of a real directory (Debian's slapd, by TLS) sign in: who comes in, who does not, and what ends when it changes.
import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { recheckPeople } from '@/server/people/federation/ldap/recheck'
import { type Browser, finishedWizard, type Manager, owner, startTestManager } from '../server/_manager'
import { network } from '../server/_people'
import { type LabDirectory, people, reader, startDirectory } from './_directory'
import { lab } from './_lab'

const notDisabled = '(!(userAccountControl:1.2.840.113556.1.4.803:=2))'
const password = 'Anchor-Chain-7'

let ldap: LabDirectory
let one: Manager
let admin: Browser
let house: number
let settings: Record<string, unknown>
let watchers: string
let engineers: string
const dns: Record<string, string> = {}

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  ldap = await startDirectory()
  for (const uid of ['ann', 'ben', 'cleo', owner.account]) dns[uid] = await ldap.person(uid, password)
  dns.ann_more = await ldap.person('anna', password, { cn: 'Anna Marie', mail: 'anna@lab.test' })
  await ldap.person('dora', password, { userAccountControl: '514' })
  for (const under of [people, 'ou=guests,dc=lab,dc=test']) await ldap.person('twin', password, { under })
  const named = ['ann', 'cleo', owner.account].map(uid => dns[uid] ?? '')
  watchers = await ldap.group('watchers', [...named, dns.ann_more, `uid=dora,${people}`])
  engineers = await ldap.group('engineers', [dns.ben ?? ''])
  one = await startTestManager()
  admin = await finishedWizard(one)
  house = network(one, 'Boat house')
  settings = {
    ...{ enabled: true, host: ldap.host, port: 636, security: 'ldaps', ca: ldap.ca, ...reader },
    ...{ base: 'dc=lab,dc=test', filter: `(&(objectClass=user)(sAMAccountName={name})${notDisabled})` },
    ...{ accountAttribute: 'sAMAccountName', nameAttribute: 'cn', emailAttribute: 'mail', roleAttribute: 'memberOf' },
  }
})
afterAll(async () => {
  await one?.stop()
  await lab.reset('c1')
})

let guests = 0
/** Each from an address of its own: what one did wrong is counted by it. */
const guest = () => {
  guests += 1
  return one.browser(`10.2.${guests >> 8}.${guests & 255}`)
}
const login = (browser: Browser, userName: string, plainPwd: string, headers?: Record<string, string>) =>
  browser.post('login', { userName, userPwd: passwordDigest(plainPwd), plainPwd }, headers)
const save = async (more: object = {}) => (await admin.post('ldap/save', { ...settings, ...more })).retCode
const rowOf = (account: string) => one.runtime.db.select().from(accounts).where(eq(accounts.account, account)).get()
const signedIn = async (browser: Browser) => (await browser.post('account/info')).retCode === 0

async function comesIn(name: string): Promise<Browser> {
  const browser = guest()
  expect(await login(browser, name, password)).toMatchObject({ retCode: 0, data: { url: '' } })
  return browser
}

test('the test finds a person by TLS that the given authority signed, and says what is wrong else', async () => {
  const ask = (more: object = {}) => admin.post('ldap/test', { ...settings, name: 'anna', ...more })
  const person = { dn: dns.ann_more, name: 'Anna Marie', email: 'anna@lab.test', groups: [watchers] }
  expect((await ask()).data).toEqual({ person })
  expect((await ask({ security: 'starttls', port: 389 })).data).toEqual({ person })
  const byGroup = { roleAttribute: '', groupBase: 'ou=groups,dc=lab,dc=test', groupFilter: '(member={dn})' }
  expect((await ask(byGroup)).data).toEqual({ person })
  expect((await ask({ name: 'nobody' })).data).toEqual({ person: null })
  expect((await ask({ name: 'twin' })).data).toEqual({ person: null })
  const refused = async (more: object, reason: RegExp) => {
    const { retCode, data } = await ask(more)
    expect([retCode, data.detail]).toEqual([codes.directoryFailed, expect.stringMatching(reason)])
  }
  await refused({ ca: '' }, /certificate/i)
  await refused({ ca: '', security: 'starttls', port: 389 }, /certificate/i)
  await refused({ bindPassword: 'wrong' }, /credentials/i)
  await refused({ bindDn: '', bindPassword: undefined }, /./)
  await refused({ port: 1 }, /ECONNREFUSED/)
  await refused({ security: 'starttls', port: 22 }, /./)
})

test('a setting that cannot work is refused at its field, and the password stays with its server', async () => {
  const fields = async (more: object) => (await admin.post('ldap/save', { ...settings, ...more })).data.fields
  expect(await fields({ filter: '(uid=ann)' })).toEqual({ filter: 'ldapFilterName' })
  expect(await fields({ filter: '(uid={name}' })).toEqual({ filter: 'ldapFilterName' })
  expect(await fields({ groupFilter: '(member=x)' })).toEqual({ groupFilter: 'ldapFilterDn' })
  expect(await fields({ ca: 'none' })).toEqual({ ca: 'certificateFormat' })
  expect(await fields({ accountAttribute: '(x)' })).toEqual({ accountAttribute: 'ldapAttribute' })
  expect(await fields({ bindPassword: undefined })).toEqual({ bindPassword: 'required' })
  expect(await admin.post('ldap/get')).toMatchObject({ data: { directory: null } })
  expect(await save()).toBe(0)
  const kept = { bindPassword: { set: true } }
  expect((await admin.post('ldap/get')).data.directory).toMatchObject({ host: ldap.host, ...kept })
  expect(await save(kept)).toBe(0)
  expect(await fields({ ...kept, host: '192.0.2.1' })).toEqual({ bindPassword: 'typeAgain' })
  expect(await fields({ ...kept, ca: '' })).toEqual({ bindPassword: 'typeAgain' })
  const plain = { 'x-forwarded-proto': 'http' }
  expect((await admin.post('ldap/save', settings, plain)).retCode).not.toBe(0)
  expect(JSON.stringify(one.runtime.sqlite.prepare('select * from settings').all())).not.toContain(reader.bindPassword)
})

test('people come in with the role of their group, by LDAPS and by StartTLS; without one they do not', async () => {
  expect(await login(guest(), 'ann', password)).toMatchObject({ retCode: codes.ssoNoRole })
  for (const [value, role, networks] of [
    [engineers, 'networkAdministrator', [house]],
    [watchers, 'platformReadOnly', []],
  ] as const)
    expect((await admin.post('ldap/roles/save', { value, role, networks })).retCode).toBe(0)
  await comesIn(' ANN ')
  expect(rowOf('ann')).toMatchObject({ source: 'ldap', role: 'platformReadOnly', allNetworks: true, username: 'ann' })
  expect(await save({ security: 'starttls', port: 389 })).toBe(0)
  const ben = await comesIn('ben')
  expect(rowOf('ben')).toMatchObject({ source: 'ldap', role: 'networkAdministrator' })
  const seen = (await ben.post('networks/list')).data.result as { id: number }[]
  expect(seen.map(each => each.id)).toEqual([house])
  await comesIn('ann')
  expect(await save()).toBe(0)
})

test.each([
  ['a wrong password', 'ann', 'Wrong-Anchor-7'],
  ['somebody unknown', 'nobody', password],
  ['no password, which the directory itself would let in', 'ann', ''],
  ['a name that is every name', '*', password],
  ['a name that ends the filter', '*)(uid=*', password],
  ['a name that is a second filter', 'ann)(|(uid=*', password],
  ['a name that ends in a backslash', 'ann\\', password],
  ['a name with NUL', 'ann\0', password],
  ['a name with a star', 'an*', password],
  ['a name that two have', 'twin', password],
  ['who is disabled in the directory', 'dora', password],
  ['the name of an account of this manager with its password in the directory', owner.account, password],
])('%s is a wrong password', async (_, name, given) => {
  const before = rowOf(name)
  const browser = guest()
  const { status, retCode, data } = await login(browser, name, given)
  expect([status, retCode, data.remainCount]).toEqual([200, codes.wrongPassword, 3])
  expect(await signedIn(browser)).toBe(false)
  expect(rowOf(name)).toEqual(before)
})

test('the password in clear is refused over plain http', async () => {
  const plain = { 'x-forwarded-proto': 'http' }
  expect((await login(guest(), 'ann', password, plain)).retCode).toBe(codes.secureOnly)
  // Without it an account of the directory has no way in.
  const { retCode } = await guest().post('login', { userName: 'ann', userPwd: passwordDigest(password) })
  expect(retCode).toBe(codes.wrongPassword)
})

test('guesses that come together meet the lock', async () => {
  const browser = guest()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => login(browser, 'ann', `guess ${n}`)))
  const wrong = answers.filter(answer => answer.retCode === codes.wrongPassword)
  // Then the picture's code is asked, too.
  expect([wrong.length, answers.length]).toEqual([limits.failuresBeforeCode, 8])
})

test('who is disabled here stays out', async () => {
  const browser = await comesIn('cleo')
  expect((await admin.post('users/disable', { id: rowOf('cleo')?.id, disabled: true })).retCode).toBe(0)
  expect(await signedIn(browser)).toBe(false)
  expect((await login(guest(), 'cleo', password)).retCode).toBe(codes.accountDisabled)
})

test('what asks for the password again asks the directory; the password itself is not changed here', async () => {
  const browser = await comesIn('ann')
  const wrong = await browser.post('mfa/setup', { password: 'Wrong-Anchor-7' })
  expect(wrong).toMatchObject({ retCode: codes.oldPasswordWrong, data: { fields: { password: 'passwordWrong' } } })
  expect((await (await comesIn('ann')).post('mfa/setup', { password })).retCode).toBe(0)
  const fresh = { password: 'Fresh-Anchor-8', repeat: 'Fresh-Anchor-8' }
  const change = await browser.post('account/password', { oldPassword: password, ...fresh })
  expect(change).toMatchObject({ data: { fields: { oldPassword: 'samlAccount' } } })
  expect(await browser.post('account/delete', { password })).toMatchObject({
    data: { fields: { password: 'samlAccount' } },
  })
})

test('another group ends the sessions and gives other rights; none, or no entry any more, takes all of them', async () => {
  const [ann, anna, ben] = [await comesIn('ann'), await comesIn('anna'), await comesIn('ben')]
  await recheckPeople(one.runtime)
  expect(await Promise.all([ann, anna, ben].map(signedIn))).toEqual([true, true, true])
  await ldap.swap(watchers, dns.ann ?? '', `uid=dora,${people}x`)
  await ldap.swap(engineers, dns.ben ?? '', dns.ann ?? '')
  await ldap.remove(dns.ann_more ?? '')
  await recheckPeople(one.runtime)
  expect(await Promise.all([ann, anna, ben].map(signedIn))).toEqual([false, false, false])
  expect(rowOf('ann')).toMatchObject({ role: 'networkAdministrator', allNetworks: false })
  expect(rowOf('ben')).toMatchObject({ role: 'guestEditor', allNetworks: false })
  expect(rowOf('anna')).toMatchObject({ role: 'guestEditor', allNetworks: false })
  expect((await login(guest(), 'ben', password)).retCode).toBe(codes.ssoNoRole)
  expect((await login(guest(), 'anna', password)).retCode).toBe(codes.wrongPassword)
  await comesIn('ann')
  // An entry of the same name later is another person.
  await ldap.person('anna', password)
  expect((await login(guest(), 'anna', password)).retCode).toBe(codes.wrongPassword)
})

test('while the directory is down accounts of this manager come in, and its own wait', async () => {
  const ann = await comesIn('ann')
  await ldap.stop()
  const down = await login(guest(), 'ann', password)
  expect([down.retCode, down.data.remainCount]).toEqual([codes.wrongPassword, 3])
  expect((await login(guest(), owner.account, owner.password)).retCode).toBe(0)
  await expect(recheckPeople(one.runtime)).rejects.toThrow(/ECONNREFUSED/)
  expect(await signedIn(ann)).toBe(true)
  await ldap.start()
  await comesIn('ann')
})

test('once it is turned off nobody comes in by it, and who is in goes', async () => {
  const ann = await comesIn('ann')
  expect(await save({ enabled: false })).toBe(0)
  expect((await login(guest(), 'ann', password)).retCode).toBe(codes.wrongPassword)
  await recheckPeople(one.runtime)
  expect(await signedIn(ann)).toBe(false)
})
