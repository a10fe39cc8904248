// A guest's own browser behind a real gateway: an address by DHCP, the first page caught, the form, and on to the landing page.
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { scrollsSideways } from '../browser/_browser'
import { type GuestBrowser, guestBrowser, leaseOf } from './_guest-browser'
import { isIn, macs } from './_guests'
import { lab } from './_lab'
import { type House, portalHouse } from './_portal'

/** Served by the internet of the lab, by a name that the gateway's name server finds there. */
const landing = 'http://www.internet.test/'
const wanted = `${landing}news?of=today`

let house: House
let browser: GuestBrowser | undefined

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LANWARD_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

beforeAll(async () => {
  house = await portalHouse({
    ...{ name: 'Guests', methods: ['simplePassword', 'voucher'], password: 'harbour' },
    ...{ terms: 'Be kind.', landing, minutes: 30 },
  })
})
afterEach(async () => {
  await browser?.close()
  browser = undefined
})
afterAll(() => house?.end())

test.each([
  ['c1', 'with scripts', true],
  ['c2', 'without scripts', false],
] as const)(
  '%s by a browser %s: caught at the first page, in by the form, and on to the landing page',
  async (guest, _, scripts) => {
    const lease = await leaseOf(guest)
    expect(lease.ip).toMatch(/^192\.168\.20\.1\d\d$/)
    expect((await lab.sh(guest, 'ip -4 -o addr show dev eth0')).stdout).toContain(` ${lease.ip}/24 `)
    browser = await guestBrowser(guest, { scripts })
    const page = await browser.context.newPage()
    const answer = await page.goto(wanted)
    // By a redirect: nothing of the page that was wanted came.
    const first = answer?.request().redirectedFrom()
    expect([first?.url(), (await first?.response())?.status()]).toEqual([wanted, 302])
    expect(page.url()).toMatch(new RegExp(`^http://10\\.77\\.0\\.10:\\d+/portal/[0-9a-f-]{36}\\?mac=${macs[guest]}&`))
    await page.getByRole('heading', { name: 'Welcome to the Wi-Fi' }).waitFor()
    await picture(page, `captive-${scripts ? 'scripts' : 'plain'}`)

    await page.getByLabel('Password').fill('harbor')
    await page.getByLabel('I accept the terms of use').check()
    await page.getByRole('button', { name: 'Use password' }).click()
    await page.getByText('This password is wrong.').waitFor()
    expect(await isIn(guest)).toBe(false)
    await page.getByLabel('Password').fill('harbour')
    await page.getByRole('button', { name: 'Use password' }).click()
    await page.getByRole('heading', { name: 'You are online' }).waitFor()
    await page.getByText(wanted).waitFor()
    await picture(page, `captive-${scripts ? 'scripts' : 'plain'}-online`)
    if (scripts) expect(await scrollsSideways(page)).toBe(false)

    // Also by a connection that the browser opened before, and keeps.
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByText('the internet of the lab').waitFor()
    expect(page.url()).toBe(landing)
    expect((await house.rows(macs[guest]))[0]).toMatchObject({ state: 1, ended: null })
  },
)
