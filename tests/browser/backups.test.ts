// Backups as a person works with them: made, proven, uploaded, restored; the manager goes away and comes back.
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { startManager } from '../appliance/_manager'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Console['page']
let looksWell: Console['looksWell']

beforeAll(async () => {
  one = await openConsole('Mill')
  page = one.page
  looksWell = one.looksWell
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const rowMenu = async (action: string) => {
  await page
    .getByRole('button', { name: /^Actions for lanward-mill-/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('says that there is no backup, makes one, and shows that it is proven', async () => {
  await page.goto('/organization/manager?tab=backups')
  await page.getByText('No backups yet.').waitFor()
  await page.getByText(/if this machine fails today/).waitFor()
  await looksWell('backups-empty')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('dialog').waitFor()
  await looksWell('backups-create')
  await page.getByRole('dialog').getByRole('button', { name: 'Back up now' }).click()
  await page
    .getByText(/lanward-mill-.* is verified restorable/)
    .first()
    .waitFor()
  await page.getByRole('cell', { name: /Verified/ }).waitFor()
  await looksWell('backups-list')
})

test('a schedule is saved; an upload that is no backup is refused with the reason', async () => {
  await page.getByLabel('Time', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Fill this in.').waitFor()
  expect(await page.getByText('Schedule saved').count()).toBe(0)
  await page.getByLabel('Time', { exact: true }).fill('03:15')
  await page.getByLabel('Storage limit').fill('2048')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Schedule saved').first().waitFor()
  await page.getByLabel('Storage limit').fill('1')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByRole('alert').filter({ hasText: '10' }).first().waitFor()
  const file = `${tmpdir()}/lanward-no-backup-${process.pid}.tar.gz`
  writeFileSync(file, 'this is no archive')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('This backup was not made by Lanward.').first().waitFor()
})

test('a restore asks, tells what it means, ends the session, and the manager asks for a new start', async () => {
  await page.reload()
  await rowMenu('Restore')
  await page
    .getByRole('dialog')
    .getByText(/Everything is restored to/)
    .waitFor()
  await looksWell('backups-restore')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Lanward is restarting' }).waitFor()
  expect(await one.manager.ended).toBe(75)
  const { http, https, data } = one.manager
  const ports = { LANWARD_HTTP_PORT: new URL(http).port, LANWARD_HTTPS_PORT: new URL(https).port }
  one.manager = await startManager({ data, env: { ...ports, LANWARD_SETUP_CODE: 'off' } })
  await page.waitForURL(/\/login\?to=.*organization/)
  expect(readFileSync(`${data}/current`, 'utf8')).toBe('gen-2\n')
  // What the page asked for while the manager was away is no fault of its own.
  one.browser.faults()
})
