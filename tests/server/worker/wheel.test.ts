import { mount, newWheel, slotCount, slotOf, turnTo, unmount } from '@/server/worker/wheel'

const minute = 60_000
const slotMs = minute / slotCount
const wheelOf = (...slots: number[]) => {
  const wheel = newWheel<{ slot: number }>()
  for (const slot of slots) mount(wheel, { slot })
  return wheel
}
const turned = (wheel: ReturnType<typeof wheelOf>, ms: number) => [...turnTo(wheel, ms, minute)].map(one => one.slot)

test('six hundred consecutive devices stand in six hundred slots, and the next stands where the first does', () => {
  const slots = Array.from({ length: slotCount }, (_, index) => slotOf(index + 1))
  expect(new Set(slots).size).toBe(slotCount)
  expect(slotOf(slotCount + 1)).toBe(slotOf(1))
})

test('a slot has its turn when its part of the round ends, not a moment before', () => {
  const wheel = wheelOf(0, 1)
  expect(turned(wheel, slotMs - 1)).toEqual([])
  expect(turned(wheel, slotMs)).toEqual([0])
  expect(turned(wheel, slotMs * 2)).toEqual([1])
})

test('a late look at the clock makes up for what it missed, in order, each once', () => {
  const wheel = wheelOf(7, 2, 599)
  expect(turned(wheel, slotMs * 10)).toEqual([2, 7])
  expect(turned(wheel, slotMs * 10)).toEqual([])
  expect(turned(wheel, minute)).toEqual([599])
})

test('devices of one slot have their turn in the order they came', () => {
  const wheel = newWheel<{ slot: number; name: string }>()
  const [a, b, c] = ['a', 'b', 'c'].map(name => ({ slot: 0, name }))
  for (const one of [a, b, c]) if (one) mount(wheel, one)
  if (b) unmount(wheel, b)
  expect([...turnTo(wheel, slotMs, minute)].map(one => one.name)).toEqual(['a', 'c'])
})

test('after a stop of the whole machine each device has one turn, not one for every round missed', () => {
  const wheel = wheelOf(0, 300)
  expect(turned(wheel, minute * 90)).toEqual([0, 300])
  expect(turned(wheel, minute * 91)).toEqual([0, 300])
})

test('a clock that was set back gives nobody a second turn', () => {
  const wheel = wheelOf(0)
  expect(turned(wheel, slotMs * 5)).toEqual([0])
  expect(turned(wheel, 0)).toEqual([])
  expect(turned(wheel, slotMs * 5)).toEqual([])
})
