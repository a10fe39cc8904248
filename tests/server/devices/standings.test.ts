// How devices stand against their last push is judged again for those alone that something changed about.
import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { startChange } from '@/server/devices/change/start'
import { applyStates } from '@/server/devices/link/states'
import { type ScriptedDevice, scriptedDevice, scriptedTransport } from '../_device'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
let judged: number[] = []
const scripted = new Map<number, ScriptedDevice>()

beforeAll(async () => {
  manager = await startTestManager({
    starters: [
      async runtime => {
        const transport = scriptedTransport(scripted)
        const render: typeof transport.render = input => {
          judged.push(input.id)
          return transport.render(input)
        }
        await startChange(runtime, { ...transport, render }, 60)
      },
    ],
  })
  browser = await finishedWizard(manager)
  for (const id of [1, 2, 3]) {
    const place = { organization: 1, network: 1, address: `192.0.2.${id}`, port: 22 }
    const row = {
      ...place,
      id,
      name: `ap${id}`,
      kind: 'ap',
      driver: 'linux',
      status: 1,
      statusAt: 0,
      createdAt: 0,
    } as const
    manager.runtime.db.insert(devices).values(row).run()
    scripted.set(id, scriptedDevice())
  }
})
afterAll(() => manager.stop())

async function list(): Promise<number[]> {
  judged = []
  const { retCode } = await browser.post('changes/list')
  expect(retCode).toBe(0)
  return judged.toSorted()
}
const heard = (work: () => void): unknown[] => {
  const events: unknown[] = []
  const off = manager.runtime.bus.on(event => events.push(event))
  work()
  off()
  return events
}
const place = { organization: 1, network: 1 }

test('the news of one device leave the others as they stand', async () => {
  expect(await list()).toEqual([1, 2, 3])
  expect(await list()).toEqual([])
  const events = [{ at: 5000, code: 'deviceOffline' as const, values: {} }]
  expect(
    heard(() => applyStates(manager.runtime, [{ id: 2, at: 5000, status: 0, reason: 'timeout', events }])),
  ).toEqual([
    { topic: 'alerts', ...place },
    { topic: 'devices', each: true, ...place },
    { topic: 'device', id: 2, ...place },
  ])
  expect(await list()).toEqual([2])
  await browser.post('settings/ssid/save', {
    ...{ name: 'Air', security: 'wpa2', key: 'correct horse' },
    assign: { all: true, groups: [], devices: [] },
  })
  expect(await list()).toEqual([1, 2, 3])
})

test('when a device was last seen is kept, and is no news for pages', () => {
  const change = { id: 1, at: 9000, status: 1, reason: '', seenAt: 9000, events: [] } as const
  expect(heard(() => applyStates(manager.runtime, [{ ...change, events: [] }]))).toEqual([])
  expect(manager.runtime.db.select().from(devices).where(eq(devices.id, 1)).get()?.seenAt).toBe(9000)
})
