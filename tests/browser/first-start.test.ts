import type { Page } from 'playwright-core'
import { type LabManager, lab, manager } from '../lab/_lab'
import { type Browser, launch, looksWell as look } from './_browser'
import { type Wizard, wizardOn } from './_wizard'

// The main job: a fresh box becomes a working manager in a real browser, and the SSID is on the access point.

const password = 'Tr0ub4dor&3x'
const code = 'ABCD-2345'

let status: Awaited<ReturnType<typeof lab.up>>
let started: LabManager
let browser: Browser
let page: Page
let wizard: Wizard

beforeAll(async () => {
  status = await lab.up()
  await lab.reset('ap1')
  started = await manager({ env: { LANWARD_SETUP_CODE: code, LANWARD_DISCOVERY: `${status.addresses.gw}/28` } })
  browser = await launch(started.url)
  page = await browser.page()
  wizard = wizardOn(page)
})
afterAll(async () => {
  await browser?.close()
  await started?.end()
  await lab.reset('ap1')
})

async function looksWell(name: string): Promise<void> {
  await look(page, name)
  expect(browser.faults()).toEqual([])
}

test('every page leads to the wizard, which asks for the setup code', async () => {
  for (const path of ['/', '/login', '/network/1/devices', '/organization/network']) {
    await page.goto(path)
    await page.waitForURL('**/wizard')
  }
  await page.getByLabel('Setup code').fill('WRON-GONE')
  await wizard.next()
  await page.getByText('Wrong setup code').first().waitFor()
  await looksWell('wizard-code')
  await wizard.code(code)
})

test('General: name, country, time zone', async () => {
  await looksWell('wizard-general')
  await wizard.general('Harbour House')
})

test('A9: User account refuses a weak password at its field, then takes a good one', async () => {
  await page.getByLabel('Account', { exact: true }).fill('marta7')
  await page.getByLabel('Password', { exact: true }).fill('password')
  await page.getByLabel('Repeat the password').fill('password')
  await wizard.next()
  await page.getByRole('alert').or(page.locator('.field-error')).first().waitFor()
  await looksWell('wizard-account')
  await wizard.account('marta7', password)
})

test('Adopt devices: finds them by itself, logs in where ticked after the keys were shown', async () => {
  // The step has just opened: nobody pressed anything.
  for (const address of [status.addresses.gw, status.addresses.ap1]) await page.getByText(address).first().waitFor()
  await looksWell('wizard-devices-found')
  await wizard.adopt([status.addresses.gw, status.addresses.ap1], status.credentials.ssh)
  await looksWell('wizard-devices-adopted')
  await page.getByRole('button', { name: 'Continue with 2' }).click()
  await wizard.heading('SSID')
})

test('SSID and Summary, resumed after the browser was closed in between', async () => {
  await page.reload()
  await wizard.heading('SSID')
  await wizard.ssid('Harbour', 'correct-horse')
  await looksWell('wizard-ssid')
  await wizard.next()
  await wizard.heading('Summary')
  await looksWell('wizard-summary')
})

test('Finish: the push is proven, the SSID is on the air, and the console opens signed in', async () => {
  await wizard.finish()
  const { stdout } = await lab.sh(
    'ap1',
    'for s in $(ls /run/hostapd); do hostapd_cli -p /run/hostapd -i $s status; done',
  )
  expect(stdout).toContain('state=ENABLED')
  expect(stdout).toContain('ssid[0]=Harbour')
  // The gateway runs things of its own: said here, and where to look at them.
  const way = page.getByRole('link', { name: 'Review gw', exact: true })
  await page
    .locator('.summary-row', { has: way })
    .getByText(/^\d+ unmanaged parts$/)
    .waitFor()
  expect(await way.getAttribute('href')).toMatch(/^\/network\/1\/devices\/detail\?id=\d+&tab=device$/)
  await looksWell('wizard-finished')
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.waitForURL('**/network/1/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  expect(browser.faults()).toEqual([])
})

test('the guide begins by itself, comes back until it was seen or skipped, and then never again', async () => {
  const guide = page.getByRole('dialog')
  const stop = (name: string) => guide.getByRole('heading', { name }).waitFor()
  // There is one system alone, and so no place for the stop about switching.
  await stop('Your account')
  await guide.getByText('1 of 2', { exact: true }).waitFor()
  await looksWell('guide')
  const kept = page.waitForResponse('**/app/guide/step')
  await guide.getByRole('button', { name: 'Next' }).click()
  await kept
  await stop('Users and companies')
  await page.reload()
  await stop('Users and companies')
  await page.reload()
  await stop('Users and companies')
  // The page is left before the manager has heard of it: it does not begin again, and the manager hears of it then.
  await page.route('**/app/guide/step', route => route.abort('aborted'), { times: 1 })
  await page.keyboard.press('Escape')
  await guide.waitFor({ state: 'detached' })
  const skipped = page.waitForResponse('**/app/guide/step')
  await page.reload()
  await skipped
  expect(await guide.count()).toBe(0)
  // Kept by the manager: no other tab begins it, either.
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await page.locator('.foot .status.ok').waitFor()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  expect(await guide.count()).toBe(0)
  expect(browser.faults()).toEqual([])
})

test('the wizard is closed for good', async () => {
  await page.goto('/wizard')
  await page.waitForURL(url => !url.pathname.startsWith('/wizard'))
})
