// URL and NAT records as a person meets them: off, turned on, read from a gateway's real lines, searched, taken along.
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { freePort } from '../appliance/_manager'
import { until } from '../lab/_lab'
import { type Console, databaseOf, openConsole } from './_setup'

let one: Console
let port: number

/** A gateway that sends from this machine, and a client of its LAN whose name is known. */
function bringIn() {
  const db = databaseOf(one.manager)
  db.exec(
    `INSERT INTO devices (organization, network, address, name, port, driver, kind, status, status_at, created_at)
       VALUES (1, 1, '127.0.0.1', 'gw', 9, 'linux', 'gateway', 0, 1, 1);
     INSERT INTO clients (network, mac, hostname, address, online, wifi, first_seen_at, seen_at)
       VALUES (1, '02:00:00:00:00:23', 'laptop', '192.168.1.23', 0, 0, 1, ${Date.now()});`,
  )
  db.close()
}
beforeAll(async () => {
  one = await openConsole('Harbour House')
  port = await freePort()
  bringIn()
})
afterAll(() => one?.end())
afterEach(() => expect(one.browser.faults()).toEqual([]))

async function send(...lines: string[]) {
  const socket = createSocket('udp4')
  for (const line of lines) await new Promise(done => socket.send(line, port, '127.0.0.1', done))
  socket.close()
}
const query = (name: string, client = '192.168.1.23') =>
  `<30>Nov 30 06:22:09 gw dnsmasq[1234]: 12 ${client}/51234 query[A] ${name} from ${client}`
const half = (side: 'in' | 'out', source: string, sport: number) =>
  `<7>Nov 30 06:22:09 gw kernel: [  938.894633] lanward-nat-${side} IN=lan OUT=wan MAC=72:fa:47:d9:23:25:e2:6d:0a:2d:19:e2:08:00 SRC=${source} DST=203.0.113.1 LEN=60 TOS=0x00 PREC=0x00 TTL=63 ID=16319 DF PROTO=TCP SPT=${sport} DPT=443 SEQ=3794596758 ACK=0 WINDOW=64240 RES=0x00 SYN URGP=0 MARK=0x80000000 `
const row = (text: string) => one.page.getByRole('row').filter({ hasText: text })
const tab = (name: string) => one.page.getByRole('navigation', { name: 'Logs' }).getByRole('link', { name })
const search = async (text: string) => {
  await one.page.getByRole('search').getByRole('textbox').fill(text)
  await one.page.keyboard.press('Enter')
}

test('off, one line says so and leads to where it is turned on', async () => {
  const { page } = one
  await page.goto('/network/1/insight/logs')
  await tab('URL records').focus()
  await page.keyboard.press('Enter')
  await page.getByText('The URL log is off in this network.').waitFor()
  await one.looksWell('records-off', { dark: true })
  await tab('NAT records').click()
  await page.getByText('The NAT log is off in this network.').waitFor()
  await page.getByRole('link', { name: 'Turn on' }).click()
  await page.waitForURL(/settings\/system\?tab=traffic/)
})

test('turned on, while nothing is received that is said; then what the gateway sends is there, as records and not as lines', async () => {
  const { page, client } = one
  const { revision } = (await client.must('settings/trafficLogs/get')) as { revision: number }
  await client.must('settings/trafficLogs/save', { revision, urlLog: true, natLog: true, lawAccepted: true })
  await page.goto('/network/1/insight/logs?tab=url')
  await page.getByText('The manager receives no logs.').waitFor()
  await page.getByText('No URL records in this period.').waitFor()
  // The gateway is known to nobody since the start: whether it could record is not told as if it did.
  await page.getByText('The gateway may not record.').waitFor()
  await page.getByText('Not read yet: whether it can record is unknown.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'gw', exact: true }).waitFor()
  await one.looksWell('records-empty', { dark: true })
  const reception = (await client.must('settings/logReception/get')) as { revision: number }
  await client.must('settings/logReception/save', { revision: reception.revision, protocol: 'udp', port })
  await page.getByText('The manager receives no logs.').waitFor({ state: 'detached' })
  await until(async () => {
    await send(query('first.example.com'))
    const { records } = (await client.must('records/find', { kind: 'url' })) as { records: object[] }
    return records.length > 0
  })
  await send(
    query('www.example.com'),
    query(
      'a-very-long-name-that-somebody-made-up-so-that-no-column-holds-it.without-end.and-without-a-break.example.org',
    ),
    query('<b>bold</b>&\u202e.test', '10.9.9.9'),
    half('in', '192.168.1.23', 43_590),
    half('out', '203.0.113.2', 64_775),
  )
  await row('www.example.com').first().waitFor()
  await row('<b>bold</b>').waitFor()
  await one.looksWell('records-url', { dark: true })
  await row('www.example.com').getByRole('link', { name: 'laptop' }).waitFor()
  await tab('NAT records').click()
  await row('203.0.113.2:64775').waitFor()
  await row('192.168.1.23:43590').getByText('203.0.113.1:443').waitFor()
  await one.looksWell('records-nat', { dark: true })
  await tab('Device logs').click()
  await page.getByText('No lines yet.').waitFor()
})

test('searched by name, client and address, and taken along as a file', async () => {
  const { page } = one
  await page.goto('/network/1/insight/logs?tab=url')
  await row('www.example.com').waitFor()
  await search('laptop')
  await row('<b>bold</b>').waitFor({ state: 'detached' })
  await row('www.example.com').waitFor()
  await search('10.9.9.9')
  await row('<b>bold</b>').waitFor()
  await search('nobody')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Last 24 hours' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Last 7 days' }).click()
  await row('www.example.com').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const text = readFileSync(await file.path(), 'utf8')
  expect(file.suggestedFilename()).toMatch(/^url-records-[\d-]+\.csv$/)
  expect(text.split('\r\n')[0]).toBe('\uFEFFtime,client,client_name,client_mac,domain,type,gateway')
  expect(text).toContain(',192.168.1.23,laptop,02:00:00:00:00:23,www.example.com,A,gw\r\n')
  await row('www.example.com').getByRole('link', { name: 'laptop' }).click()
  await page.waitForURL(/clients\/detail\?id=02/)
})

