// A network between two companies, each before their own browser: a company is opened, a network shared, received, ended, and handed over.
import { codes } from '@/model/codes'
import { type Browser, launch, looksWell } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Console['page']
let guest: Browser
let ana: Console['page']

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  await one.client.must('networks/add', { networkName: 'Annex', country: 'PT', timezone: 'Europe/Lisbon' })
  await one.client.must('settings/ssid/save', { networkId: 2, name: 'Harbour', security: 'wpa2', key: 'correct horse' })
  guest = await launch(one.manager.https)
  ana = await guest.page()
})
afterAll(async () => {
  await guest?.close()
  await one?.end()
})
afterEach(() => expect([one.browser.faults(), guest.faults()]).toEqual([[], []]))

const password = 'Gr8!mole-x'
const dialogOf = (side: Console['page']) => side.getByRole('dialog')
const answer = (side: Console['page'], button: string) =>
  dialogOf(side).getByRole('button', { name: button, exact: true }).click()
const rowOf = (side: Console['page'], name: string) => side.getByRole('row').filter({ hasText: name })
async function choose(side: Console['page'], thing: string, action: string): Promise<void> {
  await side.getByRole('button', { name: `Actions for ${thing}`, exact: true }).click()
  await side.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a company is opened; its super administrator meets no word of the manager', async () => {
  await page.goto('/organization/users?tab=companies')
  await page.getByText('Super administrator: marta7').waitFor()
  await page.getByRole('button', { name: 'Add organization', exact: true }).click()
  await dialogOf(page).getByLabel('Organization', { exact: true }).fill('Quay')
  await dialogOf(page).getByLabel('Account of its super administrator', { exact: true }).fill('ana7')
  await answer(page, 'Add and invite')
  await dialogOf(page).locator('.field-error').waitFor()
  await one.looksWell('company-form')
  await dialogOf(page).getByLabel('Organization', { exact: true }).fill('Beta Ltd')
  await answer(page, 'Add and invite')
  const link = await dialogOf(page).getByLabel('Link', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  await page.getByText('Super administrator: ana7').waitFor()
  await looksWell(page, 'companies', { dark: true })
  const token = link.split('#')[1]
  await one.client.must('auth/activate', { token, username: 'Ana 7', password, repeat: password })

  await choose(page, 'Beta Ltd', 'Edit')
  await dialogOf(page).getByLabel('Address', { exact: false }).fill('Quay 1, Porto')
  await answer(page, 'Save')
  await page.getByText('Quay 1, Porto').waitFor()
  await choose(page, 'Beta Ltd', 'Associated organizations')
  await dialogOf(page).getByLabel('Associate with').click()
  await page.getByRole('option', { name: 'Quay', exact: true }).click()
  await one.looksWell('company-associate')
  await answer(page, 'Associate')
  await page.getByText('Associated with Quay').waitFor()
  await guest.signIn(ana, 'ana7', password)
  await ana.goto('/organization/network')
  await ana.getByText('No networks yet.').waitFor()
  await ana.goto('/organization/users')
  await rowOf(ana, 'ana7').waitFor()
  expect(await ana.getByRole('link', { name: 'Organizations', exact: true }).count()).toBe(0)
})

test('of the manager’s pages its super administrator has security alone: rules of others, a whitelist of their own', async () => {
  await ana.getByRole('link', { name: 'Security', exact: true }).click()
  await ana.getByRole('heading', { level: 1, name: 'Security', exact: true }).waitFor()
  await ana.getByText('Its own super administrator sets them.').waitFor()
  await ana.getByText('60 minutes of inactivity', { exact: true }).waitFor()
  await ana.getByRole('button', { name: 'Add', exact: true }).click()
  await dialogOf(ana).getByLabel('Address or subnet', { exact: true }).fill('192.0.2.0/24')
  await answer(ana, 'Add')
  await rowOf(ana, '192.0.2.0/24').waitFor()
  await looksWell(ana, 'company-security', { dark: true })
  expect(await one.client.must('ip-whitelist/list')).toMatchObject({ total: 0 })
})

