import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { changelog, documents, refs } from '@/db/schema'
import { codes } from '@/model/codes'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const cafe = { name: 'Café', security: 'wpa2', key: 'harbour1234', vlan: 20 }
const save = (body: object) => browser.post('settings/ssid/save', body)
const get = async (id: unknown) => (await browser.post('settings/ssid/get', { id })).data
const made = async (body: object) => {
  const answer = await save(body)
  expect(answer.data.fields).toBeUndefined()
  return answer.data as { id: string; revision: number }
}
const rows = () => manager.runtime.db.select().from(documents).all()

test('a saved SSID comes back with its defaults, its secret masked, for all devices', async () => {
  const { id } = await made(cafe)
  expect(await get(id)).toMatchObject({
    ...cafe,
    key: { set: true },
    dtim: 2,
    revision: 1,
    changedBy: 'marta7',
    assign: { all: true, groups: [], devices: [] },
  })
  const list = (await browser.post('settings/ssid/list')).data
  expect(list).toMatchObject({ total: 1, page: 1, pageSize: 20, max: 16 })
  expect(JSON.stringify(list)).not.toContain('harbour1234')
  expect((await browser.post('settings/ssid/options')).data.result).toEqual([{ id, name: 'Café' }])
})

test('the secret is sealed at rest and masked in the changelog', async () => {
  const { id, revision } = await made(cafe)
  await made({ ...cafe, id, revision, key: 'another-key-1' })
  const stored = JSON.stringify([rows(), manager.runtime.db.select().from(changelog).all()])
  expect(stored).not.toContain('harbour1234')
  expect(stored).not.toContain('another-key-1')
  const entry = manager.runtime.db.select().from(changelog).where(eq(changelog.action, 'edit')).get()
  expect(JSON.parse(entry?.fields ?? '')).toEqual({ key: [{ set: true }, { set: true }] })
})

test('an unchanged secret goes back as {set: true}; with another security it is judged again', async () => {
  const { id, revision } = await made({ ...cafe, key: 'a'.repeat(64) })
  const renamed = await made({ ...cafe, id, revision, name: 'Pier', key: { set: true } })
  expect((await get(id)).key).toEqual({ set: true })
  const refused = await save({ ...cafe, id, revision: renamed.revision, security: 'wpa3', key: { set: true } })
  expect(refused.data.fields).toEqual({ key: 'wpa3Key' })
  const without = await save({ name: 'New', security: 'wpa2', key: { set: true } })
  expect(without.data.fields).toEqual({ key: 'required' })
  const strange = await save({ ...cafe, id, revision: renamed.revision, key: { set: true, more: 1 } })
  expect(strange.data.fields).toEqual({ key: 'wrongType' })
})

test('all that is wrong is told at once, by its fields, by the other documents and by what it refers to', async () => {
  await made(cafe)
  const wrong = { name: 'Café', security: 'wpa3Enterprise', vlan: 1, bands: ['6g', '6g'], dtim: 11, macFilter: 'block' }
  const answer = await save({ ...wrong, radius: randomUUID(), schedule: randomUUID(), key: { set: true } })
  expect([answer.retCode, answer.data.fields]).toEqual([
    codes.invalidInput,
    {
      name: 'nameExists',
      vlan: 'ssidVlan',
      bands: 'duplicate',
      dtim: 'tooLarge',
      macList: 'macsRequired',
      radius: 'notFound',
      schedule: 'notFound',
      key: 'required',
    },
  ])
  expect(answer.data.values).toEqual({ dtim: { max: 10 } })
  // Which key there is to be hangs on the security.
  const unknown = await save({ name: '', security: 'wpa9', vlan: 20, key: 'briefly' })
  expect(unknown.data.fields).toEqual({ name: 'required', security: 'notAllowed', key: 'wpaKey' })
  expect(rows()).toHaveLength(1)
})

test('a stale revision is refused with the current value', async () => {
  const { id, revision } = await made(cafe)
  await made({ ...cafe, id, revision, vlan: 30 })
  const stale = await save({ ...cafe, id, revision, vlan: 40 })
  expect(stale.retCode).toBe(codes.staleRevision)
  expect(stale.data.current).toMatchObject({ vlan: 30, revision: 2, key: { set: true } })
  expect((await get(id)).vlan).toBe(30)
  expect((await save({ ...cafe, id })).data.fields).toEqual({ revision: 'required' })
})

