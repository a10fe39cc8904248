// Alerts told to chat services, log servers and SNMP managers: each answers as its documentation says it does.
import { createSocket } from 'node:dgram'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { eq } from 'drizzle-orm'
import snmp from 'net-snmp'
import { alerts, changelog, noticeDeliveries, noticeTargets } from '@/db/schema'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { startNotices } from '@/server/notify/targets/start'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, person } from '../_people'
import { receiver } from '../_receiver'

let manager: Manager
let owner: Browser
const closers: (() => Promise<unknown>)[] = []
const patience = { retryMs: [20, 20], limitMs: 2000, gatherMs: 30 }

beforeAll(async () => {
  manager = await startTestManager({ starters: [runtime => startNotices(runtime, patience)] })
  owner = await finishedWizard(manager)
  await must(owner, 'webhooks/segments/save', { segments: ['127.0.0.1'] })
})
afterAll(() => manager.stop())
afterEach(async () => {
  manager.runtime.db.delete(noticeTargets).run()
  for (const close of closers.splice(0)) await close()
})

async function must(browser: Browser, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const { retCode, data } = await browser.post(path, body)
  expect([path, retCode, data]).toEqual([path, 0, data])
  return data
}
async function serve(...given: Parameters<typeof receiver>) {
  const made = await receiver(...given)
  closers.push(made.close)
  return { ...made, origin: `http://127.0.0.1:${made.port}` }
}
let made = 0
const target = (fields: object) => ({ fields: { name: `Target ${made++}`, enabled: true, level: '15', ...fields } })
const save = async (fields: object, more: object = {}, browser = owner) =>
  (await must(browser, 'alerts/targets/save', { ...target(fields), ...more })).id as number
const tested = (fields: object, more: object = {}) => must(owner, 'alerts/targets/test', { ...target(fields), ...more })
const raise = (device: string, more: object = {}) =>
  raiseAlert(manager.runtime, { type: 'deviceOffline', grade: 'gateway', network: 1, values: { device }, ...more })
type Last = { code: number; error: string; answer: string; state: string } | null
type Shown = { id: number; values: Record<string, unknown>; last: Last }
const shown = async (id: number) =>
  ((await must(owner, 'alerts/targets/list')).result as Shown[]).find(one => one.id === id) as Shown
const ended = (id: number, state = 'done') =>
  until(async () => {
    const { last } = await shown(id)
    return last?.state === state && last
  })
const json = (response: ServerResponse, code: number, body: object, headers = {}) =>
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

type Case = {
  fields(origin: string): object
  fine(response: ServerResponse): unknown
  path: RegExp
  body: object
  headers?: object
  refuse(response: ServerResponse): unknown
  refusal: object
  limit(response: ServerResponse): unknown
  seconds: number
}
const text = expect.stringMatching(
  /^\[Harbour House\] sw1 is offline\n.* UTC {2}Emergency: sw1 is offline \(Harbour House\)$/,
)
const line = expect.stringMatching(/Emergency: sw1 is offline \(Harbour House\)$/)
const subject = '[Harbour House] sw1 is offline'

