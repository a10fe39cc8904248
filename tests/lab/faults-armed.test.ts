// The manager is killed (-9) in the middle of a push to a real device: while its timer is armed, and while it changes.
import { asTold, begin, end, killedAt } from './_faults'

beforeAll(begin)
afterAll(end)

test.each([
  ['while the timer is armed', / pushing timer$/m],
  ['while it is applied', / pushing apply$/m],
])('killed %s: the device is as before or as wanted, as the push says, and nothing is left', async (title, moment) => {
  const end = await killedAt(moment, `After ${title.slice(6, 26)}`, 12)
  expect(end?.state).toMatch(/^(applied|reverted)$/)
  await asTold()
})
