// The topology's drawing by key and by mouse: looked at from near and far, arranged, and taken away.
import { readFileSync } from 'node:fs'
import { wiringOf } from '../app/topology/_wiring'
import { until } from '../lab/_lab'
import { begin, end, here, node, open, page, side, transform } from './_topology'

beforeAll(begin)
afterAll(end)
afterEach(() => expect(here.browser.faults()).toEqual([]))

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
