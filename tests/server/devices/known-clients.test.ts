import { eq } from 'drizzle-orm'
import { clientEvents, clients, devices } from '@/db/schema'
import { kept, trimClients } from '@/server/devices/clients/known'
import { absentMs, recordClients } from '@/server/devices/clients/record'
import { type Fleet, fleetPart } from '@/server/devices/link/fleet'
import type { Observation, Station } from '@/server/drivers/observation'
import { createClients } from '@/server/worker/clients'
import { macOwners } from '@/server/worker/mac-vendors'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let table: ReturnType<typeof createClients>
let now: number
let forgotten: unknown[]

/** The worker's own table of clients, fed by hand, without its thread. */
function attach(): void {
  table = createClients()
  forgotten = []
  const verbs = {
    clients: (query: never) => table.list(query),
    ports: () => [],
    clientTotals: ({ macs }: { macs: string[] }) =>
      [1, 10, 100].map(factor => macs.map(mac => (mac === phone.mac ? { down: 7 * factor, up: 0 } : {}))),
    clientPlaces: (network: never) => table.places(network),
    clientChanges: (after: never) => table.changes(after),
    forget: (all: never[]) => forgotten.push(...all),
    reading: () => undefined,
    releaseLease: () => undefined,
    observeNow: () => undefined,
    async vendors({ file, macs }: { file: string; macs: string[] }) {
      const ownerOf = await macOwners(file)
      return Object.fromEntries(
        macs.flatMap(mac => {
          const owner = ownerOf(mac)
          return owner && 'vendor' in owner ? [[mac, owner.vendor]] : []
        }),
      )
    },
  }
  const ask = async (name: keyof typeof verbs, input: never) => verbs[name](input)
  fleetPart.start(manager.runtime, { ask } as unknown as Fleet)
}

beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  now = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  for (const name of ['ap1', 'ap2'])
    manager.runtime.db
      .insert(devices)
      .values({
        ...{
          organization: 1,
          network: 1,
          name,
          address: `192.0.2.${name.slice(-1)}`,
          port: 22,
          driver: 'linux',
          kind: 'ap',
        },
        ...{ status: 1, statusAt: now, createdAt: now, facts: '{}' },
      } as never)
      .run()
  attach()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await manager.stop()
})

const phone = { mac: '5c:cb:99:4e:21:b7', hostname: 'Ines-Phone' }
const apple = { mac: '00:03:93:00:00:01' }
const station = (mac: string): Station => ({ mac, bss: 'w0', ssid: 'Guests', signalDbm: -50, connectedSeconds: 60 })

/** What an access point reads: whom it has. */
function reads(device: number, ...macs: string[]): void {
  const observation: Observation = {
    ...{ takenAt: now, depth: 'full', facts: { kind: 'ap', capabilities: [] }, interfaces: [] },
    bss: [{ key: 'w0', ssid: 'Guests' } as never],
    stations: macs.map(station),
  }
  table.update({ id: device, network: 1, kind: 'ap' }, observation)
}
const record = (laterMs = 60_000) => {
  now += laterMs
  return recordClients(manager.runtime, () => now)
}
const list = async (input: object = {}) =>
  (await browser.post('clients/list', input)).data as {
    result: Record<string, unknown>[]
    counts: object
    total: number
  }
const trail = async (mac: string) => {
  const { data } = await browser.post('clients/roaming', { mac })
  return (data.result as { what: string; deviceName: string }[]).map(({ what, deviceName }) => `${what} ${deviceName}`)
}

