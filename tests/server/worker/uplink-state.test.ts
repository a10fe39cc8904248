import type { WanReading } from '@/server/drivers/observation'
import { judgeUplink, type UplinkMemory } from '@/server/worker/uplink-state'

// When a way to the internet is online, degraded or offline, by one reading after the other.

type Reading = Omit<WanReading, 'document' | 'interface'>
const answers = (lossPercent: number, latencyMs = 20): Reading => ({ up: true, lossPercent, latencyMs })
const down: Reading = { up: false, lossPercent: 100 }

/** One reading each 30 s from 0 on, or at the seconds that are given. */
function statesOf(readings: readonly (Reading | [seconds: number, Reading])[], before?: UplinkMemory) {
  let memory = before
  return readings.map((one, at) => {
    const [seconds, reading] = Array.isArray(one) ? one : [at * 30, one]
    memory = judgeUplink(memory, reading, seconds * 1000)
    return memory.state
  })
}

test.each<[string, readonly (Reading | [number, Reading])[], string[]]>([
  ['2.9 % lost', [answers(2.9), answers(2.9)], ['online', 'online']],
  ['3 % lost', [answers(3), answers(3)], ['online', 'degraded']],
  ['lost once', [answers(0), answers(33), answers(0)], ['online', 'online', 'online']],
  ['once, and long before', [answers(33), [61, answers(0)], [91, answers(33)]], ['online', 'online', 'online']],
  ['199 ms', [answers(0, 199), answers(0, 199)], ['online', 'online']],
  ['200 ms', [answers(0, 200), answers(0, 200)], ['online', 'degraded']],
  ['slow once', [answers(0, 20), answers(0, 2000)], ['online', 'online']],
  ['every other reading', [answers(33), answers(0), answers(33)], ['online', 'online', 'degraded']],
  ['nothing measured', [{ up: true }, { up: true }], ['online', 'online']],
  ['rarely read', [answers(5), [300, answers(5)]], ['online', 'degraded']],
  ['not read for hours', [answers(5), [9000, answers(5)]], ['online', 'online']],
  ['no answer', [answers(0), down, down], ['online', 'offline', 'offline']],
  ['no answer at first', [down], ['offline']],
  [
    'good for 59 s after it was offline, then for 60',
    [down, [30, down], [60, answers(0)], [89, answers(0)], [90, answers(0)]],
    ['offline', 'offline', 'degraded', 'degraded', 'online'],
  ],
  [
    'good for 59 s after it was degraded, then for 60',
    [answers(9), answers(9), [89, answers(0)], [90, answers(0)]],
    ['online', 'degraded', 'degraded', 'online'],
  ],
  [
    'bad once more before',
    [answers(9), answers(9), [80, answers(50)], [139, answers(0)], [140, answers(0)]],
    ['online', 'degraded', 'degraded', 'degraded', 'online'],
  ],
])('%s', (_, readings, states) => expect(statesOf(readings)).toEqual(states))

const calm = (latencyMs: number, readings: number) => {
  let memory: UplinkMemory | undefined
  for (let at = 0; at < readings; at++) memory = judgeUplink(memory, answers(0, latencyMs), (at - readings) * 30_000)
  return memory
}

test.each([
  ['three times the usual', 20, 60, 'degraded'],
  ['less than three times', 20, 59, 'online'],
  ['three times of next to nothing', 2, 49, 'online'],
  ['50 ms is felt', 2, 50, 'degraded'],
])('%s is what degrades it', (_, usual, now, state) => {
  const readings = [answers(0, now), answers(0, now), answers(0, now)]
  expect(statesOf(readings, calm(usual, 60)).at(-1)).toBe(state)
  // What is usual is not known by a few readings.
  expect(statesOf(readings, calm(usual, 20)).at(-1)).toBe('online')
})
