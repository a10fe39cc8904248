import type { Locator, Page } from 'playwright-core'
import { ask, type Manager, removeFolder, startManager } from '../appliance/_manager'
import { until } from '../lab/_lab'
import { axe, type Browser, launch, phone, scrollsSideways, wide } from './_browser'

// Signing in, and the shell around every page, on a manager of its own that the wizard's calls set up.

const password = 'Hk7#mQ2x!w'
let manager: Manager
let browser: Browser
let page: Page

/** The first start without a browser: the calls the wizard makes, over https, with its cookie. */
async function setUp(base: string): Promise<void> {
  let cookie = ''
  const call = async (path: string, input: unknown = {}) => {
    const reply = await ask(`${base}/app/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'test', cookie },
      body: JSON.stringify(input),
    })
    const set = reply.headers['set-cookie'] ?? []
    if (set.length > 0) cookie = set.map(line => line.split(';')[0]).join('; ')
    expect(JSON.parse(reply.body)).toMatchObject({ retCode: 0 })
  }
  await call('wizard/unlock')
  await call('wizard/general', {
    step: 'general',
    name: 'Quay',
    country: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'en',
  })
  await call('wizard/account', { step: 'account', account: 'marta7', password, repeat: password })
  await call('wizard/skip', { step: 'devices' })
  await call('wizard/skip', { step: 'ssid' })
  await call('wizard/finish')
  await call('guide/step', { step: 3 })
}

beforeAll(async () => {
  manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  await setUp(manager.https)
  browser = await launch(manager.https)
  page = await browser.page()
})
afterAll(async () => {
  await browser?.close()
  await manager?.stop()
  if (manager) removeFolder(manager.data)
})

/** Clicks, and waits until the browser has another value in the cookie that keeps what was chosen. */
async function keeps(name: string, choice: Locator): Promise<void> {
  const value = async () => (await page.context().cookies()).find(cookie => cookie.name === name)?.value
  const before = await value()
  await choice.click()
  await until(async () => (await value()) !== before)
}
const at = () => new URL(page.url()).pathname
const signIn = async (word = password) => {
  await page.getByLabel('Account', { exact: true }).fill('Marta7')
  await page.getByLabel('Password', { exact: true }).fill(word)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a page leads to the sign-in and back to where it was wanted; foreign targets lead home', async () => {
  await page.goto('/network/1/devices?q=ap')
  await page.waitForURL('**/login?to=*')
  expect(await axe(page)).toEqual([])
  await signIn()
  await page.waitForURL('**/network/1/devices?q=ap')
  for (const target of ['//evil.example/x', '/\\evil.example', 'https://evil.example']) {
    await page.goto(`/login?to=${encodeURIComponent(target)}`)
    await page.waitForURL('**/network/1/dashboard')
  }
  expect(browser.faults()).toEqual([])
})

test('the theme is drawn by the server: the first byte of the next page is dark', async () => {
  await page.getByRole('button', { name: 'Theme' }).click()
  await keeps('theme', page.getByRole('menuitemcheckbox', { name: 'Dark' }))
  await page.waitForFunction(() => document.documentElement?.dataset.theme === 'dark')
  const response = await page.goto('/network/1/dashboard')
  expect(await response?.text()).toContain('data-theme="dark"')
  expect(await axe(page)).toEqual([])
})

test('Ctrl K and a few letters go anywhere; g and a letter too; / searches the table', async () => {
  // Live: then the page hears keys.
  await page.locator('.foot .status.ok').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('netw')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/organization/network')
  await page.getByRole('heading', { level: 1, name: 'Networks' }).waitFor()
  // Two keys belong together only when the second follows soon.
  await until(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.waitForURL(/\/network\/1\/devices(\?|$)/, { timeout: 10_000 })
    return true
  })
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  const search = page.getByLabel('Name, IP, MAC or serial')
  await search.waitFor()
  await until(async () => {
    await page.keyboard.press('/')
    return search.evaluate(box => box === document.activeElement)
  })
})

test('an address without a screen goes home and says why', async () => {
  await page.goto('/no/such/page')
  await page.waitForURL('**/network/1/dashboard')
  await page.getByText('You do not have permission.').first().waitFor()
})

test('20010: a network that does not exist opens one dialog and leads to one that does', async () => {
  await page.goto('/network/999/dashboard')
  const dialog = page.getByRole('dialog', { name: 'This network no longer exists' })
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Go to another network' }).click()
  await page.waitForURL('**/network/1/dashboard')
})

test('the sidebar stays folded; nothing scrolls sideways on a phone or in a right-to-left page', async () => {
  await keeps('sidebar', page.getByRole('button', { name: 'Collapse the sidebar' }))
  await page.reload()
  expect(await page.getByRole('button', { name: 'Expand the sidebar' }).getAttribute('aria-expanded')).toBe('false')
  await page.getByRole('button', { name: 'Expand the sidebar' }).click()
  await page.setViewportSize(phone)
  expect(await scrollsSideways(page)).toBe(false)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.locator('.drawer-side').getByRole('link', { name: 'Devices' }).click()
  await page.waitForURL(/\/network\/1\/devices(\?|$)/)
  await page.locator('.drawer-side').waitFor({ state: 'detached' })
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize(wide)
  expect(await scrollsSideways(page)).toBe(false)
})

test('two tabs share one stream', async () => {
  const streams: string[] = []
  const second = await browser.page()
  for (const one of [page, second])
    one.on('request', request => request.url().endsWith('/app/events') && streams.push(request.url()))
  for (const one of [page, second]) {
    await one.goto('/network/1/dashboard')
    await one.locator('.foot .status.ok').waitFor()
  }
  expect(streams).toHaveLength(1)
  // Whoever leaves gives its word back, so that the next one need not wait until it has run out. The other tab only looks.
  await second.goto('/app/health')
  await page.goto('/network/1/devices')
  await page.locator('.foot .status.ok').waitFor()
  await page.goto('about:blank')
  await until(() => second.evaluate(() => localStorage.getItem('lanward.stream') === null))
  await second.close()
  await page.goto('/network/1/devices')
})

test('signing out ends the session in every tab: the next call leads to the sign-in', async () => {
  const second = await browser.page()
  await second.goto('/network/1/devices')
  // No page of the console, which would go to the sign-in by itself and be in the way of what follows.
  await second.goto('/app/health')
  await page.getByRole('button', { name: /Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(url => url.pathname === '/login')
  await second.goto('/organization/network')
  await second.waitForURL('**/login?to=%2Forganization%2Fnetwork')
  await second.close()
})

test('a wrong password tells the attempts left and asks for the code in a picture', async () => {
  await page.goto('/login')
  await signIn('not-the-password')
  await page.getByText('Account or password is wrong.').waitFor()
  await page.getByText('3 attempts left, then this account is locked for 30 minutes.').waitFor()
  const picture = page.locator('.code-picture')
  expect(await picture.isVisible()).toBe(false)
  await signIn('not-the-password')
  await page.getByText('2 attempts left, then this account is locked for 30 minutes.').waitFor()
  await picture.waitFor()
  const first = await picture.getAttribute('style')
  await page.getByRole('button', { name: 'New picture' }).click()
  await page.waitForFunction(old => document.querySelector('.code-picture')?.getAttribute('style') !== old, first)
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Characters in the picture').fill('WRONG')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The code from the picture is wrong.').waitFor()
  expect(at()).toBe('/login')
})
