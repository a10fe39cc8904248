import { alone, axisOf, niceCeil, unknownRuns } from '@/app/_ui/chart-scale'

const line = (values: (number | null)[], mirrored = false) => ({ label: 'a', color: 'chart-1', values, mirrored })

test('an axis ends on a round number that holds every value', () => {
  expect([0, 1, 1.1, 2.4, 3, 9, 10, 101, 260].map(niceCeil)).toEqual([1, 1, 2, 2.5, 5, 10, 10, 200, 500])
})

test('download and upload share one scale, each side as long as it needs', () => {
  const { min, max, ticks } = axisOf([line([430, 12]), line([90, 3], true)])
  expect({ min, max, ticks }).toEqual({ min: -250, max: 500, ticks: [-250, 0, 250, 500] })
})

test('a budget or percent ends the axis, whatever the values are', () => {
  expect(axisOf([line([3, 5])], 100)).toMatchObject({ min: 0, max: 100, ticks: [0, 50, 100] })
})

test('ticks are round in the unit shown', () => {
  const { ticks, unit } = axisOf([line([1_300_000])], undefined, () => ({ factor: 1_000_000, unit: 'Mbps' }))
  expect(ticks.map(tick => tick / unit.factor)).toEqual([0, 1, 2])
})

test('nothing known draws an empty axis, not an endless one', () => {
  expect(axisOf([line([null, null])])).toMatchObject({ min: 0, max: 1, ticks: [0, 0.5, 1] })
})

test('time is unknown only where no series knows it', () => {
  expect(unknownRuns([line([null, 1, null, null]), line([null, null, null, 0])], 4)).toEqual([
    [0, 0],
    [2, 2],
  ])
})

test('of what is counted there is no half: an axis for one client ends at two, with whole ticks', () => {
  const series = [{ label: 'Clients', color: 'chart-1', values: [0, 1, null] }]
  expect(axisOf(series, undefined, undefined, true).ticks).toEqual([0, 1, 2])
  expect(axisOf(series).ticks).toEqual([0, 0.5, 1])
})

test('a value alone between times that nobody knows is a point: no line would show it', () => {
  expect(alone([null, 5, null, 1, 2, null, 0])).toEqual([1, 6])
  expect(alone([null, undefined])).toEqual([])
})

test('values below zero by nature have an axis between two fixed ends', () => {
  expect(axisOf([line([-61, null])], -20, undefined, false, -100)).toMatchObject({
    ...{ min: -100, max: -20, ticks: [-100, -80, -60, -40, -20] },
  })
})
