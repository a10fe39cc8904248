// The list beside a long form says which of its sections is read: scrolled, chosen, and by key.
import type { Page } from 'playwright-core'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page

beforeAll(async () => {
  one = await openConsole('Wharf')
  page = await one.browser.page()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/network/1/settings/wifi/form')
  await page.getByLabel('Name (SSID)').waitFor()
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const list = () => page.locator('.section-links')
const marked = () => list().locator('[aria-current=location]')
const names = () => list().locator('a').allTextContents()
/** Waits until this section is marked, and it alone. */
async function read(name: string | undefined): Promise<void> {
  await list().locator('a[aria-current=location].on', { hasText: name }).waitFor()
  expect(await marked().allTextContents()).toEqual([name])
}
const scrollTo = (y: number) => page.evaluate(top => window.scrollTo(0, top), y)
const furthest = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)

test('the mark goes with the page, from the first to the last section and back', async () => {
  const all = await names()
  expect(all.length).toBeGreaterThan(3)
  await read(all[0])
  const end = await furthest()
  expect(end).toBeGreaterThan(500)
  await scrollTo(end)
  await read(all.at(-1))
  await scrollTo(0)
  await read(all[0])
  // The wheel as a person turns it: each has its turn.
  await page.mouse.move(700, 500)
  const seen = new Set([all[0]])
  for (let turn = 0; turn < 1000 && !seen.has(all.at(-1)); turn++) {
    const before = await page.evaluate(() => window.scrollY)
    await page.mouse.wheel(0, 10)
    await page.waitForFunction(y => window.scrollY !== y, before)
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    seen.add((await marked().textContent()) ?? '')
  }
  expect([...seen]).toEqual(all)
})

test('a section that was chosen is marked, wherever the page ends, and its heading is in sight', async () => {
  for (const name of (await names()).toReversed()) {
    await list().getByRole('link', { name }).click()
    await read(name)
  }
  await list().locator('a').nth(2).focus()
  await page.keyboard.press('Enter')
  const [, , third] = await names()
  await read(third)
  const covered = await page.evaluate(() => {
    const heading = document.querySelector(`[id="${location.hash.slice(1)}"]`) as HTMLElement
    const { left, top } = heading.getBoundingClientRect()
    return !heading.contains(document.elementFromPoint(left + 30, top + 30))
  })
  expect(covered).toBe(false)
})