test('a client comes, moves and goes: its way is kept, and so is it once it is gone', async () => {
  reads(1, phone.mac)
  await record()
  expect(await list()).toMatchObject({
    result: [{ mac: phone.mac, online: true, deviceName: 'ap1', ssid: 'Guests' }],
    counts: { wifi: 1, wired: 0, offline: 0 },
  })
  reads(1)
  reads(2, phone.mac)
  await record()
  expect(await trail(phone.mac)).toEqual(['moved ap2', 'joined ap1'])
  reads(2)
  await record()
  // Not there at once, and told as gone when it stays away.
  expect(await list({ state: 0 })).toMatchObject({
    result: [{ mac: phone.mac, online: false, deviceName: 'ap2', since: now }],
    counts: { offline: 1 },
  })
  expect(await trail(phone.mac)).toEqual(['moved ap2', 'joined ap1'])
  const left = now
  await record(absentMs)
  expect(await trail(phone.mac)).toEqual(['left ap2', 'moved ap2', 'joined ap1'])
  expect((await list({ state: 0 })).result).toMatchObject([{ since: left }])
  reads(1, phone.mac)
  await record()
  expect(await trail(phone.mac)).toEqual(['joined ap1', 'left ap2', 'moved ap2', 'joined ap1'])
  expect((await list({ state: 0 })).total).toBe(0)
})

test('clients are found, connected or not, by MAC, device, type and VLAN; by Ctrl K, too', async () => {
  const hosts = [
    { mac: phone.mac, port: 'p1', vlan: 20, hostname: phone.hostname, source: 'both' as const, address: '10.0.0.9' },
  ]
  const facts = { kind: 'switch' as const, capabilities: [] }
  const sees = (all: typeof hosts) =>
    table.update(
      { id: 2, network: 1, kind: 'switch' },
      { takenAt: now, depth: 'full', facts, interfaces: [], hosts: all },
    )
  const words = ['5ccb99', '5c-cb-99-4e', 'AP2', 'vlan 20', 'phone', 'ines', '10.0.0.9']
  const found = async (state: 0 | 1) => {
    const rows = await Promise.all(words.map(search => list({ search, state })))
    return words.filter((_, at) => rows[at]?.total === 1)
  }
  const byKeys = async () => {
    const answers = await Promise.all(words.map(search => browser.post('search/find', { networkId: 1, search })))
    const has = ({ data }: { data: Record<string, unknown> }) =>
      (data.clients as { mac: string }[])[0]?.mac === phone.mac
    return words.filter((_, at) => has(answers[at] as never))
  }
  sees(hosts)
  await record()
  expect(await found(1)).toEqual(words)
  expect(await byKeys()).toEqual(words)
  sees([])
  await record()
  expect(await found(0)).toEqual(words)
  expect(await byKeys()).toEqual(words)
  expect((await list({ search: 'ap1', state: 0 })).total).toBe(0)
})

type Told = Record<'ssid' | 'band' | 'address' | 'former', string | null> & {
  what: string
  deviceName: string
  from?: object
}
const told = async (mac: string, page = {}) =>
  (await browser.post('clients/roaming', { mac, ...page })).data as { result: Told[]; total: number }

/** The phone at an access point, with these addresses by the gateway's table. */
function readsWith(device: number, ...addresses: string[]): void {
  reads(device, phone.mac)
  const hosts = addresses.map(address => ({ mac: phone.mac, address, port: 'lan', source: 'arp' as const }))
  const facts = { kind: 'gateway' as const, capabilities: [] }
  table.update({ id: 9, network: 1, kind: 'gateway' }, { takenAt: now, depth: 'full', facts, interfaces: [], hosts })
}

test('one that roams is told from where to where, also where a page of its way ends between the two', async () => {
  readsWith(1, '10.0.0.7')
  await record()
  reads(1)
  readsWith(2, '10.0.0.7')
  await record()
  const first = { what: 'joined', deviceName: 'ap1', address: '10.0.0.7', former: null }
  const from = { device: 1, deviceName: 'ap1', port: null, ssid: 'Guests' }
  const { result } = await told(phone.mac)
  expect(result).toMatchObject([{ what: 'moved', deviceName: 'ap2', from }, first])
  expect(result[1]).not.toHaveProperty('from')
  const later = { network: 1, mac: phone.mac, at: now + 1, what: 'kicked' } as const
  manager.runtime.db.insert(clientEvents).values(Array(9).fill(later)).run()
  const first10 = (await told(phone.mac, { page: 1, pageSize: 10 })).result
  expect(first10).toHaveLength(10)
  expect(first10[9]).toMatchObject({ what: 'moved', from })
})

