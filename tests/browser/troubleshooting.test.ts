// Tests of the network as a person runs them: chosen, live, canceled, repeated, kept, side by side, as text.
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { lab } from '../lab/_lab'
import { type Console, openConsole } from './_console'

let here: Console
let ap: number
const gateway = '10.77.0.1'

beforeAll(async () => {
  await Promise.all([lab.reset('gw'), lab.reset('ap1')])
  here = await openConsole()
  const { user, password } = here.site.credentials.ssh
  ap = await here.adopt({ address: here.site.addresses.ap1, login: { type: 'ssh', user, password } })
  await here.adopt({ address: here.site.addresses.gw, login: { type: 'ssh', user, password } })
  const { addresses, credentials } = here.site
  await here.adopt({ address: addresses.sw1, login: { type: 'snmp2c', community: credentials.snmp.read } })
})
afterAll(async () => {
  await here?.close()
  await lab.reset('gw')
})
afterEach(() => expect(here.browser.faults()).toEqual([]))

const box = (name: string) => here.page.getByRole('combobox', { name, exact: true })
const field = (name: string) => here.page.getByRole('textbox', { name, exact: true })
const result = (name: string | RegExp) => here.page.getByRole('region', { name })
const chooseTest = async (name: string) => {
  await box('Test').click()
  await here.page.getByRole('option', { name, exact: true }).click()
  await here.page.getByRole('option').first().waitFor({ state: 'detached' })
}
const chooseFrom = async (name: string) => {
  await here.page.getByLabel('From', { exact: true }).click()
  await here.page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
  await here.page.getByRole('option').first().waitFor({ state: 'detached' })
}
const finished = (name: string | RegExp) => result(name).getByText('Finished', { exact: true }).waitFor()
const open = async (query = '') => {
  await here.page.goto(`/network/1/insight/troubleshooting${query}`)
  await here.heading('Troubleshooting')
  await here.page.getByRole('button', { name: 'Run', exact: true }).waitFor()
}

test('the menu leads there; nothing was tested yet; a host that is none is refused at its field', async () => {
  const { page } = here
  await page.goto('/network/1/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await here.press('Insight')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Troubleshooting', exact: true })
    .click()
  await here.heading('Troubleshooting')
  await page.getByText('No results yet.').waitFor()
  await field('Host').fill('a b')
  await page.keyboard.press('Enter')
  await page.locator('.field-error').first().waitFor()
  await here.looksWell('troubleshooting-empty')
})

test('a ping from a device, by mouse: figures and output, as text to the clipboard and as a file', async () => {
  const { page } = here
  await open()
  await chooseFrom('ap1')
  await field('Host').fill(gateway)
  await field('Pings').fill('3')
  await here.press('Run')
  await finished(`Ping: ${gateway}`)
  const card = result(`Ping: ${gateway}`)
  await card.getByText('0 %: 0 of 3 lost').waitFor()
  await card.getByRole('log').getByText('3 packets transmitted', { exact: false }).waitFor()
  await here.looksWell('troubleshooting-ping')
  await card.getByRole('button', { name: 'Copy' }).click()
  await page
    .getByText(/^Copied|copy it/i)
    .first()
    .waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download' }).click(),
  ])
  const text = readFileSync(await file.path(), 'utf8')
  expect(text).toContain(`Ping: ${gateway}`)
  expect(text).toContain('From ap1')
  expect(text).toContain('3 packets transmitted, 3 received')
})

