// Interface errors of a device, of about the last hour.
import type { Interface } from '@/server/drivers/observation'
import { countErrors, type PortErrors } from '@/server/worker/port-errors'

const hour = 3_600_000
const port = (inErrors?: number, outErrors?: number): Interface => ({
  key: 'p',
  name: 'p',
  type: 'ethernet',
  counters: { bits: 32, inErrors, outErrors },
})
const count = (before: PortErrors | undefined, at: number, ports: Interface[], fresh = false) =>
  countErrors(before, ports, [...ports.keys()], at, fresh)

test('what the counters held at the first look is old; what comes then counts, both ways, and fades', () => {
  const first = count(undefined, 0, [port(500, 20), port()])
  expect(first).toEqual({ ports: 1, total: 520, at: 0, lately: 0 })
  const next = count(first, 60_000, [port(530, 22), port()])
  expect(next?.lately).toBe(32)
  expect(count(next, 60_000 + hour, [port(530, 22), port()])?.lately).toBeCloseTo(32 / Math.E)
})

test.each([
  ['a restart', [port(900)], true],
  ['a counter that was set back', [port(3)], false],
  ['a port more', [port(500), port(7)], false],
])('over %s nothing is added', (_, ports, fresh) => {
  expect(count({ ports: 1, total: 500, at: 0, lately: 0 }, 60_000, ports, fresh)?.lately).toBe(0)
})

test('ports that tell no errors are unknown, not clean', () => {
  expect(count(undefined, 0, [port(), port()])).toBeUndefined()
  expect(countErrors(undefined, [port(5)], [], 0, false)).toBeUndefined()
})
