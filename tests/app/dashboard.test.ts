import { sharesOf } from '@/app/(console)/network/[networkId]/dashboard/_parts/donut'
import { slotsOf } from '@/app/(console)/network/[networkId]/dashboard/_parts/uplink-slots'

test('a slot of the past shows the worst that was in it; before the first turn nothing is known', () => {
  const turns: Parameters<typeof slotsOf>[0] = [
    [25, 'online'],
    [47, 'offline'],
    [48, 'degraded'],
    [60, 'online'],
  ]
  expect(slotsOf(turns, 0, 100, 10).map(one => one.state)).toEqual([
    ...['unknown', 'unknown', 'unknown', 'online', 'offline', 'degraded', 'online', 'online', 'online', 'online'],
  ])
  expect(slotsOf([], 0, 10, 2).map(one => one.state)).toEqual(['unknown', 'unknown'])
  // It was so before the time that is shown.
  expect(slotsOf([[-50, 'online']], 0, 10, 2).map(one => one.state)).toEqual(['online', 'online'])
})

test('five shares have colours of their own; of more the rest is told together; none is shown as nothing', () => {
  const all = Array.from({ length: 7 }, (_, at) => ({ name: `n${at}`, value: 7 - at }))
  const shares = sharesOf(all, [{ name: 'wired', value: 0, tone: 'chart-6' }], 'Others')
  expect(shares.map(one => [one.name, one.value])).toEqual([
    ...[['n0', 7] as const, ['n1', 6] as const, ['n2', 5] as const, ['n3', 4] as const, ['Others', 6] as const],
  ])
  expect(new Set(shares.map(one => one.tone)).size).toBe(5)
  expect(sharesOf(all.slice(0, 5), [], 'Others')).toHaveLength(5)
})
