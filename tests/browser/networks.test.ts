// Networks as a person keeps them: as a file with and without secrets, cloned, tagged, made the default, deleted; and the groups inside one.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { squeezed } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  const ssid = { name: 'Harbour', security: 'wpa2', key: 'correct horse', networkId: 1 }
  await one.client.must('settings/ssid/save', ssid)
  await one.client.must('groups/add', { networkId: 1, groupName: 'Lobby', parentId: -1, description: '' })
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const dialog = () => page.getByRole('dialog')
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const choose = async (network: string, action: string) => {
  await press(`Actions for ${network}`)
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function exported(passphrase = ''): Promise<string> {
  await page.goto('/organization/network')
  await choose('Quay', 'Export settings')
  if (passphrase) await dialog().getByLabel('Passphrase', { exact: true }).fill(passphrase)
  else await one.looksWell('network-export')
  const saved = page.waitForEvent('download')
  await dialog().getByRole('button', { name: 'Export', exact: true }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('Quay.lanward.json')
  return readFileSync(await download.path(), 'utf8')
}

async function fillImport(file: string, name: string, passphrase?: string): Promise<void> {
  await press('Import settings')
  await dialog()
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'network.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  await dialog().getByLabel('Name of the new network').fill(name)
  if (passphrase !== undefined) await dialog().getByLabel('Passphrase', { exact: true }).fill(passphrase)
}
const create = () => dialog().getByRole('button', { name: 'Create network' }).click()

test('a network is created with the settings of another and as the default one', async () => {
  await page.goto('/organization/overview/form')
  await page.getByLabel('Name', { exact: true }).fill('Second quay')
  await page.getByLabel('Copy settings from').click()
  await page.getByRole('option', { name: 'Quay', exact: true }).click()
  await page.getByLabel('Default network').click()
  await one.looksWell('network-create')
  await press('Create network')
  await row('Second quay').getByText('default').first().waitFor()
  const { result } = (await one.client.must('networks/list')) as { result: { id: number; networkName: string }[] }
  const id = result.find(network => network.networkName === 'Second quay')?.id
  const ssids = (await one.client.must('settings/ssid/list', { networkId: id })) as { result: { name: string }[] }
  expect(ssids.result.map(ssid => ssid.name)).toEqual(['Harbour'])
  await one.client.must('networks/default', { id: 1 })
  await one.client.must('networks/delete', { id })
})

test('a file without a passphrase carries no key: the network made from it says what is left out', async () => {
  const file = await exported()
  expect(file).toContain('Harbour')
  expect(file).not.toContain('correct horse')
  await fillImport('{"format":"something else"}', 'None')
  await dialog().getByText('This is not a network settings file.').waitFor()
  expect(await dialog().getByRole('button', { name: 'Create network' }).isDisabled()).toBe(true)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await fillImport(file, 'Plain copy')
  await create()
  await page.getByText('1 setting was left out: Harbour').first().waitFor()
  await row('Plain copy').waitFor()
})

test('with one it does: a wrong passphrase is refused at its field, the right one brings the key along', async () => {
  const file = await exported('open sesame 1')
  expect(file).not.toContain('correct horse')
  await fillImport(file, 'Sealed copy', 'not the passphrase')
  await create()
  await dialog().getByRole('alert').first().waitFor()
  await one.looksWell('network-import-refused')
  await dialog().getByLabel('Passphrase', { exact: true }).fill('open sesame 1')
  await dialog().getByRole('button', { name: 'Create network' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('Sealed copy').getByRole('link', { name: 'Sealed copy' }).click()
  await page.waitForURL(/network\/\d+\/dashboard/)
  const id = Number(/network\/(\d+)/.exec(page.url())?.[1])
  await page.goto(`/network/${id}/settings/wifi`)
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
  await page.goto(`/network/${id}/devices/group/form`)
  await page.getByRole('link', { name: 'Lobby' }).waitFor()
})

test('a clone has the settings and groups; the picker finds networks by name and by tag', async () => {
  await page.goto('/organization/network')
  await choose('Quay', 'Clone')
  await dialog().getByLabel('Name of the new network').fill('quay')
  await dialog().getByRole('button', { name: 'Clone' }).click()
  await dialog().getByRole('alert').first().waitFor()
  await dialog().getByLabel('Name of the new network').fill('Annex')
  await dialog().getByRole('button', { name: 'Clone' }).click()
  await row('Annex').waitFor()

  await choose('Annex', 'Edit')
  await page.getByRole('heading', { level: 1, name: 'Edit network' }).waitFor()
  await page.getByLabel('Tags').click()
  await page.getByText('Manage tags').click()
  await dialog().getByLabel('New tag').fill('North')
  await dialog().getByRole('button', { name: 'Add tag' }).click()
  await dialog().getByRole('button', { name: 'Rename the tag North' }).click()
  await dialog().getByLabel('Rename the tag North').fill('Shore')
  await one.looksWell('network-tags')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('Shore', { exact: true }).waitFor()
  await dialog().getByLabel('New tag').fill('SHORE')
  await dialog().getByRole('button', { name: 'Add tag' }).click()
  await dialog().getByRole('alert').first().waitFor()
  await page.keyboard.press('Escape')
  await press('Save')
  await row('Annex').getByText('Shore').waitFor()
  await one.looksWell('networks-tagged')

  await page.locator('.picker').first().click()
  const picker = page.locator('.picker-popover')
  await picker.getByRole('button', { name: 'Shore' }).click()
  await picker.getByRole('link', { name: /Annex/ }).waitFor()
  await picker.getByRole('link', { name: /Quay/ }).waitFor({ state: 'detached' })
  await picker.getByRole('link', { name: /Annex/ }).click()
  await page.waitForURL(/network\/\d+\/dashboard/)
})

test('a Wi-Fi network is copied into others, and what became of it in each is said', async () => {
  await page.goto('/organization/network')
  await choose('Quay', 'Copy a Wi-Fi network')
  await dialog().getByLabel('Wi-Fi network', { exact: true }).click()
  await page.getByRole('option', { name: 'Harbour' }).click()
  await dialog().getByLabel('To networks').click()
  await page.getByRole('option', { name: 'Annex' }).click()
  await page.keyboard.press('Escape')
  await one.looksWell('global-ssid')
  await dialog().getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog().getByText('Replaced').waitFor()
  await one.looksWell('global-ssid-done')
  expect(await squeezed(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Close' }).last().click()
})

test('devices of several networks out of one file: lines that are wrong are named, then each network is followed', async () => {
  await page.goto('/organization/network')
  const give = (text: string) =>
    dialog()
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await press('Import devices')
  await give('network,address,port,community\nNowhere,127.0.0.9,9,public')
  await dialog().getByText('Row 2, network', { exact: false }).waitFor()
  await one.looksWell('import-devices-wrong')
  await give('network,address,port,community\nQuay,127.0.0.9,9,public\nAnnex,127.0.0.9,9,public')
  await dialog().getByText('2 rows are valid').waitFor()
  await dialog().getByRole('button', { name: 'Adopt 2 devices' }).click()
  await dialog().getByText('1 of 1 done, 1 failed').nth(1).waitFor()
  await one.looksWell('import-devices-done')
  expect(await squeezed(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Close' }).last().click()
})

test('one default: making another one takes it from the first, which can then be deleted by typing its name', async () => {
  await page.goto('/organization/network')
  await choose('Annex', 'Make default')
  await row('Annex').getByText('Default').waitFor()
  await row('Quay').getByText('Default').waitFor({ state: 'detached' })
  await choose('Annex', 'Delete network')
  await dialog().getByText('The default network cannot be deleted', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await choose('Plain copy', 'Delete network')
  await dialog().getByText('This cannot be undone.', { exact: false }).waitFor()
  const remove = dialog().getByRole('button', { name: 'Delete network' })
  await dialog().getByRole('textbox').fill('Plain')
  expect(await remove.isDisabled()).toBe(true)
  await dialog().getByRole('textbox').fill('Plain copy')
  await one.looksWell('network-delete')
  await remove.click()
  await row('Plain copy').waitFor({ state: 'detached' })
})

test('groups: one below another, moved, and deleted with what that means; not below itself', async () => {
  const form = '/network/1/devices/group/form'
  await page.goto(form)
  await page.getByLabel('Name', { exact: true }).fill('Bar')
  await page.getByLabel('Parent group').click()
  await page.getByRole('treeitem', { name: 'Lobby' }).click()
  await press('Create group')
  await page.locator('.groups .groups').getByRole('link', { name: 'Bar' }).waitFor()
  await one.looksWell('groups-tree')
  await page.locator('.groups').getByRole('link', { name: 'Lobby' }).first().click()
  // Until the page of the lobby is there, the form that stands on the screen is the one of the bar.
  await page.getByLabel('Name', { exact: true }).and(page.locator('[value="Lobby"]')).waitFor()
  await page.getByText('Whole network').first().waitFor()
  await page.getByText('No devices in this group yet.').waitFor()
  await page.getByLabel('Default group').click()
  await press('Save')
  await page.locator('.groups').getByText('Default').waitFor()
  await one.looksWell('group-contents')
  expect(await squeezed(page)).toEqual([])
  await press('Set password')
  await dialog().getByLabel('New password', { exact: true }).fill('Harbour-1')
  await one.looksWell('group-password')
  await dialog().getByRole('button', { name: 'Set password' }).click()
  await dialog().getByText('This group has no devices.').waitFor()
  await page.keyboard.press('Escape')
  await press('Delete group')
  await dialog().getByText('1 subgroup moves up.').waitFor()
  await dialog().getByText('New devices then join no group by themselves.').waitFor()
  await one.looksWell('group-delete')
  await dialog().getByRole('button', { name: 'Delete group' }).click()
  await page.waitForURL(url => url.search === '')
  await page.locator('.groups').getByRole('link', { name: 'Lobby' }).waitFor({ state: 'detached' })
  await page.locator('.groups').getByRole('link', { name: 'Bar' }).waitFor()
})