test('names are unique, also when another one is renamed', async () => {
  await made(cafe)
  expect((await save(cafe)).retCode).toBe(codes['ssid:nameExists'])
  const other = await made({ ...cafe, name: 'Pier' })
  const renamed = await save({ ...cafe, ...other })
  expect(renamed).toMatchObject({ retCode: codes['ssid:nameExists'], data: { fields: { name: 'nameExists' } } })
})

test('N16 through the call: four SSIDs on a VLAN, the fifth is refused; editing one of the four is not', async () => {
  const four = []
  for (const name of ['a', 'b', 'c', 'd']) four.push(await made({ ...cafe, name }))
  expect((await save({ ...cafe, name: 'e' })).data.fields).toEqual({ vlan: 'vlanSsids' })
  await made({ ...cafe, name: 'd2', ...four[3] })
})

test('16 SSIDs in a network and no more', async () => {
  for (let n = 1; n <= 16; n++) await made({ name: `n${n}`, security: 'open' })
  const answer = await save({ name: 'n17', security: 'open' })
  expect(answer).toMatchObject({ retCode: codes['ssid:limit'], data: { max: 16 } })
  expect(rows()).toHaveLength(16)
})

test('assigning to groups and devices that are not of this network is refused', async () => {
  const group = (await browser.post('groups/add', { groupName: 'Lobby' })).data
  const groupId = Number(group.groupId ?? group.id)
  const { id } = await made({ ...cafe, assign: { groups: [groupId] } })
  expect((await get(id)).assign).toEqual({ all: false, groups: [groupId], devices: [] })
  const answer = await save({ ...cafe, name: 'x', assign: { groups: [groupId + 1] } })
  expect(answer.data.fields).toEqual({ 'assign.groups': 'notFound' })
  expect((await save({ ...cafe, name: 'x', assign: { devices: [99] } })).retCode).toBe(codes.deviceNotFound)
  expect((await save({ ...cafe, name: 'x', assign: { some: 1 } })).data.fields).toEqual({
    'assign.some': 'unknownField',
  })
  expect(rows()).toHaveLength(1)
})

test('deleting what another document uses names the user; deleting is all or nothing', async () => {
  const one = await made(cafe)
  const two = await made({ ...cafe, name: 'Pier' })
  manager.runtime.db.insert(refs).values({ from: two.id, field: 'test', to: one.id }).run()
  const used = await browser.post('settings/ssid/delete', { ids: [one.id] })
  expect(used).toMatchObject({ retCode: codes['ssid:inUse'], data: { name: 'Café', users: 'Pier' } })
  const unknown = await browser.post('settings/ssid/delete', { ids: [two.id, randomUUID()] })
  expect(unknown.retCode).toBe(codes['ssid:notFound'])
  expect(rows()).toHaveLength(2)
  expect((await browser.post('settings/ssid/delete', { ids: [two.id] })).retCode).toBe(0)
  expect((await browser.post('settings/ssid/delete', { ids: [one.id] })).retCode).toBe(0)
  expect(rows()).toHaveLength(0)
})

test.each([
  [
    'radius',
    { name: 'Office', server: '10.77.0.9', secret: 'radius-secret' },
    { secret: { set: true } },
    [{ server: '10.77.0.66' }, { port: 1645 }],
    { nasId: 'ap', port: 1812 },
  ],
  [
    'wan',
    {
      ...{
        name: 'Fibre',
        interface: 'eth1',
        connection: 'dhcp',
        ddns: 'custom',
        ddnsServer: 'https://ddns.example.org/u',
      },
      ...{ ddnsHost: 'home.example.org', ddnsUser: 'me', ddnsPassword: 'secret-9' },
    },
    { ddnsPassword: { set: true } },
    [{ ddnsServer: 'https://evil.example.org/u' }, { ddns: 'noIp', ddnsServer: undefined }],
    { ddnsHost: 'house.example.org' },
  ],
])('%s: a kept secret is not sent elsewhere than it was given for', async (kind, given, kept, elsewhere, alike) => {
  const put = (body: object) => browser.post(`settings/${kind}/save`, body)
  const { data } = await put(given)
  const again = { ...given, ...kept, id: data.id, revision: data.revision }
  const fields = Object.fromEntries(Object.keys(kept).map(key => [key, 'typeAgain']))
  for (const place of elsewhere) expect((await put({ ...again, ...place })).data.fields).toEqual(fields)
  expect(await put({ ...again, ...alike })).toMatchObject({ retCode: 0 })
})

