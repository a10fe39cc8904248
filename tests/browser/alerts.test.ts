// Alerts as a person meets them: told live, found, read, deleted, and sent to a real mail server.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { until } from '../lab/_lab'
import { owner } from '../soak/owner'
import { mailServer } from './_receivers'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page
const work = mkdtempSync(`${tmpdir()}/lanward-alerts-`)
const schedule = { frequency: 'off', time: '02:30', storageLimitMb: 100, history: false }

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(async () => {
  await one?.end()
  rmSync(work, { recursive: true, force: true })
})
const servers: { close(): Promise<void> }[] = []
/** Ended with its test, whatever became of that: what still listens keeps the whole run from ending. */
async function kept<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

/** Something really fails: the disk for the backups is gone. */
async function failBackup(): Promise<void> {
  const path = `${work}/disk`
  mkdirSync(path, { recursive: true })
  await one.client.must('backups/schedule', { ...schedule, path: '' })
  await one.client.must('backups/schedule', { ...schedule, path })
  rmSync(path, { recursive: true })
  await expect(one.client.must('backups/create', {})).rejects.toThrow('22012')
}
const dot = () => page.locator('.unread').first()
const rows = () => page.getByRole('row').filter({ hasText: 'The backup failed' })

test('an alert arrives by itself: the red dot, the list, and what failed in words', async () => {
  await page.goto('/network/1/alerts')
  await page.getByText(/^No alert/).waitFor()
  await page.locator('.foot .status.ok').waitFor()
  expect(await dot().count()).toBe(0)
  await failBackup()
  await dot().waitFor()
  await rows().waitFor()
  await page.getByText('The backup failed: The backup folder is missing', { exact: false }).first().waitFor()
  await failBackup()
  await until(async () => (await rows().count()) === 2)
  await one.looksWell('alerts-unread')
})

test('searched by words and filtered by level; read ones leave the list of unread, and the dot goes', async () => {
  await page.getByLabel('Device or text').fill('online')
  await page.keyboard.press('Enter')
  await until(async () => (await rows().count()) === 0)
  await page.getByLabel('Device or text').fill('backup')
  await page.keyboard.press('Enter')
  await until(async () => (await rows().count()) === 2)
  await page.locator('.filter-bar').getByRole('button', { name: 'Level' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Emergency' }).click()
  await until(async () => (await rows().count()) === 0)
  await page.goto('/network/1/alerts')
  await rows().first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await page.getByRole('button', { name: /^Unread/ }).click()
  await until(async () => (await rows().count()) === 1)
  expect(await dot().count()).toBe(1)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await dot().waitFor({ state: 'detached' })
})

test('deleted when asked, and only then', async () => {
  await page.goto('/network/1/alerts')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await page.getByRole('dialog').getByText('This cannot be undone.', { exact: false }).waitFor()
  await one.looksWell('alerts-delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await until(async () => (await rows().count()) === 2)
  await rows().first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await until(async () => (await rows().count()) === 1)
})

test('the mail server: its test says what is wrong, then what the server said', async () => {
  const mail = await kept(mailServer())
  await page.goto('/organization/manager?tab=mail')
  await page.getByText('No mail server set').waitFor()
  // Only the page's script knows by which address it is here.
  const { origin } = new URL(page.url())
  await until(async () => (await page.getByLabel('Address of this manager').inputValue()) === origin)
  await page.getByLabel('Encryption').click()
  await page.getByRole('option', { name: 'None' }).click()
  expect(await page.getByLabel('Port', { exact: true }).inputValue()).toBe('25')
  await page.getByLabel('Name or address').fill('127.0.0.1')
  await page.getByLabel('Port', { exact: true }).fill('1')
  await page.getByLabel('Sender', { exact: true }).fill('no address')
  await page.getByLabel('Test message to').fill('marta@lab.test')
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.locator('.field-error').first().waitFor()
  await one.looksWell('mail-server')
  await page.getByLabel('Sender', { exact: true }).fill('lanward@lab.test')
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page
    .getByText(/ECONNREFUSED/)
    .first()
    .waitFor()
  await page.getByLabel('Port', { exact: true }).fill(String(mail.port))
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText(/Server response: 250/).waitFor()
  expect(mail.letters[0]).toContain('This is a test message')
  await page.getByRole('button', { name: 'Save mail server' }).click()
  await page.getByText('Mail server saved').first().waitFor()
  await page.getByText('No mail server set').waitFor({ state: 'detached' })
})

test('by mail: a real server has the test, and the next alert comes by itself', async () => {
  const mail = await kept(mailServer())
  const { server } = (await one.client.must('system-settings/smtp')) as { server: Record<string, unknown> }
  await one.client.must('system-settings/smtp/save', { ...server, port: mail.port })
  await page.goto('/network/1/alerts/notice/form')
  await page.getByText('By mail', { exact: true }).click()
  await page.getByLabel('Recipients').fill('marta@lab.test')
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText('Test message sent').first().waitFor()
  expect(mail.letters[0]).toContain('This is a test message')
  await one.looksWell('notice-mail')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/network/1/alerts')
  await failBackup()
  await until(() => mail.letters[1]?.includes('The backup failed'))
})

test('a forgotten password: asked for on the sign-in page, set by the link in the letter', async () => {
  const mail = await kept(mailServer())
  const { server } = (await one.client.must('system-settings/smtp')) as { server: Record<string, unknown> }
  await one.client.must('system-settings/smtp/delete')
  await one.client.must('account/email/save', { email: 'marta@lab.test', password: owner.password })
  const publicUrl = new URL(page.url()).origin
  await one.client.must('system-settings/smtp/save', { ...server, port: mail.port, publicUrl })
  // Nothing asks any more when the session goes.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot account?' }).click()
  await page.waitForURL('**/login/forgot-username')
  await page.getByLabel('Email address').fill('no address')
  await page.getByRole('button', { name: 'Send account name' }).click()
  await page.locator('.field-error').waitFor()
  await one.looksWell('forgot-username')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.waitForURL('**/login/forgot-password')
  await page.getByLabel('Account or email address').fill(owner.account)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('If there is such an account, an email is on its way.').waitFor()
  await one.looksWell('forgot-password')
  const link = /https:\/\/\S+\/login\/reset-password#[\w-]{43}/
  const letter = await until(() => link.exec(mail.letters.join('').replace(/=\r\n/g, '')))
  await page.goto(letter[0])
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await until(() => page.url().endsWith('/login/reset-password'))
  await one.looksWell('reset-password')
  await page.getByLabel('Password', { exact: true }).fill('Harb0ur-Gate!')
  await page.getByLabel('Repeat', { exact: false }).fill('Harb0ur-Gate!')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('The new password is set.').waitFor()
  await one.browser.signIn(page, owner.account, 'Harb0ur-Gate!')
})
