// Services that alerts go to, as a person sets them up: a chat that refuses, one that takes, a trap that nobody confirms.
import type { Page } from 'playwright-core'
import { until } from '../lab/_lab'
import { receiver } from '../server/_receiver'
import { mailServer } from './_receivers'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page
let refuses = true
let chat: Awaited<ReturnType<typeof receiver>>

beforeAll(async () => {
  chat = await receiver(response => void (refuses ? response.writeHead(404).end('no_service') : response.end('ok')))
  one = await openConsole('Quay')
  page = one.page
  await one.client.must('webhooks/segments/save', { segments: ['127.0.0.1'] })
})
afterAll(async () => {
  await one?.end()
  await chat?.close()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const choose = async (name: string) => {
  await dialog().getByLabel('Service', { exact: true }).click()
  await page.getByRole('option', { name }).click()
  await page.getByRole('option').first().waitFor({ state: 'detached' })
}

test('by mouse: what is missing is said at its field, the test says what the service says, the target is kept', async () => {
  await page.goto('/network/1/alerts')
  await page.getByRole('link', { name: 'Notification settings' }).click()
  await page.getByText(/^No targets/).waitFor()
  await one.looksWell('notice-targets-none')
  await page.getByRole('button', { name: 'Add target' }).click()
  await dialog().getByLabel('Name').fill('Operations')
  await choose('Slack')
  await dialog().getByRole('button', { name: 'Send test message' }).click()
  await dialog().locator('.field-error').waitFor()
  await one.looksWell('notice-target-missing')
  await dialog().getByLabel('Webhook URL').fill(chat.url)
  await dialog().getByRole('button', { name: 'Send test message' }).click()
  await dialog().getByText('The service refused it (HTTP 404). The service said: no_service.').waitFor()
  await one.looksWell('notice-target-refused', { dark: true })
  refuses = false
  await dialog().getByRole('button', { name: 'Send test message' }).click()
  await dialog().getByText('The test message arrived.').waitFor()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('Operations').getByText('Nothing sent yet').waitFor()
})

test('by key: another service has other fields, and what does not confirm is said to', async () => {
  await page.getByRole('button', { name: 'Add target' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Name').fill('Monitoring')
  await dialog().getByLabel('Service', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'SNMP trap (v2c)' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  expect(await dialog().getByLabel('Port').inputValue()).toBe('162')
  await dialog().getByLabel('Host').fill('10.99.0.1')
  await dialog().getByLabel('Community').fill('public')
  await page.keyboard.press('Enter')
  await dialog().locator('.field-error').waitFor()
  await dialog().getByLabel('Host').fill('127.0.0.1')
  await dialog().getByLabel('Port').fill('9')
  await dialog().getByRole('button', { name: 'Send test message' }).focus()
  await page.keyboard.press('Enter')
  await dialog()
    .getByText(/Connection refused|does not confirm delivery/)
    .waitFor()
  await choose('Matrix')
  await dialog().getByLabel('Room').waitFor()
  await one.looksWell('notice-target-matrix', { dark: true })
  await choose('SNMP trap (v2c)')
  await dialog().getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await row('Monitoring').waitFor()
})

test('by mail: an address that is none is named, and the letter comes', async () => {
  const mail = await mailServer()
  const where = { host: '127.0.0.1', port: mail.port, security: 'none' }
  const place = { ...where, from: 'lanward@lab.test', publicUrl: 'https://lanward.lab.test' }
  await one.client.must('settings/mailServer/save', { ...place, revision: 0 })
  await page.getByRole('button', { name: 'Add target' }).click()
  await dialog().getByLabel('Name').fill('Night watch')
  await choose('Mail')
  await dialog().getByLabel('Recipients').fill('marta@lab.test\nnobody\n')
  await dialog().getByRole('button', { name: 'Send test message' }).click()
  await dialog().locator('.field-error').waitFor()
  await one.looksWell('notice-target-mail', { dark: true })
  await dialog().getByLabel('Recipients').fill('marta@lab.test')
  await dialog().getByLabel('When', { exact: true }).click()
  await page.getByRole('option', { name: 'Only if nobody acknowledges' }).click()
  await dialog().getByRole('button', { name: 'Send test message' }).click()
  await dialog().getByText('The test message arrived.').waitFor()
  expect(mail.letters[0]).toContain('To: marta@lab.test')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await row('Night watch').getByText('if not acknowledged for 15 min').waitFor()
  await mail.close()
})

test('an alert arrives, and how it went stands beside its target; turned off it is told nothing', async () => {
  const before = chat.posts.length
  // As a poll leaves it.
  const database = databaseOf(one.manager)
  const insert = `INSERT INTO alerts (organization, network, level, type, "values", at, tell_at) VALUES (1, 1, 5, 'deviceOffline', ?, ?, ?)`
  database.prepare(insert).run(JSON.stringify({ device: 'SW-Attic' }), Date.now(), Date.now())
  database.close()
  await until(() => chat.posts.slice(before).some(post => post.body.includes('SW-Attic is offline')))
  await row('Operations').getByText('Delivered').waitFor()
  await one.looksWell('notice-targets', { dark: true })
  await row('Operations').getByRole('button', { name: 'More: Operations' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  expect(await dialog().getByLabel('Webhook URL').inputValue()).toBe('')
  await dialog().getByRole('switch', { name: 'Send alerts there' }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await row('Operations').getByText('Off', { exact: true }).waitFor()
  await row('Operations').getByRole('button', { name: 'More: Operations' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await row('Operations').waitFor({ state: 'detached' })
})
