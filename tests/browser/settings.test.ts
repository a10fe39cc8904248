// The one settings page with its one kind: list, form, review and push, as a person does it, to a real access point.
import type { Page } from 'playwright-core'
import { type LabManager, lab, manager, until } from '../lab/_lab'
import { owner } from '../server/_manager'
import { setUpWithAp } from './_ap'
import { axe, type Browser, launch, phone, picture, scrollsSideways } from './_browser'

const pictures = process.env.LANWARD_PICTURES
let one: LabManager
let browser: Browser
let page: Page

async function looksRight(name: string): Promise<void> {
  await until(async () => (await page.locator('.skel').count()) === 0)
  if (pictures) await picture(page, pictures, `${name}-wide`)
  expect(await axe(page)).toEqual([])
  await page.setViewportSize(phone)
  if (pictures) await picture(page, pictures, `${name}-phone`)
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
}

beforeAll(async () => {
  await lab.up()
  await lab.reset('ap1')
  one = await manager({ env: { LANWARD_SETUP_CODE: 'off' } })
  await setUpWithAp(one)
  browser = await launch(one.url)
  page = await browser.page()
  await browser.signIn(page, owner.account, owner.password)
})
afterAll(async () => {
  await browser?.close()
  await one?.end()
  await lab.reset('ap1')
})

test('an empty list says so; the form shows what is wrong where it is wrong; saved, reviewed, pushed, on the air', async () => {
  await page.goto('/network/1/settings')
  await page.waitForURL('**/network/1/settings/wifi')
  await page.getByText('No Wi-Fi network yet').waitFor()
  await looksRight('wifi-empty')

  await page.getByRole('link', { name: 'Add Wi-Fi network' }).first().click()
  await page.getByRole('heading', { name: 'New Wi-Fi network' }).waitFor()
  await page.getByLabel('Name (SSID)').fill('Harbour Guest')
  await page.getByLabel('Key', { exact: true }).fill('short')
  await page.getByLabel('VLAN').fill('666')
  await page.getByLabel('VLAN').blur()
  await page.getByRole('alert').filter({ hasText: '8 to 63 plain characters' }).waitFor()
  await page.getByRole('alert').filter({ hasText: '2 to 4093, without 666' }).waitFor()
  await looksRight('wifi-form-errors')
  await page.getByLabel('Key', { exact: true }).fill('correct horse')
  await page.getByLabel('VLAN').fill('')
  expect(
    await page
      .getByRole('alert')
      .filter({ hasText: /characters|666/ })
      .count(),
  ).toBe(0)
  await page.getByRole('button', { name: 'Save and review' }).click()

  await page.waitForURL('**/settings/review')
  const push = page.getByRole('button', { name: 'Push to 1 device' })
  await push.waitFor()
  await page.getByText('Wi-Fi network “Harbour Guest” is added.').first().waitFor()
  expect(await page.content()).not.toContain('correct horse')
  await looksRight('review')
  await push.click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Confirmed', { exact: true }).first().waitFor({ timeout: 120_000 })
  await looksRight('review-pushed')
  const status = await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])
  expect(status.stdout).toMatch(/^state=ENABLED$/m)
  expect(status.stdout).toContain('ssid[0]=Harbour Guest')
  expect(browser.faults()).toEqual([])
})

test('the stored key is never filled in, stays when it is left alone, and leaving asks once', async () => {
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Guest' }).click()
  await page.getByLabel('Key', { exact: true }).waitFor()
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('')
  await page.getByLabel('Name (SSID)').fill('Harbour Staff')
  await page.getByText('Name (SSID) becomes Harbour Staff.').waitFor()
  await looksRight('wifi-form-changed')
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Staff' }).waitFor()
  await looksRight('wifi-list')
  await until(async () => (await page.locator('.changes').count()) > 0)
  expect(browser.faults()).toEqual([])
})

test('what somebody else saved in the meantime is not lost', async () => {
  const other = await browser.page()
  const open = async (tab: Page) => {
    await tab.goto('/network/1/settings/wifi')
    await tab.getByRole('link', { name: 'Harbour Staff' }).click()
    await tab.getByLabel('DTIM period').waitFor()
  }
  await open(page)
  await open(other)
  await other.getByLabel('DTIM period').fill('3')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await other.waitForURL('**/settings/wifi')
  await page.getByLabel('DTIM period').fill('4')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody else saved this in the meantime.').first().waitFor()
  await page.getByRole('button', { name: 'Load theirs' }).click()
  await until(async () => (await page.getByLabel('DTIM period').inputValue()) === '3')
  await other.close()
  expect(browser.faults()).toEqual([])
})