/** What each service's documentation says of success, a refusal, and too many messages. */
const cases: Record<string, Case> = {
  slack: {
    fields: origin => ({ url: `${origin}/services/T0/B0/key` }),
    fine: response => response.end('ok'),
    ...{ path: /^\/services\/T0\/B0\/key$/, body: { text } },
    refuse: response => response.writeHead(404).end('no_service'),
    refusal: { code: 404, error: 'status', answer: 'no_service' },
    limit: response => response.writeHead(429, { 'retry-after': '30' }).end('rate_limited'),
    seconds: 30,
  },
  teams: {
    fields: origin => ({ url: `${origin}/workflows/1/triggers/manual/paths/invoke?sig=key` }),
    fine: response => response.writeHead(202).end(),
    path: /\/invoke\?sig=key$/,
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: expect.objectContaining({
            type: 'AdaptiveCard',
            body: [expect.objectContaining({ text: subject }), expect.objectContaining({ text: line })],
          }),
        },
      ],
    },
    refuse: response =>
      json(response, 401, { error: { code: 'DirectApiAuthorizationRequired', message: 'The signature is wrong.' } }),
    refusal: { code: 401, error: 'status', answer: 'The signature is wrong.' },
    limit: response =>
      response.end('Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429'),
    seconds: 0,
  },
  discord: {
    fields: origin => ({ url: `${origin}/api/webhooks/1/key?thread_id=2` }),
    fine: response => json(response, 200, { id: '1', content: '' }),
    path: /^\/api\/webhooks\/1\/key\?thread_id=2&wait=true$/,
    body: { content: text, allowed_mentions: { parse: [] } },
    refuse: response => json(response, 404, { message: 'Unknown Webhook', code: 10015 }),
    refusal: { code: 404, error: 'status', answer: 'Unknown Webhook' },
    limit: response =>
      json(response, 429, { message: 'You are being rate limited.', retry_after: 1.5 }, { 'retry-after': '2' }),
    seconds: 2,
  },
  matrix: {
    fields: origin => ({ server: origin, room: '!ops:example.org', token: 'key' }),
    fine: response => json(response, 200, { event_id: '$1' }),
    path: /^\/_matrix\/client\/v3\/rooms\/!ops:example\.org\/send\/m\.room\.message\/[0-9a-f-]{36}$/,
    body: { msgtype: 'm.text', body: text, 'm.mentions': {} },
    headers: { authorization: 'Bearer key' },
    refuse: response => json(response, 403, { errcode: 'M_FORBIDDEN', error: 'User not in room' }),
    refusal: { code: 403, error: 'status', answer: 'User not in room' },
    limit: response =>
      json(response, 429, { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 4100 }),
    seconds: 5,
  },
  telegram: {
    fields: origin => ({ server: origin, chat: '-100123', token: '123:key' }),
    fine: response => json(response, 200, { ok: true, result: {} }),
    path: /^\/bot123:key\/sendMessage$/,
    body: { chat_id: '-100123', text, link_preview_options: { is_disabled: true } },
    refuse: response =>
      json(response, 400, { ok: false, error_code: 400, description: 'Bad Request: chat not found (123:key)' }),
    refusal: { code: 400, error: 'status', answer: 'Bad Request: chat not found (•••)' },
    limit: response =>
      json(response, 429, {
        ok: false,
        description: 'Too Many Requests: retry after 7',
        parameters: { retry_after: 7 },
      }),
    seconds: 7,
  },
  ntfy: {
    fields: origin => ({ server: origin, topic: 'ops_1', token: 'tk_key' }),
    fine: response => json(response, 200, { id: '1', event: 'message' }),
    path: /^\/$/,
    body: { topic: 'ops_1', title: subject, message: line, priority: 5 },
    headers: { authorization: 'Bearer tk_key' },
    refuse: response => json(response, 403, { code: 40301, http: 403, error: 'forbidden' }),
    refusal: { code: 403, error: 'status', answer: 'forbidden' },
    limit: response =>
      json(
        response,
        429,
        { code: 42901, http: 429, error: 'limit reached: too many requests' },
        { 'retry-after': '9' },
      ),
    seconds: 9,
  },
}

describe.each(Object.entries(cases))('%s', (service, one) => {
  const fields = (origin: string) => ({ service, ...one.fields(origin) })

  test('an alert arrives as the service wants it; the secret is sealed and told nobody', async () => {
    const server = await serve(response => void one.fine(response))
    const id = await save(fields(server.origin))
    raise('sw1')
    const [post] = await until(() => server.posts.length > 0 && server.posts)
    expect(post?.path).toMatch(one.path)
    expect(JSON.parse(post?.body ?? '')).toEqual(one.body)
    expect(post?.headers).toMatchObject({ 'content-type': 'application/json', ...one.headers })
    expect(await ended(id)).toMatchObject({ error: '' })
    const kept = [
      manager.runtime.db.select().from(noticeTargets).all(),
      manager.runtime.db.select().from(changelog).all(),
    ]
    expect(JSON.stringify([kept, await shown(id)])).not.toMatch(/B0\/key|sig=key|1\/key|"(tk_|123:)?key"/)
  })

  test('a test says what the service says; a refused alert is tried again, then given up with its words', async () => {
    const server = await serve(response => void one.refuse(response))
    expect(await tested(fields(server.origin))).toMatchObject({ ...one.refusal, confirmed: true })
    const id = await save(fields(server.origin))
    raise('sw1')
    expect(await ended(id, 'failed')).toMatchObject(one.refusal)
    expect(server.posts.filter(post => post.body.includes('sw1 is offline'))).toHaveLength(3)
  })

  test('asked to wait it waits so long, and what is raised meanwhile goes into the next message', async () => {
    const server = await serve((response, n) => void (n === 1 ? one.limit(response) : one.fine(response)))
    const told = await tested(fields(server.origin))
    expect(told).toMatchObject({ code: 429, error: 'limited', seconds: one.seconds || null })
    expect(await tested(fields(server.origin))).toMatchObject({ error: '', confirmed: true })
    const slow = await serve(response => void one.limit(response))
    const id = await save(fields(slow.origin))
    raise('sw1')
    const before = Date.now()
    await until(async () => (await shown(id)).last?.error === 'limited')
    const row = manager.runtime.db.select().from(noticeDeliveries).where(eq(noticeDeliveries.target, id)).get()
    expect(row?.nextAt).toBeGreaterThan(before + one.seconds * 1000 - 1500)
  })
})

