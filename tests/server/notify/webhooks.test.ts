// Webhooks over real sockets: what arrives, what is tried again, what is never sent, and who is told of what.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { desc, eq } from 'drizzle-orm'
import { recipe } from '@/app/(console)/organization/api/_parts/hook-recipe'
import { accounts, alerts, changelog, networkOffers, webhookDeliveries, webhooks } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { appendLog, type LogEntry } from '@/server/kernel/changelog'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { webhookAlerts } from '@/server/notify/alerts/webhook-paused'
import { enqueue, forgetOld, jittered } from '@/server/notify/webhooks/queue'
import { startWebhooks } from '@/server/notify/webhooks/start'
import { addressesOf, isInternal, isNear, type Lookup } from '@/server/notify/webhooks/targets'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, type Person, person, role, sharedNetwork } from '../_people'
import { receiver } from '../_receiver'

type Delivery = { id: number; event: string; type: string; state: string; tries: number; code: number; error: string }

let manager: Manager
let owner: Browser
let other: number
const here = 1
/** What a name server says at this moment, and how often it was asked. */
let names: string[][] = []
let asked = 0
const lookup: Lookup = async () => {
  const found = names[Math.min(asked, names.length - 1)] ?? []
  asked += 1
  return found.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
}
const closers: (() => Promise<unknown>)[] = []
const patience = { lookup, retryMs: [20, 20], limitMs: 60_000, lookMs: 50 }
const begin = (runtime: Runtime) => startWebhooks(runtime, webhookAlerts, patience)

beforeAll(async () => {
  manager = await startTestManager({ starters: [begin] })
  owner = await finishedWizard(manager)
  other = network(manager, 'Other house')
  await must(owner, 'webhooks/segments/save', { segments: ['127.0.0.1'] })
})
afterAll(() => manager.stop())
afterEach(async () => {
  manager.runtime.db.delete(webhooks).run()
  for (const close of closers.splice(0)) await close()
  ;[names, asked] = [[], 0]
})

async function must(browser: Browser, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const { retCode, data } = await browser.post(path, body)
  expect([path, retCode, data]).toEqual([path, 0, data])
  return data
}
async function serve(...given: Parameters<typeof receiver>) {
  const made = await receiver(...given)
  closers.push(made.close)
  return made
}
let made = 0
async function hook(url: string, more: object = {}, browser: Browser = owner) {
  made += 1
  const input = { name: `Hook ${made}`, url, topics: ['alerts'], ...more }
  return (await must(browser, 'webhooks/save', input)) as { id: number; secret: string }
}
const raise = (device = 'ap1', place: number | undefined = here) =>
  raiseAlert(manager.runtime, { type: 'deviceOffline', grade: 'gateway', network: place, values: { device } })
const log = async (webhookId: number, browser: Browser = owner) =>
  (await must(browser, 'webhooks/deliveries/list', { webhookId })).result as Delivery[]
/** The newest delivery, once it has ended. */
const ended = (webhookId: number) =>
  until(async () => {
    const [one] = await log(webhookId)
    return one && ['done', 'failed'].includes(one.state) ? one : undefined
  })
const stateOf = (id: number) => manager.runtime.db.select().from(webhooks).where(eq(webhooks.id, id)).get()?.state

/** By the recipe of the page, in a process that shares nothing with the manager. */
function verified(secret: string, { headers, body }: { headers: Record<string, unknown>; body: string }): boolean {
  const program = `${recipe}; console.log(isFromLanward(...JSON.parse(process.argv[1])))`
  const given = JSON.stringify([secret, headers['x-lanward-signature'], body])
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program, given])
  return said.toString().trim() === 'true'
}

