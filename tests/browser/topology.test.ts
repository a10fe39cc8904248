// The topology as a person looks at it: the lab's real wiring drawn, what is known of each part, and the same as a list.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { wiringOf } from '../app/topology/_wiring'
import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

let here: Console
let page: Page

type Link = { upper: { node: string }; lower: { node: string }; certainty: string }

/** The drawn cables of the lab are all there. */
async function wired(): Promise<void> {
  await until(
    async () => {
      for (const id of [1, 2, 3]) await here.client.must('devices/sync', { networkId: 1, id })
      const { links } = (await here.client.must('topology/get', { networkId: 1 })) as { links: Link[] }
      const told = links
        .filter(one => one.certainty === 'certain')
        .map(one => [one.upper.node, one.lower.node].join(' '))
      return ['d1 d2', 'd2 d3'].every(cable => told.includes(cable))
    },
    { timeoutMs: 180_000, everyMs: 3000 },
  )
}

beforeAll(async () => {
  here = await openConsole()
  page = here.page
  const { addresses, credentials } = here.site
  const { user, password } = credentials.ssh
  await Promise.all([lab.reset('gw'), lab.reset('ap1'), lab.reset('sw1')])
  await here.adopt({ address: addresses.gw, login: { type: 'ssh', user, password } })
  await here.adopt({ address: addresses.sw1, login: { type: 'snmp2c', community: credentials.snmp.read } })
  await here.adopt({ address: addresses.ap1, login: { type: 'ssh', user, password } })
})
afterAll(() => here?.close())
afterEach(() => expect(here.browser.faults()).toEqual([]))

const node = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })
const side = (name: string | RegExp) => page.getByRole('complementary', { name })
const transform = () => page.locator('.topo-drawing > g').first().getAttribute('transform')
const open = async (query = '') => {
  await page.goto(`/network/1/insight/topology${query}`)
  await here.heading('Topology')
  await node('sw1').waitFor()
}

test('the menu leads to the map, where a device says by mouse what is known of it', async () => {
  await wired()
  await page.goto('/network/1/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await here.press('Insight')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topology', exact: true }).click()
  await page.waitForURL('**/insight/topology')
  await node('gw').waitFor()
  await here.looksWell('topology')
  await node('sw1').click()
  const panel = side('sw1')
  await panel.getByText('Switch', { exact: true }).waitFor()
  await panel
    .getByText('2 links')
    .or(panel.getByText(/\d links/))
    .first()
    .waitFor()
  await here.looksWell('topology-device')
  await panel.getByRole('button', { name: /^ap1/ }).click()
  const link = side(/sw1.*ap1/)
  await link.getByText('Certain', { exact: true }).waitFor()
  await link
    .getByText(/^LLDP, reported by/)
    .first()
    .waitFor()
  await link.getByRole('table', { name: 'Both ends' }).waitFor()
  await here.looksWell('topology-link')
  await link.getByRole('link', { name: 'Open ap1' }).click()
  await page.waitForURL('**/devices/detail?id=3')
})

test('the clients of a device unfold, and the links that carry a VLAN stand out', async () => {
  await open('?view=map&at=d2')
  const show = side('sw1').getByRole('button', { name: /^Show \d+ clients?$/ })
  await show.press('Enter')
  await page.locator('.topo-clients a').first().waitFor()
  await here.looksWell('topology-clients')
  await side('sw1').getByRole('button', { name: 'Hide clients' }).click()
  await side('sw1').getByRole('button', { name: 'gw', exact: true }).click()
  await side('gw').waitFor()
  await here.press('VLAN')
  await page.getByRole('menuitemcheckbox', { name: /^VLAN 1 / }).click()
  await page.waitForURL(/vlan=1/)
  await page.locator('.topo-link.carries').first().waitFor()
  await here.looksWell('topology-vlan')
  await page.getByRole('button', { name: /^VLAN 1 / }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'All VLANs' }).press('Enter')
  await page.locator('.topo-link.carries').first().waitFor({ state: 'detached' })
})

test('by key alone: from node to node, its details, larger and smaller, and moved', async () => {
  await open('?view=map')
  await page.getByRole('button', { name: 'Move nodes' }).focus()
  await page.keyboard.press('Tab')
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-node'))
  const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-node'))
  expect(await at()).toBe('d1')
  await page.keyboard.press('ArrowDown')
  expect(await at()).toBe('d2')
  await page.keyboard.press('Enter')
  await side('sw1').waitFor()
  await page.keyboard.press('ArrowUp')
  expect(await at()).toBe('d1')
  const first = await transform()
  await page.keyboard.press('+')
  const larger = await transform()
  expect(larger).not.toBe(first)
  await page.keyboard.press('Shift+ArrowRight')
  const moved = await transform()
  expect(moved).not.toBe(larger)
  await page.keyboard.press('-')
  await page.keyboard.press('0')
  expect(await transform()).not.toBe(moved)
  await side('sw1').getByRole('button', { name: 'Close' }).press('Enter')
  await side('sw1').waitFor({ state: 'detached' })
})