beforeEach(() => manager.runtime.parts.delete('rates'))

test('several at once are one message; more than it can hold are counted, and no service gets more than it takes', async () => {
  const server = await serve()
  await save({ service: 'discord', url: `${server.origin}/x` })
  manager.runtime.db.transaction(() => {
    for (let n = 0; n < 80; n += 1) raise(`access-point-${n}`)
  })
  const [post] = await until(() => server.posts.length > 0 && server.posts)
  const { content } = JSON.parse(post?.body ?? '') as { content: string }
  expect(content).toContain('[Harbour House] 80 alerts')
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2000)
  const lines = content.split('\n').slice(1)
  expect(lines.at(-1)).toBe(`+ ${80 - (lines.length - 1)}`)
})

test('names of devices ping nobody and forge nothing', async () => {
  const server = await serve()
  await save({ service: 'slack', url: `${server.origin}/x` })
  raise('<!channel> & "x"')
  const [post] = await until(() => server.posts.length > 0 && server.posts)
  expect(JSON.parse(post?.body ?? '').text).toContain('&lt;!channel&gt; &amp; "x" is offline')
})

test.each(['discord', 'teams'])('a name makes no link in %s whose words hide where it leads', async service => {
  const server = await serve()
  await save({ service, url: `${server.origin}/x` })
  raise('[sign in](https://evil.example)')
  const [post] = await until(() => server.posts.length > 0 && server.posts)
  expect(post?.body).not.toContain('](')
  expect(post?.body).toContain('evil.example')
})

test('only as grave as asked, of the networks chosen, and of nobody else', async () => {
  const server = await serve()
  const [mine, theirs] = [network(manager, 'Annex'), organization(manager, 'Beta Ltd')]
  const id = await save({ service: 'slack', url: `${server.origin}/x`, level: '10' }, { networks: [mine] })
  raise('elsewhere')
  raise('quiet', { network: mine, type: 'deviceRestarted' })
  raise('beta', { organization: theirs, network: network(manager, 'Beta house', theirs) })
  raise('loud', { network: mine, grade: 'other' })
  expect(await ended(id)).toMatchObject({ error: '' })
  expect(server.posts).toHaveLength(1)
  expect(server.posts[0]?.body).toContain('loud is offline')
  expect(server.posts[0]?.body).not.toMatch(/elsewhere|quiet|beta/)
})

test('turned off it is told nothing, and on again nothing that is past', async () => {
  const server = await serve()
  const fields = { service: 'slack', name: 'Ops', enabled: false, level: '15' }
  const id = await save({ ...fields, url: `${server.origin}/x` })
  raise('past')
  await must(owner, 'alerts/targets/save', { id, fields: { ...fields, enabled: true, url: { set: true } } })
  raise('now')
  const [post] = await until(() => server.posts.length > 0 && server.posts)
  expect(post?.body).toContain('now is offline')
  expect(post?.body).not.toContain('past')
})

test('the first message that is given up raises an alert, the next ones none', async () => {
  const server = await serve(response => void response.writeHead(500).end('<html>broken</html>'))
  const id = await save({ service: 'slack', name: 'Down', url: `${server.origin}/x` })
  const count = () => manager.runtime.db.select().from(alerts).where(eq(alerts.type, 'noticeFailed')).all().length
  const before = count()
  raise('one')
  expect(await ended(id, 'failed')).toMatchObject({ code: 500, answer: '' })
  await until(() => count() === before + 1)
  const failed = () =>
    manager.runtime.db.select().from(noticeDeliveries).where(eq(noticeDeliveries.state, 'failed')).all().length
  await until(() => failed() >= 2)
  expect(count()).toBe(before + 1)
})

