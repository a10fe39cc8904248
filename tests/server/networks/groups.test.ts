import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person, role } from '../_people'

// Device groups: the default one, what they hold, what their devices get, what deleting one would do.
let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect(answer).toMatchObject({ retCode: 0 })
  return answer.data
}
const group = async (groupName: string, more: object = {}) =>
  Number((await must('groups/add', { groupName, ...more })).groupId)

let made = 0
function device(more: Partial<typeof devices.$inferInsert> = {}): number {
  made += 1
  const base = { organization: 1, network: 1, port: 9, driver: 'snmp', kind: 'ap', status: 1 } as const
  return manager.runtime.db
    .insert(devices)
    .values({ ...base, name: `d${made}`, address: `127.9.1.${made}`, statusAt: 1, createdAt: 1, ...more })
    .returning()
    .get().id
}
const groupOf = (id: number) => manager.runtime.db.select().from(devices).where(eq(devices.id, id)).get()?.group
const defaults = async () =>
  ((await must('groups/list')).result as { groupName: string; isDefault: boolean }[])
    .filter(one => one.isDefault)
    .map(one => one.groupName)

test('one group of a network is the default; making another one it ends the former, and it can be none', async () => {
  const lobby = await group('Lobby', { isDefault: true })
  expect(await defaults()).toEqual(['Lobby'])
  await group('Attic', { isDefault: true })
  expect(await defaults()).toEqual(['Attic'])
  await must('groups/edit', { groupId: lobby, groupName: 'Lobby', isDefault: true })
  expect(await must('groups/tree')).toMatchObject({
    result: [
      { name: 'Attic', isDefault: false },
      { name: 'Lobby', isDefault: true },
    ],
  })
  // Who does not speak of it leaves it.
  await must('groups/edit', { groupId: lobby, groupName: 'Lobby 2' })
  expect(await defaults()).toEqual(['Lobby 2'])
  await must('groups/edit', { groupId: lobby, groupName: 'Lobby', isDefault: false })
  expect(await defaults()).toEqual([])
})

test('devices that come from another network without a group join the default one there', async () => {
  const other = (await must('networks/add', { networkName: 'Quay', country: 'PT', timezone: 'UTC' })).id
  const id = device()
  const there = await must('groups/add', { networkId: other, groupName: 'Arrivals', isDefault: true })
  await must('devices/move', { ids: [id], toNetworkId: other })
  expect(groupOf(id)).toBe(there.groupId)
})

test('a clone has the same default group', async () => {
  await group('Lobby', { isDefault: true })
  const { networkId } = await must('networks/clone', { id: 1, networkName: 'Copy' })
  expect(await must('groups/list', { networkId })).toMatchObject({ result: [{ groupName: 'Lobby', isDefault: true }] })
})

test('a part of the tree is asked for by its group', async () => {
  const floor = await group('Floor')
  const wing = await group('Wing', { parentId: floor })
  await group('Room', { parentId: wing })
  await group('Attic')
  const { result } = await must('groups/tree', { siteId: wing })
  expect(result).toMatchObject([{ id: wing, deep: 2, parentName: 'Floor', children: [{ name: 'Room', deep: 3 }] }])
  expect((await browser.post('groups/tree', { siteId: 999 })).retCode).toBe(codes.groupNotFound)
})

test('what deleting a group would do is what deleting it does', async () => {
  const floor = await group('Floor')
  const wing = await group('Wing', { parentId: floor, isDefault: true })
  await group('Room', { parentId: wing })
  const id = device({ group: wing })
  const { id: ssid } = await must('settings/ssid/save', { name: 'Staff', security: 'open', assign: { groups: [wing] } })
  await must('settings/steering/save', { scope: { group: wing }, revision: 0, enabled: true })
  expect(await must('groups/check', { siteId: wing })).toEqual({
    ...{ groupId: wing, groupName: 'Wing', isDefault: true, toName: 'Floor' },
    ...{ devices: 1, groups: 1, settings: 1, given: 1 },
  })
  await must('groups/delete', { groupId: wing })
  expect(groupOf(id)).toBe(floor)
  expect(await must('groups/check', { siteId: floor })).toMatchObject({ devices: 1, groups: 1, toName: '' })
  // It can be saved again: nothing in it leads to a group that is gone.
  const { revision, assign } = await must('settings/ssid/get', { id: ssid })
  expect(assign).toMatchObject({ all: false, groups: [] })
  await must('settings/ssid/save', { id: ssid, revision, name: 'Staff', security: 'open' })
})

