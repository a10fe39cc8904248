// Vouchers as the front desk uses them: made, found, renewed, deleted, by mouse and by key.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { normalCode } from '@/model/guests/voucher-code'
import { until } from '../lab/_lab'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const dialog = () => page.getByRole('dialog')
const gone = () => dialog().waitFor({ state: 'detached' })
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const answer = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const rows = () => page.getByRole('row').filter({ has: page.getByRole('checkbox') })
const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
const search = async (text: string) => {
  await page.getByPlaceholder('Code, number or MAC address').fill(text)
  await page.keyboard.press('Enter')
}
type Group = { id: number; name: string; counts: Record<string, number> }
const groups = async () =>
  ((await one.client.must('vouchers/groups/list', { networkId: 1 })) as { result: Group[] }).result

test('from the menu to the first vouchers', async () => {
  await page.goto('/network/1/dashboard')
  // The menu is pressed on a page that is at rest.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.getByRole('navigation').getByRole('button', { name: 'Guests', exact: true }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Vouchers', exact: true }).click()
  await title('Vouchers')
  await page.getByText('No vouchers yet.').waitFor()
  await one.looksWell('vouchers-empty', { dark: true })
  await page.getByRole('link', { name: 'New vouchers' }).first().click()
  await title('New vouchers')
  await fill('Group name', 'Weekend guests')
  await fill('Quantity', '0')
  await press('Create 0 vouchers')
  await page.locator('.field-error').first().waitFor()
  await fill('Quantity', '40')
  await fill('Devices for each voucher', '2')
  await fill('Data limit', '500')
  await fill('Download speed', '20')
  await fill('Notes', 'Reception, second drawer')
  await one.looksWell('voucher-form', { dark: true })
  await press('Create 40 vouchers')
  await title('Weekend guests')
  await page.getByText('40 of 40 unused').waitFor()
  await page.getByText('20 Mbps down').waitFor()
  await one.looksWell('voucher-detail', { dark: true })
})

test('the guests page leads to the first of its pages', async () => {
  await page.goto('/network/1/guests')
  await page.waitForURL('**/network/1/guests/status')
})

test('by key: a group is opened, a voucher found by its code, two more are deleted', async () => {
  await page.goto('/network/1/guests/voucher')
  await page.getByRole('link', { name: 'Weekend guests' }).focus()
  await page.keyboard.press('Enter')
  await title('Weekend guests')
  const first = rows().nth(1)
  const code = (await first.locator('.voucher-code').textContent()) ?? ''
  expect(normalCode(code)).toBeDefined()
  await search(code.toLowerCase().replaceAll('-', ' '))
  await until(async () => (await page.locator('.voucher-code').count()) === 1)
  await page.getByText(code).waitFor()
  await search('')
  await until(async () => (await page.locator('.voucher-code').count()) > 5)
  await rows().nth(2).getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await rows().nth(3).getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Delete', exact: true }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByText('Delete 2 vouchers?').waitFor()
  await one.looksWell('vouchers-delete', { dark: true })
  await answer('Delete')
  await gone()
  await page.getByText('38 of 38 unused').waitFor()
})

test('unused vouchers offer no renewal, and say why', async () => {
  await rows().nth(1).getByRole('checkbox').click()
  const renew = page.getByRole('button', { name: 'Renew', exact: true })
  expect([await renew.isDisabled(), await renew.getAttribute('title')]).toEqual([
    true,
    'Expired or unused vouchers cannot be renewed.',
  ])
  await page.keyboard.press('Escape')
})

test('more vouchers, other terms, a filter by state; what is wrong is said at its field', async () => {
  await press('Add vouchers')
  await dialog().getByLabel('Quantity').fill('1001')
  await answer('Add vouchers')
  await dialog().locator('.field-error').first().waitFor()
  await dialog().getByLabel('Quantity').fill('2')
  await answer('Add vouchers')
  await gone()
  await page.getByText('40 of 40 unused').waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await title('Edit voucher group')
  await fill('Days', '0')
  await fill('Hours', '0')
  await press('Save')
  await page.getByRole('alert').filter({ hasText: '1 minute to 365 days.' }).waitFor()
  await fill('Hours', '12')
  await press('Save')
  await title('Weekend guests')
  await page.getByText('12 h', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: /^In use/ }).click()
  await page.getByRole('button', { name: /^All/ }).click()
  await rows().nth(1).waitFor()
})

test('all that can be used are printed: paper, progress, the PDF', async () => {
  await press('Print')
  await dialog().getByText('40 vouchers that can be used.').waitFor()
  await dialog().getByLabel('Vouchers on a page').click()
  await page.getByRole('option', { name: '32', exact: true }).click()
  await one.looksWell('vouchers-print', { dark: true })
  await answer('Create PDF')
  await dialog().getByText('The PDF is ready.').waitFor()
  await one.looksWell('vouchers-printed', { dark: true })
  const saved = page.waitForEvent('download')
  await answer('Save PDF')
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^vouchers-.*\.pdf$/)
  const pdf = readFileSync(await download.path())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2)
  await page.keyboard.press('Escape')
  await gone()
})

test('the file has the codes', async () => {
  const saved = page.waitForEvent('download')
  await press('Export')
  expect((await saved).suggestedFilename()).toMatch(/^vouchers-.*\.csv$/)
})

test('a group is deleted with its vouchers; a page of one that is gone says so', async () => {
  const [group] = await groups()
  await press('More actions')
  await page.getByRole('menuitem', { name: 'Delete group' }).click()
  await answer('Delete')
  await title('Vouchers')
  await page.getByText('No vouchers yet.').waitFor()
  await page.goto(`/network/1/guests/voucher/detail?id=${group?.id}`)
  await page.getByText('This group of vouchers no longer exists.').waitFor()
})
