// What the list calls that came without one take now: search, sort and pages, over real rows.
import { codes } from '@/model/codes'
import { company } from '../_company'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  for (const name of ['Cables', 'Antennas', 'Gates']) {
    await owner.post('groups/add', { groupName: name, parentId: -1 })
    await owner.post('networks/tags/add', { tagName: name })
    await owner.post('roles/save', { name, authorities: ['settings_lan'] })
    await owner.post('credentials/save', { name, credential: { type: 'snmp2c', community: name } })
  }
  await company(manager, owner, 'Beta Ltd', 'betahead')
})
afterAll(() => manager.stop())

type Page = { result: Record<string, unknown>[]; total: number; page: number; pageSize: number }
const ask = async (path: string, input: object) => (await owner.post(path, input)).data as Page

test.each([
  ['groups/list', 'groupName'],
  ['networks/tags/list', 'tagName'],
  ['credentials/list', 'name'],
  ['roles/list', 'name'],
])('%s', async (path, field) => {
  const down = { sort: { field, direction: 'desc' } }
  const sorted = (await ask(path, down)).result.map(row => String(row[field]))
  expect(sorted.filter(name => /^[ACG][a-z]+s$/.test(name))).toEqual(['Gates', 'Cables', 'Antennas'])
  expect((await ask(path, { search: 'CABLE' })).result.map(row => row[field])).toEqual(['Cables'])
  const { total } = await ask(path, {})
  expect(await ask(path, { page: 99, pageSize: 10 })).toMatchObject({ page: 1, pageSize: 10, total })
  expect(await owner.post(path, { sort: { field: 'nothing', direction: 'asc' } })).toMatchObject({
    retCode: codes.invalidInput,
    data: { fields: { 'sort.field': 'notAllowed' } },
  })
})

test('companies, changelog and sessions are sorted by their columns', async () => {
  const companies = await ask('companies/list', { sort: { field: 'name', direction: 'asc' } })
  expect(companies.result[0]?.name).toBe('Beta Ltd')
  const log = await ask('changelog/list', { sort: { field: 'at', direction: 'asc' }, pageSize: 100 })
  const times = log.result.map(row => Number(row.at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect((await ask('sessions/list', { search: 'nobody has this' })).total).toBe(0)
})
