import type { Page } from 'playwright-core'
import { guideSteps } from '@/model/guide'
import { type LabManager, type LabStatus, lab, manager, until } from '../lab/_lab'
import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { type Browser, looksWell, signedIn } from './_browser'

type Adopted = { address: string; port?: number; login: Record<string, unknown>; name?: string }

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
  /** Gateway, switch and access point of the lab are brought in, in this order. */
  adoptAll(): Promise<void>
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
  await client.must('guide/step', { step: guideSteps.seen })
  const { browser, page } = await signedIn(started.url)
  return {
    ...{ site, manager: started, client, browser, page },
    adopt: device => adopt(client, device),
    async adoptAll() {
      const { user, password } = site.credentials.ssh
      const login = { type: 'ssh', user, password }
      await adopt(client, { address: site.addresses.gw, login })
      const community = site.credentials.snmp.read
      await adopt(client, { address: site.addresses.sw1, login: { type: 'snmp2c', community } })
      await adopt(client, { address: site.addresses.ap1, login })
    },
    ...hands(page),
    looksWell: name => looksWell(page, name, { dark: true }),
    async close() {
      await browser.close()
      await started.end()
    },
  }
}

/** Brings a device in; resolves to its id when it is adopted. */
export async function adopt(client: Client, { address, port, login, name }: Adopted): Promise<number> {
  const ssh = login.type === 'ssh'
  const seen = ssh ? await client.must('devices/fingerprint', { address }) : {}
  const device = {
    address,
    ...(port && { port }),
    credential: login,
    ...(ssh && { hostKey: seen.hostKey }),
    ...(name && { name }),
  }
  const { jobId } = await client.must('devices/adopt', { devices: [device] })
  return until(async () => {
    const { items } = await client.must('devices/adopt/result', { jobId })
    const [item] = items as { state: string; deviceId?: number; failure?: unknown }[]
    if (item?.state === 'failed') throw new Error(JSON.stringify(item.failure))
    return item?.state === 'adopted' && item.deviceId
  })
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