test('by mouse: dragged, larger by wheel and button, fitted; a drag opens nothing', async () => {
  await open('?view=map')
  const box = await page.locator('.topo-drawing').boundingBox()
  if (!box) throw new Error('no drawing')
  const before = await transform()
  const own = await node('gw').boundingBox()
  if (!own) throw new Error('no gateway')
  await page.mouse.move(own.x + 20, own.y + 20)
  await page.mouse.down()
  await page.mouse.move(own.x + 120, own.y + 80, { steps: 4 })
  await page.mouse.up()
  const dragged = await transform()
  expect(dragged).not.toBe(before)
  expect(await page.getByRole('complementary', { name: 'gw' }).count()).toBe(0)
  await page.mouse.wheel(0, -300)
  await page.waitForFunction(
    was => document.querySelector('.topo-drawing > g')?.getAttribute('transform') !== was,
    dragged,
  )
  await here.press('Zoom out')
  await here.press('Zoom in')
  await here.press('Fit to view')
  await page.getByText('Legend', { exact: true }).click()
  await page.getByText('Derived', { exact: true }).waitFor()
  await here.looksWell('topology-legend')
  // The cable itself is pressed between its ends.
  const [upper, lower] = [await node('gw').boundingBox(), await node('sw1').boundingBox()]
  if (!upper || !lower) throw new Error('not drawn')
  await page.mouse.click(lower.x + lower.width / 2, (upper.y + upper.height + lower.y * 3) / 4)
  await page.getByRole('complementary', { name: /gw.*sw1/ }).waitFor()
})

test('a device is found by its name, chosen and brought to the middle, by key', async () => {
  await open('?view=map')
  await page.getByRole('button', { name: 'Find a device' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Find a device' }).fill('ap1')
  await page.keyboard.press('Enter')
  await side('ap1').waitFor()
  expect(await node('ap1').getAttribute('aria-pressed')).toBe('true')
})

test('the list holds the same links, searched and opened by key; a phone begins with it', async () => {
  await open('?view=map')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'List' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/topology?view=list')
  await page.getByPlaceholder('Device or port').fill('ap1')
  await page.keyboard.press('Enter')
  await page.getByRole('row').filter({ hasText: 'ap1' }).first().waitFor()
  await page.getByRole('button', { name: 'Certainty', exact: true }).click()
  await page.waitForURL(/sort=certainty/)
  await page.getByRole('row').filter({ hasText: 'ap1' }).getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').getByRole('table', { name: 'Both ends' }).waitFor()
  await here.looksWell('topology-list')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/network/1/insight/topology')
  await page.getByPlaceholder('Device or port').waitFor()
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Map' }).click()
  await node('sw1').waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the path to the gateway is told link by link, and a device that is not there says so', async () => {
  await open('?view=map&at=d3')
  await side('ap1').getByRole('link', { name: 'Path to the gateway' }).click()
  await page.waitForURL('**/topology/detail?id=3')
  await here.heading('ap1')
  const rows = page.getByRole('table', { name: 'Path to the gateway' }).getByRole('row')
  await rows.nth(2).waitFor()
  expect(await rows.nth(1).textContent()).toMatch(/ap1.*sw1/)
  expect(await rows.nth(2).textContent()).toMatch(/sw1.*gw/)
  await here.looksWell('topology-way')
  await page.getByRole('link', { name: 'Show on the map' }).click()
  await side('ap1').waitFor()
  for (const wrong of ['99', 'x', '']) {
    await page.goto(`/network/1/insight/topology/detail?id=${wrong}`)
    await page.getByText('This device is not in the network.').waitFor()
  }
  await here.looksWell('topology-way-gone')
  // The refusal was asked for.
  here.browser.faults()
})

test('it is taken away as SVG, PNG and JSON, which hold every device', async () => {
  await open('?view=map')
  const save = async (item: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), here.choose('Export', item)])
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }
  const svg = await save('Drawing (SVG)')
  expect(svg.name).toMatch(/^topology-1-[\d-]+\.svg$/)
  const text = svg.bytes.toString()
  for (const name of ['gw', 'sw1', 'ap1']) expect(text).toContain(`>${name}<`)
  expect(text).not.toMatch(/class=|var\(|data-node/)
  const png = await save('Picture (PNG)')
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(png.bytes.length).toBeGreaterThan(2000)
  const json = JSON.parse((await save('Data (JSON)')).bytes.toString()) as { nodes: unknown[]; links: unknown[] }
  expect(json.nodes.length).toBeGreaterThanOrEqual(3)
  expect(json.links.length).toBeGreaterThanOrEqual(2)
})

