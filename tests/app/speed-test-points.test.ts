import { speedChart } from '@/app/(console)/network/[networkId]/dashboard/_parts/speed-test-points'

const server = { type: 'iperf3', host: 'a.example', port: 5201 } as const
const test_ = (createdAt: number, download: number | undefined, more: object = {}) => ({
  ...{ state: 'done', createdAt, server, device: { id: 1 } },
  figures: { ...(download !== undefined && { download: { rates: [], bps: download } }) },
  ...more,
})

test('tests like the newest are drawn over time, oldest first, on one scale', () => {
  const upload = { figures: { download: { rates: [], bps: 60e6 }, upload: { rates: [], bps: 25e6 } } }
  const chart = speedChart([test_(4000, 90e6), test_(2000, 0, upload), test_(0, 30e6)])
  expect(chart?.most).toBe(100e6)
  expect(chart?.tests.map(one => one.createdAt)).toEqual([0, 2000, 4000])
  expect(chart?.points).toEqual({
    download: [
      { x: 0, y: 30 },
      { x: 50, y: 60 },
      { x: 100, y: 90 },
    ],
    upload: [{ x: 50, y: 25 }],
  })
})

test.each([
  ['against another server', { server: { ...server, host: 'b.example' } }],
  ['from another place', { device: null }],
  ['that failed', { state: 'failed' }],
  ['that was canceled', { state: 'cancelled' }],
  ['that measured nothing', { figures: {} }],
])('one %s is not among them', (_what, more) => {
  const chart = speedChart([test_(4000, 90e6), test_(3000, 900e6, more), test_(0, 30e6)])
  expect(chart?.points.download).toHaveLength(2)
  expect(chart?.most).toBe(100e6)
})

test('one alone, or none, is no chart', () => {
  expect(speedChart([])).toBeUndefined()
  expect(speedChart([test_(0, 30e6), test_(1, 5, { device: null })])).toBeUndefined()
})
