// Forms and pages that a person meets seldom, by mouse and by key: a device's management VLAN, mirrored ports, a RADIUS
// server by its name, what one browser keeps for itself, and the page that waits for the manager.
import type { Page } from 'playwright-core'
import { reaches } from '../lab/_firewall'
import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

let here: Console
let page: Page
let gateway: number
let switched: number

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await lab.reset('sw2')
  here = await openConsole()
  page = here.page
  const { user, password } = credentials.ssh
  const login = { type: 'ssh', user, password }
  gateway = await here.adopt({ address: addresses.gw, login })
  switched = await here.adopt({ address: addresses.sw2, login })
})
afterAll(async () => {
  await here?.close()
  await lab.off('sw2')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

/** What is told at fields. */
const wrong = (text: string | RegExp = '') => page.locator('.field-error').filter({ hasText: text })
const own = (device: number) =>
  here.client.must('settings/system/get', { networkId: 1, scope: { device } }) as Promise<{
    own: Record<string, unknown>
    locked: object
  }>
const vlan = () => page.getByLabel('Management VLAN', { exact: true })
const saved = (wanted: number | undefined) => until(async () => (await own(switched)).own.managementVlan === wanted)
/** The form of a device's own settings, once it can be typed in. */
async function openOwn(device: number): Promise<void> {
  await page.goto(`/network/1/settings/system?device=${device}`)
  await vlan().waitFor()
}

test('N14: a management VLAN for one device, refused at its field, by mouse and by key', async () => {
  await openOwn(switched)
  await vlan().fill('666')
  await vlan().blur()
  await wrong('666').waitFor()
  await here.looksWell('late-vlan-wrong')
  await vlan().fill('20')
  await wrong('666').waitFor({ state: 'detached' })
  await here.press('Save')
  await saved(20)
  await page.getByRole('button', { name: 'Use the default' }).waitFor()
  await here.looksWell('late-vlan')

  await openOwn(switched)
  await vlan().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('21')
  await page.keyboard.press('Control+s')
  await saved(21)
  await page.locator('.save-bar').waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await vlan().inputValue()).toBe('')
  await page.keyboard.press('Control+s')
  await saved(undefined)
})

test('what is typed while a device’s own settings are saved stays, and is saved next', async () => {
  await openOwn(switched)
  let go: () => void = () => undefined
  const held = new Promise<void>(done => {
    go = done
  })
  const isSave = (url: URL) => url.pathname === '/app/settings/system/save'
  await page.route(isSave, async route => {
    await held
    await route.continue()
  })
  await vlan().fill('22')
  await page.keyboard.press('Control+s')
  const name = page.getByLabel('Host name')
  await name.fill('quay-switch')
  go()
  await saved(22)
  await page.getByText('1 field', { exact: true }).waitFor()
  await page.locator('.save-bar [aria-busy]').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('quay-switch')
  await page.keyboard.press('Control+s')
  await until(async () => (await own(switched)).own.hostname === 'quay-switch')
  await page.unroute(isSave)
  expect(await vlan().inputValue()).toBe('22')
})

test('N18: where option 43 or the kind of device decides, the field is greyed and says why', async () => {
  await until(async () => 'managementVlan' in (await own(gateway)).locked)
  await openOwn(gateway)
  await page.getByText('Locked:', { exact: false }).waitFor()
  expect(await vlan().isDisabled()).toBe(true)
  await here.looksWell('late-vlan-gateway')
  const given = 'lease {\\n  interface "br0";\\n  option vendor-encapsulated-options 1:4:a:4d:0:a;\\n}\\n'
  await lab.sh('sw2', `mkdir -p /var/lib/dhcp; printf '${given}' >/var/lib/dhcp/dhclient.br0.leases`)
  await until(async () => {
    await here.client.must('devices/sync', { id: switched })
    return 'managementVlan' in (await own(switched)).locked
  })
  await openOwn(switched)
  await page.getByText('DHCP lease has option 43', { exact: false }).waitFor()
  expect(await vlan().isDisabled()).toBe(true)
  await here.looksWell('late-vlan-locked')
})

const mirror = () => page.getByLabel('Observation port', { exact: true })
const profiles = async () =>
  (await here.client.must('settings/portProfile/list', { networkId: 1 })).result as Record<string, unknown>[]

test('by mouse: ports are mirrored to an observation port, which is none of them', async () => {
  await page.goto('/network/1/settings/profiles?tab=ports')
  await page
    .getByRole('link', { name: /^Add port profile/ })
    .first()
    .click()
  await page.getByLabel('Name', { exact: true }).fill('Analyzer')
  await page.getByLabel('Ports', { exact: true }).fill('p3\np4')
  expect(await page.getByText('Mirrored traffic').count()).toBe(0)
  await mirror().fill('p3')
  await mirror().blur()
  await page.getByRole('radiogroup', { name: 'Mirrored traffic' }).waitFor()
  await wrong().waitFor()
  await here.looksWell('late-mirror-wrong')
  await mirror().fill('p5')
  await wrong().waitFor({ state: 'detached' })
  await page.getByRole('radio', { name: 'Received by the ports' }).click()
  await here.looksWell('late-mirror')
  await here.press('Save')
  await page.waitForURL(/profiles\?tab=ports|\/profiles$/)
  expect(await profiles()).toMatchObject([{ ports: ['p3', 'p4'], mirrorTo: 'p5', mirrorTraffic: 'in' }])
})

test('by key: the observation port is changed, then left out with what belongs to it', async () => {
  await page.getByRole('link', { name: 'Analyzer', exact: true }).focus()
  await page.keyboard.press('Enter')
  await here.heading('Analyzer')
  await mirror().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('p6')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+s')
  await until(async () => JSON.stringify(await profiles()).includes('"p6"'))
  expect(await profiles()).toMatchObject([{ mirrorTo: 'p6', mirrorTraffic: 'out' }])
  await page.goto('/network/1/settings/profiles?tab=ports')
  await page.getByRole('link', { name: 'Analyzer', exact: true }).click()
  await mirror().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.getByRole('radiogroup', { name: 'Mirrored traffic' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await until(async () => !JSON.stringify(await profiles()).includes('mirrorTo'))
})

test('P3: a DHCP range follows the gateway’s address, until somebody types another', async () => {
  await page.goto('/network/1/settings/lan/form')
  const address = page.getByLabel('Gateway address')
  const first = page.getByLabel('DHCP range start')
  const range = async () => [await first.inputValue(), await page.getByLabel('DHCP range end').inputValue()]
  await address.fill('192.168.20.1/24')
  await until(async () => (await range()).join() === '192.168.20.11,192.168.20.254')
  await address.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('10.20.0.254/24')
  await until(async () => (await range()).join() === '10.20.0.10,10.20.0.253')
  await first.fill('10.20.0.100')
  await address.fill('10.20.0.1/24')
  expect(await range()).toEqual(['10.20.0.100', '10.20.0.253'])
  await here.looksWell('late-lan')
})

test('the server of a port forward is chosen from connected clients, or typed', async () => {
  await reaches('c1')
  const known = await until(async () => {
    await here.client.must('devices/sync', { id: gateway })
    const { result } = (await here.client.must('clients/list', { pageSize: 100 })) as { result: { address?: string }[] }
    return result.find(one => one.address)?.address
  })
  await page.goto('/network/1/settings/firewall/port/form')
  const server = page.getByLabel('Server', { exact: true })
  await server.waitFor()
  const proposed = page.locator(`datalist#${await server.getAttribute('list')} option[value="${known}"]`)
  await proposed.waitFor({ state: 'attached' })
  await server.fill(known)
  await proposed.waitFor({ state: 'attached' })
  await here.looksWell('late-forward')
  await server.fill('10.77.0')
  await server.blur()
  await wrong().first().waitFor()
})

test('a role gets all features at once, by mouse and by key, and each can be changed after', async () => {
  await page.goto('/organization/users/roles/form')
  const at = (feature: string, level: string) =>
    page.getByRole('group', { name: feature, exact: true }).getByRole('button', { name: level, exact: true })
  const pressed = (feature: string, level: string) =>
    until(async () => (await at(feature, level).getAttribute('aria-pressed')) === 'true')
  await at('All features', 'Read').click()
  await pressed('All features', 'Read')
  await pressed('Wi-Fi', 'Read')
  await here.looksWell('late-role')
  await at('All features', 'Edit').focus()
  await page.keyboard.press('Enter')
  await pressed('Wi-Fi', 'Edit')
  await pressed('Metrics for collectors', 'Read')
  await pressed('All features', 'Edit')
  await at('Wi-Fi', 'None').click()
  await pressed('Wi-Fi', 'None')
  expect(await at('All features', 'Edit').getAttribute('aria-pressed')).toBe('false')
})

test('the dashboard’s count of clients leads to their list', async () => {
  await page.goto('/network/1/dashboard')
  await page.getByRole('link', { name: /^Clients now/ }).click()
  await page.waitForURL('**/network/1/clients')
})

const radius = async () =>
  (await here.client.must('settings/radius/list', { networkId: 1 })).result as Record<string, unknown>[]
const type = async (label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).first().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

test('G3: a RADIUS server by its name; each number is refused beyond its bound', async () => {
  await page.goto('/network/1/settings/profiles?tab=radius')
  await page
    .getByRole('link', { name: /^Add RADIUS/ })
    .first()
    .click()
  await page.getByLabel('Name', { exact: true }).fill('Harbour master')
  await page.getByLabel('Server', { exact: true }).first().fill('radius harbour')
  await page.getByLabel('Secret', { exact: true }).first().fill('open sesame')
  await page.getByText('Secret is set.').waitFor()
  for (const [label, beyond] of [
    ['Framed protocol', '256'],
    ['Retry timeout', '121'],
    ['Retries', '6'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(beyond)
  await page.getByLabel('Retries', { exact: true }).blur()
  await until(async () => (await wrong().count()) === 4)
  await here.looksWell('late-radius-wrong')
  // The rest by key.
  await type('Server', 'radius.harbour.example')
  await type('Framed protocol', '1')
  await type('Retry timeout', '5')
  await type('Retries', '3')
  await until(async () => (await wrong().count()) === 0)
  await here.looksWell('late-radius')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/profiles\?tab=radius|\/profiles$/)
  const numbers = { protocol: 1, retryTimeout: 5, retries: 3 }
  expect(await radius()).toMatchObject([{ server: 'radius.harbour.example', ...numbers }])
})

const browserCard = () => page.getByRole('region', { name: 'This browser only' })
const theme = (wanted: string) => page.waitForFunction(it => document.documentElement.dataset.theme === it, wanted)

test('by key: network and appearance of this browser alone, and back to the account’s', async () => {
  const place = { country: 'PT', timezone: 'Europe/Lisbon' }
  await here.client.must('networks/add', { networkName: 'Shipyard', ...place })
  await page.goto('/account/settings')
  await browserCard().waitFor()
  await here.looksWell('late-browser')
  await browserCard().getByLabel('Appearance').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Dark' }).press('Enter')
  await theme('dark')
  await browserCard().getByLabel('Network').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Shipyard' }).waitFor()
  await page.keyboard.type('Shipyard')
  await page.keyboard.press('Enter')
  await browserCard().getByLabel('Network').filter({ hasText: 'Shipyard' }).waitFor()
  await page.goto('/')
  await page.waitForURL('**/network/2/dashboard')
  await page.goto('/account/settings')
  await browserCard().getByRole('button', { name: 'Use the account’s settings' }).focus()
  await page.keyboard.press('Enter')
  await theme('system')
  await browserCard().getByLabel('Network').filter({ hasNotText: 'Shipyard' }).waitFor()
})

test('by key: a list comes back by the menu as it was left', async () => {
  await page.goto('/network/1/devices')
  await page.getByRole('search').getByRole('textbox').focus()
  await page.keyboard.type('sw2')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=sw2/)
  await here.row('gw').waitFor({ state: 'detached' })
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Alerts' }).focus()
  await page.keyboard.press('Enter')
  await here.heading('Alerts')
  await menu.getByRole('link', { name: 'Devices' }).focus()
  await page.keyboard.press('Enter')
  await here.heading('Devices')
  await page.waitForURL(/q=sw2/)
  expect(await page.getByRole('search').getByRole('textbox').inputValue()).toBe('sw2')
})

const run = async () => (await page.request.get('/app/health')).headers()['x-lanward-run'] ?? ''
const waiting = async () => {
  const to = '/network/1/settings/lan'
  await page.goto(`/router/processing?${new URLSearchParams({ to, run: await run() })}`)
  await here.heading('Lanward is restarting')
}

test('the page that waits for the manager: by mouse and by key at once, by itself when another run answers', async () => {
  const target = '**/network/1/settings/lan'
  await waiting()
  await here.looksWell('late-processing')
  await page.getByRole('link', { name: 'Try now' }).click()
  await page.waitForURL(target)
  await waiting()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(target)
  await waiting()
  await here.manager.restart()
  await page.waitForURL(target)
  await here.heading('LAN')
  // While it was away, it could not be asked.
  here.browser.faults()
})

test('a manager that stays away: after three minutes the page says where to look, and keeps trying', async () => {
  await page.clock.install()
  await waiting()
  await page.clock.runFor(181_000)
  await page.getByText('Lanward has not come back yet').waitFor()
  await here.looksWell('late-processing-long')
  await page.clock.resume()
})
