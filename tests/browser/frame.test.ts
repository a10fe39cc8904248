// What every page shares: charts, the search, rows of lists, and a manager out of reach.
import type { Locator, Page, Request } from 'playwright-core'
import { lab, until } from '../lab/_lab'
import { phone, wide } from './_browser'
import { type Console, openConsole } from './_console'

let here: Console
let page: Page

beforeAll(async () => {
  here = await openConsole()
  page = here.page
  const { addresses, credentials } = here.site
  const { user, password } = credentials.ssh
  await Promise.all([
    here.adopt({ address: addresses.sw1, login: { type: 'snmp2c', community: credentials.snmp.read } }),
    here.adopt({ address: addresses.ap1, login: { type: 'ssh', user, password } }),
  ])
  await here.client.must('settings/ssid/save', {
    ...{ networkId: 1, name: 'Harbour Guest', security: 'wpa2', key: 'correct horse' },
    assign: { all: true, groups: [], devices: [] },
  })
})
afterAll(() => here?.close())
afterEach(() => expect(here.browser.faults()).toEqual([]))

type Watched = { drawn: string[] }

/** Watches a chart from now on. Asked, the page is shown 60 times more: each drawing since, by the way that led to it. */
async function drawingsOf(chart: Locator): Promise<() => Promise<string[]>> {
  const canvas = await chart.locator('canvas').evaluateHandle(one => {
    const watched = Object.assign(one, { drawn: [] as string[] })
    const { prototype } = CanvasRenderingContext2D
    const { clearRect } = prototype
    prototype.clearRect = function (...area) {
      if (this.canvas === one) watched.drawn.push(new Error('drawn').stack ?? '')
      return clearRect.apply(this, area)
    }
    return watched as Watched
  })
  return () =>
    canvas.evaluate(async ({ drawn }) => {
      for (let frame = 0; frame < 60; frame++) await new Promise(requestAnimationFrame)
      return drawn
    })
}

