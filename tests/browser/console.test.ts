import { until } from '../lab/_lab'
import { looksWell as look } from './_browser'
import { type Console, openConsole } from './_console'

// The console's first steps: devices are found and brought in by hand. Each page does its job, and looks well wide and on
// a phone.

let here: Console
let page: Console['page']
let status: Console['site']
let heading: Console['heading']
let press: Console['press']
let row: Console['row']

beforeAll(async () => {
  here = await openConsole()
  ;({ page, site: status, heading, press, row } = here)
})
afterAll(() => here?.close())
afterEach(() => expect(here.browser.faults()).toEqual([]))

const looksWell = (name: string) => look(page, name)

test('after signing in the dashboard says what to do first', async () => {
  await page.waitForURL('**/network/1/dashboard')
  await heading('Dashboard')
  await page.getByText('This network has no devices yet.').waitFor()
  await looksWell('dashboard-empty')
  await page.getByRole('link', { name: 'Add devices' }).click()
  await heading('Add devices')
})

test('finds devices, shows their host keys, and adopts the ticked ones with a password', async () => {
  await looksWell('add-devices')
  await press('Scan')
  for (const address of [status.addresses.gw, status.addresses.ap1])
    await page.locator('.found-device', { hasText: address }).getByRole('checkbox').check()
  await page.getByLabel('User', { exact: true }).fill(status.credentials.ssh.user)
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await press('Adopt 2 devices')
  await page
    .getByRole('dialog')
    .getByText(/SHA256:/)
    .first()
    .waitFor()
  await press('Accept 2 keys and log in')
  await page.getByText('The device refused the credentials').first().waitFor()
  await looksWell('add-devices-refused')
  await page.getByLabel('Password', { exact: true }).fill(status.credentials.ssh.password)
  await press('Adopt 2 devices')
  await press('Accept 2 keys and log in')
  await until(async () => (await page.getByText('Adopted', { exact: true }).count()) === 2)
  await looksWell('add-devices-adopted')
})

test('adds a switch by its address over SNMP', async () => {
  await page.getByRole('link', { name: 'By address' }).click()
  await page.getByLabel('Address', { exact: true }).fill(status.addresses.sw1)
  await page.getByLabel('Credentials', { exact: true }).click()
  await page.getByRole('option', { name: 'New credentials' }).click()
  await press('SNMP v2c')
  await page.getByLabel('Community', { exact: true }).fill(status.credentials.snmp.read)
  await press('Adopt 1 device')
  await page.getByText('Adopted', { exact: true }).waitFor()
  await looksWell('add-device-by-address')
})

test('N20: a file with a wrong line adopts nothing and says which line', async () => {
  await page.getByRole('link', { name: 'From a file' }).click()
  const file = {
    name: 'devices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('address,credential\n10.77.0.300,nobody\n'),
  }
  await page.getByLabel('File', { exact: true }).setInputFiles(file)
  await page.getByRole('table').getByText('credential').waitFor()
  expect(await page.getByRole('button', { name: /^Adopt/ }).isDisabled()).toBe(true)
  await looksWell('add-devices-file')
})

test('credentials say who uses them, and are tested on a device', async () => {
  await page.getByRole('link', { name: 'Credentials' }).click()
  await row('SSH root').getByRole('link', { name: 'gw' }).waitFor()
  await looksWell('credentials')
  await press('Actions for SSH root')
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await press('Test now')
  await page.getByText(/accepted the credentials/).waitFor()
  await page.keyboard.press('Escape')
})
