// The last page of the setup when the access point cannot do what it was told: the setup stands, and the page says why.
import type { Page } from 'playwright-core'
import { type LabManager, lab, manager } from '../lab/_lab'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { type Browser, launch, looksWell } from './_browser'
import { adopting } from './_setup'

let one: LabManager
let browser: Browser
let page: Page

/** The setup by its calls, up to the summary, with the lab's access point; the tab goes on with it. */
async function prepared(): Promise<void> {
  const client = clientOf(one.url)
  const { addresses, credentials } = await lab.up()
  await prepareWizard(client)
  await adopting(addresses.ap1, credentials.ssh)(client)
  await client.must('wizard/ssid', { name: 'Harbour', security: 'wpa2', key: 'correct-horse', bands: ['2g'] })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: one.url, secure: true }))
  await page.context().addCookies(cookies)
}

beforeAll(async () => {
  await lab.up()
  await lab.reset('ap1')
  one = await manager({ env: { LANWARD_SETUP_CODE: 'off' } })
  browser = await launch(one.url)
  page = await browser.page()
  await prepared()
})
afterAll(async () => {
  await browser?.close()
  await one?.end()
  await lab.reset('ap1')
})

test('the device went back: finished, the SSID is kept, the reason is told, and the console shows what is left to do', async () => {
  // Its access point program cannot run: nothing is on the air, so the push is never proven.
  await lab.sh('ap1', 'mount --bind /bin/false /usr/sbin/hostapd')
  await page.goto('/wizard')
  await page.getByRole('heading', { level: 1, name: 'Summary' }).waitFor()
  await page.getByRole('button', { name: 'Finish and push to 1 device' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lanward is set up' }).waitFor()
  await page.getByText('Reverted', { exact: true }).waitFor({ timeout: 150_000 })
  await page.getByText('The SSID is saved, but some devices reverted or failed.').waitFor()
  // What the device itself said, as a sentence.
  await page.getByText('wlan0 does not broadcast what was set: its Wi-Fi software reports DOWN.').waitFor()
  await looksWell(page, 'wizard-reverted')
  expect((await lab.sh('ap1', 'ls /etc/lanward/undo* 2>/dev/null')).stdout).toBe('')

  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.waitForURL('**/network/1/dashboard')
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
  await page.goto('/network/1/settings/review')
  await page.getByText('Reverted', { exact: true }).first().waitFor()
  await looksWell(page, 'review-after-reverted')
  expect(browser.faults()).toEqual([])
})
