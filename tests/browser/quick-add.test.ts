// From a form, what it refers to is made in a panel above it, by mouse and by key, and nothing typed below is lost.
import type { Page } from 'playwright-core'
import { owner } from '../server/_manager'
import { looksWell, phone, wide } from './_browser'
import { openFold } from './_forms'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Mole')
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const field = (name: string) => page.locator(`#field-${name}`)
const panel = (name: string) => page.getByRole('dialog', { name, exact: true })
/** A panel that goes gives the focus back in a moment of its own. */
const focusComesTo = (name: string) => page.waitForFunction(id => document.activeElement?.id === id, `field-${name}`)
const ids = () => page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id))

async function newNetwork(): Promise<void> {
  await page.goto('/network/1/settings/wifi/form')
  await openFold(page, 'Schedule and visibility')
  await page.getByLabel('Name (SSID)').fill('Mole Guest')
  await page.getByLabel('Security', { exact: true }).click()
  await page.getByRole('option', { name: /^WPA2 Enterprise/ }).click()
}

test('by mouse: a schedule for a Wi-Fi network, chosen once it is saved; the form below is as it was', async () => {
  await newNetwork()
  await field('schedule').click()
  await page.getByRole('button', { name: 'Add schedule' }).click()
  const dialog = panel('New schedule')
  await dialog.getByLabel('Name', { exact: true }).fill('Café hours')
  await looksWell(page, 'quick-add-schedule', { dark: true })
  // Two forms stand on the page: nothing in them has the same name.
  const found = await ids()
  expect(found.filter((id, at) => found.indexOf(id) !== at)).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  // On at no time at all: refused at the field, in the panel.
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByRole('button', { name: /^Monday: more|^Mon: more/ }).click()
  await page.getByRole('menuitem', { name: 'Whole day' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await field('schedule').getByText('Café hours').waitFor()
  await focusComesTo('schedule')
  expect(await page.getByLabel('Name (SSID)').inputValue()).toBe('Mole Guest')
})

test('by key: a RADIUS server; Escape closes the panel alone, and asks where something was typed', async () => {
  await field('radius').focus()
  const open = async () => {
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'RADIUS server' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel('New RADIUS server').waitFor()
  }
  await open()
  await page.keyboard.press('Escape')
  await panel('New RADIUS server').waitFor({ state: 'detached' })
  await focusComesTo('radius')
  expect(await page.getByLabel('Name (SSID)').inputValue()).toBe('Mole Guest')

  await open()
  const dialog = panel('New RADIUS server')
  await dialog.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Harbour master')
  await page.keyboard.press('Escape')
  const question = panel('Leave without saving?')
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Harbour master')

  await dialog.getByLabel('Server', { exact: true }).first().focus()
  await page.keyboard.type('192.0.2.9')
  await dialog.getByLabel('Secret', { exact: true }).first().focus()
  await page.keyboard.type('open sesame')
  // Ctrl S saves what is in the panel, not the network below.
  await page.keyboard.press('Control+s')
  await dialog.waitFor({ state: 'detached' })
  await field('radius').getByText('Harbour master').waitFor()
  await focusComesTo('radius')
  const networks = await one.client.must('settings/ssid/list', { networkId: 1 })
  expect(networks.total).toBe(0)

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/settings/wifi')
  const [saved] = (await one.client.must('settings/ssid/list', { networkId: 1 })).result as Record<string, unknown>[]
  const [server] = (await one.client.must('settings/radius/options', { networkId: 1 })).result as { id: string }[]
  const [schedule] = (await one.client.must('settings/schedule/options', { networkId: 1 })).result as { id: string }[]
  expect(saved).toMatchObject({ name: 'Mole Guest', radius: server?.id, schedule: schedule?.id })
})

test('on a phone a panel fills the screen, and what is left unsaved is asked about once', async () => {
  await page.setViewportSize(phone)
  await newNetwork()
  await field('schedule').click()
  await page.getByRole('button', { name: 'Add schedule' }).click()
  const dialog = panel('New schedule')
  await dialog.getByLabel('Name', { exact: true }).fill('Night')
  const box = await dialog.boundingBox()
  expect(box?.width).toBe(phone.width)
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await panel('Leave without saving?').getByRole('button', { name: 'Leave', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await focusComesTo('schedule')
  expect(await page.getByLabel('Name (SSID)').inputValue()).toBe('Mole Guest')
  await page.setViewportSize(wide)
  const { result } = await one.client.must('settings/schedule/options', { networkId: 1 })
  expect(result).toHaveLength(1)
})

test('where no more fit, the list says so', async () => {
  const made = async (at: number) =>
    one.client.must('settings/radius/save', {
      networkId: 1,
      name: `Server ${at}`,
      server: `192.0.2.${at}`,
      secret: 'sesame',
    })
  for (let at = 1; at < 32; at++) await made(at)
  await newNetwork()
  await field('radius').click()
  await page.getByText('Limit reached: 32 RADIUS servers.').waitFor()
  expect(await page.getByRole('button', { name: 'Add RADIUS server' }).count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('who may change Wi-Fi alone is not offered to make a profile', async () => {
  const authorities = ['settings_wifi_edit']
  const { id } = await one.client.must('roles/save', { name: 'Wi-Fi people', authorities })
  const database = databaseOf(one.manager)
  database
    .prepare(
      `INSERT INTO accounts (organization, account, username, role, all_networks, password, password_changed_at, state, created_at)
       SELECT organization, 'wifi1', 'Wi-Fi', ?, 1, password, password_changed_at, state, created_at FROM accounts WHERE id = 1`,
    )
    .run(id)
  database.close()
  await page.goto('about:blank')
  await page.context().clearCookies()
  await one.browser.signIn(page, 'wifi1', owner.password)
  await newNetwork()
  await field('schedule').click()
  await page.getByRole('option', { name: 'Café hours' }).waitFor()
  expect(await page.getByRole('button', { name: 'Add schedule' }).count()).toBe(0)
  await page.keyboard.press('Escape')
})