test('another IPv4 address is told with the one before; one of IPv6, the first of all and one of several are not', async () => {
  readsWith(1)
  await record()
  for (const addresses of [
    ['10.0.0.7'],
    ['10.0.0.7', '2001:db8::1'],
    ['10.0.0.7', '2001:db8::2'],
    ['10.0.0.6', '10.0.0.7'],
    ['10.0.0.6', '10.0.0.7', '10.0.0.8'],
  ]) {
    readsWith(1, ...addresses)
    await record()
  }
  expect((await told(phone.mac)).result.map(one => one.what)).toEqual(['joined'])
  readsWith(1, '10.0.0.9')
  await record()
  expect((await told(phone.mac)).result).toMatchObject([
    { what: 'address', deviceName: 'ap1', address: '10.0.0.9', former: '10.0.0.6' },
    { what: 'joined', address: null },
  ])
})

test('a released address is in the way of who had it, with what else was done', async () => {
  reads(1, phone.mac)
  await record()
  manager.runtime.db.update(devices).set({ kind: 'gateway' }).where(eq(devices.name, 'ap2')).run()
  const lease = { deviceId: 2, mac: phone.mac, address: '10.0.0.7' }
  expect((await browser.post('clients/release', lease)).retCode).toBe(0)
  expect((await browser.post('clients/release', { ...lease, deviceId: 7 })).retCode).not.toBe(0)
  expect((await told(phone.mac)).result).toMatchObject([
    { what: 'released', address: '10.0.0.7', deviceName: 'ap1' },
    { what: 'joined' },
  ])
})

test('one that roams all day keeps its newest thousand events, and costs others none', () => {
  const { db } = manager.runtime
  const event = (mac: string, at: number) => ({ network: 1, mac, at, what: 'moved' as const })
  const many = Array.from({ length: kept.eventsOfOne + 50 }, (_, at) => event(phone.mac, now - 2000 + at))
  db.insert(clients)
    .values({ network: 1, mac: apple.mac, online: false, firstSeenAt: now, seenAt: now, wifi: true })
    .run()
  for (const rows of [[event(apple.mac, now - 9000)], many.slice(0, 500), many.slice(500)])
    db.insert(clientEvents).values(rows).run()
  trimClients(manager.runtime, now)
  const left = db.select().from(clientEvents).all()
  expect(left.filter(one => one.mac === apple.mac)).toHaveLength(1)
  expect(left.filter(one => one.mac === phone.mac).map(one => one.at)).toEqual(many.slice(50).map(one => one.at))
})

test('a move between two radios of one access point is in its way; a radio that is not told is none', async () => {
  const radios = [
    { key: 'r0', name: 'radio0', band: '2g' as const },
    { key: 'r1', name: 'radio1', band: '5g' as const },
  ]
  const onRadio = async (radio: 'r0' | 'r1' | undefined) => {
    const facts = { kind: 'ap' as const, capabilities: [] }
    const bss = [{ key: 'w0', ssid: 'Guests', up: true, ...(radio && { radio }) }]
    const seen = { facts, interfaces: [], radios, bss, stations: [station(phone.mac)] }
    table.update({ id: 1, network: 1, kind: 'ap' }, { takenAt: now, depth: 'full', ...seen })
    await record()
  }
  for (const radio of ['r0', 'r1', undefined, 'r1', 'r0'] as const) await onRadio(radio)
  const { result } = await told(phone.mac)
  expect(result.map(one => [one.what, one.ssid, one.band])).toEqual([
    ['moved', 'Guests', '2g'],
    ['moved', 'Guests', '5g'],
    ['joined', 'Guests', '2g'],
  ])
  expect(result[0]).toMatchObject({ from: { device: 1, band: '5g' } })
})

