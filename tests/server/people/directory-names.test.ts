// Groups as a directory tells them and as people write them into the list of roles: one name has many spellings.
import { codes } from '@/model/codes'
import { accountOf } from '@/server/people/federation/people'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let admin: Browser
beforeAll(async () => {
  one = await startTestManager()
  admin = await finishedWizard(one)
})
afterAll(() => one.stop())

const role = 'networkReadOnly'
const save = (value: string, source = 'ldap', networks = [1]) =>
  admin.post(`${source}/roles/save`, { value, role, networks })

let people = 0
/** Somebody of whom a directory tells `value` signs in, where the list has `line` alone. */
async function comesIn(value: string, line: string, source: 'ldap' | 'saml' = 'ldap') {
  const { id } = (await save(line, source)).data
  people += 1
  const somebody = {
    ...{ organization: 1, source, subject: `s${people}`, account: `a${people}`, names: [], email: '' },
    values: ['cn=Others,dc=site', value],
  }
  const context = { runtime: one.runtime, now: Date.now(), address: '192.0.2.1' }
  const came = accountOf(context as unknown as Parameters<typeof accountOf>[0], somebody).then(
    row => row.role,
    error => error.retCode ?? error.code,
  )
  const end = await came
  await admin.post(`${source}/roles/delete`, { id })
  return end
}

const told = 'CN=Net Admins,OU=Groups,DC=site,DC=test'
test.each([
  [told, told],
  [told, 'cn=net admins,ou=groups,dc=site,dc=test'],
  [told, 'CN=Net Admins, OU=Groups, DC=site, DC=test'],
  [told, ' CN = Net  Admins ,OU= Groups,DC=site ; DC=test'],
  ['cn=Büro Nord,dc=site', 'cn=B\\C3\\BCro Nord,dc=site'],
  ['cn=Büro Nord,dc=site', 'CN=BU\u0308RO nord,DC=site'],
  ['cn=North\\, upper,dc=site', 'cn=North\\2C Upper,dc=site'],
  ['cn=a\\+b\\=c,dc=site', 'cn=a\\2Bb=c,dc=site'],
  ['cn=x\\\\,dc=site', 'cn=x\\5C,dc=site'],
  ['cn=Ann+uid=7,dc=site', 'UID=7 + CN=ann,dc=site'],
  ['Staff', 'staff'],
])('who is told to be of %j is of the line %j', async (value, line) => {
  expect(await comesIn(value, line)).toBe(role)
})

test.each([
  [told, 'CN=Net Admins2,OU=Groups,DC=site,DC=test'],
  [told, 'CN=Net Admins,DC=site,OU=Groups,DC=test'],
  [told, 'CN=Net Admins,OU=Groups,DC=site'],
  [told, 'OU=Net Admins,OU=Groups,DC=site,DC=test'],
  // An escaped comma is part of the name.
  ['cn=North\\,dc=site', 'cn=North,dc=site'],
  ['cn=x\\\\,dc=site', 'cn=x\\,dc=site'],
  ['Staff', 'Staff2'],
])('who is told to be of %j is not of the line %j', async (value, line) => {
  expect(await comesIn(value, line)).toBe(codes.ssoNoRole)
})

test('an identity provider’s values are exact', async () => {
  expect(await comesIn('Staff', 'Staff', 'saml')).toBe(role)
  expect(await comesIn('Staff', 'staff', 'saml')).toBe(codes.ssoNoRole)
})

test('two lines of one name are refused', async () => {
  expect((await save(told)).retCode).toBe(0)
  expect((await save('cn=net admins, ou=groups, dc=site, dc=test')).data.fields).toEqual({ value: 'nameExists' })
  expect((await save('staff', 'saml')).retCode).toBe(0)
  expect((await save('Staff', 'saml')).retCode).toBe(0)
})
