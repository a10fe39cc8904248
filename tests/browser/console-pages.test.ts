import { until } from '../lab/_lab'
import { looksWell as look } from './_browser'
import { type Console, openConsole } from './_console'

// What the console has beside its devices: dashboard, alerts, networks, account, and its themes.

let here: Console
let page: Console['page']
let heading: Console['heading']
let press: Console['press']
let row: Console['row']

beforeAll(async () => {
  here = await openConsole()
  ;({ page, heading, press, row } = here)
  await here.adoptAll()
})
afterAll(() => here?.close())
afterEach(() => expect(here.browser.faults()).toEqual([]))

const looksWell = (name: string) => look(page, name)

test('the dashboard counts devices and clients from polls', async () => {
  await page.goto('/network/1/dashboard')
  await page.getByText('of 1 online').first().waitFor()
  await page.getByText('wired').first().waitFor()
  await looksWell('dashboard')
  await press('7 d')
  await looksWell('dashboard-week')
})

test('the dashboard comes with its data: nothing is left to be asked for', async () => {
  const drawn = async () => (await page.request.get('/network/1/dashboard')).text()
  // An answer that takes long while the machine is busy is left out.
  const html = await until(async () => {
    const text = await drawn()
    return !text.includes('class="skel"') && text
  })
  expect(html).toContain('of 1 online')
})

test('alerts by mail: that no mail server is set is said, a wrong address is refused at its field', async () => {
  await page.goto('/network/1/alerts')
  await heading('Alerts')
  // A device that was silent for a moment is told there.
  await page
    .getByText(/^No alert/)
    .or(page.getByRole('table'))
    .waitFor()
  await looksWell('alerts')
  await page.getByRole('link', { name: 'Notification settings' }).click()
  await heading('Notification settings')
  await page.getByText('By mail', { exact: true }).click()
  await page.getByText('No mail server set').waitFor()
  await page.getByLabel('Recipients').fill('no address')
  await press('Save')
  await page.locator('.field-error').first().waitFor()
  await looksWell('notice')
})

test('S2: networks are created, made the default, cloned, and deleted by typing the name', async () => {
  await page.goto('/organization/network')
  await heading('Networks')
  await page.getByRole('link', { name: 'Create network' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Annex')
  await page.getByLabel('Country or region').click()
  await page.keyboard.type('Spai')
  await page.getByRole('option', { name: 'Spain' }).click()
  await looksWell('network-form')
  await press('Create network')
  await row('Annex').waitFor()
  await looksWell('networks')
  await press('Actions for Annex')
  await page.getByRole('menuitem', { name: 'Clone' }).click()
  await page.getByLabel('Name of the new network').fill('Annex 2')
  await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click()
  await row('Annex 2').waitFor()
  await press('Actions for Annex 2')
  await page.getByRole('menuitem', { name: 'Delete network' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Delete network' }).isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('Annex 2')
  await dialog.getByRole('button', { name: 'Delete network' }).click()
  await until(async () => (await row('Annex 2').count()) === 0)
  await press('Actions for Harbour')
  await page.getByRole('menuitem', { name: 'Delete network' }).click()
  await dialog.getByText('The default network cannot be deleted', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
})

test('account settings are kept, and times follow them', async () => {
  await page.goto('/account/settings')
  await heading('Account settings')
  await looksWell('account')
  await page.getByLabel('Date format').click()
  await page.getByRole('option', { name: 'dd/MM/yyyy' }).click()
  await Promise.all([page.waitForEvent('load'), press('Save')])
  await page.goto('/network/1/dashboard')
  await page
    .getByText(/\d\d\/\d\d\/\d{4}/)
    .first()
    .waitFor()
  await page.goto('/account/about')
  await heading('About')
  await looksWell('about')
})

test.each(['Dark', 'White'])('every list reads well in the %s theme', async theme => {
  await page.goto('/account/settings')
  await page.getByRole('radio', { name: new RegExp(`^${theme}`) }).click()
  await Promise.all([page.waitForEvent('load'), press('Save')])
  for (const path of ['/network/1/dashboard', '/network/1/devices', '/network/1/alerts', '/organization/network']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await looksWell(`${path.split('/').at(-1)}-${theme}`)
  }
})
