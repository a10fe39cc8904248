// The firewall and bandwidth pages as a person uses them: tabs, forms, order by keyboard, and a push to a real gateway.
import type { Page } from 'playwright-core'
import { get, reaches } from '../lab/_firewall'
import { lab, until } from '../lab/_lab'
import { looksWell } from './_browser'
import { adopting, type Console, openConsole } from './_setup'

let one: Console
let page: Page

const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
const choose = (group: string, name: RegExp) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name }).click()

async function pushAll(): Promise<void> {
  await page.goto('/network/1/settings/review')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
}

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await lab.reset('gw')
  one = await openConsole('Harbour House', {}, adopting(addresses.gw, credentials.ssh))
  page = one.page
  // A gateway that begins anew has forgotten whom it gave which address.
  for (const client of ['c1', 'c2'] as const) await reaches(client)
})
afterAll(async () => {
  await one?.end()
  await lab.reset('gw')
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

test('rules are entered, refused where they are wrong, put in order, pushed, and in force', async () => {
  await page.goto('/network/1/settings/firewall')
  await page.getByText('No firewall rule yet').waitFor()
  await one.looksWell('firewall-empty')

  await page.getByRole('link', { name: 'Add rule' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('No web')
  await choose('Protocol', /^TCP$/)
  await page.getByLabel('Destination ports').fill('80-79')
  await page.getByLabel('Source addresses').fill('10.77.2.101\n10.77.2.300')
  await page.getByLabel('Source addresses').blur()
  await page.getByRole('alert').filter({ hasText: '10.77.2.300' }).waitFor()
  await one.looksWell('firewall-form')
  await page.getByLabel('Source addresses').fill('10.77.2.101')
  await page.getByLabel('Destination ports').fill('80')
  await save()

  await page.waitForURL(/settings\/firewall(\?.*)?$/)
  await page.getByRole('link', { name: 'Add rule' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('But this')
  await choose('Action', /^Allow/)
  await save()
  await page.getByRole('link', { name: 'But this' }).waitFor()
  await one.looksWell('firewall-list')

  await pushAll()
  expect(await get('c1')).toBe(28)
  await reaches('c2')

  await page.goto('/network/1/settings/firewall')
  const last = page.getByRole('row').filter({ hasText: 'But this' })
  await last.getByRole('button', { name: 'Move: drag, or use the arrow keys' }).focus()
  // The new order is told before it is stored: a person who leaves at once has it all the same. Nothing is asked first.
  await page.route('**/wiredRule/options', () => undefined)
  await page.keyboard.press('ArrowUp')
  await page.getByText('Position 1 of 2').waitFor({ state: 'attached' })
  await pushAll()
  await reaches('c1')
})

test('each tab has its list and its form', async () => {
  await page.goto('/network/1/settings/firewall')
  await page.getByRole('link', { name: 'Port forwarding' }).click()
  await page.getByRole('link', { name: 'Add port forward' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Camera')
  await page.getByLabel('Ports', { exact: true }).fill('8080-8090')
  await page.getByLabel('Server', { exact: true }).fill('10.77.2.101')
  expect(await page.getByLabel('Server port').count()).toBe(0)
  await page.getByLabel('Ports', { exact: true }).fill('8080')
  await page.getByLabel('Server port').fill('80')
  await one.looksWell('forward-form')
  await save()
  await page.getByRole('link', { name: 'Camera' }).waitFor()

  await page.getByRole('link', { name: 'Blocked clients' }).click()
  await page.getByRole('link', { name: 'Block a client' }).first().click()
  await page.getByLabel('MAC address').fill('021122334455')
  await page.getByLabel('Until').fill('2036-12-24T18:30')
  await one.looksWell('blocked-form')
  await save()
  // Lisbon's clock in winter is UTC.
  await page.getByText('2036-12-24 18:30').waitFor()
  await one.looksWell('blocked-list')

  await page.goto('/network/1/settings/traffic')
  await page.getByRole('link', { name: 'Add bandwidth rule' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Guests')
  await page.getByLabel('MAC address').fill('021122334455')
  await save()
  await page.getByRole('alert').filter({ hasText: 'at least one of the two rates' }).waitFor()
  await page.getByLabel('Download').fill('8')
  await one.looksWell('bandwidth-form')
  await save()
  await page.getByRole('link', { name: 'Guests' }).waitFor()
  await page.getByText('8 Mbps').first().waitFor()
})

const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
// Without the list that it opens, which is called so, too.
const startFrom = () => page.locator('.presets').getByLabel('Start from')

test('a port forward starts from what is to be reached: filled in, warned of, and nothing typed is lost', async () => {
  await page.goto('/network/1/settings/firewall/port/form')
  await startFrom().click()
  await page.getByRole('option', { name: /^Remote Desktop \(RDP\)/ }).click()
  await page.getByText('3 fields filled in: Name, Protocol, Ports.').waitFor()
  await page.getByText('Safer: reach it through a VPN such as WireGuard', { exact: false }).waitFor()
  expect([await value('Name'), await value('Ports')]).toEqual(['Remote Desktop (RDP)', '3389'])
  await page.getByRole('radio', { name: 'TCP and UDP', checked: true }).waitFor()
  await looksWell(page, 'forward-preset', { dark: true })

  // Another one in its place, over what somebody typed: said, and brought back.
  await page.getByLabel('Ports', { exact: true }).fill('8080')
  await startFrom().click()
  await looksWell(page, 'forward-presets')
  await page.getByRole('option', { name: /^Web server/ }).click()
  await page.getByText('Your own entry is replaced: Ports. Undo restores it.', { exact: false }).waitFor()
  expect([await value('Name'), await value('Ports')]).toEqual(['Web server', '80,443'])
  await page.getByText('Safer:', { exact: false }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  expect([await value('Name'), await value('Ports')]).toEqual(['', '8080'])
  await page.getByRole('radio', { name: 'TCP', exact: true, checked: true }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('by key: a preset is searched for, undone, chosen again, and its port forward saved', async () => {
  await page.goto('/network/1/settings/firewall/port/form')
  const choose = async (typed: string, ports: string) => {
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /^Web server/ }).waitFor()
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: /^Web server/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await until(async () => (await value('Ports')) === ports)
  }
  await startFrom().focus()
  await choose('vnc', '5900')
  await page.getByRole('button', { name: 'Undo', exact: true }).focus()
  await page.keyboard.press('Enter')
  await until(async () => (await value('Ports')) === '')
  expect(await startFrom().evaluate(one => one === document.activeElement)).toBe(true)
  await choose('51820', '51820')
  await page.getByLabel('Server', { exact: true }).focus()
  await page.keyboard.type('10.77.2.101')
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'WireGuard VPN' }).waitFor()
  const { result } = (await one.client.must('settings/portForward/list', { networkId: 1 })) as { result: object[] }
  expect(result).toContainEqual(
    expect.objectContaining({ name: 'WireGuard VPN', protocol: 'udp', ports: '51820', address: '10.77.2.101' }),
  )
})

test('a client is blocked where it is listed, loses the net, and is let in again', async () => {
  // The gateway knows a client that has just spoken, and the manager what it has just read.
  await reaches('c1')
  await until(async () => {
    await one.client.must('devices/sync', { id: 1 })
    return JSON.stringify(await one.client.must('clients/list', { pageSize: 100 })).includes('02:00:5e:10:00:c1')
  })
  await page.goto('/network/1/devices/detail?id=1&tab=clients')
  const row = page.getByRole('row').filter({ hasText: '02:00:5E:10:00:C1' })
  await row.getByRole('link').first().press('Enter')
  await page.waitForURL('**/clients/detail?id=02:00:5e:10:00:c1')
  await page.goBack()
  await row.getByRole('button', { name: /^Block / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Until …' }).click()
  await dialog.getByLabel('Until', { exact: true }).fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.getByText('This time has passed.').waitFor()
  await one.looksWell('block-client')
  await dialog.getByRole('radio', { name: 'One day' }).click()
  const answer = page.waitForResponse('**/clients/block')
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  expect((await (await answer).json()).data).toMatchObject({ here: 1, waits: [] })
  await page.getByText(/ is blocked\.$/).waitFor()
  expect(await get('c1')).toBe(28)
  await reaches('c2')

  await page.goto('/network/1/devices/detail?id=1&tab=clients')
  await row.getByText('Blocked', { exact: true }).waitFor()
  await row.getByRole('button', { name: /^Unblock / }).click()
  await dialog.getByRole('button', { name: 'Unblock', exact: true }).click()
  await page.getByText(/ is no longer blocked\.$/).waitFor()
  await reaches('c1')
})
