// How a proof ends that does not hold: with what the device said, and no later than it has to.
import type { Warning } from '@/server/drivers/driver'
import { type Scene, scene } from '../_change'

let one: Scene
afterEach(() => one.end())

const down = (more: Partial<Warning> = {}): Warning => ({
  code: 'hostapdDown',
  values: { radio: 'wlan0', state: 'DFS' },
  ...more,
})
const told = { state: 'reverted', reason: 'hostapdDown', values: { radio: 'wlan0', state: 'DFS' } }

async function pushedTo(windowSeconds: number, answers: (() => Warning[] | Promise<never>)[]) {
  one = await scene(windowSeconds)
  const ap = one.add('ap1')
  let asked = 0
  one.at(ap).verify = async () => (answers[asked++] ?? (() => []))()
  await one.saveSsid('Café')
  const [end] = (await one.push([ap])).devices
  return { end, asked, config: one.at(ap).config }
}
const silence = () => new Promise<never>(() => undefined)

test('the last try gets no answer before the time is over: the reason is what the device said before', async () => {
  const { end, asked } = await pushedTo(20, [() => [down()], silence])
  expect([end, asked]).toEqual([expect.objectContaining(told), 2])
})

test('the only try gets no answer: that is the reason', async () => {
  const { end } = await pushedTo(12, [silence])
  expect(end).toMatchObject({ state: 'reverted', reason: 'timeout' })
})

// Far longer than the test would wait.
const hour = 3600

test('the device says twice running that its service stopped: undone at once', async () => {
  const { end, asked, config } = await pushedTo(hour, [
    () => [down({ stopped: true })],
    () => [down({ stopped: true })],
  ])
  expect([end, asked]).toEqual([expect.objectContaining(told), 2])
  expect(config.blocks).toEqual([])
})

test('a service that stopped between two tries, or is on its way, is waited for', async () => {
  const stopped = () => [down({ stopped: true })]
  const { end, asked } = await pushedTo(hour, [stopped, () => [down()], stopped])
  expect([end, asked]).toEqual([expect.objectContaining({ state: 'applied' }), 4])
})
