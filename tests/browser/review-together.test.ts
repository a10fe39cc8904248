// Two real devices that a person changes as one, from the review.
import type { Page } from 'playwright-core'
import { cutInTheChange } from '../lab/_change'
import { air, lab, until } from '../lab/_lab'
import { adoptingAll, type Console, openConsole } from './_setup'

let one: Console
let page: Page
/** The Wi-Fi network, once there is one. */
let ssid: { id?: unknown; revision?: unknown } = {}

beforeAll(async () => {
  const { addresses, credentials } = await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
  one = await openConsole('Harbour House', {}, adoptingAll([addresses.gw, addresses.ap1], credentials.ssh))
  page = one.page
})
afterAll(async () => {
  await lab.join('ap1')
  await one?.end()
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
})

/** A time zone for both, and a Wi-Fi network for the access point. */
async function save(timeZone: string, name: string) {
  const scope = {}
  const { revision } = await one.client.must('settings/system/get', { networkId: 1, scope })
  await one.client.must('settings/system/save', { networkId: 1, scope, revision, timeZone })
  const { id, revision: of } = await one.client.must('settings/ssid/save', {
    ...{ networkId: 1, ...ssid, name, security: 'wpa2', key: 'harbour1234' },
  })
  ssid = { id, revision: of }
}

const allOrNone = () => page.getByRole('switch', { name: 'All or none' })
const push = (n: number) => page.getByRole('button', { name: `Push to ${n} device` })
const zones = () =>
  Promise.all(
    (['gw', 'ap1'] as const).map(async name => (await lab.sh(name, 'readlink -f /etc/localtime')).stdout.trim()),
  )
const both = (zone: string) => Array(2).fill(`/usr/share/zoneinfo/${zone}`)
/** The push that the review has begun. */
const job = async () => {
  await page.waitForURL(/review\?job=/)
  return new URL(page.url()).searchParams.get('job') ?? ''
}

test('several devices are pushed as one, by the keyboard, and what that means is said', async () => {
  await save('Asia/Tokyo', 'Quay')
  await page.goto('/network/1/settings/review')
  await page.getByText('One device goes first.').waitFor()
  // One alone has nobody to wait for.
  const along = page.getByRole('checkbox', { name: 'Push to ap1' })
  await along.uncheck()
  await push(1).waitFor()
  expect(await allOrNone().count()).toBe(0)
  await along.check()
  await allOrNone().focus()
  await page.keyboard.press('Space')
  expect(await allOrNone().isChecked()).toBe(true)
  await page.getByText('If one fails or refuses a part, all revert, and clients are interrupted again.').waitFor()
  await page.getByText('All devices change before Lanward confirms any.').waitFor()
  expect(await page.getByText('One device goes first.').count()).toBe(0)
  await one.looksWell('review-together')
  await push(2).click()
  const jobId = await job()
  await page.getByText('These devices change together: all keep the change, or all revert.').waitFor()
  await page.getByText('2 of 2 finished').waitFor({ timeout: 300_000 })
  await one.looksWell('review-together-done')
  const { devices } = await one.client.must('devices/push/result', { networkId: 1, jobId })
  expect(devices).toMatchObject(Array(2).fill({ state: 'applied', agreed: ['together'] }))
  expect(await zones()).toEqual(both('Asia/Tokyo'))
  expect(one.browser.faults()).toEqual([])
})

test('one is cut off: the page says of the other why it reverted', async () => {
  await save('America/Lima', 'Berth')
  await page.goto('/network/1/settings/review')
  await allOrNone().click()
  await cutInTheChange(async () => {
    await push(2).click()
    return job()
  })
  try {
    await until(async () => (await zones())[0]?.endsWith('America/Lima'))
    await until(async () => (await air()).includes('ssid[0]=Quay'))
  } finally {
    await lab.join('ap1')
  }
  await page.getByText('Reverted together with ap1, which did not take it.').waitFor({ timeout: 300_000 })
  await page.getByText('2 of 2 finished').waitFor({ timeout: 300_000 })
  await one.looksWell('review-together-reverted')
  expect(await zones()).toEqual(both('Asia/Tokyo'))
  expect(one.browser.faults()).toEqual([])
})
