// What a router runs of its own: shown, taken over, changed, handed back; the calls, the engine and the driver's own words.
import { eq } from 'drizzle-orm'
import { changelog, credentials, devices, documents, importedItems, networks } from '@/db/schema'
import { codes } from '@/model/codes'
import type { ShownItem } from '@/server/devices/change/import/unmanaged'
import { engineOf } from '@/server/devices/change/plan/plan'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { sealCredential } from '@/server/devices/link/credential-store'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Driver } from '@/server/drivers/driver'
import { until } from '../../lab/_lab'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { newRouter, type Router, recordedText, routerDriver } from '../_openwrt'

let manager: Manager
let browser: Browser
let router: Router
let id: number

async function adopt(address: string): Promise<number> {
  const { db } = manager.runtime
  const network = db.select().from(networks).get()
  const own = { organization: network?.organization ?? 0, network: network?.id ?? 0 }
  const login = { ...own, name: 'router', type: 'ssh' as const, user: 'root', secret: '', createdAt: 0, changedAt: 0 }
  const row = db.insert(credentials).values(login).returning({ id: credentials.id }).get()
  const secret = sealCredential(manager.runtime, row.id, { type: 'ssh', user: 'root', password: 'x' })
  db.update(credentials).set({ secret }).where(eq(credentials.id, row.id)).run()
  const place = { address, port: 22, driver: 'openwrt' as const, kind: 'gateway' as const, credential: row.id }
  const device = { ...own, ...place, name: 'router', status: 3, statusAt: 0, createdAt: 0 }
  const made = db.insert(devices).values(device).returning({ id: devices.id }).get()
  fleetOf(manager.runtime).upsert(made.id)
  await fleetOf(manager.runtime).ask('observeNow', made.id)
  manager.runtime.bus.emit({ topic: 'devices' })
  return made.id
}

/** A driver that offers one item more, which none of its renderers proposes anything for. */
function withOrphan(of: Router): Driver<unknown> {
  const driver = routerDriver(of)
  const orphan = { id: 'uci:x.orphan', area: 'other' as const, label: 'x.orphan', state: 'unmanaged' as const }
  const options = [{ option: 'a', value: "'1'", kind: 'system', field: 'hostname' }]
  const list: NonNullable<typeof driver.ownership>['list'] = async (session, taken) => [
    ...((await driver.ownership?.list(session, taken)) ?? []),
    { ...orphan, why: 'system', options },
  ]
  return { ...driver, ...(driver.ownership && { ownership: { ...driver.ownership, list } }) }
}

beforeEach(async () => {
  router = newRouter()
  manager = await startTestManager({
    starters: [
      fleetInProcess({ drivers: () => withOrphan(router) }),
      async runtime => {
        const engine = await startChange(runtime, changeTransport(fleetOf(runtime)), 300)
        engine.retryMs = 50
      },
    ],
  })
  browser = await finishedWizard(manager)
  id = await adopt('192.168.1.1')
})
afterEach(() => manager.stop())

const ok = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  if (answer.retCode !== 0) throw new Error(`${path}: ${answer.retCode} ${JSON.stringify(answer.data)}`)
  return answer.data
}
const list = async () => (await ok('import/list', { deviceId: id })).result as ShownItem[]
const item = async (of: string) => (await list()).find(one => one.id === of) as ShownItem
/** Everything that these items offer. */
async function take(...ids: string[]) {
  const items = await list()
  const choices = ids.map(of => {
    const offered = items.find(one => one.id === of)?.options.filter(one => one.kind) ?? []
    return { id: of, options: offered.map(one => one.option) }
  })
  return ok('import/add', { deviceId: id, items: choices })
}
const back = (...items: (string | { id: string; options: string[] })[]) => ok('import/release', { deviceId: id, items })
const planned = async (more: object = {}) =>
  ((await ok('devices/push/preview', { deviceId: id, ...more })).blocks as { id: string; action: string }[]).map(
    block => `${block.action} ${block.id}`,
  )
