import { openHistory } from '@/server/history/history'
import { uplinkHistory, uplinkSample } from '@/server/history/uplinks'

const wans = { of: 'wan', id: 7 } as const
const start = 1_800_000_000_000
const minute = 60_000

test('loss, latency and jitter of each way are kept on average over five minutes; what was not told is unknown', () => {
  const history = openHistory(':memory:', what => expect(what).toBe(''), start)
  const add = (at: number, ...ways: Parameters<typeof uplinkSample>[0]) => history.add(wans, at, uplinkSample(ways))
  add(start, { key: 'a', lossPercent: 0, latencyMs: 10, jitterMs: 1 }, { key: 'b', lossPercent: 100 })
  add(start + minute, { key: 'a', lossPercent: 10, latencyMs: 20 }, { key: 'b', lossPercent: 100 })
  add(start + 10 * minute, { key: 'a', lossPercent: 40, latencyMs: 30, jitterMs: 5 })
  const told = uplinkHistory(history, { device: 7, keys: ['a', 'b', 'c'], now: start + 11 * minute })
  const last = (column: readonly (number | null)[] | undefined) => column?.slice(-3)
  expect(told.at).toHaveLength(144)
  expect(told.at.at(-1)).toBe(start / 1000 + 600)
  expect(last(told.ways.a?.lossPercent)).toEqual([5, null, 40])
  expect(last(told.ways.a?.latencyMs)).toEqual([15, null, 30])
  expect(last(told.ways.a?.jitterMs)).toEqual([1, null, 5])
  expect(last(told.ways.b?.lossPercent)).toEqual([100, null, null])
  expect(last(told.ways.b?.latencyMs)).toEqual([null, null, null])
  expect(last(told.ways.c?.lossPercent)).toEqual([null, null, null])
  history.close()
})

test('ways outlive the process in their file, and count among no devices', async () => {
  const history = openHistory(':memory:', () => undefined, start)
  history.add(wans, start, uplinkSample([{ key: 'a', lossPercent: 20 }]))
  history.add({ of: 'device', id: 7 }, start, { answered: true, seconds: 60, inOctets: 1, outOctets: 1 })
  history.add(wans, start + 5 * minute, uplinkSample([{ key: 'a', lossPercent: 30 }]))
  history.flush()
  expect([...(await history.totals(start / 1000, start / 1000 + 900)).keys()]).toEqual([7])
  const { ways } = uplinkHistory(history, { device: 7, keys: ['a'], now: start + 6 * minute })
  expect(ways.a?.lossPercent.slice(-2)).toEqual([20, 30])
  history.close()
})
