import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  owner = await finishedWizard(manager)
  const save = async (kind: string, body: object) =>
    expect((await owner.post(`settings/${kind}/save`, { networkId: 1, ...body })).retCode).toBe(0)
  await save('ssid', { name: 'Harbour Guest', security: 'wpa2', key: 'correct horse' })
  await save('portProfile', { name: 'Guest desks', ports: [] })
})
afterAll(() => manager.stop())

type Found = { settings: { kind: string; name: string }[]; clients: object[]; ports: object[] }
const found = async (browser: Browser, search: string, networkId = 1) =>
  (await browser.post('search/find', { networkId, search })).data as Found
const names = ({ settings }: Found) => settings.map(one => `${one.kind} ${one.name}`)

test('settings are found by a part of their name, whatever its case, and in their own network alone', async () => {
  expect(names(await found(owner, 'GUEST'))).toEqual(['portProfile Guest desks', 'ssid Harbour Guest'])
  expect(names(await found(owner, 'harbour g'))).toEqual(['ssid Harbour Guest'])
  expect(names(await found(owner, 'guest', network(manager, 'Elsewhere')))).toEqual([])
})

test('nobody finds what their role may not read', async () => {
  const desk = await person(manager, { role: 'guestEditor', networks: [1] })
  expect(await found(desk, 'guest')).toEqual({ settings: [], clients: [], ports: [] })
})

test('a search for nothing is refused at its field', async () => {
  const { retCode, data } = await owner.post('search/find', { networkId: 1, search: '  ' })
  expect(retCode).not.toBe(0)
  expect(data).toMatchObject({ fields: { search: 'required' } })
})