type Ended = { state: string; reason: string; detail: string; deploymentId: string }
async function pushed(more: object = {}): Promise<Ended> {
  const { jobId } = await ok('devices/push', { deviceIds: [id], ...more })
  return until(async () => {
    const [one] = (await ok('devices/push/result', { jobId })).devices as Ended[]
    return one && !['queued', 'pushing', 'confirming'].includes(one.state) && one
  })
}
async function change(kind: string, fields: object) {
  const [row] = (await ok(`settings/${kind}/list`)).result as { id: string }[]
  const { position, changedAt, changedBy, ...whole } = await ok(`settings/${kind}/get`, { id: row?.id })
  await ok(`settings/${kind}/save`, { ...whole, ...fields })
}
const changedLines = () => {
  const [was, now] = [recordedText, router.text].map(text => text.trimEnd().split('\n'))
  return now?.filter(line => !was?.includes(line)).toSorted()
}
const address = () => manager.runtime.db.select().from(devices).where(eq(devices.id, id)).get()?.address

const lan = 'uci:network.lan'
const pool = 'uci:dhcp.lan'
const clock = 'uci:system.@system[0]'
const air = ['uci:wireless.default_radio0', 'uci:wireless.default_radio1']

test('taking over changes nothing on the device, and nothing waits for a push', async () => {
  router.text = router.text.replace(
    "default_radio0.encryption='none'",
    "default_radio0.encryption='psk2'\nwireless.default_radio0.key='hunter2hunter2'",
  )
  const before = router.text
  expect(await item('uci:network.wan6')).toMatchObject({ state: 'unsupported', why: 'interface' })
  const shown = await item('uci:wireless.default_radio0')
  expect(shown).toMatchObject({ state: 'unmanaged', releasing: false })
  expect(shown.options).toContainEqual({
    option: 'key',
    value: "'••••••••'",
    kind: 'ssid',
    field: 'key',
    imported: false,
  })
  const told = await take(lan, pool, clock, 'uci:wireless.default_radio0')
  expect(told).toMatchObject({
    documents: [
      { kind: 'lan', name: 'lan' },
      { kind: 'ssid', name: 'OpenWrt' },
    ],
    kinds: ['system'],
    differs: [],
  })
  expect(await planned()).toEqual([])
  expect(await ok('changes/list')).toMatchObject({ total: 0, devices: [] })
  expect(router.text).toBe(before)
  expect((await ok('settings/lan/list')).result).toMatchObject([
    { address: '192.168.1.1/24', assign: { devices: [id] } },
  ])
  const { db } = manager.runtime
  expect(db.select().from(changelog).where(eq(changelog.action, 'takeOver')).get()).toMatchObject({ name: 'router' })
  expect(JSON.stringify([db.select().from(changelog).all(), db.select().from(importedItems).all()])).not.toContain(
    'hunter2',
  )
  // Somebody changes on the device what settings decide now.
  router.text = router.text.replace("timezone='UTC'", "timezone='JST-9'\nsystem.@system[0].zonename='Asia/Tokyo'")
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 1 })
})

