// Backups as a person works with them: made, proven, uploaded, restored; the manager goes away and comes back.
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { type Manager, removeFolder, startManager } from '../appliance/_manager'
import { owner } from '../server/_manager'
import { clientOf } from '../soak/client'
import { axe, type Browser, launch, phone, picture, scrollsSideways, wide } from './_browser'

const pictures = process.env.LANWARD_PICTURES
let manager: Manager
let browser: Browser
let page: Page

beforeAll(async () => {
  manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  const client = clientOf(manager.http)
  const { account, password } = owner
  await client.must('wizard/unlock')
  await client.must('wizard/general', {
    step: 'general',
    name: 'Mill',
    country: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'en',
  })
  await client.must('wizard/account', { step: 'account', account, email: '', password, repeat: password })
  await client.must('wizard/finish')
  browser = await launch(manager.https)
  page = await browser.page()
  await browser.signIn(page, account, password)
})
afterAll(async () => {
  await browser?.close()
  await manager?.stop()
  removeFolder(manager.data)
})

async function looksWell(name: string): Promise<void> {
  if (pictures) await picture(page, pictures, `${name}-wide`)
  expect(await axe(page)).toEqual([])
  await page.setViewportSize(phone)
  if (pictures) await picture(page, pictures, `${name}-phone`)
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize(wide)
  expect(browser.faults()).toEqual([])
}

const rowMenu = async (action: string) => {
  await page
    .getByRole('button', { name: /^Actions for lanward-mill-/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('says that there is no backup, makes one, and shows that it is proven', async () => {
  await page.goto('/organization/manager')
  await page.getByText('There is no backup yet.').waitFor()
  await page.getByText(/if this machine fails today/).waitFor()
  await looksWell('backups-empty')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('dialog').waitFor()
  await looksWell('backups-create')
  await page.getByRole('dialog').getByRole('button', { name: 'Back up now' }).click()
  await page
    .getByText(/lanward-mill-.* is proven restorable/)
    .first()
    .waitFor()
  await page.getByRole('cell', { name: /Proven/ }).waitFor()
  await looksWell('backups-list')
})

test('a schedule is saved; an upload that is no backup is refused with the reason', async () => {
  await page.getByLabel('Storage limit').fill('2048')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('The schedule is saved.').first().waitFor()
  await page.getByLabel('Storage limit').fill('1')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByRole('alert').filter({ hasText: '10' }).first().waitFor()
  const file = `${tmpdir()}/lanward-no-backup-${process.pid}.tar.gz`
  writeFileSync(file, 'this is no archive')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('This backup was not made by this product.').first().waitFor()
})

test('a restore asks, tells what it means, ends the session, and the manager asks for a new start', async () => {
  await page.reload()
  await rowMenu('Restore')
  await page
    .getByRole('dialog')
    .getByText(/Everything goes back to/)
    .waitFor()
  await looksWell('backups-restore')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText(/starts again on the restored data/).waitFor()
  expect(await manager.ended).toBe(75)
  const { http, https } = manager
  const ports = { LANWARD_HTTP_PORT: new URL(http).port, LANWARD_HTTPS_PORT: new URL(https).port }
  manager = await startManager({ data: manager.data, env: { ...ports, LANWARD_SETUP_CODE: 'off' } })
  await page.waitForURL('**/login')
  expect(readFileSync(`${manager.data}/current`, 'utf8')).toBe('gen-2\n')
  // What the page asked for while the manager was away is no fault of its own.
  browser.faults()
})