test('that a target cannot be reached is over with the first message that it takes, and that is said', async () => {
  let works = false
  const server = await serve(response => void response.writeHead(works ? 200 : 500).end('ok'))
  const id = await save({ service: 'slack', name: 'Flaky', url: `${server.origin}/x` })
  const other = await save({ service: 'slack', name: 'Still down', url: `${server.origin}/x`, level: '5' })
  const about = (type: string) =>
    manager.runtime.db
      .select()
      .from(alerts)
      .where(eq(alerts.type, type))
      .all()
      .filter(one => [id, other].includes(Number((JSON.parse(one.values) as { id: number }).id)))
  raise('one')
  await until(() => about('noticeFailed').length === 2)
  expect(about('noticeFailed').map(one => one.recoveredAt)).toEqual([null, null])
  works = true
  await must(owner, 'alerts/targets/delete', { id: other })
  raise('two')
  await until(() => about('noticeWorks').length === 1)
  const values = about('noticeWorks').map(one => JSON.parse(one.values) as object)
  expect(values).toEqual([{ target: 'Flaky', id }])
  expect(about('noticeFailed').map(one => one.recoveredAt === null)).toEqual([false, false])
})

const bad: [string, object, object][] = [
  ['a service nobody knows', { service: 'icq' }, { service: 'notAllowed' }],
  ['no name', { service: 'slack', name: ' ', url: 'https://1.1.1.1/' }, { name: 'required' }],
  ['no address', { service: 'slack' }, { url: 'required' }],
  ['no web address', { service: 'teams', url: 'ftp://x' }, { url: 'urlFormat' }],
  ['a password in the address', { service: 'teams', url: 'https://a:b@x.test/' }, { url: 'urlUser' }],
  ['an address in the LAN', { service: 'discord', url: 'https://192.168.9.9/' }, { url: 'targetPrivate' }],
  [
    'a room that is none',
    { service: 'matrix', server: 'https://1.1.1.1', room: 'x', token: 'y' },
    { room: 'invalidFormat' },
  ],
  ['a chat that is none', { service: 'telegram', chat: 'x y', token: 'y' }, { chat: 'invalidFormat' }],
  ['a topic with a slash', { service: 'ntfy', topic: 'a/b' }, { topic: 'invalidFormat' }],
  ['another service’s field', { service: 'ntfy', topic: 'a', community: 'x' }, { community: 'notUsed' }],
  ['a port out of bounds', { service: 'snmp', host: '127.0.0.1', port: 70_000, community: 'x' }, { port: 'tooLarge' }],
  [
    'a log server that is not allowed',
    { service: 'syslog', host: '10.9.9.9', port: 514, protocol: 'udp' },
    { host: 'targetClear' },
  ],
]
test.each(bad)('%s is refused at its field, and nothing is made', async (_what, fields, wrong) => {
  const { retCode, data } = await owner.post('alerts/targets/save', target(fields))
  expect(retCode).toBe(codes.invalidInput)
  expect(data.fields).toMatchObject(wrong)
  expect((await must(owner, 'alerts/targets/list')).result).toEqual([])
})

test('a kept secret does not follow its target elsewhere; a name is taken once; another company finds none', async () => {
  const fields = {
    service: 'ntfy',
    name: 'Phone',
    enabled: true,
    level: '5',
    topic: 'a',
    token: 'tk',
    server: 'http://127.0.0.1:9',
  }
  const id = await save(fields)
  expect((await shown(id)).values).toMatchObject({ token: { set: true }, topic: 'a' })
  const led = { ...fields, token: { set: true }, server: 'https://ntfy.example.org' }
  const moved = await owner.post('alerts/targets/save', { id, fields: led })
  expect(moved.data.fields).toEqual({ token: 'typeAgain' })
  expect((await owner.post('alerts/targets/test', { id, fields: led })).data.fields).toEqual({ token: 'typeAgain' })
  const twice = await owner.post('alerts/targets/save', { fields: { ...fields, name: 'phone' } })
  expect(twice.data.fields).toEqual({ name: 'nameExists' })
  const beta = await person(manager, { role: 'superAdministrator', organization: organization(manager, 'Gamma Ltd') })
  expect((await beta.post('alerts/targets/list')).data.result).toEqual([])
  expect((await beta.post('alerts/targets/delete', { id })).retCode).toBe(codes.noticeTargetNotFound)
})

test('no more than so many; tests are limited, too', async () => {
  for (let n = 0; n < limits.noticeTargets; n += 1)
    await save({ service: 'ntfy', topic: 'a', server: 'http://127.0.0.1:9' })
  const more = await owner.post(
    'alerts/targets/save',
    target({ service: 'ntfy', topic: 'a', server: 'http://127.0.0.1:9' }),
  )
  expect(more.retCode).toBe(codes.noticeTargetLimit)
  const tries = []
  for (let n = 0; n <= limits.noticeTests.most; n += 1)
    tries.push(
      (await owner.post('alerts/targets/test', target({ service: 'ntfy', topic: 'a', server: 'http://127.0.0.1:9' })))
        .retCode,
    )
  expect(tries.at(-1)).toBe(codes.rateLimited)
})