test('settings then write the owned options alone, and a hand-back puts what was there', async () => {
  await take(lan, pool, clock, ...air)
  await change('lan', { poolStart: '192.168.1.20', poolEnd: '192.168.1.29', dns1: '9.9.9.9' })
  await change('ssid', { name: 'Harbour', security: 'wpa2', key: 'hunter2hunter2' })
  const scope = { device: id }
  const { own, revision } = (await ok('settings/system/get', { scope })) as { own: object; revision: number }
  await ok('settings/system/save', { scope, revision, ...own, timeZone: 'Europe/Berlin' })
  expect((await planned()).toSorted()).toEqual([pool, clock, ...air].map(one => `change ${one}`).toSorted())
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual(
    [
      "dhcp.lan.dhcp_option='6,9.9.9.9'",
      "dhcp.lan.limit='10'",
      "dhcp.lan.start='20'",
      "system.@system[0].timezone='CET-1CEST,M3.5.0,M10.5.0/3'",
      "system.@system[0].zonename='Europe/Berlin'",
      ...['default_radio0', 'default_radio1'].flatMap(name => [
        `wireless.${name}.encryption='psk2'`,
        `wireless.${name}.key='hunter2hunter2'`,
        `wireless.${name}.ssid='Harbour'`,
      ]),
    ].toSorted(),
  )
  // One part of what a document decides is handed back: the document stays for the other.
  await back(pool)
  expect((await ok('settings/lan/list')).total).toBe(1)
  expect(await item(pool)).toMatchObject({ releasing: true })
  await back(lan, clock, ...air)
  expect(
    manager.runtime.db
      .select()
      .from(documents)
      .all()
      .filter(row => row.data !== '{}'),
  ).toEqual([])
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual([])
  expect(await item(lan)).toMatchObject({ state: 'unmanaged', releasing: false })
  expect(manager.runtime.db.select().from(importedItems).all()).toEqual([])
  expect(await ok('changes/list')).toMatchObject({ total: 0, devices: [] })
})

test('one option is handed back alone: its value comes back with a push, the others stay taken over', async () => {
  const radio = 'uci:wireless.radio1'
  await take(radio, pool)
  const scope = { device: id }
  const { own, revision } = (await ok('settings/radio/get', { scope })) as { own: object; revision: number }
  await ok('settings/radio/save', { scope, revision, ...own, channel5g: 149, width5g: '40', power5g: 13 })
  await change('lan', { poolStart: '192.168.1.20', poolEnd: '192.168.1.29', lease: 60 })
  const first = await pushed()
  expect(first).toMatchObject({ state: 'applied' })
  await back({ id: radio, options: ['channel', 'txpower'] }, { id: pool, options: ['leasetime'] })
  const of = async (item_: string, option: string) => (await item(item_)).options.find(one => one.option === option)
  expect(await of(radio, 'channel')).toMatchObject({ imported: true, releasing: true, former: "'36'" })
  expect(await of(radio, 'htmode')).not.toHaveProperty('releasing')
  expect(await item(radio)).toMatchObject({ releasing: false })
  expect((await planned()).toSorted()).toEqual([`change ${pool}`, `change ${radio}`])
  expect(changedLines()).toContain("wireless.radio1.channel='149'")
  expect(await pushed()).toMatchObject({ state: 'applied' })
  // The radio had no country: it has the network's now.
  const radioLines = ["wireless.radio1.country='PT'", "wireless.radio1.htmode='HE40'"]
  expect(changedLines()).toEqual(["dhcp.lan.limit='10'", "dhcp.lan.start='20'", ...radioLines])
  expect(await of(radio, 'channel')).toMatchObject({ imported: false, kind: 'radio', field: 'channel5g' })
  // Settings that come later leave alone what is not taken over any more.
  await change('lan', { lease: 30, poolEnd: '192.168.1.39' })
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual(["dhcp.lan.limit='20'", "dhcp.lan.start='20'", ...radioLines])
  // Taken over again, it is neither a change nor somebody else's; nor does an earlier configuration bring another value.
  await ok('import/add', { deviceId: id, items: [{ id: radio, options: ['channel'] }] })
  expect(await planned()).toEqual([])
  expect(await ok('changes/list')).toMatchObject({ total: 0 })
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 0 })
  await back({ id: radio, options: ['channel'] })
  expect(await planned({ restores: first.deploymentId })).toEqual([`change ${pool}`])
  // One by one the last option ends all of it.
  await back({ id: radio, options: ['country', 'disabled'] }, pool)
  await back({ id: radio, options: ['htmode'] })
  expect(await item(radio)).toMatchObject({ releasing: true })
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual([])
  expect(manager.runtime.db.select().from(importedItems).all()).toEqual([])
})

