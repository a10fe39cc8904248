// Single sign-on the whole way: set up by its page, begun on the sign-in page, at an identity provider's page, back, and out.
import { type IdentityProvider, startIdentityProvider } from '../server/_identity-provider'
import { type Browser, launch, looksWell } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let idp: IdentityProvider
let guest: Browser

beforeAll(async () => {
  idp = await startIdentityProvider()
  one = await openConsole('Quay')
  guest = await launch(one.manager.https)
})
afterAll(async () => {
  await guest?.close()
  await one?.end()
  await idp?.stop()
})
/** The guest's browser goes to the identity provider, and nowhere else. */
afterEach(() =>
  expect([
    one?.browser.faults() ?? [],
    (guest?.faults() ?? []).filter(fault => !fault.endsWith(`left the manager: ${idp.origin}`)),
  ]).toEqual([[], []]),
)

test('the super administrator sets the identity provider up, and which group has which role', async () => {
  const { page } = one
  const dialog = page.getByRole('dialog')
  await page.goto('/organization/users')
  await page.getByRole('link', { name: 'Single sign-on', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Single sign-on' }).waitFor()
  const allowed = page.getByLabel('Allow single sign-on', { exact: true })
  expect(await allowed.isChecked()).toBe(false)
  await allowed.click()
  await page.getByLabel('Entity ID', { exact: true }).fill('Quay')
  const metadata = page.getByLabel('Metadata of the identity provider', { exact: false })
  const save = page.locator('main').getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await page.getByText('Fill this in.').first().waitFor()
  await metadata.fill('not XML')
  await page.getByRole('button', { name: 'Read metadata', exact: true }).click()
  await page.getByText('This is not identity provider metadata (XML).').waitFor()
  await one.looksWell('saml-refused')
  await page.getByLabel('Load from a file', { exact: true }).setInputFiles({
    name: 'provider.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(idp.metadata),
  })
  await page.getByText('Metadata read. Check the fields, then save.').waitFor()
  expect(await page.getByLabel('Sign-in address', { exact: true }).inputValue()).toBe(`${idp.origin}/sso`)
  await save.click()
  await page.getByText(`${one.manager.https}/app/sso/acs`, { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Saved certificates' }).waitFor()

  await page.getByRole('button', { name: 'Add role', exact: true }).click()
  await dialog.getByLabel('Value', { exact: true }).fill('watchers')
  await dialog.getByLabel('Role', { exact: true }).click()
  await page.getByRole('option', { name: 'Platform administrator, read-only', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Actions for watchers', exact: true }).waitFor()
  await looksWell(page, 'saml', { dark: true })
})

/** From the sign-in page to the identity provider's. */
async function begin(page: Console['page']) {
  await page.goto('/login?to=%2Forganization%2Fnetwork')
  await page.getByRole('button', { name: 'Use single sign-on', exact: true }).click()
  await page.getByLabel('Entity ID', { exact: true }).fill('quay')
}

test('a person of the provider comes in, and ends both sessions', async () => {
  const path = '/app/sso/metadata?registrationId=quay'
  idp.know(await one.page.evaluate(async from => (await fetch(from)).text(), path))
  idp.signIn({ nameId: 'ann@quay.example', attributes: { groups: ['watchers'] } })
  const page = await guest.page()
  await begin(page)
  await looksWell(page, 'sign-in-sso', { dark: true })
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'Quay' }).waitFor()
  await page.locator('.foot .status.ok').waitFor()
  await page.getByRole('button', { name: /ann@quay\.example/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { name: 'Goodbye' }).waitFor()
  await page.goto('/organization/network')
  await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor()
  await page.close()
})

test('an answer that is refused says why', async () => {
  idp.signIn(
    { nameId: 'ann@quay.example', attributes: { groups: ['watchers'] } },
    { twist: { audience: 'https://elsewhere.example' } },
  )
  const page = await guest.page()
  await begin(page)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('response is for another service').waitFor()
  await looksWell(page, 'sign-in-sso-refused')
  await dialog.getByRole('button', { name: 'OK', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Password', { exact: true }).waitFor()
  await page.close()
})
