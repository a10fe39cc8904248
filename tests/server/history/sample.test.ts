import { addSample } from '@/server/history/sample'
import { emptySums } from '@/server/history/sums'
import { emptyCounters } from '@/server/worker/rates'

const noSlots = () => {
  throw new Error('no interfaces were read')
}

test('a poll without an answer counts as a poll, and adds nothing to what is known', () => {
  const sums = emptySums()
  addSample(sums, { answered: false }, noSlots)
  expect(sums).toEqual({ ...emptySums(), polls: 1 })
})

test('octets count only with both directions and the time they took', () => {
  const sums = emptySums()
  addSample(sums, { answered: true, seconds: 60, inOctets: 1 }, noSlots)
  addSample(sums, { answered: true, inOctets: 1, outOctets: 2 }, noSlots)
  expect(sums).toMatchObject({ seconds: 0, inOctets: 0, outOctets: 0 })
  addSample(sums, { answered: true, seconds: 60, inOctets: 0, outOctets: 2 }, noSlots)
  expect(sums).toMatchObject({ polls: 3, answered: 3, seconds: 60, inOctets: 0, outOctets: 2 })
})

test('a percentage of zero is a reading, an unknown one or nonsense is none', () => {
  const sums = emptySums()
  addSample(sums, { answered: true, cpuPercent: 0, memoryPercent: Number.NaN, clients: 3 }, noSlots)
  addSample(sums, { answered: true, cpuPercent: 50, clients: 5 }, noSlots)
  expect(sums).toMatchObject({ cpu: 50, cpuReadings: 2, memory: 0, memoryReadings: 0, clients: 8, clientReadings: 2 })
})

test('interfaces are added up in their slots; one without a rate in either direction stays unknown', () => {
  const sums = emptySums()
  const store = { ...emptyCounters(), keys: ['a', 'b'], deltas: Float64Array.of(10, 20, 30, Number.NaN) }
  const slots = () => ({ map: Uint16Array.of(2, 0), size: 3 })
  addSample(sums, { answered: true, counters: { store, seconds: 60 } }, slots)
  addSample(sums, { answered: true, counters: { store, seconds: 30 } }, slots)
  expect([...sums.known]).toEqual([0, 0, 90])
  expect([...sums.octets]).toEqual([0, 0, 0, 0, 20, 40])
})
