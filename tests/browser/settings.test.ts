// The one settings page with its one kind: list, form, review and push, as a person does it, to a real access point.
import type { Page } from 'playwright-core'
import { lab, until } from '../lab/_lab'
import type { Browser } from './_browser'
import { openFold, typeVlan } from './_forms'
import { adopting, type Console, openConsole } from './_setup'

let one: Console
let browser: Browser
let page: Page

const looksWell = (name: string) => one.looksWell(name)

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await lab.reset('ap1')
  one = await openConsole('Harbour House', {}, adopting(addresses.ap1, credentials.ssh))
  browser = one.browser
  page = one.page
})
afterAll(async () => {
  await one?.end()
  await lab.reset('ap1')
})

test('an empty list says so; the form shows what is wrong where it is wrong; saved, reviewed, pushed, on the air', async () => {
  await page.goto('/network/1/settings')
  await page.waitForURL('**/network/1/settings/wifi')
  await page.getByText('No Wi-Fi network yet').waitFor()
  await looksWell('wifi-empty')

  await page.getByRole('link', { name: 'Add Wi-Fi network' }).first().click()
  await page.getByRole('heading', { name: 'New Wi-Fi network' }).waitFor()
  await page.getByLabel('Name (SSID)').fill('Harbour Guest')
  const key = page.getByLabel('Key', { exact: true })
  await key.fill('short')
  await key.blur()
  await page.getByRole('alert').filter({ hasText: '8 to 63 plain characters' }).waitFor()
  await looksWell('wifi-form-errors')
  await key.fill('correct horse')
  await typeVlan(page, '666')
  const vlan = page.getByLabel('VLAN', { exact: true })
  await vlan.blur()
  await page.getByRole('alert').filter({ hasText: '2 to 4093; 666 is reserved' }).waitFor()
  await vlan.fill('')
  const refusals = page.getByRole('alert').filter({ hasText: /characters|666/ })
  await until(async () => (await refusals.count()) === 0)
  await page.getByRole('button', { name: 'Save and review' }).click()

  await page.locator('.toast.ok', { hasText: 'Added' }).waitFor()
  await page.waitForURL('**/settings/review')
  const push = page.getByRole('button', { name: 'Push to 1 device' })
  await push.waitFor()
  await page.getByText('Adds: Wi-Fi network “Harbour Guest”').first().waitFor()
  expect(await page.content()).not.toContain('correct horse')
  await looksWell('review')
  await push.click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
  await looksWell('review-pushed')
  const status = await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])
  expect(status.stdout).toMatch(/^state=ENABLED$/m)
  expect(status.stdout).toContain('ssid[0]=Harbour Guest')
  expect(browser.faults()).toEqual([])
})

test('the stored key is never filled in, stays when it is left alone, and leaving asks once', async () => {
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Guest' }).click()
  await page.getByLabel('Key', { exact: true }).waitFor()
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('')
  await page.getByLabel('Name (SSID)').fill('Harbour Staff')
  await page.getByText('Name (SSID) becomes Harbour Staff.').waitFor()
  await looksWell('wifi-form-changed')
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Staff' }).waitFor()
  await page.locator('.toast.ok', { hasText: 'Saved' }).waitFor()
  await looksWell('wifi-list')
  await until(async () => (await page.locator('.changes').count()) > 0)
  expect(browser.faults()).toEqual([])
})

test('what somebody else saved in the meantime is not lost', async () => {
  const other = await browser.page()
  const open = async (tab: Page) => {
    await tab.goto('/network/1/settings/wifi')
    await tab.getByRole('link', { name: 'Harbour Staff' }).click()
    await tab.getByLabel('Name (SSID)').waitFor()
    if (!(await tab.getByLabel('DTIM period').isVisible())) await openFold(tab, 'Roaming and beacons')
    await tab.getByLabel('DTIM period').waitFor()
  }
  await open(page)
  await open(other)
  await other.getByLabel('DTIM period').fill('3')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await other.waitForURL('**/settings/wifi')
  await page.getByLabel('DTIM period').fill('4')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody else saved this in the meantime.').first().waitFor()
  await page.getByRole('button', { name: 'Load theirs' }).click()
  await until(async () => (await page.getByLabel('DTIM period').inputValue()) === '3')
  await other.close()
  expect(browser.faults()).toEqual([])
})

