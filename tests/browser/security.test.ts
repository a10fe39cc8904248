// Account security as a person meets it: own sessions, the second factor, what the super administrator sets for everybody.
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { owner } from '../server/_manager'
import { signedIn } from './_browser'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(() => one?.end())

const dialog = () => page.getByRole('dialog')
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const settings = async () => {
  await page.goto('/account/settings')
  await heading('Account settings')
}

test('a session that is ended elsewhere goes to the sign-in at once', async () => {
  const other = await signedIn(one.manager.https)
  try {
    await other.page.goto('/network/1/devices')
    await other.page.locator('.foot .status.ok').waitFor()
    await settings()
    await page.getByText('This one').waitFor()
    await page.getByRole('button', { name: 'End all others' }).click()
    await dialog().getByRole('button', { name: 'End all others' }).click()
    await other.page.waitForURL('**/login?to=%2Fnetwork%2F1%2Fdevices')
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
  } finally {
    await other.browser.close()
  }
})

const codeAt = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
const stepMs = 30_000

test('the second factor is turned on by the key on the page; then the password alone signs nobody in', async () => {
  await settings()
  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await dialog().getByLabel('Your password', { exact: true }).fill(owner.password)
  await dialog().getByRole('button', { name: 'Continue' }).click()
  const secret = (await dialog().locator('.key').getAttribute('data-key')) ?? ''
  await one.looksWell('mfa-setup')
  const enabledAt = Date.now()
  await dialog().getByLabel('Code from the authenticator app').fill(codeAt(secret, enabledAt))
  await dialog().getByRole('button', { name: 'Turn on', exact: true }).click()
  await dialog().getByRole('heading', { name: 'Save these recovery codes' }).waitFor()
  expect(await dialog().getByRole('listitem').count()).toBe(10)
  await dialog().getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Turn off', exact: true }).waitFor()
  await one.looksWell('account-settings')
  expect(one.browser.faults()).toEqual([])

  await page.getByRole('button', { name: /Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await page.getByLabel('Account', { exact: true }).fill(owner.account)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/login/mfa?to=*')
  const code = page.getByLabel('Code from the authenticator app')
  await code.fill('12345')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Six digits.', { exact: true }).waitFor()
  await one.looksWell('login-mfa')
  // One code is taken once: the next one, where this step is still that of turning it on.
  await code.fill(codeAt(secret, Math.max(Date.now(), enabledAt + stepMs)))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/network/1/dashboard')
  await heading('Dashboard')
  expect(one.browser.faults()).toEqual([])
})

test('an old password is asked to be changed, later or now; the new one counts', async () => {
  const sqlite = databaseOf(one.manager)
  sqlite.prepare('UPDATE accounts SET password_changed_at = 0').run()
  sqlite.close()
  await page.goto('/network/1/devices')
  await dialog().getByRole('heading', { name: 'Time for a new password?' }).waitFor()
  await one.looksWell('password-notice')
  await dialog().getByRole('button', { name: 'Change it' }).click()
  await heading('Account settings')
  const next = 'Nw8!zK3pQ5'
  await page.getByLabel('Old password', { exact: true }).fill('Wr0ng!pass')
  await page.locator('form#password').getByLabel('Password', { exact: true }).fill(next)
  await page.getByLabel('Repeat the password', { exact: true }).fill(next)
  const change = page.getByRole('button', { name: 'Change password' })
  await change.click()
  await page.getByText('This is not your password.').waitFor()
  await page.getByLabel('Old password', { exact: true }).fill(owner.password)
  await change.click()
  await page.getByText('The password is changed. Your other sessions have ended.', { exact: true }).waitFor()
  expect(one.browser.faults()).toEqual([])
})

test('the super administrator sets what holds for everybody, and from where people come', async () => {
  await page.goto('/organization/manager?tab=security')
  const timeout = page.getByLabel('Sign out after')
  await timeout.fill('4')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.field-error').waitFor()
  await one.looksWell('security')
  await timeout.fill('45')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().getByLabel('Address or subnet').fill('10.0.0.1/8')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().locator('.field-error').waitFor()
  await dialog().getByLabel('Address or subnet').fill('10.0.0.0/8')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '10.0.0.0/8' }).waitFor()
  const wanted = page.getByLabel('Is this address allowed?')
  await wanted.fill('192.0.2.1')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('No.', { exact: true }).waitFor()
  await wanted.fill('10.1.2.3')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Yes, by 10.0.0.0/8.', { exact: true }).waitFor()
  expect(one.browser.faults()).toEqual([])
})