test('a network is shared to be read, received at the next page, marked, and ended', async () => {
  await page.goto('/organization/network')
  await choose(page, 'Annex', 'Share')
  await dialogOf(page).getByLabel('Administrator of the other organization', { exact: true }).fill('marta7')
  await answer(page, 'Share')
  await dialogOf(page).getByText('This is your own account.').waitFor()
  await one.looksWell('network-share')
  await dialogOf(page).getByLabel('With', { exact: true }).click()
  await page.getByRole('option', { name: 'Beta Ltd', exact: true }).click()
  await answer(page, 'Share')
  await rowOf(page, 'Annex').getByText('Shared with Beta Ltd').waitFor()

  await ana.goto('/organization/network')
  const receive = dialogOf(ana).getByRole('button', { name: 'Accept', exact: true })
  await receive.waitFor()
  expect(await receive.isDisabled()).toBe(true)
  await looksWell(ana, 'offers', { dark: true })
  await dialogOf(ana).getByRole('checkbox').click()
  await receive.click()
  await rowOf(ana, 'Annex').getByText('Quay, read-only').waitFor()
  await ana.goto('/network/2/settings/wifi')
  await ana.getByRole('link', { name: 'Harbour', exact: true }).waitFor()
  await ana.getByText('Read-only', { exact: true }).waitFor()
  await ana.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Shared by another organization').waitFor()
  await looksWell(ana, 'shared-in', { dark: true })

  // What her frame asks about the network is answered only when the share has ended.
  let release = () => {}
  const ended = new Promise<void>(done => {
    release = done
  })
  const held = new Set<unknown>()
  await ana.route('**/app/changes/list', async route => {
    held.add(route.request())
    await ended
    await route.continue()
  })
  const late = ana.waitForResponse(reply => held.has(reply.request()), { timeout: 0 })
  await ana.goto('/organization/network')
  await rowOf(ana, 'Annex').waitFor()
  await choose(page, 'Annex', 'Share')
  const end = dialogOf(page).getByRole('button', { name: 'End sharing with Beta Ltd', exact: true })
  await dialogOf(page).getByRole('button', { name: 'Read-only: access for Beta Ltd', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Manage together', exact: true }).click()
  await dialogOf(page).getByRole('button', { name: 'Manage together: access for Beta Ltd', exact: true }).waitFor()
  await rowOf(ana, 'Annex').getByText('Quay, managed together').waitFor()
  await end.click()
  await dialogOf(page).getByText('Beta Ltd loses access to Annex immediately.').waitFor()
  await one.looksWell('network-share-end')
  await dialogOf(page).getByRole('button', { name: 'End sharing', exact: true }).click()
  await end.waitFor({ state: 'detached' })
  // Behind a dialog no row is seen: it has to be gone first.
  await answer(page, 'Cancel')
  await rowOf(page, 'Annex').waitFor()
  await rowOf(page, 'Annex').getByText('Shared with Beta Ltd').waitFor({ state: 'detached' })
  await rowOf(ana, 'Annex').waitFor({ state: 'detached' })
  release()
  expect(await (await late).json()).toMatchObject({ retCode: codes.networkNotFound })
  await ana.unroute('**/app/changes/list')
})

test('a network is handed over: the other takes it, and it is gone here', async () => {
  await choose(page, 'Annex', 'Transfer')
  await dialogOf(page).getByLabel('Administrator of the other organization', { exact: true }).fill('ana7')
  await one.looksWell('network-hand-over')
  await answer(page, 'Send offer')
  await rowOf(page, 'Annex').getByText('Offered to Beta Ltd').waitFor()

  await dialogOf(ana).getByText('marta7 of Quay transfers it to you permanently.').waitFor()
  await looksWell(ana, 'take-over', { dark: true })
  await answer(ana, 'Accept')
  await rowOf(ana, 'Annex').getByText('Default', { exact: true }).waitFor()
  await rowOf(page, 'Annex').waitFor({ state: 'detached' })
  await page.goto('/organization/users?tab=companies')
  await choose(page, 'Beta Ltd', 'Delete organization')
  await dialogOf(page).getByText('Its network is deleted with all settings.').waitFor()
  await one.looksWell('company-delete')
})
