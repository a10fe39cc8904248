// System settings as a person sets them: the pages, what they refuse, and a push that shows on the device's clock.
import { lab, until } from '../lab/_lab'
import { phone, wide } from './_browser'
import { adopting, type Console, openConsole } from './_setup'

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
  const { addresses } = await lab.up()
  await page.goto('/network/1/settings/system')
  await page.getByLabel('NTP servers').fill('ntp example')
  await page.locator(':focus').blur()
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('radiogroup', { name: 'Syslog server' }).getByRole('radio', { name: /TCP/ }).click()
  expect(await page.getByLabel('CA certificate').count()).toBe(0)
  await page.getByRole('radiogroup', { name: 'Syslog server' }).getByRole('radio', { name: /TLS/ }).click()
  const ca = page.getByLabel('CA certificate')
  await ca.fill('-----BEGIN PRIVATE KEY-----')
  await ca.blur()
  await page.getByRole('alert').filter({ hasText: 'include a private key' }).waitFor()
  await page.getByLabel('Level').click()
  await page.getByRole('option', { name: 'Warning' }).click()
  await page.getByRole('radiogroup', { name: 'SNMP agent' }).getByRole('radio', { name: /^On/ }).click()
  const community = page.getByLabel('Community')
  await community.fill('too short')
  await community.blur()
  await page.getByRole('alert').filter({ hasText: 'Letters, digits and !' }).waitFor()
  await one.looksWell('system-form')
  await community.fill('harbour-house')
  await page.getByRole('radiogroup', { name: 'Syslog server' }).getByRole('radio', { name: /As on/ }).click()
  await page.getByLabel('NTP servers').fill('10.77.0.10')
  await page.getByLabel('Time zone').click()
  await page.keyboard.type('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Set here', { exact: true }).first().waitFor()
  const saved = await until(async () => {
    const { own } = await one.client.must('settings/system/get', { networkId: 1, scope: {} })
    return (own as Record<string, unknown>).snmp === 'on' && own
  })
  expect(saved).toMatchObject({ snmpCommunity: { set: true } })
  await page.reload()
  await community.waitFor()
  expect(await community.inputValue()).toBe('')
  // Rule A18: one device's, not a network's.
  expect(await page.getByLabel('Host name').count()).toBe(0)
  await page.goto('/network/1/settings/system?device=1')
  await page.getByLabel('Host name').waitFor()

  await page.goto('/network/1/settings/review')
  await page.getByRole('button', { name: 'Push to 1 device' }).click()
  await page.waitForURL(/review\?job=/)
  await page.getByText('Applied', { exact: true }).first().waitFor()
  const asked = ['snmpget', '-v2c', '-c', 'harbour-house', '-t', '2', '-Ovq', addresses.ap1, '.1.3.6.1.2.1.1.5.0']
  expect((await lab.tool(...asked)).stdout.trim()).toBe('"ap1"')
  expect((await lab.sh('ap1', 'date +%z; cat /etc/systemd/timesyncd.conf.d/lanward.conf')).stdout).toMatch(
    /^\+0900\n[\s\S]*\nNTP=10\.77\.0\.10\n$/,
  )
  expect(one.browser.faults()).toEqual([])
})

test('own settings of a device or a group say whose they are, on a phone and in the window’s name', async () => {
  const { page } = one
  const says = async (heading: string, name: string) => {
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await until(async () => (await page.title()) === `${name} · Lanward`)
  }
  const { groupId } = await one.client.must('groups/add', { networkId: 1, groupName: 'Deck', description: '' })
  await page.setViewportSize(phone)
  await page.goto('/network/1/settings/wifi?tab=radio&device=1')
  await says('Wi-Fi of ap1', 'Radios of ap1')
  await page.getByRole('link', { name: 'Steering', exact: true }).click()
  await says('Wi-Fi of ap1', 'Steering of ap1')
  await page.goto(`/network/1/settings/system?group=${groupId}`)
  await says('System of the group Deck', 'System of the group Deck')
  await page.goto('/network/1/settings/wifi?tab=radio')
  await says('Wi-Fi', 'Radios')
  await page.setViewportSize(wide)
  expect(one.browser.faults()).toEqual([])
})
