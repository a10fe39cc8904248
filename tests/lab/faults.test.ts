// The manager is killed (-9) in the middle of a push to a real device: before it is changed, and when it has been. And a
// renderer that throws.
import { breaking } from '../soak/breakable'
import { asTold, begin, end, killedAt, one, rename } from './_faults'
import { air } from './_lab'

beforeAll(begin)
afterAll(end)

test.each([
  ['while the snapshot is made', / pushing snapshot$/m],
  ['while it is proven', / confirming prove$/m],
  ['while it is confirmed', / confirming confirm$/m],
])('killed %s: the device is as before or as wanted, as the push says, and nothing is left', async (title, moment) => {
  // Long enough for the next manager to prove it: only then is it not in vain.
  const proven = moment.test(' confirming prove')
  const end = await killedAt(moment, `After ${title.slice(6, 26)}`, proven ? 90 : 12)
  expect(end?.state).toMatch(/^(applied|reverted)$/)
  await asTold()
  if (proven) expect(end?.state).toBe('applied')
})

test('a renderer throws: the device is not touched, and takes the next push', async () => {
  const before = await air()
  await rename(breaking)
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'internal' })
  expect(await air()).toBe(before)
  await rename('Mended')
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  expect(await air()).toContain('ssid[0]=Mended\n')
})
