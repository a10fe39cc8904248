import { networks } from '@/db/schema'
import { codes } from '@/model/codes'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person, role } from '../_people'

let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const place = { country: 'PT', timezone: 'Europe/Lisbon' }
const add = (networkName: string, more = {}) => browser.post('networks/add', { networkName, ...place, ...more })
const list = async () =>
  (await browser.post('networks/list')).data.result as {
    id: number
    networkName: string
    isDefault: boolean
    timezone: string
  }[]

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['x'.repeat(65), 'tooLong'],
  ['a\nb', 'controlCharacters'],
  ['\ud800', 'controlCharacters'],
  ['harbour HOUSE ', 'nameExists'],
])('N1: network name %j is refused with %s and nothing is made', async (name, problem) => {
  const answer = await add(name)
  expect(answer.data.fields).toEqual({ networkName: problem })
  expect(await list()).toHaveLength(1)
})

test.each(['x', 'x'.repeat(64), "O'Neill; $(id) \\ ™ שלום", '  trimmed  '])(
  'N1: network name %j is taken, trimmed',
  async name => {
    expect((await add(name)).retCode).toBe(0)
    expect((await list()).map(network => network.networkName)).toContain(name.trim())
  },
)

test('country and time zone must exist', async () => {
  const answer = await browser.post('networks/add', { networkName: 'B', country: 'XX', timezone: 'Mars/Base' })
  expect(answer.data.fields).toEqual({ country: 'notAllowed', timezone: 'notAllowed' })
})

test('a time zone is kept by the name it was given', async () => {
  for (const timezone of ['Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific']) {
    const answer = await browser.post('networks/add', { networkName: timezone, country: 'IN', timezone })
    expect([timezone, answer.retCode]).toEqual([timezone, 0])
  }
  const kept = (await list()).map(network => network.timezone).filter(zone => zone !== place.timezone)
  expect(kept.sort()).toEqual(['Asia/Calcutta', 'Asia/Kolkata', 'US/Pacific'])
})

test('S2: exactly one default; another one takes it over; the default cannot be deleted', async () => {
  const { id } = (await add('Second')).data as { id: number }
  const [first] = await list()
  expect((await browser.post('networks/delete', { id: first?.id })).retCode).toBe(codes.networkDefault)
  await browser.post('networks/default', { id })
  expect((await list()).filter(network => network.isDefault).map(network => network.id)).toEqual([id])
  expect((await browser.post('networks/delete', { id: first?.id })).retCode).toBe(0)
})

test('a network of another organization answers as if it did not exist', async () => {
  manager.runtime.sqlite.prepare("INSERT INTO organizations (name, created_at) VALUES ('Other', 0)").run()
  const other = manager.runtime.db
    .insert(networks)
    .values({ organization: 2, name: 'Theirs', ...place, createdAt: 0 })
    .returning({ id: networks.id })
    .get()
  for (const call of ['networks/switch', 'networks/edit', 'networks/delete', 'networks/default']) {
    const input =
      call === 'networks/switch'
        ? { networkId: other.id }
        : { id: other.id, ...(call === 'networks/edit' && { networkName: 'X', ...place }) }
    const theirs = await browser.post(call, input)
    const none = await browser.post(call, { ...input, ...('id' in input ? { id: 4711 } : { networkId: 4711 }) })
    expect([call, theirs.retCode, theirs.data]).toEqual([call, codes.networkNotFound, none.data])
  }
  const unknown = await browser.post('groups/tree', { networkId: other.id })
  const [mine] = await list()
  expect([unknown.retCode, unknown.data]).toEqual([codes.networkNotFound, { networkId: mine?.id }])
})

test('switching makes a network the active one of this browser', async () => {
  const { id } = (await add('Second')).data as { id: number }
  await browser.post('networks/switch', { networkId: id })
  expect((await browser.post('networks/active')).data).toMatchObject({ networkId: id, networkName: 'Second' })
  const menus = (await browser.post('menu')).data.menus as { path: string }[]
  expect(menus[0]?.path).toBe(`/network/${id}/dashboard`)
})

