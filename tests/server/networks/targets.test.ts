// Devices to choose from in a form, of a network that has ten thousand.
import { devices } from '@/db/schema'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess({ pollMs: 3_600_000 })] })
  owner = await finishedWizard(manager)
  const same = { organization: 1, network: 1, port: 22, driver: 'linux', status: 0, statusAt: 1, createdAt: 1 } as const
  const names = Array.from({ length: 10_000 }, (_, at) => `ap ${String(at).padStart(5, '0')}`)
  manager.runtime.db.transaction(tx => {
    for (const [at, name] of [...names, 'Ölraum Süd', 'zürich'].entries())
      tx.insert(devices)
        .values({ ...same, name, address: `d${at}`, kind: 'ap' })
        .run()
  })
})
afterAll(() => manager.stop())

type Targets = { devices: { id: number; name: string }[]; chosen: { name: string }[]; total: number }
const targets = async (input: object = {}) => (await owner.post('settings/targets', input)).data as unknown as Targets
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

test('the first fifty by name, and how many there are', async () => {
  const { devices: shown, chosen, total } = await targets()
  expect([shown.length, shown[0]?.name, shown[49]?.name, chosen, total]).toEqual([
    50,
    'ap 00000',
    'ap 00049',
    [],
    10_002,
  ])
})

test('a part of the name finds each, whatever its case and accents', async () => {
  expect(names((await targets({ search: '09999' })).devices)).toEqual(['ap 09999'])
  expect(await targets({ search: 'AP 00123' })).toMatchObject({ total: 1 })
  expect(names((await targets({ search: 'sud olraum' })).devices)).toEqual(['Ölraum Süd'])
  expect(await targets({ search: 'nobody' })).toMatchObject({ devices: [], total: 0 })
})

test('what is chosen is named, whatever is searched; what the network does not have is not', async () => {
  const [last] = (await targets({ search: '09999' })).devices
  const { chosen } = await targets({ search: 'zur', chosen: [last?.id, 99_999] })
  expect(names(chosen)).toEqual(['ap 09999'])
})