test('a wired client that two ports show by turns is said to be, not to move a hundred times; later it moves again', async () => {
  const onPort = (port: string) => {
    const hosts = [{ mac: apple.mac, port, source: 'fdb' as const }]
    const facts = { kind: 'switch' as const, capabilities: [] }
    table.update({ id: 1, network: 1, kind: 'switch' }, { takenAt: now, depth: 'full', facts, interfaces: [], hosts })
  }
  const told = async () => {
    const { data } = await browser.post('clients/roaming', { mac: apple.mac })
    return (data.result as { what: string; port: string }[]).map(({ what, port }) => `${what} ${port}`).reverse()
  }
  for (let turn = 0; turn < 20; turn++) {
    onPort(`p${turn % 2}`)
    await record()
  }
  const turns = ['joined p0', 'moved p1', 'moved p0', 'moved p1', 'takesTurns p0']
  expect(await told()).toEqual(turns)
  // To a third port, and after some calm back: moves as any.
  onPort('p2')
  await record()
  now += 600_000
  onPort('p0')
  await record()
  expect(await told()).toEqual([...turns, 'moved p2', 'moved p0'])
})

test('who is unseen for a moment, or while the manager or its worker starts, has neither gone nor come', async () => {
  reads(1, phone.mac)
  await record()
  reads(1)
  await record()
  reads(1, phone.mac)
  await record()
  // Another worker: it knows nobody at first.
  attach()
  await record()
  expect((await list({ state: 0 })).total).toBe(1)
  reads(1, phone.mac)
  await record()
  expect(await trail(phone.mac)).toEqual(['joined ap1'])
  expect((await list({ state: 0 })).total).toBe(0)
})

test('N3: a name of 32 characters counts in list, search and order; 33 are refused, and nothing is changed', async () => {
  reads(1, phone.mac, apple.mac)
  await record()
  const name = 'D'.repeat(32)
  expect((await browser.post('clients/save', { mac: phone.mac, name: `${name}x` })).data).toMatchObject({
    fields: { name: 'tooLong' },
  })
  expect((await list({ search: name })).total).toBe(0)
  expect((await browser.post('clients/save', { mac: phone.mac, name, note: 'front desk' })).retCode).toBe(0)
  expect((await list({ search: 'ddd' })).result).toMatchObject([{ mac: phone.mac, name, givenName: name }])
  expect((await list({ search: 'front' })).total).toBe(1)
  expect((await list()).result.map(one => one.mac)).toEqual([phone.mac, apple.mac])
  // Given back, it is called as it calls itself.
  await browser.post('clients/save', { mac: phone.mac, name: '' })
  expect((await list({ search: 'ddd' })).total).toBe(0)
  const { data } = await browser.post('changelog/list')
  expect(JSON.stringify(data)).toContain('"object":"client"')
})

test.each([
  ['clients/save', { mac: phone.mac, name: 'Till' }],
  ['clients/icons/save', { mac: phone.mac, icon: 'printer' }],
  ['clients/subscribe', { macs: [phone.mac], on: true }],
])('whoever is shown is there to be changed at once: %s', async (path, change) => {
  reads(1, phone.mac)
  expect((await list()).result.map(one => one.mac)).toEqual([phone.mac])
  expect((await browser.post(path, change)).retCode).toBe(0)
  await record()
  expect(await trail(phone.mac)).toEqual(['joined ap1'])
})

test('a vendor is found by the MAC, searched for, and never given to a private one', async () => {
  reads(1, apple.mac, '02:03:93:00:00:01')
  await record()
  expect((await list({ search: 'apple' })).result).toMatchObject([{ mac: apple.mac, vendor: 'Apple' }])
  expect((await browser.post('clients/info', { mac: '02:03:93:00:00:01' })).data).toMatchObject({ private: true })
  expect((await browser.post('clients/info', { mac: '02:03:93:00:00:01' })).data).not.toHaveProperty('vendor')
})

