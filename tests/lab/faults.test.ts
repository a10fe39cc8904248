// The manager is killed (-9) in the middle of a push to a real device: the next one finds out what came of it. And a
// renderer that throws.
import { breakable, breaking } from '../soak/breakable'
import { bundlePushChild, runPush } from '../soak/push-run'
import { managerWithAp } from './_change'
import { air, lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWithAp>>
let ssid: { id: string; revision: number }
let name = 'Before'
const window = 24

const leftovers = async () =>
  (
    await lab.sh(
      'ap1',
      'ls /etc/lanward/undo/armed /etc/lanward/undo/reverting 2>/dev/null; systemctl list-timers --all --plain | grep lanward',
    )
  ).stdout

beforeAll(async () => {
  await lab.up()
  await lab.reset('ap1')
  bundlePushChild()
  one = await managerWithAp(undefined, { fleet: { drivers: breakable } })
  ssid = (await one.saveSsid({ name })) as typeof ssid
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
})
afterAll(() => one.end())

/** Saves a new name, lets another process push it and kills that at the first line that matches; then settles. */
async function killedAt(moment: RegExp, next: string, seconds = window) {
  ssid = (await one.saveSsid({ ...ssid, name: next })) as typeof ssid
  const data = await one.pause()
  const seen: string[] = []
  const child = runPush(data, seconds, [one.id], (line, self) => {
    if (moment.test(line) && seen.push(line)) self.kill()
  })
  await child.ended
  expect([seen.length, child.output()]).toEqual([1, expect.stringMatching(moment)])
  await one.restart()
  await until(() => one.latest()?.endedAt)
  return one.latest()
}

test.each([
  ['while the snapshot is made', / pushing snapshot$/m],
  ['while the timer is armed', / pushing timer$/m],
  ['while it is applied', / pushing apply$/m],
  ['while it is proven', / confirming prove$/m],
  ['while it is confirmed', / confirming confirm$/m],
])('killed %s: the device is as before or as wanted, as the push says, and nothing is left', async (title, moment) => {
  const next = `After ${title.slice(6, 26)}`
  // Long enough for the next manager to prove it: only then is it not in vain.
  const proven = moment.test(' confirming prove')
  const end = await killedAt(moment, next, proven ? 90 : window)
  expect(end?.state).toMatch(/^(applied|reverted)$/)
  name = end?.state === 'applied' ? next : name
  await until(async () => (await air()).includes(`ssid[0]=${name}\n`))
  await until(async () => (await leftovers()) === '')
  if (proven) expect(end?.state).toBe('applied')
})

test('killed while the device goes back: it is as before, the push says so and why, and nothing is left', async () => {
  // It runs and is no access point: only the manager's proof tells.
  const dropIn = '/etc/systemd/system/lanward-hostapd@.service.d'
  await lab.sh(
    'ap1',
    `mkdir -p ${dropIn} && printf '[Service]\nExecStart=\\nExecStart=/bin/sleep infinity\n' >${dropIn}/zz-broken.conf`,
  )
  // Long enough for the manager to give up before the device does by itself, with a look of its own still under way.
  const end = await killedAt(/ reverting$/m, 'Never', 2 * window)
  await lab.sh('ap1', `rm -r ${dropIn}; systemctl daemon-reload; systemctl restart lanward-hostapd@wlan0`)
  await until(async () => (await air()).includes(`ssid[0]=${name}\n`))
  await until(async () => (await leftovers()) === '')
  expect(end).toMatchObject({
    state: 'reverted',
    reason: 'hostapdDown',
  })
})

test('a renderer throws: the device is not touched, and takes the next push', async () => {
  const before = await air()
  ssid = (await one.saveSsid({ ...ssid, name: breaking })) as typeof ssid
  expect(await one.pushed()).toMatchObject({ state: 'failed', reason: 'internal' })
  expect(await air()).toBe(before)
  ssid = (await one.saveSsid({ ...ssid, name: 'Mended' })) as typeof ssid
  expect(await one.pushed()).toMatchObject({ state: 'applied' })
  expect(await air()).toContain('ssid[0]=Mended\n')
})