test('a node is moved by key and by mouse, stays there for the next who looks, and is given back', async () => {
  await open('?view=map')
  const place = () => page.locator('[data-node=d3]').getAttribute('transform')
  const first = await place()
  await page.getByRole('button', { name: 'Move nodes' }).press('Enter')
  await node('ap1').focus()
  await page.keyboard.press('Alt+ArrowRight')
  const byKey = await place()
  expect(byKey).not.toBe(first)
  const own = await node('ap1').boundingBox()
  if (!own) throw new Error('not drawn')
  await page.mouse.move(own.x + 20, own.y + 10)
  await page.mouse.down()
  await page.mouse.move(own.x + 160, own.y + 110, { steps: 5 })
  await page.mouse.up()
  const byMouse = await place()
  expect(byMouse).not.toBe(byKey)
  await here.press('Reset positions')
  await page.keyboard.press('Escape')
  await until(async () => {
    const { places } = (await here.client.must('topology/get', { networkId: 1 })) as { places: Record<string, object> }
    return JSON.stringify(places).includes('d3')
  })
  await open('?view=map')
  await page.waitForFunction(
    was => document.querySelector('[data-node=d3]')?.getAttribute('transform') === was,
    byMouse,
  )
  await page.getByRole('button', { name: 'Move nodes' }).click()
  await here.looksWell('topology-moved')
  await here.press('Reset positions')
  await here.answer('Reset positions')
  await page.waitForFunction(was => document.querySelector('[data-node=d3]')?.getAttribute('transform') === was, first)
})

test('an uplink is set by hand, drawn as such, refused where it makes no sense, and taken back', async () => {
  await open('?view=map&at=d3')
  await side('ap1').getByRole('button', { name: 'Set link…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Connected to').click()
  await page.getByRole('option', { name: /^gw/ }).click()
  await here.looksWell('topology-by-hand')
  await here.answer('Set link')
  await page.getByText('ap1 is linked to gw.').first().waitFor()
  await side('ap1')
    .getByRole('button', { name: /^gw.*uplink/ })
    .press('Enter')
  const link = side(/gw.*ap1/)
  await link.getByText('Set by hand', { exact: true }).waitFor()
  await link.getByText(/^Uplink set by/).waitFor()
  await node('gw').click()
  await side('gw').getByRole('button', { name: 'Set link…' }).press('Enter')
  await dialog.getByLabel('Connected to').press('Enter')
  await page.keyboard.type('ap1')
  await page.keyboard.press('Enter')
  await here.answer('Set link')
  await dialog.getByText('This device is itself connected through the other one.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await side('gw').getByRole('button', { name: /^ap1/ }).click()
  await link.getByRole('button', { name: 'Remove' }).press('Enter')
  await side('No longer part of the topology').waitFor()
  // The refusal was asked for.
  here.browser.faults()
})

test('a thousand devices are drawn, one of them is found, and the view moves', async () => {
  const body = JSON.stringify({ retCode: 0, data: wiringOf(1000), type: 'ok' })
  await page.route('**/app/topology/get', route => route.fulfill({ contentType: 'application/json', body }))
  await page.goto('/network/1/insight/topology?view=map')
  await page.waitForFunction(() => document.querySelectorAll('[data-node]').length === 1000)
  const opened = await transform()
  await here.press('Fit to view')
  expect(await transform()).not.toBe(opened)
  await page.locator('.topo-drawing.far').waitFor()
  await page.getByRole('button', { name: 'Find a device' }).click()
  await page.getByRole('combobox', { name: 'Find a device' }).fill('ap-777')
  await page.keyboard.press('Enter')
  await side('ap-777').waitFor()
  await node('ap-777').waitFor()
  await here.looksWell('topology-thousand')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'List' }).click()
  await page.getByText('1–20 of 999').waitFor()
  await page.unroute('**/app/topology/get')
})

test('a network without devices says what to do, and an answer that fails can be asked for again', async () => {
  const empty = JSON.stringify({ retCode: 0, data: { nodes: [], links: [], uplinks: {}, places: {} }, type: 'ok' })
  let answer = { status: 200, contentType: 'application/json', body: empty }
  await page.route('**/app/topology/get', route => route.fulfill(answer))
  await page.goto('/network/1/insight/topology')
  await page.getByText('No devices yet').waitFor()
  await here.looksWell('topology-empty')
  answer = { ...answer, body: JSON.stringify({ retCode: 10001, data: {}, type: 'error' }) }
  await page.goto('/network/1/insight/topology')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await here.looksWell('topology-failed')
  await page.unroute('**/app/topology/get')
  await here.press('Try again')
  await node('gw').waitFor()
  here.browser.faults()
})
