import type { Page } from 'playwright-core'
import { guideSteps } from '@/model/guide'
import { quote } from '@/server/drivers/shell'
import { type LabManager, lab, manager, until } from '../lab/_lab'
import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { shownAsText } from './_as-text'
import { type Browser, looksWell as look, signedIn } from './_browser'

// Every screen of the console that is built: it opens, does its job, and looks well wide and on a phone.

let status: Awaited<ReturnType<typeof lab.up>>
let started: LabManager
let client: Client
let browser: Browser
let page: Page

beforeAll(async () => {
  status = await lab.up()
  started = await manager({ env: { LANWARD_DISCOVERY: `${status.addresses.gw}/28` } })
  client = clientOf(started.local)
  await prepareWizard(client, 'Harbour House')
  await client.must('wizard/finish')
  await client.must('guide/step', { step: guideSteps.seen })
  ;({ browser, page } = await signedIn(started.url))
})
afterAll(async () => {
  await browser?.close()
  await started?.end()
})
afterEach(() => expect(browser.faults()).toEqual([]))

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const looksWell = (name: string) => look(page, name)

/** A row of the list on the page. */
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

test('after signing in the dashboard says what to do first', async () => {
  await page.waitForURL('**/network/1/dashboard')
  await heading('Dashboard')
  await page.getByText('This network has no devices yet.').waitFor()
  await looksWell('dashboard-empty')
  await page.getByRole('link', { name: 'Add devices' }).click()
  await heading('Add devices')
})

test('finds devices, shows their host keys, and adopts the ticked ones with a password', async () => {
  await looksWell('add-devices')
  await press('Scan')
  for (const address of [status.addresses.gw, status.addresses.ap1])
    await page.locator('.found-device', { hasText: address }).getByRole('checkbox').check()
  await page.getByLabel('User', { exact: true }).fill(status.credentials.ssh.user)
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await press('Adopt 2 devices')
  await page
    .getByRole('dialog')
    .getByText(/SHA256:/)
    .first()
    .waitFor()
  await press('Accept 2 keys and log in')
  await page.getByText('The device refused the credentials').first().waitFor()
  await looksWell('add-devices-refused')
  await page.getByLabel('Password', { exact: true }).fill(status.credentials.ssh.password)
  await press('Adopt 2 devices')
  await press('Accept 2 keys and log in')
  await until(async () => (await page.getByText('Adopted', { exact: true }).count()) === 2)
  await looksWell('add-devices-adopted')
})

test('adds a switch by its address over SNMP', async () => {
  await page.getByRole('link', { name: 'By address' }).click()
  await page.getByLabel('Address', { exact: true }).fill(status.addresses.sw1)
  await page.getByLabel('Credentials', { exact: true }).click()
  await page.getByRole('option', { name: 'New credentials' }).click()
  await press('SNMP v2c')
  await page.getByLabel('Community', { exact: true }).fill(status.credentials.snmp.read)
  await press('Adopt 1 device')
  await page.getByText('Adopted', { exact: true }).waitFor()
  await looksWell('add-device-by-address')
})

test('N20: a file with a wrong line adopts nothing and says which line', async () => {
  await page.getByRole('link', { name: 'From a file' }).click()
  const file = {
    name: 'devices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('address,credential\n10.77.0.300,nobody\n'),
  }
  await page.getByLabel('File', { exact: true }).setInputFiles(file)
  await page.getByRole('table').getByText('credential').waitFor()
  expect(await page.getByRole('button', { name: /^Adopt/ }).isDisabled()).toBe(true)
  await looksWell('add-devices-file')
})

test('credentials say who uses them, and are tested on a device', async () => {
  await page.getByRole('link', { name: 'Credentials' }).click()
  await row('SSH root').getByRole('link', { name: 'gw' }).waitFor()
  await looksWell('credentials')
  await press('Actions for SSH root')
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await press('Test now')
  await page.getByText(/accepted the credentials/).waitFor()
  await page.keyboard.press('Escape')
})

test('the list shows every device online, and finds, filters and moves them', async () => {
  await page.goto('/network/1/devices')
  await heading('Devices')
  for (const name of ['gw', 'ap1', 'sw1']) await row(name).getByText('Online').waitFor({ timeout: 150_000 })
  await looksWell('devices')
  await page.getByLabel('Name, IP, MAC or serial').fill('sw1')
  await page.keyboard.press('Enter')
  await until(async () => (await page.getByRole('row').count()) === 2)
  // What is chosen while the address still has the former search is chosen beside what was cleared.
  let answer = () => {}
  const answered = new Promise<void>(done => {
    answer = done
  })
  const drawnAnew = (url: URL) => url.searchParams.has('_rsc')
  await page.route(drawnAnew, async route => {
    await answered
    await route.continue()
  })
  await press('Clear search')
  await press('Type')
  await page.getByRole('menuitemcheckbox', { name: 'Gateway' }).click()
  answer()
  await until(async () => (await row('ap1').count()) === 0)
  await row('gw').waitFor()
  await page.unroute(drawnAnew)
})