test('an option on its way back is taken over again with the value it had first; before any push it ends at once', async () => {
  await take(clock)
  await back({ id: clock, options: ['hostname'] })
  expect((await item(clock)).options.find(one => one.option === 'hostname')).toMatchObject({ imported: false })
  await take(clock)
  const scope = { device: id }
  const set = async () => (await ok('settings/system/get', { scope })) as { own: object; revision: number }
  const { own, revision } = await set()
  await ok('settings/system/save', { scope, revision, ...own, hostname: 'harbour' })
  expect(await pushed()).toMatchObject({ state: 'applied' })
  await back({ id: clock, options: ['hostname'] })
  // What taking it over set for this device is unset, the rest is not.
  expect((await set()).own).toEqual({ timeZone: 'UTC' })
  await ok('import/add', { deviceId: id, items: [{ id: clock, options: ['hostname'] }] })
  const again = (await item(clock)).options.find(one => one.option === 'hostname')
  expect(again).toMatchObject({ imported: true, value: "'harbour'", former: "'OpenWrt'" })
  expect(again).not.toHaveProperty('releasing')
  await back(clock)
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual([])
})

test('what is not on the device any more is handed back at once, and holds up no push', async () => {
  await take(...air)
  await change('ssid', { name: 'Harbour' })
  expect(await pushed()).toMatchObject({ state: 'applied' })
  router.text = router.text
    .split('\n')
    .filter(line => !line.startsWith('wireless.default_radio1'))
    .join('\n')
  await change('ssid', { hidden: true })
  expect(await pushed({ overwrite: [id] })).toMatchObject({ state: 'failed', reason: 'commandFailed' })
  expect(await item(air[1] ?? '')).toMatchObject({ state: 'managed', why: 'gone' })
  await back(air[1] ?? '')
  expect((await list()).some(one => one.id === air[1])).toBe(false)
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(router.text).toContain("wireless.default_radio0.hidden='1'")
})

test('the way out and its zone follow one document, and go back', async () => {
  const way = ['uci:network.wan', 'uci:firewall.@zone[1]']
  expect(await take(...way)).toMatchObject({ documents: [{ kind: 'wan', name: 'wan' }], differs: [] })
  expect(await planned()).toEqual([])
  const fixed = { connection: 'static', address: '198.51.100.7', prefix: 24, gateway: '198.51.100.1' }
  await change('wan', { ...fixed, dns1: '9.9.9.9', nat: false })
  expect((await planned()).toSorted()).toEqual(way.map(one => `change ${one}`).toSorted())
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual([
    "firewall.@zone[1].masq='0'",
    "network.wan.dns='9.9.9.9'",
    "network.wan.gateway='198.51.100.1'",
    "network.wan.ipaddr='198.51.100.7'",
    "network.wan.netmask='255.255.255.0'",
    "network.wan.proto='static'",
  ])
  await back(...way)
  expect(await pushed()).toMatchObject({ state: 'applied' })
  expect(changedLines()).toEqual([])
  expect(await item('uci:network.wan')).toMatchObject({ state: 'unmanaged', releasing: false })
})

test.each([
  ['leasetime', "leasetime='7d'"],
  ['leasetime', "leasetime='infinite'"],
  ['limit', "limit='250'"],
  ['dhcp_option', "dhcp_option='option:ntp-server,192.168.1.1'"],
])('a pool with a value that settings cannot hold is imported without it: %s, %s', async (option, value) => {
  const kept = router.text.split('\n').filter(line => !line.startsWith(`dhcp.lan.${option}=`))
  router.text = kept.flatMap(line => (line === 'dhcp.lan=dhcp' ? [line, `dhcp.lan.${value}`] : line)).join('\n')
  expect((await item(pool)).options.find(one => one.option === option)).toMatchObject({ why: 'optionValue' })
  expect(await take(lan, pool)).toMatchObject({ documents: [{ kind: 'lan', name: 'lan' }], differs: [] })
  expect((await ok('settings/lan/list')).result).toMatchObject([{ address: '192.168.1.1/24', dhcp: true }])
  expect(await planned()).toEqual([])
  expect((await item(pool)).options.find(one => one.option === option)).toMatchObject({ imported: false })
})

