// Print templates: made, seen as they come out, used, changed and deleted, by mouse and by key.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { until } from '../lab/_lab'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page
beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  const terms = { days: 1, hours: 0, minutes: 0, validityDays: 30, networkId: 1 }
  await one.client.must('vouchers/groups/save', { name: 'Weekend', quantity: 2, ...terms })
  await one.client.must('settings/ssid/save', { name: 'Quay Guests', security: 'open', assign: { all: true } })
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const preview = () => page.getByRole('figure', { name: 'Preview of a printed voucher' })
/** A picture that a browser reads, of a given size, as a file to choose. */
const picture = async (type: string) => {
  const address = await page.evaluate(wanted => {
    const canvas = document.createElement('canvas')
    canvas.width = 900
    canvas.height = 300
    const pen = canvas.getContext('2d')
    if (pen) {
      pen.fillStyle = '#0b6b7f'
      pen.fillRect(0, 0, 900, 300)
    }
    return canvas.toDataURL(wanted)
  }, type)
  return { name: `logo.${type.slice(6)}`, mimeType: type, buffer: Buffer.from(address.split(',')[1] ?? '', 'base64') }
}

test('from the vouchers to a first template, seen as it comes out', async () => {
  await page.goto('/network/1/guests/voucher')
  await page.getByRole('link', { name: 'Print templates' }).click()
  await title('Print templates')
  await page.getByText('No print templates yet.').waitFor()
  await one.looksWell('templates-empty', { dark: true })
  await button('New template').first().click()
  await title('New print template')
  await preview().getByText('Weekend guests').waitFor()
  await page.getByLabel('Template name').fill('Reception')
  await page.getByLabel('Heading').fill('Harbour House')
  await page.getByLabel('Text', { exact: true }).fill('Ask at the reception')
  await preview().getByText('Harbour House').waitFor()
  await preview().getByText('Ask at the reception').waitFor()
  await page.getByRole('checkbox', { name: 'Data limit' }).click()
  await until(async () => !(await preview().textContent())?.includes('500 MB'))
  await page.getByLabel('Logo').setInputFiles(await picture('image/jpeg'))
  await preview().getByRole('img', { name: 'Logo' }).waitFor()
  await one.looksWell('template-form', { dark: true })
  await button('Remove the logo').click()
  await preview().getByRole('img', { name: 'Logo' }).waitFor({ state: 'detached' })
  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText('Choose a PNG, JPG or BMP picture of at most 1 MB.').waitFor()
  await page.getByLabel('Logo').setInputFiles(await picture('image/png'))
  await preview().getByRole('img', { name: 'Logo' }).waitFor()
  await page.getByLabel('Paper').click()
  await page.getByRole('option', { name: 'Roll, 58 mm' }).click()
  await one.looksWell('template-roll', { dark: true })
  await button('Save').click()
  await title('Print templates')
  await page.getByRole('row').filter({ hasText: 'Reception' }).getByText('Roll, 58 mm').waitFor()
  await one.looksWell('templates', { dark: true })
})

test('by key: changed; a name that is taken is said at its field', async () => {
  await button('New template').focus()
  await page.keyboard.press('Enter')
  await title('New print template')
  await page.getByLabel('Template name').focus()
  await page.keyboard.type('reception')
  await page.keyboard.press('Enter')
  await page.locator('.field-error').first().waitFor()
  await button('Cancel').focus()
  await page.keyboard.press('Enter')
  await button('Reception').focus()
  await page.keyboard.press('Enter')
  await title('Reception')
  await page.getByLabel('Heading').fill('Harbour')
  await page.getByLabel('Heading').press('Enter')
  await page.locator('.toast').filter({ hasText: 'Print template saved' }).last().waitFor()
  await page.getByRole('row').filter({ hasText: 'Harbour' }).waitFor()
})

test('both codes: a network is needed; seen in the preview; a paper without room for them is refused at the field', async () => {
  await button('New template').click()
  await title('New print template')
  const wifi = page.locator('.field').filter({ has: page.getByLabel('Wi-Fi network', { exact: true }) })
  await page.getByLabel('Template name').fill('Both')
  await page.getByLabel('QR code', { exact: true }).click()
  await page.getByRole('option', { name: 'Both, one for each' }).click()
  await preview().getByText('1. Wi-Fi').waitFor()
  await preview().getByText('2. Sign in').waitFor()
  expect(await preview().getByRole('img').count()).toBe(2)
  await one.looksWell('template-both', { dark: true })
  await page.getByLabel('Paper').click()
  await page.getByRole('option', { name: 'Roll, 58 mm' }).click()
  await preview().getByText('2. Sign in').waitFor()
  await one.looksWell('template-both-roll', { dark: true })
  await page.getByLabel('Paper').click()
  await page.getByRole('option', { name: 'A4 labels, 70 × 37 mm' }).click()
  await button('Save').click()
  await page.getByText('Two QR codes need A4 with 8 or 18 vouchers on a page, or a roll.').waitFor()
  await page.getByLabel('Paper').click()
  await page.getByRole('option', { name: 'A4, to cut' }).click()
  await button('Save').click()
  await wifi.locator('.field-error').waitFor()
  await page.getByLabel('Wi-Fi network', { exact: true }).click()
  await page.getByRole('option', { name: 'Quay Guests' }).click()
  await button('Save').click()
  await page.getByRole('row').filter({ hasText: 'Both' }).getByText('Both, one for each').waitFor()
})

test('vouchers are printed by it', async () => {
  await page.goto('/network/1/guests/voucher')
  await page.getByRole('link', { name: 'Weekend' }).click()
  await title('Weekend')
  await button('Print').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Print template').click()
  await page.getByRole('option', { name: 'Reception' }).click()
  expect(await dialog.getByLabel('Paper').count()).toBe(0)
  await one.looksWell('template-chosen', { dark: true })
  await dialog.getByRole('button', { name: 'Create PDF' }).click()
  await dialog.getByText('The PDF is ready.').waitFor()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save PDF' }).click()
  const pdf = readFileSync(await (await saved).path()).toString('latin1')
  // A roll has a page for each, and the logo is in it.
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2)
  expect(pdf).toContain('/Subtype /Image')
  if (process.env.LANWARD_PICTURES) await (await saved).saveAs(join(process.env.LANWARD_PICTURES, 'template.pdf'))
  await page.keyboard.press('Escape')
})

test('exported, and deleted after a question', async () => {
  await page.goto('/network/1/guests/voucher/template')
  await page.getByRole('row').filter({ hasText: 'Both' }).getByRole('checkbox').click()
  await button('Delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row').filter({ hasText: 'Both' }).waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Reception' }).waitFor()
  const saved = page.waitForEvent('download')
  await button('Export').click()
  expect((await saved).suggestedFilename()).toMatch(/^templates-.*\.json$/)
  await page.getByRole('row').filter({ hasText: 'Reception' }).getByRole('checkbox').click()
  await button('Delete').click()
  await page.getByRole('dialog').getByText('Delete Reception?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No print templates yet.').waitFor()
})
