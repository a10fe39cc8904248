// Guests as the administrator sees them, and the portal as a guest's own browser does.
import type { Page } from 'playwright-core'
import { keyFileOf } from '@/db/generation'
import { signature } from '@/server/guests/portal/signed'
import { loadKey, secretsOf } from '@/server/kernel/secrets'
import { makeAuthority, sign } from '@/server/networks/certificates/x509'
import { until } from '../lab/_lab'
import { axe, type Browser, launch, scrollsSideways } from './_browser'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page
let lan: string

const hour = 3_600_000
const macs = { in: '02:00:5e:10:00:c1', low: '02:00:5e:10:00:c2', was: '02:00:5e:10:00:c3', no: '02:00:5e:10:00:c4' }

/** Known, and not reached: nobody who is in behind it is ended by what it does not say. */
function insertGateway(): void {
  const database = databaseOf(one.manager)
  const row = {
    ...{ organization: 1, network: 1, name: 'Gate', kind: 'gateway', driver: 'linux', address: '192.0.2.7', port: 22 },
    ...{ status: 0, status_at: 0, created_at: 0 },
  }
  const names = Object.keys(row)
  database.prepare(`INSERT INTO devices (${names}) VALUES (${names.map(name => `@${name}`)})`).run(row)
  database.close()
}

/** Rows as gateways and guests make them. */
function insert(rows: readonly Record<string, unknown>[]): void {
  const database = databaseOf(one.manager)
  const now = Date.now()
  for (const row of rows) {
    const whole: Record<string, unknown> = {
      ...{ organization: 1, network: 1, lan, lan_name: 'Guest LAN', method: 0, started: now - hour, ends: now + hour },
      ...{ idle_seconds: 300, active_at: now, counted_at: now, state: 1, address: '10.66.0.21', label: '', ...row },
    }
    const names = Object.keys(whole)
    database.prepare(`INSERT INTO guests (${names}) VALUES (${names.map(name => `@${name}`)})`).run(whole)
  }
  database.close()
}

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  const portal = await one.client.must('settings/portal/save', {
    ...{ name: 'Guests', methods: ['voucher', 'simplePassword', 'free'], password: 'harbour' },
    terms: 'Be kind to each other.\nNothing unlawful.',
  })
  const saved = await one.client.must('settings/lan/save', {
    ...{ name: 'Guest LAN', vlan: 66, address: '10.66.0.1/24', dhcp: false, portal: portal.id, assign: { all: true } },
  })
  lan = String(saved.id)
  insertGateway()
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

const row = (mac: string) => page.getByRole('row').filter({ hasText: mac.toUpperCase() })
const chip = (name: RegExp) => page.getByRole('group', { name: 'State' }).getByRole('button', { name })