describe('of one document, in two imports', () => {
  const lans = async () => (await ok('settings/lan/list')).result as { id: string; revision: number }[]
  const some = (id: string, ...options: string[]) => ({ id, options })
  const another = () => {
    const { db } = manager.runtime
    const { id: _own, ...row } = db
      .select()
      .from(devices)
      .where(eq(devices.id, id))
      .get() as typeof devices.$inferSelect
    return db
      .insert(devices)
      .values({ ...row, name: 'other', address: '192.168.9.9' })
      .returning()
      .get().id
  }
  const add = (...items: object[]) => browser.post('import/add', { deviceId: id, items })

  test('a LAN and later its pool: the pool goes into the document, and nothing is pushed', async () => {
    const before = router.text
    await take(lan)
    expect(await lans()).toMatchObject([{ dhcp: false }])
    expect(await take(pool)).toMatchObject({ documents: [{ kind: 'lan', name: 'lan' }], differs: [] })
    expect(await lans()).toMatchObject([
      {
        ...{ dhcp: true, poolStart: '192.168.1.100', poolEnd: '192.168.1.249', lease: 720 },
        assign: { devices: [id] },
      },
    ])
    expect(await planned()).toEqual([])
    expect(await ok('changes/list')).toMatchObject({ total: 0 })
    await change('lan', { lease: 60 })
    expect(await pushed()).toMatchObject({ state: 'applied' })
    expect(changedLines()).toEqual(["dhcp.lan.leasetime='60m'"])
    await back(lan, pool)
    expect(await pushed()).toMatchObject({ state: 'applied' })
    expect(router.text.trim()).toBe(before.trim())
  })

  test('an option more of what is imported already', async () => {
    await add(some(lan, 'ipaddr', 'netmask'), some(pool, 'start', 'limit', 'dhcpv4', 'ignore'))
    await change('lan', { lease: 120, poolStart: '192.168.1.20', poolEnd: '192.168.1.29' })
    const waits = await planned()
    expect(await add(some(pool, 'leasetime'))).toMatchObject({ retCode: 0, data: { differs: [pool] } })
    // What waits for a push is no value of the device.
    expect(await lans()).toMatchObject([{ lease: 720, poolStart: '192.168.1.20', poolEnd: '192.168.1.29' }])
    expect(await planned()).toEqual(waits)
    expect(await pushed()).toMatchObject({ state: 'applied' })
    expect(changedLines()).toEqual(["dhcp.lan.limit='10'", "dhcp.lan.start='20'"])
  })

  test.each([
    ['all devices', () => ({ all: true, groups: [], devices: [] })],
    ['another one', () => ({ all: false, groups: [], devices: [id, another()] })],
  ])('refused at its place where the document reaches %s too, which would be changed', async (_name, assign) => {
    await take(lan)
    await change('lan', { assign: assign() })
    const before = await lans()
    const choice = (await item(pool)).options.flatMap(one => (one.kind ? one.option : []))
    expect(await add(some(clock, 'hostname'), some(pool, ...choice))).toMatchObject({
      retCode: codes.invalidInput,
      data: { fields: { 'items.1.id': 'importShared' }, values: { 'items.1.id': { other: 'lan' } } },
    })
    expect(await lans()).toEqual(before)
    expect(manager.runtime.db.select().from(importedItems).all()).toHaveLength(1)
    await change('lan', { assign: { all: false, groups: [], devices: [id] } })
    expect(await take(pool)).toMatchObject({ differs: [] })
    expect(await planned()).toEqual([])
  })

  test('refused where the document needs what other options of the part say', async () => {
    await take(lan)
    const wanted = { retCode: codes.invalidInput, data: { fields: { 'items.0.id': 'importWhole' } } }
    expect(await add(some(pool, 'start', 'dhcpv4'))).toMatchObject(wanted)
    expect(await add(some(pool, 'start', 'limit', 'dhcpv4'))).toMatchObject({ retCode: 0, data: { differs: [] } })
    expect(await lans()).toMatchObject([{ poolStart: '192.168.1.100', poolEnd: '192.168.1.249', lease: 120 }])
    expect(await planned()).toEqual([])
  })

  test('a document that a person made says what it was given, and the answer names what a push changes', async () => {
    const own = { dhcp: true, poolStart: '192.168.1.20', poolEnd: '192.168.1.29', assign: { devices: [id] } }
    await ok('settings/lan/save', { name: 'Mine', vlan: 1, address: '192.168.1.1/24', ...own })
    expect(await take(lan, pool)).toMatchObject({ documents: [{ name: 'Mine' }], differs: [pool] })
    expect(await lans()).toMatchObject([{ poolStart: '192.168.1.20' }])
  })
})

