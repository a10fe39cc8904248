// The speed test's page: from the manager against a web server of the test, refused input, cancel, results before.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Page
let files: Server
let address = ''

beforeAll(async () => {
  const piece = Buffer.alloc(1 << 16, 'x')
  files = createServer((request, response) => {
    if (request.url !== '/file') return void response.writeHead(404).end()
    const more = (): void => {
      while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', more)
    }
    more()
  })
  await new Promise<void>(done => files.listen(0, '127.0.0.1', done))
  address = `127.0.0.1:${(files.address() as AddressInfo).port}`
  one = await openConsole('Wharf')
  page = one.page
})
afterAll(async () => {
  files?.closeAllConnections()
  files?.close()
  await one?.end()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
async function choose(label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const rows = () => page.getByRole('table', { name: 'Earlier tests' }).locator('tbody tr')

test('from the dashboard’s Internet tile to a test; what is wrong stands at its field, and nothing has begun', async () => {
  await page.goto('/network/1/dashboard/speed-test')
  await page.getByText('No tests yet.').waitFor()
  await one.looksWell('speed-test-empty')
  await press('Start')
  await page.locator('.field-error').first().waitFor()
  await page.getByLabel('Server address', { exact: true }).fill('not a name')
  await press('Start')
  await page.locator('.field-error').first().waitFor()
  expect(await rows().count()).toBeLessThanOrEqual(1)
  await page.getByText('No tests yet.').waitFor()
})

test('by HTTP: live, its result, and the same server is offered again', async () => {
  await choose('Kind of server', 'HTTP')
  await page.getByLabel('Download address', { exact: true }).fill(`http://${address}/file`)
  await page.getByLabel('Download address', { exact: true }).press('Enter')
  await page.getByText('Measuring download').waitFor({ timeout: 60_000 })
  await one.looksWell('speed-test-running')
  const card = page.getByRole('region', { name: address })
  await card.getByText('Done', { exact: true }).waitFor({ timeout: 120_000 })
  await card
    .getByText(/[GMK]bps/)
    .first()
    .waitFor()
  await card.getByText('No upload address was given.').waitFor()
  await rows()
    .filter({ hasText: address })
    .getByText(/[GMK]bps/)
    .waitFor()
  await one.looksWell('speed-test', { dark: true })
  await page.reload()
  await card.getByText('Done', { exact: true }).waitFor()
  await page
    .getByLabel('Server', { exact: true })
    .filter({ hasText: `${address} (HTTP)` })
    .waitFor()
})

test('a second test like it makes a chart over time, above the figures', async () => {
  const chart = page.getByRole('region', { name: 'Over time' })
  expect(await chart.count()).toBe(0)
  await press('Test again')
  await chart.waitFor({ timeout: 120_000 })
  await chart
    .getByRole('img', { name: new RegExp(`^2 tests against ${address} from This manager over time`) })
    .waitFor()
  await one.looksWell('speed-test-over-time', { dark: true })
})

test('a page that is not there is named; canceled, it says so, and what is deleted is gone', async () => {
  await choose('Server', 'Another server')
  await choose('Kind of server', 'HTTP')
  await page.getByLabel('Download address', { exact: true }).fill(`http://${address}/none`)
  await press('Start')
  await page.getByText('HTTP 404').waitFor({ timeout: 60_000 })
  await one.looksWell('speed-test-failed')
  await press('Test again')
  await page.getByText('HTTP 404').waitFor({ timeout: 60_000 })
  await page.getByLabel('Download address', { exact: true }).fill(`http://${address}/file`)
  await press('Start')
  await page.getByText('Measuring download').waitFor({ timeout: 60_000 })
  await press('Cancel')
  await page.getByRole('region', { name: address }).getByText('Cancelled').waitFor()
  await rows().filter({ hasText: 'Cancelled' }).getByRole('checkbox').click()
  await press('Delete')
  await page.getByText('Deleted.').waitFor()
  await rows().filter({ hasText: 'Cancelled' }).waitFor({ state: 'detached' })
  await page.getByText('This result is gone.').waitFor()
})
