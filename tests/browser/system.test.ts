// System settings as a person sets them: the page, what it refuses, and a push that shows on the device's clock.
import { lab } from '../lab/_lab'
import { adopting, type Console, openConsole } from './_setup'

jest.setTimeout(240_000)

let one: Console
beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  one = await openConsole('Harbour House', {}, adopting(addresses.ap1, credentials.ssh))
})
afterAll(async () => {
  await one?.end()
  await lab.reset('ap1')
})

test('a time zone and time servers are set for the network, pushed, and the device has them', async () => {
  const { page } = one
  await page.goto('/network/1/settings/system')
  await page.getByLabel('Time servers').fill('ntp example')
  await page.locator(':focus').blur()
  await page.getByRole('alert').first().waitFor()
  await page
    .getByRole('radiogroup', { name: 'Send messages to a syslog server' })
    .getByRole('radio', { name: /TCP/ })
    .click()
  await one.looksWell('system-form')
  await page
    .getByRole('radiogroup', { name: 'Send messages to a syslog server' })
    .getByRole('radio', { name: /As on/ })
    .click()
  await page.getByLabel('Time servers').fill('10.77.0.10')
  await page.getByLabel('Time zone').click()
  await page.keyboard.type('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Set here', { exact: true }).first().waitFor()

  await page.goto('/network/1/settings/review')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Confirmed', { exact: true }).first().waitFor({ timeout: 120_000 })
  expect((await lab.sh('ap1', 'date +%z; cat /etc/systemd/timesyncd.conf.d/lanward.conf')).stdout).toMatch(
    /^\+0900\n[\s\S]*\nNTP=10\.77\.0\.10\n$/,
  )
  expect(one.browser.faults()).toEqual([])
})
