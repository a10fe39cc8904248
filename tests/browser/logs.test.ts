// What devices log, as a person meets it: turned on, pointed here by a button, searched, held, exported.
import { readFileSync } from 'node:fs'
import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

let here: Console
let gw: number

beforeAll(async () => {
  await lab.reset('gw')
  here = await openConsole()
  const { user, password } = here.site.credentials.ssh
  gw = await here.adopt({ address: here.site.addresses.gw, login: { type: 'ssh', user, password } })
})
afterAll(async () => {
  await here?.close()
  await lab.reset('gw')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const dialog = () => here.page.getByRole('dialog')
const line = (text: string) => here.page.getByRole('row').filter({ hasText: text })
const say = (text: string, level = 'info') => lab.in('gw', ['logger', '-p', `user.${level}`, '-t', 'lab', text])
const search = async (text: string) => {
  await here.page.getByRole('search').getByRole('textbox').fill(text)
  await here.page.keyboard.press('Enter')
}

test('nothing is received until somebody turns it on; what cannot be is said at its field', async () => {
  const { page, heading } = here
  await page.goto('/network/1/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Logs', exact: true }).click()
  await heading('Logs')
  await page.getByText('Logs are not received.').waitFor()
  await page.getByText('No lines yet.').waitFor()
  await here.looksWell('logs-off')
  await page.getByRole('button', { name: 'Turn on' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByRole('combobox', { name: 'Receive syslog' }).click()
  await page.getByRole('option', { name: 'Over UDP and TCP' }).click()
  await dialog().getByLabel('Keep for').fill('0')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().locator('.field-error').first().waitFor()
  await here.looksWell('logs-settings')
  await dialog().getByLabel('Keep for').fill('7')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByText('Logs are not received.').waitFor({ state: 'detached' })
})

test('a button of a device’s page points its log here by a safe push; a line of its own daemon is found within 5 s', async () => {
  const { page } = here
  await here.openDevice('gw')
  await here.choose('More actions', 'Send logs here')
  await dialog()
    .getByText(/^To [\d.]+, port 514, over TCP$/)
    .waitFor()
  await here.looksWell('logs-send-here')
  await here.answer('Save and push')
  await page.waitForURL(/settings\/review/)
  await until(async () => {
    const { result } = await here.client.must('devices/list')
    return (
      (await lab.in('gw', ['sh', '-c', 'cat /etc/rsyslog.d/*lanward* 2>/dev/null'])).stdout.includes('514') && result
    )
  })
  await until(async () => {
    await say('is-it-there')
    const { lines } = await here.client.must('logs/find', { search: 'is-it-there' })
    return (lines as unknown[]).length > 0
  })
  await say('one-line-of-the-gateway', 'warning')
  await until(
    async () => {
      const { lines } = await here.client.must('logs/find', { search: '"one-line-of-the-gateway"' })
      return (lines as { device: { id: number }; severity: number }[]).some(
        one => one.device.id === gw && one.severity === 4,
      )
    },
    { everyMs: 100 },
  )
})

test('searched, filtered, and from the device’s page', async () => {
  const { page } = here
  await here.openDevice('gw')
  await here.choose('More actions', 'Logs')
  await here.heading('Logs')
  await search('"one-line-of-the-gateway"')
  await line('one-line-of-the-gateway').waitFor()
  await line('is-it-there').first().waitFor({ state: 'detached' })
  await line('one-line-of-the-gateway').waitFor()
  await here.looksWell('logs-found')
  await page.locator('.filter-bar').getByRole('button', { name: 'Severity' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Error and above' }).click()
  await page
    .getByText('No matches')
    .or(page.getByRole('button', { name: 'Clear filters' }))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await line('is-it-there').first().waitFor()
})

test('SNMP traps are turned on, and stand among the lines by name', async () => {
  const { page } = here
  await page.goto('/network/1/insight/logs')
  await page.getByRole('button', { name: 'Reception', exact: true }).click()
  await dialog().getByRole('switch', { name: 'Receive SNMP traps' }).focus()
  await page.keyboard.press('Space')
  await dialog().getByLabel('Port', { exact: true }).last().fill('514')
  await dialog().getByLabel('SNMPv3 user').fill('trapper-one')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('Syslog over UDP uses this port. Choose another.').waitFor()
  await here.looksWell('logs-traps-settings')
  await dialog().getByLabel('Port', { exact: true }).last().fill('162')
  await dialog().getByLabel('Authentication key').fill('maplesyrup12')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  const to = here.site.addresses.mgr
  await until(async () => {
    const { now } = await here.client.must('logs/status')
    return (now as { traps: unknown }).traps === 'listening'
  })
  const port = `1.3.6.1.2.1.2.2.1.2.3 s 'uplink three' 1.3.6.1.2.1.2.2.1.8.3 i 2`
  await lab.sh('gw', `MIBS= snmptrap -v 2c -c public ${to} '' 1.3.6.1.6.3.1.1.5.3 ${port}`)
  await line('ifDescr.3: uplink three, ifOperStatus.3: down').waitFor()
  await here.looksWell('logs-traps')
  await lab.sh(
    'gw',
    `MIBS= snmptrap -v 3 -l authNoPriv -u nobody-here -a SHA -A maplesyrup12 ${to} '' 1.3.6.1.6.3.1.1.5.1`,
  )
  await page.getByText('1 SNMP trap refused: 1 unknown user.').waitFor()
  await here.looksWell('logs-traps-refused')
})

test('followed live, held while it goes on, and resumed', async () => {
  const { page } = here
  await page.goto('/network/1/insight/logs')
  await line('one-line-of-the-gateway').first().waitFor()
  await say('comes-by-itself')
  await line('comes-by-itself').waitFor()
  await page.getByRole('button', { name: 'Hold' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Held').waitFor()
  await say('while-held')
  await until(async () => {
    const { lines } = await here.client.must('logs/find', { search: '"while-held"' })
    return (lines as unknown[]).length > 0
  })
  expect(await line('while-held').count()).toBe(0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await line('while-held').waitFor()
})

test('page by page to older lines and back; all of them in a file', async () => {
  const { page } = here
  await lab.in('gw', ['sh', '-c', 'i=0; while [ $i -lt 130 ]; do logger -t lab many-$i; i=$((i+1)); done'])
  await until(async () => {
    const { lines } = await here.client.must('logs/find', { search: '"many-129"' })
    return (lines as unknown[]).length > 0
  })
  await page.goto('/network/1/insight/logs?q=many')
  await line('many-129').waitFor()
  await here.looksWell('logs-many')
  await page.getByRole('button', { name: 'Older' }).click()
  await line('many-79').waitFor()
  expect(await line('many-129').count()).toBe(0)
  await page.getByRole('button', { name: 'Newer' }).click()
  await line('many-129').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const text = readFileSync(await file.path(), 'utf8')
  expect(text.split('\r\n').filter(row => /many-\d+/.test(row))).toHaveLength(130)
})

const rule = () => here.page.getByRole('region', { name: 'Lines of the last 24 hours' })
const error = (text: string) => here.page.locator('.field-error').filter({ hasText: text })

test('a rule is made from a line: what it would have found shows while it is typed, wrong input at its field', async () => {
  const { page } = here
  await page.goto('/network/1/insight/logs?q="one-line-of-the-gateway"')
  await line('one-line-of-the-gateway').getByRole('link', { name: 'Create a log rule from this line' }).click()
  await here.heading('New log rule')
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('lab*one-line-of-the-gateway')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('lab one-line-of-the-gateway')
  await rule().getByText('1 line from 1 device would have matched. The rule would have raised 1 alert.').waitFor()
  await rule().getByText('Newest matching lines').click()
  await rule().getByText('lab: one-line-of-the-gateway').waitFor()
  await here.looksWell('log-rule-from-line')
  await page.getByLabel('Text', { exact: true }).fill('a*')
  await page.getByLabel('Lines from one device').fill('0')
  await page.getByLabel('Message').fill('The gateway says it')
  await error('At least three characters besides * and spaces.').waitFor()
  await error('At least 1.').waitFor()
  await rule().getByText('Enter valid values to see which lines match.').waitFor()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await here.looksWell('log-rule-wrong')
  await page.getByLabel('Text', { exact: true }).fill('nothing like this * was ever said')
  await page.getByLabel('Lines from one device').fill('2')
  await rule().getByText('No lines match.').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('rule-line-of * gateway')
  await page.getByLabel('Name', { exact: true }).fill('Gateway')
  await page.getByRole('combobox', { name: 'Severity' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Warning and above' }).click()
  await here.press('Save')
  await page.waitForURL('**/settings/system?tab=logs')
  await here.row('Gateway').waitFor()
  await here.looksWell('log-rules')
})

test('its alert arrives by itself, and leads to the lines that caused it', async () => {
  const { page } = here
  await page.goto('/network/1/alerts')
  for (const at of [1, 2]) await say(`rule-line-of the ${at} gateway`, 'warning')
  await say('rule-line-of the quiet gateway', 'info')
  await here.row('gw: The gateway says it').waitFor()
  await here.looksWell('log-rule-alerts')
  await page.getByRole('link', { name: /gw: The gateway says it/ }).click()
  await here.heading(/The gateway says it/)
  await here.looksWell('log-rule-alert')
  await page.getByRole('link', { name: 'Show the lines' }).click()
  await here.heading('Logs')
  await line('rule-line-of the 2 gateway').waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'one-line' }).count()).toBe(0)
  expect(await line('quiet gateway').count()).toBe(0)
  await page.getByRole('button', { name: 'Matching: rule-line-of * gateway' }).waitFor()
  await here.looksWell('logs-of-rule')
  await page.getByRole('button', { name: 'Matching: rule-line-of * gateway' }).click()
  await page.getByRole('button', { name: /^Matching:/ }).waitFor({ state: 'detached' })
})

test('a rule is deleted, which ends its alert, and comes back by the changelog', async () => {
  const { page } = here
  await page.goto('/network/1/insight/logs')
  await page.getByRole('link', { name: 'Log rules', exact: true }).click()
  await page.getByRole('link', { name: 'Gateway', exact: true }).click()
  await here.heading('Gateway')
  await here.press('Delete')
  await dialog().getByText('This takes effect immediately.').waitFor()
  await here.answer('Delete')
  await page.getByText('No log rule yet.').first().waitFor()
  await here.looksWell('log-rules-none')
  await until(async () => {
    const { result } = await here.client.must('alerts/list')
    return (result as { type: string; recoveredAt: number | null }[]).every(
      one => one.type !== 'logRule' || one.recoveredAt !== null,
    )
  })
  await page.goto('/organization/changelog?object=logRule')
  await here.row('Deleted').first().click()
  await dialog().getByRole('button', { name: 'Undo', exact: true }).click()
  expect(await dialog().getByText('Devices get it with the next push.').count()).toBe(0)
  await here.answer('Undo')
  await page.goto('/network/1/settings/system?tab=logs')
  await here.row('Gateway').waitFor()
})

test('an error of the search is told, and tried again', async () => {
  const { page } = here
  await page.route('**/app/logs/find', route => route.fulfill({ status: 500, body: 'no' }))
  await page.goto('/network/1/insight/logs?q=nothing-of-it')
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await here.looksWell('logs-error')
  await page.unroute('**/app/logs/find')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  here.browser.faults()
})
