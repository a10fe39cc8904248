// A saved SSID on its whole way: the calls, the engine, the worker's code, real SSH, a real access point.
import { eq } from 'drizzle-orm'
import { alerts } from '@/db/schema'
import { confirmSeconds, cutInTheChange, managerWithAp } from './_change'
import { air, lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWithAp>>

beforeAll(async () => {
  await lab.up()
  await lab.reset('ap1')
  one = await managerWithAp()
})
afterAll(() => one.end())

let cafe: { id: string; revision: number }

test('an SSID is saved, shown as a difference, pushed, proven and on the air', async () => {
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
  cafe = (await one.saveSsid({ name: 'Café' })) as typeof cafe
  expect(await one.changes()).toMatchObject({ total: 1, devices: [{ state: 'modified' }] })
  const preview = await one.ok('devices/push/preview', { deviceId: one.id })
  expect(preview).toMatchObject({ read: true, blocked: false, reverts: 'device', confirmSeconds })
  const blocks = preview.blocks as { action: string; name: string; lines: { text: string }[] }[]
  expect(blocks.length).toBeGreaterThan(0)
  expect(blocks.every(block => block.action === 'add')).toBe(true)
  expect(JSON.stringify(preview)).not.toContain('correct horse')

  const jobId = await one.push()
  expect(await one.settled(jobId)).toMatchObject({ state: 'applied', reason: '' })
  expect(await air()).toMatch(/^state=ENABLED$/m)
  expect(await air()).toContain('ssid[0]=Caf\\xc3\\xa9')
  expect(await one.changes()).toMatchObject({ total: 0, devices: [] })
  const again = await one.ok('devices/push/preview', { deviceId: one.id })
  expect(again).toMatchObject({ blocks: [], drift: [] })
})

test('another push with nothing to do touches nothing', async () => {
  expect(await one.pushed()).toMatchObject({ state: 'applied', detail: 'nothingToDo' })
})

test('the link is cut in the window: the device goes back, the push says so and why', async () => {
  cafe = (await one.saveSsid({ ...cafe, name: 'Cut off' })) as typeof cafe
  const jobId = await cutInTheChange(one.push)
  try {
    await until(async () => (await air()).includes('ssid[0]=Cut off'))
    await until(async () => (await air()).includes('ssid[0]=Caf'))
  } finally {
    await lab.join('ap1')
  }
  const end = await one.settled(jobId)
  expect(end).toMatchObject({ state: 'reverted', reason: expect.stringMatching(/timeout|noRoute|closed/) })
  expect(await air()).toContain('ssid[0]=Caf\\xc3\\xa9')
  expect(await one.changes()).toMatchObject({ total: 1, devices: [{ state: 'reverted' }] })
  expect(one.runtime().db.select().from(alerts).where(eq(alerts.type, 'pushReverted')).get()).toMatchObject({
    device: one.id,
  })
})

test('the manager restarts while the device waits: it proves and confirms after', async () => {
  cafe = (await one.saveSsid({ ...cafe, name: 'Restarted' })) as typeof cafe
  const jobId = await one.push()
  await until(async () => (await one.result(jobId)).state === 'confirming', { everyMs: 5 })
  await one.restart()
  await until(() => one.latest()?.endedAt)
  expect(one.latest()).toMatchObject({ state: 'applied' })
  expect(await air()).toContain('ssid[0]=Restarted')
  // Confirmed: nothing is left on the device that could go back.
  const left =
    'ls -d /etc/lanward/undo /etc/systemd/system/lanward-undo* 2>/dev/null; systemctl list-timers --all --plain | grep lanward'
  await until(async () => (await lab.sh('ap1', left)).stdout === '')
  expect(await air()).toContain('ssid[0]=Restarted')
})