test('an alert arrives signed, with what it is about; the secret is told once and kept sealed', async () => {
  const service = await serve()
  const { id, secret } = await hook(service.url)
  expect(secret).toMatch(/^lwh_[\w-]{43}$/)
  const since = Math.floor(Date.now() / 1000)
  const alert = raise('sw1')
  const [post] = await until(() => service.posts.length > 0 && service.posts)
  expect(verified(secret, post as never)).toBe(true)
  expect(verified(`${secret}x`, post as never)).toBe(false)
  expect(Number(/t=(\d+)/.exec(String(post?.headers['x-lanward-signature']))?.[1])).toBeGreaterThanOrEqual(since)
  const done = await ended(id)
  expect(JSON.parse(post?.body ?? '')).toEqual({
    ...{ id: done.event, type: 'alert.raised', at: expect.any(Number), network: { id: here, name: 'Harbour House' } },
    data: {
      ...{ id: alert, level: 5, type: 'deviceOffline', device: null, values: { device: 'sw1' } },
      text: 'sw1 is offline',
    },
  })
  expect(done).toMatchObject({ state: 'done', tries: 1, code: 200, error: '' })
  expect(post).toMatchObject({ path: '/hook?x=1', headers: { 'content-type': 'application/json' } })
  const rows = JSON.stringify([manager.runtime.db.select().from(webhooks).all(), await must(owner, 'webhooks/list')])
  expect(rows).not.toContain(secret.slice(4))
  expect(JSON.stringify(manager.runtime.db.select().from(changelog).all())).not.toContain(secret.slice(4))
})

test('a new secret signs from then on', async () => {
  const service = await serve()
  const { id, secret } = await hook(service.url)
  const next = (await must(owner, 'webhooks/rotate', { id })).secret as string
  raise()
  const [post] = await until(() => service.posts.length > 0 && service.posts)
  expect([verified(secret, post as never), verified(next, post as never)]).toEqual([false, true])
})

test('what fails is tried again as the same event, word for word, until it is taken', async () => {
  const service = await serve((response, n) => response.writeHead(n < 3 ? 500 : 204).end())
  const { id } = await hook(service.url)
  raise()
  expect(await ended(id)).toMatchObject({ state: 'done', tries: 3, code: 204 })
  expect(new Set(service.posts.map(post => post.body)).size).toBe(1)
  expect(jittered(1000, () => 0)).toBe(800)
  expect(jittered(1000, () => 1)).toBe(1200)
})

const bad: [string, Parameters<typeof receiver>[0], object][] = [
  ['a refusal', response => response.writeHead(400).end('no such hook'), { code: 400, error: 'status' }],
  [
    'a redirect',
    response => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    { code: 302, error: 'redirect' },
  ],
  [
    'another protocol',
    response => response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end(),
    { code: 0, error: 'ECONNRESET' },
  ],
  ['a cut line', (_, __, request) => request.socket.destroy(), { code: 0, error: 'ECONNRESET' }],
]
test.each(bad)('%s: tried three times, then given up with the reason', async (_what, answer, seen) => {
  const service = await serve(answer)
  const { id } = await hook(service.url)
  raise()
  expect(await ended(id)).toMatchObject({ state: 'failed', tries: 3, ...seen })
  expect(service.posts).toHaveLength(3)
})

test('of a huge answer 2 kB are kept and no more is read', async () => {
  let sent = 0
  const service = await serve(response => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
    }
    response.on('drain', more)
    more()
  })
  const { id } = await hook(service.url)
  raise()
  const first = await ended(id)
  expect(first).toMatchObject({ state: 'done', code: 200 })
  const { answer } = await must(owner, 'webhooks/deliveries/get', { id: first.id })
  expect(answer).toBe('x'.repeat(limits.webhookAnswerBytes))
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})

test('who says “gone” is asked no more; sent again when it is turned on', async () => {
  const service = await serve((response, n) => response.writeHead(n === 1 ? 410 : 200).end())
  const { id } = await hook(service.url)
  raise()
  expect(await ended(id)).toMatchObject({ state: 'failed', tries: 1, code: 410 })
  expect(stateOf(id)).toBe('paused')
  const newest = manager.runtime.db.select().from(alerts).orderBy(desc(alerts.id)).limit(1).get()
  expect(newest).toMatchObject({ type: 'webhookPaused', level: 10, network: null })
  const [failed] = await log(id)
  const paused = () =>
    manager.runtime.db
      .select()
      .from(alerts)
      .where(eq(alerts.id, Number(newest?.id)))
      .get()
  expect(paused()?.recoveredAt).toBeNull()
  await must(owner, 'webhooks/switch', { id, on: true })
  expect(paused()?.recoveredAt).not.toBeNull()
  await must(owner, 'webhooks/deliveries/retry', { id: failed?.id })
  expect(await until(async () => (await log(id)).find(one => one.state === 'done'))).toMatchObject({
    ...{ id: failed?.id, event: failed?.event, tries: 1 },
  })
})

