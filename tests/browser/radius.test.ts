// The manager's own RADIUS server as a person runs it: on, a user, a sign-in to try, off; by mouse and by key.
import { type LabRadius, startSupervisor } from '../lab/_radius'
import { type Console, openConsole } from './_setup'

let radius: LabRadius
let one: Console
beforeAll(async () => {
  radius = await startSupervisor()
  one = await openConsole('Harbour House', { LANWARD_RADIUS: radius.folder })
})
afterAll(async () => {
  await one?.end()
  radius?.stop()
})

afterEach(() => expect(one.browser.faults()).toEqual([]))

const address = '/network/1/settings/profiles?tab=users'
const server = () => one.page.getByRole('region', { name: 'RADIUS server' })

test('it is off at first; the page offers to turn it on, and the first user', async () => {
  const { page } = one
  await page.goto(address)
  await server().getByText('Off', { exact: true }).waitFor()
  expect(await server().getByRole('button', { name: 'Try it' }).count()).toBe(0)
  await page.getByText('No RADIUS user yet').waitFor()
  await page.getByText('Nobody has signed in yet').waitFor()
  await one.looksWell('radius-off', { dark: true })
})

test('a user is added: what is wrong is told at its field', async () => {
  const { page } = one
  await page.getByRole('link', { name: 'Add RADIUS user' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('alice smith')
  await name.blur()
  await page.getByRole('alert').filter({ hasText: 'without spaces' }).waitFor()
  await name.fill('alice')
  await page.getByLabel('Password', { exact: true }).fill('Anchor-chain-7')
  await one.looksWell('radius-user', { dark: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'alice' }).waitFor()
})

test('turned on by mouse it runs; a sign-in is tried, and the page says what decided', async () => {
  const { page } = one
  await page.goto(address)
  await server().getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await server().getByText('Running', { exact: true }).waitFor()
  await server().getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Try it' }).click()
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByLabel('Name').fill('alice')
  await dialog.getByLabel('Password', { exact: true }).fill('Anchor-chain-7')
  await page.keyboard.press('Enter')
  await dialog.getByText('Accepted: user alice').waitFor()
  await one.looksWell('radius-try', { dark: true })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Try it' }).click()
  await dialog.getByText('Refused: wrong password').waitFor()
  await dialog.getByLabel('Name').fill('nobody')
  await page.keyboard.press('Enter')
  await dialog.getByText('Refused: no user with this name').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await one.looksWell('radius-running', { dark: true })
})

test('it is turned off by key', async () => {
  const { page } = one
  await server().getByRole('button', { name: 'Turn off' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Turn off' }).focus()
  await page.keyboard.press('Enter')
  await server().getByText('Off', { exact: true }).waitFor()
})

test('a client has an address and a secret; both are judged where they are typed', async () => {
  const { page } = one
  await page.getByRole('link', { name: 'RADIUS clients' }).click()
  await page.getByRole('link', { name: 'Add RADIUS client' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Core switch')
  const address = page.getByLabel('Address')
  await address.fill('0.0.0.0/0')
  await address.blur()
  await page.getByRole('alert').filter({ hasText: '/8 or smaller' }).waitFor()
  await address.fill('10.77.0.2')
  await page.getByLabel('Secret', { exact: true }).fill('quay-side-8')
  await one.looksWell('radius-client', { dark: true })
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Core switch' }).waitFor()
})

test('users come from a file: a wrong row is named, a right file is taken in', async () => {
  const { page } = one
  await page.goto(address)
  await server().getByRole('button', { name: 'Import users' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (text: string) =>
    dialog.getByLabel('CSV file').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('name,password\nanna.lind,short\n')
  await dialog.getByText('Row 2, password', { exact: false }).waitFor()
  await one.looksWell('radius-import', { dark: true })
  await choose('name,password,vlan\nanna.lind,long enough,20\n')
  await dialog.getByText('1 user is added', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Import users' }).click()
  await page.getByRole('link', { name: 'anna.lind' }).waitFor()
})

test('the staff’s Wi-Fi is made in one go, by keys; devices are given their files', async () => {
  const { page } = one
  await page.goto(address)
  await server().getByRole('link', { name: 'Wi-Fi for the staff' }).click()
  await page.getByRole('heading', { name: 'Wi-Fi for the staff' }).waitFor()
  await page.getByLabel('Wi-Fi network').fill('Crew')
  await page.getByLabel('People').fill('two words\n')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Row 1, name', { exact: false }).waitFor()
  await one.looksWell('staff-wifi', { dark: true })
  await page.getByLabel('People').fill('erin\nfinn, of his own choice\n')
  await page.getByRole('button', { name: 'Create' }).focus()
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /^erin/ })
  await row.waitFor()
  expect(await row.textContent()).toMatch(/(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}/)
  await one.looksWell('staff-wifi-done', { dark: true })
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'iPhone, iPad, Mac' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toBe('wifi.mobileconfig')
  await page.getByRole('link', { name: 'Review and push' }).click()
  await page.getByText('Crew').first().waitFor()
})

test('where nothing runs it the page says so, and offers nothing', async () => {
  const plain = await openConsole('Annex')
  try {
    await plain.page.goto(address)
    const card = plain.page.getByRole('region', { name: 'RADIUS server' })
    await card.getByText('Not available', { exact: true }).waitFor()
    expect(await card.getByRole('button', { name: 'Turn on' }).count()).toBe(0)
    expect(await card.getByRole('link', { name: 'Wi-Fi for the staff' }).count()).toBe(0)
  } finally {
    await plain.end()
  }
})
