// The main job from end to end on the small lab: a fresh box is set up in a browser, its access point gets what was set,
// and when the box is lost a backup brings all of it back.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { removeFolder, root } from '../appliance/_manager'
import { type Browser, launch } from '../browser/_browser'
import { wizardOn } from '../browser/_wizard'
import { air, type LabManager, type LabStatus, lab, manager, run } from '../lab/_lab'
import { owner } from '../soak/owner'

const code = 'ABCD-2345'
/** Only for what never comes: a busy machine is slow, not wrong. */
const patienceMs = 300_000

let status: LabStatus
let box: LabManager
let browser: Browser
let page: Page
let work: string

beforeAll(async () => {
  status = await lab.up()
  work = mkdtempSync(`${tmpdir()}/lanward-smoke-`)
  writeFileSync(`${work}/passphrase`, 'a box that was lost\n')
  box = await manager({ env: { LANWARD_SETUP_CODE: code, LANWARD_DISCOVERY: `${status.addresses.gw}/28` } })
  browser = await launch(box.url)
  page = await browser.page()
})
afterAll(async () => {
  await browser?.close()
  await box?.end()
  removeFolder(work)
  await lab.reset('ap1')
})

/** The command line of the built manager, on the box's data. */
async function lanward(...command: string[]): Promise<void> {
  const args = [`${root}/appliance/bin/lanward.mjs`, ...command, '--passphrase-file', `${work}/passphrase`]
  const setting = ['LANWARD_CONF=/nonexistent', `LANWARD_DATA=${box.dataDir}`]
  const ran = await run('env', [...setting, process.execPath, ...args], { timeoutMs: patienceMs })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
}

async function upToDate(): Promise<void> {
  await page.goto('/network/1/settings/review')
  await page.getByText('All devices are up to date.').waitFor({ timeout: patienceMs })
}

/** That the access point's own file names it, and that its hostapd runs with it. */
async function broadcasts(ssid: string): Promise<void> {
  const { stdout } = await lab.in('ap1', ['cat', '/etc/hostapd/lanward-wlan0.conf'])
  expect(stdout).toContain(`ssid2="${ssid}"\n`)
  expect(await air()).toMatch(/^state=ENABLED$/m)
  expect(await air()).toContain(`ssid[0]=${ssid}\n`)
}

test('the setup finds the access point, adopts it, and puts the SSID on the air', async () => {
  const wizard = wizardOn(page)
  await page.goto('/')
  await page.waitForURL('**/wizard')
  await wizard.code(code)
  await wizard.general('Harbour House')
  await wizard.account(owner.account, owner.password)
  await wizard.adopt([status.addresses.ap1], status.credentials.ssh)
  await page.getByRole('button', { name: 'Continue with 1' }).click()
  await wizard.heading('SSID')
  await wizard.ssid('Harbour', 'correct-horse')
  await wizard.next()
  await wizard.heading('Summary')
  await wizard.finish()
  await broadcasts('Harbour')
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.waitForURL('**/network/1/dashboard')
  await page.getByRole('button', { name: 'Skip', exact: true }).click()
  await upToDate()
})

test('the SSID is changed, reviewed and pushed: the device runs it, and the console says so', async () => {
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour', exact: true }).click()
  await page.getByLabel('Name (SSID)').fill('Harbour Guest')
  await page.getByRole('button', { name: 'Save and review' }).click()
  await page.waitForURL('**/settings/review')
  await page.getByText('Wi-Fi network “Harbour Guest”', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  const outcome = page.getByText(/^(Applied|Partly applied|Reverted|Failed)$/).first()
  await outcome.waitFor({ timeout: patienceMs })
  expect(await outcome.textContent()).toBe('Applied')
  await broadcasts('Harbour Guest')
  await upToDate()
  expect(browser.faults()).toEqual([])
})

test('the data are lost, a backup is restored by command, and the console has all of it again', async () => {
  await lanward('backup', '--output', `${work}/backup.tar.gz`)
  await box.stop()
  removeFolder(box.dataDir)
  mkdirSync(box.dataDir)
  await lanward('restore', `${work}/backup.tar.gz`)
  await box.restart()
  await browser.signIn(page, owner.account, owner.password)
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Guest', exact: true }).waitFor()
  // It logs in with what the backup kept, and finds on the device what the settings say.
  await upToDate()
})
