import { lab, until } from '../lab/_lab'
import { looksWell as look } from './_browser'
import { type Console, openConsole } from './_console'

// Devices of the console: their list and pages do their job, and look well wide and on a phone.

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

test('the list shows every device online, and finds, filters and moves them', async () => {
  await page.goto('/network/1/devices')
  await heading('Devices')
  for (const name of ['gw', 'ap1', 'sw1']) await row(name).getByText('Online').waitFor({ timeout: 150_000 })
  await looksWell('devices')
  await page.getByLabel('Name, IP, MAC or serial').fill('sw1')
  await page.keyboard.press('Enter')
  await until(async () => (await page.getByRole('row').count()) === 2)
  // What is chosen while the address still has the former search is chosen beside what was cleared.
  let answer = () => {}
  const answered = new Promise<void>(done => {
    answer = done
  })
  const drawnAnew = (url: URL) => url.searchParams.has('_rsc')
  await page.route(drawnAnew, async route => {
    await answered
    await route.continue()
  })
  await press('Clear search')
  await press('Type')
  await page.getByRole('menuitemcheckbox', { name: 'Gateway' }).click()
  answer()
  await until(async () => (await row('ap1').count()) === 0)
  await row('gw').waitFor()
  await page.unroute(drawnAnew)
})

test('device groups: a tree, and devices moved into it', async () => {
  await page.goto('/network/1/devices/group/form')
  await heading('Device groups')
  await page.getByLabel('Name', { exact: true }).fill('Lobby')
  await press('Create group')
  await page.getByRole('link', { name: 'Lobby' }).waitFor()
  await looksWell('group')
  await page.goto('/network/1/devices')
  await row('ap1').getByRole('checkbox').check()
  await press('Move to group')
  await page.getByRole('dialog').getByLabel('Group').click()
  await page.getByRole('treeitem', { name: 'Lobby' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await row('ap1').getByText('Lobby').waitFor()
})

test('columns are chosen, and stay chosen', async () => {
  await press('Columns')
  await page.getByRole('checkbox', { name: 'Serial number' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Serial number' }).waitFor()
  await page.reload()
  await page.getByRole('columnheader', { name: 'Serial number' }).waitFor()
})

test('a switch shows its front, its readings and its neighbours; what it does not say is named', async () => {
  await page.getByRole('link', { name: 'sw1' }).click()
  await heading('sw1')
  // LLDP speaks every 30 s: what the neighbours said after the first reading is there at the next one.
  await until(async () => (await lab.sh('sw1', 'lldpcli show neighbors')).stdout.includes('gw'))
  await until(
    async () => {
      await press('Read now')
      await page.getByRole('button', { name: /^Port 1, / }).focus()
      return (await page.locator('.port-card').getByText('gw').count()) > 0
    },
    { everyMs: 1000 },
  )
  await page.getByText(/^Not reported by this device: /).waitFor()
  await looksWell('switch')
  for (const tab of ['Interfaces', 'Clients', 'Neighbours', 'Events']) {
    await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: tab }).click()
    await looksWell(`switch-${tab.toLowerCase()}`)
  }
  expect(await page.getByRole('button', { name: 'Reboot' }).count()).toBe(0)
})

test('an access point shows radios and pushes; a gateway its leases', async () => {
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'ap1' }).click()
  await heading('ap1')
  for (const tab of ['Wi-Fi', 'Configuration']) {
    await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: tab }).click()
    await looksWell(`ap-${tab.toLowerCase()}`)
  }
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'gw' }).click()
  await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: 'DHCP leases' }).click()
  await page.getByText('02:00:5E:10:00:', { exact: false }).first().waitFor()
  await looksWell('gateway-leases')
})

test('a window has a name at every moment, also between two pages', async () => {
  await page.goto('/network/1/devices')
  await page.evaluate(() => {
    const names = [document.title]
    Object.assign(window, { names })
    new MutationObserver(() => names.push(document.title)).observe(document, { subtree: true, childList: true })
  })
  await page.getByRole('link', { name: 'sw1' }).click()
  await heading('sw1')
  for (const tab of ['Interfaces', 'Clients', 'Events']) {
    await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: tab }).click()
    await page.waitForURL(new RegExp(`tab=${tab.toLowerCase()}`))
  }
  await page.getByRole('link', { name: 'Alerts' }).first().click()
  await heading('Alerts')
  const names = () => page.evaluate(() => (window as unknown as { names: string[] }).names)
  await until(async () => (await names()).at(-1)?.includes('Alerts'))
  expect((await names()).filter(name => name.trim() === '')).toEqual([])
})

test('N3: renames a device; a detail that is gone opens the list and says so', async () => {
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'gw' }).click()
  await press('More actions')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Front gateway')
  await press('Save name')
  await heading('Front gateway')
  await page.goto('/network/1/devices/detail?id=9999')
  await page.waitForURL('**/network/1/devices')
  await page.locator('.toast.bad').waitFor()
})
