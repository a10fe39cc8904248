import { readingFor } from '@/server/worker/device-reading'
import { takeCounters } from '@/server/worker/rates'
import { driverWith, entryWith } from './_entry'

const at = 1_800_000_000_000
const port = (octets: number) => [
  { key: '1', name: 'p1', type: 'ethernet', counters: { bits: 64, inOctets: octets } } as const,
]

function counted() {
  const entry = entryWith({ status: 1 })
  entry.counters = takeCounters(entry.counters, port(0), at, false)
  entry.counters = takeCounters(entry.counters, port(1000), at + 1000, false)
  return entry
}

test('rates are told where both readings gave a counter, and of devices that are online alone', () => {
  const entry = counted()
  expect(readingFor(entry).rates).toEqual([{ key: '1', inBps: 8000, outBps: undefined }])
  entry.status = 0
  expect(readingFor(entry).rates).toEqual([])
})

test('when a device that is left alone is tried next is told until then', () => {
  const entry = entryWith({ quietUntil: at })
  expect(readingFor(entry, at - 1).polls.nextTryAt).toBe(at)
  expect(readingFor(entry, at).polls).not.toHaveProperty('nextTryAt')
})

test('only actions that the driver has are offered', () => {
  const actions = { reboot: async () => undefined, locate: undefined }
  expect(readingFor(entryWith({}, driverWith({ actions }))).actions).toEqual(['reboot'])
})
