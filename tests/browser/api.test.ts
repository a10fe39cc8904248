// The developer API as a person meets it: turned on, a key that is seen this once, a call tried with it, and its end; a
// webhook, and what was sent to it.
import { ask } from '../appliance/_manager'
import { until } from '../lab/_lab'
import { receiver } from '../server/_receiver'
import { owner } from '../soak/owner'
import { looksWell } from './_browser'
import { type Console, openConsole } from './_setup'

let one: Console
let page: Console['page']

beforeAll(async () => {
  one = await openConsole('Quay')
  page = one.page
})
afterAll(async () => {
  await one?.end()
})
afterEach(() => expect(one.browser.faults()).toEqual([]))

const dialog = () => page.getByRole('dialog')
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const answer = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const tab = (name: string) =>
  page.getByRole('navigation', { name: 'Developer API' }).getByRole('link', { name, exact: true }).click()

/** Makes a key that reads networks; gives what the dialog shows. */
async function makeKey(): Promise<string> {
  await press('Create key')
  await dialog().getByLabel('Name', { exact: true }).fill('Nightly')
  const networks = dialog().getByRole('group', { name: 'Networks', exact: true })
  await networks.getByRole('button', { name: 'Read', exact: true }).click()
  await dialog().getByLabel('Your password', { exact: true }).fill(owner.password)
  await one.looksWell('api-key-form')
  await answer('Create key')
  const field = dialog().getByLabel('Key', { exact: true })
  const key = await field.inputValue()
  await one.looksWell('api-key-made')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  return key
}

/** Tries networks/list on the page of calls, with a key typed there. */
async function tryWith(key: string) {
  await tab('Calls')
  await page.getByLabel('Key to try calls with', { exact: true }).fill(key)
  await page.getByLabel('Path or text', { exact: true }).fill('networks/list')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^networks\/tags/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^networks\/list/ }).click()
  await press('Try it')
  return page.getByRole('region', { name: 'Response' })
}

