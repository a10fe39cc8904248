// What ends or blocks a session, as a person meets it: the lock, the code in the picture, the time-out, lost rights, a lost manager.
import type { Page, Route } from 'playwright-core'
import { startManager } from '../appliance/_manager'
import { owner } from '../server/_manager'
import { heardIn } from '../server/_spoken'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(() => one?.end())

/** Time and rights are moved from outside, in the data folder. */
function inDatabase(sql: string, ...values: unknown[]): void {
  const sqlite = databaseOf(one.manager)
  sqlite.prepare(sql).run(...values)
  sqlite.close()
}
const fill = async (tab: Page, password: string) => {
  await tab.getByLabel('Account', { exact: true }).fill(owner.account)
  await tab.getByLabel('Password', { exact: true }).fill(password)
}
const signIn = async (tab: Page) => {
  await fill(tab, owner.password)
  await tab.getByRole('button', { name: 'Sign in' }).click()
}

test('a session that ran out leads to the sign-in in the middle of work, and back to the same place', async () => {
  await page.goto('/network/1/devices?q=ap')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  inDatabase('UPDATE sessions SET seen_at = seen_at - ?', 31 * 86_400_000)
  // A call that the page makes by itself may be refused before the person's is.
  const typed = page
    .getByLabel('Name, IP, MAC or serial')
    .fill('sw1', { timeout: 10_000 })
    .then(() => page.keyboard.press('Enter'))
    .catch(() => undefined)
  await page.waitForURL('**/login?to=*')
  await typed
  expect(new URL(page.url()).searchParams.get('to')).toMatch(/^\/network\/1\/devices\?q=/)
  await page.getByText('Your session ended.').waitFor()
  await one.looksWell('login-again')
  await signIn(page)
  await page.waitForURL('**/network/1/devices?q=*')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  one.browser.faults()
})

test('a session that ends under a changed form: the password is asked above it, and what was typed is saved', async () => {
  await page.goto('/network/1/settings/wifi/form')
  const name = page.getByLabel('Name (SSID)')
  await name.click()
  await page.keyboard.type('Harbour Staff')
  const key = page.getByLabel('Key', { exact: true })
  await key.fill('correct-horse')
  // In the very moment of saving: no call that the page makes by itself is first.
  const endSession = (route: Route) => {
    inDatabase('UPDATE sessions SET seen_at = seen_at - ?', 31 * 86_400_000)
    return route.continue()
  }
  await page.route('**/app/settings/ssid/save', endSession, { times: 1 })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Your session ended' })
  await dialog.waitFor()
  await one.looksWell('session-ended-dialog')
  await dialog.getByLabel(`Password of ${owner.account}`).fill('not-the-password')
  await dialog.getByRole('button', { name: 'Sign in and continue' }).click()
  await dialog.getByText('Account or password is wrong.').waitFor()
  await one.looksWell('session-ended-refused')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Harbour Staff')
  await name.fill('Harbour Crew')
  await save.click()
  expect(await dialog.getByLabel(`Password of ${owner.account}`).inputValue()).toBe('')
  await dialog.getByLabel(`Password of ${owner.account}`).fill(owner.password)
  await dialog.getByRole('button', { name: 'Sign in and continue' }).click()
  await page.waitForURL('**/settings/wifi')
  await page.getByText('Harbour Crew').first().waitFor()
  expect(await dialog.count()).toBe(0)
  one.browser.faults()
})

