// The front desk on a phone: sold, shown, printed, mailed, found, extended, freed and voided, by mouse and by key; and links
// that break while somebody presses.
import jsQR from 'jsqr'
import type { Page, Route } from 'playwright-core'
import { normalCode } from '@/model/guests/voucher-code'
import { until } from '../lab/_lab'
import { owner } from '../server/_manager'
import { deskOf, openDesk, place } from './_desk'
import type { Console } from './_setup'

let one: Console
let page: Page
const { button, dialog, card, row, preset, toast, shownCode, kept, sold, use } = deskOf(() => one)

beforeAll(async () => {
  one = await openDesk()
  page = one.page
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

/** What a camera reads of a code's unit squares, `M4 4h1v1h-1z…`. */
function scanned(path: string): string | undefined {
  const squares = [...path.matchAll(/M(\d+) (\d+)h1/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const [dot, edge] = [4, Math.max(...squares.flat()) + 5]
  const pixels = new Uint8ClampedArray((edge * dot) ** 2 * 4).fill(255)
  for (const [x, y] of squares)
    for (let at = 0; at < dot * dot; at++) {
      const pixel = ((y * dot + Math.floor(at / dot)) * edge * dot + x * dot + (at % dot)) * 4
      pixels.fill(0, pixel, pixel + 3)
    }
  return jsQR(pixels, edge * dot, edge * dot)?.data
}
test('who is there for guests alone lands at the front desk, which can be kept on a phone', async () => {
  await page.goto('about:blank')
  await page.context().clearCookies()
  await one.browser.signIn(page, 'desk1', owner.password)
  await page.waitForURL(`**${place}`)
  await page.getByText('Nothing to sell yet').waitFor()
  await one.looksWell('desk-empty', { dark: true })
  const address = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? ''
  const manifest = await page.evaluate(async at => (await fetch(at)).json(), address)
  expect(manifest).toMatchObject({ start_url: place, display: 'standalone', short_name: 'Front desk' })
  const icon = await page.evaluate(async at => (await fetch(at)).status, manifest.icons[0].src as string)
  expect(icon).toBe(200)
})

test('the usual buttons come in one press; a press sells, and the code can be scanned', async () => {
  await button('Offer 2 hours, 1 day and 1 week').click()
  await preset('1 week').waitFor()
  await page.getByLabel('For whom').fill('Room 108')
  await preset('2 hours').click()
  await card().getByRole('heading', { name: 'Room 108' }).waitFor()
  expect(normalCode(await shownCode())).toBeDefined()
  await card().getByRole('img', { name: 'QR code that signs in with this voucher' }).waitFor()
  await row('Room 108').waitFor()
  expect(await page.getByLabel('For whom').inputValue()).toBe('')
  await one.looksWell('desk-sold', { dark: true })
  await card().getByRole('button', { name: 'Show large' }).click()
  await dialog().getByRole('img', { name: 'QR code that signs in with this voucher' }).waitFor()
  await one.looksWell('desk-large', { dark: true })
  await page.keyboard.press('Escape')
})

test('shown large, a guest who is not in the Wi-Fi yet joins it by its own code first', async () => {
  const portal = await one.client.must('settings/portal/save', { name: 'Guests', methods: ['voucher'] })
  const lan = { name: 'Guest LAN', vlan: 66, address: '10.66.0.1/24', dhcp: false, assign: { all: true } }
  await one.client.must('settings/lan/save', { ...lan, portal: portal.id })
  await one.client.must('settings/ssid/save', { name: 'Terrace', security: 'open', vlan: 66, assign: { all: true } })
  await page.reload()
  await row('Room 108').click()
  await card().getByRole('button', { name: 'Show large' }).click()
  await dialog().getByRole('img', { name: 'QR code that signs in with this voucher' }).waitFor()
  await dialog().getByRole('button', { name: 'Wi-Fi Terrace' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByRole('img', { name: 'QR code that joins Terrace' }).waitFor()
  await dialog().getByText('Scan to join the Wi-Fi, then sign in').waitFor()
  const path = await dialog().locator('.qr path').last().getAttribute('d')
  expect(scanned(path ?? '')).toBe('WIFI:T:nopass;S:Terrace;;')
  await one.looksWell('desk-join', { dark: true })
  await dialog().getByRole('button', { name: 'Sign in' }).click()
  await dialog().getByRole('img', { name: 'QR code that signs in with this voucher' }).waitFor()
  await page.keyboard.press('Escape')
})

test('by key alone: sold, found by its code, opened', async () => {
  await page.getByLabel('For whom').focus()
  await page.keyboard.type('Room 7')
  await preset('1 day').focus()
  await page.keyboard.press('Enter')
  await card().getByRole('heading', { name: 'Room 7' }).waitFor()
  const code = await shownCode()
  await card().getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Enter')
  await card().waitFor({ state: 'detached' })
  await page.getByPlaceholder('Room, code or device').focus()
  await page.keyboard.type(code.toLowerCase().replaceAll('-', ' '))
  await page.keyboard.press('Enter')
  await until(async () => (await page.locator('.desk-row').count()) === 1)
  await row('Room 7').focus()
  await page.keyboard.press('Enter')
  await card().getByRole('heading', { name: 'Room 7' }).waitFor()
  await page.getByPlaceholder('Room, code or device').fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await row('Room 108').waitFor()
})

test('an unused voucher is not renewed, and the button says why; one in use is, and its device freed', async () => {
  await row('Room 108').click()
  const renew = card().getByRole('button', { name: 'Renew' })
  expect([await renew.isDisabled(), await renew.getAttribute('title')]).toEqual([
    true,
    'Only a voucher in use or used up can be renewed.',
  ])
  const [voucher] = await sold('Room 108')
  use(voucher?.id ?? 0, '02:00:5e:10:00:d1')
  await page.reload()
  await row('Room 108').getByText('In use').waitFor()
  await row('Room 108').click()
  await card().getByText('1 h 10 min left').waitFor()
  await card().getByText('1 of 1 device').waitFor()
  await one.looksWell('desk-in-use', { dark: true })
  await renew.click()
  await toast('Voucher renewed')
  await card().getByText('2 h left').waitFor()
  await card().getByRole('button', { name: 'Free the place of 02:00:5E:10:00:D1' }).click()
  await toast('Device removed from the voucher')
  await card().getByText('02:00:5E:10:00:D1').waitFor({ state: 'detached' })
})

test('time is added, an amount that is none is not sent; the speed of one voucher is set and taken back', async () => {
  await row('Room 108').click()
  await card().getByRole('button', { name: 'Add time' }).click()
  await dialog().getByLabel('Hours').fill('0')
  const add = dialog().getByRole('button', { name: 'Add', exact: true })
  expect(await add.isDisabled()).toBe(true)
  await dialog().getByLabel('Days').fill('366')
  expect(await add.isDisabled()).toBe(true)
  await dialog().getByLabel('Days').fill('1')
  await dialog().getByLabel('Minutes').fill('30')
  await one.looksWell('desk-time', { dark: true })
  await page.keyboard.press('Enter')
  await toast('Time added')
  await card().getByText('1 d 2 h 30 min left').waitFor()
  await card().getByRole('button', { name: 'Speed' }).click()
  await dialog().getByRole('button', { name: 'Other speed' }).click()
  const apply = dialog().getByRole('button', { name: 'Apply' })
  await dialog().getByLabel('Download speed').fill('1024')
  expect(await apply.isDisabled()).toBe(true)
  await dialog().getByLabel('Download speed').fill('20')
  await one.looksWell('desk-speed', { dark: true })
  await apply.click()
  await toast('Speed changed')
  await card().getByText('20 Mbps').waitFor()
  await card().getByRole('button', { name: 'Speed' }).click()
  await dialog().getByRole('button', { name: 'As sold' }).click()
  await apply.click()
  await card().getByText('20 Mbps').waitFor({ state: 'detached' })
})

test('it is printed on its own, and mailed once a mail server is set', async () => {
  await row('Room 7').click()
  const mail = card().getByRole('button', { name: 'Mail' })
  expect([await mail.isDisabled(), await mail.getAttribute('title')]).toEqual([
    true,
    'No mail server is set on this manager.',
  ])
  await card().getByRole('button', { name: 'Print' }).click()
  await dialog().getByText('1 voucher that can be used.').waitFor()
  await dialog().getByRole('button', { name: 'Create PDF' }).click()
  await dialog().getByText('The PDF is ready.').waitFor()
  await page.keyboard.press('Escape')
  const server = {
    host: '127.0.0.1',
    port: 9,
    security: 'none',
    from: 'wifi@example.test',
    publicUrl: 'https://nms.example.test',
  }
  await one.client.must('system-settings/smtp/save', server)
  await page.reload()
  await row('Room 7').click()
  await mail.click()
  await dialog().getByLabel('Email address of the guest').fill('guest@nowhere')
  await dialog().getByRole('button', { name: 'Send' }).click()
  await page.locator('.toast.bad').last().waitFor()
  await mail.click()
  await dialog().getByLabel('Email address of the guest').fill('guest@example.test')
  await one.looksWell('desk-mail', { dark: true })
  await dialog().getByRole('button', { name: 'Send' }).click()
  await toast('Message queued')
  const { result } = (await one.client.must('mail/list', {})) as { result: { to?: string }[] }
  expect(JSON.stringify(result)).toContain('guest@example.test')
})

test('an answer that is lost on its way: the sale is made once, and its code arrives', async () => {
  let lost = 0
  const cut = async (route: Route) => {
    if (lost++ > 0) return route.continue()
    // It reaches the manager; the answer does not come back.
    await route.fetch()
    await route.abort('aborted')
  }
  await page.route('**/app/vouchers/desk/sell', cut)
  await page.getByLabel('For whom').fill('Terrace 6')
  await preset('1 day').click()
  await card().getByRole('heading', { name: 'Terrace 6' }).waitFor()
  await page.unroute('**/app/vouchers/desk/sell', cut)
  expect(lost).toBe(2)
  const made = await sold('Terrace 6')
  expect(made).toHaveLength(1)
  expect(await shownCode()).toBe(made[0]?.code)
  expect(await kept()).toEqual([])
})

test('a request that arrives twice sells once', async () => {
  const twice = async (route: Route) => {
    await route.fetch()
    await route.continue()
  }
  await page.route('**/app/vouchers/desk/sell', twice)
  await page.getByLabel('For whom').fill('Bar 2')
  await preset('1 day').click()
  await card().getByRole('heading', { name: 'Bar 2' }).waitFor()
  await page.unroute('**/app/vouchers/desk/sell', twice)
  expect(await sold('Bar 2')).toHaveLength(1)
})

describe('without a link', () => {
  /** Broken links are what these tests are about. */
  afterEach(() => one.browser.faults())

  test('what is pressed waits, says so, and is done when the link is back; what is dropped is not', async () => {
    await page.context().setOffline(true)
    await page.getByLabel('For whom').fill('Meeting 1')
    await preset('1 week').click()
    await page.getByLabel('For whom').fill('Meeting 2')
    await preset('1 week').click()
    await page.getByText('2 actions wait for the connection').waitFor()
    await one.looksWell('desk-offline', { dark: true })
    await button('Stop trying: Sell 1 week, Meeting 2').click()
    await page.getByText('One action waits for the connection').waitFor()
    await page.context().setOffline(false)
    await card().getByRole('heading', { name: 'Meeting 1' }).waitFor()
    expect(await sold('Meeting 1')).toHaveLength(1)
    expect(await sold('Meeting 2')).toEqual([])
  })

  test('a page that is closed meanwhile loses nothing: the next one in this browser does it', async () => {
    await page.context().setOffline(true)
    await page.getByLabel('For whom').fill('Room 305')
    await preset('2 hours').click()
    await page.getByText('One action waits for the connection').waitFor()
    await page.goto('about:blank').catch(() => undefined)
    await page.context().setOffline(false)
    await page.goto(place)
    await card().getByRole('heading', { name: 'Room 305' }).waitFor()
    expect(await sold('Room 305')).toHaveLength(1)
    expect(await kept()).toEqual([])
  })
})

test('a voucher is voided after a question; what the desk did today stands at its head', async () => {
  await page.getByPlaceholder('Room, code or device').fill('Bar 2')
  await page.keyboard.press('Enter')
  await row('Bar 2').click()
  await card().getByRole('button', { name: 'Void' }).click()
  await dialog().getByText('Its code no longer works.').waitFor()
  await one.looksWell('desk-void', { dark: true })
  await dialog().getByRole('button', { name: 'Void' }).click()
  await toast('Voucher voided')
  await card().waitFor({ state: 'detached' })
  await row('Bar 2').waitFor({ state: 'detached' })
  await page.getByText('sold today, 1 voided').waitFor()
  expect(await sold('Bar 2')).toEqual([])
})

test('from the menu, as the administrator comes; a group says in its form that it is sold here', async () => {
  await page.goto('about:blank')
  await page.context().clearCookies()
  await one.browser.signIn(page, owner.account, owner.password)
  await page.waitForURL('**/network/1/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('button', { name: 'Guests', exact: true }).click()
  await menu.getByRole('link', { name: 'Front desk', exact: true }).click()
  await page.getByRole('link', { name: 'Other time' }).click()
  await page.getByRole('heading', { level: 1, name: 'New vouchers' }).waitFor()
  await page.getByLabel('Group name').fill('3 days')
  await page.getByRole('switch', { name: 'Sell at the front desk' }).click()
  await page.getByLabel('Days').fill('3')
  await one.looksWell('voucher-form-desk', { dark: true })
  await button('Create group').click()
  await page.getByRole('heading', { level: 1, name: '3 days' }).waitFor()
  await page.goto(place)
  await preset('3 days').waitFor()
})
