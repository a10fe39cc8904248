// How a proof ends that does not hold: with what the device said, and no later than it has to.

import { deviceEvents } from '@/db/schema'
import { engineOf } from '@/server/devices/change/plan/plan'
import type { Warning } from '@/server/drivers/driver'
import { type Scene, scene } from '../_change'

let one: Scene
afterEach(async () => {
  jest.restoreAllMocks()
  await one.end()
})

const down = (more: Partial<Warning> = {}): Warning => ({
  code: 'hostapdDown',
  values: { radio: 'wlan0', state: 'DFS' },
  ...more,
})
const told = { state: 'reverted', reason: 'hostapdDown', values: { radio: 'wlan0', state: 'DFS' } }

// Far longer than the test would wait.
const hourMs = 3_600_000

/** The push itself takes `spentMs`, after which the clock stands still. */
async function pushedTo(answers: (() => Warning[] | Promise<never>)[], spentMs = 0) {
  one = await scene(hourMs / 1000)
  const ap = one.add('ap1')
  const { transport } = engineOf(one.manager.runtime)
  const { push } = transport
  transport.push = async (...sent) => {
    const pending = await push(...sent)
    jest.spyOn(Date, 'now').mockReturnValue(pending.armedAt + spentMs)
    return pending
  }
  let asked = 0
  one.at(ap).verify = async () => (answers[asked++] ?? (() => []))()
  await one.saveSsid('Café')
  const [end] = (await one.push([ap])).devices
  return { end, asked, config: one.at(ap).config }
}
const silence = () => new Promise<never>(() => undefined)
/** A proof ends 15 s before the window; a second remains of it. */
const almostOver = hourMs - 16_000

test('the last try gets no answer before the time is over: the reason is what the device said before', async () => {
  const { end, asked } = await pushedTo([() => [down()], silence], almostOver)
  expect([end, asked]).toEqual([expect.objectContaining(told), 2])
})

test('the only try gets no answer: that is the reason', async () => {
  const { end } = await pushedTo([silence], almostOver)
  expect(end).toMatchObject({ state: 'reverted', reason: 'timeout' })
})

test('the device says twice running that its service stopped: undone at once', async () => {
  const { end, asked, config } = await pushedTo([() => [down({ stopped: true })], () => [down({ stopped: true })]])
  expect([end, asked]).toEqual([expect.objectContaining(told), 2])
  expect(config.blocks).toEqual([])
})

test('a service that stopped between two tries, or is on its way, is waited for', async () => {
  const stopped = () => [down({ stopped: true })]
  const { end, asked } = await pushedTo([stopped, () => [down()], stopped])
  expect([end, asked]).toEqual([expect.objectContaining({ state: 'applied' }), 4])
})

const eventsOf = () =>
  one.manager.runtime.db
    .select()
    .from(deviceEvents)
    .all()
    .map(({ code, values }) => [code, JSON.parse(values)])

test.each([
  ['pushApplied', []],
  ['pushReverted', [() => [down({ stopped: true })], () => [down({ stopped: true })]]],
])('the device’s list of events says how a push ended, and by whom: %s', async (code, answers) => {
  await pushedTo(answers)
  expect(eventsOf()).toEqual([[code, { account: 'marta7' }]])
})

test('a push that a device does not begin is one that failed; one with nothing to do is no event', async () => {
  one = await scene()
  const ap = one.add('ap1')
  await one.push([ap])
  expect(eventsOf()).toEqual([])
  engineOf(one.manager.runtime).transport.push = () => Promise.reject(new Error('no shell'))
  await one.saveSsid('Café')
  await one.push([ap])
  expect(eventsOf()).toEqual([['pushFailed', { account: 'marta7' }]])
})
