// Each act of the front desk, wherever the link breaks: done, and done once.
import type { Page, Route } from 'playwright-core'
import { owner } from '../server/_manager'
import { deskOf, openDesk, place, type Voucher } from './_desk'
import { type Console, databaseOf } from './_setup'

let one: Console
let page: Page
const { dialog, card, row, toast, kept, use } = deskOf(() => one)

beforeAll(async () => {
  one = await openDesk()
  page = one.page
  const terms = { name: '2 hours', days: 0, hours: 2, minutes: 0, validityDays: 30, desk: true }
  await one.client.must('vouchers/groups/save', { networkId: 1, ...terms })
  const server = {
    ...{ host: '127.0.0.1', port: 9, security: 'none', from: 'wifi@example.test' },
    publicUrl: 'https://nms.example.test',
  }
  await one.client.must('system-settings/smtp/save', server)
  await page.goto('about:blank')
  await page.context().clearCookies()
  await one.browser.signIn(page, 'desk1', owner.password)
  await page.waitForURL(`**${place}`)
})
afterAll(() => one?.end())

/** How often the manager did it: what it wrote down. */
const entries = (action: string): number => {
  const database = databaseOf(one.manager)
  const { n } = database
    .prepare(`SELECT count(*) AS n FROM changelog WHERE object = 'vouchers' AND action = ?`)
    .get(action) as { n: number }
  database.close()
  return n
}
type Act = { action: string; press(): Promise<void>; done: string }
const acts: Record<'extend' | 'add-time' | 'speed' | 'free' | 'void' | 'mail', Act> = {
  extend: {
    action: 'renew',
    done: 'Voucher renewed',
    press: () => card().getByRole('button', { name: 'Renew' }).click(),
  },
  'add-time': {
    action: 'edit',
    done: 'Time added',
    press: async () => {
      await card().getByRole('button', { name: 'Add time' }).click()
      await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    },
  },
  speed: {
    action: 'edit',
    done: 'Speed changed',
    press: async () => {
      await card().getByRole('button', { name: 'Speed' }).click()
      await dialog().getByRole('button', { name: 'Other speed' }).click()
      await dialog().getByLabel('Download speed').fill('5')
      await dialog().getByRole('button', { name: 'Apply' }).click()
    },
  },
  free: {
    action: 'release',
    done: 'Device removed from the voucher',
    press: () =>
      card()
        .getByRole('button', { name: /^Free the place of/ })
        .click(),
  },
  void: {
    action: 'delete',
    done: 'Voucher voided',
    press: async () => {
      await card().getByRole('button', { name: 'Void' }).click()
      await dialog().getByRole('button', { name: 'Void' }).click()
    },
  },
  mail: {
    action: 'send',
    done: 'Message queued',
    press: async () => {
      await card().getByRole('button', { name: 'Mail' }).click()
      await dialog().getByLabel('Email address of the guest').fill('guest@example.test')
      await dialog().getByRole('button', { name: 'Send' }).click()
    },
  },
}
type Broken = { cut?(route: Route, at: number): Promise<void>; arrives: number }
const links: Record<'the request is lost' | 'the answer is lost' | 'it is sent twice' | 'offline', Broken> = {
  'the request is lost': { arrives: 2, cut: (route, at) => (at === 1 ? route.abort('aborted') : route.continue()) },
  'the answer is lost': {
    arrives: 2,
    cut: async (route, at) => {
      if (at > 1) return route.continue()
      await route.fetch()
      await route.abort('aborted')
    },
  },
  'it is sent twice': {
    arrives: 1,
    cut: async route => {
      await route.fetch()
      await route.continue()
    },
  },
  offline: { arrives: 0 },
}

describe('each act, wherever the link breaks, is done once', () => {
  /** Broken links are what these tests are about. */
  afterEach(() => one.browser.faults())
  let made = 0

  const table = (Object.keys(acts) as (keyof typeof acts)[]).flatMap(name =>
    (Object.keys(links) as (keyof typeof links)[]).map(link => [name, link] as const),
  )
  test.each(table)('%s: %s', async (name, link) => {
    made += 1
    const note = `Cabin ${made}`
    const { presets } = (await one.client.must('vouchers/desk/presets', {})) as { presets: { id: number }[] }
    const act = crypto.randomUUID()
    const { voucher } = (await one.client.must('vouchers/desk/sell', { act, groupId: presets[0]?.id, note })) as {
      voucher: Voucher
    }
    use(voucher.id, `02:00:5e:20:00:${made.toString(16).padStart(2, '0')}`)
    await page.goto(place)
    await row(note).click()
    await card().getByRole('heading', { name: note }).waitFor()
    const { action, press, done } = acts[name]
    const before = entries(action)
    const { cut, arrives } = links[link]
    let sent = 0
    const pattern = `**/app/vouchers/desk/${name}`
    const broken = async (route: Route) => {
      sent += 1
      await cut?.(route, sent)
    }
    if (cut) await page.route(pattern, broken)
    else await page.context().setOffline(true)
    await press()
    if (!cut) {
      await page.getByText('One action waits for the connection').waitFor()
      expect(entries(action)).toBe(before)
      await page.context().setOffline(false)
    }
    await toast(done)
    if (cut) await page.unroute(pattern, broken)
    expect([sent, entries(action) - before, await kept()]).toEqual([arrives, 1, []])
  })
})
