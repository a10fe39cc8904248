// An incident as a person meets it: twelve access points behind a switch that is off are one line, with what to do.
import { networkInterfaces } from 'node:os'
import type { Page } from 'playwright-core'
import { type Agent, parseQuestion, parseWalk, respond, serve, takeSet } from '../drivers/snmp-agent'
import { until } from '../lab/_lab'
import { openFold } from './_forms'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let page: Page
let agent: Agent | undefined
const aps = 12

/** As polls leave it: all offline since a minute, the wiring of before learned; what belongs together the manager finds out. */
function outage({ manager }: Console): void {
  const database = databaseOf(manager)
  const at = Date.now() - 60_000
  const device = database.prepare(
    `INSERT INTO devices (organization, network, mac, name, remarks, address, port, driver, kind, vendor, model, serial, firmware, facts, status, status_at, seen_at, reason, created_at)
     VALUES (1, 1, '', $name, '', $address, 161, 'snmp', $kind, '', '', '', '', '{}', $status, $at, $seen, '', 1)`,
  )
  const add = (name: string, kind: string, status: number, host: number) =>
    Number(
      device.run({ name, kind, status, at, seen: status === 1 ? Date.now() : at - 30_000, address: `192.0.2.${host}` })
        .lastInsertRowid,
    )
  const parent = database.prepare('INSERT INTO device_parents (device, parent, port, at) VALUES (?, ?, ?, ?)')
  const alert = database.prepare(
    `INSERT INTO alerts (organization, network, device, level, type, "values", at, tell_at) VALUES (1, 1, ?, 10, 'deviceOffline', ?, ?, ?)`,
  )
  database.transaction(() => {
    const gateway = add('GW-1', 'gateway', 1, 1)
    const attic = add('SW-Attic', 'switch', 0, 2)
    parent.run(attic, gateway, 'p12', at)
    const behind = Array.from({ length: aps }, (_, index) => add(`AP-Attic-${index + 1}`, 'ap', 0, index + 10))
    for (const [index, id] of behind.entries()) parent.run(id, attic, `p${index + 1}`, at)
    const named = [...behind.map((id, index) => [id, `AP-Attic-${index + 1}`] as const), [attic, 'SW-Attic'] as const]
    for (const [id, name] of named) alert.run(id, JSON.stringify({ device: name, reason: 'timeout' }), at, at + 600_000)
  })()
  database.close()
}

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
  outage(one)
})
afterAll(async () => {
  await one?.end()
  await agent?.close()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const incident = () => page.getByRole('link', { name: `SW-Attic is offline. Unreachable behind it: ${aps}` })

test('one line names the cause and how many it took along; none of them has a line of its own', async () => {
  await page.goto('/network/1/alerts')
  await incident().waitFor()
  await until(async () => (await page.getByRole('row').filter({ hasText: 'is offline' }).count()) === 1)
  await one.looksWell('incident-list', { dark: true })
  await page.getByLabel('Device or text').fill('AP-Attic-7')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /AP-Attic-7 is offline/ }).waitFor()
})

test('by key: what to do, where it is connected, when people are notified, and who is unreachable', async () => {
  await page.goto('/network/1/alerts')
  await incident().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/alerts\/detail\?id=\d+/)
  await page.getByRole('heading', { level: 1, name: /SW-Attic is offline/ }).waitFor()
  await page.getByText('Check the power of this device', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'GW-1, port p12' }).waitFor()
  await page.getByText('Sent if still open at', { exact: false }).waitFor()
  await page.getByText('Show all').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'AP-Attic-12 is offline' }).waitFor()
  await one.looksWell('incident', { dark: true })
  await page.getByRole('link', { name: 'AP-Attic-12 is offline' }).click()
  await page.getByText('Caused by another alert', { exact: false }).waitFor()
  await incident().click()
  await page.getByRole('heading', { level: 1, name: /SW-Attic is offline/ }).waitFor()
})

