import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { owner } from '../soak/owner'

export const executablePath = '/usr/bin/chromium'
/** Only for what never comes: a busy machine is slow, not wrong. */
export const patienceMs = 120_000
export const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const axeSource = readFileSync(createRequire(`${process.cwd()}/package.json`).resolve('axe-core/axe.min.js'), 'utf8')

export const wide = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }
type Size = { width: number; height: number }

/** One browser with a profile of its own, on one manager. */
export type Browser = {
  /** A new tab of the given size, watched for console errors, failed scripts and requests that leave the manager. */
  page(size?: Size): Promise<Page>
  /** Signs in through the login page as a person does. */
  signIn(page: Page, account: string, password: string): Promise<void>
  /** Everything that went wrong in the tabs since the last call, one sentence each; empty is good. */
  faults(): string[]
  close(): Promise<void>
}

/** What a fault guard must not count: cancelled requests of a page that was left, and interfaces coming and going on this machine. */
const harmless = (text: string) => /net::ERR_(ABORTED|NETWORK_CHANGED)/.test(text)

function watch(page: Page, origin: string, faults: string[]): void {
  const note = (what: string) => {
    if (!harmless(what)) faults.push(`${new URL(page.url(), origin).pathname}: ${what}`)
  }
  page.on('console', message => {
    if (message.type() === 'error') note(`console: ${message.text()}`)
  })
  page.on('pageerror', error => note(`script: ${error.message}`))
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) note(`left the manager: ${url.origin}`)
  })
}

/** Starts Debian's Chromium for the manager at `origin`, e.g. https://127.0.0.1:28443. */
export async function launch(origin: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'lanward-browser-'))
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath,
    timeout: patienceMs,
    args: flags,
    headless: true,
    ignoreHTTPSErrors: true,
    baseURL: origin,
    locale: 'en-GB',
  })
  context.setDefaultTimeout(patienceMs)
  const faults: string[] = []
  return {
    async page(size = wide) {
      const page = await context.newPage()
      await page.setViewportSize(size)
      watch(page, new URL(origin).origin, faults)
      return page
    },
    async signIn(page, account, password) {
      await page.goto('/login')
      await page.getByLabel('Account', { exact: true }).fill(account)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(url => !url.pathname.startsWith('/login'))
    },
    faults: () => faults.splice(0),
    async close() {
      await context.close()
      // A helper of the browser that ends a moment later may still write there.
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** A browser with one tab, in which the owner has signed in. */
export async function signedIn(origin: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await launch(origin)
  const page = await browser.page()
  await browser.signIn(page, owner.account, owner.password)
  return { browser, page }
}

type Violation = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }

/** Colours on their way from one to another would be judged. What turns for ever, as a spinner does, is not waited for. */
const atRest = (page: Page) =>
  page.evaluate(async () => {
    const moving = document.getAnimations().filter(one => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(moving.map(one => one.finished))
  })

/** What axe is told: what is right is not listed, and in other colours, with nothing else changed, only they are judged. */
const asked = (only?: 'colours') => ({
  resultTypes: ['violations'],
  ...(only && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
})
type Axe = { run(options: ReturnType<typeof asked>): Promise<{ violations: Violation[] }> }

/**
 * Runs axe on the page when nothing moves. Returns one line a violation; empty is good. What begins to move meanwhile, as
 * a notice that comes, is looked at again: only what stays counts.
 */
export async function axe(page: Page, only?: 'colours'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  for (let again = 2; again > 0; again--) if ((await violationsOf(page, only)).length === 0) return []
  return violationsOf(page, only)
}

async function violationsOf(page: Page, only?: 'colours'): Promise<string[]> {
  await atRest(page)
  const violations = await page.evaluate(
    async options => (await (window as unknown as { axe: Axe }).axe.run(options)).violations,
    asked(only),
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  )
}

/**
 * True when the page can be scrolled sideways as a whole: on a phone nothing may. Charts follow a new size of the window a
 * frame or two later, so only what stays so counts.
 */
export const scrollsSideways = (page: Page) =>
  page
    .waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1, null, {
      timeout: patienceMs,
    })
    .then(
      () => false,
      () => true,
    )

/** Words of a page or its dialog that do not fit where they stand: drawn over what is beside them, or cut off to nothing. */
export const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const says = (one: Element) => [...one.childNodes].some(node => node.nodeType === 3 && node.textContent?.trim())
    const isSqueezed = (one: Element) => {
      if (one.clientWidth === 0 || one.scrollWidth <= one.clientWidth + 2) return false
      return getComputedStyle(one).overflowX === 'visible' || one.clientWidth < 24
    }
    const all = [...document.querySelectorAll('main *, [role=dialog] *')].filter(one => says(one) && isSqueezed(one))
    return all.map(one => one.textContent ?? '')
  })

/** Where pictures of the screens go when somebody wants to look at them. */
const pictures = process.env.LANWARD_PICTURES

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' })
}

/** In the dark colours, whatever the account has chosen. */
async function inTheDark(page: Page, look: () => Promise<void>): Promise<void> {
  const swap = (to: string | undefined) =>
    page.evaluate(theme => {
      const { dataset } = document.documentElement
      const was = dataset.theme
      if (theme) dataset.theme = theme
      else delete dataset.theme
      return was
    }, to)
  const was = await swap('dark')
  await look()
  await swap(was)
}

/** The page as it stands, once nothing is waited for: axe finds nothing wide, on a phone and dark, and nothing scrolls sideways. */
export async function looksWell(page: Page, name: string, { dark = false } = {}): Promise<void> {
  // Between two pages there is neither a skeleton nor a heading.
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.skeleton'))
  const look = async (word: string, only?: 'colours') => {
    await atRest(page)
    await picture(page, `${name}-${word}`)
    expect(await axe(page, only)).toEqual([])
  }
  for (const [size, word] of [[wide, 'wide'] as const, [phone, 'phone'] as const]) {
    await page.setViewportSize(size)
    await look(word)
    expect(await scrollsSideways(page)).toBe(false)
  }
  await page.setViewportSize(wide)
  if (dark) await inTheDark(page, () => look('dark', 'colours'))
}