test('what somebody changed on the device in taken sections can go into the settings', async () => {
  await take(lan, pool, clock, 'uci:system.ntp', air[0] ?? '')
  const edits = [
    ["lan.ipaddr='192.168.1.1'", "lan.ipaddr='192.168.1.1'\nnetwork.lan.x='1'"],
    ["start='100'", "start='50'"],
    ["leasetime='12h'", "leasetime='30m'"],
    ["timezone='UTC'", "timezone='JST-9'\nsystem.@system[0].zonename='Asia/Tokyo'"],
    [
      "default_radio0.encryption='none'",
      "default_radio0.encryption='sae'\nwireless.default_radio0.key='hunter2hunter2'",
    ],
  ] as const
  for (const [from, to] of edits) router.text = router.text.replace(from, to)
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 3 })
  await ok('devices/config/adopt', { deviceId: id })
  expect((await ok('settings/lan/list')).result).toMatchObject([{ poolStart: '192.168.1.50', lease: 30 }])
  expect((await ok('settings/ssid/list')).result).toMatchObject([{ security: 'wpa3', key: { set: true } }])
  expect(await ok('settings/system/get', { scope: { device: id } })).toMatchObject({ own: { timeZone: 'Asia/Tokyo' } })
  expect(await planned()).toEqual([])
})

test('what somebody changed of radios can go into the settings, and one that was switched off there, too', async () => {
  await take('uci:wireless.radio0', 'uci:wireless.radio1')
  await pushed()
  const own = async () => (await ok('settings/radio/get', { scope: { device: id } })).own
  expect(await own()).toMatchObject({ channel2g: 1 })
  router.text = router.text
    .replace("radio0.disabled='0'", "radio0.disabled='1'")
    .replace("radio1.channel='36'", "radio1.channel='149'")
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 2 })
  await ok('devices/config/adopt', { deviceId: id })
  // A radio that is off keeps its channel for the day it is switched on.
  expect(await own()).toEqual({ enabled2g: false, channel2g: 1, channel5g: 149 })
  expect(await planned()).toEqual([])
  router.text = router.text.replace("wireless.radio0.disabled='1'\n", '')
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 1 })
  await ok('devices/config/adopt', { deviceId: id })
  expect(await own()).toEqual({ enabled2g: true, channel2g: 1, channel5g: 149 })
  expect(await planned()).toEqual([])
})

test('what a save would refuse is not offered to go into the settings, and what goes beside it does', async () => {
  await take(clock, ...air)
  await pushed()
  const before = await ok('settings/ssid/list')
  router.text = router.text
    .replace("default_radio0.encryption='none'", "default_radio0.encryption='wpa2'")
    .replace("timezone='UTC'", "timezone='JST-9'\nsystem.@system[0].zonename='Asia/Tokyo'")
  const { drift, adopts } = await ok('devices/push/preview', { deviceId: id })
  expect(drift).toMatchObject([
    { id: clock, adoptable: true },
    // Which RADIUS server it asks is a document of its own.
    { id: air[0], adoptable: false },
  ])
  expect(adopts).toEqual(['system'])
  expect(await ok('devices/config/adopt', { deviceId: id })).toEqual({ left: [air[0]] })
  expect(await ok('settings/ssid/list')).toEqual(before)
  expect(await ok('settings/system/get', { scope: { device: id } })).toMatchObject({ own: { timeZone: 'Asia/Tokyo' } })
})

