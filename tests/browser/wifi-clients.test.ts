// Clients on Wi-Fi, on an access point of the lab whose hostapd is a stand-in (tests/lab/openwrt): disconnected and blocked, and how well
// one is connected.
import type { Page } from 'playwright-core'
import { lab, until } from '../lab/_lab'
import { becomeOpenwrt } from '../lab/_openwrt'
import { adopting, type Console, openConsole } from './_setup'

let one: Console
let page: Page
const [phone, tablet] = ['5c:cb:99:4e:21:b7', '00:03:93:00:00:01'] as const

/** Who is on the air, and what the access point says of each. */
async function onAir(macs: readonly string[], signal = -58, tx = 155000): Promise<void> {
  const clients = macs.map(
    mac => `"${mac}":{"assoc":true,"signal":${signal},"bytes":{"rx":31500,"tx":${tx}},"rate":{"rx":71000,"tx":63900}}`,
  )
  // The last line closes what comes before, whichever of them is taken out.
  const text = `{"clients":{\n${clients.map(line => `${line},\n`).join('')}"":{}}}\n`
  await lab.in('sw1', ['sh', '-c', 'cat >/tmp/clients-lw_cafe'], { input: text })
  await until(async () => {
    await one.client.must('devices/sync', { id: 1 })
    const said = JSON.stringify(await one.client.must('clients/list', { pageSize: 100, wifi: true }))
    return [phone, tablet].every(mac => said.includes(mac) === macs.includes(mac)) && said.includes(`${signal}`)
  })
}

