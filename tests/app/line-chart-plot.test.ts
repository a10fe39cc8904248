import { isDrawnAlike, type PlotModel } from '@/app/_ui/line-chart-plot'

const model = (more: Partial<PlotModel> = {}): PlotModel => ({
  ...{ times: [0, 60], series: [{ label: 'In', color: 'chart-1', values: [1, null] }] },
  ...{ timeZone: 'UTC', hours12: false, noData: 'no data' },
  ...more,
})

test('lists of the same content are the same picture, whoever made them', () => {
  expect(isDrawnAlike(model(), model())).toBe(true)
})

test.each([
  { times: [0, 120] },
  { series: [{ label: 'In', color: 'chart-1', values: [1, 0] }] },
  { series: [] },
  { end: 100 },
  { timeZone: 'Europe/Lisbon' },
  { hours12: true },
])('%j is another picture', more => {
  expect(isDrawnAlike(model(), model(more))).toBe(false)
})
