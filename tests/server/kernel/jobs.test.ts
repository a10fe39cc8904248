// Jobs at a local time, in the weeks in which clocks are set: on a clock of the test's own.
import { createJobs } from '@/server/kernel/jobs'
import { cronOf } from '@/server/manager/backups/schedule'

const hour = 3_600_000
afterEach(() => jest.useRealTimers())

/** When a job runs, and the longest that its next run was ever ahead, in hours; asked each hour. */
async function runs(every: string, timezone: string, from: string, days: number) {
  jest.useFakeTimers({ now: new Date(from) })
  const at: string[] = []
  const jobs = createJobs(() => undefined)
  jobs.start({ id: 'job', every, timezone, run: () => void at.push(`${new Date().toISOString().slice(0, 16)}Z`) })
  let ahead = 0
  for (let passed = 0; passed < days * 24; passed++) {
    ahead = Math.max(ahead, ((jobs.state('job')?.next ?? Number.POSITIVE_INFINITY) - Date.now()) / hour)
    await jest.advanceTimersByTimeAsync(hour)
  }
  jobs.stopAll()
  expect(jest.getTimerCount()).toBe(0)
  return { at, ahead }
}
const daily = (time: string) => cronOf({ frequency: 'daily', time, weekday: 0 })
const sundays = (time: string) => cronOf({ frequency: 'weekly', time, weekday: 0 })

test.each([
  // The hour that the clocks skip, half an hour of it, midnight itself; and what they go through twice.
  ['Europe/Berlin', '02:30', '2027-03-27T12:00Z', ['2027-03-28T01:30Z', '2027-03-29T00:30Z']],
  ['Europe/Berlin', '02:00', '2027-03-27T12:00Z', ['2027-03-28T01:00Z', '2027-03-29T00:00Z']],
  ['Europe/Berlin', '01:59', '2027-03-27T12:00Z', ['2027-03-28T00:59Z', '2027-03-28T23:59Z']],
  ['Europe/Berlin', '03:30', '2027-03-27T12:00Z', ['2027-03-28T01:30Z', '2027-03-29T01:30Z']],
  ['Europe/Berlin', '02:30', '2027-10-30T12:00Z', ['2027-10-31T01:30Z', '2027-11-01T01:30Z']],
  ['America/New_York', '02:30', '2027-03-13T17:00Z', ['2027-03-14T07:30Z', '2027-03-15T06:30Z']],
  ['Australia/Lord_Howe', '02:15', '2027-10-02T10:00Z', ['2027-10-02T15:45Z', '2027-10-03T15:15Z']],
  ['Asia/Beirut', '00:30', '2027-03-27T10:00Z', ['2027-03-27T22:30Z', '2027-03-28T21:30Z']],
  ['Etc/UTC', '02:30', '2027-03-27T12:00Z', ['2027-03-28T02:30Z', '2027-03-29T02:30Z']],
])('in %s, daily at %s from %s: once a day', async (zone, time, from, expected) => {
  const { at, ahead } = await runs(daily(time), zone, from, 2)
  expect(at).toEqual(expected)
  expect(ahead).toBeLessThanOrEqual(25)
})

test('weekly on the Sunday whose hour is skipped: each week', async () => {
  const { at, ahead } = await runs(sundays('02:30'), 'Europe/Berlin', '2027-03-20T12:00Z', 16)
  expect(at).toEqual(['2027-03-21T01:30Z', '2027-03-28T01:30Z', '2027-04-04T00:30Z'])
  expect(ahead).toBeLessThanOrEqual(7 * 24 + 1)
})

test('what runs in each hour runs once in each, over a skipped one, too', async () => {
  const { at } = await runs('30 * * * *', 'Europe/Berlin', '2027-03-28T00:00Z', 0.25)
  expect(at.map(one => one.slice(11))).toEqual(['00:30Z', '01:30Z', '02:30Z', '03:30Z', '04:30Z', '05:30Z'])
})
