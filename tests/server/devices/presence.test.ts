// S8: the Presence API tells who is where by a key, and is off after a week in which nobody asked.
import { desc } from 'drizzle-orm'
import { accounts, changelog } from '@/db/schema'
import { codes } from '@/model/codes'
import { startPresence } from '@/server/people/keys/presence'
import { type Browser, finishedWizard, type Manager, owner as person, startTestManager } from '../_manager'
import { signedIn } from '../_people'
import { addDevice, clientTable, station } from './_clients'

const phone = '5c:cb:99:4e:21:b7'
const dayMs = 86_400_000
let manager: Manager
let browser: Pick<Browser, 'post'>
let script: (path: string, input: object) => ReturnType<Browser['post']>
let shift = 0

beforeEach(async () => {
  shift = 0
  const start = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => start + shift)
  manager = await startTestManager()
  browser = await finishedWizard(manager)
  addDevice(manager, 'ap1')
  const clients = clientTable(manager)
  clients.reads(1, { stations: [station(phone)] })
  await clients.record()
  await ok('developer-api/save', { enabled: true })
  const made = await ok('developer-api/keys/create', {
    ...{ name: 'Lights', authorities: ['clients'], allNetworks: true, password: person.password },
  })
  const headers = { authorization: `Bearer ${made.key}`, 'x-requested-with': '' }
  script = (path, input) => manager.browser().post(path, input, headers)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await manager.stop()
})

async function ok(path: string, input: object = {}) {
  const answer = await browser.post(path, input)
  expect(answer).toMatchObject({ retCode: 0 })
  return answer.data as Record<string, unknown>
}
const ask = () => script('clients/presence', { networkId: 1 })
const off = { status: 403, retCode: codes.presenceOff }
const state = async () => (await ok('developer-api/get')).presence as Record<string, unknown>

test('it is off until somebody turns it on; then a key is told where clients are, and nothing else of them', async () => {
  expect(await state()).toEqual({ enabled: false })
  expect(await ask()).toMatchObject(off)
  await ok('developer-api/save', { presence: true })
  expect(await ok('developer-api/get')).toMatchObject({ enabled: true, presence: { enabled: true } })
  const { data, status } = await ask()
  expect([status, data.total]).toEqual([200, 1])
  expect(data.result).toEqual([
    {
      ...{ mac: phone, since: expect.any(Number), wifi: true, device: 1, deviceName: 'ap1', ssid: 'Guests' },
      signalDbm: -50,
    },
  ])
  expect((await state()).askedAt).toEqual(expect.any(Number))
  await ok('developer-api/save', { presence: false })
  expect(await ask()).toMatchObject(off)
  expect(await ok('developer-api/get')).toMatchObject({ enabled: true })
})

test.each([
  ['a second before a week is over', 7 * dayMs - 1000, 200],
  ['a second after a week is over', 7 * dayMs + 1000, 403],
])('S8: %s after it was turned on', async (_when, laterMs, status) => {
  await ok('developer-api/save', { presence: true })
  shift = laterMs
  expect((await ask()).status).toBe(status)
})

test('S8: each request is a week more; what the job turns off is off in the settings and in the changelog', async () => {
  await ok('developer-api/save', { presence: true })
  for (const day of [6, 12]) {
    shift = day * dayMs
    expect((await ask()).status).toBe(200)
  }
  const entries = () => manager.runtime.db.select().from(changelog).orderBy(desc(changelog.id)).all()
  const before = entries().length
  const started = jest.spyOn(manager.runtime.jobs, 'start')
  startPresence(manager.runtime)
  const look = () => started.mock.calls[0]?.[0].run(manager.runtime)
  shift = 19 * dayMs - 60_000
  await look()
  expect(entries()).toHaveLength(before)
  shift = 19 * dayMs + 1000
  await look()
  await look()
  expect(await ask()).toMatchObject(off)
  const added = entries().slice(0, entries().length - before)
  expect(added).toMatchObject([{ action: 'edit', object: 'api', account: '', fields: '{"presence":[true,false]}' }])
})

test('it may be turned on anew after its week, and lasts another', async () => {
  await ok('developer-api/save', { presence: true })
  shift = 8 * dayMs
  const account = manager.runtime.db.select().from(accounts).get()
  browser = await signedIn(manager, account as NonNullable<typeof account>)
  expect(await state()).toEqual({ enabled: false })
  await ok('developer-api/save', { presence: true })
  shift = 15 * dayMs - 1000
  expect((await ask()).status).toBe(200)
})
