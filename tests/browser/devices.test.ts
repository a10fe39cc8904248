import { readFileSync } from 'node:fs'
import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// The list of devices as a person works with it: filled from a file, searched, exported, changed in bulk, a device
// exchanged for another, and forgotten.

let here: Console

beforeAll(async () => {
  here = await openConsole()
  await lab.reset('ap1')
  await here.client.must('credentials/save', {
    networkId: 1,
    name: 'House SSH',
    credential: { type: 'ssh', user: 'root', password: here.site.credentials.ssh.password },
  })
})
afterAll(async () => {
  await here?.close()
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const dialog = () => here.page.getByRole('dialog')
const csv = (...lines: string[]) => ({
  name: 'devices.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})
const names = async () =>
  (await here.page.locator('td .name').allTextContents()).filter(name => ['gw', 'ap1', 'sw1', 'Lobby'].includes(name))

test('N20: a file names its wrong lines and columns; mended, its devices are really adopted', async () => {
  const { page, site, looksWell } = here
  const { gw, ap1, sw1 } = site.addresses
  const head = 'address,name,credential,protocol,community,hostKey'
  await page.goto('/network/1/devices/form?tab=file')
  const file = page.getByLabel('File', { exact: true })
  await file.setInputFiles(
    csv(
      head,
      `${gw},gw,House SSH,,,`,
      '',
      '10.77.0.300,ap1,Nobody,,,',
      `${sw1},sw1,,telnet,,`,
      `${gw},twin,House SSH,,,`,
    ),
  )
  const wrong = (line: number, column: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: String(line), exact: true }) })
      .filter({ hasText: column })
  await wrong(4, 'address').waitFor()
  await wrong(4, 'credential').waitFor()
  await wrong(5, 'protocol').waitFor()
  await wrong(6, 'address').waitFor()
  expect(await page.getByRole('button', { name: /^Adopt/ }).isDisabled()).toBe(true)
  await looksWell('import-wrong')
  await file.setInputFiles(
    csv(head, `${gw},gw,House SSH,,,`, `${ap1},ap1,House SSH,,,`, `${sw1},sw1,,snmpv2c,${site.credentials.snmp.read},`),
  )
  await page.getByText('3 rows are valid').waitFor()
  await page.getByLabel('Accept the host keys the devices show now').click()
  await here.press('Adopt 3 devices')
  await until(async () => (await page.getByText('Adopted', { exact: true }).count()) === 3)
  await looksWell('import-adopted')
  await page.goto('/network/1/devices')
  for (const name of ['gw', 'ap1', 'sw1']) await here.row(name).getByText('Online').waitFor({ timeout: 150_000 })
})

test('the list is sorted and searched in its address, tells how each stands with its settings, and looks well', async () => {
  const { page, row } = here
  for (const name of ['gw', 'ap1', 'sw1']) await row(name).getByText('In sync').waitFor()
  await here.looksWell('devices-list')
  await page.getByRole('columnheader', { name: 'IP address' }).getByRole('button').click()
  await until(async () => (await names()).join() === 'gw,sw1,ap1')
  await page.getByRole('columnheader', { name: 'IP address' }).getByRole('button').click()
  await until(async () => (await names()).join() === 'ap1,sw1,gw')
  await page.getByLabel('Name, IP, MAC or serial').fill('LAB8P')
  await page.keyboard.press('Enter')
  await until(async () => (await names()).join() === 'sw1')
  await page.reload()
  await until(async () => (await names()).join() === 'sw1')
  await page.getByLabel('Name, IP, MAC or serial').fill('no such device')
  await page.keyboard.press('Enter')
  await here.press('Clear filters')
  await until(async () => (await names()).length === 3)
})

test('a saved setting shows as not pushed on the devices it is for', async () => {
  const { client, row } = here
  const { id } = await client.must('settings/ssid/save', {
    networkId: 1,
    name: 'Harbour',
    security: 'wpa2',
    key: 'correct-horse',
  })
  await row('ap1').getByText('Modified', { exact: true }).waitFor()
  await here.looksWell('devices-modified')
  await client.must('settings/ssid/delete', { networkId: 1, ids: [id] })
  await row('ap1').getByText('In sync').waitFor()
})

test('exports what is listed; a name that a spreadsheet would run is defused', async () => {
  const { page, client } = here
  const { result } = (await client.must('devices/list', { networkId: 1 })) as { result: { id: number; name: string }[] }
  const gw = result.find(one => one.name === 'gw')?.id
  await client.must('devices/config/save', { networkId: 1, id: gw, name: '=HYPERLINK("http://x")' })
  await page.goto('/network/1/devices?kind=gateway')
  await page.getByRole('link', { name: '=HYPERLINK' }).waitFor()
  const exported = async (item: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    return saved
  }
  const file = await exported('Devices')
  const text = readFileSync(await file.path(), 'utf8')
  expect(file.suggestedFilename()).toMatch(/^devices-\d{4}-\d\d-\d\d\.csv$/)
  expect(text).toContain(`"'=HYPERLINK(""http://x"")",online,gateway,`)
  expect(text.trim().split('\r\n')).toHaveLength(2)
  const online = await exported('Online status, last 7 days')
  expect(online.suggestedFilename()).toMatch(/^online-status-\d{4}-\d\d-\d\d\.csv$/)
  expect(readFileSync(await online.path(), 'utf8')).toContain(`"'=HYPERLINK(""http://x"")"`)
  await client.must('devices/config/save', { networkId: 1, id: gw, name: 'gw' })
})

test('several at once: moved into a group, and the boxes are empty afterwards', async () => {
  const { page, row, client } = here
  await client.must('groups/add', { networkId: 1, groupName: 'Lobby' })
  await page.goto('/network/1/devices')
  for (const name of ['ap1', 'sw1']) await row(name).getByRole('checkbox').check()
  await page.getByText('2 selected').waitFor()
  await here.press('Move to group')
  await dialog().getByLabel('Group').click()
  await page.getByRole('treeitem', { name: 'Lobby' }).click()
  await here.answer('Move')
  for (const name of ['ap1', 'sw1']) await row(name).getByText('Lobby').waitFor()
  await page.getByText('2 selected').waitFor({ state: 'detached' })
})

test('a new group is made where devices are moved into it; remarks are written on the device’s page', async () => {
  const { page, row } = here
  await row('sw1').getByRole('checkbox').check()
  await here.press('Move to group')
  await dialog().getByRole('button', { name: 'New group' }).click()
  await dialog().getByLabel('New group').fill('Attic')
  await here.answer('Move')
  await row('sw1').getByText('Attic').waitFor()
  await here.openDevice('sw1')
  await here.choose('More actions', 'Edit remarks')
  await dialog().getByLabel('Remarks').fill('Behind the boiler')
  await here.looksWell('device-remarks')
  await here.answer('Save remarks')
  await page.locator('.toast.ok', { hasText: 'Remarks on sw1 saved' }).waitFor()
  const found = { networkId: 1, search: 'boiler' }
  expect((await here.client.must('devices/list', found)).total).toBe(1)
})

test('chosen devices are reviewed before they are pushed to; others are left out', async () => {
  const { page, row } = here
  await page.goto('/network/1/devices')
  await row('sw1').getByRole('checkbox').check()
  await page.getByRole('link', { name: 'Review and push' }).click()
  await page.waitForURL(/settings\/review\?devices=\d+$/)
})

test('a device is moved to another network from its page, which leads to the list', async () => {
  const { page, client } = here
  const place = { country: 'PT', timezone: 'Europe/Lisbon' }
  const { id } = (await client.must('networks/add', { networkName: 'Shipyard', ...place })) as { id: number }
  await here.openDevice('sw1')
  await here.choose('More actions', 'Move to another network')
  await dialog().getByLabel('Network').click()
  await page.getByRole('option', { name: 'Shipyard' }).click()
  await here.looksWell('device-move-network')
  await here.answer('Move')
  await page.locator('.toast.ok', { hasText: 'moved to Shipyard' }).waitFor()
  await page.waitForURL('**/network/1/devices')
  expect(await page.locator('.toast.bad').count()).toBe(0)
  const { result } = (await client.must('devices/list', { networkId: id })) as {
    result: { id: number; name: string }[]
  }
  expect(result.map(one => one.name)).toEqual(['sw1'])
  const back = { networkId: id, ids: result.map(one => one.id), toNetworkId: 1 }
  await client.must('devices/move', back)
  await page.goto('/network/1/devices')
})

test('a device takes the place of another: name, group and settings; the old one is gone', async () => {
  const { page, row, site } = here
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'ap1', exact: true }).click()
  await here.heading('ap1')
  await here.choose('More actions', 'Replace with another device')
  expect(await dialog().getByRole('button', { name: 'Replace' }).isDisabled()).toBe(true)
  await dialog().getByText('The old device is forgotten', { exact: false }).waitFor()
  await dialog().getByLabel('New device').click()
  await page.getByRole('option', { name: 'gw' }).click()
  await here.looksWell('device-replace')
  await here.answer('Replace')
  // The notice stands for seconds, and may be gone when the list is there.
  await page.locator('.toast.ok', { hasText: 'ap1 replaced' }).waitFor()
  await page.waitForURL('**/network/1/devices')
  await row('ap1').getByText(site.addresses.gw).waitFor()
  await row('ap1').getByText('Lobby').waitFor()
  await until(async () => (await names()).sort().join() === 'ap1,sw1')
  expect(await page.locator('.toast.bad').count()).toBe(0)
})

test('forgets one from its page and the rest in bulk, and says what stays and what is lost', async () => {
  const { page, row } = here
  await page.getByRole('link', { name: 'ap1', exact: true }).click()
  await here.choose('More actions', 'Forget')
  await dialog().getByText('The device keeps its current configuration', { exact: false }).waitFor()
  await here.answer('Forget device')
  await page.waitForURL('**/network/1/devices')
  await row('ap1').waitFor({ state: 'detached' })
  expect(await page.locator('.toast.bad').count()).toBe(0)
  await row('sw1').getByRole('checkbox').check()
  await here.press('Forget')
  await here.looksWell('devices-forget')
  await here.answer('Forget device')
  await page.getByText('Add devices').first().waitFor()
  await until(async () => (await page.getByRole('row').count()) === 0)
  // What was forgotten still runs: nothing was changed there.
  expect((await lab.sh('ap1', 'systemctl is-active ssh')).stdout.trim()).toBe('active')
})
