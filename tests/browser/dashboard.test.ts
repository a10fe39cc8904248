// The dashboard of a network with a real gateway, and each person's own choice of its tiles.
import type { Page } from 'playwright-core'
import { lab, until } from '../lab/_lab'
import { scrollsSideways } from './_browser'
import { adopting, type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  one = await openConsole('Mole', {}, adopting(addresses.gw, credentials.ssh))
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const tile = (name: string) => page.getByRole('region', { name, exact: true })
const shown = () => page.locator('[data-tile]').evaluateAll(all => all.map(one => one.getAttribute('data-tile')))

test('a gateway’s network shows its internet connections, its clients and what they are', async () => {
  await page.goto('/network/1/dashboard')
  await page.getByText('of 1 online').first().waitFor()
  await until(async () => (await shown()).includes('wan'))
  await tile('Internet')
    .getByText('Only the link is known', { exact: false })
    .or(tile('Internet').getByText('Latency'))
    .first()
    .waitFor()
  // The lab's clients are behind the gateway.
  await tile('Clients').getByText('Wired').waitFor({ timeout: 150_000 })
  await tile('Clients').getByRole('button', { name: 'Manufacturer' }).click()
  await tile('Clients')
    .getByText(/Private MAC|Unknown/)
    .first()
    .waitFor()
  await tile('Clients').getByRole('button', { name: 'SSID' }).focus()
  await page.keyboard.press('Enter')
  await tile('Clients').getByText('Wired').waitFor()
  await one.looksWell('dashboard-tiles', { dark: true })
})

test('guests stand in the strip of figures, and lead to their list', async () => {
  const database = databaseOf(one.manager)
  const now = Date.now()
  const insert = database.prepare(
    `INSERT INTO guests (organization, network, lan, lan_name, method, mac, address, label, started, ends, idle_seconds,
       active_at, counted_at, state, ended) VALUES (1, 1, 'x', 'Guest LAN', ?, ?, '10.66.0.21', '', ?, ?, 300, ?, ?, ?, ?)`,
  )
  for (const [index, [method, state]] of [
    [12, 1],
    [12, 1],
    [13, 1],
    [12, 2],
  ].entries())
    insert.run(
      method,
      `02:00:5e:10:00:d${index}`,
      now - 60_000,
      now + 3_600_000,
      now,
      now,
      state,
      state === 2 ? now : null,
    )
  database.close()
  await page.goto('/network/1/dashboard')
  const guests = page.getByRole('link', { name: /^Guests now/ })
  await guests.getByText('refused', { exact: false }).waitFor()
  // The gateway knows none of them, so that they may count as gone meanwhile; that they came stays.
  await guests.getByText('3 today, 1 refused').waitFor()
  await one.looksWell('dashboard-guests', { dark: true })
  await guests.click()
  await page.waitForURL('**/network/1/guests/status')
})

test('what needs attention says since when, in the person’s own zone and format, what is worse first', async () => {
  const at = new Date(Date.now() - 86_400_000).setUTCHours(14, 42, 7, 0)
  const looks = (timezone: string, hour: 12 | 24) =>
    one.client.must('account/save', { timezone, timeFormat: { format: 'dd/MM/yyyy', hour } })
  const database = databaseOf(one.manager)
  const device = database.prepare(
    `INSERT INTO devices (organization, network, mac, name, remarks, address, port, driver, kind, vendor, model, serial,
       firmware, facts, status, status_at, seen_at, reason, reason_at, created_at)
     VALUES (1, 1, '', ?, '', ?, 161, 'snmp', 'switch', '', '', '', '', '{}', ?, ?, ?, ?, ?, 1)`,
  )
  const now = Date.now()
  device.run('SW-Unread', '192.0.2.1', 1, 1, now, 'malformed', at)
  device.run('SW-Odd', '192.0.2.2', 1, 1, now, 'malformed', null)
  device.run('SW-Off', '192.0.2.3', 0, at - 60_000, at - 90_000, 'timeout', at - 90_000)
  database.close()
  const line = (name: string) => tile('Needs attention').getByRole('listitem').filter({ hasText: name })
  const day = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: '2-digit', month: '2-digit', year: 'numeric' }).format(at)
  await looks('Asia/Kolkata', 12)
  await page.goto('/network/1/dashboard')
  await line('SW-Unread')
    .getByText(`Since ${day('Asia/Kolkata')} 8:12 PM`, { exact: true })
    .waitFor()
  await line('SW-Off')
    .getByText(`Since ${day('Asia/Kolkata')} 8:11 PM`, { exact: true })
    .waitFor()
  expect(await line('SW-Odd').textContent()).not.toContain('Since')
  const names = await tile('Needs attention').getByRole('listitem').locator('.name').allInnerTexts()
  const places = ['SW-Off', 'SW-Unread', 'SW-Odd'].map(name => names.indexOf(name))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBe(0)
  await one.looksWell('dashboard-since', { dark: true })
  await looks('Pacific/Auckland', 24)
  await page.reload()
  const auckland = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', timeStyle: 'short' }).format(at)
  await line('SW-Unread')
    .getByText(`Since ${day('Pacific/Auckland')} ${auckland}`, { exact: true })
    .waitFor()
  // Of today the time says it; today ends nowhere while this runs.
  const hour = new Date().getUTCHours()
  const zone = hour > 2 && hour < 22 ? 'UTC' : 'Asia/Tokyo'
  const gone = Date.now() - 5000
  const again = databaseOf(one.manager)
  again.prepare(`UPDATE devices SET reason_at = ? WHERE name = 'SW-Unread'`).run(gone)
  again.close()
  await looks(zone, 24)
  await page.reload()
  await line('SW-Unread')
    .getByText(`Since ${new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(gone)}`, {
      exact: true,
    })
    .waitFor()
  const last = databaseOf(one.manager)
  last.prepare(`DELETE FROM devices WHERE name LIKE 'SW-%'`).run()
  last.close()
})

