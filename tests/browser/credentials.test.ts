import { lab } from '../lab/_lab'
import { type Console, openConsole } from './_console'

// The logins of a network as a person keeps them: added, tried, changed everywhere at once, and deleted when unused.

let here: Console
const changed = 'Changed-Pass-1'

beforeAll(async () => {
  here = await openConsole()
  await lab.reset('ap1')
  const { user, password } = here.site.credentials.ssh
  await here.adopt({ address: here.site.addresses.ap1, login: { type: 'ssh', user, password } })
})
afterAll(async () => {
  await here?.close()
  await lab.reset('ap1')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const dialog = () => here.page.getByRole('dialog')
const fill = (label: string, value: string) => dialog().getByLabel(label, { exact: true }).fill(value)

test('adds one: what is missing and what is taken is said at its field, Enter saves', async () => {
  const { page, row, press, answer, looksWell } = here
  await page.goto('/network/1/devices/form?tab=credentials')
  await row('SSH root').getByRole('link', { name: 'ap1' }).waitFor()
  await press('Add credentials')
  await answer('Save')
  await dialog().locator('.field-error').first().waitFor()
  await looksWell('credentials-add')
  await fill('Name', 'SSH root')
  await fill('User', 'root')
  await fill('Password', 'not-the-password')
  await answer('Save')
  await dialog().locator('.field-error').first().waitFor()
  await fill('Name', 'Spare')
  await dialog().getByLabel('Name', { exact: true }).press('Enter')
  await row('Spare').getByText('no device').waitFor()
  await looksWell('credentials-list')
})

test('tries one on a device: refused with the reason, and nothing changes', async () => {
  const { choose, answer } = here
  await choose('Actions for Spare', 'Test')
  await dialog().getByLabel('On the device').click()
  await here.page.getByRole('option', { name: 'ap1' }).click()
  await answer('Test now')
  await dialog().getByText('The device refused the credentials').waitFor()
  await here.looksWell('credentials-test')
  await answer('Cancel')
})

test('makes an SSH key: its public half alone is shown, to be copied, and again from the list', async () => {
  const { press, answer, choose, row, looksWell } = here
  const close = () => dialog().getByRole('button', { name: 'Close' }).last().click()
  await press('New SSH key')
  await answer('Make the key')
  await dialog().locator('.field-error').first().waitFor()
  await looksWell('credentials-key')
  await fill('Name', 'Pier')
  await answer('Make the key')
  const line = dialog().getByLabel('Public key', { exact: true })
  await line.waitFor()
  const shown = await line.inputValue()
  expect(shown).toMatch(/^ssh-ed25519 \S+ lanward-Pier$/)
  await looksWell('credentials-public-key')
  await close()
  await row('Pier').waitFor()
  await choose('Actions for Pier', 'Public key')
  await line.waitFor()
  expect(await line.inputValue()).toBe(shown)
  await close()
  await dialog().waitFor({ state: 'hidden' })
})

test('renames one without giving its secret again', async () => {
  await here.choose('Actions for Spare', 'Edit')
  await fill('Name', 'Old spare')
  await here.answer('Save')
  await here.row('Old spare').waitFor()
})

test('rotates: a device that does not take the new login keeps the old one for all', async () => {
  const { choose, answer, page } = here
  await choose('Actions for SSH root', 'Rotate')
  await fill('User', 'root')
  await fill('Password', changed)
  await answer('Test and replace')
  await dialog().getByText('Not every device accepted the new credentials').waitFor()
  await dialog().getByText('The device refused the credentials').waitFor()
  await here.looksWell('credentials-rotate-refused')
  expect((await lab.in('ap1', ['chpasswd'], { input: `root:${changed}\n` })).code).toBe(0)
  await answer('Test and replace')
  const replaced = page.locator('.toast.ok', { hasText: 'SSH root replaced' })
  await replaced.waitFor()
  await choose('Actions for SSH root', 'Test')
  await answer('Test now')
  await dialog().getByText('ap1 accepted the credentials').waitFor()
  await answer('Cancel')
  await replaced.waitFor({ state: 'detached' })
})

test('one in use says by which devices and is not deleted; an unused one is', async () => {
  const { choose, answer, row } = here
  await choose('Actions for SSH root', 'Delete')
  await dialog().getByText('A device uses these credentials').waitFor()
  await dialog().getByRole('link', { name: 'ap1' }).waitFor()
  expect(await dialog().getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await here.looksWell('credentials-in-use')
  await answer('Cancel')
  await choose('Actions for Old spare', 'Delete')
  await answer('Delete')
  await row('Old spare').waitFor({ state: 'detached' })
  await row('SSH root').waitFor()
})