test('a key is made, calls, and is refused when it is deleted', async () => {
  await page.goto('/organization/api')
  await page.getByText('No key is accepted', { exact: false }).waitFor()
  await press('Turn on')
  await page.getByText('The Presence API is off').waitFor()
  await press('Turn on the Presence API')
  await page.getByText(/It turns itself off .*, unless one asks until then\./).waitFor()
  await looksWell(page, 'api-presence', { dark: true })
  await press('Turn off the Presence API')
  await answer('Turn off the Presence API')
  await page.getByText('The Presence API is off').waitFor()
  const key = await makeKey()
  expect(key).toMatch(/^lw_[\w-]{43}$/)
  const nightly = page.getByRole('row').filter({ hasText: 'Nightly' })
  await nightly.getByText('Active', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(key)
  await looksWell(page, 'api-keys', { dark: true })

  const first = await tryWith(key)
  await first.getByText(/^HTTP 200/).waitFor()
  await first.getByText('"networkName"', { exact: false }).waitFor()
  await page.getByText('Authorization: Bearer $LANWARD_KEY', { exact: false }).waitFor()
  await looksWell(page, 'api-call', { dark: true })

  await tab('Keys')
  await press('Delete: Nightly')
  await answer('Delete')
  await nightly.waitFor({ state: 'detached' })
  const second = await tryWith(key)
  await second.getByText(/^HTTP 401/).waitFor()
  // The browser itself tells of what was refused.
  const told: string[] = []
  await until(async () => told.push(...one.browser.faults()) > 0)
  expect(told).toEqual([expect.stringContaining('401')])
})

test('a key starts from a purpose, by mouse and by key, and holds that alone', async () => {
  await one.client.must('developer-api/save', { enabled: true })
  await page.goto('/organization/api')
  await press('Create key')
  await dialog().getByLabel('Name', { exact: true }).fill('Watcher')
  await dialog()
    .getByRole('button', { name: /^Monitoring/ })
    .click()
  await dialog().getByText('Permissions are set below.').waitFor()
  await dialog()
    .getByRole('button', { name: /^Backup script/ })
    .focus()
  await page.keyboard.press('Enter')
  const granted = dialog().locator('.granted')
  await granted.getByText('Manager', { exact: true }).waitFor()
  expect(await granted.textContent()).toBe('Grants editManager')
  await looksWell(page, 'api-key-preset', { dark: true })
  await dialog().getByLabel('Your password', { exact: true }).fill(owner.password)
  await answer('Create key')
  await dialog().getByLabel('Key', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  const { result } = (await one.client.must('developer-api/keys/list')) as { result: object[] }
  const authorities = ['organization_manager', 'organization_manager_edit']
  expect(result).toContainEqual(expect.objectContaining({ name: 'Watcher', authorities }))
})

/** A row's menu, and what is chosen there. */
async function choose(hook: string, action: string): Promise<void> {
  await press(`More: ${hook}`)
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a webhook is made for an allowed segment, tested, its delivery read and sent again, then deleted', async () => {
  const service = await receiver(response => response.end('thank you'))
  try {
    await page.goto('/organization/api?tab=webhooks')
    await page.getByText('No webhooks yet.').waitFor()
    await press('Add webhook')
    await dialog().getByLabel('Name', { exact: true }).fill('Desk')
    await dialog().getByLabel('URL', { exact: true }).fill(service.url)
    await dialog().getByLabel('Alerts', { exact: true }).check()
    await answer('Add webhook')
    await dialog().getByText('This is not on the internet.', { exact: false }).waitFor()
    await one.looksWell('webhook-form')
    await answer('Cancel')
    await dialog().waitFor({ state: 'detached' })

    await page.getByLabel('Allowed subnets', { exact: true }).fill('127.0.0.1')
    await press('Save subnets')
    await page.getByText('Subnets saved').first().waitFor()
    await press('Add webhook')
    await dialog().getByLabel('Name', { exact: true }).fill('Desk')
    await dialog().getByLabel('URL', { exact: true }).fill(service.url)
    await dialog().getByLabel('Alerts', { exact: true }).check()
    await answer('Add webhook')
    const secret = await dialog().getByLabel('Secret', { exact: true }).inputValue()
    expect(secret).toMatch(/^lwh_[\w-]{43}$/)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await looksWell(page, 'webhooks', { dark: true })

    await page.getByRole('link', { name: 'Desk', exact: true }).click()
    await page.getByRole('heading', { name: 'Deliveries of “Desk”' }).waitFor()
    await press('Send test')
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' })
    await row.getByText('Delivered', { exact: true }).waitFor()
    expect(service.posts[0]?.headers['x-lanward-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    await looksWell(page, 'deliveries', { dark: true })
    await row.getByRole('button', { name: /^Show/ }).click()
    await dialog().getByText('thank you', { exact: true }).waitFor()
    await dialog().getByText('"type": "webhook.test"', { exact: false }).waitFor()
    await one.looksWell('delivery')
    await answer('Send again')
    // A notice that stands, and came after the dialog, takes no key from it.
    await page.locator('.toast.ok').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await until(() => service.posts.length === 2)
    expect(service.posts[1]?.body).toBe(service.posts[0]?.body)

    await page.getByRole('link', { name: 'All webhooks', exact: true }).click()
    await page.getByLabel('Allowed subnets', { exact: true }).waitFor()
    await choose('Desk', 'Turn off')
    await page.getByRole('row').filter({ hasText: 'Desk' }).getByText('Off', { exact: true }).waitFor()
    await choose('Desk', 'Delete')
    await answer('Delete')
    await page.getByText('No webhooks yet.').waitFor()
  } finally {
    await service.close()
  }
})

test('a script over https: devices listed, a backup made and fetched, the description read; nothing without the key', async () => {
  const wanted = { name: 'Script', authorities: ['devices', 'organization_manager_edit'], allNetworks: true }
  const { key } = await one.client.must('developer-api/keys/create', { ...wanted, password: owner.password })
  const call = (path: string, body?: unknown, bearer = key) =>
    ask(`${one.manager.https}/app/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const said = async (path: string, body: unknown) => JSON.parse((await call(path, body)).body)
  expect(await said('devices/list', { networkId: 1 })).toMatchObject({ retCode: 0, data: { total: 0 } })
  const { data } = await said('backups/create', {})
  const file = await call(`backups/download?name=${data.name}`)
  expect([file.status, file.headers['content-type']]).toEqual([200, 'application/gzip'])
  expect(JSON.parse((await call('openapi.json')).body)).toMatchObject({ openapi: '3.1.0' })
  expect((await call('devices/list', { networkId: 1 }, 'lw_nothing')).status).toBe(401)
})

test('metrics: a key of their own scrapes /metrics, a store is written to, and says how it went', async () => {
  // Later than the page asks after the save: nobody tells it of the answer.
  const store = await receiver(response => setTimeout(() => response.writeHead(204).end(), 1500))
  try {
    const { key } = await one.client.must('developer-api/keys/create', {
      ...{ name: 'Prometheus', authorities: ['metrics'], allNetworks: true, password: owner.password },
    })
    const { status, body } = await ask(`${one.manager.http}/metrics`, { headers: { authorization: `Bearer ${key}` } })
    expect([status, body]).toEqual([200, expect.stringContaining('lanward_network_info{network="1",name="Quay"} 1')])
    await page.goto('/organization/api?tab=metrics')
    // With the address that this browser knows the manager by.
    await page.getByText(`targets: ['${new URL(page.url()).host}']`, { exact: false }).waitFor()
    await looksWell(page, 'metrics', { dark: true })
    await page.getByRole('switch', { name: 'Write every minute' }).press('Space')
    await page.getByLabel('Address', { exact: true }).fill(store.url)
    await press('Save')
    await page.getByText(/^The store took \d+ series/).waitFor()
    expect(store.posts[0]?.headers).toMatchObject({ 'content-encoding': 'snappy' })
    await looksWell(page, 'metrics-store', { dark: true })
  } finally {
    await store.close()
  }
})