/** What was seen is written down some seconds later: only then it has a page once it is gone. */
const written = (mac: string) =>
  until(() =>
    one.client.must('clients/save', { mac, note: '' }).then(
      () => true,
      () => false,
    ),
  )

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await lab.reset('sw1')
  await becomeOpenwrt("wireless.radio0=wifi-device\nwireless.radio0.band='2g'\nwireless.lw_cafe=wifi-iface\n")
  // What a login tells the two systems apart by.
  await lab.sh('sw1', `echo "DISTRIB_ID='OpenWrt'" >/etc/openwrt_release`)
  one = await openConsole('Harbour House', {}, adopting(addresses.sw1, credentials.ssh))
  page = one.page
})
afterAll(async () => {
  await one?.end()
  await lab.reset('sw1')
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const row = (mac: string) => page.getByRole('row').filter({ hasText: mac.toUpperCase() })
const dialog = () => page.getByRole('dialog')
const gigabyte = /^1\s*GB$/
const kicked = async () => (await lab.sh('sw1', 'cat /tmp/kicked 2>/dev/null')).stdout

test('one is disconnected from the menu of its row, by mouse, and the others stay', async () => {
  await onAir([phone, tablet])
  await page.goto('/network/1/clients')
  await row(phone)
    .getByRole('button', { name: /^More actions for / })
    .click()
  await page.getByRole('menuitem', { name: 'Disconnect…' }).click()
  await dialog().getByText('It can connect again at once. To keep it out, block it.').waitFor()
  await one.looksWell('client-kick', { dark: true })
  await dialog().getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('5C:CB:99:4E:21:B7 is disconnected.').waitFor()
  await row(phone).waitFor({ state: 'detached' })
  await row(tablet).waitFor()
  expect(await kicked()).toContain(`"addr":"${phone}"`)
  expect(await kicked()).not.toContain(tablet)
})

test('several are disconnected from the bar below the list, by key, and its page says so', async () => {
  await onAir([phone, tablet])
  await written(phone)
  await page.goto('/network/1/clients')
  for (const mac of [phone, tablet]) {
    await row(mac).getByRole('checkbox').focus()
    await page.keyboard.press('Space')
  }
  const bar = page.getByRole('toolbar', { name: 'Chosen clients' })
  await bar.getByText('2 selected').waitFor()
  await one.looksWell('clients-chosen', { dark: true })
  await bar.getByRole('button', { name: 'Disconnect…' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByRole('button', { name: 'Disconnect', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('2 clients are disconnected.').waitFor()
  await bar.waitFor({ state: 'detached' })
  expect(await kicked()).toContain(tablet)
  await page.goto(`/network/1/clients/detail?id=${phone}`)
  await page.getByRole('cell', { name: 'Disconnected by hand' }).first().waitFor()
})

test('its page says why it is connected badly, and how signal and traffic were, as charts and as a table', async () => {
  await onAir([phone], -81)
  // A gigabyte later.
  await onAir([phone], -82, 155000 + 2 ** 30)
  await page.goto(`/network/1/clients/detail?id=${phone}`)
  await page.getByText('The connection is poor').waitFor()
  await page.getByText('Signal is weak: -82 dBm. From -67 dBm on it is good.').waitFor()
  const connection = page.getByRole('region', { name: 'Connection' })
  await connection.getByText('Link rate to the client').waitFor()
  const history = page.getByRole('region', { name: 'Signal and traffic' })
  await history.getByRole('slider', { name: 'Signal, last 24 hours' }).waitFor()
  await one.looksWell('client-wifi', { dark: true })
  await history.getByRole('button', { name: 'Show as a table' }).focus()
  await page.keyboard.press('Enter')
  await history
    .getByRole('cell', { name: /^[-−]\d+ dBm$/ })
    .first()
    .waitFor()
  await history.getByRole('button', { name: 'Show as charts' }).click()
  await history.getByText('7 d', { exact: true }).click()
  await history.getByRole('slider', { name: 'Traffic, last 7 days' }).waitFor()
  await history.getByText('31 d', { exact: true }).click()
  await history.getByRole('slider', { name: 'Traffic, last 31 days' }).waitFor()
  for (const range of ['24 hours', '7 days', '31 days'])
    await history.getByRole('row', { name: new RegExp(`Last ${range}\\s*1\\s*GB\\s*0\\s*B`) }).waitFor()
  await page.goto('/network/1/clients')
  await row(phone).getByText(gigabyte).waitFor()
  await page.getByRole('button', { name: 'Last 24 h' }).click()
  await page.waitForURL(/sort=/)
  await one.looksWell('clients-traffic', { dark: true })
})

/** There is no gateway, and the access point sends out nothing that the settings made. */
async function nowhere(): Promise<void> {
  await page.getByText('Saved, but no device enforces it yet.').last().waitFor()
  await page.getByText('No device of this network can enforce it.').last().waitFor()
}

/** Chosen from the menu of a client's page. */
async function more(what: string): Promise<void> {
  await page.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

test('its type is set by hand, it is watched, and its dialogs begin with what is set', async () => {
  await onAir([phone])
  await written(phone)
  await page.goto(`/network/1/clients/detail?id=${phone}`)
  await more('Set type…')
  await dialog().getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Printer' }).click()
  await one.looksWell('client-type', { dark: true })
  await dialog().getByRole('button', { name: 'Save' }).click()
  const about = page.getByRole('region', { name: 'About this client' })
  await about.getByText('Printer', { exact: true }).waitFor()
  await about.getByText('Set by hand.').waitFor()
  await more('Notify me…')
  await dialog().getByRole('button', { name: 'Notify', exact: true }).click()
  await page.getByText(/^Alerts are on for /).waitFor()
  await more('Fixed IP address…')
  await dialog().getByLabel('IP address').fill('10.250.0.9')
  await dialog().getByRole('button', { name: 'Save and review' }).click()
  await dialog().getByText('This address is in none of the LAN networks.').waitFor()
  await one.looksWell('client-fixed', { dark: true })
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await more('Limit rate…')
  await dialog().getByLabel('Download').fill('8')
  await one.looksWell('client-limit', { dark: true })
  await dialog().getByRole('button', { name: 'Apply' }).click()
  await nowhere()
  await about.getByText('8 Mbps download').waitFor()
})

test('several are blocked until a time; in a list they stand, and are taken off it', async () => {
  await onAir([phone, tablet])
  await page.goto('/network/1/clients')
  for (const mac of [phone, tablet]) await row(mac).getByRole('checkbox').click()
  await page.getByRole('toolbar', { name: 'Chosen clients' }).getByRole('button', { name: 'Block…' }).click()
  await dialog().getByRole('heading', { name: 'Block 2 clients?' }).waitFor()
  await dialog().getByText('One hour').click()
  await one.looksWell('clients-block-many', { dark: true })
  await dialog().getByRole('button', { name: 'Block', exact: true }).click()
  await nowhere()
  const { result } = (await one.client.must('settings/blockedClient/list', {})) as { result: { until?: string }[] }
  expect(result.map(({ until }) => Math.round((Date.parse(until ?? '') - Date.now()) / 600_000))).toEqual([6, 6])
  // They stand in the list of the blocked, and are taken off it there.
  const shows = page.getByRole('group', { name: 'Clients to show' })
  await shows.getByRole('button', { name: 'Blocked' }).click()
  await row(tablet).waitFor()
  await one.looksWell('clients-blocked', { dark: true })
  await row(phone)
    .getByRole('button', { name: /^Unblock/ })
    .click()
  await dialog().getByRole('button', { name: 'Unblock', exact: true }).click()
  await row(phone).waitFor({ state: 'detached' })
  await row(tablet).waitFor()
})

test('G15: a time limit is made by a form, says what is wrong at its field, and shows on the client’s page', async () => {
  await onAir([phone])
  await page.goto('/network/1/settings/firewall?tab=time')
  await page.getByText('No time limit yet.', { exact: false }).waitFor()
  await one.looksWell('time-limits-empty')
  await page.getByRole('link', { name: 'Add time limit' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Children')
  await page.getByLabel('Hours', { exact: true }).fill('0')
  await page.keyboard.press('Control+s')
  await page.getByText('At least one minute in all.', { exact: true }).waitFor()
  await page.getByText('Fill this in.').first().waitFor()
  await one.looksWell('time-limit-wrong', { dark: true })
  await page.getByLabel('MAC addresses', { exact: true }).fill(phone)
  await page.getByLabel('Hours', { exact: true }).fill('1')
  await page.getByLabel('Minutes', { exact: true }).fill('30')
  await page.getByLabel('At', { exact: true }).fill('04:00')
  await one.looksWell('time-limit-form')
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/settings/firewall?tab=time')
  await page.getByRole('row').filter({ hasText: 'Children' }).waitFor()
  await one.looksWell('time-limits', { dark: true })
  await written(phone)
  await page.goto(`/network/1/clients/detail?id=${phone}`)
  const about = page.getByRole('region', { name: 'About this client' })
  await about.getByText('Less than a minute of 1 h 30 min used').waitFor()
  await about.getByText(/^Resets .*4:00/).waitFor()
  await one.looksWell('client-time', { dark: true })
  await about.getByRole('link', { name: 'Children' }).click()
  await page.waitForURL('**/settings/firewall/time/form?id=*')
})
