// The manager is killed (-9) while the device goes back to what it had.
import { asTold, begin, end, killedAt } from './_faults'
import { lab } from './_lab'

beforeAll(begin)
afterAll(end)

test('killed while the device goes back: it is as before, the push says so and why, and nothing is left', async () => {
  // It runs and is no access point: only the manager's proof tells.
  const dropIn = '/etc/systemd/system/lanward-hostapd@.service.d'
  await lab.sh(
    'ap1',
    `mkdir -p ${dropIn} && printf '[Service]\nExecStart=\\nExecStart=/bin/sleep infinity\n' >${dropIn}/zz-broken.conf`,
  )
  // Long enough for the manager to give up before the device does by itself, with a look of its own still under way.
  const end = await killedAt(/ reverting$/m, 'Never', 48)
  await lab.sh('ap1', `rm -r ${dropIn}; systemctl daemon-reload; systemctl restart lanward-hostapd@wlan0`)
  await asTold()
  expect(end).toMatchObject({
    state: 'reverted',
    reason: 'hostapdDown',
  })
})
