// What a gateway runs besides what is ours: shown, taken over, pushed, and handed back, as a person does it.
import type { Page } from 'playwright-core'
import { startOpenwrt } from '../drivers/openwrt-server'
import { newKey } from '../drivers/ssh-server'
import { lab, until } from '../lab/_lab'
import { looksWell } from './_browser'
import { adopting, type Console, openConsole } from './_setup'

let one: Console
let page: Page
const tab = '/network/1/devices/detail?id=1&tab=device'
const part = (name: string) => page.getByRole('region', { name, exact: true })
const thing = (name: string, where: string) => part(where).getByRole('group', { name, exact: true })
const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  one = await openConsole('Harbour House', {}, adopting(addresses.gw, credentials.ssh))
  page = one.page
})
afterAll(async () => {
  await one?.end()
  await lab.reset('gw')
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

test('after adoption the device’s page says how much runs there that is not managed, and leads to it', async () => {
  await page.goto('/network/1/devices/detail?id=1')
  await page.getByText(/^\d+ parts of this device’s configuration are unmanaged$/).waitFor()
  await page.getByRole('link', { name: 'Review it' }).click()
  await page.waitForURL(/tab=device/)
  const eth0 = thing('eth0', 'Can be imported')
  await eth0.getByText('Addressed by an ifupdown file.').waitFor()
  await thing('inet filter', 'Stays as it is').getByText('They stay unmanaged.', { exact: false }).waitFor()
  expect(await thing('inet filter', 'Stays as it is').getByRole('checkbox').count()).toBe(0)
  await eth0.getByText('Native configuration').focus()
  await page.keyboard.press('Enter')
  await eth0.locator('dd').filter({ hasText: 'address 203.0.113.2/24' }).waitFor()
  await looksWell(page, 'on-device', { dark: true })
})

test('what is chosen is taken over after its consequences are told; the settings that decide it are led to', async () => {
  await thing('eth0', 'Can be imported').getByRole('checkbox').click()
  await thing('/etc/localtime', 'Can be imported').getByRole('checkbox').click()
  await page.getByRole('toolbar', { name: 'What to import' }).getByRole('button', { name: 'Import…' }).click()
  await page
    .getByRole('dialog', { name: 'Import 2 options of gw?' })
    .getByText('Nothing changes on the device now')
    .waitFor()
  await one.looksWell('on-device-take')
  await answer('Import')
  await page.getByText('Imported: nothing on the device was changed.').waitFor()
  await thing('eth0', 'Imported')
    .getByText(/^Imported by /)
    .waitFor()
  await thing('/etc/localtime', 'Imported').waitFor()
  await one.looksWell('on-device-taken')
  await page.getByRole('link', { name: 'WAN connection “gw eth0”' }).click()
  await page.getByLabel('Address', { exact: true }).waitFor()
  expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('203.0.113.2')
})

test('handing back shows the former values, and waits for a push', async () => {
  await page.goto(tab)
  await thing('eth0', 'Imported').getByRole('button', { name: 'Release…' }).click()
  await page
    .getByRole('dialog', { name: 'Release eth0 on gw?' })
    .getByText('address 203.0.113.2/24', { exact: false })
    .waitFor()
  await one.looksWell('on-device-back')
  await answer('Release')
  await thing('eth0', 'Imported').getByText('Released, waiting to be pushed').waitFor()
  await page.goto('/network/1/settings/review')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
  await page.goto(tab)
  await thing('eth0', 'Can be imported').waitFor()
  await thing('/etc/localtime', 'Imported').waitFor()
})

test('of what was taken over single options are handed back, the others stay', async () => {
  const router = await startOpenwrt({ key: newKey(), auth: () => true })
  const wide = page.viewportSize()
  try {
    const device = { address: '127.0.0.1', port: router.port, hostKey: router.fingerprint }
    const credential = { type: 'ssh', user: 'root', password: 'recorded' }
    const { jobId } = await one.client.must('devices/adopt', { devices: [{ ...device, credential }] })
    const adopted = async () => {
      const { items } = (await one.client.must('devices/adopt/result', { jobId })) as { items: { deviceId?: number }[] }
      return items[0]?.deviceId
    }
    const id = await until(adopted)
    const options = ['hostname', 'timezone', 'zonename']
    await one.client.must('import/add', { deviceId: id, items: [{ id: 'uci:system.@system[0]', options }] })
    await page.goto(`/network/1/devices/detail?id=${id}&tab=device`)
    // What makes up one RADIUS server are eight options: each says which part it is.
    const radius = thing('OpenWrt (radio0)', 'Can be imported').getByRole('checkbox', { name: /RADIUS server, / })
    await radius.first().waitFor()
    const named = await radius.evaluateAll(all => all.map(box => box.getAttribute('aria-label')))
    expect([named.length, new Set(named).size]).toEqual([8, 8])
    expect(named).toContain('OpenWrt (radio0), Wi-Fi network: RADIUS server, accounting server’s secret')
    const system = () => thing('system.@system[0]', 'Imported')
    const option = (of: string) => system().getByRole('listitem').filter({ hasText: of })
    await system().getByRole('button', { name: 'Release…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Release system.@system[0] on OpenWrt?' })
    const boxes = dialog.getByRole('checkbox')
    await dialog.getByRole('checkbox', { name: /Host name$/ }).waitFor()
    await one.looksWell('on-device-back-options')
    for (const name of [/Host name$/, /Time zone$/])
      for (const box of await dialog.getByRole('checkbox', { name }).all()) await box.click()
    // Nothing is chosen: there is nothing to hand back.
    await dialog.locator('button:disabled', { hasText: 'Release' }).waitFor()
    expect(await boxes.count()).toBe(3)
    await dialog.getByRole('checkbox', { name: /Host name$/ }).press('Space')
    await answer('Release')
    // Nothing was pushed: it may be taken over again at once.
    await option('Host name').getByRole('checkbox').waitFor()
    expect(await option('Time zone').getByRole('checkbox').count()).toBe(0)

    // A phone shows the beginning of a long list, and all of it when asked.
    const rows = part('Can be imported').locator('fieldset:visible')
    const count = await rows.count()
    expect(count).toBeGreaterThan(4)
    await page.setViewportSize({ width: 390, height: 844 })
    await until(async () => (await rows.count()) === 4)
    await part('Can be imported')
      .getByRole('button', { name: `Show all ${count}` })
      .click()
    await until(async () => (await rows.count()) === count)
    await part('Can be imported').getByRole('button', { name: 'Show fewer' }).waitFor()
  } finally {
    if (wide) await page.setViewportSize(wide)
    await router.close()
  }
})

test('a device that does not answer is said, and asked again', async () => {
  await page.goto('/network/1/devices')
  await lab.off('gw')
  await page.goto(tab)
  await page.getByText('does not answer', { exact: false }).last().waitFor()
  await lab.on('gw')
  await until(
    async () => {
      await page
        .getByRole('button', { name: 'Try again' })
        .click({ timeout: 5_000 })
        .catch(() => undefined)
      return (await thing('/etc/localtime', 'Imported').count()) > 0
    },
    { everyMs: 2_000 },
  )
})
