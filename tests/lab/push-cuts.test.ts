// How a device goes back to what it had when the link to it breaks in the middle of a push.
import type { Pending } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, ssidDocument } from './_device'
import { air, lab, until } from './_lab'
import { beginOnAir, end, nothingIsLeft, pushed, seen } from './_push'

beforeAll(beginOnAir)
afterAll(end)

test('a device whose cable is pulled in the middle goes back alone', async () => {
  const pending = await pushed([ssidDocument('1', { name: 'Cut off' })], 6)
  await lab.cut('ap1')
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
  await lab.join('ap1')
  await until(() => on('ap1', async session => (await driver.state(session, pending)) === 'reverted'))
})

test.each([0, 80])('the link breaks %i ms into the change: it goes back alone', async delay => {
  const stored: Pending[] = []
  await on('ap1', async session => {
    const { next } = await plan(session, [ssidDocument('1', { name: `Broken ${delay}` })])
    const events = {
      pending: async (pending: Pending) => void stored.push(pending),
      step: (step: string) => void (step === 'apply' && setTimeout(() => session.ssh.close(), delay)),
    }
    await driver.push(session, await driver.read(session), next, seen, events).catch(error => {
      expect(error.reason).toBe('closed')
    })
  })
  const [pending] = stored
  if (!pending) throw new Error('nothing was stored')
  expect(await on('ap1', session => driver.state(session, pending))).toBe('waiting')
  await until(() => on('ap1', async session => (await driver.state(session, pending)) === 'reverted'))
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
  await nothingIsLeft()
})
