// Settings that exist once, by the kind `radio`: inherited from network and groups, set and reset field by field.
import { eq } from 'drizzle-orm'
import { changelog, devices, documents, groups } from '@/db/schema'
import { codes } from '@/model/codes'
import { desiredOf, loadKinds, networkDocuments } from '@/server/devices/change/plan/desired'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let site: number
let lobby: number
let device: number
beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
  site = await group('Site')
  lobby = await group('Lobby', site)
  device = addDevice('ap-1', lobby)
})
afterEach(() => manager.stop())

const group = async (groupName: string, parentId = -1) => {
  const { data } = await browser.post('groups/add', { groupName, parentId })
  return Number(data.groupId ?? data.id)
}
const addDevice = (name: string, inGroup: number | null) =>
  manager.runtime.db
    .insert(devices)
    .values({
      ...{ organization: 1, network: 1, name, port: 22, driver: 'linux', status: 0, statusAt: 1, createdAt: 1 },
      address: name,
      group: inGroup,
      kind: 'ap' as const,
    })
    .returning({ id: devices.id })
    .get().id
type View = {
  scope: object
  own: Record<string, unknown>
  inherited: Record<string, { value: unknown; from: object }>
  revision: number
}
const get = async (scope = {}) => (await browser.post('settings/radio/get', { scope })).data as unknown as View
const save = async (scope: object, fields: object, revision?: number) =>
  browser.post('settings/radio/save', { scope, revision: revision ?? (await get(scope)).revision, ...fields })
const set = async (scope: object, fields: object) => expect((await save(scope, fields)).retCode).toBe(0)
const rows = () => manager.runtime.db.select().from(documents).where(eq(documents.kind, 'radio')).all()
const desired = async (id = device, inGroup: number | null = lobby) => {
  const { db, secrets } = manager.runtime
  return desiredOf(secrets, await loadKinds(), networkDocuments(db, 1), { id, network: 1, group: inGroup })
}

test('what nobody set is the default, and devices are left as they are', async () => {
  expect(await get()).toMatchObject({
    own: {},
    revision: 0,
    inherited: { channel2g: { value: 0, from: { scope: 'default' } } },
  })
  expect(await desired()).toEqual({ documents: [], warnings: [] })
})

test('all that is wrong is told at once, and nothing is kept of it', async () => {
  const answer = await save({}, { channel2g: 14, channel5g: 165, width6g: 'wide', strange: 1 })
  expect(answer.data.fields).toEqual({
    channel2g: 'tooLarge',
    width5g: 'channelWidth',
    width6g: 'notAllowed',
    strange: 'unknownField',
  })
  expect(rows()).toEqual([])
})

test('per field the nearest set value wins, with its source; a reset field is inherited again', async () => {
  await set({}, { channel2g: 1, channel5g: 44 })
  await set({ group: site }, { channel2g: 11 })
  await set({ device }, { channel5g: 149 })
  const view = await get({ device })
  expect(view).toMatchObject({
    scope: { scope: 'device', id: device, name: 'ap-1' },
    own: { channel5g: 149 },
    inherited: {
      channel2g: { value: 11, from: { scope: 'group', id: site, name: 'Site' } },
      channel5g: { value: 44, from: { scope: 'network', id: 1 } },
    },
    revision: 1,
  })
  expect(await get({ group: lobby })).toMatchObject({ own: {}, inherited: { channel2g: { value: 11 } } })
  expect((await desired()).documents).toEqual([
    { id: 'radio', kind: 'radio', name: '', data: expect.objectContaining({ channel2g: 11, channel5g: 149 }) },
  ])
  await set({ device }, {})
  expect((await get({ device })).own).toEqual({})
  expect((await desired()).documents[0]?.data).toMatchObject({ channel2g: 11, channel5g: 44 })
  expect((await desired(addDevice('ap-2', null), null)).documents[0]?.data).toMatchObject({
    channel2g: 1,
    channel5g: 44,
  })
})

