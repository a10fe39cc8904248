// What the worker tells while the disk takes nothing: the manager goes on, and writes it later.
import { eq } from 'drizzle-orm'
import { deviceEvents, devices } from '@/db/schema'
import { applyStates } from '@/server/devices/link/states'
import { statesInTurn } from '@/server/devices/link/states-in-turn'
import type { StateChange } from '@/server/worker/protocol'
import { until } from '../../lab/_lab'
import { finishedWizard, type Manager, startTestManager } from '../_manager'

let one: Manager
let id: number
beforeEach(async () => {
  one = await startTestManager()
  await finishedWizard(one)
  const place = {
    organization: 1,
    network: 1,
    address: '192.0.2.1',
    port: 22,
    driver: 'linux',
    kind: 'gateway',
  } as const
  const row = { ...place, name: 'gw', status: 1, statusAt: 1, createdAt: 1 }
  id = one.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
})
afterEach(() => one.stop())

const told = (at: number, status: StateChange['status'], count = 0): StateChange => ({
  id,
  at,
  status,
  reason: status === 2 ? 'timeout' : '',
  events: Array.from({ length: count }, (_, n) => ({
    at: at + n,
    code: 'portDown',
    values: { port: 'p'.repeat(200) },
  })),
})
const row = () => one.runtime.db.select().from(devices).where(eq(devices.id, id)).get()

test('a full disk ends nothing: what was told meanwhile is written in its order once there is room', async () => {
  const { sqlite, db } = one.runtime
  const states = statesInTurn(changes => applyStates(one.runtime, changes), 20)
  sqlite.exec(`PRAGMA max_page_count = ${sqlite.pragma('page_count', { simple: true })}`)
  states.take([told(10, 2, 2000)])
  states.take([told(20, 1)])
  expect(row()?.statusAt).toBe(1)
  sqlite.exec('PRAGMA max_page_count = 1073741823')
  await until(() => row()?.statusAt === 20)
  expect(row()?.status).toBe(1)
  expect(db.select().from(deviceEvents).where(eq(deviceEvents.device, id)).all().length).toBeGreaterThan(0)
  states.stop()
})

test('what is wrong with one change by itself holds up no other', () => {
  const written: number[] = []
  const states = statesInTurn(([change]) => {
    if (change?.at === 1) throw new TypeError('no such thing')
    written.push(change?.at ?? 0)
  })
  states.take([told(1, 2)])
  states.take([told(2, 1)])
  expect(written).toEqual([2])
})
