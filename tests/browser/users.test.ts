// People as an administrator meets them: invited by a link, seeing what is theirs, shut out, deleted; and roles of one's own making.
import { axe, type Browser, launch, looksWell } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Console['page']
let guest: Browser
let ana: Console['page']

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  await one.client.must('networks/add', { networkName: 'Annex', country: 'PT', timezone: 'Europe/Lisbon' })
  guest = await launch(one.manager.https)
  ana = await guest.page()
})
afterAll(async () => {
  await guest?.close()
  await one?.end()
})
afterEach(() => expect([one.browser.faults(), guest.faults()]).toEqual([[], []]))

const password = 'Gr8!mole-x'
const name = '<img src=x onerror=alert(1)>'
const row = (account: string) => page.getByRole('row').filter({ hasText: account })
const dialog = () => page.getByRole('dialog')
const answer = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click()
const choose = async (action: string) => {
  await page.getByRole('button', { name: 'Actions for ana7', exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Adds somebody, and gives the link that is shown this once. */
async function invite(): Promise<string> {
  await page.getByRole('button', { name: 'Add user', exact: true }).click()
  await dialog().getByLabel('Account', { exact: true }).fill('ana7')
  await dialog().getByLabel('Name', { exact: true }).fill(name)
  await dialog().getByLabel('E-mail', { exact: true }).fill('ana@quay')
  await dialog().getByLabel('Role', { exact: true }).click()
  await page.getByRole('option', { name: 'Network administrator', exact: true }).click()
  await dialog().getByLabel('Networks', { exact: true }).click()
  await page.getByRole('option', { name: 'Annex' }).click()
  await page.keyboard.press('Escape')
  await answer('Add and show link')
  await dialog().getByText('Give an address such as name@example.com.').waitFor()
  await one.looksWell('user-form')
  await dialog().getByLabel('E-mail', { exact: true }).fill('ana@quay.example')
  await answer('Add and show link')
  const link = await dialog().getByLabel('Link', { exact: true }).inputValue()
  await one.looksWell('user-link')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  return link
}

test('a network administrator is invited, chooses name and password and sees their network only', async () => {
  await page.goto('/organization/users')
  await row('marta.1').waitFor()
  const link = await invite()
  await row('ana7').getByText('Invited', { exact: true }).waitFor()
  await row('ana7').getByText(name, { exact: true }).waitFor()
  await looksWell(page, 'users', { dark: true })

  await ana.goto(link)
  await ana.getByRole('heading', { level: 1, name: 'Set up your account' }).waitFor()
  await ana.getByLabel('Name', { exact: true }).fill('Ana Reis')
  await ana.getByLabel('Password', { exact: true }).fill(password)
  await ana.getByLabel('Repeat the password', { exact: true }).fill('another')
  await ana.getByRole('button', { name: 'Set password' }).click()
  await ana.getByText('The two entries are not the same.').waitFor()
  await looksWell(ana, 'activate', { dark: true })
  await ana.getByLabel('Repeat the password', { exact: true }).fill(password)
  await ana.getByRole('button', { name: 'Set password' }).click()
  await ana.getByRole('heading', { level: 1, name: 'Your account is ready' }).waitFor()
  await ana.getByRole('link', { name: 'Go to sign-in', exact: true }).click()
  await ana.waitForURL('**/login')
  await ana.goto(link)
  await ana.getByText('This account is activated already. Sign in with its password.').waitFor()
  expect(await axe(ana)).toEqual([])

  await guest.signIn(ana, 'ana7', password)
  await ana.goto('/organization/network')
  await ana.getByRole('row').filter({ hasText: 'Annex' }).waitFor()
  expect(await ana.getByRole('row').filter({ hasText: 'Quay' }).count()).toBe(0)
  await ana.locator('.foot .st.ok').waitFor()
})

test('who is disabled is led out at once; deleted, they are gone from the list', async () => {
  await row('ana7').getByText('Active', { exact: true }).waitFor()
  await choose('Disable')
  await dialog().getByText('Every session of this account ends at once.').waitFor()
  await answer('Disable')
  await ana.waitForURL('**/login*')
  // What the page had asked for meanwhile was refused.
  guest.faults()
  await row('ana7').getByText('Disabled', { exact: true }).waitFor()
  await choose('Delete user')
  await dialog().getByText('The account is gone for good.', { exact: false }).waitFor()
  await answer('Delete user')
  await row('ana7').waitFor({ state: 'detached' })
})

test('a role of one’s own: features with none, read or edit', async () => {
  await page.goto('/organization/users?tab=roles')
  await page.getByText('Guest editor', { exact: true }).waitFor()
  await looksWell(page, 'roles')
  await page.getByRole('link', { name: 'Create role', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Wi-Fi people')
  await page.getByRole('group', { name: 'Wi-Fi', exact: true }).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('group', { name: 'Clients', exact: true }).getByRole('button', { name: 'Read' }).click()
  await one.looksWell('role-form')
  await page.getByRole('button', { name: 'Create role', exact: true }).click()
  await page.getByRole('link', { name: 'Wi-Fi people', exact: true }).waitFor()
  await page.getByText('Reads 2 features, changes 1.').waitFor()
})
