// Changes as a person decides about them: discard, put back, take over, compare, go back; on a real access point.
import type { Page } from 'playwright-core'
import { lab, until } from '../lab/_lab'
import type { Browser } from './_browser'
import { typeVlan } from './_forms'
import { adopting, type Console, openConsole } from './_setup'

const conf = '/etc/hostapd/lanward-wlan0.conf'
let one: Console
let browser: Browser
let page: Page

const looksWell = (name: string) => one.looksWell(name)

const onDevice = async () => (await lab.in('ap1', ['cat', conf])).stdout
const byHand = (line: string) => lab.in('ap1', ['sed', '-i', line, conf])
const detail = '/network/1/devices/detail?id=1&tab=configuration'
const confirmed = () => page.getByText('Applied', { exact: true }).first().waitFor()

async function rename(to: string): Promise<void> {
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: /^Harbour (Guest|Late)/ }).click()
  await page.getByLabel('Name (SSID)').fill(to)
  await page.getByRole('button', { name: 'Save and review' }).click()
  await page.waitForURL('**/settings/review')
}

async function check(): Promise<void> {
  await page.goto(detail)
  await page.getByRole('button', { name: 'Check for drift' }).click()
  await page.getByText('The configuration was changed on the device itself').waitFor()
}

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await lab.reset('ap1')
  one = await openConsole('Harbour House', {}, adopting(addresses.ap1, credentials.ssh))
  browser = one.browser
  page = one.page
  await page.goto('/network/1/settings/wifi/form')
  await page.getByLabel('Name (SSID)').fill('Harbour Guest')
  await page.getByLabel('Key', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Save and review' }).click()
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await confirmed()
})
afterAll(async () => {
  await one?.end()
  await lab.reset('ap1')
})

test('a network whose VLAN reaches no access point is no success: review, list, form, device and dashboard say so', async () => {
  await page.goto('/network/1/settings/wifi/form')
  await page.getByLabel('Name (SSID)').fill('Harbour Staff')
  await page.getByLabel('Key', { exact: true }).fill('correct horse')
  await typeVlan(page, '20')
  await page.getByRole('button', { name: 'Save and review' }).click()
  await page.getByText('Nothing to push').waitFor()
  await page.getByText('Added. On 0 of 1 access point.').waitFor()
  const short = 'On 0 of 1 access point'
  const why = /ap1: “Harbour Staff” is not broadcast on \S+: VLAN 20 does not reach this device\./
  await page.getByText(short, { exact: true }).waitFor()
  await page.locator('.left-out').getByText(why).waitFor()
  await page.locator('.left-out').getByText('Carry VLAN 20 on the device’s uplink').waitFor()
  await looksWell('review-left-out')
  await page.getByRole('link', { name: 'Wi-Fi network “Harbour Staff”' }).click()
  await page.waitForURL('**/settings/wifi/form?id=*')
  await page.getByText(short, { exact: true }).waitFor()
  await looksWell('wifi-form-left-out')
  await page.goto('/network/1/settings/wifi')
  await page.getByText(short, { exact: true }).waitFor()
  await looksWell('wifi-list-left-out')
  await page.goto('/network/1/devices/detail?id=1')
  await page.getByText('1 setting does not reach this device').waitFor()
  await page.getByText('1 setting does not reach it', { exact: true }).waitFor()
  await looksWell('device-left-out')
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: '1 setting does not reach it' }).click()
  await page.getByText('1 setting does not reach this device').waitFor()
  await page.goto('/network/1/dashboard')
  await page.getByRole('link', { name: '1 setting is not on every device' }).click()
  await page.getByRole('link', { name: 'Wi-Fi network “Harbour Staff”' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/settings/wifi')
  expect(browser.faults()).toEqual([])
})

test('a saved change is discarded from the review, after a question', async () => {
  await rename('Harbour Staff')
  await page.getByText('Wi-Fi network “Harbour Staff”', { exact: true }).waitFor()
  await page.getByText('Interrupted for a moment').waitFor()
  // A device that is left out is not pushed to.
  const along = page.getByRole('checkbox', { name: 'Push to ap1' })
  await along.uncheck()
  const nobody = page.getByRole('button', { name: 'Push to 0 devices' })
  await nobody.waitFor()
  expect(await nobody.isDisabled()).toBe(true)
  await along.check()
  await page.getByRole('button', { name: 'Push to 1 device' }).waitFor()
  await looksWell('review-waiting')
  await page.getByRole('button', { name: 'Discard the change of Wi-Fi network “Harbour Staff”' }).click()
  await page.getByText('Wi-Fi network “Harbour Staff” returns to its last pushed version.').waitFor()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByText('All devices are up to date.').waitFor()
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Guest' }).waitFor()
  expect(browser.faults()).toEqual([])
})

test('what was changed on the device is found, shown, and put back', async () => {
  await byHand('s/ssid2="Harbour Guest"/ssid2="By hand"/')
  await check()
  await looksWell('device-drifted')
  await page.getByRole('link', { name: 'Review changes' }).first().click()
  await page.getByText('Drift: changed on the device since the last push').waitFor()
  await page.getByText('By hand').first().waitFor()
  await looksWell('review-drift')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Changes made on ap1 itself are overwritten.').waitFor()
  await page.getByRole('button', { name: 'Push anyway' }).click()
  await page.waitForURL(/review\?job=/)
  await confirmed()
  expect(await onDevice()).toContain('ssid2="Harbour Guest"')
  expect(browser.faults()).toEqual([])
})

test('taken over, the settings say what the device says', async () => {
  await byHand('s/^ap_isolate=0/ap_isolate=1/')
  await check()
  await page.getByRole('link', { name: 'Review changes' }).first().click()
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByText('Other devices with the same settings then have pending changes.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await page.waitForURL(/review\?job=/)
  await confirmed()
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Guest' }).click()
  await until(() =>
    page
      .getByLabel(/isolat/i)
      .first()
      .isChecked(),
  )
  expect(await onDevice()).toContain('ap_isolate=1')
  expect(browser.faults()).toEqual([])
})

test('two configurations are compared, and the earlier one is gone back to', async () => {
  await rename('Harbour Late')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await confirmed()
  await page.goto(detail)
  const rows = page.getByRole('row').filter({ hasText: 'Applied' })
  await rows.nth(0).getByRole('checkbox').click()
  await rows.nth(1).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Harbour Late').first().waitFor()
  expect(await page.content()).not.toContain('correct horse')
  await looksWell('compare')
  await page.keyboard.press('Escape')
  await rows.nth(0).getByRole('checkbox').click()
  await page.getByRole('link', { name: 'Restore this' }).click()
  await page.getByText('Settings do not change').waitFor()
  await looksWell('restore')
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.waitForURL(/review\?job=/)
  await confirmed()
  expect(await onDevice()).toContain('ssid2="Harbour Guest"')
  await page.goto(detail)
  await page.getByText('Modified', { exact: true }).waitFor()
  expect(browser.faults()).toEqual([])
})
