// The changelog as a person meets it: found, opened, undone, and taken away as a file.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page
const ssid = { name: 'Café', security: 'wpa2', key: 'harbour1234', vlan: 20, bands: ['2g', '5g'] }

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  const { id, revision } = await one.client.must('settings/ssid/save', ssid)
  await one.client.must('settings/ssid/save', { ...ssid, id, revision, vlan: 30, key: 'another-key-1', bands: ['5g'] })
})
afterAll(async () => {
  await one?.end()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const entry = (name: string | RegExp) => page.getByRole('button', { name })

test('what was changed stands in plain words; filtered and searched by the address', async () => {
  await page.goto('/organization/changelog')
  await entry('Changed: Wi-Fi network Café').waitFor()
  await entry(/^Signed in: Account/)
    .first()
    .waitFor()
  await page.getByRole('row').filter({ hasText: 'VLAN' }).first().waitFor()
  await one.looksWell('changelog')
  await page.getByRole('button', { name: 'Object' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Wi-Fi network' }).click()
  await page.waitForURL('**object=ssid**')
  await entry(/^Signed in/)
    .first()
    .waitFor({ state: 'detached' })
  await page.getByLabel('Name, user, address or value').fill('nothing like it')
  await page.keyboard.press('Enter')
  await page.waitForURL('**q=nothing**')
  await entry('Changed: Wi-Fi network Café').waitFor({ state: 'detached' })
})

test('from and to a moment of one’s own choice', async () => {
  await page.goto('/organization/changelog')
  await entry('Changed: Wi-Fi network Café').waitFor()
  const button = page.locator('.filter-bar').getByRole('button', { name: 'Time', exact: true })
  const dialog = page.getByRole('dialog')
  await button.last().click()
  await page.getByRole('menuitemcheckbox', { name: 'From … to …' }).click()
  await dialog.getByLabel('From', { exact: false }).fill('2020-03-01T10:00')
  await dialog.getByLabel('To', { exact: false }).fill('2020-03-01T09:59')
  await dialog.locator('.field-error').waitFor()
  await one.looksWell('changelog-span')
  await dialog.getByLabel('To', { exact: false }).fill('2020-03-01T10:30')
  await dialog.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(/from=2020-03-01T10%3A00%3A00Z.*to=2020-03-01T10%3A30%3A00Z/)
  await entry('Changed: Wi-Fi network Café').waitFor({ state: 'detached' })
  await page.goto('/organization/changelog?from=2020-03-01T10%3A00%3A00Z')
  await entry('Changed: Wi-Fi network Café').waitFor()
})

test('an entry shows each field before and after, no secret, and is undone', async () => {
  await page.goto('/organization/changelog?object=ssid')
  await entry('Changed: Wi-Fi network Café').click()
  const dialog = page.getByRole('dialog')
  const row = (name: string) => dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  await row('Bands').waitFor()
  expect(await row('VLAN').getByRole('cell').allTextContents()).toEqual(['20', '30'])
  expect(await row('Bands').getByRole('cell').allTextContents()).toEqual(['2.4 GHz, 5 GHz', '5 GHz'])
  expect(await dialog.textContent()).not.toMatch(/harbour1234|another-key-1|\{/)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  await one.looksWell('changelog-entry')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByText('return to their previous values', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await entry('Undid: Wi-Fi network Café').waitFor()
  const { result } = await one.client.must('settings/ssid/list')
  expect(result).toMatchObject([{ vlan: 20, bands: ['2g', '5g'] }])
  await entry('Changed: Wi-Fi network Café').click()
  await dialog.getByText(/Changed again since then: .*VLAN/).waitFor()
  expect(await dialog.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0)
})

test('exported as a table', async () => {
  await page.goto('/organization/changelog?object=ssid')
  await entry('Undid: Wi-Fi network Café').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'As a table (CSV)' }).click(),
  ])
  const rows = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(rows).toHaveLength(5)
  expect(rows[1]).toContain(',revert,ssid,Café,')
})

test('the log server is set in a dialog, which says at the field what is missing', async () => {
  await page.goto('/organization/changelog')
  await page.getByRole('button', { name: 'Log server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Send', { exact: true }).click()
  await page.getByRole('option', { name: 'Over TLS' }).click()
  await dialog.getByLabel('CA certificate', { exact: true }).fill('nothing')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('not a certificate in PEM').waitFor()
  await one.looksWell('changelog-syslog-tls')
  await dialog.getByLabel('Send', { exact: true }).click()
  await page.getByRole('option', { name: 'Over UDP' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('.field-error').waitFor()
  await one.looksWell('changelog-syslog')
  await dialog.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await entry('Changed: Log server 127.0.0.1').waitFor()
  expect(await one.client.must('changelog/syslog/get')).toMatchObject({ protocol: 'udp', host: '127.0.0.1', port: 514 })
})