test('a value of a setting that exists once is not offered where a save would refuse it', async () => {
  const mesh = { enabled: true, meshId: 'Harbour', key: 'correct horse', band: '5g' }
  await ok('settings/mesh/save', { scope: { device: id }, revision: 0, ...mesh })
  expect(await pushed()).toMatchObject({ state: 'applied' })
  const of = 'uci:wireless.lw_mesh_radio1'
  for (const [key, adopts] of [
    ['battery staple', ['mesh']],
    // WPA3 takes no key of 64 digits.
    ['0123456789abcdef'.repeat(4), []],
  ] as const) {
    router.text = router.text.replace(/lw_mesh_radio1.key='.*'/, `lw_mesh_radio1.key='${key}'`)
    expect(await ok('devices/push/preview', { deviceId: id })).toMatchObject({
      drift: [{ id: of, adoptable: adopts.length > 0 }],
      adopts,
    })
  }
  expect(await browser.post('devices/config/adopt', { deviceId: id })).toMatchObject({ retCode: codes.nothingToAdopt })
})

test('what was said in other words on the device goes into the settings, and the answer names what cannot', async () => {
  await take(lan, pool, clock, 'uci:wireless.radio0')
  // The radio had no country: it gets the network's.
  await pushed()
  router.text = router.text.replace("leasetime='12h'", "leasetime='720m'")
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 0 })
  router.text = router.text.replace("leasetime='720m'", "leasetime='6h'")
  expect(await ok('devices/config/check', { deviceId: id })).toEqual({ drifted: 1 })
  expect(await ok('devices/config/adopt', { deviceId: id })).toMatchObject({ left: [] })
  expect((await ok('settings/lan/list')).result).toMatchObject([{ lease: 360 }])
  expect(await planned()).toEqual([])
  router.text = router.text
    .replace("leasetime='6h'", "leasetime='1d'")
    .replace("radio0.htmode='HE20'", "radio0.htmode='NOHT'")
  const adopted = await ok('devices/config/adopt', { deviceId: id })
  expect(adopted).toEqual({ left: ['uci:wireless.radio0'] })
  expect((await ok('settings/lan/list')).result).toMatchObject([{ lease: 1440 }])
})

test('an earlier configuration takes nothing off that was taken over since', async () => {
  await ok('settings/ssid/save', { name: 'Ours', security: 'open' })
  const first = await pushed()
  await take(lan, clock)
  const restores = first.deploymentId
  expect(await planned({ restores })).toEqual([])
  expect(await ok('changes/list')).toMatchObject({ total: 0 })
})

test.each<[string, object[], Record<string, string>]>([
  ['an item that is not there', [{ id: 'uci:network.none', options: ['ipaddr'] }], { 'items.0.id': 'notFound' }],
  ['an item that nothing says', [{ id: 'uci:network.wan6', options: ['proto'] }], { 'items.0.options.0': 'notFound' }],
  ['an option that nothing says', [{ id: lan, options: ['ipaddr', 'device'] }], { 'items.0.options.1': 'notFound' }],
  ['no option', [{ id: lan, options: [] }], { 'items.0.options': 'required' }],
  ['nothing', [], { items: 'required' }],
])('refused at its place, and nothing is taken: %s', async (_name, items, fields) => {
  const answer = await browser.post('import/add', { deviceId: id, items })
  expect(answer).toMatchObject({ retCode: codes.invalidInput, data: { fields } })
  expect(manager.runtime.db.select().from(importedItems).all()).toEqual([])
})

