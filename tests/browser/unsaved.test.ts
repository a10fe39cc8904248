// What is typed and not saved outlives what leads away from it: the browser's Back, links, keys, the search, a closed tab, a
// slip of the hand beside a dialog.
import type { Page } from 'playwright-core'
import { removeFolder, startManager } from '../appliance/_manager'
import { launch } from './_browser'
import { type Console, openConsole } from './_setup'
import { wizardOn } from './_wizard'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Slip')
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const question = () => page.getByRole('dialog', { name: 'Leave without saving?' })
const stay = async () => {
  await question().getByRole('button', { name: 'Cancel' }).click()
  await question().waitFor({ state: 'detached' })
}
const leave = () => question().getByRole('button', { name: 'Leave', exact: true }).click()

const forms: [path: string, field: string][] = [
  ['/network/1/devices/group/form', 'Name'],
  ['/network/1/devices/form?tab=address', 'Address'],
  ['/network/1/alerts/config/form', 'Offline time, minutes'],
  ['/network/1/guests/voucher/form', 'Group name'],
  ['/organization/overview/form', 'Name'],
  ['/organization/users/roles/form', 'Name'],
  ['/account/settings', 'Name'],
  ['/account/feedback', 'Your message'],
]

test.each(forms)('%s: Back asks, and nothing is lost by staying', async (path, field) => {
  await page.goto(path)
  const input = page.getByRole('main').getByLabel(field).first()
  await input.click()
  await page.keyboard.press('End')
  await page.keyboard.type('7')
  const typed = await input.inputValue()
  // A way back within this document, as links of the product leave one.
  await page.evaluate(() => window.history.pushState(window.history.state, '', window.location.href))
  const back = () => page.evaluate(() => window.history.back())
  await back()
  await question().waitFor()
  await stay()
  expect(await input.inputValue()).toBe(typed)
  await input.click()
  await back()
  await leave()
  await question().waitFor({ state: 'detached' })
  // What is left open would be asked by the browser when the next page is opened.
  page.once('dialog', dialog => void dialog.accept())
})

test('keys and the search ask as a link does; leaving goes where they led', async () => {
  await page.goto('/organization/users/roles/form')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Night shift')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await question().waitFor()
  await one.looksWell('leave-question', { dark: true })
  await stay()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('Help')
  await page.keyboard.press('Enter')
  await question().waitFor()
  await stay()
  expect(await name.inputValue()).toBe('Night shift')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await leave()
  await page.waitForURL('**/account/help')
})

test('closing the tab of own settings is asked by the browser', async () => {
  await page.goto('/organization/manager')
  const name = page.getByRole('main').getByRole('textbox').first()
  await name.click()
  await page.keyboard.type(' 2')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  expect(await name.inputValue()).toContain(' 2')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a dialog with something typed in it is not closed by Escape or a press beside it; Cancel closes it at once', async () => {
  await page.goto('/organization/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a user' })
  const first = dialog.getByRole('textbox').first()
  await first.click()
  await page.keyboard.type('rita.keys')
  await page.keyboard.press('Escape')
  await question().waitFor()
  await stay()
  expect(await first.inputValue()).toBe('rita.keys')
  await page.mouse.click(4, 4)
  await question().waitFor()
  await stay()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByRole('textbox').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('the setup: what was typed in a step is there again for who goes back and comes again', async () => {
  const manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  const browser = await launch(manager.https)
  const tab = await browser.page()
  try {
    await tab.goto('/wizard')
    const wizard = wizardOn(tab)
    await wizard.heading('General')
    await wizard.general('Slip House')
    await tab.getByLabel('Account', { exact: true }).fill('rita.keys')
    await tab.getByRole('button', { name: 'Back' }).click()
    await wizard.heading('General')
    await wizard.next()
    await wizard.heading('User account')
    expect(await tab.getByLabel('Account', { exact: true }).inputValue()).toBe('rita.keys')
    expect(browser.faults()).toEqual([])
  } finally {
    await browser.close()
    await manager.stop()
    removeFolder(manager.data)
  }
})
