// LAN, internet and routes as a person sets them: the forms, what they refuse, and a push that a client notices.
import type { Page } from 'playwright-core'
import { lab } from '../lab/_lab'
import { join, trunkOff, trunkOn } from '../lab/_vlan'
import { phone, wide } from './_browser'
import { adopting, type Console, openConsole } from './_setup'

let one: Console
let page: Page

const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
/** Fields are judged when they are left. */
const leave = () => page.locator(':focus').blur()
const choose = (group: string, name: RegExp) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name }).click()

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await trunkOn()
  one = await openConsole('Harbour House', {}, adopting(addresses.gw, credentials.ssh))
  page = one.page
})
afterAll(async () => {
  await one?.end()
  await trunkOff()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

test('a LAN network with a static lease is entered, pushed, and the client has that address', async () => {
  await page.goto('/network/1/settings/lan')
  await page.getByText('No LAN network yet').waitFor()
  await one.looksWell('lan-empty')
  await page.getByRole('link', { name: 'Add network' }).first().click()
  await fill('Name', 'Guests')
  await fill('VLAN', '666')
  await fill('Gateway address', '192.168.20.1/24')
  const named = (field: string) => page.locator('.label').filter({ hasText: new RegExp(`^${field}`) })
  expect(await named('DHCP range start').textContent()).toBe('DHCP range start')
  expect(await named('Domain').textContent()).toMatch(/^Domain.*optional$/)
  await fill('DHCP range start', '192.168.20.1')
  await fill('DHCP range end', '192.168.20.99')
  await page.getByRole('button', { name: 'Add lease' }).click()
  const leases = page.getByRole('group', { name: 'Static leases' })
  await leases.getByLabel('MAC').fill('02-00-5e-10-00-c2')
  await leases.getByLabel('Address', { exact: true }).fill('192.168.20.200')
  await page.getByRole('alert').filter({ hasText: '1 to 4093; 666 is reserved.' }).waitFor()
  await fill('VLAN', '20')
  await leave()
  await page.getByRole('alert').filter({ hasText: 'gateway’s own address' }).waitFor()
  await one.looksWell('lan-form')
  await fill('DHCP range start', '192.168.20.10')
  await save()
  await page.getByRole('link', { name: 'Guests' }).waitFor()
  await one.looksWell('lan-list')

  await page.goto('/network/1/settings/review')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
  expect(await join(20)).toMatch(/^ip='?192\.168\.20\.200'?$/m)
})

test('the lease that the client was given stands in the list of all gateways', async () => {
  const { result } = await one.client.must('devices/list', { networkId: 1 })
  for (const { id } of result as { id: number }[]) await one.client.must('devices/sync', { networkId: 1, id })
  await page.goto('/network/1/settings/lan')
  await page.getByRole('link', { name: 'DHCP leases' }).click()
  const row = page.getByRole('row').filter({ hasText: '192.168.20.200' })
  await row.getByText('02:00:5E:10:00:C2').waitFor()
  await row.getByText('Static').waitFor()
  await one.looksWell('lan-leases')
  await page.setViewportSize(phone)
  const address = await row.getByText('192.168.20.200', { exact: true }).boundingBox()
  const button = await row.getByRole('button').boundingBox()
  // The button has the upper line's end, the address stands below it.
  expect(address?.y).toBeGreaterThanOrEqual((button?.y ?? Number.POSITIVE_INFINITY) + (button?.height ?? 0))
  await page.setViewportSize(wide)
  await row.getByRole('button', { name: 'Release 192.168.20.200' }).click()
  const dialog = page.getByRole('dialog', { name: 'Release 192.168.20.200?' })
  await dialog.getByText('pause for about a second').waitFor()
  await dialog.getByText('the client gets it again').waitFor()
  await one.looksWell('lan-lease-release')
  await dialog.getByRole('button', { name: 'Release', exact: true }).click()
  await page.getByText('192.168.20.200 released').waitFor()
  await row.waitFor({ state: 'detached' })
  const { stdout } = await lab.sh(
    'gw',
    'cat /var/lib/misc/lanward-*.leases; systemctl is-active lanward-dhcp@*.service',
  )
  expect(stdout).toBe('active\n')
})

test('ways to the internet; the default one stays', async () => {
  await page.goto('/network/1/settings/internet')
  await page.getByRole('link', { name: 'Add WAN' }).first().click()
  await fill('Name', 'Fibre')
  await fill('Interface', 'eth0')
  await choose('Connection', /^As on the device/)
  await save()
  await page.getByRole('link', { name: 'Fibre' }).waitFor()
  await page.getByRole('link', { name: 'Add WAN' }).first().click()
  await fill('Name', 'Mobile')
  await fill('Interface', 'eth3')
  await choose('Connection', /^Static address/)
  await fill('Address', '198.51.100.150')
  await fill('Prefix length', '25')
  await fill('Gateway', '203.0.113.1')
  await fill('Metric', '2')
  await leave()
  await page.getByRole('alert').filter({ hasText: 'same subnet' }).waitFor()
  await one.looksWell('wan-form')
  await fill('Gateway', '198.51.100.129')
  await save()
  await page.getByRole('link', { name: 'Mobile' }).waitFor()
  const health = page.getByRole('region', { name: 'WAN health' })
  await health.getByRole('row').filter({ hasText: 'Fibre' }).getByText('Online').waitFor()
  await one.looksWell('wan-list')
  await page.getByRole('row').filter({ hasText: 'Fibre' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const notice = page.locator('.toast', { hasText: 'is the default and cannot be deleted' })
  // The notice is closed, and the question before it stays; Escape is the question's.
  await notice.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a source: whose traffic takes which way', async () => {
  await page.goto('/network/1/settings/internet?tab=source')
  await page.getByText('No WAN policy yet').waitFor()
  await page.getByRole('link', { name: 'Add WAN policy' }).first().click()
  await fill('Name', 'Visitors')
  for (const [field, option] of [
    ['LAN networks', 'Guests'],
    ['WANs', 'Mobile'],
  ] as const) {
    await page.getByLabel(field, { exact: true }).click()
    await page.getByRole('option', { name: option }).click()
    await page.keyboard.press('Escape')
  }
  await one.looksWell('source-form')
  await save()
  const row = page.getByRole('row').filter({ hasText: 'Visitors' })
  await row.getByText('Mobile').waitFor()
  await one.looksWell('source-list')
})

test('routes: by a router, and by one of the ways', async () => {
  await page.goto('/network/1/settings/traffic?tab=static')
  await page.getByRole('link', { name: 'Add route' }).first().click()
  await fill('Name', 'Warehouse')
  await fill('Destination', '10.20.0.1/16')
  await fill('Next hop', '10.77.0.2')
  await page.getByRole('alert').first().waitFor()
  await one.looksWell('static-form')
  await fill('Destination', '10.20.0.0/16')
  await save()
  await page.getByRole('link', { name: 'Warehouse' }).waitFor()

  await page.getByRole('link', { name: 'Policy routes' }).click()
  // Both tabs have a link of that name.
  await page.waitForURL(/tab=policy/)
  await page.getByText('No policy route yet').waitFor()
  await page.getByRole('link', { name: 'Add route' }).first().click()
  await fill('Name', 'Cameras')
  await fill('From', '10.77.2.0/24')
  await page.getByLabel('Route via', { exact: true }).click()
  await page.getByRole('option', { name: 'Mobile' }).click()
  await page.getByText('becomes Mobile').waitFor()
  await one.looksWell('policy-form')
  await save()
  const row = page.getByRole('row').filter({ hasText: 'Cameras' })
  await row.getByText('Mobile').waitFor()
  await one.looksWell('policy-list')
})