test('without guests the page says what makes a network one of guests', async () => {
  await page.goto('/network/1/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('button', { name: 'Guests', exact: true }).click()
  await menu.getByRole('link', { name: 'Status', exact: true }).click()
  await page.waitForURL('**/network/1/guests/status')
  await page.getByText('No guests yet').waitFor()
  await page.getByRole('link', { name: 'LAN networks' }).waitFor()
  await one.looksWell('guests-empty', { dark: true })
})

test('the list of portals says whether phones are told of them, and why not', async () => {
  await page.goto('/network/1/settings/profiles?tab=portal')
  const card = page.getByRole('region', { name: 'Announcement by DHCP' })
  await card.getByText('the manager shows its own certificate').waitFor()
  const row = card.getByRole('row').filter({ hasText: 'Guest LAN' })
  await row.getByText('Not announced', { exact: true }).waitFor()
  await one.looksWell('portal-announced', { dark: true })
  const names = [{ type: 'dns' as const, value: 'wifi.house.example' }]
  const authority = await makeAuthority('House', Date.now())
  const signed = await sign(authority, { name: 'x', use: 'server', days: 90, names }, Date.now())
  await one.client.must('manager/certificate/save', { certificate: signed.certificate, key: signed.key })
  await card.getByText('none of the manager’s names (LANWARD_NAMES) is in its certificate').waitFor()
  await card.getByText('wifi.house.example').waitFor()
  await one.client.must('manager/certificate/delete')
})

test('who is in, was and was refused stands there with the reason, and is found', async () => {
  const now = Date.now()
  const { id: groupId } = await one.client.must('vouchers/groups/save', {
    ...{ name: 'Room 108', days: 1, hours: 0, minutes: 0, validityDays: 7, byteLimitMb: 5000, quantity: 1 },
  })
  const { result } = (await one.client.must('vouchers/list', { groupId })) as { result: { id: number }[] }
  const database = databaseOf(one.manager)
  database
    .prepare('INSERT INTO voucher_devices (voucher, mac, first_at) VALUES (?, ?, ?)')
    .run(result[0]?.id, macs.in, now - hour)
  database.close()
  const bought = { voucher: result[0]?.id, method: 12, label: 'Room 108' }
  insert([
    { mac: macs.in, bytes: 3_400_000, byte_limit: 5_000_000_000, ...bought },
    { mac: macs.low, method: 13, ends: now + 5 * 60_000, started: now - 8 * hour, bytes: 900 },
    { mac: macs.was, ended: now - hour, state: 0, why: 'time', bytes: 120_000_000 },
    { mac: macs.no, ended: now, state: 2, why: 'wrongVoucher', method: 12 },
  ])
  await page.goto('/network/1/guests/status')
  await row(macs.in).getByText('Room 108').waitFor()
  await row(macs.was).getByText('time is up').waitFor()
  await row(macs.no).getByText('no such voucher').waitFor()
  await page.getByText('2 in now').waitFor()
  await one.looksWell('guests-status', { dark: true })
  await chip(/^Refused/).click()
  await until(async () => (await row(macs.in).count()) === 0)
  await row(macs.no).waitFor()
  await chip(/^All/).click()
  await page.getByPlaceholder('MAC, address, voucher group').fill('room 108')
  await page.keyboard.press('Enter')
  await until(async () => (await row(macs.low).count()) === 0)
  await row(macs.in).waitFor()
})

test('a guest is given more time; one by voucher is told to be renewed instead', async () => {
  await page.goto('/network/1/guests/status')
  await row(macs.in).getByRole('checkbox').check()
  await row(macs.low).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Extend…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`Extend the session of ${macs.low.toUpperCase()}?`).waitFor()
  await dialog.getByText('One guest signed in with a voucher', { exact: false }).waitFor()
  await dialog.getByRole('radio', { name: 'Other …' }).click()
  await dialog.getByLabel('Minutes').fill('0')
  await one.looksWell('guests-extend', { dark: true })
  await dialog.getByRole('button', { name: 'Extend', exact: true }).click()
  await until(async () => (await dialog.getByLabel('Minutes').getAttribute('aria-invalid')) === 'true')
  await dialog.getByLabel('Minutes').fill('120')
  await dialog.getByRole('button', { name: 'Extend', exact: true }).click()
  // No gateway is reached in this house.
  await page.getByText('gets the new time when it is back', { exact: false }).waitFor()
  await row(macs.low).getByText(/^2 h /).waitFor()
})

