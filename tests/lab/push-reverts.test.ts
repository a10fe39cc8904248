// How a device goes back to what it had, whatever happened to the push.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, ssidDocument } from './_device'
import { air, lab, until } from './_lab'
import { beginOnAir, end, nothingIsLeft, pushed, seen } from './_push'

beforeAll(beginOnAir)
afterAll(end)

test('an unconfirmed push goes back by itself after the window', async () => {
  const pending = await pushed([ssidDocument('1', { name: 'Wrong' })], seen)
  await until(async () => (await air()).includes('ssid[0]=Wrong'))
  await until(() => on('ap1', async session => (await driver.state(session, pending)) === 'reverted'))
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
  await nothingIsLeft()
  await on('ap1', async session => {
    await expect(driver.confirm(session, pending)).rejects.toMatchObject({ reason: 'commandFailed' })
  })
})

test('a reboot in the window goes back', async () => {
  const pending = await pushed([ssidDocument('1', { name: 'Rebooted' })], 300)
  await until(async () => (await air()).includes('ssid[0]=Rebooted'))
  await lab.reboot('ap1')
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
  expect(await on('ap1', session => driver.state(session, pending))).toBe('reverted')
  await nothingIsLeft()
})

test('a reboot in the window of a removal brings the network back', async () => {
  const pending = await pushed([], 300)
  await until(async () => !(await air()).includes('ENABLED'))
  await lab.reboot('ap1')
  await until(async () => (await air()).includes('ENABLED'))
  expect(await on('ap1', session => driver.state(session, pending))).toBe('reverted')
})

test('asked to go back it goes back, twice if need be', async () => {
  const pending = await pushed([ssidDocument('1', { name: 'Asked' })], 300)
  await on('ap1', async session => {
    await driver.revert(session, pending)
    await driver.revert(session, pending)
    expect(await driver.state(session, pending)).toBe('reverted')
  })
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
  await nothingIsLeft()
})

test('whoever was killed while putting back is taken over from', async () => {
  const pending = await pushed([ssidDocument('1', { name: 'Killed' })], 300)
  await lab.sh(
    'ap1',
    'cd /etc/lanward/undo && mv armed reverting && mkdir /run/lanward-undo && echo 4000000 >/run/lanward-undo/pid',
  )
  await on('ap1', async session => {
    expect(await driver.state(session, pending)).toBe('waiting')
    await driver.revert(session, pending)
    expect(await driver.state(session, pending)).toBe('reverted')
  })
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
  await nothingIsLeft()
})

test('a window that nothing closed is closed by the next push', async () => {
  await pushed([ssidDocument('1', { name: 'Forgotten' })], 300)
  await lab.sh('ap1', "systemctl stop 'lanward-undo-*.timer'; echo 1 >/etc/lanward/undo/until")
  const next = await pushed([ssidDocument('1', { name: 'Next' })], 300)
  await on('ap1', session => driver.revert(session, next))
  await until(async () => (await air()).includes('ssid[0]=Lanward Caf'))
})