test('who is not connected is forgotten with all that was kept; who is connected is not', async () => {
  reads(1, phone.mac, apple.mac)
  await record()
  reads(1, apple.mac)
  await record()
  const { data } = await browser.post('clients/clear', { macs: [phone.mac, apple.mac] })
  expect(data).toEqual({ macs: [phone.mac] })
  expect(forgotten).toEqual([{ of: 'client', network: 1, mac: phone.mac }])
  expect(await trail(phone.mac)).toEqual([])
  expect((await browser.post('clients/info', { mac: phone.mac })).retCode).toBe(40004)
  expect((await browser.post('clients/info', { mac: apple.mac })).retCode).toBe(0)
  expect((await browser.post('clients/save', { mac: phone.mac, name: 'x' })).retCode).toBe(40004)
})

test('a month ago is forgotten, and what is too much; what somebody named stays', async () => {
  const { db } = manager.runtime
  const row = (mac: string, seenAt: number, name = '') => ({
    network: 1,
    mac,
    name,
    online: false,
    firstSeenAt: 1,
    seenAt,
    wifi: true,
  })
  const old = now - (kept.days + 1) * 86_400_000
  db.insert(clients)
    .values([row('old', old), row('named', old, 'Till'), row('new', now)])
    .run()
  db.insert(clientEvents).values({ network: 1, mac: 'old', at: old, what: 'left' }).run()
  trimClients(manager.runtime, now)
  expect(
    db
      .select({ mac: clients.mac })
      .from(clients)
      .all()
      .map(one => one.mac),
  ).toEqual(['named', 'new'])
  expect(db.select().from(clientEvents).all()).toEqual([])
})

test('hosts that invent MACs fill the table to its bound, and no further', async () => {
  const { db, sqlite } = manager.runtime
  const add = sqlite.prepare(
    'INSERT INTO clients (network, mac, online, first_seen_at, seen_at, wifi) VALUES (1, ?, 0, 1, ?, 1)',
  )
  db.transaction(() => {
    for (let at = 0; at < kept.clients + 500; at++) add.run(`mac${at}`, now + at)
  })
  trimClients(manager.runtime, now)
  expect((await list({ state: 0 })).total).toBe(kept.clients)
  expect((await list({ state: 0, search: 'mac499' })).result.map(one => one.mac)).not.toContain('mac499')
})

test('a network that is deleted between two answers stops nothing', async () => {
  table.update(
    { id: 9, network: 77, kind: 'ap' },
    { takenAt: now, depth: 'full', bss: [], stations: [station(phone.mac)], interfaces: [] },
  )
  reads(1, apple.mac)
  await record()
  expect((await list()).total).toBe(1)
})

test('a port lists who is on it, or was last; of which device is said with it', async () => {
  const onPort = (port: string, ...macs: string[]) =>
    table.update(
      { id: 2, network: 1, kind: 'switch' },
      { takenAt: now, depth: 'full', interfaces: [], hosts: macs.map(mac => ({ mac, port, source: 'fdb' as const })) },
    )
  onPort('lan7', apple.mac)
  await record()
  const on = async (input: object) => (await list({ deviceId: 2, ...input })).result.map(one => one.mac)
  expect([await on({ port: 'lan7' }), await on({ port: 'lan' })]).toEqual([[apple.mac], []])
  onPort('lan7')
  now += absentMs + 1
  await record()
  expect([await on({ state: 0, port: 'lan7' }), await on({ state: 0, port: 'lan' })]).toEqual([[apple.mac], []])
  const { data } = await browser.post('clients/list', { port: 'lan7' })
  expect(data).toMatchObject({ fields: { deviceId: 'required' } })
})

