import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { type LabManager, type LabStatus, lab, manager, until } from '../lab/_lab'
import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { owner } from '../soak/owner'
import { axe, type Browser, launch, phone, picture, scrollsSideways, wide } from './_browser'

const pictures = process.env.LANWARD_PICTURES ?? `${tmpdir()}/lanward-pictures`

type Adopted = { address: string; login: Record<string, unknown>; name?: string }

/** A console after its wizard, signed in, on a manager of its own; and what a person does there again and again. */
export type Console = {
  site: LabStatus
  manager: LabManager
  /** The same manager as scripts use it: to bring about what a test begins with. */
  client: Client
  browser: Browser
  page: Page
  /** Brings a device in; resolves to its id when it is adopted. */
  adopt(device: Adopted): Promise<number>
  press(name: string | RegExp): Promise<void>
  /** Presses a button of the open dialog. */
  answer(name: string | RegExp): Promise<void>
  heading(name: string | RegExp): Promise<void>
  /** A row of the list on the page. */
  row(text: string): ReturnType<Page['locator']>
  /** From the list to a device's page. */
  openDevice(name: string): Promise<void>
  /** Opens a row's or a page's menu and chooses. */
  choose(menu: string, item: string | RegExp): Promise<void>
  /** The page as it stands, wide, on a phone and dark: axe finds nothing, and nothing scrolls sideways. */
  looksWell(name: string): Promise<void>
  close(): Promise<void>
}

export async function openConsole({ env = {} }: { env?: Record<string, string> } = {}): Promise<Console> {
  const site = await lab.up()
  const started = await manager({
    env: { LANWARD_SETUP_CODE: 'off', LANWARD_DISCOVERY: `${site.addresses.gw}/28`, ...env },
  })
  const client = clientOf(started.local)
  await prepareWizard(client)
  await client.must('wizard/finish')
  const browser = await launch(started.url)
  const page = await browser.page()
  await browser.signIn(page, owner.account, owner.password)
  return {
    ...{ site, manager: started, client, browser, page },
    adopt: device => adopt(client, device),
    ...hands(page),
    looksWell: name => looksWell(page, name),
    async close() {
      await browser.close()
      await started.end()
    },
  }
}

async function adopt(client: Client, { address, login, name }: Adopted): Promise<number> {
  const ssh = login.type === 'ssh'
  const seen = ssh ? await client.must('devices/fingerprint', { address }) : {}
  const device = { address, credential: login, ...(ssh && { hostKey: seen.hostKey }), ...(name && { name }) }
  const { jobId } = await client.must('devices/adopt', { devices: [device] })
  return until(
    async () => {
      const { items } = await client.must('devices/adopt/result', { jobId })
      const [item] = items as { state: string; deviceId?: number; failure?: unknown }[]
      if (item?.state === 'failed') throw new Error(JSON.stringify(item.failure))
      return item?.state === 'adopted' && item.deviceId
    },
    { timeoutMs: 90_000 },
  )
}

function hands(page: Page): Pick<Console, 'press' | 'answer' | 'heading' | 'row' | 'openDevice' | 'choose'> {
  return {
    press: name => page.getByRole('button', { name, exact: true }).click(),
    answer: name => page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
    heading: name => page.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    row: text => page.getByRole('row').filter({ hasText: text }),
    async openDevice(name) {
      await page.goto('/network/1/devices')
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    },
    async choose(menu, item) {
      await page.getByRole('button', { name: menu, exact: true }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    },
  }
}

/** Whatever moves has come to rest; what turns for ever does not count. */
const still = (page: Page) =>
  page.evaluate(async () => {
    const moving = document.getAnimations().filter(one => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(moving.map(one => one.finished))
  })

async function looksWell(page: Page, name: string): Promise<void> {
  await until(async () => (await page.locator('.skel').count()) === 0, { timeoutMs: 30_000 })
  for (const [size, word] of [
    [wide, 'wide'],
    [phone, 'phone'],
  ] as const) {
    await page.setViewportSize(size)
    await still(page)
    await picture(page, pictures, `${name}-${word}`)
    expect(await axe(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  }
  await page.setViewportSize(wide)
  const before = await page.evaluate(() => {
    const was = document.documentElement.dataset.theme
    document.documentElement.dataset.theme = 'dark'
    return was
  })
  await still(page)
  await picture(page, pictures, `${name}-dark`)
  expect(await axe(page)).toEqual([])
  await page.evaluate(theme => {
    if (theme) document.documentElement.dataset.theme = theme
    else delete document.documentElement.dataset.theme
  }, before)
}