test('after many that were given up one after the other it is paused', async () => {
  const service = await serve(response => response.writeHead(500).end())
  const { id } = await hook(service.url)
  manager.runtime.db
    .update(webhooks)
    .set({ failures: limits.webhookFailures - 1 })
    .where(eq(webhooks.id, id))
    .run()
  raise()
  await ended(id)
  expect(stateOf(id)).toBe('paused')
  raise('later')
  expect(await log(id)).toHaveLength(1)
})

test('a test goes out once, also while it is off', async () => {
  const service = await serve(response => response.writeHead(503).end())
  const { id } = await hook(service.url)
  await must(owner, 'webhooks/switch', { id, on: false })
  raise()
  await must(owner, 'webhooks/test', { id })
  expect(await ended(id)).toMatchObject({ type: 'webhook.test', state: 'failed', tries: 1, code: 503 })
  expect([await log(id), service.posts].map(list => list.length)).toEqual([1, 1])
})

describe('where a webhook may go', () => {
  test.each([
    ...[
      '127.0.0.1',
      '127.255.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
    ],
    ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'fe80::1%eth0', 'fc00::1'],
    ...['fd00:ec2::254', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::1', '64:ff9b::10.0.0.1', '64:ff9b:1::1'],
    ...['fec0::1', '100::1', '5f00::1', 'no address', ''],
  ])('%s is no host of the internet', address => expect(isInternal(address)).toBe(true))
  test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    '%s is one',
    address => expect(isInternal(address)).toBe(false),
  )

  test.each([
    ['8.8.8.1', true],
    ['::ffff:8.8.8.7', true],
    ['64:ff9b::808:807', true],
    ['2606:4700:1:2:ffff::9', true],
    ['8.8.9.1', false],
    ['2606:4700:1:3::1', false],
    ['64:ff9b::808:907', false],
  ])('%s beside a manager whose own addresses are public: near %j', (address, near) =>
    expect(isNear(address, ['8.8.8.7/24', '2606:4700:1:2::7/64'])).toBe(near),
  )

  const reach = async (url: string, found: string[], allowed: string[] = []) => {
    const one: Lookup = async () => found.map(address => ({ address, family: 4 }))
    return addressesOf(new URL(url), allowed, one, ['8.8.8.7/24']).then(
      list => list.map(each => each.address),
      error => error.blocked as string,
    )
  }
  test.each<[string, string[], string[], unknown]>([
    ['https://a.test/', ['1.1.1.1'], [], ['1.1.1.1']],
    ['https://a.test/', ['10.0.0.1'], [], 'targetPrivate'],
    ['https://a.test/', ['10.0.0.1', '1.1.1.1'], [], ['1.1.1.1']],
    ['https://a.test/', ['8.8.8.9', '8.8.9.9'], [], ['8.8.9.9']],
    ['https://8.8.8.9/', [], [], 'targetPrivate'],
    ['https://8.8.8.9/', [], ['8.8.8.0/24'], ['8.8.8.9']],
    ['https://a.test/', ['10.0.0.1', '10.0.1.1'], ['10.0.1.0/24'], ['10.0.1.1']],
    ['https://a.test/', [], [], 'noAddress'],
    ['http://a.test/', ['1.1.1.1'], [], 'targetHttp'],
    ['http://a.test/', ['1.1.1.1', '10.0.1.1'], ['10.0.1.0/24'], ['10.0.1.1']],
    ['http://10.0.0.1/', [], [], 'targetPrivate'],
    ['https://2130706433/', [], [], 'targetPrivate'],
    ['https://0x7f.1/', [], [], 'targetPrivate'],
    ['https://[::ffff:7f00:1]/', [], [], 'targetPrivate'],
    ['https://[fd00::1]/', [], ['fd00::/8'], ['fd00::1']],
  ])('%s with %j, allowed %j: %j', async (url, found, allowed, seen) =>
    expect(await reach(url, found, allowed)).toEqual(seen),
  )

  test('said when it is saved, and no delivery leaves for what is no longer allowed', async () => {
    const save = (url: string) => owner.post('webhooks/save', { name: 'Away', url, topics: ['alerts'] })
    names = [['1.1.1.1']]
    for (const [url, error] of [
      ['http://hooks.test/', 'targetHttp'],
      ['https://169.254.169.254/latest', 'targetPrivate'],
      ['https://me:secret@hooks.test/', 'urlUser'],
      ['ftp://hooks.test/', 'urlFormat'],
    ] as const)
      expect((await save(url)).data.fields).toEqual({ url: error })
    const service = await serve()
    const { id } = await hook(service.url)
    await must(owner, 'webhooks/segments/save', { segments: [] })
    raise()
    expect(await ended(id)).toMatchObject({ state: 'failed', error: 'targetPrivate', code: 0 })
    await must(owner, 'webhooks/segments/save', { segments: ['127.0.0.1/32'] })
    expect(service.posts).toEqual([])
  })

  test('segments that are allowed are the manager’s own company’s: from another company’s webhook nothing goes there', async () => {
    const service = await serve()
    const theirs = await person(manager, { role: 'superAdministrator', organization: organization(manager, 'Gamma') })
    expect((await must(theirs, 'webhooks/get')).segments).toEqual([])
    const asked = { name: 'Inside', url: service.url, topics: ['alerts'] }
    expect((await theirs.post('webhooks/save', asked)).data.fields).toEqual({ url: 'targetPrivate' })
    const { id } = await hook('https://1.1.1.1/', {}, theirs)
    manager.runtime.db.update(webhooks).set({ url: service.url }).where(eq(webhooks.id, id)).run()
    await must(theirs, 'webhooks/test', { id })
    const [sent] = await until(async () => {
      const all = await log(id, theirs)
      return all[0]?.state === 'failed' ? all : undefined
    })
    expect(sent).toMatchObject({ error: 'targetPrivate', code: 0 })
    expect(service.posts).toEqual([])
  })

  test('a name is asked for once and the connection goes there: a second answer leads nowhere', async () => {
    const service = await serve()
    const elsewhere = await serve(undefined, '127.0.0.2', service.port)
    names = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2']]
    const { id } = await hook(`http://hooks.test:${service.port}/`)
    expect(asked).toBe(1)
    raise('first')
    expect(await ended(id)).toMatchObject({ state: 'done' })
    expect([asked, service.posts[0]?.headers.host]).toEqual([2, `hooks.test:${service.port}`])
    raise('second')
    const second = await until(async () => (await log(id)).find(one => one.state === 'failed'))
    expect(second.error).toBe('targetPrivate')
    expect([service.posts.length, elsewhere.posts.length]).toEqual([1, 0])
  })

  test('of two addresses only one that is allowed is tried', async () => {
    const service = await serve()
    const elsewhere = await serve(undefined, '127.0.0.2', service.port)
    names = [['127.0.0.2', '127.0.0.1']]
    const { id } = await hook(`http://hooks.test:${service.port}/`)
    raise()
    expect(await ended(id)).toMatchObject({ state: 'done', tries: 1 })
    expect([service.posts.length, elsewhere.posts.length]).toEqual([1, 0])
  })
})

