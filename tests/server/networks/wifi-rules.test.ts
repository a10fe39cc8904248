// The rules of Wi-Fi settings at their edges, as somebody who uses the calls meets them.
import { randomUUID } from 'node:crypto'
import { documents, networks } from '@/db/schema'
import { codes } from '@/model/codes'
import { desiredOf, loadKinds, networkDocuments } from '@/server/devices/change/plan/desired'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
})
afterAll(() => manager.stop())

const raw = '0123456789abcdef'.repeat(4)
const bad = (key: string) => ({ [key]: expect.any(String) })

/** Fields that the call refuses; nothing is stored of what it refuses, and what it takes is taken away again. */
async function refused(input: object): Promise<object> {
  const { retCode, data } = await browser.post('settings/ssid/save', { name: 'Harbour', security: 'open', ...input })
  if (retCode !== 0) return (data.fields as object | undefined) ?? { retCode }
  await browser.post('settings/ssid/delete', { ids: [data.id] })
  return {}
}

const edges: [string, string, unknown[], unknown[], object?][] = [
  ['W1', 'name', ['a', 'x'.repeat(32), `${'é'.repeat(10)}ab`], ['', 'x'.repeat(33), 'é'.repeat(11), 'a！', 'a\nb', 7]],
  ['W2', 'key', ['a'.repeat(8), 'a'.repeat(63), raw], ['a'.repeat(7), `${raw}a`, 'é'.repeat(8)], { security: 'wpa2' }],
  ['W2', 'key', ['a'.repeat(8), 'a'.repeat(63)], [raw, 'a'.repeat(7)], { security: 'wpa3' }],
  ['W3', 'key', ['abcde', '0123456789', 'a'.repeat(13), 'a'.repeat(26)], ['abcd', 'a'.repeat(12)], { security: 'wep' }],
  ['W4', 'beaconInterval', [40, 500], [39, 501, 40.5, '100']],
  ['W5', 'dtim', [1, 10], [0, 11]],
  ['W6', 'maxClients', [0, 127], [-1, 128]],
  ['W7', 'stationTimeout', [60, 3600], [59, 3601]],
  ['W10', 'minRate', [1, 65], [0, 66]],
  ['N12', 'minRssi', [-94, -1], [-95, 0]],
  ['N13', 'vlan', [2, 665, 667, 4093], [1, 666, 4094, 0]],
]
test.each(edges)(
  '%s: %s takes its edges and refuses what lies beyond',
  async (_rule, field, good, wrong, more = {}) => {
    for (const value of good) expect([value, await refused({ ...more, [field]: value })]).toEqual([value, {}])
    for (const value of wrong) expect([value, await refused({ ...more, [field]: value })]).toEqual([value, bad(field)])
  },
)

const macs = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, at) =>
      `02:00:00:00:${((from + at) >> 8).toString(16).padStart(2, '0')}:${((from + at) & 255).toString(16).padStart(2, '0')}`,
  )

async function withNetworks<T>(list: object[], act: () => Promise<T>): Promise<T> {
  const ids: unknown[] = []
  for (const [at, one] of list.entries()) {
    const { retCode, data } = await browser.post('settings/ssid/save', {
      name: `Other ${at}`,
      security: 'open',
      ...one,
    })
    expect(retCode).toBe(0)
    ids.push(data.id)
  }
  try {
    return await act()
  } finally {
    await browser.post('settings/ssid/delete', { ids })
  }
}

test('W4: with three networks at least 100, with nine at least 200', async () => {
  const asks = (beaconInterval: number) => refused({ beaconInterval })
  await withNetworks([{}, {}], async () => {
    expect([await asks(99), await asks(100)]).toEqual([bad('beaconInterval'), {}])
  })
  await withNetworks(Array(8).fill({}), async () => {
    expect([await asks(199), await asks(200)]).toEqual([bad('beaconInterval'), {}])
  })
})

