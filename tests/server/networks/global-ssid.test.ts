import { codes } from '@/model/codes'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

// One Wi-Fi network in several networks, and a network that is made whole or not at all.
let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const must = async (path: string, body: object = {}) => {
  const answer = await browser.post(path, body)
  expect(answer).toMatchObject({ retCode: 0 })
  return answer.data
}
const rows = async (kind: string, networkId: number) =>
  (await must(`settings/${kind}/list`, { networkId })).result as Record<string, unknown>[]

test('a Wi-Fi network is made in others with its key and what it refers to; again it is renewed there', async () => {
  const [quay, pier] = [network(manager, 'Quay'), network(manager, 'Pier')]
  const { id: schedule } = await must('settings/schedule/save', { name: 'Day', weekly: 'mon 08:00-18:00' })
  const fields = { name: 'House', security: 'wpa2', key: 'correct-horse', schedule }
  const { id } = await must('settings/ssid/save', fields)
  const given = (networkIds: number[]) => must('networks/global-ssid', { networkId: 1, id, networkIds })
  expect(await given([quay, pier])).toEqual({
    results: [
      { networkId: quay, networkName: 'Quay', state: 'added' },
      { networkId: pier, networkName: 'Pier', state: 'added' },
    ],
  })
  const [there] = await rows('ssid', quay)
  const [day] = await rows('schedule', quay)
  expect(day).toMatchObject({ name: 'Day', weekly: 'mon 08:00-18:00' })
  expect(there).toMatchObject({ name: 'House', key: { set: true }, schedule: day?.id, assign: { all: true } })
  const floor = (await must('groups/add', { networkId: quay, groupName: 'Floor' })).groupId
  await must('settings/ssid/save', {
    ...{ networkId: quay, id: there?.id, revision: there?.revision, name: 'House', security: 'wpa2' },
    ...{ key: { set: true }, vlan: 30, assign: { groups: [floor] } },
  })
  const { revision } = await must('settings/ssid/get', { id })
  await must('settings/ssid/save', { ...fields, id, revision, vlan: 20 })
  expect(await given([quay])).toMatchObject({ results: [{ state: 'changed' }] })
  expect((await rows('ssid', quay))[0]).toMatchObject({ id: there?.id, vlan: 20, assign: { groups: [floor] } })
  expect(await rows('ssid', quay)).toHaveLength(1)
  expect(await rows('schedule', quay)).toHaveLength(1)
})

test('what a network refuses it is told for that one alone', async () => {
  const [quay, pier] = [network(manager, 'Quay'), network(manager, 'Pier')]
  // Rule N16: at most four Wi-Fi networks of one VLAN.
  for (const name of ['a', 'b', 'c', 'd'])
    await must('settings/ssid/save', { networkId: quay, name, security: 'open', vlan: 20 })
  const { id } = await must('settings/ssid/save', { name: 'House', security: 'open', vlan: 20 })
  const { results } = await must('networks/global-ssid', { networkId: 1, id, networkIds: [quay, pier] })
  expect(results).toMatchObject([
    { networkId: quay, state: 'refused', refusal: { data: { fields: { vlan: 'vlanSsids' } } } },
    { networkId: pier, state: 'added' },
  ])
  expect(await rows('ssid', quay)).toHaveLength(4)
})

test('neither into a network that is not the asker’s, nor without the right', async () => {
  const quay = network(manager, 'Quay')
  const { id } = await must('settings/ssid/save', { name: 'House', security: 'open' })
  const ask = (who: Browser) => who.post('networks/global-ssid', { networkId: 1, id, networkIds: [quay] })
  const ana = await person(manager, { role: 'networkAdministrator', networks: [1] })
  expect((await ask(ana)).data.fields).toEqual({ networkIds: 'notFound' })
  const reader = await person(manager, { role: 'networkReadOnly', networks: [1, quay] })
  expect((await ask(reader)).retCode).toBe(codes.noAuthority)
  expect((await browser.post('networks/global-ssid', { networkId: 1, id, networkIds: [1] })).data.fields).toEqual({
    networkIds: 'notFound',
  })
})

test('a network made of another is made whole or not at all', async () => {
  await must('settings/ssid/save', { name: 'House', security: 'open' })
  const count = async () => (await must('networks/list')).total
  const before = await count()
  const place = { country: 'DE', timezone: 'Europe/Berlin' }
  // Its last step fails: what it says of its people is not the asker's to say.
  manager.runtime.sqlite.exec(
    "CREATE TEMP TRIGGER no_default BEFORE UPDATE OF is_default ON networks WHEN NEW.is_default = 1 BEGIN SELECT RAISE(ABORT, 'no'); END",
  )
  const failed = await browser.post('networks/add', { networkName: 'Copy', ...place, cloneFrom: 1, isDefault: true })
  expect(failed.retCode).not.toBe(0)
  expect(await count()).toBe(before)
  manager.runtime.sqlite.exec('DROP TRIGGER no_default')
  const { id, leftOut } = await must('networks/add', { networkName: 'Copy', ...place, cloneFrom: 1, isDefault: true })
  expect(leftOut).toEqual([])
  expect((await must('networks/active', { networkId: id })).country).toBe('DE')
  expect(await rows('ssid', Number(id))).toMatchObject([{ name: 'House' }])
})

test('a clone has the tags of its source', async () => {
  const { tagId } = await must('networks/tags/add', { tagName: 'Harbour' })
  await must('networks/edit', { id: 1, networkName: 'Home', country: 'PT', timezone: 'UTC', tags: [tagId] })
  await must('networks/clone', { id: 1, networkName: 'Copy' })
  const { result } = await must('networks/options')
  expect(result).toMatchObject([{ tags: [{ tagName: 'Harbour' }] }, { label: 'Copy', tags: [{ tagName: 'Harbour' }] }])
})
