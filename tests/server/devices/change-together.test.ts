import { engineOf } from '@/server/devices/change/plan/plan'
import type { Warning } from '@/server/drivers/driver'
import { until } from '../../lab/_lab'
import { type Scene, scene } from '../_change'

// Devices that change as one: none keeps what another did not take.

let one: Scene
let [a, b, c] = [0, 0, 0]
beforeEach(async () => {
  one = await scene(900)
  ;[a, b, c] = [one.add('a'), one.add('b'), one.add('sw', 'switch')]
  await one.saveSsid('Café')
})
afterEach(() => {
  jest.restoreAllMocks()
  return one.end()
})

const together = (ids = [a, b, c]) => one.push(ids, { together: true })
const states = (result: Awaited<ReturnType<typeof together>>) =>
  Object.fromEntries(
    result.devices.map(({ deviceId, state, reason }) => [deviceId, reason ? [state, reason] : [state]]),
  )
const untouched = (...ids: number[]) => {
  for (const id of ids) expect([one.at(id).config.blocks, one.at(id).pushes]).toEqual([[], 0])
}

test('all take it: none is confirmed before the last has proven', async () => {
  // The switch proves some tries after both others, and has seen neither confirmed by then.
  const proven = new Set<number>()
  for (const id of [a, b])
    one.at(id).verify = async () => {
      proven.add(id)
      return []
    }
  let tries = 0
  const seen = () => [a, b].map(id => one.at(id).pending?.state)
  const before: unknown[] = []
  one.at(c).verify = async () => {
    before.push(...seen())
    if (proven.size === 2) tries += 1
    return tries > 5 ? [] : [{ code: 'serviceDown', values: {} } as unknown as Warning]
  }
  const result = await together()
  expect([result.stopped, states(result)]).toEqual([false, { [a]: ['applied'], [b]: ['applied'], [c]: ['applied'] }])
  expect(new Set(before)).toEqual(new Set(['waiting']))
  expect([a, b, c].map(id => one.at(id).pending?.state)).toEqual(['confirmed', 'confirmed', 'confirmed'])
})

test.each<[string, () => void, string[]]>([
  ['cannot have it', () => Object.assign(one.at(b), { breaks: true }), ['failed', 'internal']],
  ['cannot be read', () => Object.assign(one.at(b), { cut: true }), ['failed', 'timeout']],
])('one %s: nothing is sent to any', async (_name, prepare, why) => {
  prepare()
  const result = await together()
  expect(result.stopped).toBe(true)
  expect(states(result)).toEqual({ [a]: ['failed', 'togetherNotSent'], [b]: why, [c]: ['failed', 'togetherNotSent'] })
  untouched(a, b, c)
})

test.each<[string, () => void, string[]]>([
  ['gives up in the middle', () => Object.assign(one.at(b), { givesUp: true }), ['reverted', 'commandFailed']],
  ['refuses it', () => Object.assign(one.at(b), { refusesPush: true }), ['failed', 'deviceFull']],
])('one %s: what was sent goes back, the rest is not sent', async (_name, prepare, why) => {
  prepare()
  const result = await together()
  expect(states(result)).toEqual({
    [a]: ['reverted', 'togetherReverted'],
    [b]: why,
    [c]: ['failed', 'togetherNotSent'],
  })
  expect([a, b].map(id => one.at(id).config.blocks)).toEqual([[], []])
  untouched(c)
})

test.each<[string, () => void, string[]]>([
  [
    'says that its service does not run',
    () => Object.assign(one.at(b), { verify: async () => [{ code: 'serviceStopped', values: {}, stopped: true }] }),
    ['reverted', 'serviceStopped'],
  ],
  ['takes but a part', () => Object.assign(one.at(b), { takesPart: true }), ['reverted', 'rejected']],
])('one %s: all go back', async (_name, prepare, why) => {
  prepare()
  const result = await together()
  const back = ['reverted', 'togetherReverted']
  expect([result.stopped, states(result)]).toEqual([true, { [a]: back, [b]: why, [c]: back }])
  expect([a, b, c].map(id => one.at(id).config.blocks)).toEqual([[], [], []])
})

test('one is lost until its window ends: all go back', async () => {
  Object.assign(one.at(b), { cutOnApply: true })
  const { jobId } = await one.ok('devices/push', { deviceIds: [a, b, c], together: true })
  await until(() => one.at(b).cut && one.at(c).pending)
  const { now } = Date
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 900_000)
  one.at(b).pending?.runOut()
  one.at(b).cut = false
  const result = await one.ended(String(jobId))
  expect(result.stopped).toBe(true)
  expect(result.devices.map(({ state }) => state)).toEqual(['reverted', 'reverted', 'reverted'])
  expect(states(result)[b]).not.toContain('togetherReverted')
  expect([a, b, c].map(id => one.at(id).config.blocks)).toEqual([[], [], []])
})

test('one has nothing to do: the others change without it', async () => {
  await one.push([a])
  expect(states(await together())).toEqual({ [a]: ['applied'], [b]: ['applied'], [c]: ['applied'] })
})

test('a confirmation whose answer was lost is asked for again', async () => {
  let first = true
  const { transport } = engineOf(one.manager.runtime)
  const { confirm } = transport
  transport.confirm = async input => {
    if (input.id === b && first) {
      first = false
      one.at(b).cut = true
      setImmediate(() => Object.assign(one.at(b), { cut: false }))
    }
    return confirm(input)
  }
  expect(states(await together())).toEqual({ [a]: ['applied'], [b]: ['applied'], [c]: ['applied'] })
})

test('twenty at most', async () => {
  const ids = Array.from({ length: 21 }, (_, n) => one.add(`ap${n}`))
  expect(await one.refused('devices/push', { deviceIds: ids, together: true })).toMatchObject({ retCode: 31018 })
  expect((await together(ids.slice(1))).devices).toHaveLength(20)
})
