// People as an administrator meets them: invited by a link, seeing what is theirs, shut out, deleted; and roles of one's own making.
import { until } from '../lab/_lab'
import { owner } from '../soak/owner'
import { axe, type Browser, launch, looksWell } from './_browser'
import { mailServer } from './_receivers'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Console['page']
let guest: Browser
let ana: Console['page']
let mail: Awaited<ReturnType<typeof mailServer>>

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  await one.client.must('networks/add', { networkName: 'Annex', country: 'PT', timezone: 'Europe/Lisbon' })
  guest = await launch(one.manager.https)
  ana = await guest.page()
  mail = await mailServer()
})
afterAll(async () => {
  await mail?.close()
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
  await dialog().getByLabel('Email', { exact: true }).fill('ana@quay')
  await dialog().getByLabel('Role', { exact: true }).click()
  await page.getByRole('option', { name: 'Network administrator', exact: true }).click()
  await dialog().getByLabel('Networks', { exact: true }).click()
  await page.getByRole('option', { name: 'Annex' }).click()
  await page.keyboard.press('Escape')
  await answer('Add and show link')
  await dialog().getByText('Enter an address such as name@example.com.').waitFor()
  await one.looksWell('user-form')
  await dialog().getByLabel('Email', { exact: true }).fill('ana@quay.example')
  await answer('Add and show link')
  const link = await dialog().getByLabel('Link', { exact: true }).inputValue()
  await one.looksWell('user-link')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  return link
}

test('a network administrator is invited, chooses name and password and sees their network only', async () => {
  await page.goto('/organization/users')
  await row('marta7').waitFor()
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
  await ana.getByText('The two entries do not match.').waitFor()
  await looksWell(ana, 'activate', { dark: true })
  await ana.getByLabel('Repeat the password', { exact: true }).fill(password)
  await ana.getByRole('button', { name: 'Set password' }).click()
  await ana.getByRole('heading', { level: 1, name: 'Your account is ready' }).waitFor()
  await ana.getByRole('link', { name: 'Go to sign-in', exact: true }).click()
  await ana.waitForURL('**/login')
  await ana.goto(link)
  await ana.getByText('This account is already activated. Sign in with its password.').waitFor()
  expect(await axe(ana)).toEqual([])

  await guest.signIn(ana, 'ana7', password)
  await ana.goto('/organization/network')
  await ana.getByRole('row').filter({ hasText: 'Annex' }).waitFor()
  expect(await ana.getByRole('row').filter({ hasText: 'Quay' }).count()).toBe(0)
  await ana.locator('.foot .status.ok').waitFor()
})

test('who is disabled is led out at once; deleted, they are gone from the list', async () => {
  await row('ana7').getByText('Active', { exact: true }).waitFor()
  await choose('Disable')
  await dialog().getByText('All sessions of this account end immediately.').waitFor()
  await answer('Disable')
  await ana.waitForURL('**/login*')
  // What the page had asked for meanwhile was refused.
  guest.faults()
  await row('ana7').getByText('Disabled', { exact: true }).waitFor()
  await choose('Delete user')
  await dialog().getByText('The account is permanently deleted.', { exact: false }).waitFor()
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
  await page.getByText('Reads 2 features, edits 1.').waitFor()

  await page.getByRole('button', { name: 'Actions for Network administrator, read-only', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Create role', exact: true }).waitFor()
  const named = page.getByLabel('Name', { exact: true })
  expect(await named.inputValue()).toBe('Copy of Network administrator, read-only')
  await named.fill('Night watch')
  await page.getByRole('button', { name: 'Create role', exact: true }).click()
  await page.getByRole('link', { name: 'Night watch', exact: true }).waitFor()
  const { result } = (await one.client.must('roles/list')) as { result: { name: string; authorities: string[] }[] }
  const held = (name: string) => result.find(role => role.name === name)?.authorities
  expect(held('Night watch')).toEqual(held('networkReadOnly'))
})

test('a role starts from a purpose, by mouse and by key; what it grants is said, and everything can be changed', async () => {
  await page.goto('/organization/users/roles/form')
  const at = (feature: string, level: string) =>
    page.getByRole('group', { name: feature, exact: true }).getByRole('button', { name: level, exact: true })
  const isAt = async (feature: string, level: string) =>
    expect(await at(feature, level).getAttribute('aria-pressed')).toBe('true')
  await page.getByLabel('Name', { exact: true }).fill('Pier desk')
  await at('Wi-Fi', 'Edit').click()
  await page.getByRole('button', { name: /^Front desk/ }).click()
  await page.getByText('They replace what you had chosen; Undo restores it.', { exact: false }).waitFor()
  await isAt('Vouchers', 'Edit')
  await isAt('Wi-Fi', 'None')
  const grants = (level: string) => page.locator('.granted > div').filter({ hasText: level }).locator('dd')
  await grants('Grants edit').getByText('Guests, Vouchers', { exact: true }).waitFor()
  await grants('Grants read').getByText('Clients', { exact: true }).waitFor()
  await looksWell(page, 'role-preset', { dark: true })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await isAt('Wi-Fi', 'Edit')
  await isAt('Vouchers', 'None')

  await page.getByRole('button', { name: /^Front desk/ }).focus()
  await page.keyboard.press('Enter')
  await at('Alerts', 'Read').focus()
  await page.keyboard.press('Enter')
  await grants('Grants read').getByText('Clients, Alerts', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create role', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Pier desk', exact: true }).waitFor()
  const { result } = (await one.client.must('roles/list')) as { result: { name: string; authorities: string[] }[] }
  expect(result.find(role => role.name === 'Pier desk')?.authorities.toSorted()).toEqual([
    'account',
    'alerts',
    'clients',
    'guests',
    'guests_remove',
    'vouchers',
    'vouchers_edit',
    'vouchers_print',
  ])
})

/** What a letter of this subject says, as its text stands in the mail. */
const letterOf = async (subject: string) =>
  (await until(() => mail.letters.find(letter => letter.includes(`Subject: ${subject}`)))).replace(/=\r\n/g, '')
const linkOf = async (subject: string) =>
  /https:\/\/\S+\/login\/activate#[\w-]{43}/.exec(await letterOf(subject))?.[0] ?? ''

/** Sets the password of whoever a letter's link leads to. */
async function choosePassword(link: string, heading: string): Promise<void> {
  await ana.goto(link)
  await ana.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  await ana.getByLabel('Name', { exact: true }).fill('Ana Reis')
  await ana.getByLabel('Password', { exact: true }).fill(password)
  await ana.getByLabel('Repeat the password', { exact: true }).fill(password)
  await ana.getByRole('button', { name: 'Set password' }).click()
}

test('invited by letter: its link leads to a password, and that one in', async () => {
  const server = { host: '127.0.0.1', port: mail.port, security: 'none', from: 'nms@quay.example' }
  await one.client.must('system-settings/smtp/save', { ...server, publicUrl: one.manager.https })
  await one.client.must('users/add', { account: 'bea7', email: 'bea@quay.example', role: 'guestEditor', networks: [1] })
  await choosePassword(await linkOf('Your account on'), 'Set up your account')
  await ana.getByRole('heading', { level: 1, name: 'Your account is ready' }).waitFor()
  await guest.signIn(ana, 'bea7', password)
  // A page that still asks would be refused, and that counts as a fault.
  await ana.goto('about:blank')
  await ana.context().clearCookies()
  await ana.goto('/login')
})

test('opened, people ask for an account at the sign-in, prove their address and are let in', async () => {
  expect(await ana.getByRole('link', { name: 'Request an account' }).count()).toBe(0)
  await page.goto('/organization/manager?tab=security')
  await page.getByLabel('Allow account requests').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').first().waitFor()

  await ana.reload()
  await ana.getByRole('link', { name: 'Request an account' }).click()
  await ana.waitForURL('**/login/sign-up')
  await ana.getByLabel('Name', { exact: true }).fill('Ana 7')
  await ana.getByLabel('Email', { exact: true }).fill('ana@harbour')
  await ana.getByLabel('Account', { exact: true }).fill('anareis')
  await ana.getByRole('button', { name: 'Request an account' }).click()
  await ana.getByText('Enter an address such as name@example.com.').waitFor()
  await looksWell(ana, 'sign-up', { dark: true })
  await ana.getByLabel('Email', { exact: true }).fill('ana@harbour.example')
  await ana.getByRole('button', { name: 'Request an account' }).click()
  await ana.getByText('An email is on its way to ana@harbour.example.').waitFor()
  await ana.getByRole('button', { name: /^Send it again in/ }).waitFor()
  await looksWell(ana, 'sign-up-sent')
  await choosePassword(await linkOf('Confirm your email address'), 'Confirm your address')
  await ana.getByRole('heading', { level: 1, name: 'Your address is confirmed' }).waitFor()

  await page.goto('/organization/users')
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.getByText('ana@harbour.example · requested account: anareis').waitFor()
  await looksWell(page, 'requests', { dark: true })
  await page.getByRole('button', { name: 'Accept the request of Ana Reis' }).click()
  await dialog().getByLabel('Role', { exact: true }).click()
  await page.getByRole('option', { name: 'Platform administrator, read-only', exact: true }).click()
  await one.looksWell('request-accept')
  await answer('Accept')
  await page.getByText('No account requests.').waitFor()
  expect(await letterOf('Your account on Quay is ready')).toContain('Your account is: anareis')
  await guest.signIn(ana, 'anareis', password)
})

test('one’s own address: a code goes there, and it counts once the code is typed', async () => {
  await page.goto('/account/settings')
  await page.getByRole('button', { name: 'Set email' }).click()
  await dialog().getByLabel('New address').fill('marta@quay.example')
  await dialog().getByLabel('Your password', { exact: true }).fill(owner.password)
  await answer('Continue')
  const code = dialog().getByLabel('Code', { exact: true })
  await code.fill('12345')
  await answer('Confirm')
  await dialog().locator('.field-error').waitFor()
  await one.looksWell('email-code')
  await code.fill(/^(\d{6})\r?$/m.exec(await letterOf('Code to confirm this email address'))?.[1] ?? '')
  await answer('Confirm')
  await page.getByRole('button', { name: 'Change email' }).waitFor()
})