test('N23: tag labels are unique; a network carries them; lists find by them', async () => {
  const { tagId } = (await browser.post('networks/tags/add', { tagName: 'Hotel' })).data
  expect((await browser.post('networks/tags/add', { tagName: 'hotel' })).data.fields).toEqual({ tagName: 'nameExists' })
  await add('Tagged', { tags: [tagId] })
  expect((await add('Wrong', { tags: [999] })).data.fields).toEqual({ tags: 'notAllowed' })
  const found = await browser.post('networks/list', { search: 'HOTEL' })
  expect(found.data).toMatchObject({ total: 1, result: [{ networkName: 'Tagged', tags: [{ tagName: 'Hotel' }] }] })
})

test('lists page as specified: the page sizes, and past the end the last page that exists', async () => {
  for (let i = 0; i < 12; i++) await add(`N${i}`)
  expect((await browser.post('networks/list', { page: 9, pageSize: 10 })).data).toMatchObject({ page: 2, total: 13 })
  expect((await browser.post('networks/list', { pageSize: 11 })).data.fields).toEqual({ pageSize: 'notAllowed' })
})

describe('device groups', () => {
  const group = async (groupName: string, parentId = -1) =>
    (await browser.post('groups/add', { groupName, parentId })).data.groupId as number

  test('N22: the name is required and unique', async () => {
    expect((await browser.post('groups/add', { groupName: ' ' })).data.fields).toEqual({ groupName: 'required' })
    await group('Floor 1')
    expect((await browser.post('groups/add', { groupName: 'floor 1' })).data.fields).toEqual({
      groupName: 'nameExists',
    })
  })

  test('form a tree; a group cannot hang below itself; deleting one lifts what is inside', async () => {
    const floor = await group('Floor 1')
    const wing = await group('Wing', floor)
    const room = await group('Room', wing)
    const circle = await browser.post('groups/edit', { groupId: floor, groupName: 'Floor 1', parentId: room })
    expect([circle.retCode, circle.data.fields]).toEqual([codes.groupCircle, { parentId: 'circle' }])
    await browser.post('groups/delete', { groupId: wing })
    expect((await browser.post('groups/tree')).data.result).toMatchObject([
      { id: floor, parentId: -1, deep: 1, children: [{ id: room, deep: 2, parentName: 'Floor 1' }] },
    ])
  })

  test('eight levels and no more', async () => {
    let parent = -1
    for (let level = 1; level <= 8; level++) parent = await group(`L${level}`, parent)
    expect((await browser.post('groups/add', { groupName: 'L9', parentId: parent })).retCode).toBe(codes.groupTooDeep)
  })
})

test('S2: a network is made with its settings copied, its administrators, and as the default', async () => {
  const [first] = await list()
  await browser.post('settings/ssid/save', { name: 'Harbour', security: 'open' })
  const people = [
    await person(manager, { role: 'networkAdministrator' }),
    await person(manager, { role: 'networkReadOnly' }),
  ]
  const ids = people.map(one => one.account.id)
  const { id } = (await add('Copy', { cloneFrom: first?.id, isDefault: true, administrators: ids, country: 'DE' })).data
  const ssids = (await browser.post('settings/ssid/list', { networkId: id })).data.result as { name: string }[]
  expect(ssids.map(one => one.name)).toEqual(['Harbour'])
  expect((await list()).find(one => one.isDefault)).toMatchObject({ id, networkName: 'Copy' })
  const active = async () => (await browser.post('networks/active', { networkId: id })).data
  expect(await active()).toMatchObject({ country: 'DE', administrators: ids })
  const edit = { id, networkName: 'Copy', ...place, administrators: ids.slice(0, 1) }
  expect((await browser.post('networks/edit', edit)).retCode).toBe(0)
  expect((await active()).administrators).toEqual(ids.slice(0, 1))
  const entered = await Promise.all(people.map(async one => (await one.post('networks/options')).data.total))
  expect(entered).toEqual([1, 0])
})

test('administrators are given by who may change people, and of those whose networks are given one by one', async () => {
  const everywhere = await person(manager, { role: 'platformAdministrator' })
  expect((await add('B', { administrators: [everywhere.account.id] })).data.fields).toEqual({
    administrators: 'notAllowed',
  })
  const maker = await person(manager, { role: role(manager, 'Maker', ['organization_network_add']), all: true })
  const given = { networkName: 'C', ...place, administrators: [maker.account.id] }
  expect((await maker.post('networks/add', given)).retCode).toBe(codes.noAuthority)
  expect((await list()).map(one => one.networkName)).not.toContain('B')
})
