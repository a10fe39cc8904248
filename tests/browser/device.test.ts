import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// The page of one device: what is said of one that is silent, a switch's front, readings as charts and as tables.

let here: Console

beforeAll(async () => {
  here = await openConsole()
  const { addresses, credentials } = here.site
  const { user, password } = credentials.ssh
  await Promise.all([
    here.adopt({
      address: addresses.sw1,
      login: { type: 'snmp2c', community: credentials.snmp.read, writeCommunity: credentials.snmp.write },
    }),
    here.adopt({ address: addresses.ap1, login: { type: 'ssh', user, password } }),
  ])
})
afterAll(async () => {
  await lab.join('c1')
  await here?.close()
  await lab.reset('sw1')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

test('a community that is wrong and a device that is silent look alike: both are said', async () => {
  const { page, site, press } = here
  await page.goto('/network/1/devices/form?tab=address')
  await page.getByLabel('Address', { exact: true }).fill(site.addresses.gw)
  await page.getByLabel('Credentials', { exact: true }).click()
  await page.getByRole('option', { name: 'New credentials' }).click()
  await press('SNMP v2c')
  await page.getByLabel('Community', { exact: true }).fill('not-the-community')
  await press('Adopt 1 device')
  const told = page.getByText('The device may be off', { exact: false })
  await told.waitFor()
  expect(await told.textContent()).toContain('the community may be wrong')
  await here.looksWell('device-silent')
})

test('a switch: its ports are walked by the keyboard, and a cable that is pulled is seen', async () => {
  const { page, press } = here
  await here.openDevice('sw1')
  const port = (number: number, link: RegExp) =>
    page.getByRole('button', { name: new RegExp(`^Port ${number}, .*${link.source}`) })
  await port(3, /Gbps/).waitFor()
  await port(1, /Gbps/).focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('.port-card').getByText('Port 2').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.locator('.port-card').getByText('Port 3').waitFor()
  await lab.cut('c1')
  await until(
    async () => {
      await press('Read now')
      return (await port(3, /No link/).count()) > 0
    },
    { everyMs: 1000 },
  )
  await lab.join('c1')
  await here.looksWell('device-switch')
  // The device in the address is no filter: a list without rows says why, and nothing leads away from the device.
  await page.getByRole('link', { name: 'Configuration', exact: true }).click()
  await page.getByText('Lanward has not changed anything on this device.', { exact: true }).waitFor()
})

const chooseProfile = async (name: string) => {
  const { page } = here
  await page.getByRole('dialog').getByLabel('Profile', { exact: true }).click()
  await page.getByRole('option', { name, exact: true }).click()
}

test('a port gets a profile of its own by a click, and the review says who hangs on it', async () => {
  const { page, press, answer } = here
  await here.openDevice('sw1')
  await until(
    async () => {
      await press('Read now')
      return (await page.getByText('ap1', { exact: true }).count()) > 0
    },
    { everyMs: 1000 },
  )
  await page.getByRole('button', { name: /^Port 2, / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('None: keep as on the switch').waitFor()
  await dialog.getByText('ap1 by LLDP').waitFor()
  await here.looksWell('port')
  await answer('Change profile')
  await chooseProfile('New profile')
  await dialog.getByLabel('Name of the new profile').fill('Lobby')
  await here.looksWell('port-profile')
  await answer('Create')
  await page.waitForURL('**/settings/profiles/ports/form?id=*')
  await here.heading('Lobby')
  await page.getByLabel('Native VLAN').fill('20')
  await here.looksWell('port-form')
  await press('Save and review')
  await page.waitForURL('**/settings/review')
  await page.getByText(/^Port p2: ap1, \d+ SSIDs?, \d+ clients?$/).waitFor()
})

test('several ports get a profile together; it is on the switch, and the profile names them', async () => {
  const { page, press, answer, client, site } = here
  const { id } = await client.must('settings/portProfile/save', {
    ...{ name: 'Desks', ports: [], description: 'Desk' },
    assign: { all: false, groups: [], devices: [] },
  })
  await here.openDevice('sw1')
  await page.getByRole('link', { name: /^Ports/ }).click()
  await here.row('p2').getByRole('link', { name: 'Lobby' }).waitFor()
  const give = async (ports: string[], profile: string) => {
    for (const port of ports) await here.row(port).getByRole('checkbox').check()
    await press('Change profile')
    await chooseProfile(profile)
    await answer('Change')
  }
  await give(['p2'], 'None: keep as on the switch')
  await here.row('p2').getByText('None: keep as on the switch').waitFor()
  await give(['p3', 'p4'], 'Desks')
  await here.row('p4').getByRole('link', { name: 'Desks' }).waitFor()
  await here.looksWell('ports')
  await page.goto('/network/1/settings/review')
  await press('Push to 1 device')
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
  const alias = '1.3.6.1.2.1.31.1.1.1.18'
  const { stdout } = await lab.tool('snmpwalk', '-v2c', '-c', 'public', '-Oqv', site.addresses.sw1, alias)
  expect(stdout.match(/Desk/g)).toHaveLength(2)
  await page.goto(`/network/1/settings/profiles/ports/form?id=${id}`)
  await here.heading('Desks')
  expect(await page.getByLabel('Ports, comma-separated').inputValue()).toBe('p3, p4')
  await page.getByLabel('Switch', { exact: true }).filter({ hasText: 'sw1' }).waitFor()
})

test('charts are a table too, for the keyboard and for who does not see them', async () => {
  const { page } = here
  await here.openDevice('ap1')
  // What was polled becomes history within a minute or two.
  await until(
    async () => {
      await page.reload()
      await page.getByRole('button', { name: 'Show as table' }).focus()
      await page.keyboard.press('Enter')
      const cpu = page.getByRole('region', { name: 'CPU, last 24 hours' })
      // A key that comes before the page's script has no effect.
      await cpu.waitFor({ timeout: 30_000 })
      return (await cpu.getByRole('cell', { name: /^[\d.]+ %$/ }).count()) > 0
    },
    { timeoutMs: 180_000, everyMs: 5000 },
  )
  const cpu = page.getByRole('region', { name: 'CPU, last 24 hours' })
  expect(await cpu.getByRole('columnheader').allTextContents()).toEqual(['Time', 'CPU'])
  await cpu.focus()
  const top = () => cpu.evaluate(region => region.scrollTop)
  await page.keyboard.press('Home')
  await until(async () => (await top()) === 0)
  await page.keyboard.press('End')
  await until(async () => (await top()) > 0)
  await here.looksWell('device-table')
  await here.press('Show as charts')
  await page.getByRole('slider', { name: 'CPU, last 24 hours' }).waitFor()
})

test.each(['', '?id=0', '?id=abc', '?id=9999'])(
  'a detail of no device (%s) opens the list with the error',
  async query => {
    await here.page.goto(`/network/1/devices/detail${query}`)
    await here.page.waitForURL('**/network/1/devices')
    await here.heading('Devices')
    await here.page.locator('.toast.bad').first().waitFor()
  },
)