test('device groups: a tree, and devices moved into it', async () => {
  await page.goto('/network/1/devices/group/form')
  await heading('Device groups')
  await page.getByLabel('Name', { exact: true }).fill('Lobby')
  await press('Create group')
  await page.getByRole('link', { name: 'Lobby' }).waitFor()
  await looksWell('group')
  await page.goto('/network/1/devices')
  await row('ap1').getByRole('checkbox').check()
  await press('Move to group')
  await page.getByRole('dialog').getByLabel('Group').click()
  await page.getByRole('treeitem', { name: 'Lobby' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await row('ap1').getByText('Lobby').waitFor()
})

test('columns are chosen, and stay chosen', async () => {
  await press('Columns')
  await page.getByRole('checkbox', { name: 'Serial number' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Serial number' }).waitFor()
  await page.reload()
  await page.getByRole('columnheader', { name: 'Serial number' }).waitFor()
})

test('a switch shows its front, its readings and its neighbours; what it does not say is named', async () => {
  await page.getByRole('link', { name: 'sw1' }).click()
  await heading('sw1')
  // LLDP speaks every 30 s: what the neighbours said after the first reading is there at the next one.
  await until(async () => (await lab.sh('sw1', 'lldpcli show neighbors')).stdout.includes('gw'))
  await until(
    async () => {
      await press('Read now')
      await page.getByRole('button', { name: /^Port 1, / }).focus()
      return (await page.locator('.port-card').getByText('gw').count()) > 0
    },
    { everyMs: 1000 },
  )
  await page.getByText(/^Not reported by this device: /).waitFor()
  await looksWell('switch')
  for (const tab of ['Interfaces', 'Clients', 'Neighbours', 'Events']) {
    await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: tab }).click()
    await looksWell(`switch-${tab.toLowerCase()}`)
  }
  expect(await page.getByRole('button', { name: 'Reboot' }).count()).toBe(0)
})

test('an access point shows radios and pushes; a gateway its leases', async () => {
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'ap1' }).click()
  await heading('ap1')
  for (const tab of ['Wi-Fi', 'Configuration']) {
    await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: tab }).click()
    await looksWell(`ap-${tab.toLowerCase()}`)
  }
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'gw' }).click()
  await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: 'DHCP leases' }).click()
  await page.getByText('02:00:5E:10:00:', { exact: false }).first().waitFor()
  await looksWell('gateway-leases')
})

test('a window has a name at every moment, also between two pages', async () => {
  await page.goto('/network/1/devices')
  await page.evaluate(() => {
    const names = [document.title]
    Object.assign(window, { names })
    new MutationObserver(() => names.push(document.title)).observe(document, { subtree: true, childList: true })
  })
  await page.getByRole('link', { name: 'sw1' }).click()
  await heading('sw1')
  for (const tab of ['Interfaces', 'Clients', 'Events']) {
    await page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: tab }).click()
    await page.waitForURL(new RegExp(`tab=${tab.toLowerCase()}`))
  }
  await page.getByRole('link', { name: 'Alerts' }).first().click()
  await heading('Alerts')
  const names = () => page.evaluate(() => (window as unknown as { names: string[] }).names)
  await until(async () => (await names()).at(-1)?.includes('Alerts'))
  expect((await names()).filter(name => name.trim() === '')).toEqual([])
})

test('N3: renames a device; a detail that is gone opens the list and says so', async () => {
  await page.goto('/network/1/devices')
  await page.getByRole('link', { name: 'gw' }).click()
  await press('More actions')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Front gateway')
  await press('Save name')
  await heading('Front gateway')
  await page.goto('/network/1/devices/detail?id=9999')
  await page.waitForURL('**/network/1/devices')
  await page.locator('.toast.bad').waitFor()
})

test('the dashboard counts devices and clients from polls', async () => {
  await page.goto('/network/1/dashboard')
  await page.getByText('of 1 online').first().waitFor()
  await page.getByText('wired').first().waitFor()
  await looksWell('dashboard')
  await press('7 d')
  await looksWell('dashboard-week')
})

test('the dashboard comes with its data: nothing is left to be asked for', async () => {
  const drawn = async () => (await page.request.get('/network/1/dashboard')).text()
  // An answer that takes long while the machine is busy is left out.
  const html = await until(async () => {
    const text = await drawn()
    return !text.includes('class="skel"') && text
  })
  expect(html).toContain('of 1 online')
})

test('alerts by mail: that no mail server is set is said, a wrong address is refused at its field', async () => {
  await page.goto('/network/1/alerts')
  await heading('Alerts')
  // A device that was silent for a moment is told there.
  await page
    .getByText(/^No alert/)
    .or(page.getByRole('table'))
    .waitFor()
  await looksWell('alerts')
  await page.getByRole('link', { name: 'Notification settings' }).click()
  await heading('Notification settings')
  await page.getByText('By mail', { exact: true }).click()
  await page.getByText('No mail server set').waitFor()
  await page.getByLabel('Recipients').fill('no address')
  await press('Save')
  await page.locator('.field-error').first().waitFor()
  await looksWell('notice')
})

