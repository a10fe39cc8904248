import { codes } from '@/model/codes'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let home: number
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  home = Number((await browser.post('networks/active')).data.networkId)
  const floor = (await browser.post('groups/add', { groupName: 'Floor' })).data.groupId
  const wing = (await browser.post('groups/add', { groupName: 'Wing', parentId: floor })).data.groupId
  await browser.post('settings/ssid/save', {
    name: 'Staff',
    security: 'wpa2',
    key: 'correct-horse',
    assign: { groups: [wing] },
  })
  await browser.post('settings/ssid/save', { name: 'Guests', security: 'open' })
})
afterEach(() => manager.stop())

const inside = async (networkId: unknown) =>
  (await browser.post('settings/ssid/list', { networkId })).data.result as Record<string, unknown>[]
const tree = async (networkId: unknown) => (await browser.post('groups/tree', { networkId })).data.result

test('a clone has the groups and the settings, keys included, assigned as before', async () => {
  const { data } = await browser.post('networks/clone', { id: home, networkName: 'Copy' })
  expect(data).toMatchObject({ imported: 2, leftOut: [] })
  expect(await tree(data.networkId)).toMatchObject([{ name: 'Floor', children: [{ name: 'Wing' }] }])
  const [staff, guests] = await inside(data.networkId)
  expect([staff, guests]).toMatchObject([
    { name: 'Staff', key: { set: true }, assign: { all: false } },
    { name: 'Guests', assign: { all: true } },
  ])
  expect(staff?.assign).toMatchObject({ groups: [expect.any(Number)] })
})

test('out and in as a file: without a passphrase no key is in it, and what needs one is named as left out', async () => {
  const { file } = (await browser.post('networks/export', { id: home })).data as { file: object }
  expect(JSON.stringify(file)).not.toContain('correct-horse')
  const { data } = await browser.post('networks/import', { file, networkName: 'Back' })
  expect(data).toMatchObject({
    imported: 1,
    leftOut: [{ kind: 'ssid', name: 'Staff', fields: { key: 'keyRequired' } }],
  })
  expect(await inside(data.networkId)).toMatchObject([{ name: 'Guests' }])
})

test('with the passphrase the keys come along; a wrong one is refused at its field and nothing is made', async () => {
  const { file } = (await browser.post('networks/export', { id: home, passphrase: 'open sesame' })).data as {
    file: object
  }
  expect(JSON.stringify(file)).not.toContain('correct-horse')
  const wrong = await browser.post('networks/import', { file, networkName: 'Back', passphrase: 'open barley' })
  expect(wrong.data.fields).toEqual({ passphrase: 'passphraseWrong' })
  expect((await browser.post('networks/options')).data.total).toBe(1)
  const { data } = await browser.post('networks/import', { file, networkName: 'Back', passphrase: 'open sesame' })
  expect(data).toMatchObject({ imported: 2, leftOut: [] })
})

test('fields of a file from before have the names of now', async () => {
  const { file } = (await browser.post('networks/export', { id: home })).data as { file: { documents: object[] } }
  const fields = { name: 'Lobby', methods: ['free'], useLimit: 'client', dailyMegabytes: 10, monthlyMegabytes: 300 }
  const documents = [...file.documents, { kind: 'portal', fields, all: true, groups: [] }]
  const { data } = await browser.post('networks/import', { file: { ...file, documents }, networkName: 'Back' })
  expect(data).toMatchObject({ leftOut: [{ name: 'Staff' }] })
  const { result } = (await browser.post('settings/portal/list', { networkId: data.networkId })).data
  expect(result).toMatchObject([{ name: 'Lobby', dailyData: '10 MB', monthlyData: '300 MB' }])
})

test.each([
  [{ format: 'other' }, 'file.format'],
  [{ version: 2 }, 'file.version'],
  [{ surprise: 1 }, 'file.surprise'],
])('a file with %j is refused at that field', async (change, field) => {
  const { file } = (await browser.post('networks/export', { id: home })).data as { file: object }
  const answer = await browser.post('networks/import', { file: { ...file, ...change }, networkName: 'Back' })
  expect(answer.retCode).toBe(codes.invalidInput)
  expect(Object.keys(answer.data.fields as object)).toEqual([field])
})

test('groups that hang in a circle are refused whole', async () => {
  const { file } = (await browser.post('networks/export', { id: home })).data as { file: { groups: object[] } }
  const groups = [
    { id: 1, parent: 2, name: 'A', description: '' },
    { id: 2, parent: 1, name: 'B', description: '' },
  ]
  expect((await browser.post('networks/import', { file: { ...file, groups }, networkName: 'Back' })).retCode).toBe(
    codes.networkFileInvalid,
  )
  expect((await browser.post('networks/options')).data.total).toBe(1)
})

test('references lead to what was made anew, whatever the order: in a clone and out of a file', async () => {
  const saved = async (kind: string, body: object) =>
    String((await browser.post(`settings/${kind}/save`, body)).data.id)
  const radius = await saved('radius', { name: 'Door', server: '10.0.0.9', secret: 'spoken friend' })
  const office = await saved('ssid', { name: 'Office', security: 'wpa2Enterprise', radius })
  await saved('wirelessRule', { name: 'Printers only', ssid: office })
  const passphrase = 'open sesame'
  const { file } = (await browser.post('networks/export', { id: home, passphrase })).data
  const copies = [
    await browser.post('networks/clone', { id: home, networkName: 'Copy' }),
    await browser.post('networks/import', { file, networkName: 'Back', passphrase }),
  ]
  for (const { data } of copies) {
    expect(data).toMatchObject({ imported: 5, leftOut: [] })
    const all = async (kind: string) =>
      (await browser.post(`settings/${kind}/list`, { networkId: data.networkId })).data.result as Record<
        string,
        string
      >[]
    const [server] = await all('radius')
    const copy = (await all('ssid')).find(one => one.name === 'Office')
    const [rule] = await all('wirelessRule')
    expect(server?.id).not.toBe(radius)
    expect(copy).toMatchObject({ radius: server?.id })
    expect(rule).toMatchObject({ ssid: copy?.id })
  }
})