test('bad input is an error at its field and changes nothing', async () => {
  await set({}, { channel2g: 1 })
  const before = rows()
  const fields = async (scope: object, input: object, revision?: number) =>
    (await save(scope, input, revision)).data.fields
  expect(await fields({}, { channel2g: 99 })).toEqual({ channel2g: 'tooLarge' })
  expect(await fields({}, { channel5g: 53 })).toEqual({ channel5g: 'channel5g' })
  expect(await fields({}, { strange: 1 })).toEqual({ strange: 'unknownField' })
  const bare = await browser.post('settings/radio/save', { channel2g: 2 })
  expect(bare.data.fields).toEqual({ revision: 'required' })
  expect((await browser.post('settings/radio/get', { scope: { device: 99 } })).retCode).toBe(codes.deviceNotFound)
  expect((await browser.post('settings/radio/get', { scope: { group: 99 } })).retCode).toBe(codes.groupNotFound)
  const both = await browser.post('settings/radio/get', { scope: { group: site, device } })
  expect(both.data.fields).toEqual({ 'scope.group': 'notUsed' })
  expect(rows()).toEqual(before)
})

test('a stale revision is refused with what is stored now', async () => {
  await set({ device }, { channel2g: 1 })
  await set({ device }, { channel2g: 2 })
  const stale = await save({ device }, { channel2g: 3 }, 1)
  expect(stale.retCode).toBe(codes.staleRevision)
  expect(stale.data.current).toMatchObject({ own: { channel2g: 2 }, revision: 2 })
  expect((await save({ device }, { channel2g: 3 }, 0)).retCode).toBe(codes.staleRevision)
})

test('the changelog names the scope and what changed', async () => {
  await set({ group: lobby }, { channel2g: 1 })
  await set({ group: lobby }, { channel5g: 44 })
  const entries = manager.runtime.db.select().from(changelog).where(eq(changelog.object, 'radio')).all()
  expect(entries.map(({ action, name, fields }) => [action, name, JSON.parse(fields)])).toEqual([
    ['edit', 'Lobby', { channel2g: [null, 1] }],
    ['edit', 'Lobby', { channel2g: [1, null], channel5g: [null, 44] }],
  ])
})

test('a deleted group takes what was set for it along, its devices inherit from its parent', async () => {
  await set({ group: site }, { channel2g: 11 })
  await set({ group: lobby }, { channel2g: 1 })
  await browser.post('groups/delete', { groupId: lobby })
  expect(manager.runtime.db.select().from(groups).all()).toHaveLength(1)
  expect(rows().map(row => [row.scope, row.scopeId])).toEqual([['group', site]])
  expect((await get({ device })).inherited.channel2g).toMatchObject({ value: 11, from: { name: 'Site' } })
})

test('a forgotten device takes its own along, a deleted network all of its', async () => {
  await set({ device }, { channel2g: 1 })
  expect((await browser.post('devices/delete', { ids: [device] })).retCode).toBe(0)
  expect(rows()).toEqual([])
  await set({}, { channel2g: 1 })
  const { data } = await browser.post('networks/clone', { id: 1, networkName: 'Copy' })
  const copy = { networkId: Number(data.networkId) }
  await browser.post('settings/ssid/save', { ...copy, name: 'Café', security: 'open' })
  const inBoth = (kind: string) => manager.runtime.db.select().from(documents).where(eq(documents.kind, kind)).all()
  expect(inBoth('radio').map(row => row.scopeId)).toEqual([1, copy.networkId])
  const inCopy = () => manager.runtime.db.select().from(documents).where(eq(documents.scopeId, copy.networkId)).all()
  expect(inCopy().length).toBeGreaterThan(0)
  expect((await browser.post('networks/delete', { id: copy.networkId })).retCode).toBe(0)
  expect(inCopy()).toEqual([])
})

