// Who is connected, as a person looks at it: the list, one client's page, its name, and what is kept once it is gone.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { reaches } from '../lab/_firewall'
import { lab, until } from '../lab/_lab'
import { adopt } from './_console'
import { adopting, type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page
const mac = '02:00:5e:10:00:c1'

/** The gateway knows a client that has just spoken, and the manager what it has just read. */
async function seen(): Promise<void> {
  await reaches('c1')
  await until(async () => {
    await one.client.must('devices/sync', { id: 1 })
    return JSON.stringify(await one.client.must('clients/list', { pageSize: 100 })).includes(mac)
  })
}

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await lab.reset('gw')
  one = await openConsole('Harbour House', {}, adopting(addresses.gw, credentials.ssh))
  page = one.page
})
afterAll(async () => {
  await one?.end()
  await lab.reset('gw')
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const row = () => page.getByRole('row').filter({ hasText: mac.toUpperCase() })
const dialog = () => page.getByRole('dialog')
/** What is written down of it, some seconds after it was seen. */
const written = () =>
  until(() =>
    one.client.must('clients/save', { mac, note: '' }).then(
      () => true,
      () => false,
    ),
  )

test('a client is found in the list by its MAC, named by mouse, and found by that name', async () => {
  await seen()
  await written()
  await page.goto('/network/1/dashboard')
  // The menu is pressed on a page that is at rest.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.getByRole('link', { name: 'Clients', exact: true }).first().click()
  await page.waitForURL('**/network/1/clients')
  await row().waitFor()
  await row().getByText('Private MAC address').waitFor()
  await one.looksWell('clients', { dark: true })
  await row()
    .getByRole('button', { name: /^More actions for / })
    .click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await dialog().getByLabel('Name', { exact: true }).fill('Pool bar till')
  await dialog().getByLabel('Note').fill('Behind the bar')
  await one.looksWell('client-rename', { dark: true })
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Pool bar till' }).waitFor()
  await page.getByPlaceholder('Name, address, vendor, SSID').fill('behind the')
  await page.keyboard.press('Enter')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('link', { name: 'Pool bar till' }).waitFor()
})

test('its page says where it is connected and how it came there, by key alone', async () => {
  await seen()
  await page.goto('/network/1/clients')
  await page.getByRole('link', { name: 'Pool bar till' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/clients/detail?id=*')
  await page.getByRole('heading', { level: 1, name: 'Pool bar till' }).waitFor()
  const connection = page.getByRole('region', { name: 'Connection' })
  await connection.getByRole('link', { name: 'gw' }).first().waitFor()
  await page.getByRole('region', { name: 'About this client' }).getByText('Behind the bar').waitFor()
  await page.getByRole('cell', { name: 'Connected', exact: true }).waitFor()
  await one.looksWell('client', { dark: true })
  await page.getByRole('button', { name: 'Rename…' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Name', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('the lease of a client is released from its page, or it is said that there is none', async () => {
  await seen()
  await page.goto(`/network/1/clients/detail?id=${mac}`)
  await page.getByRole('button', { name: /^More actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Release address…' }).click()
  await dialog().getByText('is not notified').waitFor()
  await one.looksWell('client-release', { dark: true })
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('an address that nobody saw leads back to the list', async () => {
  for (const wrong of ['02:00:5e:99:99:99', 'nonsense', '']) {
    await page.goto(`/network/1/clients/detail?id=${wrong}`)
    await page.getByText('This client is not known.').waitFor()
  }
  await one.looksWell('client-unknown', { dark: true })
  await page.getByRole('link', { name: 'All clients' }).click()
  await page.waitForURL('**/network/1/clients')
  // The refusals were asked for.
  one.browser.faults()
})

test('kinds of connection are told apart, and who is gone is listed until it is forgotten', async () => {
  await seen()
  await page.goto('/network/1/clients')
  const show = (name: RegExp) => page.getByRole('group', { name: 'Clients to show' }).getByRole('button', { name })
  await show(/^Wi-Fi/).click()
  await page.getByText('No Wi-Fi clients are connected.').waitFor()
  await show(/^Wired/).click()
  await row().waitFor()
  const database = databaseOf(one.manager)
  database
    .prepare(
      `INSERT INTO clients (network, mac, hostname, vendor, online, first_seen_at, seen_at, wifi)
       VALUES (1, '00:03:93:00:00:01', 'old-laptop', 'Apple', 0, ?, ?, 1)`,
    )
    .run(Date.now() - 86_400_000, Date.now() - 3_600_000)
  database.close()
  await show(/^Not connected/).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'old-laptop' }).waitFor()
  await page.getByText('Apple').first().waitFor()
  await one.looksWell('clients-offline', { dark: true })
  await page.getByRole('button', { name: 'Export' }).waitFor()
  await page.getByRole('link', { name: 'old-laptop' }).click()
  await page.getByText('Not connected').first().waitFor()
  await page.getByRole('button', { name: 'Forget…' }).click()
  await dialog().getByRole('button', { name: 'Forget', exact: true }).click()
  await page.waitForURL('**/network/1/clients')
  await show(/^Not connected/).click()
  await page.getByPlaceholder('Name, address, vendor, SSID').fill('old-laptop')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing matches').waitFor()
  // What is forgotten may have been asked for once more.
  one.browser.faults()
})

test('the search of the whole console leads to a client', async () => {
  await seen()
  await page.goto('/network/1/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('pool bar')
  await page.getByRole('option', { name: /Pool bar till/ }).click()
  await page.waitForURL('**/clients/detail?id=*')
})

test('the list is narrowed to a device, by mouse and by key, and what is shown is what the file holds', async () => {
  await seen()
  await page.goto('/network/1/clients')
  await row().waitFor()
  const pick = page.getByRole('button', { name: 'Device', exact: true })
  await pick.click()
  await page.getByRole('menuitemcheckbox', { name: /^gw \(\d+\)$/ }).click()
  await page.waitForURL('**/clients?device=1')
  await row().waitFor()
  await one.looksWell('clients-of-device')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(readFileSync(await download.path(), 'utf8')).toContain(`${mac},Pool bar till,`)
  await page.getByRole('button', { name: /^gw \(/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'All devices' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/clients')
})

test('from a switch’s port to who hangs on it, back to the port, and on to all of the switch', async () => {
  const { addresses, credentials } = await lab.up()
  const login = { type: 'snmp2c', community: credentials.snmp.read } as const
  const device = await adopt(one.client, { address: addresses.sw1, login })
  const other = '02:00:5e:10:00:c2'
  const onPort = async (port: string) => {
    const { result } = (await one.client.must('clients/list', { deviceId: device, port })) as {
      result: { mac: string }[]
    }
    return result.map(each => each.mac).join()
  }
  await until(async () => {
    await Promise.all([reaches('c1'), reaches('c2')])
    await one.client.must('devices/sync', { id: device })
    return (await onPort('p3')) === mac && (await onPort('p4')) === other
  })
  const port = () => page.getByRole('button', { name: /^Port 3, / })
  const toClients = () => dialog().getByRole('link', { name: 'Show in the clients list' })
  const chip = () => page.getByRole('button', { name: 'Port p3: show all ports' })
  const otherRow = () => page.getByRole('row').filter({ hasText: other.toUpperCase() })
  await page.goto(`/network/1/devices/detail?id=${device}`)
  await port().click()
  await toClients().click()
  await page.waitForURL(`**/clients?device=${device}&port=p3`)
  await row().waitFor()
  await chip().getByText('Port p3', { exact: true }).waitFor()
  expect(await otherRow().count()).toBe(0)
  await one.looksWell('clients-of-port', { dark: true })
  await row().getByRole('link', { name: 'p3', exact: true }).click()
  await page.waitForURL(`**/devices/detail?id=${device}&port=p3`)
  await dialog().getByRole('link', { name: 'Pool bar till', exact: true }).waitFor()
  await toClients().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/clients?device=${device}&port=p3`)
  await row().waitFor()
  await chip().click()
  await page.waitForURL(`**/clients?device=${device}`)
  await otherRow().waitFor()
  await row().waitFor()
  expect(await chip().count()).toBe(0)
  // Another device has other ports: the chip goes with it.
  await page.goto(`/network/1/clients?device=${device}&port=p3`)
  await chip().waitFor()
  await page.getByRole('button', { name: /^sw1 \(/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'All devices' }).click()
  await page.waitForURL('**/clients')
  await otherRow().waitFor()
  expect(await chip().count()).toBe(0)
})