test('who signs in meanwhile in another tab does not save what somebody else typed', async () => {
  await page.goto('/network/1/settings/wifi/form')
  await page.getByLabel('Name (SSID)').click()
  await page.keyboard.type('Typed by Marta')
  await page.getByLabel('Key', { exact: true }).fill('correct-horse')
  const other = (route: Route) => {
    inDatabase(
      `INSERT INTO accounts (organization, account, username, role, password, password_changed_at, state, created_at)
       SELECT organization, 'second7', 'Second', role, password, password_changed_at, state, created_at FROM accounts WHERE id = 1`,
    )
    inDatabase(`UPDATE sessions SET account = (SELECT id FROM accounts WHERE account = 'second7')`)
    return route.continue()
  }
  await page.route('**/app/settings/ssid/save', other, { times: 1 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session ended' })
  await dialog.getByLabel(`Password of ${owner.account}`).fill(owner.password)
  await dialog.getByRole('button', { name: 'Sign in and continue' }).click()
  await page.waitForURL('**/settings/wifi')
  const sqlite = databaseOf(one.manager)
  const [saved, others] = [
    sqlite.prepare("SELECT account FROM changelog WHERE name = 'Typed by Marta'").pluck().all(),
    sqlite.prepare("SELECT action FROM changelog WHERE account = 'second7'").pluck().all(),
  ]
  sqlite.close()
  expect([saved, others]).toEqual([[owner.account], []])
  one.browser.faults()
})

test('the browser’s Back leaves no changed form without asking', async () => {
  await page.getByRole('link', { name: 'Harbour Crew' }).first().click()
  await page.waitForURL('**/settings/wifi/form?id=*')
  const name = page.getByLabel('Name (SSID)')
  await name.click()
  await page.keyboard.type(' 2')
  const back = () => page.evaluate(() => window.history.back())
  await back()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.waitFor()
  expect(new URL(page.url()).pathname).toContain('/form')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await name.inputValue()).toBe('Harbour Crew 2')
  await name.click()
  await back()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.waitForURL('**/settings/wifi')
  expect(await question.count()).toBe(0)
  one.browser.faults()
})

test('20008: rights that are gone in the middle of work lead to the forbidden page; 20011: so does every page then', async () => {
  await page.goto('/organization/network')
  await page.getByRole('button', { name: 'Actions for Quay' }).click()
  await page.getByRole('menuitem', { name: 'Export settings' }).click()
  const button = page.getByRole('dialog').getByRole('button', { name: 'Export' })
  await button.waitFor()
  inDatabase("UPDATE accounts SET role = 'nobody'")
  const clicked = button.click({ timeout: 10_000 }).catch(() => undefined)
  await page.waitForURL('**/forbidden')
  await clicked
  await one.looksWell('forbidden')
  await page.goto('/network/1/dashboard')
  await page.waitForURL('**/forbidden')
  inDatabase("UPDATE accounts SET role = 'superAdministrator'")
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  one.browser.faults()
})

test('the stream breaks: the band says since when, and goes by itself when the manager is back', async () => {
  await page.goto('/network/1/devices')
  await page.locator('.foot .status.ok').waitFor()
  const { manager } = one
  const ports = { LANWARD_HTTP_PORT: new URL(manager.http).port, LANWARD_HTTPS_PORT: String(manager.httpsPort) }
  await manager.stop()
  const band = page.getByRole('status').filter({ hasText: 'Lanward cannot be reached' })
  await band.waitFor()
  await one.looksWell('stream-stopped')
  one.manager = await startManager({ data: manager.data, env: { LANWARD_SETUP_CODE: 'off', ...ports } })
  await band.waitFor({ state: 'detached' })
  await page.locator('.foot .status.ok').waitFor()
  // What the page asked for while the manager was away is no fault of its own.
  one.browser.faults()
})

/** Asks for the code to be read out, and listens. */
async function codeIn(tab: Page): Promise<string> {
  const listen = tab.getByRole('button', { name: 'Listen to a code instead' })
  if (await listen.isVisible()) await listen.click()
  await tab.getByRole('button', { name: 'Play again' }).waitFor()
  const source = (await tab.locator('audio').getAttribute('src')) ?? ''
  return heardIn(source.split(',')[1] ?? '')
}

/** One try, with the code when it is asked for. */
async function attempt(tab: Page, password: string): Promise<void> {
  await fill(tab, password)
  if (await tab.locator('#login-code').isVisible()) await tab.getByLabel('Code you hear').fill(await codeIn(tab))
  const answered = tab.waitForResponse(reply => reply.url().endsWith('/app/login'))
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await answered
}

test('50034: the fourth wrong password locks the account: a countdown, nothing can be sent until it is over, then it works', async () => {
  // A page of the console would go to the sign-in by itself, and be in the way of the next line.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/login')
  expect(await page.getByLabel('Account', { exact: true }).evaluate(one => one === document.activeElement)).toBe(true)
  await attempt(page, 'not-the-password')
  await page.getByText('3 attempts left').waitFor()
  expect(await page.locator('.code-picture').isVisible()).toBe(false)
  await attempt(page, 'not-the-password')
  await page.getByText('2 attempts left').waitFor()
  await page.locator('.code-picture').waitFor()
  await one.looksWell('login-code')
  await codeIn(page)
  await one.looksWell('login-spoken-code')
  await page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 3)
  const heard = await page.locator('audio').getAttribute('src')
  await attempt(page, 'not-the-password')
  await page.getByText('1 attempt left').waitFor()
  // Who listened goes on listening, to another code.
  await page.waitForFunction(before => document.querySelector('audio')?.src !== before, heard)
  await attempt(page, 'not-the-password')
  await page.getByText('This account is locked.').waitFor()
  await page
    .getByRole('timer')
    .filter({ hasText: /29:\d\d minutes/ })
    .waitFor()
  const send = page.getByRole('button', { name: 'Sign in' })
  expect(await send.isDisabled()).toBe(true)
  await one.looksWell('login-locked')
  await page.getByLabel('Account', { exact: true }).fill('somebody.else')
  expect(await send.isEnabled()).toBe(true)
  // Nearly half an hour later, from the moment when the browser asks, however long it took to type.
  await page.reload()
  const nearlyOver = (route: Route) => {
    inDatabase('UPDATE sign_in_locks SET until = ?', Date.now() + 10_000)
    return route.continue()
  }
  await page.route('**/app/login', nearlyOver, { times: 1 })
  await attempt(page, owner.password)
  await page.getByRole('timer').waitFor()
  await page.getByRole('timer').waitFor({ state: 'detached' })
  await send.click()
  await page.locator('.code-picture').waitFor()
  await attempt(page, owner.password)
  await page.waitForURL('**/network/1/dashboard')
  one.browser.faults()
})
