import { pathOf } from '@/app/_ui/line-chart-sketch'

test('a line is not joined across what nobody knows', () => {
  expect(pathOf([1, 2, null, 3], value => value * 10)).toBe('M0 10L1 20M3 30h0')
  expect(pathOf([null, null], value => value)).toBe('')
})
