import type { Page } from 'playwright-core'

const made =
  'img[src="x"], iframe, base, object, meta[http-equiv="refresh"], [onload], [onerror], [onfocus], [onmouseover], a[href^="javascript:" i], a[href^="data:" i]'

/** The names of tests/_xss.ts stand on the page as text: none of them became a part of it, and nothing of them ran. */
export async function nothingMade(page: Page, path: string): Promise<void> {
  expect([path, await page.locator(made).count()]).toEqual([path, 0])
  expect([path, await page.evaluate(() => 'hit' in window)]).toEqual([path, false])
}

/** The screen at `path` shows all of `wanted` as they were typed, and nothing of them became a part of the page. */
export async function shownAsText(page: Page, path: string, wanted: readonly string[] = []): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(
    texts => texts.every(text => document.querySelector('main')?.textContent.includes(text)),
    [...wanted],
  )
  await nothingMade(page, path)
}
