// What somebody who may only look, at one of two networks, meets: values without a way to change them, and nothing that is not theirs.
import type { Page } from 'playwright-core'
import { owner } from '../server/_manager'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  const place = { country: 'PT', timezone: 'Europe/Lisbon' }
  await one.client.must('networks/add', { networkName: 'Shipyard', ...place })
  await one.client.must('settings/ssid/save', { networkId: 1, name: 'Harbour', security: 'wpa2', key: 'correct horse' })
  const database = databaseOf(one.manager)
  const add = database.prepare(
    `INSERT INTO accounts (organization, account, username, role, password, password_changed_at, state, created_at)
     SELECT organization, ?, ?, 'networkReadOnly', password, password_changed_at, state, created_at FROM accounts WHERE id = 1`,
  )
  const looker = add.run('looker1', 'Looker').lastInsertRowid
  add.run('nobody1', 'Nobody')
  database.prepare('INSERT INTO account_networks (account, network) VALUES (?, 1)').run(looker)
  database.close()
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const count = (role: 'button' | 'link', name: string | RegExp) => page.getByRole(role, { name, exact: true }).count()

async function become(account: string): Promise<void> {
  // Nothing asks any more when the session goes.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await one.browser.signIn(page, account, owner.password)
}

test('a read-only network administrator sees their own network alone, and no control that changes anything', async () => {
  await become('looker1')
  await page.waitForURL('**/network/1/dashboard')
  await page.getByText('This network has no devices yet.').waitFor()
  expect(await count('link', 'Add devices')).toBe(0)

  await page.goto('/organization/network')
  await page.getByRole('row').filter({ hasText: 'Quay' }).waitFor()
  expect(await page.getByText('Shipyard').count()).toBe(0)
  expect(await count('link', 'Create network')).toBe(0)
  expect(await count('button', 'Import settings')).toBe(0)

  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'Credentials', exact: true }).click()
  await page.getByText('No credentials stored yet.').waitFor()
  expect(await count('button', 'Add credentials')).toBe(0)
  expect(await page.getByRole('link', { name: 'By address', exact: true }).count()).toBe(0)

  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour', exact: true }).waitFor()
  expect(await page.getByText('Read-only', { exact: true }).count()).toBe(1)
  await page.getByRole('link', { name: 'Harbour', exact: true }).click()
  await heading('Harbour').waitFor()
  expect(await page.getByLabel('Name (SSID)').isDisabled()).toBe(true)
  expect(await count('button', /Save|Delete/)).toBe(0)
  await one.looksWell('settings-read-only')
})

test.each([
  '/network/1/devices/group/form',
  '/network/1/settings/wifi/form',
  '/network/1/alerts/notice/form',
  '/organization/overview/form',
  '/organization/manager',
])('%s, asked for by its address, is forbidden to them', async path => {
  await page.goto(path)
  await page.waitForURL('**/forbidden')
  await heading('No permission').waitFor()
})

test('another network is not there for them', async () => {
  await page.goto('/network/2/dashboard')
  await page.getByRole('dialog').getByText('This network', { exact: false }).waitFor()
})

test('whoever was given no network is told so', async () => {
  await become('nobody1')
  await page.waitForURL('**/organization/network')
  await page.getByText('You have no networks yet.').waitFor()
  await one.looksWell('no-network')
})

test('whoever wants ends their own account, by its password', async () => {
  await page.goto('/account/settings')
  const open = page.getByRole('button', { name: 'Delete my account' })
  // Buttons do something from the moment that a call was answered.
  await page.getByText('Sign out after').first().waitFor()
  await open.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password', { exact: true }).fill(`${owner.password}x`)
  await one.looksWell('account-delete')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByText('This is not your password.').waitFor()
  await dialog.getByLabel('Your password', { exact: true }).fill(owner.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByText('opens in 5 seconds').waitFor()
  await page.waitForURL('**/login')
  const database = databaseOf(one.manager)
  expect(database.prepare("SELECT account FROM accounts WHERE account = 'nobody1'").all()).toEqual([])
  database.close()
  // What the page asked for meanwhile was refused: its session was over.
  expect(one.browser.faults().filter(fault => !/401/.test(fault))).toEqual([])
})