test('what devices are in a group and below it, by kind and model', async () => {
  const floor = await group('Floor')
  const wing = await group('Wing', { parentId: floor })
  device({ group: floor, kind: 'ap', model: 'A2' })
  device({ group: wing, kind: 'ap', model: 'A1', status: 0 })
  device({ group: wing, kind: 'switch' })
  device({ kind: 'gateway' })
  const read = async (query = '') => {
    const answer = await browser.raw(`groups/device-types?networkId=1${query}`, { method: 'GET' })
    return ((await answer.json()) as { data: object }).data
  }
  expect(await read(`&groupId=${floor}`)).toEqual({
    total: 2,
    result: [
      { type: 'ap', count: 2, online: 1, models: ['A1', 'A2'] },
      { type: 'switch', count: 1, online: 1, models: [] },
    ],
  })
  expect(await read()).toMatchObject({ total: 3 })
  expect(await must('groups/device-types', { groupId: wing })).toMatchObject({ result: [{ count: 1 }, { count: 1 }] })
})

test('what the devices of a group get, and from where: nearest first, as far as the asker may read it', async () => {
  const floor = await group('Floor')
  const wing = await group('Wing', { parentId: floor })
  const ssid = (name: string, assign: object) => must('settings/ssid/save', { name, security: 'open', assign })
  await ssid('Everywhere', { all: true })
  await ssid('Floor only', { groups: [floor] })
  await ssid('Wing only', { groups: [wing] })
  await ssid('Nobody', { devices: [] })
  await must('settings/lan/save', { name: 'Office', vlan: 20, address: '10.20.0.1/24', dhcp: false })
  await must('settings/steering/save', { scope: { group: floor }, revision: 0, enabled: true })
  const given = async (who = browser) => {
    const { data } = await who.post('groups/business', { groupId: wing, networkId: 1 })
    return (data.result as Record<string, string>[]).map(one => [one.kind, one.name, one.from, one.fromName])
  }
  expect(await given()).toEqual([
    ['ssid', 'Wing only', 'group', 'Wing'],
    ['ssid', 'Floor only', 'above', 'Floor'],
    ['steering', '', 'above', 'Floor'],
    ['ssid', 'Everywhere', 'network', ''],
    ['lan', 'Office', 'network', ''],
  ])
  const rights = ['devices', 'settings_lan']
  const reader = await person(manager, { role: role(manager, 'LAN', rights), networks: [1] })
  expect(await given(reader)).toEqual([['lan', 'Office', 'network', '']])
})

test('A10: the password of a group is 8 to 32 characters of two kinds, and a group without devices is refused', async () => {
  const floor = await group('Floor')
  const wrong = async (password: string) =>
    (await browser.post('groups/password', { groupId: floor, password })).data.fields
  expect(await wrong('short 1')).toEqual({ password: 'tooShort' })
  expect(await wrong(`a1${'x'.repeat(31)}`)).toEqual({ password: 'tooLong' })
  for (const one of ['abcdefgh', '12345678', '!!!!!!!!'])
    expect(await wrong(one)).toEqual({ password: 'devicePassword' })
  for (const one of ['abcdefg1', `!${'a'.repeat(31)}`]) expect(await wrong(one)).toEqual({ groupId: 'groupEmpty' })
})

test('the password of a group: a device that is offline, or has no such login, is said to be without it', async () => {
  const floor = await group('Floor')
  device({ group: floor, name: 'snmp' })
  const { id } = await must('credentials/save', {
    name: 'root',
    credential: { type: 'ssh', user: 'root', password: 'x' },
  })
  device({ group: floor, name: 'away', driver: 'linux', status: 0, credential: Number(id) })
  const { jobId } = await must('groups/password', { groupId: floor, password: 'abcdefg1' })
  for (;;) {
    const now = await must('groups/password/result', { jobId })
    if (now.state === 'running') await new Promise(done => setImmediate(done))
    else {
      expect(now).toMatchObject({ state: 'done', group: 'Floor' })
      expect(now.items).toEqual([
        { deviceId: expect.any(Number), name: 'snmp', state: 'failed', reason: 'unsupported' },
        { deviceId: expect.any(Number), name: 'away', state: 'failed', reason: 'offline' },
      ])
      break
    }
  }
  const stranger = await person(manager, { role: 'networkAdministrator', networks: [] })
  expect((await stranger.post('groups/password/result', { jobId, networkId: 1 })).retCode).not.toBe(0)
})