/** Nothing new comes to the page: its calls are held, once those on their way are answered. The end lets them go. */
async function nothingNew(): Promise<() => Promise<void>> {
  const isCall = (url: URL) => url.pathname.startsWith('/app/')
  let letGo: () => void = () => undefined
  const held = new Promise<void>(done => {
    letGo = done
  })
  const left = new Set<Request>()
  const note = (request: Request) => void (isCall(new URL(request.url())) && left.add(request))
  const forget = (request: Request) => void left.delete(request)
  page.on('request', note).on('requestfinished', forget).on('requestfailed', forget)
  await page.route(isCall, async (route, request) => {
    forget(request)
    await held
    await route.continue()
  })
  await until(async () => left.size === 0)
  page.off('request', note).off('requestfinished', forget).off('requestfailed', forget)
  return async () => {
    letGo()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

test('arrow keys walk a chart and tell its values, and nothing is drawn anew under a mouse that rests', async () => {
  const chart = page.getByRole('slider', { name: /^Throughput/ })
  await until(async () => {
    await page.goto('/network/1/dashboard')
    return chart.waitFor({ timeout: 15_000 }).then(
      () => true,
      () => false,
    )
  })
  await chart.locator('canvas').waitFor()
  const goOn = await nothingNew()
  const drawings = await drawingsOf(chart)
  await chart.hover()
  await page.locator('.chart-tip').waitFor()
  expect(await drawings()).toEqual([])
  await chart.focus()
  await page.keyboard.press('End')
  const told = () => chart.getAttribute('aria-valuetext')
  await until(async () => /Download .*Upload/.test((await told()) ?? ''))
  const last = await chart.getAttribute('aria-valuenow')
  await page.keyboard.press('ArrowLeft')
  await until(async () => Number(await chart.getAttribute('aria-valuenow')) === Number(last) - 1)
  await page.keyboard.press('Home')
  await until(async () => (await chart.getAttribute('aria-valuenow')) === '0')
  expect(await drawings()).toEqual([])
  await goOn()
  // Its room and its lines come with the page itself.
  const html = await (await page.request.get('/network/1/dashboard')).text()
  expect(html).toMatch(/class="plot"[^>]* style="block-size:232px"/)
  expect(html).toContain('<svg class="sketch')
})

test('on a slow line a press on the menu shows at once that it was heard', async () => {
  await page.goto('/network/1/devices')
  await page.locator('.foot .status.ok').waitFor()
  let go: () => void = () => undefined
  const held = new Promise<void>(done => {
    go = done
  })
  const isScreen = (url: URL) => url.searchParams.has('_rsc')
  await page.route(isScreen, async route => {
    await held
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' }).click()
  await page.locator('.nav .pressed').waitFor({ state: 'attached' })
  await page.locator('.opening').waitFor({ state: 'attached' })
  go()
  await here.heading('Alerts')
  await page.locator('.opening').waitFor({ state: 'detached' })
  await page.unroute(isScreen)
})

test('a device is left out of a push by a box that is seen', async () => {
  await page.goto('/network/1/settings/review')
  const box = page.getByRole('checkbox', { name: 'Push to ap1' })
  await box.uncheck()
  const look = () =>
    box.evaluate(one => {
      const { width, height } = one.getBoundingClientRect()
      return { width, height, edge: Number.parseFloat(getComputedStyle(one).borderTopWidth) >= 1 }
    })
  expect(await look()).toEqual({ width: 16, height: 16, edge: true })
  await box.check()
})

/** The switch's page, once its neighbours were read; they come with no poll of the first minutes. */
async function openSwitch(): Promise<void> {
  await here.openDevice('sw1')
  await until(
    async () => {
      await here.press('Read now')
      return (await page.getByRole('link', { name: 'ap1', exact: true }).count()) > 0
    },
    { everyMs: 1000 },
  )
}

const found = () => page.locator('#jump-hits').getByRole('option')
const typed = (text: string) => page.getByRole('combobox').fill(text)

test('the search finds screens by tab, settings, clients, ports and what can be begun, and nothing else', async () => {
  await openSwitch()
  await page.goto('/network/1/dashboard')
  await page.keyboard.press('Control+k')
  await typed('dash')
  await found().filter({ hasText: 'Dashboard' }).waitFor()
  await typed('backup')
  await found().filter({ hasText: 'Back up now' }).waitFor()
  expect((await found().allTextContents()).filter(text => !/back ?up/i.test(text))).toEqual([])
  await typed('port forward')
  await found().filter({ hasText: 'Port forwarding' }).waitFor()
  await typed('add wi-fi')
  await found().filter({ hasText: 'Add Wi-Fi network' }).waitFor()
  await typed('harbour guest')
  await found().filter({ hasText: 'Harbour Guest' }).click()
  await here.heading('Harbour Guest')
  await page.keyboard.press('Control+k')
  await typed('sw1 p2')
  await found().filter({ hasText: 'Port p2' }).click()
  await page.getByRole('dialog').getByText('ap1 by LLDP').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/detail\?id=\d+$/)
})

test('a client is found by its MAC, its name and its address, and leads to where it is connected', async () => {
  const { result } = await until(async () => {
    // A switch forgets in five minutes who says nothing.
    await lab.in('c1', ['ping', '-c', '1', '-W', '2', here.site.addresses.gw])
    const answer = await here.client.must('clients/list', { networkId: 1, page: 1, pageSize: 10 })
    return (answer.result as { port?: string }[]).some(one => one.port === 'p3') && answer
  })
  const one = (result as { port?: string; mac: string; address?: string }[]).find(({ port }) => port === 'p3')
  await page.goto('/network/1/dashboard')
  await page.keyboard.press('Control+k')
  await typed(one?.mac.toUpperCase() ?? '')
  await found().filter({ hasText: 'p3, sw1' }).click()
  await page.waitForURL('**/clients/detail?id=*')
  await page
    .getByText(one?.mac.toUpperCase() ?? '')
    .first()
    .waitFor()
  const connection = page.getByRole('region', { name: 'Connection' })
  await connection.getByRole('link', { name: 'sw1' }).waitFor()
  await connection.getByRole('link', { name: 'p3' }).waitFor()
})

test('a search for what is nowhere says so, and names nothing', async () => {
  await page.goto('/network/1/dashboard')
  await page.keyboard.press('Control+k')
  await typed('zzz')
  await page.getByText('Nothing found', { exact: true }).waitFor()
  expect(await found().count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('a row opens by one press anywhere on it, also on a phone and by the keyboard; Esc empties the boxes', async () => {
  await page.goto('/network/1/devices')
  const row = here.row('ap1')
  await row.locator('td').nth(3).click()
  await page.waitForURL('**/devices/detail?id=*')
  await page.goBack()
  await page.setViewportSize(phone)
  await row.locator('td.phone-state').click()
  await page.waitForURL('**/devices/detail?id=*')
  await page.setViewportSize(wide)
  await page.goto('/network/1/devices')
  await row.getByRole('checkbox').check()
  await row.focus()
  await page.getByText('1 selected', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('1 selected', { exact: true }).waitFor({ state: 'detached' })
  await row.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/devices/detail?id=*')
})

test('a manager out of reach is said at once, and no press leads out of the console', async () => {
  await page.goto('/network/1/devices')
  await page.getByText('Live', { exact: true }).first().waitFor()
  const context = page.context()
  await context.setOffline(true)
  await page.getByText(/^Lanward cannot be reached/).waitFor()
  expect(await page.getByText('Live', { exact: true }).filter({ visible: true }).count()).toBe(0)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' }).click()
  await page.getByText('The next page opens once Lanward answers again.').first().waitFor()
  await context.setOffline(false)
  await here.heading('Alerts')
  await page.getByText(/^Lanward cannot be reached/).waitFor({ state: 'detached' })
  // Requests that were cut on purpose are no fault of the page.
  here.browser.faults()
})

test('the chips of the devices name each state, and list what waits for a push', async () => {
  await page.goto('/network/1/devices')
  const chip = (name: RegExp) => page.getByRole('group', { name: 'State' }).getByRole('button', { name })
  for (const name of [/^All 2/, /^Online 2/, /^Offline 0/, /^Connecting 0/]) await chip(name).waitFor()
  await chip(/^Modified 1/).click()
  await page.waitForURL('**/devices?modified=1*')
  await here.row('ap1').waitFor()
  await here.row('sw1').waitFor({ state: 'detached' })
  const file = await page.request.get('/app/exports/devices?networkId=1&modified=1')
  expect((await file.text()).split('\r\n').filter(line => /ap1|sw1/.test(line))).toHaveLength(1)
})

test('a device’s page: its name in the window, radios of an access point, and what it does not tell in one line', async () => {
  await here.openDevice('ap1')
  await until(async () => /^ap1/.test(await page.title()))
  await page.getByRole('region', { name: 'Radios' }).locator('.radio').first().waitFor()
  expect(await page.locator('.front-panel').count()).toBe(0)
  const about = page.getByRole('region', { name: 'Facts' })
  await about.getByText(/^Not reported by this device: /).waitFor()
  expect(await about.getByText('n/a').count()).toBe(0)
  await here.looksWell('device-ap')
})

test('neighbours lead to their own pages, and ports to what is known of them', async () => {
  await openSwitch()
  await page.getByRole('link', { name: 'p2', exact: true }).first().click()
  await page.getByRole('dialog').getByText('ap1 by LLDP').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'ap1', exact: true }).first().click()
  await here.heading('ap1')
})

test('on paper there is what the page says, without menu and buttons', async () => {
  await page.goto('/network/1/devices')
  await here.row('ap1').waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const name of ['Add devices', 'Columns']) expect(await page.getByText(name).first().isVisible()).toBe(false)
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  expect(await here.row('ap1').isVisible()).toBe(true)
  await page.emulateMedia({ media: null })
})

test('dates and times are typed as the account writes them', async () => {
  await here.client.must('account/save', { timeFormat: { format: 'dd/MM/yyyy', hour: 12 } })
  await page.goto('/network/1/settings/firewall/blocked/form')
  await page.getByLabel('MAC address').fill('02:00:00:00:00:09')
  const until = page.getByLabel('Until', { exact: true })
  await until.fill('24/12/2036 6:30 pm')
  await until.blur()
  expect(await until.inputValue()).toBe('24/12/2036 6:30 PM')
  await until.fill('some day')
  await until.blur()
  await page.getByText('Enter it like this: 24/12/2026 6:30 PM.').waitFor()
  await page.goto('about:blank')
})
