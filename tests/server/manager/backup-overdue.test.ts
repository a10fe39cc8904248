import { readdirSync } from 'node:fs'
import { startBackups } from '@/server/manager/backups/schedule'
import { backupState } from '@/server/manager/backups/state'
import { finishedWizard, type Manager, startTestManager } from '../_manager'

const hour = 3600_000
let manager: Manager
beforeAll(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
})
afterAll(() => manager.stop())
beforeEach(() => jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'] }))
afterEach(() => jest.useRealTimers())

const backups = () => readdirSync(manager.data).includes('backups') && readdirSync(`${manager.data}/backups`).length
const provenBefore = (ms: number) =>
  backupState.change(manager.runtime.db, {
    lastProven: { name: 'x', at: Date.now() - ms, documents: 0, devices: 0, portable: false },
  })
const provenAt = () => backupState.read(manager.runtime.db).lastProven?.at ?? 0

test('a daily backup of 24 hours before is not made up for, and none is when the schedule’s own was made meanwhile', () => {
  provenBefore(24 * hour)
  startBackups(manager.runtime)
  jest.advanceTimersByTime(130_000)
  expect(backups()).toBeFalsy()
  provenBefore(26 * hour)
  startBackups(manager.runtime)
  jest.advanceTimersByTime(100_000)
  provenBefore(0)
  jest.advanceTimersByTime(30_000)
  expect(backups()).toBeFalsy()
})

test('one that a whole day and an hour went by without is made up for two minutes after the start', async () => {
  provenBefore(25 * hour + 1000)
  const before = provenAt()
  startBackups(manager.runtime)
  jest.advanceTimersByTime(119_000)
  expect(backups()).toBeFalsy()
  jest.advanceTimersByTime(2000)
  jest.useRealTimers()
  for (let turn = 0; turn < 600 && provenAt() === before; turn++) await new Promise(wake => setTimeout(wake, 50))
  expect(provenAt()).toBeGreaterThan(before)
  expect(backups()).toBeTruthy()
})
