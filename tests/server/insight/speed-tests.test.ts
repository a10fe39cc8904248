import { jobs } from '@/db/schema'
import { startSpeedTests } from '@/server/insight/troubleshooting/speed-tests'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterAll(() => manager.stop())

test('a test that the manager’s end cut off has failed, and says why', async () => {
  const id = '0f8e5a1c-6f0f-4a53-9a3e-5a0f8f0f0f01'
  const server = { type: 'iperf3', host: 'a.example', port: 5201 } as const
  const figures = { download: { rates: [5e6] } }
  const progress = JSON.stringify({ server, device: null, by: 'marta7', phase: 'download', figures })
  const row = {
    id,
    organization: 1,
    network: 1,
    type: 'speedTest',
    state: 'running',
    createdAt: 1000,
    progress,
  } as const
  manager.runtime.db.insert(jobs).values(row).run()
  const told = new Promise<void>(heard => {
    manager.runtime.closers.push(manager.runtime.bus.on(({ topic }) => topic === 'speedTests' && heard()))
  })
  startSpeedTests(manager.runtime)
  await told
  const { data } = await browser.post('dashboard/speed-test/result', { id })
  expect(data).toMatchObject({ state: 'failed', figures, endedAt: expect.any(Number) })
  expect(data.failure).toEqual({ reason: 'cutOff', detail: '' })
  const { result } = (await browser.post('dashboard/speed-test/list')).data as { result: object[] }
  expect(result).toMatchObject([{ id, state: 'failed', failure: { reason: 'cutOff' } }])
})