test('N16: four networks of a VLAN, no fifth', async () => {
  await withNetworks(Array(3).fill({ vlan: 20 }), async () => expect(await refused({ vlan: 20 })).toEqual({}))
  await withNetworks(Array(4).fill({ vlan: 20 }), async () => {
    expect([await refused({ vlan: 20 }), await refused({ vlan: 21 })]).toEqual([bad('vlan'), {}])
  })
})

test('N23, W13: a MAC address once in a list, 1,000 in all lists', async () => {
  const filter = (macList: string[]) => ({ macFilter: 'block', macList })
  expect(await refused(filter(['02:00:00:00:00:01', '02-00-00-00-00-01']))).toEqual(bad('macList.1'))
  await withNetworks([filter(macs(600))], async () => {
    expect([await refused(filter(macs(400, 600))), await refused(filter(macs(401, 600)))]).toEqual([{}, bad('macList')])
    const over = { name: 'Full', security: 'open', ...filter(macs(401, 600)) }
    expect((await browser.post('settings/ssid/save', over)).retCode).toBe(codes.blacklistFull)
  })
})

test('W13: lists of networks and blocked clients share the 1,000; the 1,001st is refused', async () => {
  await withNetworks([{ macFilter: 'block', macList: macs(999) }], async () => {
    expect((await browser.post('settings/blockedClient/save', { mac: '02:ff:00:00:00:01' })).retCode).toBe(0)
    const over = await browser.post('settings/blockedClient/save', { mac: '02:ff:00:00:00:02' })
    expect([over.retCode, over.data.max]).toEqual([90027, 1000])
    const list = { name: 'Full', security: 'open', macFilter: 'block', macList: macs(1, 5000) }
    const full = await browser.post('settings/ssid/save', list)
    expect([full.retCode, full.data.fields]).toEqual([90027, { macList: 'macsTotal' }])
  })
  const blocked = (await browser.post('settings/blockedClient/list', {})).data.result as { id: string }[]
  await browser.post('settings/blockedClient/delete', { ids: blocked.map(one => one.id) })
})

test('P14: a name server that is none is refused by its own code, beside another wrong field by the common one', async () => {
  const lan = { name: 'Desk', vlan: 20, address: '192.168.20.1/24', dhcp: true }
  const pool = { poolStart: '192.168.20.10', poolEnd: '192.168.20.20' }
  const save = (more: object) => browser.post('settings/lan/save', { ...lan, ...pool, ...more })
  const dns = await save({ dns1: 'nine', dns2: '224.0.0.1' })
  expect([dns.retCode, Object.keys(dns.data.fields ?? {})]).toEqual([50021, ['dns1', 'dns2']])
  expect((await save({ dns1: 'nine', lease: 1 })).retCode).toBe(codes.invalidInput)
})

test.each([
  ['N11', 'power2g', [1, 31], [0, 32]],
  ['N11', 'power5g', [1, 31], [0, 32]],
  ['N11', 'power6g', [1, 31], [0, 32]],
  ['radio', 'channel2g', [0, 1, 13], [-1, 14]],
  ['radio', 'channel5g', [0, 36, 64, 100, 144, 149], [35, 38, 68, 169]],
  ['radio', 'channel6g', [0, 1, 37], [2, 234]],
  ['radio', 'width2g', ['20', '40'], ['80', 20]],
  ['radio', 'country', ['DE'], ['de', 'XX', '']],
])('%s: %s takes its edges and refuses what lies beyond', async (_rule, field, good, wrong) => {
  // The rule alone: nothing is known of what this country allows (tests/server/networks/radio-law.test.ts).
  manager.runtime.db.update(networks).set({ country: 'FK' }).run()
  const save = async (value: unknown) => {
    const { data: view } = await browser.post('settings/radio/get', {})
    const { retCode, data } = await browser.post('settings/radio/save', { revision: view.revision, [field]: value })
    return retCode === 0 ? {} : data.fields
  }
  for (const value of good) expect([value, await save(value)]).toEqual([value, {}])
  for (const value of wrong) expect([value, await save(value)]).toEqual([value, bad(field)])
})

