// Captures of syslog as a person makes them, by mouse and by key, on a desk and on a phone; and how grave a type of alert is.
import { lab, until } from '../lab/_lab'
import { phone, wide } from './_browser'
import { type Console, openConsole } from './_console'
import { openFold } from './_forms'

let here: Console

beforeAll(async () => {
  await lab.reset('gw')
  here = await openConsole()
  const { user, password } = here.site.credentials.ssh
  await here.adopt({ address: here.site.addresses.gw, login: { type: 'ssh', user, password }, name: 'gw' })
})
afterAll(async () => {
  await here?.close()
  await lab.reset('gw')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const captures = '/network/1/settings/system/syslog/detail'
const dialog = () => here.page.getByRole('dialog')
const rows = () => here.page.getByRole('row').filter({ hasText: /All devices|gw/ })
/** A line that the gateway sends by itself to the syslog port. */
const say = (text: string) =>
  lab.in('gw', ['logger', '-n', here.site.addresses.mgr, '-P', '514', '-d', '-p', 'user.warning', '-t', 'lab', text])
/** Said until it is kept: the port opens a moment after the capture begins. */
const kept = (text: string) =>
  until(async () => {
    await say(text)
    const { lines } = await here.client.must('logs/find', { search: `"${text}"` })
    return (lines as unknown[]).length > 0
  })

test('a capture begins and ends by mouse, and leads to the lines that it kept', async () => {
  const { page } = here
  await page.goto('/network/1/insight/logs')
  await page.getByRole('link', { name: 'Syslog captures' }).click()
  await page.waitForURL(`**${captures}`)
  await page.getByRole('button', { name: 'Start a capture' }).first().click()
  await dialog().getByLabel('Duration, minutes').fill('0')
  await dialog().getByRole('button', { name: 'Start a capture' }).click()
  await dialog().locator('.field-error').first().waitFor()
  await dialog().getByLabel('Duration, minutes').fill('30')
  await dialog().getByRole('button', { name: 'Start a capture' }).click()
  await rows().getByText('Runs until').waitFor()
  await kept('by-mouse')
  await rows()
    .getByRole('link', { name: /^\d+ lines?$/ })
    .waitFor()
  await here.looksWell('syslog-captures')
  await page.setViewportSize(phone)
  // The word of the figure stands once.
  const figure = rows().getByRole('link', { name: /^\d+ lines?$/ })
  expect(await figure.evaluate(link => getComputedStyle(link.closest('td') as Element, '::after').content)).toBe('none')
  await page.setViewportSize(wide)
  await rows().getByRole('button', { name: 'Stop' }).click()
  await dialog().getByRole('button', { name: 'Stop' }).click()
  await rows().getByText('Ended').waitFor()
  await figure.click()
  await page.waitForURL('**/insight/logs?*')
  await page.getByRole('row').filter({ hasText: 'by-mouse' }).first().waitFor()
})

test('by key: it ends by itself after its minute, with its lines kept', async () => {
  const { page } = here
  await page.goto(captures)
  await page.getByRole('button', { name: 'Start a capture' }).first().focus()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Duration, minutes').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  await rows().getByText('Runs until').waitFor()
  await kept('by-key')
  await rows().getByText('Runs until').waitFor({ state: 'detached', timeout: 180_000 })
  expect(await rows().getByText('Ended').count()).toBe(2)
})

test('the severity of a type of alert is chosen in its folded group, by key, on a page that a phone shows short', async () => {
  const { page } = here
  await page.goto('/network/1/alerts/config/form')
  await page.getByRole('heading', { name: 'Severity and delay' }).waitFor()
  await here.looksWell('alert-severities-folded')
  const group = page.getByRole('list', { name: 'Ports' })
  expect(await group.isVisible()).toBe(false)
  await page.locator('summary').filter({ hasText: 'Ports' }).focus()
  await page.keyboard.press('Enter')
  await openFold(page, 'Devices')
  // A line of each type says what holds.
  const line = group.locator('summary').filter({ hasText: 'Port down' })
  await line.getByText('Warning, 0 min').waitFor()
  await page.setViewportSize(phone)
  const lines = page.locator('.severities summary:visible')
  for (const one of await lines.all()) expect((await one.boundingBox())?.height ?? 999).toBeLessThan(45)
  expect(await page.evaluate(() => document.querySelector('form')?.clientHeight ?? 9999)).toBeLessThan(1600)
  await page.setViewportSize(wide)
  await line.focus()
  await page.keyboard.press('Enter')
  const type = page.getByRole('group', { name: 'Port down' })
  await type.getByRole('combobox', { name: 'Severity' }).focus()
  await page.keyboard.press('Enter')
  // The list moves its highlight a moment after the key.
  const highlighted = page.locator('[role=option][data-highlighted]')
  await highlighted.filter({ hasText: 'Warning' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await highlighted.filter({ hasText: 'Emergency' }).waitFor()
  await page.keyboard.press('Enter')
  await line.getByText('Emergency, 0 min').waitFor()
  await type.getByText('Default: Warning, 0 min').waitFor()
  await type.getByRole('textbox', { name: 'Delay, minutes' }).fill('7')
  await line.getByText('Emergency, 7 min').waitFor()
  await here.looksWell('alert-severities')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/network/1/alerts')
  expect((await here.client.must('alerts/config/query')).values).toMatchObject({
    severities: { portDown: 5 },
    delays: { portDown: 7 },
  })
  await page.goto('/network/1/alerts/config/form')
  // A group in which something differs is open, and its line says what.
  await line.getByText('Emergency, 7 min').waitFor()
})
