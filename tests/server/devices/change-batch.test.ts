import { and, eq } from 'drizzle-orm'
import { deployments } from '@/db/schema'
import { wavesOf } from '@/server/devices/change/push/waves'
import { until } from '../../lab/_lab'
import { type Scene, scene } from '../_change'

let one: Scene
beforeEach(async () => {
  one = await scene()
})
afterEach(() => one.end())

const order = (result: { devices: { deviceId: number }[] }) => result.devices.map(device => device.deviceId)
const device = (id: number, kind: 'ap' | 'switch' | 'gateway' = 'switch') => ({ id, kind })
const ids = (waves: { id: number }[][]) => waves.map(wave => wave.map(one => one.id))

test('by neighbours: the farthest from the manager first, whatever their kind', () => {
  const devices = [device(1, 'gateway'), device(2), device(3), device(4, 'ap'), device(5, 'ap')]
  const uplinks: [number, number][] = [
    [1, 2],
    [3, 2],
    [4, 3],
    [5, 3],
  ]
  expect(ids(wavesOf(devices, uplinks))).toEqual([[4, 5], [1, 3], [2]])
  expect(ids(wavesOf(devices, []))).toEqual([[4, 5], [2, 3], [1]])
  expect(
    ids(
      wavesOf(
        [device(1), device(2)],
        [
          [1, 2],
          [2, 1],
        ],
      ),
    )
      .flat()
      .sort(),
  ).toEqual([1, 2])
})

test('a switch behind a switch waits for what hangs on it, and its own uplink for it', async () => {
  const core = one.add('core', 'switch')
  const edge = one.add('edge', 'switch')
  const ap = one.add('ap')
  one.at(edge).behind = core
  one.at(ap).behind = edge
  await one.saveSsid('Café')
  expect(order(await one.push([core, edge, ap]))).toEqual([ap, edge, core])
})

test('the first alone, then never more than twenty at once, the next group after the last of the one before', async () => {
  const aps = Array.from({ length: 45 }, (_, n) => one.add(`ap${n}`))
  const sw = one.add('sw', 'switch')
  await one.saveSsid('Café')
  const seen = one.watch()
  // None ends before its whole group has begun, and a while after, in which others would begin.
  const lastOfGroups = [1, 21, 41, 45, 46]
  for (const id of [...aps, sw])
    one.at(id).meanwhile = async () => {
      const last = lastOfGroups.find(count => count >= seen.began.length) ?? 0
      await until(() => seen.began.length >= last, { everyMs: 50 })
    }
  const result = await one.push([sw, ...aps])
  expect(result.devices.every(({ state }) => state === 'applied')).toBe(true)
  expect(seen.most).toBe(20)
  expect(seen.began[0]).toBe(aps[0])
  expect(seen.ranBeside[0]).toBe(0)
  expect(seen.began.at(-1)).toBe(sw)
  expect(seen.ranBeside.at(-1)).toBe(0)
})

test('after the first that went back no other is begun', async () => {
  const aps = Array.from({ length: 50 }, (_, n) => one.add(`ap${n}`))
  await one.saveSsid('Café')
  // The first proves at once; the sixth gives up while the others of its twenty are still at work.
  const [sixth = 0] = aps.slice(5)
  const back = and(eq(deployments.device, sixth), eq(deployments.state, 'reverted'))
  const isBack = () => one.manager.runtime.db.select().from(deployments).where(back).get()
  for (const id of aps.slice(1)) one.at(id).meanwhile = () => until(isBack, { everyMs: 20 })
  const begun = () => one.watch().began.length === 21
  Object.assign(one.at(sixth), { meanwhile: () => until(begun, { everyMs: 20 }), givesUp: true })
  const result = await one.push(aps)
  const count = (state: string) => result.devices.filter(one => one.state === state).length
  expect(result.stopped).toBe(true)
  expect(count('reverted')).toBe(1)
  expect(count('failed')).toBe(result.devices.filter(({ reason }) => reason === 'notTried').length)
  expect([count('applied'), count('failed')]).toEqual([20, 29])
})

test('two people push at the same moment: one goes, the other is told', async () => {
  const ap = one.add('ap1')
  await one.saveSsid('Café')
  const asked = Promise.all([1, 2].map(() => one.refused('devices/push', { deviceIds: [ap] })))
  one.at(ap).meanwhile = () => asked
  const both = await asked
  expect(both.map(answer => answer.retCode).filter(code => code === 0)).toHaveLength(1)
  const jobId = both.find(answer => answer.retCode === 0)?.data.jobId
  expect((await one.ended(String(jobId))).devices).toMatchObject([{ state: 'applied' }])
  expect(one.at(ap).pushes).toBe(1)
})

test('a renderer that breaks fails its own device, untouched, and no other', async () => {
  const [bad, good] = [one.add('a'), one.add('b')]
  await one.saveSsid('Café')
  one.at(bad).breaks = true
  expect((await one.push([bad, good])).devices).toMatchObject([
    { state: 'failed', reason: 'internal' },
    { state: 'applied' },
  ])
  expect(one.at(bad).pushes).toBe(0)
})