const mesh = async (scope: object, fields: object) => {
  const { data: view } = await browser.post('settings/mesh/get', { scope })
  return browser.post('settings/mesh/save', { scope, revision: view.revision, ...fields })
}
const inMesh = { enabled: true, meshId: 'Harbour' }
test.each([
  ['W12', 'cascades', [1, 3], [0, 4, 1.5, '2']],
  ['W12', 'meshTime', [1, 60], [0, 61]],
  ['W1', 'meshId', ['a', 'x'.repeat(32)], ['', 'x'.repeat(33), undefined]],
  ['W2', 'key', ['a'.repeat(8), 'a'.repeat(63)], ['a'.repeat(7), raw, 'abcde']],
  ['mesh', 'band', ['2g', '5g'], ['6g']],
])('%s: %s of a mesh takes its edges and refuses what lies beyond', async (_rule, field, good, wrong) => {
  const save = async (value: unknown) => {
    const { retCode, data } = await mesh({}, { ...inMesh, [field]: value })
    return retCode === 0 ? {} : data.fields
  }
  for (const value of good) expect([value, await save(value)]).toEqual([value, {}])
  for (const value of wrong) expect([value, await save(value)]).toEqual([value, bad(field)])
  expect((await mesh({}, { [field]: good[0] })).data.fields).toEqual({ [field]: 'notUsed' })
})

test('a mesh gets a key that nobody knows, keeps it, and gets another when it is taken away', async () => {
  const { db, secrets } = manager.runtime
  const kinds = await loadKinds()
  const key = () => {
    const device = { id: 0, network: 1, group: null }
    const own = desiredOf(secrets, kinds, networkDocuments(db, 1), device).documents.find(one => one.kind === 'mesh')
    return own?.data.key
  }
  await mesh({}, {})
  expect(key()).toBeUndefined()
  expect((await mesh({}, inMesh)).retCode).toBe(0)
  const first = key()
  expect(first).toMatch(/^[\w-]{32}$/)
  const { data } = await browser.post('settings/mesh/get', { scope: {} })
  expect(data.own).toEqual({ ...inMesh, key: { set: true } })
  expect(JSON.stringify(db.select().from(documents).all())).not.toContain(first)
  await mesh({}, { ...inMesh, key: { set: true }, cascades: 1 })
  expect(key()).toBe(first)
  await mesh({}, inMesh)
  expect(key()).toMatch(/^[\w-]{32}$/)
  expect(key()).not.toBe(first)
  const { groupId } = (await browser.post('groups/add', { groupName: 'Hall', parentId: -1 })).data
  await mesh({ group: groupId }, { cascades: 2 })
  const own = (await browser.post('settings/mesh/get', { scope: { group: groupId } })).data
  expect([own.own, (own.inherited as Record<string, { value: unknown }>).key?.value]).toEqual([
    { cascades: 2 },
    { set: true },
  ])
})

const list = async () =>
  (await browser.post('settings/blockedClient/list', {})).data.result as Record<string, unknown>[]
const block = async (input: object) =>
  (await browser.post('clients/block', input)) as { retCode: number; data: { fields?: object } }

test('clients are blocked and let in again, all or none, by any writing of their address', async () => {
  const until = '2090-01-01T00:00:00Z'
  expect((await block({ macs: ['02-00-00-00-00-01', '020000000002'], note: 'Lost phone' })).retCode).toBe(0)
  expect(await list()).toMatchObject([
    { mac: '02:00:00:00:00:01', note: 'Lost phone', assign: { all: true } },
    { mac: '02:00:00:00:00:02' },
  ])
  expect((await block({ macs: ['02:00:00:00:00:02', '02:00:00:00:00:03'], until })).retCode).toBe(0)
  expect((await list()).map(one => [one.mac, one.until, one.note])).toEqual([
    ['02:00:00:00:00:01', undefined, 'Lost phone'],
    ['02:00:00:00:00:02', until, 'Lost phone'],
    ['02:00:00:00:00:03', until, undefined],
  ])
  for (const [input, field] of [
    [{ macs: [] }, 'macs'],
    [{ macs: ['02:00:00:00:00:04', 'nonsense'] }, 'macs.1'],
    [{ macs: ['02:00:00:00:00:04'], until: '2020-01-01T00:00:00Z' }, 'until'],
    [{ macs: ['02:00:00:00:00:04'], until: 'tomorrow' }, 'until'],
    [{ macs: ['02:00:00:00:00:04'], note: 'x'.repeat(65) }, 'note'],
  ] as const)
    expect((await block(input)).data.fields).toEqual(bad(field))
  expect(await list()).toHaveLength(3)
  const free = { macs: ['02:00:00:00:00:01', '02:00:00:00:00:02', '02:00:00:00:00:03', '02:00:00:00:00:99'] }
  expect((await browser.post('clients/unblock', free)).retCode).toBe(0)
  expect(await list()).toEqual([])
})

