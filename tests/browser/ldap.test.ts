// A directory is set up by its page, tried out, and lets one of its people in.
import { type LabDirectory, people, reader, startDirectory } from '../lab/_directory'
import { lab } from '../lab/_lab'
import { type Browser, launch, looksWell } from './_browser'
import { type Console, openConsole } from './_setup'

let ldap: LabDirectory
let watchers: string
let one: Console
let guest: Browser

beforeAll(async () => {
  ldap = await startDirectory()
  watchers = await ldap.group('watchers', [await ldap.person('ann', 'Anchor-Chain-7', { cn: 'Ann Marie' })])
  one = await openConsole('Quay')
  guest = await launch(one.manager.https)
})
afterAll(async () => {
  await guest?.close()
  await one?.end()
  await lab.reset('c1')
})
afterEach(() => expect([one?.browser.faults() ?? [], guest?.faults() ?? []]).toEqual([[], []]))

test('the super administrator sets the directory up, tries it out, and gives a group a role', async () => {
  const { page } = one
  const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await page.goto('/organization/users')
  await page.getByRole('link', { name: 'Directory', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Directory', exact: true }).waitFor()
  const allowed = page.getByLabel('Allow sign-in with the directory', { exact: true })
  expect(await allowed.isChecked()).toBe(false)
  await allowed.click()
  await fill('Server', ldap.host)
  await fill('Base DN', people)
  await fill('User filter', '(uid=ann)')
  await fill('Account for the test', 'ann')
  await press('Test')
  await page.getByText('Enter a filter that contains {name}, such as (uid={name}).').waitFor()
  await one.looksWell('ldap-refused')
  await press('OpenLDAP defaults')
  await fill('CA certificate', ldap.ca)
  await fill('Bind DN', reader.bindDn)
  await fill('Bind password', reader.bindPassword)
  await press('Test')
  await page.getByText('The directory has this account').waitFor()
  await page.getByText(watchers, { exact: true }).waitFor()
  await press('Save')
  await page.getByText('Directory saved', { exact: true }).waitFor()

  await press('Add role')
  await dialog.getByLabel('Value', { exact: true }).fill(watchers)
  await dialog.getByLabel('Role', { exact: true }).click()
  await page.getByRole('option', { name: 'Platform administrator, read-only', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: `Actions for ${watchers}`, exact: true }).waitFor()
  await looksWell(page, 'ldap', { dark: true })
})

test('a person of the directory signs in, and has no password to change here', async () => {
  const page = await guest.page()
  await page.goto('/login?to=%2Faccount%2Fsettings')
  await page.getByLabel('Account', { exact: true }).fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('Anchor-Chain-7')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('You sign in with the directory', { exact: true }).waitFor()
  await looksWell(page, 'ldap-account')
  expect(await page.getByRole('button', { name: 'Change password', exact: true }).count()).toBe(0)
  await page.close()
})
