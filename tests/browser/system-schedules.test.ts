// Schedules as a person sets them: a week, dates beside it, and a network that follows it.
import { openFold } from './_forms'
import { type Console, openConsole } from './_setup'

let one: Console
beforeAll(async () => {
  one = await openConsole('Harbour House')
  const scope = { networkId: 1, scope: {} }
  const { revision } = await one.client.must('settings/system/get', scope)
  await one.client.must('settings/system/save', { ...scope, revision, timeZone: 'Asia/Tokyo' })
})
afterAll(() => one?.end())

test('a week is marked with the pointer, the keyboard and whole days, a date beside it, and a network follows it', async () => {
  const { page } = one
  const week = page.getByRole('group', { name: 'On', exact: true }).first()
  const cell = (name: string) => week.getByRole('button', { name, exact: true })
  const pressed = () => week.locator('[aria-pressed=true]').count()
  await page.goto('/network/1/settings/profiles?tab=schedule')
  await page.getByText('No schedule yet').waitFor()
  await page.getByRole('link', { name: 'Add schedule' }).first().click()
  await page.waitForURL('**/profiles/schedule/form')
  await page.getByLabel('Name', { exact: true }).fill('Office, hours')
  await cell('Monday 08:00–08:30').dragTo(cell('Friday 17:30–18:00'))
  await page.getByText('Mon–Fri 08:00–18:00', { exact: true }).waitFor()
  expect(await pressed()).toBe(5 * 20)
  await page.getByRole('alert').filter({ hasText: 'Letters, digits, spaces' }).waitFor()
  expect(await page.getByText('All devices').count()).toBe(0)
  await one.looksWell('schedule-form')
  await page.getByLabel('Name', { exact: true }).fill('Office hours')

  await cell('Friday 17:30–18:00').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByText('Mon–Thu 08:00–18:00; Fri 08:00–17:30; Sat 00:00–01:00', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Sun: more' }).click()
  await page.getByRole('menuitem', { name: 'Whole day' }).click()
  await page.getByRole('button', { name: 'Mon: more' }).click()
  await page.getByRole('menuitem', { name: 'Copy to Monday to Friday' }).click()
  await page.getByText('Mon–Fri 08:00–18:00; Sat 00:00–01:00; Sun 00:00–24:00', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Add date' }).click()
  await page.getByLabel('Date', { exact: true }).fill('2026-12-24')
  const day = page.getByRole('group', { name: 'On', exact: true }).nth(1)
  await day.getByRole('button', { name: '10:00–10:30' }).dragTo(day.getByRole('button', { name: '11:30–12:00' }))
  await one.looksWell('schedule-date')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/profiles\?tab=schedule$/)
  const listed = page.getByRole('row').filter({ hasText: 'Mon–Fri 08:00–18:00; Sat 00:00–01:00; Sun 00:00–24:00' })
  // Set under System: not the zone of the network's place, nor the reader's.
  await listed.getByText(/^(On now, off|Off now, on) .* · Time zone: Asia\/Tokyo$/).waitFor()
  await one.looksWell('schedule-list')

  await page.goto('/network/1/settings/wifi/form')
  await openFold(page, 'Schedule and visibility')
  await page.getByLabel('Schedule', { exact: true }).click()
  await page.getByRole('option', { name: 'Office hours' }).click()
  await page.getByText('Schedule becomes Office hours').waitFor()
  const { result } = await one.client.must('settings/schedule/list', { networkId: 1, page: 1, pageSize: 10 })
  expect(result).toMatchObject([
    {
      weekly: 'mon-fri 08:00-18:00; sat 00:00-01:00; sun 00:00-24:00',
      dates: [{ date: '2026-12-24', times: '10:00-12:00' }],
    },
  ])
  expect(one.browser.faults()).toEqual([])
})
