// The ring of the keyboard: on each control of each page, in both colours, and above a page.
import type { Page } from 'playwright-core'
import { menu } from '@/model/menu'
import { type Console, openConsole } from './_console'

let here: Console
let page: Page

beforeAll(async () => {
  here = await openConsole()
  page = here.page
  const { addresses, credentials } = here.site
  const { user, password } = credentials.ssh
  await here.adopt({ address: addresses.ap1, login: { type: 'ssh', user, password } })
  await here.client.must('settings/ssid/save', {
    ...{ networkId: 1, name: 'Harbour Guest', security: 'wpa2', key: 'correct horse' },
    assign: { all: true, groups: [], devices: [] },
  })
})
afterAll(() => here?.close())
afterEach(() => expect(here.browser.faults()).toEqual([]))

/** Marks what Tab reaches, from here until it comes round; returns how much that is. */
async function reached(): Promise<number> {
  const isNew = () =>
    page.evaluate(() => {
      const here = document.activeElement as HTMLElement | null
      if (!here || here === document.body || here.dataset.reached) return false
      here.dataset.reached = 'yes'
      return true
    })
  for (let count = 0; ; count++) {
    await page.keyboard.press('Tab')
    if (!(await isNew())) return count
  }
}

const marked = '[data-reached]'
const controls = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** Of these, the controls on which no line around them or what holds them says that the keyboard stands there, light and dark. */
const unseen = (which: string) =>
  page.evaluate(wanted => {
    const all = [...document.querySelectorAll<HTMLElement>(wanted)].filter(one => one.tabIndex >= 0)
    const isRinged = (one: Element | null | undefined) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/(, 0\)|\/ 0\))$/.test(outlineColor)
    }
    const isUnseen = (one: HTMLElement) => {
      one.focus()
      const around = [one, one.parentElement, one.parentElement?.parentElement]
      // What is drawn has an edge of its own, which takes the place of an outline.
      const edge = one.querySelector(':scope > rect')
      const isEdged = edge !== null && Number.parseFloat(getComputedStyle(edge).strokeWidth) >= 3
      return document.activeElement === one && !isEdged && !around.some(isRinged)
    }
    const nameOf = (one: HTMLElement) =>
      `${one.tagName.toLowerCase()}.${one.className} ${one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 30)}`
    const { dataset } = document.documentElement
    const was = dataset.theme
    const found = ['light', 'dark'].flatMap(theme => {
      dataset.theme = theme
      return all.filter(isUnseen).map(one => `${theme}: ${nameOf(one)}`)
    })
    if (was === undefined) delete dataset.theme
    else dataset.theme = was
    return found
  }, which)

/** The page is there, and alive: whoever goes on before React has taken it over is not heard by its router. */
const isDrawn = (path?: string) =>
  page.waitForFunction(
    wanted =>
      (wanted === undefined || location.pathname + location.search === wanted) &&
      Object.keys(document.querySelector('h1') ?? {}).some(key => key.startsWith('__react')) &&
      !document.querySelector('.skeleton, .opening'),
    path,
  )

async function open(path: string): Promise<void> {
  await page.goto(path)
  await isDrawn()
}

type Router = { next: { router: { push(path: string): void } } }

/** As a press on a link: a hundred pages are not loaded anew. What is about one thing may lead elsewhere, and is opened. */
async function goOnTo(path: string): Promise<void> {
  if (path.includes('/detail?')) return open(path)
  await page.evaluate(to => (window as unknown as Router).next.router.push(to), path)
  await isDrawn(path)
}

/** Opened on a page, by a press on the button of that name. */
const above = { dialog: ['/organization/users', 'Add user'], popover: ['/network/1/devices', 'Columns'] } as const

test('Tab reaches the controls of a page, a dialog and a popover, and is seen on each', async () => {
  await open('/network/1/devices/detail?id=1')
  expect(await reached()).toBeGreaterThan(10)
  expect(await unseen(marked)).toEqual([])
  for (const [path, button] of Object.values(above)) {
    await open(path)
    await here.press(button)
    await page.locator('[role=dialog]').waitFor()
    expect(await reached()).toBeGreaterThan(3)
    expect(await unseen(marked)).toEqual([])
  }
})

/** Each screen of the menu with each of its tabs. What is about one thing is of the first device. */
const everywhere = menu
  .flatMap(entry => [entry, ...(entry.children ?? [])])
  // One with screens below it in the menu leads to the first of them.
  .filter(({ children = [] }) => children.every(({ hidden }) => hidden))
  .flatMap(({ path, tabs = [] }) => {
    const address = path.replace('{n}', '1')
    if (address.endsWith('/detail')) return [`${address}?id=1`]
    return tabs.length > 1 ? tabs.map(({ id }) => `${address}?tab=${id}`) : [address]
  })

test('the keyboard is seen on each control of each page, light and dark', async () => {
  const wrong: string[] = []
  await open('/network/1/dashboard')
  for (const path of everywhere) {
    await goOnTo(path)
    await page.keyboard.press('Tab')
    wrong.push(...(await unseen(controls)).map(one => `${path} ${one}`))
  }
  expect(wrong).toEqual([])
})
