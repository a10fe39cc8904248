// Names that want to be scripts, shown on every screen of the console: as text, and nothing of them runs.
import { menu } from '@/model/menu'
import { hostileNames } from '../_xss'
import { nothingMade, shownAsText } from './_as-text'
import { type Console, databaseOf, openConsole } from './_setup'

/** As many as one page of a list shows, of those that the shortest field takes. */
const names = hostileNames.filter(name => name.length <= 32).slice(0, 17)

let one: Console
let page: Console['page']

const place = { country: 'PT', timezone: 'Europe/Lisbon' }

/** One of everything that people name, for every name. */
async function named({ client }: Console): Promise<void> {
  for (const name of names) {
    const { tagId } = await client.must('networks/tags/add', { tagName: name })
    await client.must('networks/add', { networkName: name, ...place, tags: [tagId] })
    await client.must('groups/add', { networkId: 1, groupName: name, description: name })
    await client.must('credentials/save', { networkId: 1, name, credential: { type: 'snmp2c', community: 'x' } })
    await client.must('roles/save', { name, authorities: ['devices'] })
  }
  for (const name of names.slice(0, 12))
    await client.must('settings/ssid/save', { networkId: 1, name, security: 'wpa2', key: 'correct horse' })
}

/** What devices say of themselves, and people of other times: the forms of today may not take it. */
function written({ manager }: Console): void {
  const database = databaseOf(manager)
  const device = database.prepare(
    `INSERT INTO devices (organization, network, device_group, mac, name, remarks, address, port, driver, kind, vendor, model, serial, firmware, facts, status, status_at, reason, created_at)
     VALUES (1, 1, (SELECT id FROM device_groups WHERE name = $name), '', $name, $name, $address, 161, 'snmp', 'switch', $name, $name, $name, $name, $facts, 0, 1, 'timeout', 1)`,
  )
  const alert = database.prepare(
    `INSERT INTO alerts (organization, network, device, level, type, "values", at) VALUES (1, 1, $device, 5, 'deviceOffline', $values, $at)`,
  )
  const account = database.prepare(
    `INSERT INTO accounts (organization, account, username, company, role, password, password_changed_at, state, created_at)
     SELECT 1, $account, $name, $name, 'guestEditor', password, 0, 'active', 0 FROM accounts WHERE id = 1`,
  )
  for (const [index, name] of names.entries()) {
    const facts = JSON.stringify({ hostname: name, description: name, location: name, contact: name })
    const { lastInsertRowid } = device.run({ name, facts, address: `192.0.2.${index + 1}` })
    alert.run({ device: lastInsertRowid, values: JSON.stringify({ device: name }), at: Date.now() + index })
    account.run({ account: `person${index}`, name })
  }
  database.prepare('UPDATE accounts SET username = ?, company = ? WHERE id = 1').run(names[0], names[1])
  database.close()
}

beforeAll(async () => {
  one = await openConsole('<b>Quay</b>')
  page = one.page
  await named(one)
  written(one)
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const shown = (path: string, wanted?: readonly string[]) => shownAsText(page, path, wanted)

test.each([
  ['/organization/network', names],
  ['/organization/users', names],
  // With the built-in ones they are more than a page of 20.
  ['/organization/users?tab=roles&size=50', names],
  ['/organization/changelog', names.slice(0, 12)],
  ['/network/1/devices', names],
  ['/network/1/devices/form?tab=credentials', names],
  ['/network/1/alerts', names],
  ['/network/1/settings/wifi', names.slice(0, 12)],
] as const)('%s shows them as they are', async (path, wanted) => {
  await shown(path, wanted)
})

test('so do the details of a device and of a setting, and their titles', async () => {
  const { result } = (await one.client.must('devices/list', { networkId: 1, pageSize: 50 })) as {
    result: { id: number; name: string }[]
  }
  for (const name of ['<svg/onload=hit=1>', "'><svg onload=hit=1>", '</textarea><img src=x>']) {
    const device = result.find(row => row.name === name)
    await shown(`/network/1/devices/detail?id=${device?.id}`, [name])
  }
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: names[1], exact: true }).click()
  await page.getByRole('heading', { level: 1, name: names[1], exact: true }).waitFor()
  expect(await page.getByLabel('Name (SSID)').inputValue()).toBe(names[1])
  await nothingMade(page, 'the form of a Wi-Fi network')
})

const screens = menu.flatMap(one => [one, ...(one.children ?? [])]).filter(entry => !entry.hidden)

test.each(screens.map(entry => entry.path.replace('{n}', '1')))('%s opens among them without a fault', async path => {
  await shown(path)
})
