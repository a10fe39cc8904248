// A script or style sheet of the page that does not arrive: asked for again, and said when that did not help. And what
// somebody does before all have arrived.
import type { Page } from 'playwright-core'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
})
afterAll(() => one?.end())
beforeEach(async () => {
  page = await one.browser.page()
})
// Requests that were failed on purpose are no fault of the page.
afterEach(async () => {
  await page.close()
  one.browser.faults()
})

const band = () => page.getByRole('alert').filter({ hasText: 'Part of this page did not load' })

/** Fails the first `times` requests of each script or style sheet that `chosen` picks by its address. Counts them all. */
async function failing(chosen: (url: string) => boolean, times: number): Promise<Map<string, number>> {
  const asked = new Map<string, number>()
  await page.route('**/_next/static/**', async route => {
    const url = route.request().url()
    if (!chosen(url)) return route.continue()
    const count = (asked.get(url) ?? 0) + 1
    asked.set(url, count)
    return count <= times ? route.abort('failed') : route.continue()
  })
  return asked
}

/** What a page loads that another one has not loaded yet. */
async function partsOf(path: string, from: string): Promise<Set<string>> {
  await page.goto(from)
  await page.waitForLoadState('networkidle')
  const before = new Set<string>()
  const after = new Set<string>()
  const known = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name))
  for (const url of known) before.add(url)
  const other = await one.browser.page()
  other.on('request', request => request.url().includes('/_next/static/') && after.add(request.url()))
  await other.goto(path)
  await other.waitForLoadState('networkidle')
  await other.close()
  return new Set([...after].filter(url => url.endsWith('.js') && !before.has(url)))
}

test('a page whose parts fail three times each opens all the same', async () => {
  const parts = await partsOf('/organization/manager', '/network/1/dashboard')
  expect(parts.size).toBeGreaterThan(0)
  const asked = await failing(url => parts.has(url), 3)
  await page.getByRole('link', { name: 'Manager' }).click()
  await page.getByRole('heading', { level: 1, name: 'Manager' }).waitFor()
  expect([...asked.values()].some(count => count >= 4)).toBe(true)
  expect(await band().isVisible()).toBe(false)
})

test('four tries again and no more; then it is said, and loading the page again helps', async () => {
  const parts = await partsOf('/organization/manager', '/network/1/dashboard')
  const asked = await failing(url => parts.has(url), 1000)
  await page.getByRole('link', { name: 'Manager' }).click()
  await page
    .getByRole('heading', { name: 'This page could not be shown' })
    .or(page.getByText('This page could not be shown.'))
    .waitFor()
  await band().waitFor()
  expect(Math.max(...asked.values())).toBe(5)
  await page.unroute('**/_next/static/**')
  await band().getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Manager' }).waitFor()
})

test('the first load: scripts and style sheets that fail twice are there in the end', async () => {
  const asked = await failing(() => true, 2)
  await page.goto('/organization/network')
  await page.getByRole('button', { name: 'Actions for Quay' }).click()
  await page.getByRole('menuitem', { name: 'Clone' }).waitFor()
  expect([...asked].some(([url, count]) => url.endsWith('.css') && count >= 3)).toBe(true)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--z-toast'))).not.toBe(
    '',
  )
})

test('when nothing of the page arrives, the page itself says so', async () => {
  await failing(url => url.endsWith('.js'), 1000)
  await page.goto('/network/1/dashboard')
  await band().waitFor()
})

test('what is typed and sent before the page came to life is neither lost nor sent anywhere else', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/_next/static/**/*.js', async route => {
    await held
    await route.continue()
  })
  await page.goto('/network/1/settings/wifi?tab=wifi', { waitUntil: 'commit' })
  const box = page.getByRole('search').getByRole('textbox')
  await box.fill('berth')
  await box.press('Enter')
  release()
  await page.waitForURL(/q=berth/)
  expect(await box.inputValue()).toBe('berth')
})