const tile = () => one.page.getByRole('region', { name: 'Top websites' })

test('the dashboard counts the look-ups by website, and leads to their records', async () => {
  const { page } = one
  await page.goto('/network/1/dashboard?range=1w')
  await tile().getByRole('link', { name: 'example.com', exact: true }).waitFor()
  await tile().getByText('Counted since').waitFor()
  // What is no name of a website is not counted.
  expect(await tile().getByText('bold').count()).toBe(0)
  await tile().scrollIntoViewIfNeeded()
  await one.looksWell('dashboard-websites', { dark: true })
  await tile().getByRole('link', { name: 'example.com', exact: true }).click()
  await page.waitForURL(/tab=url/)
  await row('www.example.com').first().waitFor()
  await row('example.org').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
})

test('settings that nobody can read are said, and delete nothing', async () => {
  const { page, client } = one
  const damage = (data: string) => {
    const db = databaseOf(one.manager)
    db.prepare("UPDATE documents SET data = ? WHERE kind = 'trafficLogs'").run(data)
    db.close()
  }
  const db = databaseOf(one.manager)
  const before = db.prepare("SELECT data FROM documents WHERE kind = 'trafficLogs'").get() as { data: string }
  db.close()
  damage('{"urlLog":')
  // Who saves something else makes the manager look at all of its settings.
  const { revision } = (await client.must('settings/system/get')) as { revision: number }
  await client.must('settings/system/save', { revision, timeZone: 'Europe/Lisbon' })
  await until(async () => ((await client.must('records/status')) as { damaged: boolean }).damaged)
  await page.goto('/network/1/insight/logs?tab=url')
  await page.getByText('The traffic logs’ settings are damaged.').waitFor()
  await page.getByText('contradict each other or are damaged').waitFor()
  await row('www.example.com').first().waitFor()
  await one.looksWell('records-damaged', { dark: true })
  await page.getByRole('link', { name: 'Open settings' }).click()
  await page.getByText('This setting is damaged.').waitFor()
  damage(before.data)
})

test('who may not see them is shown lines alone', async () => {
  const { page, client } = one
  await client.must('settings/trafficLogs/save', {
    ...{ revision: 1, urlLog: true, natLog: true, lawAccepted: true },
    logServer: 'https://192.0.2.1/in?token=secret',
  })
  // What came before the server was named is not sent there.
  await until(async () => {
    await send(query('sent.example.com'))
    const { url } = (await client.must('records/status')) as { url: { sending: { failed?: object } | null } }
    return url.sending?.failed !== undefined
  })
  await page.goto('/network/1/insight/logs?tab=url')
  await page.getByText('Records do not reach https://192.0.2.1.').waitFor()
  await one.looksWell('records-failed', { dark: true })
  const db = databaseOf(one.manager)
  db.exec("UPDATE accounts SET role = 'networkReadOnly', all_networks = 1 WHERE id = 1")
  db.close()
  await page.goto('/network/1/insight/logs?tab=url')
  await page.getByText('No lines yet.').waitFor()
  expect(await tab('URL records').count()).toBe(0)
  await page.goto('/network/1/dashboard')
  await page.getByRole('region', { name: 'Alerts', exact: true }).waitFor()
  expect(await tile().count()).toBe(0)
  await page.goto('/network/1/dashboard/form')
  await page.getByRole('checkbox', { name: 'Show Top devices' }).waitFor()
  expect(await page.getByRole('checkbox', { name: 'Show Top websites' }).count()).toBe(0)
})
