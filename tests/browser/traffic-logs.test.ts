// URL and NAT logs are turned on knowing what it is: the notice is read first, and nothing is saved before it is confirmed.
import { until } from '../lab/_lab'
import { type Console, openConsole } from './_setup'

let one: Console
beforeAll(async () => {
  one = await openConsole('Harbour House')
})
afterAll(() => one?.end())

test('a log is turned on only once it is confirmed, kept for as long as chosen, and asks for nothing while it is off', async () => {
  const { page, client } = one
  await page.goto('/network/1/settings/system?tab=traffic')
  const names = page.getByRole('switch', { name: 'URL log' })
  await names.waitFor()
  await page.getByText('This is personal data').waitFor()
  const confirmed = page.getByRole('switch', { name: 'I may record this' })
  expect(await confirmed.count()).toBe(0)
  await names.click()
  await confirmed.waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'Confirm that you may record this' }).waitFor()
  const server = page.getByLabel('Log server')
  await server.fill('ftp://logs.example.com')
  await server.blur()
  await page.getByRole('alert').filter({ hasText: 'http' }).first().waitFor()
  await one.looksWell('traffic-logs-refused')
  await server.fill('https://logs.example.com/in')
  await confirmed.click()
  await page.getByRole('radio', { name: '30 days' }).click()
  await one.looksWell('traffic-logs', { dark: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const own = async () => (await client.must('settings/trafficLogs/get', {})).own
  const saved = { urlLog: true, lawAccepted: true, keepDays: '30', logServer: 'https://logs.example.com/in' }
  await until(
    async () =>
      JSON.stringify(Object.entries((await own()) as object).sort()) === JSON.stringify(Object.entries(saved).sort()),
  )
  const { result } = (await client.must('changelog/list', {})) as { result: { object: string; action: string }[] }
  expect(result.filter(entry => entry.object === 'trafficLogs')).toHaveLength(1)
  expect(one.browser.faults()).toEqual([])
})