test('values that do not go together, or are damaged, stop the push and say so', async () => {
  await set({}, { channel2g: 1 })
  manager.runtime.db.update(documents).set({ data: '{"channel2g":99}' }).run()
  expect(await get()).toMatchObject({ own: {}, damaged: { channel2g: 'tooLarge' } })
  expect((await desired()).warnings).toEqual([
    { code: 'settingsContradict', values: {}, kind: 'radio', document: 'radio', blocks: true },
  ])
  await set({}, { channel2g: 2 })
  expect((await desired()).warnings).toEqual([])
})

test("a clone carries what the network and its groups set, no device's own; so does the file", async () => {
  await set({}, { channel2g: 1 })
  await set({ group: lobby }, { channel2g: 11, channel5g: 44 })
  await set({ device }, { channel2g: 3 })
  const { data } = await browser.post('networks/clone', { id: 1, networkName: 'Copy' })
  expect(data).toMatchObject({ imported: 2, leftOut: [] })
  const networkId = Number(data.networkId)
  const { result } = (await browser.post('groups/list', { networkId })).data as {
    result: { groupId: number; groupName: string }[]
  }
  const copied = result.find(one => one.groupName === 'Lobby')?.groupId
  const view = await browser.post('settings/radio/get', { networkId, scope: { group: copied } })
  expect(view.data).toMatchObject({
    own: { channel2g: 11, channel5g: 44 },
    inherited: { channel2g: { value: 1, from: { scope: 'network', name: 'Copy' } } },
  })
  const { file } = (await browser.post('networks/export', { id: 1 })).data
  const back = await browser.post('networks/import', { file, networkName: 'Back' })
  expect(back.data).toMatchObject({ imported: 2, leftOut: [] })
})

test('a secret is kept sealed, shown as set, kept when it is sent back as such, and inherited in clear by the device', async () => {
  const post = async (scope: object, fields: object) => {
    const { data } = await browser.post('settings/system/get', { scope })
    return browser.post('settings/system/save', { scope, revision: data.revision, ...fields })
  }
  const view = async (scope: object) => (await browser.post('settings/system/get', { scope })).data as unknown as View
  const own = { snmp: 'on', snmpCommunity: 'correct-horse' }
  expect((await post({}, own)).retCode).toBe(0)
  expect((await view({})).own).toEqual({ ...own, snmpCommunity: { set: true } })
  const stored = manager.runtime.db.select().from(documents).where(eq(documents.kind, 'system')).all()
  expect(JSON.stringify(stored)).not.toContain('correct-horse')
  expect((await post({}, { ...own, snmpCommunity: { set: true }, timeZone: 'Asia/Tokyo' })).retCode).toBe(0)
  expect((await view({ device })).inherited.snmpCommunity?.value).toEqual({ set: true })
  const system = async () => (await desired()).documents.find(one => one.kind === 'system')?.data
  expect(await system()).toMatchObject({ snmp: 'on', snmpCommunity: 'correct-horse', timeZone: 'Asia/Tokyo' })
  expect((await post({ device }, { snmpCommunity: 'of-this-device' })).retCode).toBe(0)
  expect(await system()).toMatchObject({ snmp: 'on', snmpCommunity: 'of-this-device' })
  expect((await view({ device })).own).toEqual({ snmpCommunity: { set: true } })
  expect((await post({ device: undefined }, { ...own, snmpCommunity: 'short' })).data.fields).toEqual({
    snmpCommunity: 'tooShort',
  })
})

test('A18: a host name is a device’s own, and refused for many', async () => {
  const save = (scope: object) => browser.post('settings/system/save', { scope, revision: 0, hostname: 'lobby-ap' })
  expect((await save({})).data.fields).toEqual({ hostname: 'deviceOnly' })
  expect((await save({ group: lobby })).data.fields).toEqual({ hostname: 'deviceOnly' })
  expect((await save({ device })).retCode).toBe(0)
  const name = async (id: number) => (await desired(id)).documents.find(one => one.kind === 'system')?.data.hostname
  expect(await name(device)).toBe('lobby-ap')
  expect(await name(addDevice('ap-2', lobby))).toBeUndefined()
})