const row = (name: string) => page.getByRole('row').filter({ hasText: name })

test('tiles are taken away, made wider and moved by mouse; the page shows them so, also to a browser that comes anew', async () => {
  await page.goto('/network/1/dashboard')
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.waitForURL('**/network/1/dashboard/form')
  await page.getByRole('checkbox', { name: 'Show Alerts' }).click()
  await page.getByRole('checkbox', { name: 'Show Clients over time' }).click()
  await page.getByRole('group', { name: 'Width of Clients over time' }).getByRole('button', { name: '2/3' }).click()
  const grip = row('Clients over time').getByRole('button', { name: 'Move' })
  await grip.hover()
  await page.mouse.down()
  await row('Throughput').hover()
  await page.mouse.up()
  await until(async () => (await page.locator('.dashboard-preview li').allInnerTexts())[3] === 'Clients over time')
  await one.looksWell('dashboard-form', { dark: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/network/1/dashboard')
  const wanted = ['counts', 'wan', 'attention', 'clientsOverTime', 'throughput', 'clients', 'topDevices']
  await until(async () => (await shown()).join() === wanted.join())
  await page.reload()
  await tile('Clients over time').getByText('Returning').waitFor()
  expect(await shown()).toEqual(wanted)
  const wide = await page.locator('[data-tile=clientsOverTime]').boundingBox()
  const narrow = await page.locator('[data-tile=attention]').boundingBox()
  expect((wide?.width ?? 0) / (narrow?.width ?? 1)).toBeGreaterThan(1.9)
  await one.looksWell('dashboard-own', { dark: true })
})

test('the same by keys alone, and reset', async () => {
  await page.goto('/network/1/dashboard/form')
  await row('Top devices').getByRole('button', { name: 'Move' }).focus()
  const places = async () => (await page.locator('.dashboard-preview li').allInnerTexts()).indexOf('Top devices')
  for (let place = await places(); place > 1; place--) {
    await page.keyboard.press('ArrowUp')
    await until(async () => (await places()) === place - 1)
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'Move' }))
      .waitFor()
  }
  await page.getByRole('checkbox', { name: 'Show Throughput' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('group', { name: 'Width of Top devices' }).getByRole('button', { name: 'Full' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/network/1/dashboard')
  await until(async () => (await shown()).slice(0, 2).join() === 'counts,topDevices')
  expect(await shown()).not.toContain('throughput')
  await page.goto('/network/1/dashboard/form')
  await page.getByRole('button', { name: 'Reset' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/network/1/dashboard')
  await until(async () => (await shown())[1] === 'wan')
  await page.goto('/network/1/dashboard/form')
  await page.getByRole('checkbox', { name: 'Show Alerts' }).waitFor()
  expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0)
})

test('leaving what is changed asks first; a dashboard without tiles says how to get some; a phone has one column', async () => {
  await page.goto('/network/1/dashboard/form')
  const chosen = page.getByRole('checkbox', { checked: true })
  await chosen.first().waitFor()
  for (let left = await chosen.count(); left > 0; left--) {
    await chosen.first().click()
    await until(async () => (await chosen.count()) === left - 1)
  }
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('No tiles chosen.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/network/1/dashboard')
  await page.getByText('This dashboard has no tiles.').waitFor()
  await one.client.must('dashboard/save', { networkId: 1, tiles: null })
  const small = await one.browser.page({ width: 390, height: 844 })
  await small.goto('/network/1/dashboard')
  await small.locator('[data-tile]').nth(3).waitFor()
  const lefts = await small.locator('[data-tile]').evaluateAll(all => all.map(one => one.getBoundingClientRect().left))
  expect(new Set(lefts).size).toBe(1)
  expect(await scrollsSideways(small)).toBe(false)
  await small.close()
})

test('nothing moves while the page comes: its tiles stand where they stay', async () => {
  const fresh = await one.browser.page()
  await fresh.goto('/network/1/dashboard')
  await fresh.locator('[data-tile=topDevices] table, [data-tile=topDevices] .empty').first().waitFor()
  const shift = await fresh.evaluate(
    () =>
      new Promise<number>(done => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => done(sum)))
      }),
  )
  expect(shift).toBeLessThan(0.05)
  await fresh.close()
})