test('a device is blocked with a note, listed, and released', async () => {
  await page.goto('/network/1/guests/status')
  await row(macs.no).getByRole('checkbox').check()
  await one.looksWell('guests-chosen', { dark: true })
  await page.getByRole('button', { name: 'Block…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'One day' }).click()
  await dialog.getByLabel('Note').fill('loud at night')
  await one.looksWell('guests-block', { dark: true })
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await row(macs.no).getByText('blocked', { exact: true }).waitFor()
  await page.getByRole('link', { name: /^Blocked/ }).click()
  await row(macs.no).getByText('loud at night').waitFor()
  await one.looksWell('guests-blocked', { dark: true })
  await row(macs.no).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Unblock', exact: true }).click()
  await dialog.getByRole('button', { name: 'Unblock', exact: true }).click()
  await page.getByText('No device is blocked').waitFor()
  await one.looksWell('guests-blocked-none', { dark: true })
})

test('a guest is removed by mouse, another by keys alone; both are told', async () => {
  await page.goto('/network/1/guests/status')
  await row(macs.in).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByText('Their connections are cut at once.').waitFor()
  await one.looksWell('guests-remove', { dark: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await row(macs.in).getByText('removed', { exact: true }).waitFor()
  await row(macs.low).getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Remove', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).focus()
  await page.keyboard.press('Enter')
  await row(macs.low).getByText('removed', { exact: true }).waitFor()
})

test('a guest is forgotten after a question: every record of the device is gone', async () => {
  await page.goto('/network/1/guests/status')
  await row(macs.was).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Forget', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await one.looksWell('guests-forget', { dark: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
  await row(macs.was).waitFor({ state: 'detached' })
  await row(macs.low).waitFor()
  const { result } = (await one.client.must('guests/list', { networkId: 1, search: macs.was })) as { result: unknown[] }
  expect(result).toEqual([])
})

test('the list follows by itself', async () => {
  await page.goto('/network/1/guests/status')
  await page.locator('.foot .status.ok').waitFor()
  await page.getByText('0 in now').waitFor()
  // A guest who is refused by the portal is news.
  await fetch(address(), {
    method: 'POST',
    body: new URLSearchParams([...query(), ['method', 'voucher'], ['code', 'NO'], ['terms', '1']]),
  })
  await row('02:00:5e:10:00:0f').getByText('no such voucher').waitFor()
})

const address = (of = lan) => `${one.manager.portal}/portal/${of}`
/** As the gateway sends a guest. */
function query(of = lan): URLSearchParams {
  const key = secretsOf(loadKey(keyFileOf(one.manager.data, `${one.manager.data}/gen-1`))).mac('1', 'portal')
  const guest = { lan: of, mac: '02:00:5e:10:00:0f', ip: '10.66.0.15', at: Math.floor(Date.now() / 1000) }
  const { mac, ip, at } = guest
  return new URLSearchParams({ mac, ip, at: String(at), url: 'http://example.com/', sig: signature(key, guest) })
}

describe('the portal', () => {
  let guest: Browser
  let sheet: Page

  beforeAll(async () => {
    guest = await launch(one.manager.portal)
    sheet = await guest.page({ width: 390, height: 844 })
  })
  afterAll(() => guest?.close())
  afterEach(() => expect(guest.faults()).toEqual([]))

  /** As phones show it, small and large, light and dark. */
  async function looksWell(name: string): Promise<void> {
    for (const width of [320, 390, 1440])
      for (const colorScheme of ['light', 'dark'] as const) {
        await sheet.setViewportSize({ width, height: 844 })
        await sheet.emulateMedia({ colorScheme })
        expect(await axe(sheet)).toEqual([])
        expect(await scrollsSideways(sheet)).toBe(false)
        if (process.env.LANWARD_PICTURES)
          await sheet.screenshot({
            path: `${process.env.LANWARD_PICTURES}/${name}-${width}-${colorScheme}.png`,
            fullPage: true,
          })
      }
    await sheet.setViewportSize({ width: 390, height: 844 })
  }

  test('the page is whole in one request under 30 kB, and reads well on every screen', async () => {
    const asked: string[] = []
    sheet.on('request', request => asked.push(new URL(request.url()).pathname))
    const answer = await sheet.goto(`${address()}?${query()}`)
    expect((await answer?.body())?.length).toBeLessThan(30_000)
    await sheet.getByRole('heading', { level: 1, name: 'Welcome to the Wi-Fi' }).waitFor()
    // Chromium looks for a page's icon by itself.
    expect(asked.filter(path => path !== '/favicon.ico')).toEqual([`/portal/${lan}`])
    await looksWell('portal-entry')
  })

  test('what is wrong is told at its field, by keys alone', async () => {
    await sheet.goto(`${address()}?${query()}`)
    await sheet.getByLabel('Voucher code').focus()
    await sheet.keyboard.type('abc')
    await sheet.keyboard.press('Enter')
    await sheet.getByText('Accept the terms of use first.').waitFor()
    expect(await sheet.getByLabel('Voucher code').inputValue()).toBe('abc')
    await sheet.getByLabel('I accept the terms of use').focus()
    await sheet.keyboard.press('Space')
    await sheet.getByLabel('Voucher code').focus()
    await sheet.keyboard.press('Enter')
    await sheet.getByText('This is no voucher code.', { exact: false }).waitFor()
    expect(await sheet.getByLabel('Voucher code').getAttribute('aria-invalid')).toBe('true')
    expect(await sheet.getByLabel('I accept the terms of use').isChecked()).toBe(true)
    await looksWell('portal-wrong')
  })

  test('a full voucher is used here instead by keys alone, with scripts off', async () => {
    const { id: groupId } = await one.client.must('vouchers/groups/save', {
      ...{ name: 'Cabin', days: 1, hours: 0, minutes: 0, validityDays: 7, maxDevices: 2, quantity: 1 },
    })
    const { result } = (await one.client.must('vouchers/list', { groupId })) as {
      result: { id: number; code: string }[]
    }
    const database = databaseOf(one.manager)
    const place = database.prepare('INSERT INTO voucher_devices (voucher, mac, first_at) VALUES (?, ?, ?)')
    for (const mac of ['02:00:5e:10:3f:a4', '02:00:5e:10:3f:a5']) place.run(result[0]?.id, mac, Date.now() - hour)
    database.close()
    const tab = await sheet.context().newCDPSession(sheet)
    const scripts = (on: boolean) => tab.send('Emulation.setScriptExecutionDisabled', { value: !on })
    await scripts(false)
    await sheet.goto(`${address()}?${query()}`)
    await sheet.getByLabel('I accept the terms of use').check()
    await sheet.getByLabel('Voucher code').fill(result[0]?.code ?? '')
    await sheet.keyboard.press('Enter')
    await sheet.getByRole('heading', { level: 1, name: 'Voucher in use' }).waitFor()
    // What judges the page is a script.
    await scripts(true)
    await looksWell('portal-full')
    await scripts(false)
    const first = sheet.getByRole('radio', { name: 'Device ending in 3F:A4' })
    expect(await first.isChecked()).toBe(true)
    await first.focus()
    for (const key of ['ArrowDown', 'Tab', 'Enter']) await sheet.keyboard.press(key)
    // No gateway is reached in this house; the place is the new device's.
    await sheet.getByText('The network did not answer.', { exact: false }).waitFor()
    await scripts(true)
    const after = databaseOf(one.manager)
    const held = after.prepare('SELECT mac FROM voucher_devices WHERE voucher = ? ORDER BY mac').pluck()
    expect(held.all(result[0]?.id)).toEqual(['02:00:5e:10:00:0f', '02:00:5e:10:3f:a4'])
    after.close()
    expect(guest.faults().filter(fault => !fault.includes('503'))).toEqual([])
  })

  test('whoever is blocked is told so, and until when', async () => {
    const device = { macs: ['02:00:5e:10:00:0f'] }
    const until = `${new Date(Date.now() + 2 * 86_400_000).toJSON().slice(0, 19)}Z`
    await one.client.must('guests/block', { ...device, until })
    await sheet.goto(`${address()}?${query()}`)
    await sheet.getByRole('heading', { level: 1, name: 'This device is blocked' }).waitFor()
    await sheet.getByText('It can sign in again after', { exact: false }).waitFor()
    await looksWell('portal-blocked')
    await one.client.must('guests/unblock', device)
    expect(guest.faults().filter(fault => !fault.includes('403'))).toEqual([])
  })

  test('outside of its schedule the page says when it opens next; the form of the portal has schedule and devices', async () => {
    const date = new Date(Date.now() + 2 * 86_400_000).toJSON().slice(0, 10)
    const hours = await one.client.must('settings/schedule/save', {
      ...{ name: 'Feast', weekly: '', dates: [{ date, times: '09:00-24:00' }] },
    })
    const portal = await one.client.must('settings/portal/save', {
      ...{ name: 'Feast', methods: ['simplePassword'], password: 'harbour', schedule: hours.id, maxDevices: 5 },
    })
    const saved = await one.client.must('settings/lan/save', {
      ...{
        name: 'Feast LAN',
        vlan: 67,
        address: '10.67.0.1/24',
        dhcp: false,
        portal: portal.id,
        assign: { all: true },
      },
    })
    const feast = String(saved.id)
    await sheet.goto(`${address(feast)}?${query(feast)}`)
    await sheet.getByRole('heading', { level: 1, name: 'Wi-Fi is closed now' }).waitFor()
    await sheet.getByText('You can sign in again from', { exact: false }).waitFor()
    await looksWell('portal-hours')
    expect(guest.faults().filter(fault => !fault.includes('403'))).toEqual([])
    await page.goto(`/network/1/settings/profiles/portal/form?id=${portal.id}`)
    await until(async () => (await page.getByLabel('Devices for each sign-in').inputValue()) === '5')
    await page.getByLabel('Schedule', { exact: true }).waitFor()
    await one.looksWell('portal-form', { dark: true })
  })

  test('without a gateway that answers nobody is told that they are online', async () => {
    await sheet.goto(`${address()}?${query()}`)
    await sheet.getByLabel('I accept the terms of use').check()
    await sheet.getByRole('button', { name: 'Go online free of charge' }).click()
    await sheet.getByText('The network did not answer.', { exact: false }).waitFor()
    expect(guest.faults().filter(fault => !fault.includes('503'))).toEqual([])
  })

  test('a link that is not a gateway’s own says what to do', async () => {
    await sheet.goto(`${address()}?mac=02:00:5e:10:00:0f`)
    await sheet.getByRole('heading', { name: 'This link does not work here' }).waitFor()
    await looksWell('portal-forged')
    expect(guest.faults().filter(fault => !fault.includes('403'))).toEqual([])
  })
})
