import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type LabStatus, until } from '../lab/_lab'

/** The setup in a browser as a person does it, a step each; every one begins on its page and ends when the next is there. */
export type Wizard = {
  next(): Promise<void>
  heading(name: string): Promise<void>
  code(code: string): Promise<void>
  general(name: string): Promise<void>
  account(account: string, password: string): Promise<void>
  /** Ticks the devices that were found at these addresses, and adopts them after their keys were shown; stays on the page. */
  adopt(addresses: string[], login: LabStatus['credentials']['ssh']): Promise<void>
  ssid(name: string, passphrase: string): Promise<void>
  /** Pushes to one device, and waits until the push is proven. */
  finish(): Promise<void>
}

async function choose(page: Page, field: string, typed: string, option: string): Promise<void> {
  await page.getByLabel(field).click()
  await page.keyboard.type(typed)
  await page.getByRole('option', { name: new RegExp(option) }).click()
}

async function adopt(page: Page, addresses: string[], login: LabStatus['credentials']['ssh']): Promise<void> {
  for (const address of addresses)
    await page.locator('.found-device', { hasText: address }).getByRole('checkbox').check()
  await page.getByLabel('User', { exact: true }).fill(login.user)
  await page.getByRole('button', { name: 'Use a private key instead' }).click()
  await page.getByLabel('Private key').fill(readFileSync(login.keyFile, 'utf8'))
  const [adopt, accept] =
    addresses.length === 1
      ? ['Adopt 1 device', 'Accept and log in']
      : [`Adopt ${addresses.length} devices`, `Accept ${addresses.length} keys and log in`]
  await page.getByRole('button', { name: adopt, exact: true }).click()
  await page
    .getByRole('dialog')
    .getByText(/SHA256:/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: accept, exact: true }).click()
  await until(async () => (await page.getByText('Adopted', { exact: true }).count()) === addresses.length)
}

export function wizardOn(page: Page): Wizard {
  const next = () => page.getByRole('button', { name: /^Continue/ }).click()
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  return {
    next,
    heading,
    async code(code) {
      await page.getByLabel('Setup code').fill(code)
      await next()
      await heading('General')
    },
    async general(name) {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await choose(page, 'Country or region', 'Portug', 'Portugal')
      await choose(page, 'Time zone', 'Lisbon', 'Lisbon')
      await next()
      await heading('User account')
    },
    async account(account, password) {
      await page.getByLabel('Account', { exact: true }).fill(account)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Repeat the password').fill(password)
      await next()
      await heading('Adopt devices')
    },
    adopt: (addresses, login) => adopt(page, addresses, login),
    async ssid(name, passphrase) {
      await page.getByLabel('Name (SSID)').fill(name)
      await page.getByText('WPA2', { exact: true }).click()
      await page.getByLabel('Key', { exact: true }).fill(passphrase)
    },
    async finish() {
      await page.getByRole('button', { name: 'Finish and push to 1 device' }).click()
      await heading('Lanward is set up')
      const outcome = page.getByText(/^The SSID is (on the air|saved, but)/)
      await outcome.waitFor({ timeout: 300_000 })
      expect(await outcome.textContent()).toBe('The SSID is on the air.')
    },
  }
}
