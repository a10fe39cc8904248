// The manager's own name and place after the setup: changed by mouse and key, and seen where they count.
import type { Page } from 'playwright-core'
import { until } from '../lab/_lab'
import { signedIn } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one?.browser.faults() ?? []).toEqual([]))

const open = async (on: Page) => {
  await on.goto('/organization/manager?tab=general')
  await on.getByLabel('Name', { exact: true }).waitFor()
}
const save = (on: Page) => on.getByRole('button', { name: 'Save', exact: true }).click()
const saved = (on: Page) => on.getByText('Saved.', { exact: true }).first().waitFor()

test('what is wrong is told at its field, and by mouse all of it is changed', async () => {
  await open(page)
  await page.getByLabel('Name', { exact: true }).fill('')
  await save(page)
  await page.locator('.field-error').waitFor()
  await one.looksWell('general-refused')
  await page.getByLabel('Name', { exact: true }).fill('Harbour House')
  await page.getByLabel('Country or region').click()
  await page.keyboard.type('Japan')
  await page.getByRole('option', { name: /Japan/ }).click()
  await page.getByLabel('Time zone').click()
  await page.keyboard.type('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await save(page)
  await saved(page)
  await one.looksWell('general')
})

test('the console calls itself so, backups follow its clock, a new network begins there', async () => {
  await page
    .locator('.foot')
    .getByText(/Harbour House/)
    .waitFor()
  await page.goto('/organization/manager?tab=backups')
  await page.getByText('In the time zone Asia/Tokyo').waitFor()
  await page.goto('/organization/overview/form')
  const form = page.locator('main form')
  await form.getByText(/Japan/).first().waitFor()
  await form
    .getByText(/Asia\/Tokyo/)
    .first()
    .waitFor()
})

test('by key alone: typed, saved by Enter when something was changed; leaving what is not saved is asked once', async () => {
  await open(page)
  const isDisabled = () => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()
  expect(await isDisabled()).toBe(true)
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Pier')
  expect(await isDisabled()).toBe(false)
  await page.keyboard.press('Enter')
  await saved(page)
  await until(isDisabled)
  await page.getByLabel('Name', { exact: true }).fill('Nobody')
  await page.getByRole('link', { name: 'Changelog', exact: true }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Changelog' }).waitFor()
})

test('the changelog says it in the form’s words, and undoes it', async () => {
  await page.goto('/organization/changelog')
  await page.getByRole('button', { name: 'Changed: General Pier', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row').filter({ hasText: 'Name' }).filter({ hasText: 'Harbour House' }).waitFor()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await open(page)
  await until(async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === 'Harbour House')
})

test('two tabs, one by Ctrl S: whoever saves later is told, and may load or save over', async () => {
  const other = await signedIn(one.manager.https)
  try {
    await open(other.page)
    await open(page)
    await page.getByLabel('Name', { exact: true }).fill('First')
    await page.keyboard.press('Control+s')
    await saved(page)
    await other.page.getByLabel('Name', { exact: true }).fill('Second')
    await save(other.page)
    await other.page.getByText('Somebody else saved this in the meantime.').waitFor()
    await other.page.getByRole('button', { name: 'Save mine' }).click()
    await saved(other.page)
    expect((await one.client.must('system-settings/get')).values).toMatchObject({ name: 'Second' })
    expect(other.browser.faults()).toEqual([])
  } finally {
    await other.browser.close()
  }
})