test('acknowledged by mouse with a note, changed by key; the list shows it', async () => {
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('Electrician called')
  await one.looksWell('incident-acknowledge')
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Electrician called').waitFor()
  await page.getByRole('button', { name: 'Change note' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Note').fill('Power is back at noon')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Power is back at noon').waitFor()
  await page.getByRole('link', { name: 'Open device' }).click()
  await page.waitForURL(/devices\/detail\?id=/)
  await page.goto('/network/1/alerts')
  await page.getByRole('row').filter({ hasText: 'SW-Attic' }).getByText('Acknowledged').waitFor()
})

test('an alert that is gone is said to be', async () => {
  await page.goto('/network/1/alerts/detail?id=99999')
  await page.getByRole('alert').waitFor()
  await one.looksWell('incident-gone')
})

test('the offline time: out of bounds is told at the field, a good one is saved and there again', async () => {
  await page.goto('/network/1/alerts')
  await page.getByRole('link', { name: 'Alert settings' }).click()
  const minutes = page.getByLabel('Offline time, minutes')
  await minutes.fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.field-error').waitFor()
  await one.looksWell('alert-settings', { dark: true })
  await minutes.fill('15')
  await openFold(page, 'Thresholds')
  await openFold(page, 'Events')
  await page.getByLabel('CPU load, %').fill('80')
  await page.getByRole('checkbox', { name: 'Port errors' }).click()
  await page.getByRole('checkbox', { name: 'Device restarted' }).focus()
  await page.keyboard.press('Space')
  await minutes.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/network/1/alerts')
  await page.getByRole('link', { name: 'Alert settings' }).click()
  await until(async () => (await minutes.inputValue()) === '15')
  expect(await page.getByLabel('CPU load, %').inputValue()).toBe('80')
  expect(await page.getByRole('checkbox', { name: 'Port errors' }).isChecked()).toBe(false)
  expect(await page.getByRole('checkbox', { name: 'Device restarted' }).isChecked()).toBe(true)
})

test('what was changed shortly before is listed, and a push of then can be reverted', async () => {
  const database = databaseOf(one.manager)
  const { id } = database.prepare("SELECT id FROM devices WHERE name = 'GW-1'").get() as { id: number }
  const now = Date.now()
  const push = database.prepare(
    "INSERT INTO deployments (id, organization, device, state, planned, by_account, created_at) VALUES (?, 1, ?, 'applied', 'kept', 'marta', ?)",
  )
  const earlier = '00000000-0000-4000-8000-000000000001'
  push.run(earlier, id, now - 3_600_000)
  push.run('00000000-0000-4000-8000-000000000002', id, now - 60_000)
  const alert = database.prepare(
    `INSERT INTO alerts (organization, network, device, level, type, "values", at, tell_at) VALUES (1, 1, ?, 10, 'wanOffline', '{"device":"GW-1","wan":"Fibre"}', ?, ?)`,
  )
  alert.run(id, now, now)
  database.close()
  await page.goto('/network/1/alerts')
  await page.locator('.filter-bar').getByRole('button', { name: 'Device' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^GW-1 \(1\)/ }).click()
  await until(async () => (await page.getByRole('row').filter({ hasText: 'offline' }).count()) === 1)
  await page.getByRole('link', { name: 'GW-1: WAN Fibre is offline' }).click()
  await page.getByText('Changes in the 10 minutes before').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Alerts Quay' }).first().waitFor()
  const revert = page.getByRole('link', { name: 'Revert the last change' })
  expect(await revert.getAttribute('href')).toContain(`/network/1/settings/review?device=${id}&restore=${earlier}`)
  await one.looksWell('incident-changes', { dark: true })
})

const mib2 = '1.3.6.1.2.1'
/** A switch of two ports that give power: nothing is plugged into the second one. */
const poeSwitch = [
  `${mib2}.1.1.0|4|SW-PoE of a test`,
  `${mib2}.1.2.0|6|1.3.6.1.4.1.171.10.1`,
  `${mib2}.1.3.0|67|12345600`,
  `${mib2}.1.5.0|4|SW-PoE`,
  ...[1, 2].flatMap(port => [
    `${mib2}.2.2.1.2.${port}|4|port${port}`,
    `${mib2}.2.2.1.3.${port}|2|6`,
    `${mib2}.2.2.1.6.${port}|4x|02005e2000${port}0`,
    `${mib2}.2.2.1.7.${port}|2|1`,
    `${mib2}.2.2.1.8.${port}|2|${port}`,
    `${mib2}.17.1.4.1.2.${port}|2|${port}`,
    `${mib2}.105.1.1.1.3.1.${port}|2|1`,
    `${mib2}.105.1.1.1.6.1.${port}|2|3`,
  ]),
]
const ownAddress = () =>
  Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .find(found => !found.internal && found.family === 'IPv4')?.address ?? ''

test('an offline device is started anew by its PoE port, after what else loses its power was said', async () => {
  const entries = parseWalk(poeSwitch.join('\n'))
  const written: number[] = []
  const address = ownAddress()
  agent = await serve(address, data => {
    const question = parseQuestion(data)
    if (question.type !== 0xa3) return respond(entries, question)
    const reply = takeSet(entries, data)
    written.push(entries.find(({ oid }) => oid.join('.') === `${mib2}.105.1.1.1.3.1.2`)?.value.at(-1) ?? 0)
    return reply
  })
  const credential = { type: 'snmp2c', community: 'public', writeCommunity: 'public' }
  await one.client.must('devices/add', { networkId: 1, address, port: agent.port, groupId: -1, credential })
  const database = databaseOf(one.manager)
  const found = await until(
    () =>
      database
        .prepare("SELECT id FROM devices WHERE driver = 'snmp' AND port = ? AND status = 1")
        .pluck()
        .get(agent?.port) as number,
    { timeoutMs: 60_000 },
  )
  const idOf = (name: string) => database.prepare('SELECT id FROM devices WHERE name = ?').pluck().get(name) as number
  const move = database.prepare('UPDATE device_parents SET parent = ?, port = ? WHERE device = ?')
  const label = await until(async () => {
    const { result } = await one.client.must('devices/switch/ports', { networkId: 1, deviceId: found })
    return (result as { interface: string; label: string }[]).find(port => port.interface === '2')?.label
  })
  for (const name of ['SW-Attic', 'AP-Attic-1']) move.run(found, label, idOf(name))
  const alert = database
    .prepare("SELECT id FROM alerts WHERE type = 'deviceOffline' AND device = ?")
    .pluck()
    .get(idOf('SW-Attic'))
  database.close()
  await page.goto(`/network/1/alerts/detail?id=${alert}`)
  await page.getByRole('button', { name: 'Power-cycle the port' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('SW-Attic loses its power from port', { exact: false }).waitFor()
  await dialog.getByText(/AP-Attic-1, .* and 7 more lose the connection/).waitFor()
  await one.looksWell('incident-power', { dark: true })
  await dialog.getByRole('button', { name: 'Power-cycle the port' }).click()
  await page.getByText('is switched off for about five seconds', { exact: false }).first().waitFor()
  await until(() => written.length === 2, { timeoutMs: 60_000 })
  expect(written).toEqual([2, 1])
})
