// When nobody is told, as a person sets it up: maintenance windows, quiet hours, and who is told late.
import type { Page } from 'playwright-core'
import { dayAt } from '@/model/notify/clock'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page
const zone = 'Europe/Lisbon'

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })

test('by mouse: a window without a day is refused at the field, one for now is on and said above the alerts', async () => {
  await page.goto('/network/1/alerts')
  await page.getByRole('link', { name: 'Alert settings' }).click()
  await page.getByText('No maintenance windows.').waitFor()
  await page.getByRole('button', { name: 'Add window' }).click()
  await dialog().getByLabel('Name').fill('Rack move')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().locator('.field-error').first().waitFor()
  await one.looksWell('maintenance-missing')
  const network = (await one.client.must('alerts/maintenance/list', { networkId: 1 })) as { timezone: string }
  const since = Date.now() - 60_000
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: network.timezone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(since)
  const date = dayAt(network.timezone ?? zone, since)
  await dialog()
    .locator('input[type=date]')
    .evaluate((input, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, date)
  await dialog()
    .locator('input[type=time]')
    .evaluate((input, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, time)
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('Rack move').getByText('On now').waitFor()
  const database = databaseOf(one.manager)
  const insert = `INSERT INTO alerts (organization, network, level, type, "values", at, tell_at) VALUES (1, 1, 10, 'deviceOffline', ?, ?, ?)`
  database.prepare(insert).run(JSON.stringify({ device: 'SW-Attic' }), Date.now(), Date.now())
  database.close()
  await page.goto('/network/1/alerts')
  await page.getByText('Maintenance: Rack move').waitFor()
  await page.getByRole('row').filter({ hasText: 'SW-Attic' }).getByText('During maintenance').waitFor()
  await one.looksWell('maintenance-on', { dark: true })
  await page.getByRole('link', { name: 'SW-Attic is offline' }).click()
  await page.getByText('Sent if still open at').waitFor()
  await page.getByRole('definition').filter({ hasText: 'Rack move' }).waitFor()
})

test('by key: a weekly window is changed and deleted', async () => {
  await page.goto('/network/1/alerts/config/form')
  await row('Rack move').getByRole('button', { name: 'More: Rack move' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Repeat').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Every week' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await dialog().getByLabel('Weekday').waitFor()
  await dialog().getByLabel('Duration, minutes').fill('90')
  await one.looksWell('maintenance-weekly', { dark: true })
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await row('Rack move')
    .getByText(/^Every \w+ at/)
    .waitFor()
  await one.looksWell('maintenance-windows', { dark: true })
  await row('Rack move').getByRole('button', { name: 'More: Rack move' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No maintenance windows.').waitFor()
})

test('quiet hours that never end are refused; good ones are saved and there again', async () => {
  await page.goto('/network/1/alerts/config/form')
  await page.getByRole('switch', { name: 'Quiet hours' }).focus()
  await page.keyboard.press('Space')
  const until = page.getByLabel('Until', { exact: true })
  await until.fill('22:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.field-error').waitFor()
  await one.looksWell('quiet-hours', { dark: true })
  await until.fill('06:30')
  await page.getByLabel('Sent at once all the same').click()
  await page.getByRole('option', { name: 'Warnings and emergencies' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/network/1/alerts')
  const { values } = (await one.client.must('alerts/config/query', { networkId: 1 })) as { values: object }
  expect(values).toMatchObject({ quiet: true, quietFrom: '22:00', quietUntil: '06:30', quietLevel: '10' })
})

test('a target that is told late says after how many minutes; out of bounds is an error at its field', async () => {
  await page.goto('/network/1/alerts/notice/form')
  await page.getByRole('button', { name: 'Add target' }).click()
  await dialog().getByLabel('Name').fill('Boss')
  await dialog().getByLabel('Service', { exact: true }).click()
  await page.getByRole('option', { name: 'Slack' }).click()
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await dialog().getByLabel('Webhook URL').fill('https://1.1.1.1/x')
  await dialog().getByLabel('When').click()
  await page.getByRole('option', { name: 'Only if nobody acknowledges' }).click()
  await dialog().getByLabel('After minutes').fill('0')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().locator('.field-error').waitFor()
  await one.looksWell('notice-target-late', { dark: true })
  await dialog().getByLabel('After minutes').fill('30')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('Boss').getByText('30 min').waitFor()
})
