import { groups } from '@/db/schema'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

// Devices of several networks out of one file. Nothing listens at their addresses: each adoption says so.
let manager: Manager
let browser: Browser
let quay: number
beforeEach(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(manager)
  quay = network(manager, 'Quay')
})
afterEach(() => manager.stop())

const file = (...rows: string[]) => ['network,address,port,community', ...rows].join('\n')
const ask = (body: object, who = browser) => who.post('networks/device-import', body)
const home = 'Harbour House'

test('N20: without a file it is refused, and so is one without the column of addresses', async () => {
  expect((await ask({ file: '' })).data.fields).toEqual({ file: 'required' })
  expect((await ask({ file: 'network,name\nQuay,x' })).data.fields).toEqual({ file: 'addressColumnMissing' })
  expect((await ask({ file: 'network,address' })).data.fields).toEqual({ file: 'required' })
})

test('each line names its network; one that is none of the asker’s is said at its line, and nothing begins', async () => {
  const { data } = await ask({
    file: file(
      'quay,127.9.3.1,9,public',
      ',127.9.3.2,9,public',
      'Nowhere,127.9.3.3,9,public',
      'Quay,127.9.3.1,9,public',
    ),
  })
  expect(data).toEqual({
    rows: 4,
    errors: [
      { row: 3, field: 'network', problem: 'required' },
      { row: 4, field: 'network', problem: 'notFound' },
      { row: 5, field: 'address', problem: 'duplicate' },
    ],
    jobs: [],
  })
  const ana = await person(manager, { role: 'networkAdministrator', networks: [1] })
  expect((await ask({ file: file('Quay,127.9.3.1,9,public') }, ana)).data.errors).toMatchObject([
    { field: 'network', problem: 'notFound' },
  ])
})

test('a stored login is looked for in the network of its line', async () => {
  await browser.post('credentials/save', {
    networkId: quay,
    name: 'House',
    credential: { type: 'snmp2c', community: 'x' },
  })
  const lines = (name: string) => ask({ file: `network,address,credential\n${name},127.9.3.1,house`, check: true })
  expect((await lines('Quay')).data.errors).toEqual([])
  expect((await lines(home)).data.errors).toMatchObject([{ field: 'credential', problem: 'notFound' }])
})

test('each network gets an adoption of its own; only looked at, none begins', async () => {
  const { networkName } = (await browser.post('networks/active')).data
  const text = file(`${networkName},127.9.3.1,9,public`, 'Quay,127.9.3.1,9,public', 'Quay,127.9.3.2,9,public')
  expect((await ask({ file: text, check: true })).data).toEqual({ rows: 3, errors: [], jobs: [] })
  manager.runtime.db
    .insert(groups)
    .values({ organization: 1, network: quay, name: 'Arrivals', isDefault: true, createdAt: 1 })
    .run()
  const { jobs } = (await ask({ file: text })).data as { jobs: { networkId: number; rows: number; jobId: string }[] }
  expect(jobs).toMatchObject([
    { networkId: 1, rows: 1 },
    { networkId: quay, networkName: 'Quay', rows: 2 },
  ])
  for (const { networkId, rows, jobId } of jobs) {
    const { data } = await browser.post('devices/adopt/result', { networkId, jobId })
    expect(data.items).toHaveLength(rows)
  }
})