describe('who is told of what', () => {
  const rights = ['organization_api', 'alerts', 'organization_changelog', 'devices', 'organization_network']
  let desks = 0
  const somebody = (networks: number[], more: readonly string[] = rights): Promise<Person> =>
    person(manager, { role: role(manager, `Desk ${++desks}`, more), networks })
  const queued = (id: number) =>
    manager.runtime.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhook, id))
      .all()
      .map(
        row => JSON.parse(row.body) as { type: string; network: { id: number } | null; data: Record<string, unknown> },
      )
  const entry = (action: LogEntry['action'], more: Partial<LogEntry> = {}) =>
    appendLog(manager.runtime.db, manager.runtime.secrets, {
      ...{ organization: 1, network: here, at: Date.now(), account: 'anna', address: '10.0.0.5', action },
      ...{ object: 'device', name: 'ap7', fields: { address: [null, '10.0.0.7'] }, ...more },
    })

  test('only of networks that its maker enters, and that were chosen; of the manager itself only who keeps it', async () => {
    const { url } = await serve()
    const anna = await somebody([here])
    const hers = await hook(url, {}, anna)
    const chosen = await hook(url, { allNetworks: false, networks: [other] })
    const all = await hook(url)
    const theirs = await person(manager, { role: 'superAdministrator', organization: organization(manager, 'Beta') })
    const far = await hook('https://1.1.1.1/', {}, theirs)
    raise('here', here)
    raise('there', other)
    raiseAlert(manager.runtime, { type: 'backupFailed', values: { reason: 'storageFull' } })
    const told = (id: number) => queued(id).map(body => body.data.values)
    expect(told(hers.id)).toEqual([{ device: 'here' }])
    expect(told(chosen.id)).toEqual([{ device: 'there' }])
    expect(told(all.id)).toHaveLength(3)
    expect(told(far.id)).toEqual([])
  })

  test('of a network that another company shares: as much as is seen there, while it is shared; its owner goes on', async () => {
    const { db, secrets } = manager.runtime
    const lender = organization(manager, 'Lender')
    const lent = sharedNetwork(manager, 'Lent', lender, 1, 'read')
    const service = await serve()
    const topics = ['alerts', 'devices', 'changelog']
    const chosen = await hook(service.url, { topics, allNetworks: false, networks: [lent] })
    const theirs = await person(manager, { role: 'superAdministrator', organization: lender })
    const ownersHook = await hook('https://nobody.test/', { topics }, theirs)
    const happens = (device: string) => {
      const about = { type: 'deviceOffline', grade: 'gateway', values: { device } } as const
      raiseAlert(manager.runtime, { ...about, organization: lender, network: lent })
      const entry = {
        at: 1,
        account: 'x',
        address: '',
        action: 'adopt',
        object: 'device',
        name: device,
        fields: {},
      } as const
      appendLog(db, secrets, { ...entry, organization: lender, network: lent })
    }
    happens('lent-one')
    await until(() => service.posts.length === 2)
    const told = () => service.posts.map(post => JSON.parse(post.body) as { type: string; network: { name: string } })
    expect(told().map(one => [one.type, one.network.name])).toEqual(
      expect.arrayContaining([
        ['alert.raised', 'Lent'],
        ['device.added', 'Lent'],
      ]),
    )
    const owners = await until(async () => {
      const rows = await log(ownersHook.id, theirs)
      return rows.length === 3 && rows
    })
    expect(owners.map(one => one.type).sort()).toEqual(['alert.raised', 'changelog.entry', 'device.added'])
    db.delete(networkOffers).where(eq(networkOffers.network, lent)).run()
    happens('taken-back')
    await until(async () => (await log(ownersHook.id, theirs)).length === 6)
    expect([queued(chosen.id).length, await log(chosen.id)]).toEqual([2, []])
    const again = { id: chosen.id, name: 'Again', url: service.url, topics, allNetworks: false, networks: [lent] }
    expect((await owner.post('webhooks/save', again)).data.fields).toEqual({ networks: 'notFound' })
  })

  test('grave enough, and of what was chosen', async () => {
    const { url } = await serve()
    const grave = await hook(url, { level: 5 })
    const none = await hook(url, { topics: ['changelog'] })
    raiseAlert(manager.runtime, { type: 'deviceOnline', network: here, values: { device: 'quiet' } })
    raise('loud')
    expect(queued(grave.id).map(body => body.data.text)).toEqual(['loud is offline'])
    expect(queued(none.id).filter(body => body.type === 'alert.raised')).toEqual([])
  })

  test('what stands in the changelog, and devices that come and go, once each and not what was before', async () => {
    entry('adopt', { name: 'before' })
    const service = await serve()
    const { id } = await hook(service.url, { topics: ['devices', 'changelog'] })
    entry('adopt')
    entry('delete')
    entry('reboot')
    await until(() => service.posts.length >= 5)
    const told = queued(id).filter(body => body.data.name !== `Hook ${made}`)
    expect(told.map(body => [body.type, body.data.action ?? body.data.name])).toEqual([
      ...[['changelog.entry', 'adopt'] as const, ['device.added', 'ap7'] as const],
      ...[['changelog.entry', 'delete'] as const, ['device.removed', 'ap7'] as const],
      ['changelog.entry', 'reboot'],
    ])
    expect(told[0]?.data).toMatchObject({ account: 'anna', fields: { address: [null, '10.0.0.7'] } })
  })

  test('one that is too large comes without its fields', async () => {
    const { url } = await serve()
    const { id } = await hook(url, { topics: ['changelog'] })
    entry('edit', { fields: { remark: ['', 'x'.repeat(limits.webhookBodyBytes)] } })
    const large = await until(() => queued(id).find(body => body.data.action === 'edit'))
    expect([large.data.truncated, large.data.fields]).toEqual([true, undefined])
  })

  test('rights are looked at when it is sent: who lost one, or was shut out, hears nothing more', async () => {
    const service = await serve()
    const anna = await somebody([here])
    const { id } = await hook(service.url, {}, anna)
    const waits = (own: string) =>
      enqueue(
        manager.runtime,
        { webhook: id, event: own, topic: 'alerts', type: 'alert.raised', network: here, body: '{}' },
        Date.now(),
      )
    const outcome = (delivery: number) =>
      until(() => {
        const row = manager.runtime.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, delivery)).get()
        return row && ['done', 'failed'].includes(row.state) ? [row.state, row.error] : undefined
      })
    const set = (change: object) =>
      manager.runtime.db.update(accounts).set(change).where(eq(accounts.id, anna.account.id)).run()
    expect(await outcome(waits('a'))).toEqual(['done', ''])
    set({ role: role(manager, `Less ${made}`, ['organization_api']) })
    expect(await outcome(waits('b'))).toEqual(['failed', 'notAllowed'])
    set({ role: 'superAdministrator', state: 'disabled' })
    expect(await outcome(waits('c'))).toEqual(['failed', 'notAllowed'])
    expect(service.posts).toHaveLength(1)
    manager.runtime.db.delete(accounts).where(eq(accounts.id, anna.account.id)).run()
    expect(stateOf(id)).toBeUndefined()
  })

  test('nobody makes one that is told more than they may see', async () => {
    const anna = await somebody([here], ['organization_api', 'alerts', 'organization_network'])
    const save = async (more: object) =>
      (await anna.post('webhooks/save', { name: 'Mine', url: 'https://1.1.1.1/', topics: ['alerts'], ...more })).data
    expect(await save({ topics: ['changelog'] })).toEqual({ fields: { topics: 'aboveOwn' } })
    expect(await save({ allNetworks: false })).toEqual({ fields: { networks: 'required' } })
    expect(await save({ allNetworks: false, networks: [other] })).toEqual({ fields: { networks: 'notFound' } })
    expect(await save({ topics: [] })).toMatchObject({ fields: { topics: 'required' } })
    await hook('https://1.1.1.1/', { name: 'Twice' }, anna)
    expect(await save({ name: 'twice' })).toEqual({ fields: { name: 'nameExists' } })
  })

  test('who keeps the API ends another’s, and neither learns its address nor leads it elsewhere', async () => {
    const anna = await somebody([here])
    const { id } = await hook('https://1.1.1.1/services/T0KEN', {}, anna)
    const rows = (await must(owner, 'webhooks/list')).result as { id: number; url: string; mine: boolean }[]
    expect(rows.find(row => row.id === id)).toMatchObject({ url: 'https://1.1.1.1', mine: false })
    const input = { id, name: 'Taken', url: 'https://1.0.0.1/', topics: ['alerts'] }
    for (const [path, body] of [
      ['webhooks/save', input],
      ['webhooks/rotate', { id }],
      ['webhooks/test', { id }],
    ] as const)
      expect((await owner.post(path, body)).retCode).toBe(codes.webhookNotFound)
    await must(owner, 'webhooks/switch', { id, on: false })
    expect((await owner.post('webhooks/switch', { id, on: true })).retCode).toBe(codes.webhookNotFound)
    const stranger = await somebody([here])
    expect((await stranger.post('webhooks/delete', { id })).retCode).toBe(codes.webhookNotFound)
    expect((await stranger.post('webhooks/deliveries/list', { webhookId: id })).retCode).toBe(codes.webhookNotFound)
    await must(owner, 'webhooks/delete', { id })
    expect(stateOf(id)).toBeUndefined()
  })
})

