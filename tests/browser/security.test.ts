// Account security as a person meets it: own sessions, the second factor, what the super administrator sets for everybody.
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { owner } from '../server/_manager'
import { signedIn } from './_browser'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(() => one?.end())

const dialog = () => page.getByRole('dialog')
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const settings = async () => {
  await page.goto('/account/settings')
  await heading('Account settings')
}

test('a session that is ended elsewhere goes to the sign-in at once', async () => {
  const other = await signedIn(one.manager.https)
  try {
    await other.page.goto('/network/1/devices')
    await other.page.locator('.foot .status.ok').waitFor()
    await settings()
    await page.getByText('This one').waitFor()
    await page.getByRole('button', { name: 'End all others' }).click()
    await dialog().getByRole('button', { name: 'End all others' }).click()
    await other.page.waitForURL('**/login?to=%2Fnetwork%2F1%2Fdevices*')
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
  } finally {
    await other.browser.close()
  }
})

/** As the page's own session is told: all others have ended. */
const info = () =>
  page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }
    const reply = await fetch('/app/account/info', { method: 'POST', headers, body: '{}' })
    return ((await reply.json()) as { data: Record<string, unknown> }).data
  })

test('a theme of this browser alone, until the account’s is used again; an address and what one is are kept', async () => {
  await settings()
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
  const own = page.getByRole('region', { name: 'This browser only' })
  await own.getByLabel('Appearance').click()
  await page.getByRole('option', { name: 'Dark' }).click()
  await page.waitForFunction(() => document.documentElement?.dataset.theme === 'dark')
  expect(await info()).toMatchObject({ appearance: 0 })
  await own.getByRole('button', { name: 'Use the account’s settings' }).click()
  await page.waitForFunction(() => document.documentElement?.dataset.theme === 'system')
  expect(await theme()).toBe('system')
  await page.getByLabel('Address', { exact: true }).fill('Quay 1, Porto')
  await page.getByLabel('Account type').click()
  await page.getByRole('option', { name: 'System integrator' }).click()
  await one.looksWell('account-settings-own')
  // What was saved draws the page anew; an address asked for before that would be given up for it.
  const drawnAnew = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await drawnAnew
  expect((await info()).address).toBe('Quay 1, Porto')
  expect(await info()).toMatchObject({ type: 'systemIntegrator' })
  await page.goto('/account/help')
  await page
    .getByRole('link', { name: /^https:\/\// })
    .first()
    .waitFor()
})

const codeAt = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
const stepMs = 30_000

test('the second factor is turned on by the key on the page; then the password alone signs nobody in', async () => {
  await settings()
  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await dialog().getByLabel('Your password', { exact: true }).fill(owner.password)
  await dialog().getByRole('button', { name: 'Continue' }).click()
  const secret = (await dialog().locator('.key').getAttribute('data-key')) ?? ''
  await one.looksWell('mfa-setup')
  const enabledAt = Date.now()
  await dialog().getByLabel('Code from the authenticator app').fill(codeAt(secret, enabledAt))
  await dialog().getByRole('button', { name: 'Turn on', exact: true }).click()
  await dialog().getByRole('heading', { name: 'Save these recovery codes' }).waitFor()
  expect(await dialog().getByRole('listitem').count()).toBe(10)
  await dialog().getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Turn off', exact: true }).waitFor()
  await one.looksWell('account-settings')
  expect(one.browser.faults()).toEqual([])

  await page.getByRole('button', { name: /Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await page.getByLabel('Account', { exact: true }).fill(owner.account)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/login/mfa?to=*')
  const code = page.getByLabel('Code from the authenticator app')
  await code.fill('12345')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Six digits.', { exact: true }).waitFor()
  await one.looksWell('login-mfa')
  // One code is taken once: the next one, where this step is still that of turning it on.
  await code.fill(codeAt(secret, Math.max(Date.now(), enabledAt + stepMs)))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/network/1/dashboard')
  await heading('Dashboard')
  expect(one.browser.faults()).toEqual([])
})

test('an old password is asked to be changed, later or now; the new one counts', async () => {
  const sqlite = databaseOf(one.manager)
  sqlite.prepare('UPDATE accounts SET password_changed_at = 0').run()
  sqlite.close()
  await page.goto('/network/1/devices')
  await dialog().getByRole('heading', { name: 'Time for a new password?' }).waitFor()
  await one.looksWell('password-notice')
  await dialog().getByRole('button', { name: 'Change it' }).click()
  await heading('Account settings')
  const next = 'Nw8!zK3pQ5'
  await page.getByLabel('Old password', { exact: true }).fill('Wr0ng!pass')
  await page.locator('form#password').getByLabel('Password', { exact: true }).fill(next)
  await page.getByLabel('Repeat the password', { exact: true }).fill(next)
  const change = page.getByRole('button', { name: 'Change password' })
  await change.click()
  await page.getByText('This is not your password.').waitFor()
  await page.getByLabel('Old password', { exact: true }).fill(owner.password)
  await change.click()
  await page.getByText('The password is changed. Your other sessions have ended.', { exact: true }).waitFor()
  // With neither keys nor webhooks there is nothing to ask.
  expect(await page.getByRole('group', { name: 'Also end' }).count()).toBe(0)
  expect(one.browser.faults()).toEqual([])
})

test('API keys and webhooks end with the former password where one ticks them, by key and by mouse', async () => {
  const counts = (more: string) => {
    const sqlite = databaseOf(one.manager)
    const count = sqlite.prepare(`SELECT count(*) FROM ${more}`).pluck().get()
    sqlite.close()
    return count
  }
  const sqlite = databaseOf(one.manager)
  const key = sqlite.prepare(
    `INSERT INTO api_keys (account, name, digest, prefix, authorities, created_at) VALUES (1, ?, ?, 'lw_', '[]', 1)`,
  )
  for (const name of ['Nightly', 'Report']) key.run(name, name)
  sqlite
    .prepare(
      `INSERT INTO webhooks (account, name, url, secret, topics, level, state, logged, created_at)
       VALUES (1, 'Chat', 'https://chat.example', '', '["alerts"]', 15, 'on', 0, 1)`,
    )
    .run()
  sqlite.close()
  await settings()
  const fill = async (old: string, next: string) => {
    await page.getByLabel('Old password', { exact: true }).fill(old)
    await page.locator('form#password').getByLabel('Password', { exact: true }).fill(next)
    await page.getByLabel('Repeat the password', { exact: true }).fill(next)
  }
  const keys = page.getByRole('checkbox', { name: '2 API keys (their scripts stop working)' })
  const hooks = page.getByRole('checkbox', { name: '1 webhook (turned off)' })
  await fill('Nw8!zK3pQ5', 'Gm4?tR9wLa')
  expect([await keys.isChecked(), await hooks.isChecked()]).toEqual([false, false])
  await one.looksWell('password-access-left')
  // By key alone: from the last field to the first box, ticked, and sent from the button.
  await page.getByLabel('Repeat the password', { exact: true }).focus()
  while (!(await keys.evaluate(box => box === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await keys.isChecked()).toBe(true)
  const change = page.getByRole('button', { name: 'Change password' })
  while (!(await change.evaluate(button => button === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await keys.waitFor({ state: 'detached' })
  expect(counts('api_keys WHERE expires_at IS NULL')).toBe(0)
  expect(counts(`webhooks WHERE state = 'on'`)).toBe(1)
  await fill('Gm4?tR9wLa', 'Nw8!zK3pQ5')
  await hooks.click()
  await change.click()
  await hooks.waitFor({ state: 'detached' })
  expect(counts(`webhooks WHERE state = 'on'`)).toBe(0)
  expect(one.browser.faults()).toEqual([])
})

test('the super administrator sets what holds for everybody, and from where people come', async () => {
  await page.goto('/organization/manager?tab=security')
  const timeout = page.getByLabel('Sign out after')
  await timeout.fill('4')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.field-error').waitFor()
  await one.looksWell('security')
  await timeout.fill('45')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().getByLabel('Address or subnet').fill('10.0.0.1/8')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().locator('.field-error').waitFor()
  await dialog().getByLabel('Address or subnet').fill('10.0.0.0/8')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '10.0.0.0/8' }).waitFor()
  const wanted = page.getByLabel('Is this address allowed?')
  await wanted.fill('192.0.2.1')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('No.', { exact: true }).waitFor()
  await wanted.fill('10.1.2.3')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Yes, by 10.0.0.0/8.', { exact: true }).waitFor()
  expect(one.browser.faults()).toEqual([])
})

// The last: a reset ends every session.
test('a link to reset the password offers the same', async () => {
  // A page that is left open is refused from then on, which is no fault.
  await page.goto('about:blank')
  const token = 'k'.repeat(43)
  const sqlite = databaseOf(one.manager)
  sqlite.prepare(`UPDATE api_keys SET expires_at = NULL`).run()
  // The second factor is another test's.
  sqlite.prepare(`UPDATE accounts SET mfa = NULL`).run()
  sqlite
    .prepare(
      `INSERT INTO account_tokens (digest, account, purpose, data, wrong_tries, expires_at) VALUES (?, 1, ?, '{}', 0, ?)`,
    )
    .run(createHash('sha256').update(token).digest('hex'), 'resetPassword', Date.now() + 3_600_000)
  sqlite.close()
  // Whoever cannot be sent a letter has no such page.
  const mail = { host: '127.0.0.1', port: 9, security: 'none', from: 'nms@example.test', publicUrl: one.manager.https }
  await one.client.must('login', { userName: owner.account, userPwd: passwordDigest('Nw8!zK3pQ5') })
  await one.client.must('system-settings/smtp/save', mail)
  const stranger = await one.browser.page()
  await stranger.goto(`${one.manager.https}/login/reset-password#${token}`)
  await stranger.getByLabel('Password', { exact: true }).fill('Gm4?tR9wLa')
  await stranger.getByLabel('Repeat the password', { exact: true }).fill('Gm4?tR9wLa')
  await stranger.getByRole('checkbox', { name: '2 API keys (their scripts stop working)' }).click()
  expect(await stranger.getByRole('checkbox').count()).toBe(1)
  await stranger.getByRole('button', { name: 'Set password' }).click()
  await stranger.getByText('The new password is set.').waitFor()
  const after = databaseOf(one.manager)
  expect(after.prepare('SELECT count(*) FROM api_keys WHERE expires_at IS NULL').pluck().get()).toBe(0)
  after.close()
  await stranger.close()
  expect(one.browser.faults()).toEqual([])
})