describe('syslog', () => {
  const parts = /^<(\d+)>1 (\S+) (\S+) lanward \d+ (\w+) \[lanward@32473 (.*)\] (.*)$/

  test('each alert is one datagram of RFC 5424', async () => {
    const socket = createSocket('udp4')
    await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
    closers.push(() => new Promise<void>(done => socket.close(() => done())))
    const heard: string[] = []
    socket.on('message', message => heard.push(message.toString()))
    const place = { service: 'syslog', host: '127.0.0.1', port: socket.address().port, protocol: 'udp' }
    expect(await tested(place)).toMatchObject({ error: '', confirmed: false })
    await until(() => heard.length === 1)
    await save(place)
    manager.runtime.db.transaction(() => {
      for (let n = 0; n < 60; n += 1) raise(n === 0 ? 'ap"1]\nx' : `ap${n}`)
    })
    await until(() => heard.length === 61)
    const [, priority, at, , topic, data, said] = parts.exec(heard[1] ?? '') ?? []
    expect([priority, topic, said]).toEqual(['130', 'deviceOffline', 'ap"1]?x is offline'])
    expect(Date.now() - Date.parse(at ?? '')).toBeLessThan(60_000)
    expect(data).toContain('level="emergency" device="ap\\"1\\]?x" network="Harbour House"')
  })

  test('over TCP with its length before it; nobody there is said at the test', async () => {
    const heard: string[] = []
    const server = createServer(socket => socket.on('data', data => heard.push(data.toString())))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const place = { service: 'syslog', host: '127.0.0.1', port, protocol: 'tcp' }
    expect(await tested(place)).toMatchObject({ error: '', confirmed: true })
    const [, length, line = ''] = /^(\d+) (.*)$/.exec(heard.join('')) ?? []
    expect(Number(length)).toBe(Buffer.byteLength(line))
    await new Promise<void>(done => server.close(() => done()))
    expect(await tested(place)).toMatchObject({ error: 'ECONNREFUSED' })
    expect(await tested({ ...place, protocol: 'udp' })).toMatchObject({ error: 'ECONNREFUSED' })
  })
})

test('an SNMP trap of version 2c says what happened, how grave, and where', async () => {
  const traps: { pdu: { type: number; varbinds: { oid: string; value: unknown }[] } }[] = []
  const port = await new Promise<number>(done => {
    const probe = createSocket('udp4')
    probe.bind(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
  const heard = snmp.createReceiver(
    { port, address: '127.0.0.1', disableAuthorization: false } as never,
    (error: unknown, trap: unknown) => {
      if (!error) traps.push(trap as never)
    },
  )
  heard.getAuthorizer().addCommunity('lab-traps')
  closers.push(async () => heard.close())
  const place = { service: 'snmp', host: '127.0.0.1', port, community: 'lab-traps' }
  const id = await save(place)
  const alert = raise('sw1')
  const trap = await until(() => traps[0])
  const own = '1.3.6.1.4.1.32473.1'
  expect(trap.pdu.varbinds.map(({ oid, value }) => [oid, Buffer.isBuffer(value) ? value.toString() : value])).toEqual([
    ['1.3.6.1.2.1.1.3.0', expect.any(Number)],
    ['1.3.6.1.6.3.1.1.4.1.0', `${own}.0.1`],
    [`${own}.2.1.0`, 5],
    [`${own}.2.2.0`, 'sw1 is offline'],
    [`${own}.2.3.0`, 'deviceOffline'],
    [`${own}.2.4.0`, 'sw1'],
    [`${own}.2.5.0`, 'Harbour House'],
  ])
  expect(alert).toBeGreaterThan(0)
  expect(await ended(id)).toMatchObject({ error: '' })
  await save({ ...place, community: 'wrong' })
})

test.each(['snmp', 'syslog'])(
  '%s to a place without a route fails as any other try, and ends nothing',
  async service => {
    const host = '255.255.255.255'
    await must(owner, 'webhooks/segments/save', { segments: ['127.0.0.1', '255.255.255.255'] })
    const more = service === 'snmp' ? { community: 'lab' } : { protocol: 'udp' }
    const { code, error } = await tested({ service, host, port: 1162, ...more })
    expect([code, error]).toEqual([0, expect.stringMatching(/^(ENETUNREACH|EACCES|EADDRNOTAVAIL|EINVAL)$/)])
    await must(owner, 'webhooks/segments/save', { segments: ['127.0.0.1'] })
  },
)
