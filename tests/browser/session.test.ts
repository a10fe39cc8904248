// What ends or blocks a session, as a person meets it: the lock, the code in the picture, the time-out, lost rights, a lost manager.
import type { Page, Route } from 'playwright-core'
import { glyphs } from '@/server/people/sign-in/graphical-code'
import { startManager } from '../appliance/_manager'
import { owner } from '../server/_manager'
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
  await one.looksWell('login-again')
  await signIn(page)
  await page.waitForURL('**/network/1/devices?q=*')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
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
  const band = page.getByRole('status').filter({ hasText: 'Live updates stopped' })
  await band.waitFor()
  await one.looksWell('stream-stopped')
  one.manager = await startManager({ data: manager.data, env: { LANWARD_SETUP_CODE: 'off', ...ports } })
  await band.waitFor({ state: 'detached' })
  await page.locator('.foot .status.ok').waitFor()
  // What the page asked for while the manager was away is no fault of its own.
  one.browser.faults()
})

/** Reads the picture as a person does: strokes on a grid, a little askew. */
async function codeIn(tab: Page): Promise<string> {
  const style = (await tab.locator('.code-picture').getAttribute('style')) ?? ''
  const svg = decodeURIComponent(/url\("data:image\/svg\+xml,([^"]+)"\)/.exec(style)?.[1] ?? '')
  const letters = [...svg.matchAll(/<path transform="translate\(([\d.-]+) [^"]*" d="([^"]+)"/g)]
  const shapes = letters
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map(([, , d = '']) =>
      d
        .split('M')
        .filter(Boolean)
        .map(stroke =>
          stroke
            .split('L')
            .map(point =>
              point
                .split(' ')
                .map(at => Math.abs(Math.round(Number(at) / 4.6)))
                .join(','),
            )
            .join(' '),
        )
        .join('|'),
    )
  return shapes.map(shape => Object.entries(glyphs).find(([, drawn]) => drawn === shape)?.[0] ?? '?').join('')
}

/** One try, with the code when it is asked for. */
async function attempt(tab: Page, password: string): Promise<void> {
  await fill(tab, password)
  const code = tab.getByLabel('Code in the picture')
  if (await code.isVisible()) await code.fill(await codeIn(tab))
  const answered = tab.waitForResponse(reply => reply.url().endsWith('/app/login'))
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await answered
}

test('50034: the fourth wrong password locks the account: a countdown, nothing can be sent until it is over, then it works', async () => {
  // A page of the console would go to the sign-in by itself, and be in the way of the next line.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/login')
  await attempt(page, 'not-the-password')
  for (const left of ['2 attempts left', '1 attempt left']) {
    await page.locator('.code-picture').waitFor()
    const old = await page.locator('.code-picture').getAttribute('style')
    await attempt(page, 'not-the-password')
    await page.getByText(left).waitFor()
    await page.waitForFunction(style => document.querySelector('.code-picture')?.getAttribute('style') !== style, old)
  }
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
