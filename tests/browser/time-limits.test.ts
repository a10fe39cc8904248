// Time limits from a client's page: a new one with its MAC address filled in, and those that hold for it already.
import type { Page } from 'playwright-core'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page
const [laptop, tablet] = ['5c:cb:99:4e:21:b7', '5c:cb:99:4e:21:b8'] as const

beforeAll(async () => {
  one = await openConsole('Harbour House')
  page = one.page
  await one.client.must('settings/ssid/save', { name: 'Guests', security: 'open' })
  const database = databaseOf(one.manager)
  const add = database.prepare(
    `INSERT INTO clients (network, mac, name, ssid, online, first_seen_at, seen_at, wifi)
     VALUES (1, ?, ?, 'Guests', 0, ?, ?, 1)`,
  )
  for (const [mac, name] of [
    [laptop, 'Laptop of Mia'],
    [tablet, ''],
  ])
    add.run(mac, name, Date.now(), Date.now())
  database.close()
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const dialog = () => page.getByRole('dialog')
const macs = () => page.getByLabel('MAC addresses')
const detail = (mac: string) => page.goto(`/network/1/clients/detail?id=${mac}`)
const more = () => page.getByRole('button', { name: /^More actions for/ })
const marks = (label: string) =>
  page
    .locator('.field')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('.requirement')
    .count()

test('a client without a limit is led to the form of a new one, filled, by mouse', async () => {
  await detail(laptop)
  await more().click()
  await page.getByRole('menuitem', { name: 'Time limit…' }).click()
  await page.waitForURL('**/settings/firewall/time/form?*')
  await macs().waitFor()
  expect(await macs().inputValue()).toBe(laptop)
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Laptop of Mia')
  // What is needed does not say that it may be left out.
  expect(await marks('MAC addresses')).toBe(0)
  await macs().fill('')
  await macs().blur()
  await page.getByText('Fill this in.', { exact: true }).waitFor()
  expect(await marks('MAC addresses')).toBe(0)
  await macs().fill(laptop)
  await one.looksWell('time-limit-form', { dark: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Laptop of Mia' }).waitFor()
})

test('its limit is shown from then on, with the way to it', async () => {
  await detail(laptop)
  await more().click()
  await page.getByRole('menuitem', { name: 'Time limit…' }).click()
  await dialog().getByText('A MAC address can be in one time limit only.').waitFor()
  expect(await dialog().getByRole('link', { name: 'Add time limit' }).count()).toBe(0)
  await one.looksWell('time-limit-own', { dark: true })
  await dialog().getByRole('link', { name: 'Laptop of Mia' }).click()
  await page.waitForURL('**/settings/firewall/time/form?id=*')
  await page.getByRole('heading', { level: 1, name: 'Laptop of Mia' }).waitFor()
})

test('by key: one that has only the limit of its SSID gets one of its own', async () => {
  const { result } = await one.client.must('settings/ssid/list')
  const [ssid] = result as { id: string }[]
  await one.client.must('settings/timePolicy/save', { name: 'All guests', target: 'ssid', ssid: ssid?.id })
  await detail(tablet)
  await more().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Time limit…' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByText('All clients of its SSID.').waitFor()
  await one.looksWell('time-limit-ssid', { dark: true })
  await dialog().getByRole('link', { name: 'Add time limit' }).focus()
  await page.keyboard.press('Enter')
  await macs().waitFor()
  expect(await macs().inputValue()).toBe(tablet)
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  await page.getByLabel('Name', { exact: true }).fill('Tablet')
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Tablet' }).waitFor()
})