test('S2: networks are created, made the default, cloned, and deleted by typing the name', async () => {
  await page.goto('/organization/network')
  await heading('Networks')
  await page.getByRole('link', { name: 'Create network' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Annex')
  await page.getByLabel('Country or region').click()
  await page.keyboard.type('Spai')
  await page.getByRole('option', { name: 'Spain' }).click()
  await looksWell('network-form')
  await press('Create network')
  await row('Annex').waitFor()
  await looksWell('networks')
  await press('Actions for Annex')
  await page.getByRole('menuitem', { name: 'Clone' }).click()
  await page.getByLabel('Name of the new network').fill('Annex 2')
  await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click()
  await row('Annex 2').waitFor()
  await press('Actions for Annex 2')
  await page.getByRole('menuitem', { name: 'Delete network' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Delete network' }).isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('Annex 2')
  await dialog.getByRole('button', { name: 'Delete network' }).click()
  await until(async () => (await row('Annex 2').count()) === 0)
  await press('Actions for Harbour House')
  await page.getByRole('menuitem', { name: 'Delete network' }).click()
  await dialog.getByText('The default network cannot be deleted', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
})

test('account settings are kept, and times follow them', async () => {
  await page.goto('/account/settings')
  await heading('Account settings')
  await looksWell('account')
  await page.getByLabel('Date format').click()
  await page.getByRole('option', { name: 'dd/MM/yyyy' }).click()
  await Promise.all([page.waitForEvent('load'), press('Save')])
  await page.goto('/network/1/dashboard')
  await page
    .getByText(/\d\d\/\d\d\/\d{4}/)
    .first()
    .waitFor()
  await page.goto('/account/about')
  await heading('About')
  await looksWell('about')
})

test.each(['Dark', 'White'])('every list reads well in the %s theme', async theme => {
  await page.goto('/account/settings')
  await page.getByRole('radio', { name: new RegExp(`^${theme}`) }).click()
  await Promise.all([page.waitForEvent('load'), press('Save')])
  for (const path of ['/network/1/dashboard', '/network/1/devices', '/network/1/alerts', '/organization/network']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await looksWell(`${path.split('/').at(-1)}-${theme}`)
  }
})

describe('a device that is called as no device is', () => {
  const called = '=<img src=x onerror=hit=1>'
  const said = '<script>window.hit=1</script>'
  const shown = (path: string, wanted: readonly string[]) => shownAsText(page, path, wanted)
  const idOf = async (name: string) => {
    const { result } = (await client.must('devices/list')) as { result: { id: number; name: string }[] }
    return result.find(one => one.name === name)?.id ?? 0
  }
  const system = (verb: string, what: string) => `lldpcli ${verb} system ${what}`
  beforeAll(async () => {
    const told = [system('configure', `hostname ${quote(called)}`), system('configure', `description ${quote(said)}`)]
    // The other program of this name minds it.
    const names = [`busybox hostname ${quote(called)}`, ...told, 'lldpcli update'].join(' && ')
    expect(await lab.sh('ap1', names)).toMatchObject({ code: 0 })
    await client.must('devices/delete', { ids: [await idOf('ap1')] })
    const address = status.addresses.ap1
    const { hostKey } = await client.must('devices/fingerprint', { address })
    const { user, password } = status.credentials.ssh
    const { jobId } = await client.must('devices/add', {
      address,
      hostKey,
      credential: { type: 'ssh', user, password },
    })
    await until(async () => (await client.must('devices/adopt/result', { jobId })).state === 'done')
    // The DHCP server leaves such a name out.
    await lab.sh('c1', `busybox udhcpc -n -q -i eth0 -s /bin/true -x hostname:${quote(called)}`)
    const id = await idOf('sw1')
    await until(async () => {
      await client.must('devices/sync', { id })
      return JSON.stringify(await client.must('devices/info', { id })).includes(called)
    })
  })
  afterAll(() => {
    const told = [system('unconfigure', 'hostname'), system('unconfigure', 'description'), 'lldpcli update']
    return lab.sh('ap1', ['hostname ap1', ...told].join('; '))
  })

  test('stands everywhere as it is called: itself, its neighbours, what was done, the file, the log', async () => {
    const own = `/network/1/devices/detail?id=${await idOf(called)}`
    await shown('/network/1/devices', [called])
    await shown(own, [called])
    await shown(`/network/1/devices/detail?id=${await idOf('sw1')}&tab=neighbours`, [called])
    await shown(`/network/1/devices/detail?id=${await idOf('Front gateway')}&tab=leases`, ['02:00:5E:10:00:'])
    await shown('/organization/changelog', [called])
    const file = await (await page.request.get('/app/exports/devices')).text()
    expect(file).toContain(`'${called}`)
    expect(file).not.toContain(`,${called}`)
    expect(started.output()).not.toContain('\n=')
  })
})
