// Addresses, and pages that come back as they were left.
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
  for (let at = 1; at <= 16; at++)
    await one.client.must('settings/ssid/save', {
      networkId: 1,
      name: `Berth ${at}`,
      security: 'wpa2',
      key: 'correct horse',
    })
  const role = (await one.client.must('roles/save', { name: 'Cables', authorities: ['settings_lan'] })) as {
    id: string
  }
  const database = databaseOf(one.manager)
  const looker = database
    .prepare(
      `INSERT INTO accounts (organization, account, username, role, password, password_changed_at, state, created_at)
       SELECT organization, 'cables1', 'Cables', ?, password, password_changed_at, state, created_at FROM accounts WHERE id = 1`,
    )
    .run(role.id).lastInsertRowid
  database.prepare('INSERT INTO account_networks (account, network) VALUES (?, 1)').run(looker)
  database.close()
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const menuLink = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const at = (path: string) => page.waitForURL(url => `${url.pathname}${url.search}` === path)
const refused = () => page.locator('.toast.bad').first().waitFor()

test.each([
  ['/network/2', '/network/2/dashboard'],
  ['/organization', '/organization/network'],
  ['/network/1/settings', '/network/1/settings/wifi'],
])('%s opens %s', async (path, shown) => {
  await page.goto(path)
  await at(shown)
  expect(await page.locator('.toast.bad').count()).toBe(0)
})

test.each(['/network/1/settings/nothing', '/network/1/settings/wifi/nothing', '/network/1/nothing', '/nothing'])(
  'the unknown address %s leads home, which says why',
  async path => {
    await page.goto(path)
    await page.waitForURL('**/dashboard')
    await page.getByText('You do not have permission.').first().waitFor()
  },
)

test.each([
  ['/network/1/settings/wifi/form?id=gone', '/network/1/settings/wifi'],
  ['/network/1/settings/wifi?tab=radio&group=99', '/network/1/settings/wifi?tab=radio'],
  ['/network/1/settings/system?device=99', '/network/1/settings/system'],
  ['/organization/overview/form?id=x', '/organization/network'],
  ['/network/1/devices?status=9', '/network/1/devices'],
  ['/organization/network?sort=nothing.asc', '/organization/network'],
])('%s, which there is none of, opens %s with the error', async (path, shown) => {
  await page.goto(path)
  await at(shown)
  await refused()
})

test('a network that is no number is told as one that does not exist', async () => {
  await page.goto('/network/abc/devices')
  await page.getByRole('dialog').getByText('no longer exists').first().waitFor()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.waitForURL('**/dashboard')
})

test('search, sort, page and scroll of a list come back by the menu', async () => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.goto('/network/1/settings/wifi')
  await heading('Wi-Fi')
  await page.getByRole('search').getByRole('textbox').fill('berth')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Name (SSID)', exact: true }).click()
  await page.waitForURL(/q=berth.*sort=name/)
  await page.getByRole('link', { name: 'Berth 16', exact: true }).waitFor()
  const top = 150
  await page.evaluate(to => window.scrollTo({ top: to, behavior: 'instant' }), top)
  await page.waitForFunction(to => window.scrollY === to, top)
  const left = new URL(page.url())
  await menuLink('Alerts').click()
  await heading('Alerts')
  await menuLink('Settings')
    .or(page.getByRole('button', { name: 'Settings', exact: true }))
    .first()
    .click()
  await menuLink('Wi-Fi').click()
  await at(`${left.pathname}${left.search}`)
  await page.waitForFunction(wanted => Math.abs(window.scrollY - wanted) < 3, top)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the tab of a page comes back by the menu, and by the breadcrumb of a form below it', async () => {
  await page.goto('/organization/users')
  await heading('Users')
  await page.getByRole('link', { name: /^Roles/ }).click()
  await page.waitForURL(/tab=roles/)
  await menuLink('Changelog').click()
  await heading('Changelog')
  await menuLink('Users').click()
  await at('/organization/users?tab=roles')
  await page.goto('/organization/users/roles/form')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Users' }).click()
  await at('/organization/users?tab=roles')
})

test('the range of a dashboard comes back by the network picker', async () => {
  await page.goto('/network/1/dashboard')
  await page
    .getByRole('button', { name: '7 d', exact: true })
    .or(page.getByRole('radio', { name: '7 d' }))
    .first()
    .click()
  await page.waitForURL(/range=1w/)
  await page.goto('/network/2/dashboard')
  await page
    .getByRole('button', { name: /Network/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('link', { name: /^Quay/ }).click()
  await at('/network/1/dashboard?range=1w')
})

test('another person of the same tab finds no view of the one before', async () => {
  await page.goto('/organization/users?tab=roles')
  await heading('Users')
  await page.goto('about:blank')
  await page.context().clearCookies()
  await one.browser.signIn(page, 'cables1', owner.password)
  await page.waitForFunction(() => sessionStorage.getItem('lanward.views')?.includes('cables1'))
  expect(await page.evaluate(() => sessionStorage.getItem('lanward.views'))).not.toContain('roles')
})

test('settings begin with the first page that a role may open', async () => {
  await page.goto('/network/1/settings')
  await at('/network/1/settings/lan')
})

test('the page that waits for the manager goes on to its target when it answers', async () => {
  await page.goto('/router/processing?to=/network/1/settings/lan')
  await at('/network/1/settings/lan')
})
