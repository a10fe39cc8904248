// How much a browser loads before the pages that people open most can be used: in bytes of what it really fetches.
import { frameworkKb, gzipKb, scriptsOf } from '../bench/bundles'
import { type Console, openConsole } from './_setup'

let one: Console

beforeAll(async () => {
  one = await openConsole('Wharf')
})
afterAll(() => one?.end())

/** Scripts that come with the page, and all that it has fetched once it is at rest; gzip kB over the framework. */
async function load(path: string, shown: string): Promise<{ first: number; whole: number }> {
  const page = await one.browser.page()
  await page.goto('about:blank')
  const fetched = new Set<string>()
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (/^\/_next\/static\/.*\.js$/.test(pathname)) fetched.add(pathname)
  })
  const answer = await page.goto(path)
  await page
    .getByLabel(shown)
    .or(page.getByRole('heading', { name: shown }))
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
  const named = scriptsOf((await answer?.text()) ?? '')
  await page.close()
  expect(named.size).toBeGreaterThan(0)
  const framework = frameworkKb()
  return { first: gzipKb(named) - framework, whole: gzipKb(new Set([...named, ...fetched])) - framework }
}

// `whole` has what comes once the page is drawn: of a form its kind with the rules, and zod.
test.each([
  ['/network/1/dashboard', 'Dashboard', { first: 130, whole: 135 }],
  ['/network/1/settings/wifi/form', 'Name (SSID)', { first: 129, whole: 172 }],
  ['/login', 'Account', { first: 40, whole: 40 }],
])('%s loads no more than its share', async (path, shown, most) => {
  if (path === '/login') await one.page.context().clearCookies()
  const { first, whole } = await load(path, shown)
  console.info(`${path}: ${first.toFixed(1)} kB first, ${whole.toFixed(1)} kB in all`)
  expect(first).toBeLessThan(most.first)
  expect(whole).toBeLessThan(most.whole)
})