test('a Wi-Fi network refers to its RADIUS server, which stays while it is used', async () => {
  const server = { name: 'Office', server: '10.77.0.9', secret: 'radius-secret' }
  const radius = (await browser.post('settings/radius/save', server)).data.id
  expect((await save({ name: 'Staff', security: 'wpa3Enterprise', radius: randomUUID() })).data.fields).toEqual({
    radius: 'notFound',
  })
  const { id } = await made({ name: 'Staff', security: 'wpa3Enterprise', radius })
  expect((await get(id)).radius).toBe(radius)
  const refused = await browser.post('settings/radius/delete', { ids: [radius] })
  expect(refused).toMatchObject({ retCode: codes['radius:inUse'], data: { users: 'Staff' } })
  expect((await browser.post('settings/ssid/delete', { ids: [id] })).retCode).toBe(0)
  expect((await browser.post('settings/radius/delete', { ids: [radius] })).retCode).toBe(0)
})

test.each([
  ['schedule', { name: 'Office hours', weekly: 'mon 08:00-18:00' }],
  ['radius', { name: 'Door', server: '10.77.0.9', secret: 'radius-secret' }],
  ['portal', { name: 'Guests', methods: ['free'] }],
])('a %s is given to no device itself: told to whom, it is refused at that field', async (kind, fields) => {
  const told = await browser.post(`settings/${kind}/save`, { ...fields, assign: { all: true } })
  expect(told).toMatchObject({ retCode: codes.invalidInput, data: { fields: { assign: 'notUsed' } } })
  const { id } = (await browser.post(`settings/${kind}/save`, fields)).data
  const read = (await browser.post(`settings/${kind}/get`, { id })).data
  expect(read).toMatchObject({ name: fields.name, revision: 1 })
  expect(read).not.toHaveProperty('assign')
})

test('the order is kept, and a list that is not all of them is refused', async () => {
  const ids = []
  for (const name of ['a', 'b', 'c']) ids.push((await made({ name, security: 'open' })).id)
  const turned = ids.toReversed()
  expect((await browser.post('settings/ssid/sort', { ids: turned.slice(1) })).data.fields).toEqual({
    ids: 'notAllowed',
  })
  expect((await browser.post('settings/ssid/sort', { ids: turned })).retCode).toBe(0)
  const list = (await browser.post('settings/ssid/list')).data.result as { name: string }[]
  expect(list.map(row => row.name)).toEqual(['c', 'b', 'a'])
})

test.each([
  ['{broken', { '': 'brokenJson' }],
  ['{"name":5}', { name: 'wrongType' }],
  ['{"name":"x","security":"open","from":"tomorrow"}', { from: 'unknownField' }],
])('a stored document that no longer parses is shown as damaged: %s', async (data, damaged) => {
  const { id } = await made(cafe)
  manager.runtime.db.update(documents).set({ data }).where(eq(documents.id, id)).run()
  expect(await get(id)).toMatchObject({ name: 'Café', damaged })
})

test('a secret moved to another document does not open there', async () => {
  const one = await made(cafe)
  const two = await made({ ...cafe, name: 'Pier', key: 'second-key-1' })
  const data = rows().find(row => row.id === one.id)?.data ?? ''
  manager.runtime.db.update(documents).set({ data }).where(eq(documents.id, two.id)).run()
  expect((await get(two.id)).damaged).toEqual({ key: 'damagedSecret' })
})

test('P13: the default way to the internet cannot be deleted, any other can', async () => {
  const add = async (name: string, port: string, metric: number) =>
    (await browser.post('settings/wan/save', { name, interface: port, metric })).data.id as string
  const [main, spare] = [await add('Fibre', 'eth0', 1), await add('Mobile', 'eth1', 2)]
  const remove = (...ids: string[]) => browser.post('settings/wan/delete', { ids })
  expect(await remove(main)).toMatchObject({ retCode: codes.defaultWanKept, data: { name: 'Fibre' } })
  expect(await remove(main, spare)).toMatchObject({ retCode: codes.defaultWanKept })
  expect((await browser.post('settings/wan/list')).data.total).toBe(2)
  expect(await remove(spare)).toMatchObject({ retCode: 0 })
})

const pool = { poolStart: '10.9.0.10', poolEnd: '10.9.0.99' }
const desk = { name: 'Desk', vlan: 20, address: '10.9.0.1/24', ...pool }
test.each([
  ['groups/add', { groupName: ' ', parentId: -1 }, codes.groupNameEmpty],
  ['settings/lan/save', { ...desk, dns1: '256.1.1.1' }, codes.dnsInvalid],
  ['settings/lan/save', { ...desk, name: '', dns1: '256.1.1.1' }, codes.invalidInput],
])('%s of %j is %i', async (path, input, code) => {
  expect((await browser.post(path, input)).retCode).toBe(code)
})