test('the file holds what the list shows, whoever is connected or not, by the same words', async () => {
  reads(1, phone.mac)
  reads(2, apple.mac)
  await record()
  await browser.post('clients/save', { mac: phone.mac, name: 'Till', note: 'front, desk' })
  const rows = async (query: object) => {
    const words = new URLSearchParams({ networkId: '1', ...query })
    const answer = await browser.raw(`exports/clients?${words}`, { method: 'GET' })
    const [head, ...lines] = (await answer.text()).trim().split('\r\n')
    expect(head).toMatch(/^.?mac,name,vendor,address,connected,device,port,ssid,/)
    return lines.map(line => line.split(',').slice(0, 6).join(' '))
  }
  const whole = await (await browser.raw('exports/clients?networkId=1', { method: 'GET' })).text()
  const [heads, ofPhone, ofLaptop] = whole.split('\r\n').map(line => line.split(',').slice(-6))
  expect(heads).toEqual(
    ['24 h', '7 d', '31 d'].flatMap(range => [`bytes to client ${range}`, `bytes from client ${range}`]),
  )
  // Unknown is not zero.
  expect([ofPhone, ofLaptop]).toEqual([['7', '0', '70', '0', '700', '0'], Array(6).fill('')])
  const till = `${phone.mac} Till Samsung Electronics  yes ap1`
  const laptop = `${apple.mac}  Apple  yes ap2`
  expect(await rows({})).toEqual([till, laptop])
  expect(await rows({ search: 'front' })).toEqual([till])
  expect(await rows({ deviceId: '2' })).toEqual([laptop])
  expect(await rows({ wifi: 'false' })).toEqual([])
  reads(1)
  await record()
  expect(await rows({})).toEqual([laptop])
  expect(await rows({ state: '0', search: 'till' })).toEqual([`${phone.mac} Till Samsung Electronics  no ap1`])
  // Where a device is asked for, so is its list of those that left.
  expect((await list({ state: 0, deviceId: 1 })).total).toBe(1)
  expect((await list({ state: 0, deviceId: 2 })).total).toBe(0)
  expect(await rows({ state: '0', deviceId: '2' })).toEqual([])
})

test('the dashboard calls a client by the name that somebody gave it', async () => {
  reads(1, phone.mac)
  await record()
  await browser.post('clients/save', { mac: phone.mac, name: 'Till' })
  const { data } = await browser.post('dashboard/top-clients')
  expect(data.result).toMatchObject([{ mac: phone.mac, name: 'Till', deviceName: 'ap1' }])
})

test('devices and SSIDs that clients are on, or were last, are told with how many; the list is narrowed to each', async () => {
  const places = async (state: 0 | 1) => [
    (await browser.post('clients/ap-options', { state })).data.result,
    (await browser.post('clients/ssid-list', { state })).data.result,
  ]
  reads(1, phone.mac)
  reads(2, apple.mac, '02:03:93:00:00:01')
  await record()
  const both = [
    { id: 1, name: 'ap1', count: 1 },
    { id: 2, name: 'ap2', count: 2 },
  ]
  expect(await places(1)).toEqual([both, [{ ssid: 'Guests', count: 3 }]])
  expect(await places(0)).toEqual([[], []])
  expect((await list({ deviceId: 2, ssid: 'Guests' })).total).toBe(2)
  expect((await list({ ssid: 'Other' })).total).toBe(0)
  reads(2)
  await record()
  expect(await places(1)).toEqual([[{ id: 1, name: 'ap1', count: 1 }], [{ ssid: 'Guests', count: 1 }]])
  expect(await places(0)).toEqual([[{ id: 2, name: 'ap2', count: 2 }], [{ ssid: 'Guests', count: 2 }]])
  expect((await list({ state: 0, ssid: 'Guests' })).total).toBe(2)
  expect((await list({ state: 0, ssid: 'Other' })).total).toBe(0)
})
