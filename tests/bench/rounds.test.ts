import { completeness, type Round } from './rounds'

const minute = 60_000
const every = (address: string, from: number, count: number, tookMs = 50): Round[] =>
  Array.from({ length: count }, (_, i) => ({ address, begun: from + i * minute, complete: from + i * minute + tookMs }))

test('a device that is read once a minute misses nothing, whatever its place in the minute', () => {
  const rounds = [...every('a', 100, 5), ...every('b', 59_900, 5)]
  expect(completeness(rounds, ['a', 'b'], 5 * minute)).toMatchObject({ live: 2, due: 8, inTime: 8, behind: 0 })
})

test('a round that never ends, ends late or is left out is missed', () => {
  const rounds = every('a', 0, 6)
  const changed = (at: number, change: Partial<Round>) =>
    completeness(
      rounds.map((round, index) => (index === at ? { ...round, ...change } : round)),
      ['a'],
      5 * minute,
    ).inTime
  expect(changed(5, {})).toBe(5)
  expect(changed(2, { complete: 0 })).toBe(4)
  expect(changed(2, { complete: 3 * minute + 1 })).toBe(4)
  expect(changed(2, { begun: 2 * minute + 25_000, complete: 2 * minute + 59_999 })).toBe(5)
  const left = completeness(
    rounds.filter((_, index) => index !== 3),
    ['a'],
    5 * minute,
  )
  expect(left).toMatchObject({ due: 5, inTime: 4, behind: 1, worstGapMs: 2 * minute })
})

test('a device that is never heard misses all of them', () => {
  expect(completeness([], ['a'], 5 * minute)).toMatchObject({ due: 5, inTime: 0, behind: 1, worstGapMs: 5 * minute })
})
