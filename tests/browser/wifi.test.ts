// The Wi-Fi pages as an installer uses them: a network from a purpose, its LAN by name, its key, and how people join it.
import type { Page } from 'playwright-core'
import { joinFields, read } from '../_qr'
import { looksWell } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Jetty')
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const form = () => page.goto('/network/1/settings/wifi/form')
const fold = (title: string) => page.locator('details').filter({ has: page.locator('summary', { hasText: title }) })
const isOpen = (title: string) => fold(title).evaluate(one => (one as HTMLDetailsElement).open)

test('what few need is folded, by mouse and by key; what is changed or wrong is open and says so', async () => {
  await form()
  await page.getByLabel('Name (SSID)').waitFor()
  for (const title of ['Schedule and visibility', 'Limits', 'MAC filter', 'Roaming and beacons']) {
    expect(await isOpen(title)).toBe(false)
    expect(await fold(title).locator('summary').textContent()).toContain('Defaults')
  }
  await looksWell(page, 'wifi-form', { dark: true })
  await page.locator('summary', { hasText: 'Limits' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Minimum RSSI').fill('-10000')
  await page.getByLabel('Minimum RSSI').blur()
  await fold('Limits').getByText('1 changed').waitFor()
  await page.locator('summary', { hasText: 'Limits' }).click()
  expect(await isOpen('Limits')).toBe(true)
  await page.getByLabel('Minimum RSSI').fill('-80')
  await page.locator('summary', { hasText: 'Limits' }).click()
  await fold('Limits').locator('summary', { hasText: 'Minimum RSSI' }).waitFor()
  expect(await isOpen('Limits')).toBe(false)
  expect(await page.getByText('optional', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a purpose fills fields in, says which, and is taken back', async () => {
  await form()
  await page.getByLabel('Name (SSID)').fill('Sensors')
  await page.getByRole('button', { name: /^IoT/ }).click()
  await page.getByText('3 fields filled in: Security, Bands, Station timeout.').waitFor()
  expect(await isOpen('Limits')).toBe(true)
  expect(await page.getByLabel('Station timeout').inputValue()).toBe('3600')
  await page.getByRole('button', { name: /^Guests Clients/ }).click()
  await page.getByText('1 field filled in: Client isolation.').waitFor()
  expect(await page.getByLabel('Station timeout').inputValue()).toBe('300')
  await looksWell(page, 'wifi-form-preset', { dark: true })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  expect(await page.getByRole('switch', { name: 'Client isolation' }).getAttribute('aria-checked')).toBe('false')
  expect(await page.getByLabel('Name (SSID)').inputValue()).toBe('Sensors')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a LAN is chosen by its name, with VLAN and subnet; a new one is made above the form and chosen', async () => {
  await one.client.must('settings/lan/save', { name: 'Guests', vlan: 20, address: '10.0.20.1/24', dhcp: false })
  await form()
  await page.getByLabel('Name (SSID)').fill('Pier; "west"')
  await page.getByLabel('LAN (VLAN)').click()
  await page.getByRole('option', { name: 'Guests VLAN 20 · 10.0.20.0/24' }).waitFor()
  await looksWell(page, 'wifi-form-lan')
  await page.getByRole('button', { name: 'Add network', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Name', { exact: true }).fill('Things')
  await panel.getByLabel('VLAN', { exact: true }).fill('30')
  await panel
    .getByLabel(/address/i)
    .first()
    .fill('10.0.30.1/24')
  await panel.getByRole('switch', { name: 'DHCP', exact: true }).click()
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await panel.waitFor({ state: 'detached' })
  await page.locator('#field-vlan').getByText('Things').waitFor()
})

test('a strong key is made and shown; saved, it is never filled in, and a camera joins by the code', async () => {
  await page.getByRole('button', { name: 'Generate' }).click()
  const key = page.getByLabel('Key', { exact: true })
  expect(await key.getAttribute('type')).toBe('text')
  const made = await key.inputValue()
  expect(made).toMatch(/^[a-z02-9]{5}(-[a-z02-9]{5}){3}$/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/settings/wifi')
  const row = page.getByRole('row').filter({ hasText: 'Pier; "west"' })
  await row.getByText('Things').waitFor()
  await looksWell(page, 'wifi-networks', { dark: true })
  await row.getByRole('button', { name: 'Show QR code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join Pier; "west"' })
  const picture = dialog.getByRole('img', { name: /QR code/ })
  await dialog.getByText(made, { exact: true }).waitFor()
  await looksWell(page, 'wifi-join', { dark: true })
  const size = Number((await picture.getAttribute('viewBox'))?.split(' ')[2])
  const path = (await picture.locator('path').nth(1).getAttribute('d')) ?? ''
  expect(joinFields(read({ size, path }) ?? '')).toEqual({ T: 'WPA', S: 'Pier; "west"', P: made })
  // A click in the dialog is none on the row behind it.
  await dialog.getByText('WPA2/WPA3').click()
  expect(page.url()).toMatch(/settings\/wifi$/)
  // The quiet zone is light whatever the page's colours are.
  expect(await picture.locator('path').first().getAttribute('fill')).toBe('#fff')
  await page.emulateMedia({ media: 'print' })
  expect(await picture.isVisible()).toBe(true)
  expect(await page.locator('.shell').isVisible()).toBe(false)
  expect(await dialog.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row.getByRole('link', { name: 'Pier; "west"' }).click()
  await page.getByLabel('Key', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(made)
  await page.getByRole('button', { name: 'Show QR code' }).waitFor()
})
