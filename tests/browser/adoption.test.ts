import { addressOf, lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// How devices come in as a person does it: found with what they are, several logins in turn by mouse and by key, and an
// adoption that is cancelled.

let here: Console
let host: string

beforeAll(async () => {
  await lab.up()
  host = await addressOf('c1')
  here = await openConsole({ env: { LANWARD_DISCOVERY: `${(await lab.up()).addresses.gw}/28,${host}` } })
  await lab.reset('ap1')
})
afterAll(async () => {
  await here?.close()
  await lab.reset('ap1')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const device = (address: string) => here.page.locator('.found-device', { hasText: address })
const login = (number: number) => here.page.locator('.login-list > li').nth(number - 1)
const field = (number: number, label: string) => login(number).getByLabel(label, { exact: true })

test('found devices say what they are; hosts without SSH and SNMP are folded', async () => {
  const { page, press, site, looksWell } = here
  await page.goto('/network/1/devices/form')
  await page.getByLabel('SNMP community').fill(site.credentials.snmp.read)
  await press('Scan')
  await device(site.addresses.sw1).getByText('sw1', { exact: true }).waitFor()
  await device(site.addresses.ap1)
    .getByText(/private MAC address/)
    .waitFor()
  await page.getByRole('button', { name: 'Scan again' }).waitFor()
  expect(await device(host).count()).toBe(0)
  await page.getByText(/^\d+ hosts? without SSH or SNMP$/).click()
  await page.locator('.other-hosts li', { hasText: host }).waitFor()
  await looksWell('found-devices')
})

test('several logins by key: added, moved, removed, and said which one worked', async () => {
  const { page, press, site, looksWell } = here
  const { user, password } = site.credentials.ssh
  for (const address of [site.addresses.ap1, site.addresses.sw1]) await device(address).getByRole('checkbox').check()
  await field(1, 'User').fill(user)
  await field(1, 'Password').fill(password)
  await page.getByRole('button', { name: 'Try other credentials too' }).focus()
  await page.keyboard.press('Enter')
  await field(2, 'User').fill(user)
  await field(2, 'Password').fill('not-the-password')
  await page.keyboard.press('Tab')
  // The wrong one first, by the keyboard.
  const earlier = page.getByRole('button', { name: 'Try credentials 2 earlier' })
  await earlier.focus()
  await page.keyboard.press('Enter')
  expect(await field(1, 'Password').inputValue()).toBe('not-the-password')
  await press('Try other credentials too')
  await login(3).getByText('SNMP v2c', { exact: true }).click()
  await field(3, 'Community').fill(site.credentials.snmp.read)
  await press('Try other credentials too')
  await press('Remove credentials 4')
  expect(await page.locator('.login-list > li').count()).toBe(3)
  await looksWell('logins-in-turn')
  await press('Adopt 2 devices')
  await page
    .getByRole('dialog')
    .getByText(/SHA256:/)
    .first()
    .waitFor()
  await press('Accept 2 keys and log in')
  await page.getByText(`Logged in with SSH ${user}`).first().waitFor()
  await until(async () => (await page.getByText('Adopted', { exact: true }).count()) === 2)
  await looksWell('logins-worked')
})

test('stored credentials: their order is set by key, and all of them are taken with one press', async () => {
  const { page, choose, row, client, site } = here
  const credential = { type: 'snmp2c', community: site.credentials.snmp.read }
  await client.must('credentials/save', { name: 'Switches', credential })
  await page.goto('/network/1/devices/form?tab=credentials')
  await row('Switches').waitFor()
  const first = async () => (await page.getByRole('row').allTextContents())[1]
  expect(await first()).toMatch(/^SSH root/)
  await choose('Actions for Switches', 'Try earlier')
  await page.locator('.toast.ok', { hasText: 'Moved' }).waitFor()
  await until(async () => /^Switches/.test((await first()) ?? ''))
  await page.getByText('Adoption tries them in this order.').waitFor()
  await here.looksWell('credentials-in-order')
  await page.getByRole('link', { name: 'By address' }).click()
  await page.getByRole('button', { name: 'Try all stored credentials' }).click()
  expect(await page.locator('.login-list > li').count()).toBe(2)
  await login(1)
    .getByText(/^Switches/)
    .first()
    .waitFor()
})

test('none of several works: why each did not is said in words; one that takes long is cancelled', async () => {
  const { page, press, site, looksWell } = here
  const { user } = site.credentials.ssh
  await page.goto('/network/1/devices/form?tab=address')
  await page.getByLabel('Address', { exact: true }).fill(site.addresses.gw)
  const passwords = ['wrong-1', 'wrong-2', 'wrong-3']
  for (const [at, text] of passwords.entries()) {
    if (at > 0) await press('Try other credentials too')
    const which = login(at + 1).getByLabel('Credentials', { exact: true })
    await which.click()
    await page.getByRole('option', { name: 'New credentials' }).click()
    await field(at + 1, 'User').fill(user)
    await field(at + 1, 'Password').fill(text)
  }
  await press('Adopt 1 device')
  await press('Accept and log in')
  const tries = page.locator('.tries li')
  await tries.first().waitFor()
  expect(await tries.allTextContents()).toEqual([
    `SSH ${user} (SSH): The device refused the credentials`,
    `SSH ${user} (SSH): The device refused the credentials`,
    `SSH ${user} (SSH): Not tried`,
  ])
  await looksWell('logins-failed')
  // Nobody is at this address.
  await page.getByLabel('Address', { exact: true }).fill(site.addresses.gw.replace(/\d+$/, '14'))
  for (const number of [3, 2]) await press(`Remove credentials ${number}`)
  await login(1).getByText('SNMP v2c', { exact: true }).click()
  await field(1, 'Community').fill('nobody')
  await press('Adopt 1 device')
  await press('Cancel adoption')
  await page.getByText('Stopped', { exact: true }).waitFor()
})