test('kinds of one page stand under its tabs, and an unknown tab is the first', async () => {
  await page.goto('/network/1/settings/firewall?tab=nothing')
  const tabs = page.getByRole('navigation', { name: 'Firewall' })
  await tabs.getByRole('link').first().waitFor()
  expect(await tabs.getByRole('link').first().getAttribute('aria-current')).toBe('page')
  await tabs.getByRole('link', { name: 'Port forwarding' }).click()
  await page.waitForURL('**/settings/firewall?tab=port')
  await page.getByRole('link', { name: /^Add/ }).first().click()
  await page.waitForURL('**/settings/firewall/port/form')
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('navigation', { name: 'Wi-Fi', exact: true }).getByRole('link', { name: 'Radios' }).click()
  await page.getByLabel('2.4 GHz channel').waitFor()
  expect(browser.faults()).toEqual([])
})

const channel = async () => {
  const { stdout } = await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])
  return /^channel=(\d+)$/m.exec(stdout)?.[1]
}
const chooseChannel = async (band: '2.4 GHz' | '5 GHz', number: string) => {
  await page.getByLabel(`${band} channel`, { exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^Channel ${number}\\b`) }).click()
}
const pushAll = async () => {
  await page.getByRole('button', { name: 'Save and review' }).click()
  await page.waitForURL('**/settings/review')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
}

test('a device inherits from the network, differs where it is set, and inherits again, down to the air', async () => {
  await page.goto('/network/1/settings/wifi?tab=radio')
  await page.getByText('Default', { exact: true }).first().waitFor()
  await looksWell('radio-default')
  await chooseChannel('2.4 GHz', '11')
  await page.getByText('2.4 GHz channel becomes 11.').waitFor()
  await pushAll()
  await until(async () => (await channel()) === '11')

  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'ap1' }).first().click()
  await page.getByRole('link', { name: 'Radios' }).click()
  const field = page.getByLabel('2.4 GHz channel')
  await page.getByText('From the network Harbour House').waitFor()
  await field.getByText('Channel 11').waitFor()
  await field.click()
  expect(await page.getByRole('option', { name: 'Channel 52' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await chooseChannel('2.4 GHz', '3')
  await page.getByText('Set here', { exact: true }).waitFor()
  await looksWell('radio-of-device')
  await pushAll()
  await until(async () => (await channel()) === '3')

  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'ap1' }).first().click()
  await page.getByRole('link', { name: 'Radios' }).click()
  await page.getByRole('button', { name: 'Use the network’s value' }).click()
  await page.getByText('2.4 GHz channel is inherited again.').waitFor()
  await field.getByText('Channel 11').waitFor()
  await pushAll()
  await until(async () => (await channel()) === '11')
  expect(browser.faults()).toEqual([])
})

test('saved and pushed in one go where nobody is interrupted; going back in the browser pushes nothing again', async () => {
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('link', { name: 'Harbour Staff' }).click()
  // Changed from its default: its section is open.
  await page.getByLabel('DTIM period').fill('5')
  await looksWell('save-ways')
  await page.getByRole('button', { name: 'More save options' }).click()
  await page.getByRole('menuitem', { name: 'Save and push' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
  expect((await lab.sh('ap1', 'cat /etc/hostapd/lanward-wlan0.conf')).stdout).toMatch(/^dtim_period=5$/m)
  await page.goBack()
  await page.getByText('All devices are up to date.').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(browser.faults()).toEqual([])
})

test('rules are put in order with the pointer and with the keyboard, and stay so', async () => {
  for (const name of ['First', 'Second', 'Third']) {
    await page.goto('/network/1/settings/firewall/wired/form')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/settings\/firewall$/)
  }
  let sorts = 0
  page.on('response', reply => {
    if (reply.url().endsWith('/sort')) sorts += 1
  })
  const names = () => page.locator('tr[data-row] .medium').allTextContents()
  const shown = (...wanted: string[]) => until(async () => (await names()).join() === wanted.join())
  await shown('First', 'Second', 'Third')
  const grip = (at: number) => page.locator('tr[data-row] .grip').nth(at)
  await looksWell('rules')
  const [from, to] = [await grip(2).boundingBox(), await grip(0).boundingBox()]
  if (!from || !to) throw new Error('there is nothing to drag')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y - 8, { steps: 4 })
  await page.mouse.move(to.x + 8, to.y + 8, { steps: 8 })
  await shown('Third', 'First', 'Second')
  await page.mouse.up()
  await until(async () => sorts === 1)
  await page.reload()
  await shown('Third', 'First', 'Second')
  await grip(0).press('ArrowDown')
  await shown('First', 'Third', 'Second')
  await page.getByText('Position 2 of 3').waitFor({ state: 'attached' })
  await until(async () => (await page.evaluate(() => document.activeElement?.className)) === 'grip')
  await page.keyboard.press('ArrowDown')
  await shown('First', 'Second', 'Third')
  await until(async () => sorts === 3)
  await page.reload()
  await shown('First', 'Second', 'Third')
  expect(browser.faults()).toEqual([])
})

test('a table in a form: rows are added, judged where they are wrong, taken out again', async () => {
  await page.goto('/network/1/settings/lan/form')
  await page.getByLabel('Name', { exact: true }).waitFor()
  const table = page.getByRole('group', { name: 'Static leases' })
  const add = table.getByRole('button', { name: /^Add/ })
  await add.click()
  await add.click()
  const cell = (label: string, at: number) => table.getByLabel(label, { exact: true }).nth(at)
  await cell('MAC', 0).fill('02:00:00:00:00:01')
  await cell('Address', 0).fill('10.0.0.5')
  await cell('Address', 1).fill('10.0.0.6')
  await cell('MAC', 1).fill('02:00:00:00:00:01')
  await cell('MAC', 1).blur()
  await table.getByRole('alert').filter({ hasText: 'Enter each value only once' }).waitFor()
  await looksWell('rows')
  await table.getByRole('button', { name: /^Remove row 2/ }).click()
  expect(await table.getByRole('alert').count()).toBe(0)
  expect(await table.getByLabel('MAC', { exact: true }).count()).toBe(1)
  expect(browser.faults()).toEqual([])
})

test('what a device has is proposed, and of no other network', async () => {
  const ask = async (input: object) => {
    const headers = { 'x-requested-with': 'test' }
    const reply = await page.request.post('/app/settings/sources', { data: input, headers })
    return (await reply.json()) as { retCode: number; data: { result?: { name: string; devices: string[] }[] } }
  }
  await until(async () => {
    const { data } = await ask({ networkId: 1, source: 'interfaces', device: 1 })
    return data.result?.some(one => one.name === 'eth0' && one.devices.join() === 'ap1')
  })
  expect((await ask({ networkId: 1, source: 'interfaces', device: 99 })).data.result).toEqual([])
  expect((await ask({ networkId: 99, source: 'interfaces' })).retCode).not.toBe(0)
})

test('a mesh: its fields are asked once it is on, its key is made when it is saved', async () => {
  await page.goto('/network/1/settings/wifi')
  await page.getByRole('navigation', { name: 'Wi-Fi', exact: true }).getByRole('link', { name: 'Mesh' }).click()
  const on = page.getByRole('switch', { name: 'Mesh' })
  await on.waitFor()
  expect(await page.getByLabel('Max hops').count()).toBe(0)
  await on.click()
  await page.getByLabel('Max hops').fill('4')
  await page.getByLabel('Max hops').blur()
  await page.getByRole('alert').filter({ hasText: 'At most 3' }).waitFor()
  await page.getByLabel('Max hops').fill('2')
  await page.getByLabel('Name (mesh ID)').fill('Backbone')
  await page.getByText('Name (mesh ID) becomes Backbone.').waitFor()
  await looksWell('mesh-form')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('input[name="key"][placeholder]:not([placeholder=""])').waitFor()
  await looksWell('mesh-saved')
  const { own } = (await one.client.must('settings/mesh/get', {})) as { own: Record<string, unknown> }
  expect(own).toEqual({ enabled: true, meshId: 'Backbone', cascades: 2, key: { set: true } })
  expect(browser.faults()).toEqual([])
})

test('steering: its thresholds are asked once it is on, and refused beyond their edges at once', async () => {
  await page.goto('/network/1/settings/wifi?tab=steering')
  const on = page.getByRole('switch', { name: 'Client steering' })
  await on.waitFor()
  expect(await page.getByLabel('Roaming threshold').count()).toBe(0)
  await on.click()
  await page.getByLabel('Roaming threshold').fill('-64')
  await page.getByLabel('Roaming threshold').blur()
  await page.getByRole('alert').filter({ hasText: 'At most -65' }).waitFor()
  await page.getByLabel('Roaming threshold').fill('-70')
  await page.getByLabel('Client threshold').fill('20')
  await page.getByText('Client threshold becomes 20.').waitFor()
  await looksWell('steering')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = { enabled: true, roamingThreshold: -70, clientThreshold: 20 }
  await until(async () => {
    const { own } = (await one.client.must('settings/steering/get', {})) as { own: object }
    return JSON.stringify(Object.entries(own).sort()) === JSON.stringify(Object.entries(saved).sort())
  })
  expect(browser.faults()).toEqual([])
})

test('private keys and radios: what a form needs is asked, what others forbid is said at once', async () => {
  for (const name of ['Rooms', 'Lobby']) await one.client.must('settings/ssid/save', { name, security: 'ppsk' })
  await page.goto('/network/1/settings/wifi/form')
  await openFold(page, 'Roaming and beacons')
  const interval = page.getByLabel('Beacon interval')
  await page.getByLabel('Name (SSID)').fill('Third')
  await page.getByLabel('Security').click()
  await page.getByRole('option', { name: /^Private keys/ }).click()
  expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0)
  await interval.fill('60')
  await interval.blur()
  await page.getByRole('alert').filter({ hasText: 'At least 100 with three' }).waitFor()
  await looksWell('wifi-form-others')
  await page.getByRole('button', { name: 'Discard' }).click()
  await until(async () => (await interval.inputValue()) === '')

  await page.goto('/network/1/settings/profiles?tab=ppsk')
  await page.getByText('No private key yet').waitFor()
  await page.getByRole('link', { name: 'Add private key' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Room 12')
  await page.getByLabel('Key', { exact: true }).fill('correct horse')
  await page.getByLabel('Wi-Fi network').click()
  await page.getByRole('option', { name: 'Rooms' }).click()
  await page.getByLabel('VLAN').fill('20')
  await looksWell('ppsk-form')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Room 12' }) })
  await row.getByText('Rooms', { exact: true }).waitFor()
  await row.getByText('20', { exact: true }).waitFor()
  await looksWell('ppsk-list')
  expect(await page.content()).not.toContain('correct horse')

  await page.goto('/network/1/settings/wifi?tab=radio')
  await chooseChannel('5 GHz', '165')
  await page.getByRole('radio', { name: '160 MHz' }).first().click()
  await page.getByRole('alert').filter({ hasText: 'No channel of this width here' }).waitFor()
  await chooseChannel('5 GHz', '100')
  await page.getByLabel('Country').click()
  await page.getByRole('combobox', { name: 'Country' }).fill('Portu')
  await page.getByRole('option', { name: /^Portugal/ }).click()
  await page.getByText('Country becomes').waitFor()
  await looksWell('radio-form')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(async () => {
    const { own } = (await one.client.must('settings/radio/get', {})) as { own: Record<string, unknown> }
    return own.country === 'PT' && own.channel5g === 100 && own.width5g === '160'
  })
  expect(browser.faults()).toEqual([])
})