test('what nobody proposes a setting for is refused at its place, and nothing is stored with it', async () => {
  const choices = [
    { id: lan, options: ['ipaddr'] },
    { id: 'uci:x.orphan', options: ['a'] },
  ]
  const answer = await browser.post('import/add', { deviceId: id, items: choices })
  expect(answer).toMatchObject({ retCode: codes.invalidInput, data: { fields: { 'items.1.id': 'noSettingSays' } } })
  const { db } = manager.runtime
  expect(db.select().from(importedItems).all()).toEqual([])
  expect((await ok('settings/lan/list')).total).toBe(0)
  expect(await item(lan)).toMatchObject({ state: 'unmanaged' })
})

test('refusals: what is not taken, another device, one that does not answer, a push in hand, a name that is taken', async () => {
  const refused = (path: string, body: object) => browser.post(path, { deviceId: id, ...body })
  expect(await refused('import/release', { items: [lan] })).toMatchObject({
    ...{ retCode: codes.invalidInput, data: { fields: { 'items.0': 'notFound' } } },
  })
  await take(clock)
  const wrong: [object, object][] = [
    [{ id: clock, options: ['hostname', 'conloglevel'] }, { 'items.0.options.1': 'notFound' }],
    [{ id: clock, options: [] }, { 'items.0.options': 'required' }],
    [{ id: lan, options: ['ipaddr'] }, { 'items.0': 'notFound' }],
  ]
  for (const [one, fields] of wrong)
    expect(await refused('import/release', { items: [one] })).toMatchObject({
      ...{ retCode: codes.invalidInput, data: { fields } },
    })
  await back(clock)
  expect(await refused('import/list', { deviceId: 99 })).toMatchObject({ retCode: codes.deviceNotFound })
  const wanted = { items: [{ id: air[0], options: ['ssid', 'hidden'] }] }
  await ok('settings/ssid/save', { name: 'OpenWrt', security: 'wpa2', key: 'hunter2hunter2', assign: { devices: [] } })
  expect(await refused('import/add', wanted)).toMatchObject({
    data: { fields: { 'items.0.id': 'nameExists' } },
  })
  // A push with something to do: one without is over before it could be in anybody's way.
  await ok('settings/ssid/save', { name: 'Quay', security: 'open', assign: { devices: [id] } })
  let end = (): void => undefined
  router.meanwhile = new Promise<void>(done => {
    end = done
  })
  const { jobId } = await ok('devices/push', { deviceIds: [id] })
  expect(await refused('import/add', { items: [{ id: clock, options: ['zonename'] }] })).toMatchObject({
    retCode: codes.pushRunning,
  })
  end()
  await until(async () => (await ok('devices/push/result', { jobId })).state !== 'running')
  router.reachable = /^$/
  await expect(refused('import/list', {})).resolves.toMatchObject({ retCode: codes.deviceUnreachable })
})

test('the manager follows a device to its new address, and finds it again where it went back', async () => {
  await take(lan, pool)
  const at = (base: string) => ({ address: `${base}.1/24`, poolStart: `${base}.20`, poolEnd: `${base}.29` })
  await change('lan', at('192.168.7'))
  expect((await ok('devices/push/preview', { deviceId: id })).cuts).toMatchObject([
    { code: 'moves', values: { from: '192.168.1.1', to: '192.168.7.1' }, block: lan },
  ])
  expect(await pushed()).toMatchObject({ state: 'failed', reason: 'cutsPath' })
  expect(await pushed({ cut: [id] })).toMatchObject({ state: 'applied' })
  expect(address()).toBe('192.168.7.1')
  expect((await list()).length).toBeGreaterThan(10)

  await fleetOf(manager.runtime).ask('observeNow', id)
  router.reachable = /^192\.168\.7\./
  engineOf(manager.runtime).confirmSeconds = 5
  await change('lan', at('192.168.8'))
  expect(await pushed({ cut: [id] })).toMatchObject({ state: 'reverted' })
  expect(address()).toBe('192.168.7.1')
  expect((await list()).length).toBeGreaterThan(10)
})
