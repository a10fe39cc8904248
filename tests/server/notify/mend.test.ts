// What an alert's page offers where a change shortly before may be its cause.
import { alerts, deployments, devices } from '@/db/schema'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let owner: Browser
let device: number
const minute = 60_000

beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  const row = {
    address: '192.0.2.1',
    port: 9,
    driver: 'snmp',
    kind: 'switch',
    status: 0,
    statusAt: 1,
    createdAt: 1,
  } as const
  device = manager.runtime.db
    .insert(devices)
    .values({ ...row, organization: 1, network: 1, name: 'sw1' })
    .returning()
    .get().id
})
afterAll(() => manager.stop())
afterEach(() => {
  for (const table of [deployments, alerts]) manager.runtime.db.delete(table).run()
})

let made = 0
/** A push so many minutes ago. */
function pushed(minutes: number, more: Partial<typeof deployments.$inferInsert> = {}): string {
  made += 1
  const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
  const row = { id, organization: 1, device, state: 'applied', planned: 'sealed', by: 'x' } as const
  manager.runtime.db
    .insert(deployments)
    .values({ ...row, createdAt: Date.now() - minutes * minute, ...more })
    .run()
  return id
}
async function mend(more: object = {}) {
  const alert = { type: 'deviceOffline', grade: 'other', network: 1, device, values: { device: 'sw1' } } as const
  const id = raiseAlert(manager.runtime, { ...alert, ...more })
  const { data } = await owner.post('alerts/detail', { id })
  return data.mend
}

test('the configuration of before the first change within ten minutes is offered', async () => {
  pushed(600)
  const before = pushed(60)
  pushed(30, { state: 'failed' })
  pushed(9)
  pushed(2, { state: 'unknown' })
  expect(await mend()).toEqual({ device, deployment: before, at: expect.any(Number) })
})

test.each([
  ['the change is older', () => [pushed(60), pushed(11)]],
  ['nothing was pushed before it', () => [pushed(5)]],
  ['what was pushed before is not kept', () => [pushed(60, { planned: '' }), pushed(5)]],
  ['the change did not reach the device', () => [pushed(60), pushed(5, { state: 'reverted' })]],
])('nothing is offered where %s', async (_what, prepare) => {
  prepare()
  expect(await mend()).toBe(null)
})

test('nor of an alert about no device', async () => {
  pushed(60)
  pushed(5)
  expect(await mend({ device: undefined })).toBe(null)
})