test('of each webhook so many are kept, for so long', async () => {
  const { url } = await serve()
  const { id } = await hook(url)
  const { db } = manager.runtime
  await must(owner, 'webhooks/switch', { id, on: false })
  const row = { webhook: id, topic: 'alerts', type: 'alert.raised', network: here, body: '{}' }
  db.transaction(() => {
    for (let n = 0; n < limits.webhookDeliveries + 3; n++)
      enqueue(manager.runtime, { ...row, event: `event ${n}` }, Date.now())
  })
  const kept = () => db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhook, id)).all()
  expect([kept().length, kept()[0]?.event]).toEqual([limits.webhookDeliveries, 'event 3'])
  db.update(webhookDeliveries).set({ state: 'done' }).where(eq(webhookDeliveries.event, 'event 5')).run()
  const days = (n: number) => Date.now() + n * 24 * 3_600_000
  forgetOld(db, days(limits.webhookDays - 1))
  expect(kept()).toHaveLength(limits.webhookDeliveries)
  forgetOld(db, days(limits.webhookDays + 1))
  expect(kept().map(one => one.event)).not.toContain('event 5')
  expect(kept()).toHaveLength(limits.webhookDeliveries - 1)
})

describe('a manager that ends and comes back', () => {
  const data = mkdtempSync(`${tmpdir()}/lanward-hooks-`)
  const hanging = { answer: false }
  let first: Awaited<ReturnType<typeof receiver>>
  const rowOf = (webhook: number) =>
    manager.runtime.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhook, webhook)).get()
  beforeAll(async () => {
    await manager.stop()
    manager = await startTestManager({ data, starters: [begin] })
    owner = await finishedWizard(manager)
    await must(owner, 'webhooks/segments/save', { segments: ['127.0.0.1'] })
    first = await receiver(response => hanging.answer && response.end())
  })
  afterAll(async () => {
    await first.close()
    rmSync(data, { recursive: true, force: true })
  })

  test('one that hangs keeps no other waiting; cut off by the end it goes again as the same event', async () => {
    const quick = await serve()
    const { id, secret } = await hook(first.url)
    await hook(quick.url)
    for (const device of ['a', 'b', 'c']) raise(device)
    await until(() => first.posts.length === 1 && quick.posts.length === 3)
    await manager.stop()
    hanging.answer = true
    const impatient = { ...patience, retryMs: Array<number>(1000).fill(20), limitMs: 300 }
    manager = await startTestManager({
      data,
      starters: [runtime => startWebhooks(runtime, webhookAlerts, impatient)],
    })
    const [was, is] = await until(() => first.posts.length > 1 && first.posts)
    expect(is?.body).toBe(was?.body)
    expect(verified(secret, is as never)).toBe(true)
    await until(() => rowOf(id)?.state === 'done')
  })

  test('one that never answers is left after the limit; one whose answer never ends counts by its status', async () => {
    const mute = await serve(() => undefined)
    const endless = await serve(response => response.writeHead(200).write('so far\u0007'))
    const [never, always] = [await hook(mute.url), await hook(endless.url)]
    raise()
    await until(() => rowOf(never.id)?.error === 'timeout')
    expect(await until(() => rowOf(always.id)?.state === 'done' && rowOf(always.id))).toMatchObject({
      ...{ code: 200, answer: 'so far' },
    })
  })
})