test('by key: a long ping is live, canceled, and run again', async () => {
  const { page } = here
  await open(`?device=${ap}&host=${gateway}`)
  await field('Pings').fill('60')
  await field('Pings').press('Enter')
  const card = result(`Ping: ${gateway}`)
  await card.getByText('Running', { exact: true }).waitFor()
  await card.getByRole('log').getByText('icmp_seq=3', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await card.getByText('Cancelled', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Run again' }).focus()
  await page.keyboard.press('Enter')
  await card.getByText('Running', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Cancel' }).click()
  await card.getByText('Cancelled', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Close' }).press('Enter')
  await card.waitFor({ state: 'detached' })
})

test('each of the other tests asks for what it needs, and shows what came of it', async () => {
  const { page } = here
  await open(`?device=${ap}`)
  await chooseTest('Traceroute')
  await field('Host').fill('203.0.113.1')
  await here.press('Run')
  await finished('Traceroute: 203.0.113.1')
  await result('Traceroute: 203.0.113.1').getByText('The host was reached.').waitFor()
  await chooseTest('MTR')
  await field('Rounds').fill('2')
  await here.press('Run')
  await finished('MTR: 203.0.113.1')
  await result('MTR: 203.0.113.1').getByRole('cell', { name: gateway }).waitFor()
  await here.looksWell('troubleshooting-mtr')
  await chooseTest('Neighbour table (ARP)')
  await here.press('Run')
  await finished('Neighbour table (ARP)')
  await result('Neighbour table (ARP)').getByRole('cell', { name: gateway, exact: true }).waitFor()
  await chooseTest('TCP port')
  await field('Host').fill(gateway)
  await here.press('Run')
  await page.locator('.field-error').first().waitFor()
  await field('TCP port').fill('22')
  await here.press('Run')
  await finished(`TCP port: ${gateway}:22`)
  await result(`TCP port: ${gateway}:22`).getByText('Open: the host accepts connections.').waitFor()
  await chooseTest('DNS lookup')
  await chooseFrom('This manager')
  await field('Name or address').fill('www.internet.test')
  await page.getByLabel('DNS server').fill(gateway)
  await box('Record').click()
  await page.getByRole('option', { name: 'A', exact: true }).click()
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await here.press('Run')
  await finished('DNS lookup: www.internet.test A')
  await result('DNS lookup: www.internet.test A').getByText('203.0.113.1').first().waitFor()
  await here.looksWell('troubleshooting-dns')
})

test('why a client is slow: on its page by key, and in Troubleshooting, each check with what was measured', async () => {
  const { page } = here
  const mac = (await lab.sh('c2', 'cat /sys/class/net/eth0/address')).stdout.trim()
  const row = (list: Locator, check: string) => list.getByRole('listitem').filter({ hasText: check }).first()
  await lab.sh('c2', `ping -c1 -W1 ${gateway}`)
  await page.goto(`/network/1/clients/detail?id=${mac}`)
  const card = result('Why is this client slow or offline?')
  await card.getByRole('button', { name: 'Check' }).focus()
  await page.keyboard.press('Enter')
  await card.getByRole('button', { name: 'Check again' }).waitFor({ timeout: 120_000 })
  const list = card.getByRole('list')
  await row(list, 'DHCP')
    .getByText(/^Lease for /)
    .waitFor()
  await row(list, 'Signal').getByText('Connected by cable.').waitFor()
  await here.looksWell('client-check')
  await lab.sh('gw', 'systemctl stop dnsmasq')
  await open()
  await chooseTest('Slow or offline client')
  await here.press('Run')
  await page.locator('.field-error').first().waitFor()
  await page.getByLabel('Client', { exact: true }).click()
  await page.keyboard.type(mac)
  await page.getByRole('option').first().click()
  await here.press('Run')
  await finished(/^Slow or offline client/)
  const shown = result(/^Slow or offline client/)
  await shown.getByText('DHCP: this is the fault').waitFor()
  await shown.getByText('No DHCP server is running on the gateway.').first().waitFor()
  await here.looksWell('troubleshooting-client')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(readFileSync(await file.path(), 'utf8')).toContain('DHCP – Fault: No DHCP server is running on the gateway.')
  await lab.sh('gw', 'systemctl start dnsmasq')
})

test('throughput between two devices: the other end is searched, the way chosen, and the figures shown', async () => {
  const { page } = here
  await open(`?device=${ap}`)
  await chooseTest('Throughput (iperf3)')
  await here.press('Run')
  await page.locator('.field-error').first().waitFor()
  await page.getByLabel('To', { exact: true }).click()
  await page.getByRole('option', { name: /^gw/ }).click()
  await field('Duration').fill('2')
  await here.press('Run')
  await finished('Throughput (iperf3): gw')
  const card = result('Throughput (iperf3): gw')
  await card.getByText('Slowest second').waitFor()
  await card.getByRole('log').getByText('receiver', { exact: false }).waitFor()
  await page.getByRole('row', { name: /Throughput \(iperf3\) gw ap1 [\d.,]+ [MG]bps/ }).waitFor()
  await here.looksWell('troubleshooting-iperf3')
})

test('a packet capture: a filter that tcpdump refuses stands at its field; packets are listed, and come as a file', async () => {
  const { page } = here
  await open(`?device=${ap}`)
  await chooseTest('Packet capture')
  await field('Interface').fill('eth0')
  await field('Filter').fill('icmp or (')
  await here.press('Run')
  await page.locator('.field-error').getByText('tcpdump on the device refused this:', { exact: false }).waitFor()
  await field('Filter').fill('icmp')
  await field('Packets').fill('4')
  await field('Duration').fill('60')
  await field('File name').fill('pings')
  await here.press('Run')
  const card = result(/^Packet capture: eth0 icmp/)
  await card.getByRole('log').getByText('listening on eth0', { exact: false }).waitFor()
  await lab.tool('ping', '-c', '2', here.site.addresses.ap1)
  await finished(/^Packet capture: eth0 icmp/)
  await card
    .getByRole('row', { name: /10\.77\.0\.10 10\.77\.0\.3 ICMP 98 ICMP echo request/ })
    .first()
    .waitFor()
  expect(await card.getByRole('row').count()).toBe(5)
  await here.looksWell('troubleshooting-capture')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download pcap' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('pings.pcap')
  expect(
    readFileSync(await file.path())
      .subarray(0, 4)
      .toString('hex'),
  ).toBe('d4c3b2a1')
})

test('earlier results: found, opened by key, side by side, and deleted', async () => {
  const { page } = here
  await open()
  const list = page.getByRole('table', { name: 'Earlier results' })
  await list.getByRole('row').filter({ hasText: 'TCP port' }).waitFor()
  await page.getByRole('search').getByRole('textbox').fill('Ping')
  await page.keyboard.press('Enter')
  await list.getByRole('row').filter({ hasText: 'TCP port' }).waitFor({ state: 'detached' })
  const rows = list.locator('tbody tr')
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await result(`Ping: ${gateway}`).first().waitFor()
  for (const at of [0, 1]) await rows.nth(at).getByRole('checkbox').click()
  await here.press('Compare')
  await page.waitForFunction(() => document.querySelectorAll('.diagnosis-results.several > *').length === 2)
  await here.looksWell('troubleshooting-compare')
  const count = await rows.count()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).press('Enter')
  await page.waitForFunction(n => document.querySelectorAll('.data-table.rows tbody tr').length === n, count - 2)
  await page.getByText('This result is no longer kept.').first().waitFor()
})

test('an error of the list is told, and tried again', async () => {
  const { page } = here
  await page.route('**/app/diagnostics/list', route => route.fulfill({ status: 500, body: 'no' }))
  await open()
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await page.unroute('**/app/diagnostics/list')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByRole('table', { name: 'Earlier results' }).waitFor()
  here.browser.faults()
})