test('W13: the 1,001st blocked client is refused', async () => {
  const own = { organization: 1, scope: 'network' as const, scopeId: 1, kind: 'blockedClient', createdAt: 0 }
  const row = (mac: string) => ({ ...own, id: randomUUID(), name: mac, data: JSON.stringify({ mac }), revision: 1 })
  const rows = macs(999).map(row)
  manager.runtime.db
    .insert(documents)
    .values(rows.map((one, position) => ({ ...one, position, changedAt: 0, changedBy: '' })))
    .run()
  expect((await block({ macs: macs(2, 999) })).retCode).toBe(codes.blacklistFull)
  expect((await block({ macs: macs(1, 999) })).retCode).toBe(0)
  expect((await browser.post('settings/blockedClient/save', { mac: '02:ff:00:00:00:01' })).retCode).toBe(90027)
  expect(
    manager.runtime.db
      .select()
      .from(documents)
      .all()
      .filter(one => one.kind === own.kind),
  ).toHaveLength(1000)
})

test.each([
  ['W8', 'roamingThreshold', [-80, -65], [-81, -64, 65, '-70', -70.5]],
  ['W9', 'clientThreshold', [10, 100], [9, 101, 0, 10.5, '50']],
])('%s: %s of steering takes its edges and refuses what lies beyond', async (_rule, field, good, wrong) => {
  const save = async (fields: object) => {
    const { data: view } = await browser.post('settings/steering/get', {})
    const { retCode, data } = await browser.post('settings/steering/save', { revision: view.revision, ...fields })
    return retCode === 0 ? {} : data.fields
  }
  for (const value of good) expect([value, await save({ enabled: true, [field]: value })]).toEqual([value, {}])
  for (const value of wrong) expect([value, await save({ enabled: true, [field]: value })]).toEqual([value, bad(field)])
  expect(await save({ [field]: good[0] })).toEqual({ [field]: 'notUsed' })
})

test('W2, N4, N13, N23: a private key at its edges', async () => {
  const save = async (input: object) => {
    const { retCode, data } = await browser.post('settings/ppsk/save', { name: 'Anna', key: 'harbour1234', ...input })
    if (retCode === 0) await browser.post('settings/ppsk/delete', { ids: [data.id] })
    return retCode === 0 ? {} : data.fields
  }
  for (const good of [{ key: 'a'.repeat(8) }, { key: raw }, { vlan: 4093 }, { mac: '02-00-00-00-00-01' }])
    expect([good, await save(good)]).toEqual([good, {}])
  const wrong = { key: ['a'.repeat(7), 'abcde', `${raw}0`], vlan: [1, 666, 4094], mac: ['nonsense'], name: [''] }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) expect([value, await save({ [field]: value })]).toEqual([value, bad(field)])
  expect(await save({ ssid: randomUUID() })).toEqual(bad('ssid'))
  const { data } = await browser.post('settings/ppsk/save', { name: 'Bert', key: 'harbour1234' })
  expect([await save({}), await save({ key: 'another one' }), await save({ mac: '020000000001' })]).toEqual([
    { key: 'privateKeyTwice' },
    {},
    {},
  ])
  expect((await browser.post('settings/ppsk/get', { id: data.id })).data.key).toEqual({ set: true })
})
